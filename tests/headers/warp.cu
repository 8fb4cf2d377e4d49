/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shuffles of every type with and without a mask, votes, matches, reductions, and the masks themselves.
 */
template <typename Type> __device__ Type shuffle_all(Type value, int lane) {
  unsigned mask = 0xffffffffu;
  value = __shfl_sync(mask, value, lane) + __shfl_sync(mask, value, lane, 16);
  value += __shfl_up_sync(mask, value, 1) + __shfl_down_sync(mask, value, 1u, 8) + __shfl_xor_sync(mask, value, 4);
  value += __shfl(value, lane) + __shfl_up(value, 1) + __shfl_down(value, 1, 16) + __shfl_xor(value, 2);
  return value;
}

__global__ void shuffles(int *i, unsigned *u, long *l, unsigned long *ul, long long *ll, unsigned long long *ull,
                         float *f, double *d, short *s) {
  i[0] = shuffle_all(i[0], 3);
  u[0] = shuffle_all(u[0], 3);
  l[0] = shuffle_all(l[0], 3);
  ul[0] = shuffle_all(ul[0], 3);
  ll[0] = shuffle_all(ll[0], 3);
  ull[0] = shuffle_all(ull[0], 3);
  f[0] = shuffle_all(f[0], 3);
  d[0] = shuffle_all(d[0], 3);
  s[0] = __shfl_sync(~0u, s[0], 1);
}

__global__ void votes(int *n, unsigned *u, long long *l, float *f, double *d) {
  unsigned mask = __activemask();
  n[0] = __all_sync(mask, n[1]) + __any_sync(mask, n[1] > 3) + __uni_sync(mask, n[1]) + __all(n[2]) + __any(n[2]);
  u[0] = __ballot_sync(mask, n[1]) + __ballot(n[2]) + __fns(u[1], 0, 3);
  u[1] = __match_any_sync(mask, n[3]) + __match_any_sync(mask, u[3]) + __match_any_sync(mask, l[3]) +
         __match_any_sync(mask, f[3]) + __match_any_sync(mask, d[3]) + __match_all_sync(mask, n[3], n + 4) +
         __match_all_sync(mask, d[3], n + 5);
  u[2] = __reduce_add_sync(mask, u[4]) + __reduce_min_sync(mask, u[4]) + __reduce_max_sync(mask, u[4]) +
         __reduce_and_sync(mask, u[4]) + __reduce_or_sync(mask, u[4]) + __reduce_xor_sync(mask, u[4]);
  n[3] = __reduce_add_sync(mask, n[4]) + __reduce_min_sync(mask, n[4]) + __reduce_max_sync(~0u, n[4]);
  __syncwarp();
  __syncwarp(mask);
  n[4] = warpSize;
}
int main() { return 0; }
