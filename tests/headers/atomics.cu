/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every atomic function in its three scopes, on global and shared memory, and the __nv_atomic_ family.
 */
#define SCOPES(name, ...) name(__VA_ARGS__), name##_block(__VA_ARGS__), name##_system(__VA_ARGS__)

template <typename Type> __device__ void bits_and_order(Type *p, Type v) {
  SCOPES(atomicMin, p, v), SCOPES(atomicMax, p, v);
  SCOPES(atomicAnd, p, v), SCOPES(atomicOr, p, v), SCOPES(atomicXor, p, v);
}

__global__ void all(int *i, unsigned *u, long long *l, unsigned long long *ull, float *f, double *d,
                    unsigned short *s, float2 *f2, float4 *f4) {
  SCOPES(atomicAdd, i, 1), SCOPES(atomicAdd, u, 1), SCOPES(atomicAdd, ull, 1), SCOPES(atomicAdd, f, 1.0f);
  SCOPES(atomicAdd, d, 1.0), SCOPES(atomicAdd, f, 1), SCOPES(atomicAdd, d, 2.0f);
  SCOPES(atomicAdd, f2, *f2), SCOPES(atomicAdd, f4, *f4);
  SCOPES(atomicSub, i, 1), SCOPES(atomicSub, u, 1u);
  SCOPES(atomicExch, i, 1), SCOPES(atomicExch, u, 1u), SCOPES(atomicExch, ull, 1), SCOPES(atomicExch, f, 1.0f);
  bits_and_order(i, 1), bits_and_order(u, 1u), bits_and_order(l, 1ll), bits_and_order(ull, 1ull);
  SCOPES(atomicInc, u, 5u), SCOPES(atomicDec, u, 5u);
  SCOPES(atomicCAS, i, 1, 2), SCOPES(atomicCAS, u, 1u, 2u), SCOPES(atomicCAS, ull, 1ull, 2ull);
  SCOPES(atomicCAS, s, (unsigned short)1, (unsigned short)2);
  __shared__ int shared_i[4];
  __shared__ double shared_d;
  atomicAdd(&shared_i[threadIdx.x & 3], i[0]);
  atomicAdd(&shared_d, 1.0);
  i[1] = atomicMax(&shared_i[1], 7) + atomicCAS(&shared_i[2], 0, 1);
}

__global__ void with_order(int *i, float *f, unsigned long long *ull, bool weak) {
  int expected = 1, desired = 2, result;
  i[0] = __nv_atomic_load_n(i + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) +
         __nv_atomic_load_n(i + 2, __NV_ATOMIC_RELAXED);
  __nv_atomic_load(i, &result, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_store_n(i, result, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store(i, &desired, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
  result = __nv_atomic_exchange_n(i, 3, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_CLUSTER);
  __nv_atomic_exchange(i, &desired, &result, __NV_ATOMIC_RELAXED);
  if (__nv_atomic_compare_exchange_n(i, &expected, 5, weak, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                     __NV_THREAD_SCOPE_DEVICE) ||
      __nv_atomic_compare_exchange(i, &expected, &desired, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED))
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  i[3] = __nv_atomic_fetch_add(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) +
         __nv_atomic_fetch_sub(i, 1, __NV_ATOMIC_RELAXED) + __nv_atomic_fetch_and(i, 1, __NV_ATOMIC_RELAXED) +
         __nv_atomic_fetch_or(i, 1, __NV_ATOMIC_RELAXED) + __nv_atomic_fetch_xor(i, 1, __NV_ATOMIC_RELAXED) +
         __nv_atomic_fetch_min(i, 1, __NV_ATOMIC_RELAXED) + __nv_atomic_fetch_max(i, 1, __NV_ATOMIC_RELAXED);
  f[0] = __nv_atomic_fetch_add(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  ull[0] = __nv_atomic_fetch_max(ull, 4, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
int main() { return 0; }
