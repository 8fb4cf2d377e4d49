#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles each self-checking program once and runs it for block sizes 1, 32, 33, 256 and for 1, 2, 7 OpenMP threads.
#
#   tests/run/run.sh BUILD_DIR [--jobs N] [--keep] [--each-pass] [--every N] [pattern…]
#   tests/run/run.sh --nvcc NVCC [--jobs N] [--keep] [pattern…]
#
# --nvcc compiles with that nvcc in unwarp's place and runs on this machine's GPU: what the programs expect is what a GPU does.
# --each-pass compiles each program again without every optional pass that changes it, one at a time, and runs what came out
# different: whatever pass is left out, the results must stay right.
# --every N runs one program of N.
# A pattern is a shell pattern on the name (barrier-* or *scan*); without one all run. The environment says the rest:
# UW_FLAGS (flags for the compiler, -O2 if unset), UW_BLOCKS, UW_THREADS (lists of numbers; each with each, or UW_RUNS, a list of
# BLOCK:THREADS), UW_TIMEOUT (seconds, 60).
# A line '// flags: …' in a program adds flags for it, '// nvcc flags: …' those that only nvcc needs. '// levels: all': it is compiled for each
# level of x86-64 that this CPU has. Where nothing names a processor, one program of four is compiled for the three levels that are the
# default, the others for one of them in turn, which takes half the time; UW_LEVELS=default: all as the compiler does. A folder in multi/ is one program of several files.
# No program may call a vector function of the C library (_ZGV…) that needs more than what it was compiled for has.

set -u

here=$(cd "$(dirname "$0")" && pwd)
blocks=${UW_BLOCKS:-1 32 33 256}
threads=${UW_THREADS:-1 2 7}
runs=${UW_RUNS:-$(for block in $blocks; do for thread in $threads; do echo "$block:$thread"; done; done)}
limit=${UW_TIMEOUT:-60}
flags=${UW_FLAGS:--O2}
jobs=2
keep=
each=
every=1
nvcc=
build=
patterns=()

usage() {
  sed -n '4,21s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
  --jobs) [ $# -ge 2 ] || usage; jobs=$2; shift ;;
  --jobs=*) jobs=${1#*=} ;;
  --keep) keep=1 ;;
  --each-pass) each=1 ;;
  --every) [ $# -ge 2 ] || usage; every=$2; shift ;;
  --nvcc) [ $# -ge 2 ] || usage; nvcc=$2; shift ;;
  -h | --help | -*) usage ;;
  *) if [ -z "$build$nvcc" ]; then build=$1; else patterns+=("$1"); fi ;;
  esac
  shift
done
if [ -n "$nvcc" ]; then
  [ -z "$build$each" ] || usage
  compiler=$(command -v "$nvcc") || { echo "run.sh: no compiler $nvcc" >&2; exit 2; }
  runs=$(for block in $blocks; do echo "$block:1"; done)
  flags=${UW_FLAGS:--O2 -arch=native}
  export CUDA_MODULE_LOADING=EAGER # loading a kernel would wait for those that run, some of which wait for it
else
  [ -n "$build" ] || usage
  compiler=$build/bin/unwarp
  [ -x "$compiler" ] || { echo "run.sh: no compiler at $compiler: build it first (make)" >&2; exit 2; }
  compiler=$(cd "$(dirname "$compiler")" && pwd)/unwarp
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp-run.XXXXXX") || exit 2
if [ -n "$keep" ]; then echo "programs and outputs are kept in $scratch"; else trap 'rm -rf "$scratch"' EXIT; fi

selected() {
  [ ${#patterns[@]} -eq 0 ] && return 0
  local pattern
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053  # the right side is a pattern
    [[ $1 == $pattern ]] && return 0
  done
  return 1
}

# The levels of x86-64 that the CPU under test has, of those that differ in vectors.
levels() { "$here/../../scripts/cpu-levels.sh" | grep -vx x86-64-v2; }

# The first vector function that a program calls and that those flags do not allow: of AVX and AVX2 (c, d), of AVX-512 (e). What may
# call what where there are several levels: tests/driver/levels.test.
forbidden_vectors() {
  local program=$1 letters march="$* "
  case "$march" in *-march=native\ *) march="-march=${UNWARP_MARCH:-native} " ;; esac
  case "$march" in
  *-march=x86-64-v3\ *) letters=e ;;
  *-march=x86-64\ * | *-march=x86-64-v2\ *) letters=cde ;;
  *) return ;;
  esac
  grep -aom1 "_ZGV[$letters]N[0-9]*v*_[a-z0-9]*" "$program" | head -n1
}

