#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a composite action's steps as GitHub's runner does: runner.py ACTION_FOLDER WORKSPACE TEMPORARY NAME=VALUE...

NAME=VALUE are its inputs. Each `run` goes through bash with GITHUB_ENV, GITHUB_PATH and GITHUB_OUTPUT, whose lines later steps
have; `if` and ${{ }} are evaluated; `uses` is shown with what it would be given. Status 1 if a step failed.
"""
import os
import platform
import re
import subprocess
import sys

import yaml

action_folder, workspace, temporary = map(os.path.abspath, sys.argv[1:4])
given = dict(argument.split("=", 1) for argument in sys.argv[4:])
with open(os.path.join(action_folder, "action.yml")) as file:
    action = yaml.safe_load(file)
unknown = set(given) - set(action["inputs"])
if unknown:
    sys.exit(f"runner: the action has no input {unknown}")
context = {
    "inputs": {name: given.get(name, row.get("default", "")) for name, row in action["inputs"].items()},
    "runner": {"os": "Linux", "arch": {"x86_64": "X64"}.get(platform.machine(), platform.machine())},
    "github": {"run_id": "1"},
    "steps": {},
}
failed = False


def value(path):
    found = context
    for part in path.split("."):
        found = found.get(part, "") if isinstance(found, dict) else ""
    return found


def evaluate(expression):
    """`inputs.check == 'true' && always()` and the like."""
    tokens = re.findall(r"'[^']*'|&&|\|\||[!=]=|!|[()]|[\w.-]+", expression)
    words = {"&&": " and ", "||": " or ", "!": " not "}
    text, i = "", 0
    while i < len(tokens):
        token = tokens[i]
        if tokens[i + 1 : i + 3] == ["(", ")"]:
            text += repr({"always": True, "success": not failed, "failure": failed}[token])
            i += 2
        elif token in words or token in ("==", "!=", "(", ")") or token[0] == "'":
            text += words.get(token, token)
        else:
            text += repr(value(token))
        i += 1
    return eval(text)


def filled(text):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(evaluate(match[1].strip())), str(text))


def pairs(path):
    """NAME=VALUE, or NAME<<END … END."""
    lines = iter(open(path).read().splitlines())
    for line in lines:
        name, separator, rest = line.partition("=")
        if "<<" in name or not separator:
            name, end = line.split("<<")
            rest = "\n".join(iter(lambda: next(lines), end))
        yield name, rest


environment = {**os.environ, "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": action_folder, "GITHUB_WORKSPACE": workspace,
               "RUNNER_TEMP": temporary}
for number, step in enumerate(action["runs"]["steps"]):
    condition = str(step.get("if", "success()"))
    if not evaluate(condition if re.search(r"(always|failure|success)\(\)", condition) else f"success() && ({condition})"):
        print(f"## step {number}: left out ({condition})")
        continue
    if "uses" in step:
        print(f"## step {number}: {step['uses']} with {({k: filled(v) for k, v in step['with'].items()})}")
        continue
    if step["shell"] != "bash":
        sys.exit("runner: composite steps name bash as their shell")
    files = {name: os.path.join(temporary, f"{name}.{number}") for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")}
    for path in files.values():
        open(path, "w").close()
    own = {name: filled(text) for name, text in step.get("env", {}).items()}
    print(f"## step {number}: {step['run']}", flush=True)
    status = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])], cwd=workspace,
                            env={**environment, **files, **own}, stderr=subprocess.STDOUT).returncode
    print(f"## status {status}", flush=True)
    failed = failed or status != 0
    environment.update(pairs(files["GITHUB_ENV"]))
    for folder in open(files["GITHUB_PATH"]).read().splitlines():
        environment["PATH"] = folder + os.pathsep + environment["PATH"]
    if "id" in step:
        context["steps"][step["id"]] = {"outputs": dict(pairs(files["GITHUB_OUTPUT"]))}
for name, row in action.get("outputs", {}).items():
    print(f"## output {name}: {filled(row['value'])}")
print("## red" if failed else "## green")
sys.exit(failed)
