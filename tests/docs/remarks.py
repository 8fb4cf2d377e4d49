# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What docs/remarks.md says of remarks holds:
#   remarks.py ROOT       each pass that says something has a row in its table, and each row's passes say something
#   remarks.py ROOT FILE  the lines of FILE are objects with the keys of its other table, of the right types
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/remarks.md").read_text()
wrong = []

keys_table = re.search(r"## JSON.*?\n\n(\|.*?)\n\n", page, re.S).group(1)
keys = {key for row in keys_table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split("|")[1])}
types = {"file": str, "line": int, "column": int, "pass": str, "remark": str, "kernel": str, "launches": list, "elsewhere": bool}
if keys != set(types):
    wrong.append(f"keys of the page: {sorted(keys)}")

if len(sys.argv) == 2:
    table = page[page.index("## What each pass says"):]
    listed = {name for row in table.splitlines() if row.startswith("| `") for name in re.findall(r"`([\w-]+)`", row.split("|")[1])}
    said = set()
    for source in [source for folder in ("passes", "lower", "target", "instrument") for source in (root / "compiler" / folder).rglob("*.c")]:
        text = source.read_text()
        names = dict(re.findall(r'#define (\w+) "([\w-]+)"', text))
        for call in re.findall(r"\buw_remark\((.*?)\);", text, re.S):
            literal = re.search(r'"([a-z-]+)",', call)
            said.add(literal.group(1) if literal else names["NAME"])
    for name in sorted(said ^ listed):
        wrong.append(f"{name}: {'says something, but has no row' if name in said else 'has a row, but says nothing'}")
else:
    for number, line in enumerate(pathlib.Path(sys.argv[2]).read_text().splitlines(), 1):
        remark = json.loads(line)
        for key, value in remark.items():
            if type(value) is not types.get(key):
                wrong.append(f"line {number}: {key}: {value}")
        groups = [{"pass", "remark"}, {"file", "line", "column"}, {"kernel", "launches", "elsewhere"}]
        for needed, group in zip((True, False, False), groups):
            if (needed or group & remark.keys()) and not group <= remark.keys():
                wrong.append(f"line {number}: of {sorted(group)} only {sorted(group & remark.keys())}")
        for launch in remark.get("launches", []):
            if launch.keys() != {"file", "line"}:
                wrong.append(f"line {number}: launch {launch}")
print("\n".join(wrong))
sys.exit(bool(wrong))
