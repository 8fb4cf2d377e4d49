#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh BUILD_DIR: compiles each .cu of this folder in both passes, as the compiler driver does, and looks at the
# device code: no inline assembly, and no undefined function that the later stages do not know. Then the programs in
# values/ run on this machine: device functions compiled natively, against plain definitions. Exit status 1 if any
# failed.
build=${1:?usage: run.sh BUILD_DIR}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
clang=${CLANGXX:-clang++-22}
work=$build/tests/headers
mkdir -p "$work" || exit 1
status=0

pass() { echo "PASS headers/$1"; }
fail() { echo "FAIL headers/$1"; status=1; }

common="-x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=12.4 -isystem $root/include
  -include unwarp_cuda.h --cuda-gpu-arch=sm_80 -Werror"
device="--cuda-device-only --cuda-feature=+ptx83 -O3 -Xclang -disable-llvm-passes -S -emit-llvm"
host="--cuda-host-only -O1 -S -emit-llvm"

# What device code may call: generic intrinsics, these of NVVM, libdevice, what the runtime defines, and notes for the checker.
known='llvm\.nvvm\.read\.ptx\.sreg\.(n?tid|n?ctaid)\.[xyz]$|llvm\.nvvm\.barrier\.cta\.|llvm\.nvvm\.bar\.warp\.sync$'
known="$known|llvm\.nvvm\.(shfl\.sync|vote|match|membar|isspacep)\.|llvm\.nvvm\.(activemask|nanosleep)\$|llvm\.(nearbyint|[a-mo-z])"
known="$known|__nv_|(vprintf|__assertfail|malloc|free|uwrt_clock64|uwrt_grid_(sync|is_cooperative)|uwrt_cluster_(sync|map|rank|extent|explicit|outside)|uwrt_trap_is|uwrt_note_scope|uwrt_texture_[a-z_]*)\$"

for source in "$here"/*.cu; do
  name=$(basename "$source" .cu)
  for standard in 14 17 20; do
    $clang $common $device -std=c++$standard "$source" -o "$work/$name-$standard.ll" || fail "$name device c++$standard"
  done
  if [ -s "$work/$name-17.ll" ]; then
    assembly=$(grep -c ' asm ' "$work/$name-17.ll")
    unknown=$(sed -n 's/^declare.* @\([A-Za-z0-9_.]*\)(.*/\1/p' "$work/$name-17.ll" | grep -Ev "^($known)")
    if [ "$assembly" = 0 ] && [ -z "$unknown" ]; then pass "$name device"
    else echo "  $assembly lines of assembly; unknown:" $unknown; fail "$name device"; fi
  fi
  if $clang $common $host -std=c++14 "$source" -o "$work/$name-host.ll" &&
     $clang $common $host -std=c++20 "$source" -o "$work/$name-host.ll" &&
     $clang $common $host "$source" -o "$work/$name-host.ll"; then pass "$name host"; else fail "$name host"; fi
done

objects=
for source in "$root"/libdevice/*.c; do
  object=$work/$(basename "$source" .c).o
  ${CLANG:-clang-22} -std=c17 -O2 -fno-math-errno -ffp-contract=off -c "$source" -o "$object" || fail libdevice
  objects="$objects $object"
done
for source in "$here"/values/*.cu; do
  name=$(basename "$source" .cu)
  if $clang $common --cuda-host-only -O2 -ffp-contract=off -c "$source" -o "$work/$name.o" &&
     $clang "$work/$name.o" $objects -lm -o "$work/$name" && "$work/$name"; then pass "values/$name"
  else fail "values/$name"; fi
done

exit $status
