// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "heat.h"

const float host_conduction = 0.125f;
__constant__ float conduction = 0.125f;

__host__ __device__ float spread(const float *plate, int at) {
#ifdef __CUDA_ARCH__
  const float share = conduction;
#else
  const float share = host_conduction;
#endif
  float around = plate[at - 1] + plate[at + 1] + plate[at - SIDE] + plate[at + SIDE];
  return plate[at] + share * (around - 4 * plate[at]);
}
