# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares docs/support.md with the tests and the sources:
#
#   - a program that a row names is in tests/run (names and patterns, as `math-*`, stand alone between commas or full stops)
#   - each program of tests/run is named in a row
#   - a state is works, partly or refused
#   - each function of the runtime's headers is in exactly one group of the table of functions, and each group has functions
#   - a group that is refused has only functions that runtime/refused.c refuses, one that works has none of them
#   - each function of a group that works is called by a test, or the row says in its remarks that no test does
#
# usage: support.py ROOT
import fnmatch
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
problems = []


def rows(text):
    """The cells of each row of each table, with the heading above it."""
    heading = ""
    for line in text.replace("\\*", "*").splitlines():
        if line.startswith("#"):
            heading = line.strip("# ")
        elif line.startswith("| ") and not line.startswith("| ---"):
            yield heading, [cell.strip() for cell in line.strip("| ").split(" | ")] + [""]


def matches(pattern, names):
    return set(fnmatch.filter(names, pattern))


support = list(rows((root / "docs/support.md").read_text()))

# --- programs
programs = {path.stem for path in (root / "tests/run").glob("*.cu")}
programs |= {"multi/" + path.name for path in (root / "tests/run/multi").iterdir() if path.is_dir()}
named = set()
for heading, cells in support:
    if cells[1] != "state" and not re.match("(works|partly|refused)( |$)", cells[1]):
        problems.append(f"docs/support.md, '{cells[0]}': the state is works, partly or refused, not '{cells[1]}'")
    prose = re.sub(r"`[^`]*`", " code ", " ".join(cells[2:]))
    for piece in re.split(r"[,;:.()]", prose):
        word = piece.strip()
        if not re.fullmatch(r"[a-z0-9*][a-z0-9*/-]+", word):
            continue
        found = matches(word, programs)
        named |= found
        if not found and re.search("[-*/]", word) and not (root / word).exists():
            problems.append(f"docs/support.md, '{cells[0]}': there is no program '{word}' in tests/run")
for name in sorted(programs - named):
    problems.append(f"tests/run/{name} is in no row of docs/support.md: name it where its feature is")

# --- functions
functions = set()
for header in (root / "include").rglob("*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    functions |= set(re.findall(r"^[^#\n]*?\b(cuda[A-Z]\w*)\s*\(", text, flags=re.M))
tables = "".join(path.read_text() for path in (root / "include/unwarp/refused").glob("cuda_*.def"))
of_tables = set(re.findall(r"^UW_REFUSED\((cuda\w+)", tables, flags=re.M))
functions |= of_tables
refused = of_tables | set(re.findall(r"^REFUSE\((cuda\w+)", (root / "runtime/refused.c").read_text(), flags=re.M))
tests = "".join(
    path.read_text()
    for kind in ("run/**/*.cu", "run/**/*.h", "run/**/*.cpp", "runtime/*.c", "driver/*.test", "headers/*.cu", "diagnosis/*.test", "libraries/*/*.cu")
    for path in (root / "tests").glob(kind)
)
called = set(re.findall(r"\b(cuda[A-Z]\w*)\b", tests))
group_of = {}
# A name that stands in a row by itself is in no group by a pattern.
exact = {p for heading, cells in support if heading == "Functions of the runtime" for p in re.findall(r"`(\w+)`", cells[0])}
for heading, cells in support:
    if heading != "Functions of the runtime":
        continue
    patterns = re.findall(r"`([^`]*)`", cells[0])
    for pattern in patterns:
        found = [name for name in matches(pattern, functions) if name == pattern or name not in exact]
        if not found:
            problems.append(f"docs/support.md: no header declares `{pattern}`")
        for name in found:
            if name in group_of and group_of[name] != cells[0]:
                problems.append(f"docs/support.md: `{name}` is in two groups: {group_of[name]} and {cells[0]}")
            group_of[name] = cells[0]
            if cells[1] == "works" and name in refused:
                problems.append(f"docs/support.md: `{name}` does not work: runtime/refused.c refuses it")
            if cells[1] == "refused" and name not in refused:
                problems.append(f"docs/support.md: `{name}` is not refused: runtime/refused.c does not have it")
            if cells[1] == "works" and name not in called and f"`{name}`" not in cells[2]:
                problems.append(f"docs/support.md: `{name}` works, and no test calls it")
for name in sorted(functions - set(group_of)):
    problems.append(f"docs/support.md: `{name}` of include/ is in no group of 'Functions of the runtime'")

print("\n".join(problems))
sys.exit(bool(problems))
