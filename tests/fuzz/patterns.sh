#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles random programs of common shapes (patterns.py) for the seeds FIRST to LAST, once with every optional pass at -O3 and once at
# -O0 without any, and compares what they print, at 1, 2 and 7 threads. Two seeds of four are for this processor (-march=native), one for
# x86-64-v3, one for the first x86-64. A program that differs, fails or does not compile is kept in FOLDER, and its seed is printed. Sums
# are not fused: with -march the compiler may fuse others.
#
#   tests/fuzz/patterns.sh BUILD_DIR FIRST LAST [FOLDER]
set -u
[ $# -ge 3 ] || { sed -n '4,9p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) build=$1 folder=${4:-$(mktemp -d)} failed=0
read -ra plain < <("$build/bin/unwarp-opt" --optional | sed 's/^/--skip=/' | tr '\n' ' ')
mkdir -p "$folder"
third=$("$here/../../scripts/cpu-levels.sh" | grep -x x86-64-v3) || third=native # where there is no other
machines=(-march=native -march=native "-march=$third" -march=x86-64)
for seed in $(seq "$2" "$3"); do
  program=$folder/$seed
  python3 "$here/patterns.py" "$seed" >"$program.cu"
  wrong=
  timeout 300 "$build/bin/unwarp" -fmad=false -O0 "${plain[@]}" "$program.cu" -o "$program.plain" >"$program.log" 2>&1 &&
    timeout 300 "$build/bin/unwarp" -fmad=false -O3 "${machines[seed % 4]}" "$program.cu" -o "$program" >"$program.log" 2>&1 ||
    wrong="does not compile: $program.log"
  [ -n "$wrong" ] || OMP_NUM_THREADS=1 timeout 120 "$program.plain" >"$program.want" 2>&1 || wrong="fails without passes"
  for threads in 1 2 7; do
    [ -z "$wrong" ] || break
    OMP_NUM_THREADS=$threads timeout 120 "$program" >"$program.got" 2>&1 || wrong="fails with $threads threads (status $?)"
    [ -n "$wrong" ] || cmp -s "$program.want" "$program.got" || wrong="differs with $threads threads"
  done
  if [ -n "$wrong" ]; then
    echo "seed $seed $wrong ($program.cu)"
    failed=1
  else
    rm -f "$program".* "$program"
  fi
done
exit $failed
