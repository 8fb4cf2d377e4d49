#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs random kernels (barriers.py) for the seeds FIRST to LAST. A program that does not compile, fails or hangs is kept
# in FOLDER, and its seed is printed. Every other program leaves a pass out.
#
#   tests/fuzz/run.sh BUILD_DIR FIRST LAST [FOLDER]
set -u
[ $# -ge 3 ] || { sed -n '4,8p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) build=$1 folder=${4:-$(mktemp -d)} failed=0
skip=(--skip=mincut --skip=simplify --skip=raise-for --skip=straighten)
mkdir -p "$folder"
for seed in $(seq "$2" "$3"); do
  program=$folder/$seed
  python3 "$here/barriers.py" "$seed" > "$program.cu"
  flags=(-O1 -std=c++20)
  [ $((seed % 2)) -eq 0 ] && flags+=("${skip[seed / 2 % 4]}")
  if ! timeout 300 "$build/bin/unwarp" "${flags[@]}" "$program.cu" -o "$program" > "$program.log" 2>&1; then
    echo "seed $seed does not compile (${flags[*]}): $program.log"
    failed=1
  elif ! OMP_NUM_THREADS=2 timeout 120 "$program" > "$program.log" 2>&1; then
    echo "seed $seed fails (${flags[*]}): $(head -1 "$program.log")"
    failed=1
  else
    rm -f "$program" "$program.cu" "$program.log"
  fi
done
exit $failed
