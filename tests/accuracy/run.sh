#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh BUILD_DIR [samples]: compiles the functions with unwarp, compares special values with a GPU's (specials.txt), measures
# the functions, and prints the table (docs/accuracy.md). UW_FLAGS are the flags for the compiler, -O2 if unset. Exit status 1 if
# a special value differs or a function exceeds CUDA's bound, which stderr says.
build=${1:?usage: run.sh BUILD_DIR [samples]}
samples=${2:-1000}
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/accuracy
mkdir -p "$work" || exit 1
for part in reference measure specials; do
  "${CLANG:-clang-22}" -std=c17 -O2 -Wall -Wextra -Werror -c "$here/$part.c" -o "$work/$part.o" || exit 1
done
# shellcheck disable=SC2086 # flags are words
"$build/bin/unwarp" ${UW_FLAGS:--O2} -c "$here/functions.cu" -o "$work/functions.o" || exit 1
for part in measure specials; do
  "$build/bin/unwarp" "$work/functions.o" "$work/reference.o" "$work/$part.o" -lmpfr -lgmp -lm -o "$work/$part" || exit 1
done
status=0
"$work/specials" "$here/specials.txt" || status=1
"$work/measure" "$samples" || status=1
exit $status
