# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares docs/libraries.md with the headers of the libraries and, given a build, with the libraries themselves:
#
#   - each function that a section's headers declare is in exactly one row of the section, and each pattern has functions
#   - a state is works, partly or refused; a row that works names a program of tests/libraries, and each program is named
#   - the library of the section exports every function (but those that a header defines itself), and every one of NVIDIA's that
#     names/LIBRARY.txt lists (HIPIFY's public tables of API, state of October 2024): what is not done is refused (include/unwarp/refused/), and stands in no row
#
# Names stand for their forms with _v2 and _64, too. usage: libraries.py ROOT [BUILD]
import fnmatch
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
build = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
problems = []


def declared(header, prefix):
    """The functions that a header declares, and those that it defines."""
    text = subprocess.run(
        ["clang-22", "-E", "-P", "-x", "c++", f"-I{root}/include", "-"],
        input=f"#include <{header}>\n", capture_output=True, text=True, check=True).stdout
    text = re.sub(r"\s+", " ", text)
    names = set(re.findall(r"\b(%s[A-Z_]\w*) ?\([^()]*(?:\([^()]*\)[^()]*)*\) ?;" % prefix, text))
    return names, set(re.findall(r"static inline [\w ]*?\b(%s[A-Z_]\w*) ?\(" % prefix, text))


def refused():
    """The functions that tables refuse."""
    names = set()
    for table in (root / "include/unwarp/refused").glob("*.def"):
        text = subprocess.run(["clang-22", "-E", "-P", "-x", "c", "-DUW_REFUSED(name, first)=name", str(table)],
                              capture_output=True, text=True, check=True).stdout
        names |= set(text.split())
    return names


def stem(name):
    return re.sub(r"(_v2)?(_64)?$", "", name)


programs = {f"{path.parent.name}/{path.stem}" for path in (root / "tests/libraries").glob("*/*.cu")}
named, refuses = set(), refused()
sections = re.split(r"^## ", (root / "docs/libraries.md").read_text(), flags=re.M)[1:]
for section in sections:
    title = section.splitlines()[0]
    about = re.search(r"^Headers: (.*); library: `lib([\w-]+)`; functions: `(\w+)`", section, flags=re.M)
    if not about:  # headers alone
        named |= {word for word in re.findall(r"[\w-]+/[\w-]+", section) if word in programs}
        continue
    names, inline = set(), set()
    for header in re.findall(r"`([^`]+)`", about.group(1)):
        for into, found in zip((names, inline), declared(header, about.group(3))):
            into |= found
    stems = {stem(name) for name in names | inline if name not in refuses}
    row_of = {}
    for line in section.replace("\\*", "*").splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")] + ["", ""]
        if not line.startswith("| ") or line.startswith("| ---") or cells[1] == "state":
            continue
        if not re.fullmatch("works|partly|refused", cells[1]):
            problems.append(f"{title}, {cells[0]}: the state is works, partly or refused, not '{cells[1]}'")
        tests = {word for word in re.findall(r"[\w-]+/[\w-]+", cells[2]) if word in programs}
        named |= tests
        if cells[1] == "works" and not tests:
            problems.append(f"{title}, {cells[0]}: works, but names no program of tests/libraries")
        for pattern in re.findall(r"`([^`]*)`", cells[0]):
            found = set(fnmatch.filter(stems | refuses if cells[1] == "refused" else stems, pattern))
            if not found:
                problems.append(f"{title}: no header declares `{pattern}`")
            for name in found:
                if row_of.setdefault(name, cells[0]) != cells[0]:
                    problems.append(f"{title}: `{name}` is in two rows: {row_of[name]} and {cells[0]}")
    for name in sorted(stems - set(row_of)):
        problems.append(f"{title}: `{name}` is in no row")
    if build:
        library = build / "lib" / f"lib{about.group(2)}.so"
        versions = sorted(library.parent.glob(f"{library.name}.*"))
        if not library.is_symlink() and versions:  # the plain name may be a linker script
            library = versions[0]
        if not library.exists():
            problems.append(f"{title}: {library} was not built")
            continue
        listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True,
                                text=True, check=True).stdout
        exported = {name.split("@")[0] for name in listed.split()}
        for name in sorted(names - inline - exported):
            problems.append(f"{title}: {library.name} lacks {name}")
        listed = root / "tests/docs/names" / f"{about.group(2)}.txt"
        documented = listed.read_text().split() if listed.exists() else []
        there = {stem(name) for name in exported}
        for name in documented:
            if stem(name) not in there | {stem(own) for own in inline}:
                problems.append(f"{title}: {library.name} lacks {name}, which NVIDIA documents")
for name in sorted(programs - named):
    problems.append(f"tests/libraries/{name}.cu is in no row of docs/libraries.md")

print("\n".join(f"docs/libraries.md, {problem}" for problem in problems), end="\n" if problems else "")
sys.exit(bool(problems))
