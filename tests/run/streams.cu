// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several streams: copies and kernels in order within each, events across them, a host function at the end.
#include "check.h"

__global__ void scale_add(int *data, int n, int factor, int add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * factor + add;
}
__global__ void join(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] - b[i];
}

static void CUDART_CB note(void *data) { *(int *)data = 77; }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 600, grid = blocks_for(n, block);
  buffer<int> a(n), b(n), out(n);
  cudaStream_t first, second;
  cudaEvent_t ready;
  int noted = 0;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = 2 * i + 1;
  }
  CHECK(cudaMemcpyAsync(a.device, a.host, n * sizeof(int), cudaMemcpyHostToDevice, first));
  CHECK(cudaMemcpyAsync(b.device, b.host, n * sizeof(int), cudaMemcpyHostToDevice, second));
  scale_add<<<grid, block, 0, first>>>(a.device, n, 5, 1);
  scale_add<<<grid, block, 0, second>>>(b.device, n, 3, -4);
  scale_add<<<grid, block, 0, second>>>(b.device, n, 2, 0);
  CHECK(cudaEventRecord(ready, second));
  CHECK(cudaStreamWaitEvent(first, ready, 0));
  join<<<grid, block, 0, first>>>(a.device, b.device, out.device, n);
  CHECK(cudaMemcpyAsync(out.host, out.device, n * sizeof(int), cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, note, &noted));
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaStreamQuery(first));
  CHECK(cudaGetLastError());
  for (int i = 0; i < n; i++)
    expect(i, out[i], 5 * i + 1 - ((2 * i + 1) * 3 - 4) * 2);
  expect(-1, noted, 77);
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  return passed();
}
