#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs parts of the tests on a finished build, goes on after a failure, and ends with one line of the parts:
# "N passed, N failed". What failed stands above, part by part.
#
#   scripts/check.sh BUILD_DIR PART…     each PART is the target check-PART of the Makefile
#
# How long each part took, in seconds, is printed before the last line.
set -u
trap 'rm -rf "${UW_LINK:-}"' EXIT # the Makefile's, where the path has a blank
build=$1
shift
passed=0
failed=0
broken=
times=
for part; do
  echo "== check-$part"
  start=$(date +%s)
  if ${MAKE:-make} --no-print-directory BUILD="$build" check-"$part"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    broken="$broken check-$part"
  fi
  times="$times $part $(($(date +%s) - start))"
done
echo "seconds:$times"
[ -z "$broken" ] || echo "failed:$broken"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
