#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Does a row of a stage change the module?
#
#   changes.sh UNWARP ROW [option…] FILE
#
# Exits 0 if the module after ROW is another than the one after the row in front of it, 1 if it is the same, 2 if one of
# the two was not shown: the row did not run, or it is the first one of its stage.

set -u
unwarp=$1 row=$2
shift 2
front=$("$unwarp" --help-passes | sed -n 's/^[* ] \([a-z][^ ]*\) .*/\1/p' | grep -B1 -xF -- "$row" | head -1)
# Numbers that LLVM and MLIR give to metadata and attributes are another matter.
"$unwarp" --print-after="$front" --print-after="$row" -c "$@" -o /dev/null 2>&1 | awk -v front="$front" -v row="$row" '
  /^\/\/ ----- after / { now = $4; seen[now] = 1; next }
  { text[now] = text[now] "\n" $0 }
  END {
    if (!seen[front] || !seen[row]) { print "not shown: " (seen[row] ? front : row) > "/dev/stderr"; exit 2 }
    exit text[front] == text[row]
  }'
