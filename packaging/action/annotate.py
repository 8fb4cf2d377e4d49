#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The action's last step (action.yml): what the checker found becomes annotations on lines of the repository.

Reads $UNWARP_ACTION_FOUND, lines of JSON (docs/schemas/checker.json). Ends with 1 if there is one, so that a test that lost its
program's status does not hide it.
"""
import json
import os
import re
import subprocess
import sys

WORKSPACE = os.path.realpath(os.environ.get("GITHUB_WORKSPACE", "."))


def escaped(text, is_property=False):
    for letter in "%\r\n" + (":," if is_property else ""):
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def files_of_repository():
    listed = subprocess.run(["git", "-C", WORKSPACE, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split("\0")
    return [os.path.relpath(os.path.join(folder, name), WORKSPACE) for folder, _, names in os.walk(WORKSPACE) for name in names]


def in_repository(path, files=[]):
    """The file by its path in the repository. A compile in one of its folders names it from there on."""
    whole = os.path.realpath(os.path.join(WORKSPACE, path))
    if whole.startswith(WORKSPACE + os.sep) and os.path.exists(whole):
        return os.path.relpath(whole, WORKSPACE)
    if os.path.isabs(path):
        return None
    files.extend([] if files else files_of_repository())
    end = re.sub(r"^(\.\.?/)*", "", path)
    fitting = [name for name in files if name == end or name.endswith("/" + end)]
    return fitting[0] if len(fitting) == 1 else None


def places(finding):
    """What it says of where, the innermost first: "file.cu:7", "file.cu:9 (main)"."""
    access = finding.get("access", {})
    text = access.get("place") or finding.get("place") or ""
    return access.get("places") or re.split(", called from ", text)


def annotation(finding):
    where = {}
    for place in places(finding):
        match = re.match(r"(.*?):(\d+)( \(|$)", place)
        file = match and in_repository(match[1])
        if file:
            where = {"file": file, "line": match[2]}
            break
    lines = [finding["message"]]
    for key in ("access", "other"):
        part = finding.get(key)
        if part:
            thread = "".join(f", {name} ({','.join(map(str, part[name]))})" for name in ("block", "thread") if name in part)
            kernel = f" in {part['kernel']}" if "kernel" in part else ""
            at = part.get("place") or ", called from ".join(part["places"])
            lines.append(f"{part['what']}{kernel}{thread}{' at ' + at if at else ''}")
    lines += [f"{key} at {finding[key]}" for key in ("allocated", "freed") if key in finding]
    where["title"] = f"unwarp: {finding['class']}"
    properties = ",".join(f"{name}={escaped(value, True)}" for name, value in where.items())
    return f"::{'warning' if finding['class'] == 'leak' else 'error'} {properties}::{escaped(chr(10).join(lines))}"


def main():
    path = os.environ.get("UNWARP_ACTION_FOUND")
    if not path:
        sys.exit("annotate: UNWARP_ACTION_FOUND is not set: the action's first step was without check: true")
    said = []
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                text = annotation(json.loads(line))
                if text not in said:
                    said.append(text)
                    print(text)
    print(f"unwarp -fcheck: {len(said) or 'no'} mistake{'' if len(said) == 1 else 's'}")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
