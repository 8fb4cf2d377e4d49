// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many blocks on a stack of 1 MiB: what a block takes of it is given back at its end, and what is large is not there.
// flags: -fcheck
#include "cases.h"
#include <sys/resource.h>

__global__ void all_lanes(int *any) {
  int bits = 1 << threadIdx.x % 7;
  for (int by = 1; by < 32; by <<= 1) bits |= __shfl_xor_sync(~0u, bits, by);
  if (threadIdx.x == 0 && bits != 127) *any = bits;
}

__device__ __noinline__ int backwards(const int *list, int n) {
  int changes = 0;
  for (int i = n - 1; i > 0; i--) changes += list[i] != list[i - 1];
  return changes;
}
__global__ void as_large_as_asked(int *wrong, int n) {
  int *list = (int *)alloca(n * sizeof(int));
  for (int i = 0; i < n; i++) list[i] = i;
  if (backwards(list, n) != n - 1) *wrong = n;
}
__global__ void large(int *wrong, int x) {
  int first[50000], second[50000], third[50000];
  for (int i = 0; i < 50000; i++) first[i] = second[i] = third[i] = i ^ x;
  if (backwards(first, 50000) + backwards(second, 50000) + backwards(third, 50000) != 3 * 49999) *wrong = x;
}
// clean lanes
// clean by_alloca
// clean large_arrays

CASES
  rlimit least = {1 << 20, RLIM_INFINITY};
  setrlimit(RLIMIT_STACK, &least); // the stack has not grown by much
  int *wrong = device<int>(1), found;
  CASE(lanes) all_lanes<<<200000, 32>>>(wrong);
  CASE(by_alloca) as_large_as_asked<<<20000, 4>>>(wrong, 60);
  CASE(large_arrays) for (int i = 0; i < 2; i++) { large<<<1, 1>>>(wrong, i); large<<<2, 2>>>(wrong, i); large<<<1, 2>>>(wrong, 7); }
  cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost);
  cudaFree(wrong);
  if (found) { printf("wrong: %d\n", found); return 1; }
END
