// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The __nv_atomic_ functions: every operation, with orders and scopes, values and pointers to values.
#include "check.h"

const int cells = 24;

__device__ void lock(unsigned *flag) {
  unsigned expected = 0;
  while (!__nv_atomic_compare_exchange_n(flag, &expected, 1u, true, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE))
    expected = 0;
}
__device__ void unlock(unsigned *flag) { __nv_atomic_store_n(flag, 0u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE); }

__global__ void apply(unsigned *u, long long *wide, float *f, double *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_atomic_fetch_add(&u[0], 2u, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(&u[1], 3u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(&u[2], 1u, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_sub(&u[3], 2u, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_and(&u[4], ~(1u << i % 29), __NV_ATOMIC_ACQ_REL);
  __nv_atomic_and(&u[5], ~(1u << i % 31), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&u[6], 1u << i % 30, __NV_ATOMIC_RELAXED);
  __nv_atomic_or(&u[7], 1u << i % 27, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_xor(&u[8], (unsigned)i, __NV_ATOMIC_RELAXED);
  __nv_atomic_xor(&u[9], (unsigned)i * 3, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_min(&wide[0], -(long long)i << 32, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_min(&u[10], 5000u - i, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_max(&wide[1], (long long)i << 32, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&u[11], (unsigned)i, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(f, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(d, 0.25, __NV_ATOMIC_RELAXED);
  // A swap of two cells' contents through an exchange conserves the sum.
  unsigned mine = i, old;
  __nv_atomic_exchange(&u[12], &mine, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&u[13], old, __NV_ATOMIC_RELAXED);
  old = __nv_atomic_exchange_n(&u[14], (unsigned)i, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(&u[15], old, __NV_ATOMIC_RELAXED);
  // A sum by compare and exchange of values behind pointers.
  __nv_atomic_load(&f[1], &f[16 + i], __NV_ATOMIC_RELAXED);
  float wanted;
  do
    wanted = f[16 + i] + 1;
  while (!__nv_atomic_compare_exchange(&f[1], &f[16 + i], &wanted, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                       __NV_THREAD_SCOPE_DEVICE));
  lock(&u[16]);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  u[17] = u[17] * 5 % 1000003 + 1;
  __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE);
  unlock(&u[16]);
  float own = i * 1.5f;
  __nv_atomic_store(&f[16 + i], &own, __NV_ATOMIC_RELAXED);
  unsigned short *halves = (unsigned short *)&u[18];
  __nv_atomic_store_n(halves + 1, (unsigned short)0xabcd, __NV_ATOMIC_RELAXED);
  if (__nv_atomic_load_n(halves + 1, __NV_ATOMIC_ACQUIRE) != 0xabcd)
    __nv_atomic_add(&u[19], 1u, __NV_ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 700;
  buffer<unsigned> u(cells);
  buffer<long long> wide(2);
  buffer<float> f(16 + n);
  buffer<double> d(1);
  u[4] = u[5] = ~0u, u[10] = ~0u;
  u.upload(), wide.upload(), f.upload(), d.upload();
  apply<<<blocks_for(n, block), block>>>(u.device, wide.device, f.device, d.device, n);
  u.download(), wide.download(), f.download(), d.download();
  unsigned total = 0, folded = 0, folded3 = 0, chain = 0;
  for (int i = 0; i < n; i++)
    total += i, folded ^= i, folded3 ^= i * 3, chain = chain * 5 % 1000003 + 1;
  expect(0, u[0], 2u * n);
  expect(1, u[1], 3u * n);
  expect(2, u[2], 0u - n);
  expect(3, u[3], 0u - 2 * n);
  expect(4, u[4], ~0u << 29);
  expect(5, u[5], ~0u << 31);
  expect(6, u[6], (1u << 30) - 1);
  expect(7, u[7], (1u << 27) - 1);
  expect(8, u[8], folded);
  expect(9, u[9], folded3);
  expect(10, u[10], 5000u - (n - 1));
  expect(11, u[11], n - 1u);
  expect(12, u[12] + u[13], total);
  expect(14, u[14] + u[15], total);
  expect(17, u[17], chain);
  expect(18, u[18], 0xabcd0000u);
  expect(19, u[19], 0u);
  expect(20, wide[0], -(long long)(n - 1) << 32);
  expect(21, wide[1], (long long)(n - 1) << 32);
  expect(22, f[0], n * 0.5f);
  expect(23, f[1], (float)n);
  expect(24, d[0], n * 0.25);
  for (int i = 0; i < n; i++)
    expect(100 + i, f[16 + i], i * 1.5f);
  return passed();
}
