#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs the unit tests: each tests/unit/NAME.c with the sources that its head comment names after "Sources:",
# or with the objects of BUILD_DIR for the folders of compiler/ that it names after "Objects:", and MLIR.
# They end at undefined behaviour, and what was freed or never set does not read as zero.
#
#   tests/unit/run.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-build}/tests/unit
mkdir -p "$out"
failed=0
llvm=$(llvm-config-22 --prefix)
for test in tests/unit/*.c; do
  name=$(basename "$test" .c)
  sources=$(sed -n 's/^ \* Sources: //p' "$test" | sed 's/\*\/$//')
  objects=
  for folder in $(sed -n 's/^ \* Objects: //p' "$test" | sed 's/\*\/$//'); do
    for source in "compiler/$folder"/*.c "compiler/$folder"/*.cpp; do # a build folder keeps objects of files that were renamed
      [ ! -e "$source" ] || objects="$objects ${1:-build}/obj/${source%.*}.o"
    done
  done
  if [ -n "$objects" ]; then
    objects="$objects ${1:-build}/obj/dialect.o -Wl,--start-group"
    for part in RegisterEverything IRDL LLVM Transforms Conversion Target Interfaces IR; do
      objects="$objects $llvm/lib/libMLIRCAPI$part.a"
    done
    objects="$objects -Wl,--end-group -L$llvm/lib -lMLIR -lLLVM-22 -Wl,-rpath,$llvm/lib -lstdc++ -lm"
  fi
  # shellcheck disable=SC2086 # a list of words
  if clang-22 -std=c17 -g -Wall -Wextra -Wno-missing-field-initializers -D_GNU_SOURCE -fsanitize=undefined \
    -fsanitize-trap=all -isystem "$(llvm-config-22 --includedir)" "$test" $sources $objects -o "$out/$name" &&
    MALLOC_PERTURB_=165 "$out/$name"; then
    echo "unit/$name: passed"
  else
    echo "unit/$name: FAILED"
    failed=1
  fi
done
exit $failed
