// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier in a method, in a constructor and in an operator of a class that holds a pointer to shared memory.
#include "check.h"

class exchange {
  int *tile;

public:
  __device__ exchange(int *storage, int value) : tile(storage) {
    tile[threadIdx.x] = value;
    __syncthreads();
  }
  __device__ int read(int thread) const { return tile[thread % blockDim.x]; }
  __device__ void add(int value) {
    __syncthreads();
    tile[threadIdx.x] += value;
    __syncthreads();
  }
  __device__ int operator()(int distance) {
    int result = read(threadIdx.x + distance);
    __syncthreads();
    return result;
  }
};

__global__ void run(int *out) {
  __shared__ int storage[1024];
  int me = threadIdx.x;
  exchange board(storage, me * 2);
  int first = board(1);
  board.add(first);
  out[blockIdx.x * blockDim.x + me] = board(3);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  run<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int three = (i % block + 3) % block, four = (i % block + 4) % block;
    expect(i, out[i], 2 * three + 2 * four);
  }
  return passed();
}
