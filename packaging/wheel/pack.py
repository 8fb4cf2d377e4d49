#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs a tree as a wheel: pack.py TREE NAME VERSION TAG OUT_FOLDER

TREE holds what the wheel holds: packages, NAME-VERSION.data and NAME-VERSION.dist-info with METADATA; WHEEL and RECORD are
made here. The same tree gives the same bytes: entries are sorted, have one of two modes and the time SOURCE_DATE_EPOCH (1980,
the first that there is, without it).
"""
import base64
import hashlib
import os
import sys
import time
import zipfile

FIRST_TIME = (1980, 1, 1, 0, 0, 0)


def files_of(tree):
    """Paths from tree on, sorted; its folders are not entries of their own."""
    found = []
    for folder, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                raise SystemExit(f"pack: '{path}' is a link, which a wheel cannot have")
            found.append(os.path.relpath(path, tree))
    for folder, names, _ in os.walk(tree):
        for name in names:
            if os.path.islink(os.path.join(folder, name)):
                raise SystemExit(f"pack: '{os.path.join(folder, name)}' is a link, which a wheel cannot have")
    return sorted(found)


def entry_time():
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return max(time.gmtime(int(epoch))[:6], FIRST_TIME) if epoch else FIRST_TIME


def pack(tree, name, version, tag, out_folder):
    info = f"{name}-{version}.dist-info"
    out = os.path.join(out_folder, f"{name}-{version}-{tag}.whl")
    when, record = entry_time(), []
    os.makedirs(out_folder, exist_ok=True)
    with zipfile.ZipFile(out + ".part", "w") as archive:

        def add(path, data, executable=False):
            entry = zipfile.ZipInfo(path, when)
            entry.create_system = 3  # Unix, whose modes these are
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{quoted(path)},sha256={digest},{len(data)}")

        def quoted(path):
            return '"' + path.replace('"', '""') + '"' if "," in path or '"' in path else path

        paths = files_of(tree)
        if {top for top in (path.split("/")[0] for path in paths) if top.endswith(".dist-info")} != {info} or f"{info}/METADATA" not in paths:
            raise SystemExit(f"pack: '{tree}' wants one {info}, with METADATA in it")
        # What pip reads first stands last, as the format advises.
        for path in sorted(paths, key=lambda path: path.startswith(info)):
            with open(os.path.join(tree, path), "rb") as file:
                add(path, file.read(), os.access(os.path.join(tree, path), os.X_OK))
        wheel = f"Wheel-Version: 1.0\nGenerator: unwarp packaging/wheel\nRoot-Is-Purelib: false\nTag: {tag}\n"
        add(f"{info}/WHEEL", wheel.encode())
        record.append(f"{info}/RECORD,,")
        entry = zipfile.ZipInfo(f"{info}/RECORD", when)
        entry.create_system = 3
        entry.external_attr = 0o100644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, "\n".join(record) + "\n", compresslevel=9)
    os.replace(out + ".part", out)
    return out


if __name__ == "__main__":
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    print(pack(*sys.argv[1:]))
