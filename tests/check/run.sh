#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The checker (-fcheck) on programs with a mistake, and on close ones without.
#
#   tests/check/run.sh BUILD_DIR [file…]
#
# Each file is compiled and run for each of its cases, whose name is its argument; and again with all classes of the checker,
# which find what the file's own find:
#   // case NAME: PATTERN     the report has such a line (grep -E); several lines: it has all of these. There is one mistake, and the status is 66
#   // clean NAME             nothing is said, and the status is 0
#   // env NAME: VARIABLE=VALUE…   its environment
#   // several NAME           there may be more than one mistake
#   // status NAME: N         in place of 66
#   // flags: …               for the compiler
#   // threads: 1 2 7         each case says the same with OMP_NUM_THREADS set to each of these
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: run.sh BUILD_DIR [file…]}" && pwd)
shift
[ $# -gt 0 ] || set -- "$here"/*.cu
scratch=$(mktemp -d "${TMPDIR:-/tmp}/unwarp-check.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT

# One case: its name, its kind, its patterns on standard input.
run_case() {
  local file=$1 program=$2 name=$3 kind=$4 log=$program.$3.log wanted status pattern
  local settings
  settings=$(sed -n "s|^// env $name: ||p" "$file")
  # shellcheck disable=SC2086  # settings are words
  { (cd "$here" && env $settings timeout 60 "$program" "$name") >"$log" 2>&1; } 2>/dev/null # the shell's own words on a crash
  status=$?
  if [ "$kind" = clean ]; then
    if [ $status -ne 0 ] || grep -q '^unwarp: ' "$log"; then
      echo "FAIL $(basename "$file") $name: status $status, $(grep -m1 '^unwarp: ' "$log" || tail -n1 "$log")"
      return 1
    fi
    return 0
  fi
  wanted=$(sed -n "s|^// status $name: ||p" "$file")
  [ $status -eq "${wanted:-66}" ] || { echo "FAIL $(basename "$file") $name: status $status, not ${wanted:-66}: $(tail -n1 "$log")"; return 1; }
  while IFS= read -r pattern; do
    grep -qE -- "$pattern" "$log" || {
      echo "FAIL $(basename "$file") $name: no '$pattern' in"
      sed 's/^/    /' "$log"
      return 1
    }
  done < <(sed -n "s|^// case $name: ||p" "$file")
  if [ -z "$wanted" ] && ! grep -qx "// several $name" "$file" && ! grep -qE 'found 1 mistake$|"places": 1}' "$log"; then
    echo "FAIL $(basename "$file") $name: not one mistake:"
    sed 's/^/    /' "$log"
    return 1
  fi
}

# Is what is said the same on any number of threads?
check_threads() {
  local file=$1 program=$2 failed=0 name threads
  for name in $(sed -nE -e 's|^// case ([a-z0-9_]+): .*|\1|p' -e 's|^// clean ([a-z0-9_]+)$|\1|p' "$file" | uniq); do
    for threads in $(sed -n 's|^// threads: ||p' "$file"); do
      { (cd "$here" && OMP_NUM_THREADS=$threads timeout 60 "$program" "$name") >"$program.on-$threads" 2>&1; } 2>/dev/null
      echo "status $?" >>"$program.on-$threads"
      diff "$program.on-$(sed -nE 's|^// threads: ([0-9]+).*|\1|p' "$file")" "$program.on-$threads" >"$program.diff" || {
        echo "FAIL $(basename "$file") $name: on $threads threads something else is said"
        sed 's/^/    /' "$program.diff"
        failed=1
      }
    done
  done
  return $failed
}

# Lose classes that are asked for together any finding of the file's own ones?
check_together() {
  local file=$1 program=$scratch/$(basename "$1" .cu)-all failed=0 name pattern all
  all=$(sed -n 's|^// flags: ||p' "$file" | sed -E 's/-fcheck=[a-z,]*/-fcheck/')
  # shellcheck disable=SC2086  # flags are words
  (cd "$here" && "$build/bin/unwarp" -O2 $all "$(basename "$file")" -o "$program") || { echo "FAIL $(basename "$file"): does not compile with $all"; return 1; }
  for name in $(sed -nE 's|^// case ([a-z0-9_]+): .*|\1|p' "$file" | uniq); do
    ! grep -qE "^// (env|status) $name: " "$file" || continue # these are about the report
    { (cd "$here" && timeout 60 "$program" "$name") >"$program.log" 2>&1; } 2>/dev/null
    while IFS= read -r pattern; do
      grep -qE -- "$pattern" "$program.log" || { echo "FAIL $(basename "$file") $name: all classes together lose '$pattern'"; failed=1; }
    done < <(sed -n "s|^// case $name: ||p" "$file")
  done
  return $failed
}

check_file() {
  local file=$1 program=$scratch/$(basename "$1" .cu) failed=0 name count=0 own
  own=$(sed -n 's|^// flags: ||p' "$file")
  # shellcheck disable=SC2086  # flags are words
  (cd "$here" && "$build/bin/unwarp" -O2 $own "$(basename "$file")" -o "$program") || { echo "FAIL $(basename "$file"): does not compile"; return 1; }
  for name in $(sed -nE 's|^// case ([a-z0-9_]+): .*|\1|p' "$file" | uniq); do
    run_case "$file" "$program" "$name" case || failed=1
    count=$((count + 1))
  done
  check_threads "$file" "$program" || failed=1
  for name in $(sed -nE 's|^// clean ([a-z0-9_]+)$|\1|p' "$file"); do
    run_case "$file" "$program" "$name" clean || failed=1
    count=$((count + 1))
  done
  if grep -qE '^// flags: .*-fcheck=(memory|race|init|sync)' "$file"; then
    check_together "$file" || failed=1
  fi
  [ $failed -ne 0 ] || echo "PASS $(basename "$file"): $count cases"
  return $failed
}

failures=0
running=()
for file in "$@"; do
  check_file "$file" &
  running+=($!)
  [ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
done
for job in "${running[@]}"; do wait "$job" || failures=$((failures + 1)); done
[ $failures -eq 0 ]
