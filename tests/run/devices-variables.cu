// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device variables of several devices: each has its own, in launches in place and by handle: a variable that the host names,
// a constant, one that only device code knows, and a function's static. Managed variables are one for all.
#include "devices.h"

__device__ int named[3] = {1, 2, 3};
__constant__ float scale = 1.5f;
static __device__ int unnamed = 7;
__managed__ int common = 0;

__device__ int ticket() {
  static int next = 10;
  return atomicAdd(&next, 1);
}

__global__ void step(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i * scale + named[i % 3];
}

__global__ void change(float *out, int n, int by) {
  named[1] += by;
  unnamed *= by;
  common += 1;
  out[n] = unnamed;
  out[n + 1] = ticket();
}

int main(int argc, char **argv) {
  with_devices("3", argv);
  const int block = block_size(argc, argv), n = 100, devices = 3;
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  if (count < devices)
    fail_at(-1, count, devices);
  int named_of[3] = {2, 2, 2}, unnamed_of[3] = {7, 7, 7}, tickets = 10;
  float scale_of[3] = {1.5f, 1.5f, 1.5f};
  for (int iteration = 0; iteration < 4; iteration++) {
    for (int d = 0; d < devices; d++) {
      CHECK(cudaSetDevice(d));
      if (iteration == 1) {
        scale_of[d] = d + 0.5f;
        CHECK(cudaMemcpyToSymbol(scale, &scale_of[d], sizeof(float)));
      }
      buffer<float> out(n + 2);
      int length = n, by = d + iteration + 1;
      if (iteration % 2 == 0) {
        step<<<blocks_for(n, block), block>>>(out.device, length);
        change<<<1, 1>>>(out.device, length, by);
      } else {
        void *args[] = {&out.device, &length, &by};
        CHECK(cudaLaunchKernel((void *)step, dim3(blocks_for(n, block)), dim3(block), args, 0, 0));
        CHECK(cudaLaunchKernel((void *)change, dim3(1), dim3(1), args, 0, 0));
      }
      out.download();
      unnamed_of[d] *= by;
      for (int i = 0; i < n; i++)
        expect(i, out[i], i * scale_of[d] + (i % 3 == 0 ? 1 : i % 3 == 1 ? named_of[d] : 3));
      named_of[d] += by;
      expect(1000 * iteration + d, (int)out[n], unnamed_of[d]);
      expect(2000 * iteration + d, (int)out[n + 1], tickets);
      int seen[3];
      CHECK(cudaMemcpyFromSymbol(seen, named, sizeof seen));
      expect(3000 * iteration + d, seen[1], named_of[d]);
    }
    tickets++;
  }
  CHECK(cudaDeviceSynchronize());
  expect(-2, common, 4 * devices);
  return passed();
}
