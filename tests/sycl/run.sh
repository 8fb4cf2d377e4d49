#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles each SYCL program of tests/sycl/run, which checks itself, and runs it with 1, 2 and 7 OpenMP threads.
#
#   tests/sycl/run.sh BUILD_DIR [--keep] [pattern…]
#
# The environment says the rest: UW_FLAGS (-O2 if unset), UW_THREADS (a list of numbers), UW_TIMEOUT (seconds, 60). A line '// flags: …' in a
# program adds flags for it. A folder in run/multi is one program of several files.
set -u

here=$(cd "$(dirname "$0")" && pwd)
threads=${UW_THREADS:-1 2 7}
flags=${UW_FLAGS:--O2}
limit=${UW_TIMEOUT:-60}
keep=
build=
patterns=()
while [ $# -gt 0 ]; do
  case $1 in
  --keep) keep=1 ;;
  -*) sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  *) if [ -z "$build" ]; then build=$1; else patterns+=("$1"); fi ;;
  esac
  shift
done
compiler=$(cd "${build:-.}/bin" 2>/dev/null && pwd)/unwarp
[ -x "$compiler" ] || { echo "run.sh: no compiler in '$build/bin': build it first (make)" >&2; exit 2; }
export UNWARP_CACHE_DIR=${UNWARP_CACHE_DIR:-$(cd "$build" && pwd)/tests/cache} # not the user's
scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp-sycl.XXXXXX") || exit 2
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

# One program: writes its verdict.
check() {
  local name=$1 program=$scratch/${1//\//.} own thread status
  shift
  own=$(sed -n 's|^// flags: ||p' "$@")
  # shellcheck disable=SC2086  # flags are words
  if ! timeout 300 "$compiler" -fsycl $flags $own "$@" -o "$program" >"$program.log" 2>&1; then
    echo "FAIL $name: does not compile: $(grep -m1 -E 'error|bug in unwarp|Assertion|undefined' "$program.log" || head -n1 "$program.log")"
    return
  fi
  for thread in $threads; do
    OMP_NUM_THREADS=$thread KMP_BLOCKTIME=${KMP_BLOCKTIME:-0} timeout "$limit" "$program" >"$program.log" 2>&1
    status=$?
    if [ $status -ne 0 ] || [ "$(tail -n1 "$program.log")" != ok ]; then
      echo "FAIL $name: $thread threads: exit status $status: $(head -n1 "$program.log")"
      return
    fi
  done
  echo "PASS $name"
}

for path in "$here"/run/*.cpp "$here"/run/multi/*/; do
  [ -e "$path" ] || continue
  case $path in
  */) name=multi/$(basename "$path") sources=("$path"*.cpp) ;;
  *) name=$(basename "$path" .cpp) sources=("$path") ;;
  esac
  selected "$name" || continue
  while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
  check "$name" "${sources[@]}" | tee "$scratch/${name//\//.}.verdict" &
done
wait

passed=$(cat "$scratch"/*.verdict | grep -c '^PASS')
failed=$(cat "$scratch"/*.verdict | grep -c '^FAIL')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
