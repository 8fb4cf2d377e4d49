#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What operations of SIMD lanes take on this machine, for each level of x86-64 that it has: what the costs of
# compiler/analysis/cost.c are made of (docs/costs.md). Units are one simple operation (an addition or the like) of one lane alone.
#
#   scripts/calibrate.sh [LEVEL…]      LEVEL: x86-64-v2, x86-64-v3, x86-64-v4 (all of them where none is named)

set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
levels=("$@")
[ $# -gt 0 ] || levels=(x86-64-v2 x86-64-v3 x86-64-v4)

sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo
for level in "${levels[@]}"; do
  # Registers of 64 bytes, where there are any, as the compiler uses them.
  "${CC:-clang-22}" -O3 "-march=$level" -mprefer-vector-width=512 -fno-math-errno -fveclib=libmvec -Wno-psabi \
    "$here/calibrate/kernels.c" -o "$folder/$level" -lmvec -lm
  echo
  echo "$level"
  "$folder/$level" || echo "this CPU does not have it"
done
