# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The table compiler/analysis/thresholds.def and those of analysis/cost.h against the code:
#
#   - each threshold has one definition, and something goes by it
#   - no file of PARTS has a number of its own whose name sounds like one (MOST_OPS, SHORTEST, AHEAD, …): it is in the
#     table, or it bounds a search or an array. A bound is the length of an array, counts steps or levels (BOUNDS), or
#     its line says "bound". What is another name of a threshold is fine.
#
# usage: thresholds.py ROOT
import collections
import pathlib
import re
import sys

compiler = pathlib.Path(sys.argv[1]) / "compiler"
TABLE = "analysis/thresholds.def"
PARTS = ("passes/", "instrument/", "lower/", "target/", "raise/", "transform/")
SOUNDS = re.compile(r"(?:UW_)?(?:\w*_)?(?:MOST|LEAST|FEWEST|MANY|SHORT|SHORTEST|LONG|LONGEST|LARGE|LARGEST|SMALL|SMALLEST|NEAR|"
                    r"AHEAD|WORTH|WORTH_IT|LIMIT|ENOUGH)(?:_\w+)?$")
BOUNDS = re.compile(r"MOST_(?:DEPTH|STEPS|LEVELS|OPERANDS|DIMS)$")

files = {str(path.relative_to(compiler)): path.read_text()
         for path in sorted(compiler.rglob("*")) if path.suffix in (".c", ".h", ".cpp", ".def")}
code = {name: re.sub(r"/\*.*?\*/", " ", text, flags=re.S) for name, text in files.items()}


def numbers(text):
    """Each name that a file gives a number, and the line: of an enum, a macro or a constant."""
    for found in re.finditer(r"\benum\b[^;{}()]*\{(.*?)\}", text, re.S):
        body = re.sub(r"/\*.*?\*/", lambda comment: " " * len(comment[0]), found[1], flags=re.S)
        for own in re.finditer(r"\b([A-Z][A-Z0-9_]+)\s*=(?!\s*UW_\w+\s*[,}])", body + "}"):
            yield own[1], found.start(1) + own.start()
    for own in re.finditer(r"^#define ([A-Z][A-Z0-9_]+)[ \t]+\(*[0-9I]", text, re.M):
        yield own[1], own.start()
    for own in re.finditer(r"\bconst (?:\w+ )+([A-Z][A-Z0-9_]+)\s*=", text):
        yield own[1], own.start()


def line_at(text, at):
    return text[text.rfind("\n", 0, at) + 1:text.find("\n", at)]


table = re.findall(r"^UW_THRESHOLD\((\w+),", files[TABLE], re.M)
problems = [f"{name} is in the table twice" for name, count in collections.Counter(table).items() if count > 1]
if len(table) != len(re.findall("^UW_THRESHOLD", files[TABLE], re.M)) or len(table) < 20:
    problems.append(f"{TABLE}: rows that this test cannot read")

used = collections.Counter(word for name, text in code.items() if name != TABLE for word in set(re.findall(r"\w+", text)))
costs = [name for name, _ in numbers(files["analysis/cost.h"]) if name.startswith("UW_")]
problems += [f"nothing goes by {name}" for name in table if used[name] == 0]
problems += [f"nothing goes by {name}" for name in costs if used[name] < 2 and name not in files["analysis/cost.c"]]

for name, text in files.items():
    for own, at in numbers(text):
        if own in table:
            problems.append(f"{name}: {own} is in the table, too")
        elif name.startswith(PARTS) and SOUNDS.match(own) and not BOUNDS.search(own):
            is_length = any(re.search(rf"\[[^\]\n]*\b{own}\b", other) for file, other in code.items() if file == name or name.endswith(".h"))
            if not is_length and "bound" not in line_at(text, at):
                problems.append(f"{name}: is {own} a threshold? Then it belongs in {TABLE}")

for problem in problems:
    print(f"thresholds.py: {problem}")
sys.exit(1 if problems else 0)
