// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device function and the variables that device_linking.cu uses.
#include <cuda_runtime.h>

__device__ int calls = 0;
__constant__ int weights[4];

__device__ int shift_of(int lane) {
  if (lane % 32 == 0)
    return -1;
  return lane << lane % 5;
}

void fill_weights(void) {
  const int values[4] = {100000, 200000, 300000, 400000};
  cudaMemcpyToSymbol(weights, values, sizeof(values));
}

int count_calls(void) {
  int count = 0;
  cudaMemcpyFromSymbol(&count, calls, sizeof(count));
  return count;
}
