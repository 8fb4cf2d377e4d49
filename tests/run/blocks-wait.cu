// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that wait for others in loops of their own, in plain launches of no more blocks than run at once: for a higher-numbered
// block, for all (a barrier made by hand, in four ways), for a lock that another one holds across a barrier, for each other in turn.
// flags: -g
#include "grid.h"

// Each block waits for the next one and gives what that one gave, and one more.
__global__ void backwards(volatile int *ready, volatile int *value, int *out) {
  if (threadIdx.x == 0) {
    int b = blockIdx.x, more = 0;
    if (b + 1 < gridDim.x) {
      while (!ready[b + 1]) {}
      __threadfence();
      more = value[b + 1];
    }
    value[b] = more + 1;
    __threadfence();
    ready[b] = 1;
    out[b] = more + 1;
  }
}

// Barriers made by hand: by a counter, read in four ways.
template <int way> __device__ void meet(unsigned *arrived, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    if (way == 0) {
      while (*(volatile unsigned *)arrived < goal) {}
    } else if (way == 1) {
      while (atomicAdd(arrived, 0) < goal)
        __nanosleep(50);
    } else if (way == 2) {
      unsigned seen;
      do {
        __threadfence();
        seen = *arrived;
      } while (seen < goal);
    } else {
      for (;;) {
        unsigned seen = atomicCAS(arrived, 0xffffffffu, 0u);
        if (seen >= goal)
          break;
      }
    }
    __threadfence();
  }
  __syncthreads();
}

template <int way> __global__ void iterations(unsigned *arrived, int *cells, int *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, sum = 0;
  for (int iteration = 0; iteration < count; iteration++) {
    cells[i] = i + iteration * 1000;
    meet<way>(arrived, (2 * iteration + 1) * gridDim.x);
    sum += cells[n - 1 - i];
    meet<way>(arrived, (2 * iteration + 2) * gridDim.x);
  }
  out[i] = sum;
}

// The flags that a warp waits for, all at once, as scans that look back do.
__global__ void wait_for_all(volatile int *flags, int *out) {
  int lane = threadIdx.x;
  if (lane < 32) {
    if (lane == 0)
      flags[gridDim.x - 1 - blockIdx.x] = 1;
    int mine, b = lane < gridDim.x ? lane : 0;
    do {
      mine = flags[b];
    } while (__any_sync(__activemask(), mine == 0));
  }
  __syncthreads();
  if (lane == 0)
    out[blockIdx.x] = 1;
}

// A lock that is held across barriers of the block.
__global__ void guarded(int *lock, int *inside, int *log, int *turn) {
  __shared__ int place;
  if (threadIdx.x == 0)
    while (atomicExch(lock, 1) != 0) {}
  __syncthreads();
  if (threadIdx.x == 0)
    place = (*(volatile int *)turn)++;
  if (threadIdx.x == 0)
    *inside += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    log[place] = blockIdx.x + 1000 * *inside;
  __syncthreads();
  if (threadIdx.x == 0) {
    *inside -= 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Two blocks hand a token to and fro; the others run beside them.
__global__ void to_and_fro(volatile int *token, int *out, int times) {
  if (threadIdx.x == 0 && blockIdx.x % 2 == 0 && blockIdx.x + 1 < gridDim.x) {
    volatile int *mine = token + blockIdx.x / 2;
    for (int k = 0; k < times; k++) {
      while (*mine != 2 * k) {}
      *mine = 2 * k + 1;
    }
  } else if (threadIdx.x == 0 && blockIdx.x % 2 == 1) {
    volatile int *mine = token + blockIdx.x / 2;
    for (int k = 0; k < times; k++) {
      while (*mine != 2 * k + 1) {}
      *mine = 2 * k + 2;
    }
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = 1;
}

template <int way> static void check_iterations(int block, int blocks, int iterations_wanted) {
  int n = block * blocks;
  buffer<unsigned> arrived(1);
  buffer<int> cells(n), out(n);
  arrived.upload();
  iterations<way><<<blocks, block>>>(arrived.device, cells.device, out.device, iterations_wanted);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], iterations_wanted * (n - 1 - i) + 1000 * iterations_wanted * (iterations_wanted - 1) / 2);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = fitting_blocks(iterations<0>, block, 13);
  buffer<int> ready(blocks), value(blocks), out(blocks);
  ready.upload();
  backwards<<<blocks, block>>>(ready.device, value.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    expect(b, out[b], blocks - b);
  check_iterations<0>(block, blocks, 6);
  check_iterations<1>(block, blocks, 6);
  check_iterations<2>(block, blocks, 6);
  check_iterations<3>(block, blocks, 6);
  check_iterations<0>(block, 1, 3);

  ready.upload();
  wait_for_all<<<blocks, block>>>(ready.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    expect(b, out[b], 1);

  const int many = 150; // more than run at once: a lock's holder always goes on
  buffer<int> lock(3), log(many);
  lock.upload();
  guarded<<<many, block>>>(lock.device, lock.device + 1, log.device, lock.device + 2);
  log.download();
  int seen[many] = {};
  for (int k = 0; k < many; k++) {
    expect(k, log[k] / 1000, 1); // alone inside
    seen[log[k] % 1000]++;
  }
  for (int b = 0; b < many; b++)
    expect(b, seen[b], 1);

  ready.upload();
  to_and_fro<<<blocks, block>>>(ready.device, out.device, 40);
  out.download();
  for (int b = 0; b < blocks; b++)
    expect(b, out[b], 1);
  return passed();
}
