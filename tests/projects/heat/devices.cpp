// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code alone, by the host's own compiler: the runtime's API, and memory handed to a library that has kernels.
#include "statistics.h"

#include <cuda_runtime.h>
#include <stdio.h>

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1)
    return puts("no device"), 1;
  float *cells = nullptr;
  if (cudaMallocManaged(reinterpret_cast<void **>(&cells), 1000 * sizeof *cells, cudaMemAttachGlobal) != cudaSuccess)
    return puts("no memory"), 1;
  for (int i = 0; i < 1000; i++)
    cells[i] = float(i);
  statistics taken = take_statistics(cells, 1000);
  cudaFree(cells);
  if (taken.sum != 499500 || taken.least != 0 || taken.most != 999)
    return printf("%g %g %g\n", taken.sum, taken.least, taken.most), 1;
  return puts("devices: right"), 0;
}
