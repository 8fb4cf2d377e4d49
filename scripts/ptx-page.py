#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The reader's own tables of PTX, compiler/frontend/ptx/isa.def and silent.def:
#   ptx-page.py ROOT                 writes docs/ptx.md to the standard output
#   ptx-page.py ROOT --check UNWARP  reads every form with the compiler: what is taken is, what is refused has its reason
import ast
import pathlib
import re
import subprocess
import sys
import tempfile

TYPES = {"pred": 1, "texref": 64}
for width in (8, 16, 32, 64, 128):
    for letter in "busf":
        TYPES[f"{letter}{width}"] = width
TYPES.update({"bf16": 16, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32, "tf32": 32, "f32x2": 64, "e4m3x2": 16, "e5m2x2": 16})
LETTERS = {1: "p", 8: "h", 16: "h", 32: "r", 64: "d", 128: "q"}


def rows(root, name, macros):
    text = (root / "compiler/frontend/ptx" / name).read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for macro, arguments in re.findall(rf"^({'|'.join(macros)})\((.*)\)$", text, re.M):
        yield macro, ast.literal_eval(f"({arguments},)")


def choices(form, at=0):
    """All texts of a form up to a '|' or ')' of its own level, and where that is."""
    done, now = [], [""]
    while at < len(form) and form[at] != ")":
        if form[at] == "(":
            inner, at = choices(form, at + 1)
            now = [left + right for left in now for right in inner]
        elif form[at] == "|":
            done, now = done + now, [""]
        else:
            now = [left + form[at] for left in now]
        at += 1
    return done + now, at


class Operands:
    def __init__(self, opcode):
        types = [part for part in opcode.split(".")[1:] if part in TYPES]
        self.last = LETTERS[TYPES[types[-1]]] if types else "r"
        self.first = LETTERS[TYPES[types[0]]] if types else "r"
        self.opcode, self.used = opcode, 0

    def register(self, letter):
        self.used += 1
        return f"%{ {'t': self.last, 'u': self.first}.get(letter, letter)}{self.used}"

    def one(self, text):
        if text == "v":
            text = "{tx2}" if ".v2" in self.opcode else "t"
        if text == "{*}":
            count = re.search(r"\.v([24])\b", self.opcode)
            text = "{tx" + (count[1] if count else "1") + "}"
        text = re.sub(r"\{(\w)x(\d)\}", lambda vector: "{" + ", ".join([vector[1]] * int(vector[2])) + "}", text)
        return re.sub(r"(?<![\w%])[phrdqtu](?!\w)", lambda letter: self.register(letter[0]), text)

    def all(self, text):
        parts = re.findall(r"(?:\[[^\]]*\]|\{[^}]*\}|[^,])+", text)
        if parts and parts[0].startswith("@"):
            parts = parts[1:] if self.opcode.startswith("red") else [parts[0][1:]] + parts[1:]
        if parts and parts[-1].startswith("?"):
            parts = parts[:-1] + ([parts[-1][1:]] if ".sync" in self.opcode else [])
        return ", ".join(self.one(part) for part in parts)


def statement(opcode, operands):
    return f"{opcode} {Operands(opcode).all(operands)};".replace(" ;", ";")


def module(lines):
    registers = "".join(f"  .reg .{kind} %{letter}<48>;\n" for letter, kind in
                        (("p", "pred"), ("h", "b16"), ("r", "b32"), ("d", "b64"), ("q", "b128")))
    body = "\n".join(lines)
    return f".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{registers}{body}\nL:\n  ret;\n}}\n"


def read(unwarp, lines):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "forms.ptx"
        source.write_text(module(lines))
        result = subprocess.run([unwarp, "--emit=nvvm", str(source), "-o", "/dev/null"], capture_output=True, text=True)
    return result.returncode, result.stderr


def check(root, unwarp):
    wrong, count = [], 0
    taken = [statement(opcode, operands) for _, (form, operands, _) in rows(root, "isa.def", ["UW_PTX_TAKEN"]) for opcode in choices(form)[0]]
    EACH = 400
    for first in range(0, len(taken), EACH):
        lines = taken[first:first + EACH]
        while lines:
            # what ends the thread stands behind a label, which nothing but itself keeps from being read
            status, said = read(unwarp, lines)
            if status == 0:
                break
            bad = next((line for line in lines if f"'{line.rstrip(';').split(' ')[0]}'" in said), None)
            wrong.append(f"{bad}: {said.strip().splitlines()[0] if said.strip() else status}")
            lines = [line for line in lines if line != bad] if bad else []
        count += len(taken[first:first + EACH])
    for _, (_, _, form, operands, reason) in rows(root, "isa.def", ["UW_PTX_REFUSED", "UW_PTX_REFUSED_WITH"]):
        for example in choices(form)[0]:
            status, said = read(unwarp, [statement(example, operands)])
            if status == 0 or reason not in said:
                wrong.append(f"{example} is not refused with its reason: {said.strip()}")
    print("\n".join(wrong) if wrong else f"{count} forms are taken")
    return bool(wrong)


def cell(text):
    return text.replace("|", "\\|")


def page(root):
    yield "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->"
    yield "# PTX"
    yield ""
    yield "What the reader of PTX takes, in modules and in inline assembly. Made by `scripts/ptx-page.py` from its own tables,"
    yield "`compiler/frontend/ptx/isa.def` and `silent.def`; `tests/ptx/isa.test` reads every form. In a form `(a|b)` is a choice and `(|.a)` may be left"
    yield "out; words may stand in any order but for types, state spaces and layouts among themselves. `.shared::cta` and `.shared::cluster` are taken"
    yield "wherever `.shared` is."
    kinds = ["UW_PTX_SECTION", "UW_PTX_TAKEN", "UW_PTX_REFUSED", "UW_PTX_REFUSED_WITH"]
    for kind, row in rows(root, "isa.def", kinds):
        if kind == kinds[0]:
            yield from ("", f"## {row[0]}", "", "| form | state | remark |", "| --- | --- | --- |")
        elif kind == kinds[1]:
            yield f"| `{cell(row[0])}` | taken | {cell(row[2])} |"
        elif kind == kinds[2]:
            words = f"({row[1]})" if "|" in row[1] else row[1]
            yield f"| `{cell(row[0])}{('…' + cell(words)) if words else ''}` | refused | {cell(row[4])} |"
        else:
            yield f"| `{cell(row[0])}` with {row[1]} | refused | {cell(row[4])} |"
    yield from ("", "## Modifiers that are taken as nothing", "", "| instruction | modifier | why |", "| --- | --- | --- |")
    for _, (instruction, word, reason) in rows(root, "silent.def", ["UW_PTX_SILENT"]):
        yield f"| {f'`{instruction}`' if instruction else 'all'} | `.{word}` | {cell(reason)} |"


if __name__ == "__main__":
    where = pathlib.Path(sys.argv[1])
    if len(sys.argv) > 2:
        sys.exit(check(where, sys.argv[3]))
    print("\n".join(page(where)))
