# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""%%cuda and %%sycl, of %load_ext unwarp: a cell is a program, which is compiled and run.

    %%cuda [--check] [--remarks] [option of unwarp's ...]
    %%sycl ...

--check compiles with -fcheck and shows what was found, at the cell's lines; --remarks shows what became of barriers and loops.
"""
import html
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from IPython.core.error import UsageError
from IPython.display import display

import unwarp


class Listing:
    """Lines of a cell, and what is said of them: HTML in a notebook, text elsewhere."""

    def __init__(self, title, cell, said):
        self.title, self.cell, self.said = title, cell.split("\n"), said

    def source(self, line):
        return self.cell[line - 1].strip() if line and line <= len(self.cell) else ""

    def __repr__(self):
        rows = []
        for line, what, text in self.said:
            rows.append(f"line {line}: {what}: {text}" if line else f"{what}: {text}")
            if self.source(line):
                rows.append(f"    {self.source(line)}")
        return "\n".join([self.title] + rows)

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{line or ''}</td><td><code>{html.escape(self.source(line))}</code></td><td>{html.escape(what)}</td>"
            f"<td style='text-align:left;white-space:pre-line'>{html.escape(text)}</td></tr>"
            for line, what, text in self.said
        )
        return f"<table><caption>{html.escape(self.title)}</caption><tr><th>line</th><th>source</th><th></th><th></th></tr>{rows}</table>"


def line_of(place, name):
    match = re.match(r"(?:.*/)?" + re.escape(name) + r":(\d+)", place)
    return int(match[1]) if match else None


def finding(found, name):
    """A line of the checker's (docs/schemas/checker.json) as a row."""
    access = found.get("access", {})
    places = access.get("places") or [access.get("place") or found.get("place") or ""]
    line = next((at for at in (line_of(place, name) for place in places) if at), None)
    other = found.get("other")
    text = found["message"]
    if other:
        at = line_of((other.get("places") or [other.get("place", "")])[0], name)
        text += f"\n{other['what']} in line {at}" if at else ""
    return line, found["class"], text


def json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def run_cell(suffix, flags, line, cell):
    words = shlex.split(line)
    check, remarks = "--check" in words, "--remarks" in words
    options = [word for word in words if word not in ("--check", "--remarks")]
    name = "cell" + suffix
    cell = "\n" + cell  # the line of the magic, which notebooks count
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, name), "w") as file:
            file.write(cell)
        program, found = os.path.join(folder, "cell"), os.path.join(folder, "found")
        command = [os.path.join(unwarp.path(), "unwarp"), "-O2", "-g", *flags, *options, name, "-o", program]
        command += (["-fcheck"] if check else []) + (["--remarks=json"] if remarks else [])
        # Names of files and headers in the cell are from the notebook's folder on, messages by the cell's own name.
        command += ["-I", os.getcwd()]
        compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        sys.stderr.write(compiled.stderr)
        if compiled.returncode != 0:
            raise UsageError("the cell does not compile")
        if remarks:
            rows = [(row.get("line"), row["pass"], row["remark"]) for row in json_lines(compiled.stdout)]
            display(Listing("what became of it", cell, rows))
        environment = dict(os.environ)
        if check:
            environment["UNWARP_CHECK"] = "json=" + found
        ran = subprocess.run([program], env=environment, capture_output=True, text=True, errors="replace")
        sys.stdout.write(ran.stdout)
        listing = []
        if check and os.path.exists(found):
            with open(found, errors="replace") as file:
                listing = json_lines(file.read())
        if listing:
            display(Listing(f"-fcheck: {len(listing)} mistake{'s' if len(listing) > 1 else ''}", cell, [finding(each, name) for each in listing]))
        else:
            sys.stderr.write(ran.stderr)
        if ran.returncode != 0 and not listing:
            raise UsageError(f"the program ended with status {ran.returncode}")


def cuda(line, cell):
    """%%cuda: the cell is a CUDA program."""
    run_cell(".cu", [], line, cell)


def sycl(line, cell):
    """%%sycl: the cell is a SYCL program."""
    run_cell(".cpp", ["-fsycl"], line, cell)


def register(ipython):
    for magic in (cuda, sycl):
        ipython.register_magic_function(magic, "cell", magic.__name__)
