#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The image of the Dockerfile beside this file, as an OCI archive, without a daemon: image.py WHEEL OUT.tar FOLDER

As root, by debootstrap, from $UW_MIRROR or Debian's own; $UW_DEBIAN, a folder that it has made with the packages before, saves that. FOLDER/root is the image's root, which stays. Two layers: Debian with
packages, and unwarp. docker load, podman load and skopeo copy oci-archive:OUT.tar take it.
"""
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
MADE_ANEW = ("dev", "proc", "sys", "run", "tmp")  # by whoever runs a container


def run(*command):
    subprocess.run(command, check=True)


def snapshot(root):
    """Each path with what tells whether it has changed."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            is_folder = os.path.isdir(path) and not os.path.islink(path)
            found[os.path.relpath(path, root)] = (status.st_mode, status.st_uid, status.st_gid) if is_folder else (
                status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if folder == root:
            folders[:] = [name for name in folders if name not in MADE_ANEW]
    return found


def layer(root, before, after, path):
    """A layer of what is new or other; gives the digest of what is in it."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(after):
            if before.get(name) != after[name]:
                archive.add(os.path.join(root, name), name, recursive=False)
        for name in sorted(set(before) - set(after)):
            if os.path.dirname(name) in after or not os.path.dirname(name):
                archive.addfile(tarfile.TarInfo(os.path.join(os.path.dirname(name), ".wh." + os.path.basename(name))), io.BytesIO())
    return digest(path)


def digest(path):
    total = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            total.update(piece)
    return total.hexdigest()


def blob(folder, data_or_path):
    """Puts it under its digest; gives the descriptor's part of it."""
    path = data_or_path
    if isinstance(data_or_path, bytes):
        path = os.path.join(folder, "part")
        with open(path, "wb") as file:
            file.write(data_or_path)
    name = digest(path)
    out = os.path.join(folder, "blobs", "sha256", name)
    os.replace(path, out)
    return {"digest": "sha256:" + name, "size": os.path.getsize(out)}


def main(wheel, out, folder):
    root, layout = os.path.join(folder, "root"), os.path.join(folder, "layout")
    for old in (root, layout):
        shutil.rmtree(old, ignore_errors=True)
    os.makedirs(os.path.join(layout, "blobs", "sha256"))
    with open(os.path.join(HERE, "packages")) as file:
        packages = ",".join(file.read().split())
    if os.environ.get("UW_DEBIAN"):
        run("cp", "-a", os.environ["UW_DEBIAN"], root)
    else:
        run("debootstrap", "--variant=minbase", "--include=" + packages, "bookworm", root, os.environ.get("UW_MIRROR", "http://deb.debian.org/debian"))
    # Pages that Debian's slim image leaves out, too, and what apt can fetch again.
    for place in ("usr/share/man", "usr/share/locale", "usr/share/info", "var/cache/apt/archives", "var/lib/apt/lists"):
        for name in os.listdir(os.path.join(root, place)):
            path = os.path.join(root, place, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    layers, identities = [], []

    def add_layer(before, after):
        path = os.path.join(layout, "part.tar")
        identities.append("sha256:" + layer(root, before, after, path))
        with open(path, "rb") as file, open(path + ".gz", "wb") as packed, gzip.GzipFile("", "wb", 1, packed, 0) as archive:
            shutil.copyfileobj(file, archive, 1 << 20)
        os.unlink(path)
        layers.append({"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", **blob(layout, path + ".gz")})

    debian = snapshot(root)
    add_layer({}, debian)
    inside = os.path.join(root, "opt", "setup")
    os.makedirs(inside)
    shutil.copy(wheel, inside)
    shutil.copy(os.path.join(HERE, "setup.sh"), inside)
    # Programs ask /proc for their own path; the mount is gone with the command.
    run("unshare", "-m", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', root, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "PYTHONDONTWRITEBYTECODE=1", "sh", "/opt/setup/setup.sh")
    shutil.rmtree(inside)
    add_layer(debian, snapshot(root))
    with open(os.path.join(HERE, "Dockerfile")) as file:
        variables = re.findall(r"^ENV (\w+=\S+)$", file.read(), re.M)
    config = {"architecture": "amd64", "os": "linux", "config": {"Env": variables, "Cmd": ["bash"]},
              "rootfs": {"type": "layers", "diff_ids": identities}}
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": {"mediaType": "application/vnd.oci.image.config.v1+json", **blob(layout, json.dumps(config).encode())}, "layers": layers}
    index = {"schemaVersion": 2, "manifests": [{"mediaType": manifest["mediaType"], **blob(layout, json.dumps(manifest).encode()),
             "annotations": {"org.opencontainers.image.ref.name": "latest", "io.containerd.image.name": "docker.io/library/unwarp:latest"}}]}
    with open(os.path.join(layout, "index.json"), "w") as file:
        json.dump(index, file)
    with open(os.path.join(layout, "oci-layout"), "w") as file:
        json.dump({"imageLayoutVersion": "1.0.0"}, file)
    with tarfile.open(out + ".part", "w") as archive:
        for name in ("oci-layout", "index.json", "blobs"):
            archive.add(os.path.join(layout, name), name)
    os.replace(out + ".part", out)
    shutil.rmtree(layout)
    print(f"{out}: {os.path.getsize(out) / 1e6:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
