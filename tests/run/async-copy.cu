// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pinned host memory, asynchronous copies of chunks in flight with kernels, copies within the device.
#include "check.h"

__global__ void square(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), chunks = 4, chunk = 50, n = chunks * chunk;
  int *in, *out, *mapped, *mapped_device;
  CHECK(cudaMallocHost((void **)&in, n * sizeof(int)));
  CHECK(cudaHostAlloc((void **)&out, n * sizeof(int), cudaHostAllocDefault));
  CHECK(cudaHostAlloc((void **)&mapped, chunk * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer((void **)&mapped_device, mapped, 0));
  buffer<int> a(n), b(n);
  cudaStream_t streams[chunks];
  for (int i = 0; i < n; i++)
    in[i] = i - 100;
  for (int k = 0; k < chunks; k++) {
    size_t bytes = chunk * sizeof(int);
    int *a_part = a.device + k * chunk, *b_part = b.device + k * chunk;
    CHECK(cudaStreamCreate(&streams[k]));
    CHECK(cudaMemcpyAsync(a_part, in + k * chunk, bytes, cudaMemcpyHostToDevice, streams[k]));
    square<<<blocks_for(chunk, block), block, 0, streams[k]>>>(a_part, b_part, chunk);
    CHECK(cudaMemcpyAsync(out + k * chunk, b_part, bytes, cudaMemcpyDeviceToHost, streams[k]));
  }
  for (int k = 0; k < chunks; k++) {
    CHECK(cudaStreamSynchronize(streams[k]));
    CHECK(cudaStreamDestroy(streams[k]));
  }
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i - 100) * (i - 100));
  CHECK(cudaMemcpy(a.device, b.device, n * sizeof(int), cudaMemcpyDeviceToDevice));
  square<<<blocks_for(chunk, block), block>>>(a.device + n - chunk, mapped_device, chunk);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < chunk; i++) {
    int value = n - chunk + i - 100;
    expect(i, mapped[i], value * value * (value * value));
  }
  CHECK(cudaMemcpy(in, a.device, n * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < n; i++)
    expect(i, in[i], out[i]);
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFreeHost(mapped));
  return passed();
}
