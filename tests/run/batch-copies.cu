// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many copies in one call, in the forms of CUDA 12.8 and of 13, while the stream waits for the host: what is read in the stream's order, and
// what during the call. The driver's forms, and prefetches of several ranges.
// nvcc flags: -lcuda
#include "check.h"
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void wait_for(volatile int *flag) {
  while (*flag == 0) {}
}
__global__ void twice(int *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    cells[i] *= 2;
}

#if CUDART_VERSION >= 13000 && !defined(TELLS)
#define FAILED
#else
#define FAILED &failed,
#endif

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1000, half = n / 2;
  volatile int *flag;
  int *in_order, *at_once, *cells;
  cudaStream_t stream;
  CHECK(cudaMallocManaged((int **)&flag, sizeof(int)));
  CHECK(cudaMallocHost(&in_order, half * sizeof(int)));
  CHECK(cudaMallocHost(&at_once, half * sizeof(int)));
  CHECK(cudaMalloc(&cells, n * sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < half; i++)
    in_order[i] = i, at_once[i] = -i;
  *flag = 0;

  size_t sizes[2] = {half * sizeof(int), half * sizeof(int)}, starts[2] = {0, 1}, failed = 5;
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  wait_for<<<1, 1, 0, stream>>>(flag);
  int *to[2] = {cells, cells + half}, *from[2] = {in_order, at_once};
  CHECK(cudaMemcpyBatchAsync((void **)to, (void **)from, sizes, 2, attributes, starts, 2, FAILED stream));
  twice<<<blocks_for(n, block), block, 0, stream>>>(cells, n);
  for (int i = 0; i < half; i++)
    in_order[i] = 3 * i, at_once[i] = 3 * i;
  *flag = 1;
  CHECK(cudaStreamSynchronize(stream));

  int *back = new int[n], *out[2] = {back, back + half};
  CHECK(cudaMemcpyBatchAsync(out, to, sizes, 2, attributes[0], FAILED stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < half; i++) {
    expect(i, back[i], 6 * i);
    expect(half + i, back[half + i], -2 * i);
  }

  // Rows of a matrix with a longer pitch, by the driver's form.
  CUDA_MEMCPY3D_BATCH_OP rows = {};
  rows.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  rows.src.op.ptr.ptr = (CUdeviceptr)cells;
  rows.src.op.ptr.rowLength = 100 * sizeof(int);
  rows.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  rows.dst.op.ptr.ptr = (CUdeviceptr)back;
  rows.extent = {30 * sizeof(int), 5, 1};
  rows.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
#if CUDA_VERSION >= 13000
  expect(n, (int)cuMemcpy3DBatchAsync(1, &rows, 0, stream), (int)CUDA_SUCCESS);
#elif CUDA_VERSION >= 12080
  expect(n, (int)cuMemcpy3DBatchAsync(1, &rows, &failed, 0, stream), (int)CUDA_SUCCESS);
#else
  cudaMemcpy3DBatchOp same;
  static_assert(sizeof same == sizeof rows, "one form");
  memcpy(&same, &rows, sizeof same);
  CHECK(cudaMemcpy3DBatchAsync(1, &same, &failed, 0, stream));
#endif
  CHECK(cudaStreamSynchronize(stream));
  for (int row = 0; row < 5; row++)
    for (int i = 0; i < 30; i++)
      expect(row * 30 + i, back[row * 30 + i], 2 * 3 * (row * 100 + i));

#if CUDART_VERSION >= 13000
  int *managed;
  CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
  int *ranges[2] = {managed, managed + half};
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchBatchAsync(ranges, sizes, 2, here, 0, stream));
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, here, 0, stream));
  CHECK(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(managed));
#endif
  delete[] back;
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(cells));
  CHECK(cudaFreeHost(in_order));
  CHECK(cudaFreeHost(at_once));
  CHECK(cudaFree((void *)flag));
  return passed();
}
