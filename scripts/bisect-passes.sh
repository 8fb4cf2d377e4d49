#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which optional pass makes a program wrong, or slow: the first one with which TEST fails.
#
#   scripts/bisect-passes.sh UNWARP [option…] file.cu… -- TEST [argument…]
#
# TEST gets the path of the program after its arguments, and fails where the program is wrong: a script that runs it,
# compares what it prints, or looks at the time that it took. It is tried with no optional pass first, then with all.

set -u
[ $# -ge 3 ] || { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  command+=("$1")
  shift
done
[ $# -ge 2 ] || { echo "bisect-passes: no '-- TEST' after the command" >&2; exit 2; }
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_right() { # N
  "${command[@]}" "--bisect=$1" -o "$work/program" >"$work/messages" 2>&1 ||
    { cat "$work/messages" >&2; echo "bisect-passes: does not compile with --bisect=$1" >&2; exit 2; }
  if "$test" "${arguments[@]}" "$work/program" >/dev/null 2>&1; then result=right; else result=wrong; fi
  echo "$1: $result" >&2
  [ $result = right ]
}

test=$1
shift
arguments=("$@")
most=999999
is_right 0 || { echo "wrong without any optional pass"; exit 1; }
! is_right "$most" || { echo "right with all passes"; exit 0; }
all=$(sed -n "s/.*'--bisect=$most': only \([0-9]*\) .*/\1/p" "$work/messages" | sort -n | tail -1)
[ "${all:-0}" -gt 0 ] || { echo "bisect-passes: no optional pass changes something" >&2; exit 2; }
low=0 high=$all # right with the first, wrong with the second
while [ $((high - low)) -gt 1 ]; do
  middle=$(((low + high) / 2))
  if is_right $middle; then low=$middle; else high=$middle; fi
done
is_right $high
pass=$(sed -n "s/.*'--bisect=.* that changes something is '\([^']*\)'.*/\1/p" "$work/messages" | sort -u | paste -sd ' ') # files may differ
echo "wrong from the pass $pass: number $high of $all that change something"
exit 1
