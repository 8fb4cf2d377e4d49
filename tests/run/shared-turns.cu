// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block that hand over to each other through shared memory, over and over between two barriers: in turn, by a
// ring from warp to warp, and by a barrier of their own.
#include "check.h"

__global__ void in_turn(int rounds, int *log) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0)
    turn = 0;
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    while (turn % blockDim.x != threadIdx.x) {
    }
    log[turn] = threadIdx.x;
    __threadfence_block();
    turn = turn + 1;
  }
}

// The first thread of one warp makes what that of another one takes.
__global__ void ring(int count, int *taken) {
  const int places = 4;
  __shared__ volatile int place[places], full[places];
  if (threadIdx.x < places)
    full[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < count; i++) {
      while (full[i % places]) {
      }
      place[i % places] = 3 * i + 1;
      __threadfence_block();
      full[i % places] = 1;
    }
  else if (threadIdx.x == 32)
    for (int i = 0; i < count; i++) {
      while (!full[i % places]) {
      }
      taken[i] = place[i % places];
      __threadfence_block();
      full[i % places] = 0;
    }
}

__global__ void own_barrier(int rounds, int *sums) {
  __shared__ volatile int sense;
  __shared__ int arrived, sum;
  if (threadIdx.x == 0)
    sense = arrived = sum = 0;
  __syncthreads();
  int own = 0;
  for (int i = 0; i < rounds; i++) {
    atomicAdd(&sum, threadIdx.x + i);
    own = !own;
    __threadfence_block();
    if (atomicAdd(&arrived, 1) == blockDim.x - 1) {
      sums[i] = sum;
      arrived = 0;
      __threadfence_block();
      sense = own;
    } else {
      while (sense != own) {
      }
    }
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), rounds = 20 + argc % 2, count = 100;
  buffer<int> log(block * rounds), taken(count), sums(rounds);
  in_turn<<<1, block>>>(rounds, log.device);
  log.download();
  for (int i = 0; i < block * rounds; i++)
    expect(i, log[i], i % block);
  ring<<<1, 64>>>(count, taken.device);
  taken.download();
  for (int i = 0; i < count; i++)
    expect(i, taken[i], 3 * i + 1);
  own_barrier<<<1, block>>>(rounds, sums.device);
  sums.download();
  int sum = 0;
  for (int i = 0; i < rounds; i++) {
    sum += block * (block - 1) / 2 + i * block;
    expect(i, sums[i], sum);
  }
  puts("ok");
}
