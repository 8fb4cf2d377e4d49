#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh BUILD_DIR: builds libdevice natively, runs each check of this folder against it, and compares the functions
# that libdevice.bc defines with those that clang's headers declare. One line for each; exit status 1 if any failed.
build=${1:?usage: run.sh BUILD_DIR}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
clang=${CLANG:-clang-22}
work=$build/tests/libdevice
flags="--target=x86_64-linux-gnu -std=c17 -O2 -fno-math-errno -ffp-contract=off"
mkdir -p "$work" || exit 1
status=0

pass() { echo "PASS libdevice/$1"; }
fail() { echo "FAIL libdevice/$1"; status=1; }

objects=
bitcode=
for source in "$root"/libdevice/*.c; do
  name=$(basename "$source" .c)
  $clang $flags -Wall -Wextra -Werror -c "$source" -o "$work/$name.o" || { fail "$name.c"; exit 1; }
  $clang $flags -emit-llvm -c "$source" -o "$work/$name.bc" || { fail "$name.c"; exit 1; }
  objects="$objects $work/$name.o"
  bitcode="$bitcode $work/$name.bc"
done

for test in rounding functions integers; do
  mode=
  [ $test = rounding ] && mode=-frounding-math
  if $clang -std=gnu17 -O1 $mode -ffp-contract=off -Wall -Wextra -Wno-unknown-pragmas "$here/$test.c" $objects -lm \
      -o "$work/test-$test" && "$work/test-$test"; then pass $test; else fail $test; fi
done

# Every declaration, with its type: a file that redefines one differently does not compile.
{
  printf '#define %s\n' __CUDA__ __device__ 'CUDA_VERSION 12040'
  echo '#include <__clang_cuda_libdevice_declares.h>'
} > "$work/declares.h"
types=0
for source in "$root"/libdevice/*.c; do
  $clang -std=c17 -fsyntax-only -include "$work/declares.h" "$source" || types=1
done
[ $types = 0 ] && pass prototypes || fail prototypes

llvm_nm=$($clang -print-prog-name=llvm-nm)
$clang -E -x c "$work/declares.h" | grep -o '__nv_[A-Za-z0-9_]*' | sort -u > "$work/declared"
for file in $bitcode; do "$llvm_nm" --defined-only "$file"; done |
  grep -o '__nv_[A-Za-z0-9_]*$' | sort -u > "$work/defined"
missing=$(comm -23 "$work/declared" "$work/defined")
if [ -s "$work/declared" ] && [ -z "$missing" ]; then pass complete; else echo "  missing:" $missing; fail complete; fi

exit $status
