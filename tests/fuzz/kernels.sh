#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs random programs (kernels.py, with --sycl sycl.py) for the seeds FIRST to LAST: with all passes, mostly for this processor and
# sometimes for another level of x86-64, and without one pass, or (one of four) at -O0 without any. Of kernels.py the programs of eight seeds in a row, from a
# multiple of eight on, are compiled as one, in the same way. A program that does not compile, fails or hangs is kept in FOLDER, and its seed is
# printed, with the way to reduce it. At the end: how many ran, how many differed.
#
#   tests/fuzz/kernels.sh [--sycl] BUILD_DIR FIRST LAST [FOLDER]
#   tests/fuzz/kernels.sh [--sycl] BUILD_DIR --one PROGRAM.cu SEED       one program as for that seed: exit status 0 if it is right
set -u
generator=kernels kind=cu together=8 language=(-fmad=false -Xcompiler -ffp-contract=off)
[ "${1:-}" != --sycl ] || { generator=sycl kind=cpp together=1 language=(-fsycl -ffp-contract=off); shift; }
[ $# -ge 3 ] || { sed -n '4,11p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) build=$1
read -ra passes < <("$build/bin/unwarp-opt" --optional | tr '\n' ' ')
third=$("$here/../../scripts/cpu-levels.sh" | grep -x x86-64-v3) || third=native # where there is no other
levels=(-march=native -march=native "-march=$third" -march=native -march=x86-64)

# Compiles and runs PROGRAM as SEED says; what went wrong stands in `wrong`.
try() {
  local program=$1 way=$(($2 / together)) flags=(-std=c++17 "${language[@]}" -I"$here")
  if [ $((way % 4)) -eq 3 ]; then
    flags+=(-O0 "${passes[@]/#/--skip=}")
  else
    flags+=("-O$((way % 3 + 1))" "${levels[way % ${#levels[@]}]}")
    [ $((way % 4)) -eq 0 ] || flags+=("--skip=${passes[way / 4 % ${#passes[@]}]}")
  fi
  wrong=
  if ! timeout 1200 "$build/bin/unwarp" "${flags[@]}" "$program.$kind" -o "$program" >"$program.log" 2>&1; then
    wrong="does not compile: $(grep -m1 -E 'error|bug in unwarp|Assertion' "$program.log")"
  else
    OMP_NUM_THREADS=$((way % 3 + 1)) timeout 300 "$program" >"$program.log" 2>&1 || wrong="fails (status $?): $(head -1 "$program.log")"
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
check_one() {
  local seed=$1 program=$folder/$1
  python3 "$here/$generator.py" "$seed" >"$program.$kind"
  try "$program" "$seed"
  if [ -n "$wrong" ]; then
    echo "seed $seed $wrong ($program.$kind; python3 $here/reduce.py $([ $kind = cu ] || echo --sycl) $build $seed)"
    failed=$((failed + 1))
  else
    rm -f "$program" "$program.$kind" "$program.log"
  fi
}

for ((seed = first; seed <= last; seed = end + 1)); do
  end=$((seed / together * together + together - 1))
  [ $end -le "$last" ] || end=$last
  if [ $seed -eq $end ]; then
    check_one "$seed"
    continue
  fi
  program=$folder/$seed-$end before=$failed
  python3 "$here/$generator.py" "$seed" --to "$end" >"$program.$kind"
  try "$program" "$seed"
  whole=$wrong
  if [ -n "$whole" ]; then # which of them?
    for ((one = seed; one <= end; one++)); do check_one "$one"; done
    [ $failed -gt $before ] || { echo "seeds $seed to $end, together only: $whole ($program.$kind)"; failed=$((failed + 1)); continue; }
  fi
  rm -f "$program" "$program.$kind" "$program.log"
done
echo "$((last - first + 1)) programs, $failed differ or fail"
[ $failed -eq 0 ]
