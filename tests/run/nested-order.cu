// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order what kernels ask for is done: kernels, copies and fills of one stream in turn, streams that events order, a
// block's children before its cudaDeviceSynchronize returns and those of others untouched by it, all children before what the
// host asks for next, the tail after them, a free after what uses the memory. And how deep launches may go.
// nvcc flags: -rdc=true
#include "check.h"

__global__ void scale(int *cells, int n, int by, int plus) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    cells[i] = cells[i] * by + plus;
}

// Each block has n cells and does this in its default stream: 1 in all bytes; copy; * 3 + 1; copy back; a kernel on both.
__global__ void in_turn(int *cells, int n) {
  int *mine = cells + 2 * n * blockIdx.x;
  if (threadIdx.x == blockDim.x - 1) {
    cudaMemsetAsync(mine, 1, n * sizeof(int));
    cudaMemcpyAsync(mine + n, mine, n * sizeof(int), cudaMemcpyDeviceToDevice);
    scale<<<1, 32>>>(mine + n, n, 3, 1);
    cudaMemcpyAsync(mine, mine + n, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice);
    scale<<<3, 8>>>(mine, 2 * n, 2, blockIdx.x);
  }
}

// The second stream waits for the first by an event;.
__global__ void by_event(int *cells, int iterations) {
  int *mine = cells + blockIdx.x;
  if (threadIdx.x)
    return;
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int iteration = 0; iteration < iterations; iteration++) {
    scale<<<1, 1, 0, first>>>(mine, 1, 3, iteration);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    scale<<<1, 1, 0, second>>>(mine, 1, 5, 1);
    cudaEventRecord(event, second);
    cudaStreamWaitEvent(first, event, 0);
  }
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

// Every thread waits for what its block launched, in some blocks only. Newer device code cannot wait for its children.
constexpr bool waiting = CUDART_VERSION < 13000;
__global__ void waits(int *cells, int *seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scale<<<1, 1>>>(cells + i, 1, 2, 1);
#if CUDART_VERSION < 13000
  if (blockIdx.x % 2) {
    __syncthreads();
    cudaDeviceSynchronize();
    seen[i] = cells[i];
    scale<<<1, 1>>>(cells + i, 1, 10, 0);
  }
#endif
}

__global__ void gather(const int *cells, int n, int *sum) {
  *sum = 0;
  for (int i = 0; i < n; i++)
    *sum += cells[i];
}
__global__ void grow(int *cell, int levels) {
  if (levels) {
    grow<<<2, 1>>>(cell, levels - 1);
    grow<<<1, 1, 0, cudaStreamFireAndForget>>>(cell, levels - 1);
  }
  atomicAdd(cell, 1);
}
__global__ void with_tail(int *cell, int *sum) {
  if (threadIdx.x == 0)
    gather<<<1, 1, 0, cudaStreamTailLaunch>>>(cell, 1, sum);
  if (threadIdx.x == 0)
    grow<<<1, 1>>>(cell, 4);
}

// The memory is given back after the kernels that use it.
__global__ void frees(int *sums) {
  int *memory;
  if (threadIdx.x || cudaMalloc(&memory, 1000 * sizeof(int)) != cudaSuccess)
    return;
  cudaMemsetAsync(memory, 0, 1000 * sizeof(int));
  scale<<<2, 16>>>(memory, 1000, 1, blockIdx.x + 1);
  gather<<<1, 1>>>(memory, 1000, sums + blockIdx.x);
  cudaFree(memory);
}

__global__ void deeper(int *deepest, int *error, int level) {
  *deepest = level;
  deeper<<<1, 1>>>(deepest, error, level + 1);
  cudaError_t told = cudaGetLastError();
  if (told != cudaSuccess)
    *error = told;
}

int main(int argc, char **argv) {
  const int n = 40, blocks = 13;
  int block = block_size(argc, argv);
  buffer<int> cells(2 * n * blocks), each(blocks * block), seen(blocks * block), one(2), sums(blocks);
  in_turn<<<blocks, block>>>(cells.device, n);
  cells.download();
  for (int i = 0; i < 2 * n * blocks; i++) {
    int filled = 0x01010101, at = i % (2 * n), b = i / (2 * n);
    unsigned value = at < n / 2 || at >= n ? filled * 3u + 1 : filled;
    expect(i, cells[i], (int)(value * 2 + b));
  }

  for (int b = 0; b < blocks; b++)
    sums[b] = b;
  sums.upload();
  by_event<<<blocks, block>>>(sums.device, 5);
  sums.download();
  for (int b = 0; b < blocks; b++) {
    int value = b;
    for (int iteration = 0; iteration < 5; iteration++)
      value = (value * 3 + iteration) * 5 + 1;
    expect(b, sums[b], value);
  }

  for (int i = 0; i < blocks * block; i++)
    each[i] = i;
  each.upload();
  waits<<<blocks, block>>>(each.device, seen.device);
  each.download(), seen.download();
  for (int i = 0; i < blocks * block; i++) {
    expect(i, each[i], waiting && i / block % 2 ? (2 * i + 1) * 10 : 2 * i + 1);
    if (waiting && i / block % 2)
      expect(i, seen[i], 2 * i + 1);
  }

  one.upload();
  with_tail<<<1, block>>>(one.device, one.device + 1);
  one.download();
  expect(0, one[0], 1 + 3 + 9 + 27 + 81); // three blocks for each of the level before
  expect(1, one[1], one[0]);

  frees<<<blocks, block>>>(sums.device);
  sums.download();
  for (int b = 0; b < blocks; b++)
    expect(b, sums[b], 1000 * (b + 1));

  one[1] = 0;
  one.upload();
  deeper<<<1, 1>>>(one.device, one.device + 1, 0);
  one.download();
  expect(0, one[0], 24);
  expect(1, one[1], (int)cudaErrorLaunchMaxDepthExceeded);
  return passed();
}
