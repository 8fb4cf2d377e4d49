// What the host says at a launch is known in the loops of that launch: constant extents of groups and ranges, offsets that
// are zero, captured numbers and arrays. What the kernel does not use is no parameter.
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --print-after='simplify{}' 2>&1 | FileCheck %s
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --skip=private-arrays --print-after='simplify{}' 2>&1 | FileCheck --check-prefix=MEMORY %s
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --skip=launch-values --print-after='simplify{}' 2>&1 | FileCheck --check-prefix=OBJECT %s
#include <sycl/sycl.hpp>

// Groups of 8 by 16 items, of which there is an unknown number. No offset is added to an item's place, and the factor is a
// constant; what is not used of the object goes nowhere.
// CHECK: llvm.func @_Z8constantRN4sycl3_V15queueEPfm(
// CHECK: call @uwrt_launch_begin
// CHECK: scf.forall {{.*}} in (1, 8, 16)
// CHECK-NOT: llvm.load {{.*}} -> i64
// CHECK: arith.mulf %{{.*}}, %cst : f32
// CHECK: mapping = [#gpu.thread<
// OBJECT: llvm.func @_Z8constantRN4sycl3_V15queueEPfm(
// OBJECT: call @uwrt_launch_begin
// OBJECT-NOT: to (%c1, %c8, %c16)
// OBJECT: mapping = [#gpu.thread<
void constant(sycl::queue &q, float *data, size_t n) {
  const float factor = 3;
  const int unused = 5;
  q.parallel_for(sycl::nd_range<2>({n, 16}, {8, 16}), [=](sycl::nd_item<2> at) {
    (void)unused;
    data[at.get_global_id(0) * 16 + at.get_global_id(1)] *= factor;
  });
}

// An array that the kernel captures is three constants.
// CHECK: llvm.func @_Z5arrayRN4sycl3_V15queueEPKfPfm(
// CHECK: %[[seven:.*]] = llvm.mlir.constant(7.000000e+00 : f32)
// CHECK: call @uwrt_launch_begin
// CHECK-NOT: scf.while
// CHECK: llvm.intr.fmuladd(%[[seven]],
// CHECK: mapping = [#gpu.thread<
// MEMORY: llvm.func @_Z5arrayRN4sycl3_V15queueEPKfPfm(
// MEMORY: call @uwrt_launch_begin
// MEMORY: scf.while
// MEMORY: mapping = [#gpu.thread<
void array(sycl::queue &q, const float *from, float *to, size_t n) {
  const float weights[3] = {2, 7, 2};
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> at) {
    float sum = 0;
    for (int i = 0; i < 3; i++)
      sum += weights[i] * from[at + i];
    to[at] = sum;
  });
}

// One that the host does not know stays as it is, and so does one with an index that no loop counts.
// CHECK: llvm.func @_Z7unknownRN4sycl3_V15queueEPKiPim(
// CHECK: call @uwrt_launch_begin
// CHECK: scf.forall
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64, unwarp.readonly} : !llvm.ptr -> i32
// CHECK: mapping = [#gpu.thread<
void unknown(sycl::queue &q, const int *which, int *to, size_t n) {
  const int table[4] = {3, 1, 4, 1};
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> at) { to[at] = table[which[at] & 3]; });
}
