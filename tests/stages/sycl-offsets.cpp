// An offset that the host gives as zero, or not at all, is no value in the loops of the launch: neither is added to an item's place, nor
// does anything read it. One that it gives is there, as the constant or the value that it is.
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --print-after='simplify{}' 2>&1 | FileCheck %s
#include <sycl/sycl.hpp>

// CHECK: llvm.func @_Z5groupRN4sycl3_V15queueEPlm(
// CHECK: call @uwrt_launch_begin
// CHECK: scf.forall {{.*}} in (1, 1, 64)
// CHECK: %[[INDEX:.*]] = arith.addi {{.*}} : i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %arg1[%[[INDEX]]]
// CHECK-NEXT: llvm.store %[[INDEX]], %[[AT]]
void group(sycl::queue &q, long *out, size_t n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = item.get_offset()[0] * 3 + item.get_global_linear_id();
  });
}

// CHECK: llvm.func @_Z8bufferedRN4sycl3_V15queueERNS0_6bufferIlLi1ESaIlEEEm(
// CHECK: call @uwrt_launch_begin
// CHECK: scf.forall {{.*}} in (1, 1, 64)
// CHECK: %[[INDEX:.*]] = arith.addi {{.*}} : i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[INDEX]]]
// CHECK-NEXT: llvm.store %[[INDEX]], %[[AT]]
void buffered(sycl::queue &q, sycl::buffer<long> &out_, size_t n) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor out(out_, h, sycl::write_only);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
      out[item.get_global_id(0)] = item.get_offset()[0] * 3 + item.get_global_linear_id();
    });
  });
}

// CHECK: llvm.func @_Z5itemsRN4sycl3_V15queueEPlm(
// CHECK: call @uwrt_launch_begin
// CHECK: scf.if %{{.*}} {
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr {{.*}}%arg1[%[[INDEX:.*]]]
// CHECK-NEXT: llvm.store %[[INDEX]], %[[AT]]
void items(sycl::queue &q, long *out, size_t n) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::range<1>(n), sycl::id<1>(0),
                   [=](sycl::item<1> item) { out[item.get_id(0)] = item.get_offset()[0] * 3 + item.get_linear_id(); });
  });
}

// CHECK: llvm.func @_Z5sevenRN4sycl3_V15queueEPlm(
// CHECK: call @uwrt_launch_begin
// CHECK: arith.addi %{{.*}}, %c21_i64
// CHECK: llvm.getelementptr %{{.*}}[7]
// CHECK: llvm.store
void seven(sycl::queue &q, long *out, size_t n) {
  q.parallel_for(sycl::nd_range<1>(n, 64, 7), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = item.get_offset()[0] * 3 + item.get_global_linear_id();
  });
}

// CHECK: llvm.func @_Z3anyRN4sycl3_V15queueEPlmm(
// CHECK: call @uwrt_launch_begin
// CHECK: mapping = [#gpu.thread<
// CHECK-NOT: %c21_i64
void any(sycl::queue &q, long *out, size_t n, size_t from) {
  q.parallel_for(sycl::nd_range<1>(n, 64, from), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = item.get_offset()[0] * 3 + item.get_global_linear_id();
  });
}
