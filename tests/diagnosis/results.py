#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of a SARIF document as text: results.py FILE"""
import json
import sys
import urllib.parse


def place(location):
    physical = location.get("physicalLocation")
    if not physical:
        return ""
    region = physical.get("region", {})
    numbers = [str(region[key]) for key in ("startLine", "startColumn") if key in region]
    return ":".join([repr(urllib.parse.unquote(physical["artifactLocation"]["uri"]))] + numbers)


run = json.load(open(sys.argv[1]))["runs"][0]
for invocation in run.get("invocations", []):
    print("successful", invocation["executionSuccessful"], "exit", invocation["exitCode"])
    for notification in invocation["toolExecutionNotifications"]:
        print("notification", notification["message"]["text"])
for result in run["results"]:
    where = ", ".join(map(place, result["locations"]))
    print(f"{result['level']} [{result['ruleId']}] {where}: {result['message']['text']}".replace("\n", " / "))
    for location in result["relatedLocations"]:
        print(f"  {place(location)}: {location['message']['text']}")
