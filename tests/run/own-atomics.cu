// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA has no atomic functions of (unsigned) long, nor an exchange of doubles: a program's own, for uint64_t and the like, are no second
// definitions.
#include <cstdint>

#include "check.h"

typedef unsigned long long wide;
typedef long long signed_wide;

#define OWN(name, type, as)                                                                                            \
  __device__ inline type name(type *address, type value) {                                                             \
    return (type)name(reinterpret_cast<as *>(address), (as)value);                                                     \
  }
OWN(atomicAdd, uint64_t, wide)
OWN(atomicExch, uint64_t, wide)
OWN(atomicMin, uint64_t, wide)
OWN(atomicMax, uint64_t, wide)
OWN(atomicAnd, uint64_t, wide)
OWN(atomicOr, uint64_t, wide)
OWN(atomicXor, uint64_t, wide)
OWN(atomicAdd_block, uint64_t, wide)
OWN(atomicMax_system, uint64_t, wide)
OWN(atomicMin, int64_t, signed_wide)
OWN(atomicMax, int64_t, signed_wide)
__device__ inline uint64_t atomicCAS(uint64_t *address, uint64_t compare, uint64_t value) {
  return atomicCAS((wide *)address, (wide)compare, (wide)value);
}
__device__ inline double atomicExch(double *address, double value) {
  return __longlong_as_double(atomicExch((wide *)address, (wide)__double_as_longlong(value)));
}
/* With another result, as some have it. */
__device__ inline void atomicAdd(int64_t *address, int64_t value) { atomicAdd((wide *)address, (wide)value); }

__global__ void count(uint64_t *x, int64_t *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(x, uint64_t(1) << 33);
  atomicCAS(x + 1, uint64_t(0), uint64_t(7));
  atomicExch(x + 2, uint64_t(5));
  atomicMin(x + 3, (uint64_t(1) << 40) + i);
  atomicMax(x + 4, (uint64_t(1) << 40) + i);
  atomicAnd(x + 5, ~(uint64_t(1) << (i % 64)));
  atomicOr(x + 6, uint64_t(1) << (i % 64));
  atomicXor(x + 7, uint64_t(3) << 40);
  atomicAdd_block(x + 8, uint64_t(2));
  atomicMax_system(x + 9, uint64_t(i));
  atomicAdd(y, int64_t(-1));
  atomicMin(y + 1, -int64_t(i));
  atomicMax(y + 2, int64_t(i));
  atomicExch(z, 2.5);
}

int main(int argc, char **argv) {
  const int n = 999;
  int block = block_size(argc, argv);
  buffer<uint64_t> x(10);
  buffer<int64_t> y(3);
  buffer<double> z(1);
  for (int i = 0; i < 10; i++)
    x[i] = i == 3 || i == 5 ? ~uint64_t(0) : 0;
  for (int i = 0; i < 3; i++)
    y[i] = 0;
  z[0] = 0;
  x.upload();
  y.upload();
  z.upload();
  count<<<blocks_for(n, block), block>>>(x.device, y.device, z.device, n);
  x.download();
  y.download();
  z.download();
  const uint64_t one = uint64_t(1) << 40, wanted[] = {uint64_t(n) << 33, 7,     5,    one, one + n - 1, 0, ~uint64_t(0),
                                                      uint64_t(3) << 40, 2 * n, n - 1};
  for (int i = 0; i < 10; i++)
    expect(i, x[i], wanted[i]);
  const int64_t signed_wanted[] = {-n, 1 - n, n - 1};
  for (int i = 0; i < 3; i++)
    expect(i, y[i], signed_wanted[i]);
  expect(0, z[0], 2.5);
  return passed();
}
