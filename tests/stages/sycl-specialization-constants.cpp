// Specialization constants are constants in the loops of a launch in place: what the command group sets, and defaults.
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --print-after='simplify{}' 2>&1 | FileCheck %s
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 --emit=llvm %s -o - | FileCheck --check-prefix=UNROLLED %s
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --skip=launch-values --print-after='simplify{}' 2>&1 | FileCheck --check-prefix=MEMORY %s
#include <sycl/sycl.hpp>

struct pair {
  int first;
  float second;
};
constexpr sycl::specialization_id<int> taps(3);
constexpr sycl::specialization_id<pair> both(pair{7, 0.25f});

// The last value counts.
// CHECK: llvm.func @_Z3setRN4sycl3_V15queueEPKfPf(
// CHECK: %[[five:.*]] = llvm.mlir.constant(5 : i32)
// CHECK: call @uwrt_launch_begin
// CHECK: scf.while
// CHECK: arith.cmpi slt, %{{.*}}, %[[five]]
// CHECK: mapping = [#gpu.thread<
// UNROLLED: define {{.*}}@_Z3setRN4sycl3_V15queueEPKfPf(
// UNROLLED: define internal void @_Z3setRN4sycl3_V15queueEPKfPf..omp_par(
// UNROLLED: fmuladd{{.*}}splat (float 6.000000e+00)
// MEMORY: llvm.func @_Z3setRN4sycl3_V15queueEPKfPf(
// MEMORY: call @uwrt_launch_begin
// MEMORY: scf.while
// MEMORY-NEXT: llvm.load
// MEMORY: mapping = [#gpu.thread<
void set(sycl::queue &q, const float *from, float *to) {
  q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<taps>(4);
    h.set_specialization_constant<taps>(5);
    h.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> at, sycl::kernel_handler k) {
      float sum = 0;
      for (int i = 0; i < k.get_specialization_constant<taps>(); i++)
        sum += from[at + i] * (i + 2);
      to[at] = sum;
    });
  });
}

// Nothing is set: defaults, of a structure each member that is used.
// CHECK: llvm.func @_Z8defaultsRN4sycl3_V15queueEPf(
// CHECK: arith.constant 2.500000e-01 : f32
// CHECK: call @uwrt_launch_begin
// CHECK-NOT: llvm.load {{.*}} -> i32
// CHECK: mapping = [#gpu.thread<
void defaults(sycl::queue &q, float *to) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> at, sycl::kernel_handler k) {
      const pair p = k.get_specialization_constant<both>();
      to[at] = to[at] * p.second + p.first;
    });
  });
}

// A value of the host's is that value: no load stands in the loops.
// CHECK: llvm.func @_Z5valueRN4sycl3_V15queueEPfi(
// CHECK: call @uwrt_launch_begin
// CHECK-NOT: llvm.load {{.*}} -> i32
// CHECK: mapping = [#gpu.thread<
void value(sycl::queue &q, float *to, int n) {
  q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<taps>(n);
    h.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> at, sycl::kernel_handler k) {
      to[at] *= k.get_specialization_constant<taps>();
    });
  });
}

// What a function sets that is not seen is not known: the default is no constant here.
void unseen(sycl::handler &h);
// CHECK: llvm.func @_Z9elsewhereRN4sycl3_V15queueEPf(
// CHECK: @_Z6unseenRN4sycl3_V17handlerE(
// CHECK: call @uwrt_launch_begin
// CHECK-NOT: arith.constant 3.0
// CHECK: mapping = [#gpu.thread<
void elsewhere(sycl::queue &q, float *to) {
  q.submit([&](sycl::handler &h) {
    unseen(h);
    h.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> at, sycl::kernel_handler k) {
      to[at] *= k.get_specialization_constant<taps>();
    });
  });
}
