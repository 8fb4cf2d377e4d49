# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The values of compiler/analysis/cost.c against the columns of docs/costs.md, by the rules of that page: within what was measured,
# give or take 15%, or among the values that have a reason; and each reason is about a value that needs one.
#
# usage: costs.py ROOT
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/costs.md").read_text()
code = (root / "compiler/analysis/cost.c").read_text()
LEVELS = {"sse": ("Intel SSE", "Zen SSE"), "avx2": ("Intel AVX2", "Zen AVX2"), "avx512": ("Intel AVX-512", "Zen AVX-512")}
LANES = {"sse": 4, "avx2": 8, "avx512": 16}
OF_A_REGISTER = ("divide", "number", "function")
SLACK = 0.15  # also absolute: less than what registers are counted as

table = re.search(r"\n(\| field .*?)\n\n", page, re.S).group(1).splitlines()
names = [cell.strip() for cell in table[0].split("|")[3:-1]]
measured = {}
for line in table[2:]:
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    if cells[0] != "–":
        measured[cells[0].strip("`")] = {name: [float(number) for number in cell.split("-")]
                                         for name, cell in zip(names, cells[2:]) if cell != "–"}
reasons = set(re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.M))
wrong, outside = [], set()
for level, columns in LEVELS.items():
    body = re.search(rf"uw_costs {level} = {{(.*?)}};", code, re.S).group(1)
    values = {name: float(number) for name, number in re.findall(r"\.(\w+) = ([\d.]+)", body)}
    for field, row in measured.items():
        value = values.get(field, 0) / (LANES[level] if field in OF_A_REGISTER else 1)
        numbers = [number for column in columns for number in row.get(column, [])]
        if min(numbers) * (1 - SLACK) - SLACK <= value <= max(numbers) * (1 + SLACK) + SLACK:
            # 0 is as without: where families are far apart that needs a reason too
            if max(numbers) - min(numbers) < 4 or value > 0:
                continue
        outside.add((field, level))
        if (field, level) not in reasons:
            wrong.append(f"{field} of {level} is {value:g} for a lane, measured were {numbers}: docs/costs.md has no reason")
wrong += [f"{field} of {level}: docs/costs.md has a reason, but the value lies within what was measured" for field, level in sorted(reasons - outside)]
if len(measured) < 9:
    wrong.append("docs/costs.md: rows that this test cannot read")
print("\n".join(wrong))
sys.exit(bool(wrong))
