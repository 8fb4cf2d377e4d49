#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Inside of the image: unwarp from the wheel beside this file, at the names that NVIDIA's image has. docker build and
# image.py call it.
set -eu
here=$(dirname "$0")
python3 -m pip install --no-index --no-deps --no-cache-dir --break-system-packages "$here"/unwarp-*.whl
kit=$(python3 -c 'import unwarp; print(unwarp.cuda_home())')
version=$("$kit/bin/nvcc" -dumpversion)
for name in cuda "cuda-${version%%.*}" "cuda-${version%.*}"; do
  ln -sfn "$kit" "/usr/local/$name"
done
# A wheel has no links.
mkdir -p "$kit/lib"
for path in "$kit"/lib64/*; do
  [ -e "$kit/lib/${path##*/}" ] || ln -s "../lib64/${path##*/}" "$kit/lib/"
done
mkdir -p "$kit/targets/x86_64-linux"
ln -sfn ../../include "$kit/targets/x86_64-linux/include"
ln -sfn ../../lib64 "$kit/targets/x86_64-linux/lib"
echo /usr/local/cuda/lib64 >/etc/ld.so.conf.d/unwarp.conf
ldconfig 2>/dev/null # which says of linker scripts that they are none of its files
