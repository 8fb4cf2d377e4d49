#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is it as docs/schemas says? validate.py SCHEMA FILE [LEAST]: a document; of SCHEMA:lines each line, and there are LEAST or more.

Also that the schema is one, and that it refuses the document without a key that it wants, of which each has some.
"""
import json
import sys

import jsonschema

schema_path, _, form = sys.argv[1].partition(":")
with open(schema_path) as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
with open(sys.argv[2]) as file:
    text = file.read()
documents = [json.loads(line) for line in text.splitlines()] if form == "lines" else [json.loads(text)]
if len(documents) < int(sys.argv[3] if len(sys.argv) > 3 else 1):
    sys.exit(f"{sys.argv[2]}: {len(documents)} documents")
for document in documents:
    for error in validator.iter_errors(document):
        sys.exit(f"{sys.argv[2]}: {error.json_path}: {error.message}")
spoiled = json.loads(json.dumps(documents[0]))
part = spoiled[0] if isinstance(spoiled, list) else spoiled
del part[next(key for key in ("version", "class", "pass", "ph") if key in part)]
if validator.is_valid(spoiled):
    sys.exit(f"{schema_path}: takes anything")