# One program without one pass (or with all): compile, run in every combination, write the verdict to a file.
check_without() {
  local pass=$1 program=$work/program${1:+.$1} told=$name${level:+ for $level}${1:+ without $1} run block thread status vectors
  shift
  if ! timeout 300 "$compiler" "$@" ${pass:+"--skip=$pass"} -o "$program" >"$log" 2>&1; then
    echo "FAIL $told: does not compile: $(grep -m1 -E 'error|bug in unwarp|Assertion|undefined' "$log" ||
      head -n1 "$log")" >"$verdict"
    return 1
  fi
  vectors=$([ -n "$nvcc" ] || forbidden_vectors "$program" "$@")
  if [ -n "$vectors" ]; then
    echo "FAIL $told: calls $vectors, which the CPU that it is compiled for may not have" >"$verdict"
    return 1
  fi
  [ -z "$pass" ] || ! cmp -s "$program" "$work/program" || return 0
  for run in $runs; do
    block=${run%:*} thread=${run#*:}
    # Workers that wait do so asleep: with more of them than cores, spinning would cost minutes.
    UW_BLOCK=$block OMP_NUM_THREADS=$thread KMP_BLOCKTIME=${KMP_BLOCKTIME:-0} timeout "$limit" "$program" >"$log" 2>&1
    status=$?
    if [ $status -eq 0 ] && [ "$(tail -n1 "$log")" = ok ]; then continue; fi
    case $status in
    124) echo "FAIL $told: block $block, $thread threads: no end after $limit s" ;;
    0) echo "FAIL $told: block $block, $thread threads: ends well, but does not say ok" ;;
    1) echo "FAIL $told: block $block, $thread threads: $(tail -n1 "$log")" ;;
    *) echo "FAIL $told: block $block, $thread threads: exit status $status: $(tail -n1 "$log")" ;;
    esac >"$verdict"
    return 1
  done
  [ -z "$pass" ] || rm -f "$program"
}

check() {
  local name=$1 sources=("${@:2}") work=$scratch/${1//\//.} pass count=0 level=
  local own verdict=$work/verdict log=$work/output
  mkdir -p "$work"
  own=$(sed -n 's|^// flags: ||p' "${sources[@]}")
  [ -z "$nvcc" ] || own="${own//-march=/-Xcompiler -march=} $(sed -n 's|^// nvcc flags: ||p' "${sources[@]}")"
  # shellcheck disable=SC2086  # flags are words
  set -- $flags $own "${sources[@]}"
  if [ -z "$nvcc" ] && grep -q '^// levels: all' "${sources[@]}"; then
    for level in $(levels); do
      check_without "" "$@" "-march=$level" || return
    done
  else
    case "$nvcc$each${UW_LEVELS:-} $flags $own" in
    " "*-march=* | " "*-O[01]* | [!\ ]*) ;;
    *) set -- "$@" ${in_turn:+"-march=$in_turn"} ;;
    esac
    check_without "" "$@" || return
  fi
  if [ -n "$each" ]; then
    for pass in $("$here/../../scripts/changing-passes.sh" "$compiler" "$@"); do
      check_without "$pass" "$@" || return
      count=$((count + 1))
    done
  fi
  echo "PASS $name${each:+ ($count passes)}" >"$verdict"
}

mapfile -t known < <(levels)
number=0
names=()
for path in "$here"/*.cu "$here"/multi/*/; do
  case $path in
  */) name=multi/$(basename "$path") sources=("$path"*.cu "$path"*.cpp) ;;
  *) name=$(basename "$path" .cu) sources=("$path") ;;
  esac
  selected "$name" || continue
  number=$((number + 1))
  [ $((number % every)) -eq 0 ] || continue
  in_turn=
  [ ${#known[@]} -eq 0 ] || [ $((number % 4)) -eq 0 ] || in_turn=${known[number % 4 % ${#known[@]}]}
  for i in "${!sources[@]}"; do [ -e "${sources[i]}" ] || unset "sources[i]"; done
  names+=("$name")
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  {
    check "$name" "${sources[@]}"
    cat "$scratch/${name//\//.}/verdict"
  } &
done
wait

passed=0 failed=0
for name in "${names[@]}"; do
  if grep -q '^PASS' "$scratch/${name//\//.}/verdict"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
