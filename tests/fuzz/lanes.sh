#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs random programs whose warps count on lanes in step (lanes.py) for the seeds FIRST to LAST, each at one
# of four levels of optimisation and for one of three of x86-64. A program that does not compile, fails or hangs is kept
# in FOLDER, and its seed is printed.
#
#   tests/fuzz/lanes.sh BUILD_DIR FIRST LAST [FOLDER]
set -u
[ $# -ge 3 ] || { sed -n '4,8p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) build=$1 folder=${4:-$(mktemp -d)} failed=0
levels=(native x86-64-v3 x86-64)
grep -qw avx2 /proc/cpuinfo || levels=(native)
mkdir -p "$folder"
for seed in $(seq "$2" "$3"); do
  program=$folder/$seed
  flags=("-O$((seed % 4))" "-march=${levels[seed % ${#levels[@]}]}")
  python3 "$here/lanes.py" "$seed" > "$program.cu"
  if ! timeout 300 "$build/bin/unwarp" "${flags[@]}" -w -I "$here/../run" "$program.cu" -o "$program" > "$program.log" 2>&1; then
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
