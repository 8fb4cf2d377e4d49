#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Damaged fat binaries, objects, images and PTX for what reads them in a user's process (hostile.cpp), for the seeds FIRST to LAST, under the
# address and undefined-behaviour sanitizers.
#
#   tests/fuzz/hostile.sh BUILD_DIR FIRST LAST
set -u
[ $# -ge 3 ] || { sed -n '7p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) work=$1/tests/fuzz
jit=$here/../../libraries/jit
mkdir -p "$work"
flags=(-g -O1 -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=all)
for part in fat pieces link compiler cache leftovers; do
  clang-22 -std=gnu17 "${flags[@]}" -c "$jit/$part.c" -o "$work/hostile-$part.o" || exit 1
done
clang++-22 -std=c++17 "${flags[@]}" "$here/hostile.cpp" "$work"/hostile-*.o -ldl -o "$work/hostile" || exit 1
if ! timeout 3000 "$work/hostile" "$2" "$3" "$here"/../ptx/*.ptx > "$work/hostile.log" 2>&1; then
  tail -c 3000 "$work/hostile.log" | tr '\r' '\n'
  echo "hostile.sh: the last number is the seed"
  exit 1
fi
tail -1 "$work/hostile.log"
