#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs the runtime's tests: tests/runtime/run.sh BUILD_DIR [extra compiler flags]
# CC names the C compiler, CXX the C++ one, CLANG the clang that compiles CUDA (without one, that check is skipped
# and says so). Prints one PASS or FAIL line for each test and fails if one fails.
set -u
if [ $# -lt 1 ]; then
  echo "usage: $0 BUILD_DIR [extra compiler flags]" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1" || exit 2
build=$(cd "$1" && pwd)
shift
cc=${CC:-cc}
cxx=${CXX:-c++}
clang=${CLANG:-clang-22}
flags="-O2 -g -Wall -Wextra -Werror -fPIC -fvisibility=hidden -fopenmp"
flags="$flags -Wno-missing-field-initializers" # a record of a kernel grows at its end

# Tells ThreadSanitizer what OpenMP's workers wait for. Threads for kernels that wait for the host are there for good.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_thread_leaks=0
archer=$($cc -print-file-name=libarcher.so)
[ -e "$archer" ] && export OMP_TOOL_LIBRARIES="$archer"

objects=
for source in $(sed -n 's/^  \(runtime\/[a-z_]*\.c\).*/\1/p' "$root/runtime/Makefile.inc"); do
  object=$build/$(basename "$source" .c).o
  $cc -std=c17 $flags "$@" -c "$root/$source" -o "$object" || exit 1
  objects="$objects $object"
done

bad=0
report() { # report STATUS NAME
  if [ "$1" -eq 0 ]; then
    echo "PASS $2"
  else
    echo "FAIL $2"
    bad=1
  fi
}

# The driver that the tests' programs find.
mkdir -p "$build/driver"
$cc -std=c17 $flags "$@" -shared "$here/driver/libcuda.c" -o "$build/driver/libcuda.so.1" || exit 1
export LD_LIBRARY_PATH="$build/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

for source in "$here"/*.c; do
  name=$(basename "$source" .c)
  status=0
  $cc -std=c17 $flags "$@" "$source" $objects -o "$build/test-$name" -lpthread -lm &&
    "$build/test-$name" || status=1
  report $status "runtime/$name"
done

# The headers must say the same to C++ of every age and to CUDA.
for standard in c++98 c++11 c++17; do
  status=0
  $cxx -std=$standard -Wall -Wextra -Werror -I"$root/include" -fsyntax-only "$here/headers.cpp" || status=1
  report $status "runtime/headers.cpp $standard"
done
if command -v "$clang" >/dev/null 2>&1; then
  for side in host device; do
    status=0
    "$clang" -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=12.4 \
      --cuda-gpu-arch=sm_80 --cuda-$side-only -Wall -Wextra -Werror -I"$root/include" -fsyntax-only \
      "$here/headers.cpp" || status=1
    report $status "runtime/headers.cpp CUDA, $side"
  done
else
  echo "SKIP runtime/headers.cpp CUDA: there is no $clang"
fi
exit $bad
