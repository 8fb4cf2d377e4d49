#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The optional passes that change something in a compile: after them the module is not what it was before.
#
#   scripts/changing-passes.sh UNWARP [option…] file.cu…
#
# Prints their names, one a line. Without another pass the result is the same, byte for byte.

set -u
[ $# -ge 2 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
unwarp=$1
shift
sources=() options=()
for argument in "$@"; do
  case $argument in
  *.cu | *.cpp) sources+=("$argument") ;;
  *) options+=("$argument") ;;
  esac
done
optional=$("$unwarp-opt" --optional) || exit 2

for source in "${sources[@]}"; do
  "$unwarp" "${options[@]}" --print-after-all -c "$source" -o /dev/null 2>&1
done | awk -v optional="$optional" '
  BEGIN { split(optional, names); for (i in names) { row = names[i]; sub(/\{\}$/, "", row); wanted[row] = names[i] } }
  function close_text() { if (pass in wanted && (differs || lines != before)) found[wanted[pass]] = 1; before = lines }
  /^\/\/ ----- after / { close_text(); pass = $4; lines = differs = 0; next }
  line[++lines] != $0 { line[lines] = $0; differs = 1 }
  END { close_text(); for (pass in found) print pass }'
