#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unpacks an OCI archive's layers, one over the other, and prints its variables: unpack.py ARCHIVE FOLDER"""
import gzip
import hashlib
import json
import os
import shutil
import sys
import tarfile

archive = tarfile.open(sys.argv[1])
folder = sys.argv[2]


def blob(descriptor):
    data = archive.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()
    assert len(data) == descriptor["size"] and "sha256:" + hashlib.sha256(data).hexdigest() == descriptor["digest"]
    return data


assert json.load(archive.extractfile("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
manifest = json.loads(blob(json.load(archive.extractfile("index.json"))["manifests"][0]))
config = json.loads(blob(manifest["config"]))
for descriptor, identity in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
    data = gzip.decompress(blob(descriptor))
    assert "sha256:" + hashlib.sha256(data).hexdigest() == identity
    with open(os.path.join(folder, ".layer"), "wb") as file:
        file.write(data)
    with tarfile.open(os.path.join(folder, ".layer")) as layer:
        for member in layer:
            name = os.path.basename(member.name)
            path = os.path.join(folder, os.path.dirname(member.name), name.removeprefix(".wh."))
            if os.path.lexists(path) and not (os.path.isdir(path) and not os.path.islink(path) and member.isdir()):
                shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
            if not name.startswith(".wh."):
                layer.extract(member, folder, numeric_owner=True)
    os.unlink(os.path.join(folder, ".layer"))
print("\n".join(config["config"]["Env"]))
