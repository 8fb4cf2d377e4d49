#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make check-image: makes the image, unpacks the archive's layers as a container engine does, and builds a Makefile project, which
# names /usr/local/cuda, in that root, with the image's variables. As root, with debootstrap.
#
#   tests/image/run.sh DIST BUILD
set -euo pipefail
dist=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
  echo "SKIP check-image: it wants root and debootstrap"
  exit 0
fi
work=$build/tests/image
rm -rf "$work" && mkdir -p "$work/unpacked"
packaging/image/image.py "$(echo "$dist"/unwarp-[0-9]*.whl)" "$work/unwarp.tar" "$work/made" >"$work/log" 2>&1 || { tail -n 20 "$work/log" && exit 1; }
tail -n 1 "$work/log"
rm -rf "$work/made"
tests/image/unpack.py "$work/unwarp.tar" "$work/unpacked" >"$work/environment"
root=$work/unpacked
mkdir -p "$root/srv" && cp -r tests/image/project "$root/srv/"
in_root() {
  mapfile -t variables <"$work/environment"
  unshare -m sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" /usr/bin/env -i "${variables[@]}" HOME=/root "$@"
}
mkdir -p "$root"/{dev,proc,sys,tmp} && mknod -m 666 "$root/dev/null" c 1 3
in_root make -C /srv/project
in_root /srv/project/program
in_root sh -c 'cd /srv && nvcc --version && test -e $CUDA_HOME/lib/libcudart.so && test -d /usr/local/cuda-12.4/include'
in_root python3 -c 'import unwarp; print(unwarp.cuda_home())'
rm -rf "$work/unpacked"
echo "PASS check-image"
