#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs random programs (kernels.py, with --sycl sycl.py) for the seeds FIRST to LAST: every program with all passes for one of three levels of
# x86-64, and without one pass, or (one seed of four) at -O0 without any. A program that does not compile, fails or hangs is kept in
# FOLDER, and its seed is printed, with the way to reduce it. At the end: how many ran, how many differed.
#
#   tests/fuzz/kernels.sh [--sycl] BUILD_DIR FIRST LAST [FOLDER]
#   tests/fuzz/kernels.sh [--sycl] BUILD_DIR --one PROGRAM.cu SEED       one program as for that seed: exit status 0 if it is right
set -u
generator=kernels kind=cu language=(-fmad=false -Xcompiler -ffp-contract=off)
[ "${1:-}" != --sycl ] || { generator=sycl kind=cpp language=(-fsycl -ffp-contract=off); shift; }
[ $# -ge 3 ] || { sed -n '4,10p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) build=$1
read -ra passes < <("$build/bin/unwarp-opt" --optional | tr '\n' ' ')
levels=(-march=native -march=x86-64-v3 -march=x86-64)

# Compiles and runs PROGRAM as SEED says; what went wrong stands in `wrong`.
try() {
  local program=$1 seed=$2 flags=(-std=c++17 "${language[@]}" -I"$here")
  if [ $((seed % 4)) -eq 3 ]; then
    flags+=(-O0 "${passes[@]/#/--skip=}")
  else
    flags+=("-O$((seed % 3 + 1))" "${levels[seed % 3]}")
    [ $((seed % 4)) -eq 0 ] || flags+=("--skip=${passes[seed / 4 % ${#passes[@]}]}")
  fi
  wrong=
  if ! timeout 300 "$build/bin/unwarp" "${flags[@]}" "$program.$kind" -o "$program" >"$program.log" 2>&1; then
    wrong="does not compile: $(grep -m1 -E 'error|bug in unwarp|Assertion' "$program.log")"
  else
    OMP_NUM_THREADS=$((seed % 3 + 1)) timeout 60 "$program" >"$program.log" 2>&1 || wrong="fails (status $?): $(head -1 "$program.log")"
  fi
}

if [ "$2" = --one ]; then
  try "${3%.*}" "$4"
  [ -z "$wrong" ] || echo "$wrong"
  [ -z "$wrong" ]
  exit
fi

first=$2 last=$3 folder=${4:-$(mktemp -d)} failed=0
mkdir -p "$folder"
for seed in $(seq "$first" "$last"); do
  program=$folder/$seed
  python3 "$here/$generator.py" "$seed" >"$program.$kind"
  try "$program" "$seed"
  if [ -n "$wrong" ]; then
    echo "seed $seed $wrong ($program.$kind; python3 $here/reduce.py $([ $kind = cu ] || echo --sycl) $build $seed)"
    failed=$((failed + 1))
  else
    rm -f "$program" "$program.$kind" "$program.log"
  fi
done
echo "$((last - first + 1)) programs, $failed differ or fail"
[ $failed -eq 0 ]
