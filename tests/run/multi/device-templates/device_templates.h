// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

// Kernels that both files have, or that one of them has for both.
template <typename T> __global__ void add(T *x, T by) { *x += by; }
template <typename T, int COUNT> __global__ void __launch_bounds__(64) sum(const T *in, T *out) {
  __shared__ T part[COUNT];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < COUNT; i++)
      *out += part[i];
}
inline __global__ void add_four(int *x) { *x += 4; }
template <typename T> __global__ void instantiated_by_other(T *x) { *x += 8; }
extern template __global__ void instantiated_by_other<int>(int *x);
template <typename T> __global__ void instantiated_by_both(T *x) { *x += 16; }
template <typename T> __global__ void declared(T *x);
namespace {
template <typename T> __global__ void of_each(T *x) { *x += OWN; }
__global__ void of_each_too(int *x) { *x += 10 * OWN; }
} // namespace
static __global__ void of_each_static(int *x) { *x += 100 * OWN; }
template <typename Function> __global__ void call(int *x, Function function) { *x = function(*x); }
inline void call_lambda(int *x, int by) {
  call<<<1, 1>>>(x, [by] __device__(int old) { return old + by; });
}

// Functions.
template <typename T> __device__ __noinline__ T twice(T x) { return x + x; }
template <typename T> __device__ T thrice(T x);
extern template __device__ int thrice<int>(int x);
template <typename T> struct counter {
  static __device__ T total;
  static __constant__ T steps[2];
  inline static __device__ T last = 3;
  __device__ __noinline__ T step(int which);
};
template <typename T> __device__ T counter<T>::total = T(1);
template <typename T> __constant__ T counter<T>::steps[2] = {T(5), T(6)};
template <typename T> __device__ T counter<T>::step(int which) { return total += steps[which]; }
extern template struct counter<long long>;

// Classes whose tables both files have.
template <typename T> struct value {
  T held;
  __device__ explicit value(T held) : held(held) {}
  __device__ virtual T get() const { return held; }
  __device__ virtual ~value() {}
};
template <typename T> struct doubled : value<T> {
  __device__ explicit doubled(T held) : value<T>(held) {}
  __device__ T get() const override { return 2 * this->held; }
};
extern template struct doubled<long>;

// Variables.
inline __constant__ int factors[2] = {2, 3};
template <typename T> __constant__ T offset = T(7);
inline __managed__ int seen_by_both = 11;
inline __device__ int taken = 0;
template <typename T> __device__ T *slot() {
  static T kept = 20;
  return &kept;
}

// A template kernel that launches one.
template <typename T> __global__ void parent(T *x) {
  if (threadIdx.x == 0)
    add<T><<<1, 1>>>(x, T(32));
}
