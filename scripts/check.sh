#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs every part of the tests on a finished build, goes on after a failure, and ends with one line of the parts:
# "N passed, N failed". What failed stands above, part by part.
#
#   scripts/check.sh BUILD_DIR
#
# How long each part took stands behind its name at the end: all of them are to take 20 minutes on two cores at most.
set -u
build=$1
passed=0
failed=0
broken=
times=
for part in docs unit text libdevice accuracy headers runtime checker libraries run ptx-sample fuzz sycl plain-sample projects sanitized-passes; do
  echo "== check-$part"
  start=$(date +%s)
  if ${MAKE:-make} --no-print-directory BUILD="$build" check-$part; then
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
