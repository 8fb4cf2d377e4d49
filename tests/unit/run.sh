#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs the unit tests: each tests/unit/NAME.c with the sources that its head comment names after "Sources:".
# They end at undefined behaviour, and what was freed or never set does not read as zero.
#
#   tests/unit/run.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-build}/tests/unit
mkdir -p "$out"
failed=0
for test in tests/unit/*.c; do
  name=$(basename "$test" .c)
  sources=$(sed -n 's/^ \* Sources: //p' "$test" | sed 's/\*\/$//')
  # shellcheck disable=SC2086 # a list of words
  if clang-22 -std=c17 -g -Wall -Wextra -Wno-missing-field-initializers -D_GNU_SOURCE -fsanitize=undefined \
    -fsanitize-trap=all -isystem "$(llvm-config-22 --includedir)" "$test" $sources -o "$out/$name" &&
    MALLOC_PERTURB_=165 "$out/$name"; then
    echo "unit/$name: passed"
  else
    echo "unit/$name: FAILED"
    failed=1
  fi
done
exit $failed
