// Buffers are objects of values: rows of accessors of buffers that are made of one range are that range's, whatever other
// functions run between, and so is a buffer's own range. What another function may have made stays of its own.
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --print-after='simplify{}' 2>&1 | FileCheck %s
#include <sycl/sycl.hpp>
using namespace sycl;
void tell();

// CHECK: llvm.func @_Z4sameRN4sycl3_V15queueEPfS3_mm({{.*}}%[[rows:arg3]]: i64{{.*}}, %[[columns:arg4]]: i64
// CHECK: call @uwrt_launch_begin
// CHECK: scf.forall {{.*}} in (1, 1, 256)
// CHECK: arith.cmpi ult, %{{.*}}, %[[columns]] : i64
// CHECK: %[[row:.*]] = arith.muli %[[columns]], %{{.*}} : i64
// CHECK-NOT: arith.muli
// CHECK: mapping = [#gpu.thread<
void same(queue &q, float *x, float *y, size_t n, size_t m) {
  range<2> all(n, m);
  buffer<float, 2> a_(x, all), b_(y, all);
  tell();
  q.submit([&](handler &h) {
    accessor a(a_, h, read_only);
    accessor b(b_, h, read_write);
    h.parallel_for(b_.get_range(), [=](id<2> i) { b[i] = a[i] * 2 + b[i]; });
  });
  tell();
}

// CHECK: llvm.func @_Z8constantRN4sycl3_V15queueEPf(
// CHECK: %[[length:.*]] = llvm.mlir.constant(96 : i64)
// CHECK: call @uwrt_launch_begin
// CHECK: arith.muli %{{.*}}, %[[length]] : i64
// CHECK: mapping = [#gpu.thread<
void constant(queue &q, float *x) {
  buffer<float, 2> a_(x, {64, 96});
  q.submit([&](handler &h) {
    accessor a(a_, h);
    h.parallel_for(range<2>(64, 96), [=](id<2> i) { a[i] *= 2; });
  });
}

// CHECK: llvm.func @_Z5givenRN4sycl3_V15queueERNS0_6bufferIfLi2E
// CHECK: call @uwrt_launch_begin
// CHECK: scf.forall {{.*}} in (1, 1, 256)
// CHECK-COUNT-2: arith.muli {{.*}} : i64
// CHECK: mapping = [#gpu.thread<
void given(queue &q, buffer<float, 2> &a_, buffer<float, 2> &b_) {
  q.submit([&](handler &h) {
    accessor a(a_, h, read_only);
    accessor b(b_, h, read_write);
    h.parallel_for(range<2>(64, 64), [=](id<2> i) { b[i] = a[i] * 2 + b[i]; });
  });
}
