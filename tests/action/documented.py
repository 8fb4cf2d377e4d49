#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/ci.md and README.md show of CI, for a shell to run: documented.py FILE github|gitlab|shell [N]

github: the inputs of the first step that uses the action, a NAME=VALUE a line; fails where the file is no workflow or the action has no
such input. gitlab: the commands of the job's script, and of its before_script those that do not install. shell: the last block of sh.
"""
import re
import sys

import yaml

path, form = sys.argv[1:3]
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", open(path).read(), re.M | re.S)
if form == "shell":
    print([text for kind, text in blocks if kind == "sh"][-1])
    sys.exit()
for kind, text in blocks:
    if kind != "yaml":
        continue
    document = yaml.safe_load(text)
    if form == "github" and isinstance(document, dict) and "jobs" in document:
        (job,) = document["jobs"].values()
        step = next(step for step in job["steps"] if re.fullmatch(r"[\w-]+/unwarp@[\w.]+", step.get("uses", "")))
        known = yaml.safe_load(open("action.yml"))["inputs"]
        for name, value in step.get("with", {}).items():
            assert name in known, name
            if name != "wheel":
                print(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
        sys.exit()
    if form == "gitlab" and isinstance(document, dict) and "test" in document:
        job = document["test"]
        print("\n".join(line for line in job["before_script"] + job["script"] if not re.match("apt-get|pip ", line)))
        sys.exit()
sys.exit(f"{path}: shows none of {form}")
