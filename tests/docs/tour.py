# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# docs/tour.md against the tree: a file that it names is there, in the section on passes among those that passes are made of;
# each file of compiler/passes and of compiler/transform is named.
#
# usage: tour.py ROOT
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
tour = (root / "docs/tour.md").read_text()
FOLDERS = ("compiler", "runtime", "libraries", "libdevice", "include", "tools", "scripts", "packaging", "tests", "bench", "examples")
OF_PASSES = ("passes", "analysis", "transform", "instrument", "ir")

files = [path.relative_to(root) for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()]
every = {path.name for path in files}
of_passes = {path.name for path in files if path.parts[0] == "compiler" and path.parts[1] in OF_PASSES}
start, end = tour.index("**Passes** ("), tour.index("**Lowering** (")
problems = []
for name in re.finditer(r"`([\w./-]+\.(?:c|h|cpp|def|sh|py))`", tour):
    path = pathlib.PurePath(name[1])
    among = of_passes if start < name.start() < end and len(path.parts) == 1 else every
    if path.name not in among:
        problems.append(f"there is no {path} where it is named")
named = set(re.findall(r"([\w-]+\.c)\b", tour))
problems += [f"{path} is not named" for path in files
             if path.suffix == ".c" and path.parts[:2] in (("compiler", "passes"), ("compiler", "transform")) and path.name not in named]
for problem in sorted(problems):
    print(f"tour.py: docs/tour.md: {problem}")
sys.exit(1 if problems else 0)
