# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes compile_commands.json of the commands that make prints: one entry for each C or C++ file that is compiled.

usage: make --always-make --dry-run all | compile-commands.py > compile_commands.json
"""
import json
import os
import shlex
import sys

entries = []
for line in sys.stdin:
    try:
        words = shlex.split(line)
    except ValueError:  # a line of a script
        continue
    if "-c" not in words or "-o" not in words or "clang" not in os.path.basename(words[0]):
        continue
    sources = [word for word in words if word.endswith((".c", ".cpp"))]
    if len(sources) == 1:
        entries.append({"directory": os.getcwd(), "arguments": words, "file": sources[0]})
json.dump(entries, sys.stdout, indent=1)
print()
