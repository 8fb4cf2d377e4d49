#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a notebook's cells by IPython and prints what each shows: run.py FILE.ipynb"""
import json
import sys

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

shell = InteractiveShell.instance()
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] != "code":
        continue
    with capture_output() as shown:
        result = shell.run_cell("".join(cell["source"]))
    print(f"## {cell['source'][0].strip()}: {'good' if result.success else result.error_in_exec}")
    print(shown.stdout, shown.stderr, sep="")
    for output in shown.outputs:
        print(output.data["text/plain"])
        print(output.data["text/html"])
