// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device says of itself: count, warp size, limits, attributes, memory, versions, occupancy.
#include "check.h"

__global__ void work(int *out) {
  __shared__ int tile[100];
  tile[threadIdx.x % 100] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[99];
}

int main(void) {
  int count = 0, device = -1, value = 0, runtime = 0, driver = 0, grid = 0, block = 0;
  size_t available = 0, total = 0;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&properties, 0));
  expect(1, count >= 1 ? 1 : 0, 1);
  expect(2, device, 0);
  expect(3, properties.warpSize, 32);
  expect(4, properties.maxThreadsPerBlock, 1024);
  expect(5, properties.multiProcessorCount >= 1 && properties.name[0] != 0 ? 1 : 0, 1);
  expect(6, properties.major >= 3 && properties.totalGlobalMem > 0 && properties.sharedMemPerBlock >= 49152 ? 1 : 0, 1);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  expect(7, value, properties.maxThreadsPerBlock);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  expect(8, value, properties.multiProcessorCount);
  CHECK(cudaMemGetInfo(&available, &total));
  expect(9, available > 0 && available <= total ? 1 : 0, 1);
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  expect(10, runtime >= 9000 && driver >= runtime ? 1 : 0, 1);
  CHECK(cudaFuncGetAttributes(&attributes, work));
  expect(11, (int)attributes.sharedSizeBytes, 400);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 0, 0));
  expect(12, grid >= 1 && block >= 1 && block <= 1024 ? 1 : 0, 1);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, work, 128, 0));
  expect(13, value >= 1 ? 1 : 0, 1);
  return passed();
}
