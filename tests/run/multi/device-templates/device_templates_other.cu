// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define OWN 2
#include "device_templates.h"

template <typename T> __global__ void declared(T *x) { *x += 64; }
template __global__ void declared<int>(int *x);
template __global__ void instantiated_by_other<int>(int *x);
template __global__ void instantiated_by_both<int>(int *x);
template <typename T> __device__ T thrice(T x) { return 3 * x; }
template __device__ int thrice<int>(int x);
template struct counter<long long>;
template struct doubled<long>;

void add_there(int *x) { add<<<1, 1>>>(x, 2); }

void use_there(int *x, const int *in) {
  sum<int, 64><<<1, 64>>>(in, x);
  add_four<<<1, 1>>>(x);
  instantiated_by_other<<<1, 1>>>(x);
  instantiated_by_both<<<1, 1>>>(x);
  declared<<<1, 1>>>(x);
  call_lambda(x, 128);
}

void own_there(int *x) {
  of_each<<<1, 1>>>(x);
  of_each_too<<<1, 1>>>(x);
  of_each_static<<<1, 1>>>(x);
}

static __global__ void look(int *out) {
  counter<int> c;
  out[0] = c.step(1);
  out[1] = counter<int>::last;
  out[2] = factors[1] * offset<int>;
  out[3] = ++*slot<int>();
  out[4] = twice(4) + thrice(5);
  out[5] = (int)counter<long long>().step(1) + 1;
  out[6] = taken;
  out[7] = seen_by_both;
}
void look_there(int *out) { look<<<1, 1>>>(out); }

static __global__ void make(value<int> **v, bool free) {
  if (free)
    delete *v;
  else
    *v = new value<int>(41);
}
value<int> **make_there(bool free) {
  static value<int> **v;
  if (!free)
    cudaMalloc(&v, sizeof *v);
  make<<<1, 1>>>(v, free);
  if (free)
    cudaFree(v);
  return v;
}
