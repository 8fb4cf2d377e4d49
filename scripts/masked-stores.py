#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Has each masked store in AVX2's code of some programs a remark that says why? Prints those that have none, and calls of
# libgcc's for half precision, which AVX2's CPUs need not make; exit 1 where there are any.
#
#   scripts/masked-stores.py UNWARP [option…] FILE…
#
# Stores are those of the disassembly. Lines are those of LLVM's IR of the function that they are in.
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

STORE = re.compile(r"\bvp?maskmov\w+\s+%[xy]mm\d+, %[xy]mm\d+, \S*\(")
HALF = re.compile(r"\b__(?:trunc[sdx]fhf2|extendhf[sdx]f2|gnu_[fh]2[fh]_ieee)\b")


def functions_of(assembly):
    """Their masked stores."""
    counts, name = collections.Counter(), None
    for line in assembly.splitlines():
        label = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        name = label.group(1) if label else name
        counts[name] += bool(STORE.search(line))
    return +counts


def chains_of(text):
    """For each function the places of its masked stores: (line, column), and those that it was inlined into."""
    places = {number: (int(line), int(column), outer) for number, line, column, outer in
              re.findall(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: !\d+(?:, inlinedAt: !(\d+))?", text, re.M)}
    found, name = collections.defaultdict(list), None
    for line in text.splitlines():
        start = re.match(r'define .*@"?([^"(]+)"?\(', line)
        name = start.group(1) if start else name
        if "call void @llvm.masked.store." not in line:
            continue
        at, chain = re.search(r"!dbg !(\d+)", line), []
        number = at and at.group(1)
        while number:
            chain.append(places[number][:2])
            number = places[number][2]
        found[name].append(chain)
    return found


def check(unwarp, options, source, folder):
    result = pathlib.Path(folder) / "x.o"
    compile_it = subprocess.run([unwarp, "-O3", "-march=x86-64-v3", *options, "--remarks", "--print-after=test-masks", "-c", source, "-o", result],
                                stderr=subprocess.PIPE, text=True)
    if compile_it.returncode:
        sys.exit(f"{source}: does not compile")
    said = {(int(line), int(column)) for line, column in
            re.findall(r":(\d+):(\d+): remark: store of some lanes .*\[test-masks\]", compile_it.stderr)}
    chains = chains_of(compile_it.stderr)
    assembly = subprocess.run(["llvm-objdump-22", "-dr", "--no-show-raw-insn", result], stdout=subprocess.PIPE, text=True, check=True).stdout
    wrong = [f"{source}: calls {name}" for name in sorted(set(HALF.findall(assembly)))]
    stores = functions_of(assembly)
    for name, count in stores.items():
        if len(chains[name]) < count:
            wrong.append(f"{source}: {name}: {count} masked stores, of which LLVM's IR has {len(chains[name])}")
        for chain in chains[name]:
            if not said & set(chain):
                wrong.append(f"{source}: {name}: no remark on the masked store in {chain or 'an unknown line'}")
    return sum(stores.values()), len(said), wrong


options = [word for word in sys.argv[2:] if word.startswith("-")]
sources = [word for word in sys.argv[2:] if not word.startswith("-")]
if not sources:
    sys.exit("usage: masked-stores.py UNWARP [option…] FILE…")
bad = False
with tempfile.TemporaryDirectory() as folder:
    for source in sources:
        stores, lines, wrong = check(sys.argv[1], options, source, folder)
        if stores or wrong:
            print(f"{source}: {stores} masked stores of {lines} lines")
        for text in wrong:
            print(text)
        bad = bad or bool(wrong)
sys.exit(bad)
