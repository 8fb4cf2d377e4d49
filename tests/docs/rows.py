# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The rows of the stages' tables: each has a name of its own, a file that is there, and a test that names it: a folder
# tests/passes/NAME, or --NAME, --skip=NAME, --print-after=NAME or changes.sh %unwarp NAME in a text test. Rows named
# for their place are there; the older names of renamed.def lead to rows.
#
# usage: rows.py ROOT
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
compiler = root / "compiler"
TABLES = ["frontend/ptx/recover.def", "frontend/prepare.def", "raise/raise.def", "passes/passes.def", "lower/lower.def", "lower/finish.def",
          "target/target.def"]
ALONE = ["passes/parts.def"]  # no stage: parts of rows, which unwarp-opt runs alone

ROW = re.compile(r'^UW_(?:STEP\(\w+, "(?P<file>[^"]+)", "(?P<step>[^"]+)"|PASS(?:_IN)?\([^"\n]*(?:"[^"]+\.c", \w+, )?"(?P<pass>[^"]+)"|'
                 r'UPSTREAM\(\w+, "(?P<upstream>[^"]+)")', re.M)
problems = []
rows = []
for table in TABLES + ALONE:
    text = (compiler / table).read_text()
    found = list(ROW.finditer(text))
    if len(found) != len(re.findall(r"^UW_\w+\(", text, re.M)):
        problems.append(f"{table}: a row that this test cannot read")
    for row in found:
        rows.append((table, row["step"] or row["pass"] or row["upstream"]))
        if row["file"] and not (compiler / row["file"]).exists():
            problems.append(f"{table}: {row['step']} is in {row['file']}, which is not there")

for name, count in collections.Counter(name for _, name in rows).items():
    if count > 1:
        problems.append(f"two rows are called {name}")

# NAME{after=ROW} and NAME{before=ROW} are places: behind that row, or all rows of that stage, with no more than two rows between.
NEAR = 3
stages = [pathlib.Path(table).stem for table in TABLES]
order = [name.split("{")[0] for _, name in rows]
for at, (table, name) in enumerate(rows):
    for kind, other in re.findall(r"[{,](after|before)=([^,}]+)", name):
        near = order[max(at - NEAR, 0):at] if kind == "after" else order[at + 1:at + 1 + NEAR]
        if other in stages:
            holds = kind == "after" and stages.index(other) < stages.index(pathlib.Path(table).stem)
        else:
            holds = other in near
        if not holds:
            problems.append(f"{table}: {name} does not run {kind} {other}")

# stages.c says which function runs a stage.
begun = re.findall(r"&(uw_stage_\w+), */\* ([\w/]+\.c): (\w+)", (compiler / "driver/stages.c").read_text())
if len(begun) != len(TABLES):
    problems.append(f"stages.c: of {len(TABLES)} stages {len(begun)} say what runs them")
for stage, file, function in begun:
    if not re.search(r"\b%s\([^;]*\) \{(?:(?!^\}).)*\buw_run_stage\(&%s," % (function, stage), (compiler / file).read_text(), re.S | re.M):
        problems.append(f"stages.c: {function} of {file} does not run {stage}")

# Older names lead to rows that are there.
for old, now in re.findall(r'^UW_RENAMED\("([^"]+)", "([^"]+)"\)', (compiler / "driver/renamed.def").read_text(), re.M):
    if now not in order and now not in (name for _, name in rows):
        problems.append(f"renamed.def: {old} leads to {now}, which is no row")
    if old in (name.split("{")[0] for table, name in rows if table not in ALONE):
        problems.append(f"renamed.def: {old} is a row")

tested = {path.name for path in (root / "tests/passes").iterdir()}
for path in (root / "tests").rglob("*"):
    if path.is_file() and path.suffix in (".mlir", ".ll", ".ptx", ".cu", ".cpp", ".test"):
        tested |= set(re.findall(r"(?:--(?:skip=|print-after=)?|changes\.sh %unwarp )'?([a-z][a-z0-9-]+(?:\{[a-z0-9=,-]+\})?)", path.read_text(errors="replace")))
# Another place of a pass is tested where the pass is; another option needs a test of its own.
problems += [f"{table}: no test names {name}" for table, name in rows
             if (name.split("{")[0] if re.search(r"\{(after|before)=[^,]*\}$", name) else name) not in tested]
# The newest table of bench/ablation has each optional row.
ablation = sorted((root / "docs/notes").glob("*-ablation.md"))[-1]
lines = set(re.findall(r"^\| (\S+) \|", ablation.read_text(), re.M))
for table in TABLES:
    for row in re.split(r"^(?=UW_)", (compiler / table).read_text(), flags=re.M):
        found = ROW.match(row)
        name = found and (found["step"] or found["pass"] or found["upstream"])
        if name and re.search(r'", *UW_OPTIONAL\b', row) and name not in lines:
            problems.append(f"{ablation.name} has no line for {name}: bench/ablation makes it")
for problem in problems:
    print(f"rows.py: {problem}")
sys.exit(1 if problems else 0)
