#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints the levels of x86-64 (psABI, section 3.1.1) that the CPU under test has, lowest first, a line each: those of the machine, up to
# the one that UNWARP_MARCH names. Nothing on another architecture.
#
#   scripts/cpu-levels.sh           those of the CPU under test
#   scripts/cpu-levels.sh --machine those of the machine
#   scripts/cpu-levels.sh --below   the one to test besides: the next one with other vectors than the CPU under test has, or nothing
#   scripts/cpu-levels.sh --check   is what UNWARP_MARCH names one of the machine's? Exit status 1 and a line if not
set -u
all="x86-64 x86-64-v2 x86-64-v3 x86-64-v4"
named=${UNWARP_MARCH:-native}
[ "$(uname -m)" = x86_64 ] || all=

flags=" $(sed -n '/^flags/{s/^flags[^:]*: *//p;q;}' "${UW_CPUINFO:-/proc/cpuinfo}" 2>/dev/null) "
has() {
  for flag; do case $flags in *" $flag "*) ;; *) return 1 ;; esac; done
}
has_level() {
  case $1 in
  x86-64) ;;
  x86-64-v2) has cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 ;;
  x86-64-v3) has_level x86-64-v2 && has avx avx2 bmi1 bmi2 f16c fma abm movbe xsave ;;
  x86-64-v4) has_level x86-64-v3 && has avx512f avx512bw avx512cd avx512dq avx512vl ;;
  esac
}
machine() {
  for level in $all; do
    has_level "$level" || return 0
    echo "$level"
  done
}
under_test() {
  for level in $(machine); do
    echo "$level"
    [ "$level" != "$named" ] || return 0
  done
}

case ${1:-} in
"") under_test ;;
--machine) machine ;;
--below)
  case $(under_test | tail -n1) in
  x86-64-v4) echo x86-64-v3 ;;
  x86-64-v3) echo x86-64 ;;
  esac
  ;;
--check)
  [ "$named" = native ] || machine | grep -qxF -- "$named" || {
    echo "the CPU to test as is '$named' and should be one of these, which the machine has: $(machine | tr '\n' ' ')" >&2
    exit 1
  }
  ;;
*) sed -n '4,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
