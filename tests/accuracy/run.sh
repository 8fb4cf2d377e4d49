#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh BUILD_DIR [samples [step]]: compiles the functions with unwarp, compares special values with a GPU's (specials.txt), measures
# the functions, those of one float in SIMD lanes at every step-th of all floats, and prints the table (docs/accuracy.md). UW_FLAGS are the flags for the compiler, -O2 if unset. Exit status 1 if
# a special value differs or a function exceeds CUDA's bound, which stderr says.
build=${1:?usage: run.sh BUILD_DIR [samples]}
samples=${2:-1000} step=${3:-1009}
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/accuracy
mkdir -p "$work" || exit 1
if ! printf '#include <mpfr.h>\n' | "${CLANG:-clang-22}" -E - >/dev/null 2>&1; then
  echo "SKIP accuracy: there is no mpfr.h (libmpfr-dev)" >&2
  exit 0
fi
for part in reference measure specials; do
  "${CLANG:-clang-22}" -std=c17 -O2 -Wall -Wextra -Werror -c "$here/$part.c" -o "$work/$part.o" || exit 1
done
# shellcheck disable=SC2086 # flags are words
"$build/bin/unwarp" ${UW_FLAGS:--O2} -c "$here/functions.cu" -o "$work/functions.o" || exit 1
for part in measure specials; do
  "$build/bin/unwarp" "$work/functions.o" "$work/reference.o" "$work/$part.o" -lmpfr -lgmp -lm -o "$work/$part" || exit 1
done
"$build/bin/unwarp" -O3 -march=native "$here/floats.cu" -o "$work/floats" || exit 1
[ "$step" = 1 ] && which="every float" || which="every ${step}th of all floats"
status=0
"$work/specials" "$here/specials.txt" || status=1
"$work/measure" "$samples" || status=1
cat <<EOF

## Single precision in SIMD lanes

The same in a compute loop, whose threads are lanes of vectors (\`-O3 -march=native\`, tests/accuracy/floats.cu, \`make check-floats\`), at $which.

| function | error | units off | CUDA's bound |
| --- | --- | --- | --- |
EOF
"$work/floats" "$step" || status=1
exit $status
