#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs random programs that check themselves, for the seeds FIRST to LAST: kernels with barriers (barriers.py), of which every
# other one leaves a pass out; or, with --lanes, kernels that count on lanes in step (lanes.py), at four levels of optimisation and
# for three of x86-64. A program that does not compile, fails or hangs is kept in FOLDER, and its seed is printed.
#
#   tests/fuzz/run.sh [--lanes] BUILD_DIR FIRST LAST [FOLDER]
set -u
kind=barriers
[ "${1:-}" != --lanes ] || { kind=lanes; shift; }
[ $# -ge 3 ] || { sed -n '4,8p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) build=$1 folder=${4:-$(mktemp -d)} failed=0
skip=(-cpuify=distribute --skip=simplify --skip=while-to-for --skip=normalize-while)
levels=(native x86-64-v3 x86-64)
"$here/../../scripts/cpu-levels.sh" | grep -qx x86-64-v3 || levels=(native)
mkdir -p "$folder"

flags_of() {
  case $kind in
  barriers)
    flags=(-O1 -std=c++20)
    [ $((seed % 2)) -eq 0 ] && flags+=("${skip[seed / 2 % 4]}")
    ;;
  lanes) flags=("-O$((seed % 4))" "-march=${levels[seed % ${#levels[@]}]}" -w -I "$here/../run") ;;
  esac
}

for seed in $(seq "$2" "$3"); do
  program=$folder/$seed
  python3 "$here/$kind.py" "$seed" > "$program.cu"
  flags_of
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
