// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole blocks and warps that wait by barriers, votes, shuffles and flags in shared memory: for blocks with higher indices, which
// run later, and for the host. Next to them loops of the same looks that end by themselves.
#include "grid.h"

// Each waits until *flag is not 0, and gives it.
__device__ int by_block_vote(volatile int *flag) {
  while (!__syncthreads_or(*flag)) {}
  return *flag;
}
__device__ int by_block_count(int *flag) {
  while (__syncthreads_count(flag[0]) == 0) {}
  return *flag;
}
__device__ int by_barrier(int *flag) {
  while (flag[0] == 0)
    __syncthreads();
  return *flag;
}
__device__ int by_warp_vote(volatile int *flag) {
  while (!__any_sync(__activemask(), *flag)) {}
  return *flag;
}
__device__ int by_all(volatile int *flag) {
  while (!__all_sync(__activemask(), *flag != 0)) {}
  return *flag;
}
__device__ int by_shuffle(volatile int *flag) {
  int seen = 0;
  do {
    if (threadIdx.x % 32 == 0)
      seen = *flag;
    seen = __shfl_sync(__activemask(), seen, 0);
  } while (seen == 0);
  return seen;
}
__device__ int by_copy(int *flag) {
  __shared__ int seen;
  for (;;) {
    if (threadIdx.x == 0)
      seen = *(volatile int *)flag;
    __syncthreads();
    if (seen)
      break;
    __syncthreads();
  }
  return seen;
}
__device__ int by_atomic(int *flag) {
  __shared__ int seen;
  do {
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
      seen = atomicAdd(flag, 0);
    __syncthreads();
  } while (!seen);
  return seen;
}
__device__ int by_note(int *flag) {
  __shared__ int done;
  if (threadIdx.x == 0)
    done = 0;
  __syncthreads();
  while (!done) {
    if (threadIdx.x == 0 && *(volatile int *)flag)
      done = 1;
    __syncthreads();
  }
  return *(volatile int *)flag;
}
__device__ int by_group(int *flag) {
  cg::thread_block block = cg::this_thread_block();
  int seen;
  do {
    seen = *(volatile int *)flag;
    block.sync();
  } while (!seen);
  return seen;
}
__device__ int by_tile(int *flag) {
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
  while (!tile.any(*(volatile int *)flag)) {}
  return *(volatile int *)flag;
}

template <int way> __device__ int wait(int *flag) {
  switch (way) {
  case 0: return by_block_vote(flag);
  case 1: return by_block_count(flag);
  case 2: return by_barrier(flag);
  case 3: return by_warp_vote(flag);
  case 4: return by_all(flag);
  case 5: return by_shuffle(flag);
  case 6: return by_copy(flag);
  case 7: return by_atomic(flag);
  case 8: return by_note(flag);
  case 9: return by_group(flag);
  default: return by_tile(flag);
  }
}

// Each block waits for the one after it, the last one for flags[gridDim.x]; each adds one.
template <int way> __global__ void backwards(int *flags, int *out) {
  int got = wait<way>(flags + blockIdx.x + 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = got;
  __syncthreads();
  __threadfence();
  if (threadIdx.x == 0)
    *(volatile int *)(flags + blockIdx.x) = got + 1;
}

template <int way> static void check_way(int block) {
  const int blocks = fitting_blocks(backwards<way>, block, 6);
  int *flags, *out;
  CHECK(cudaMallocManaged(&flags, (blocks + 1) * sizeof(int)));
  CHECK(cudaMallocManaged(&out, blocks * block * sizeof(int)));
  for (int by_host = 0; by_host < 2; by_host++) {
    for (int b = 0; b <= blocks; b++)
      flags[b] = 0;
    for (int i = 0; i < blocks * block; i++)
      out[i] = -1;
    if (!by_host)
      flags[blocks] = 100;
    backwards<way><<<blocks, block>>>(flags, out);
    if (by_host) {
      expect(way, flags[0], 0);
      *(volatile int *)(flags + blocks) = 100;
    }
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < blocks * block; i++)
      expect(i, out[i], 100 + blocks - 1 - i / block);
    expect(way, flags[0], 100 + blocks);
  }
  CHECK(cudaFree(flags));
  CHECK(cudaFree(out));
}

// Loops that look like those and come to their end by themselves: values that sink, a state in shared memory, iterations counted.
__global__ void ends_by_itself(const int *start, int *out) {
  __shared__ int level, state;
  int iterations = 0, mine = *(volatile const int *)start + threadIdx.x % 3;
  while (__syncthreads_or(mine > 0))
    mine--, iterations++;
  if (threadIdx.x == 0)
    level = *start, state = 0;
  __syncthreads();
  while (level > 0) {
    __syncthreads();
    if (threadIdx.x == 0)
      level = level - 1;
    __syncthreads();
    iterations++;
  }
  while (state < 3) {
    int seen = state;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (seen == 0)
        state = 1;
      else if (seen == 1)
        state = 2;
      else
        state = 3;
    }
    __syncthreads();
  }
  int looks = 0;
  while (*(volatile const int *)start != -1 && looks < 1000)
    looks++;
  out[blockIdx.x * blockDim.x + threadIdx.x] = iterations + 1000 * state + looks;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3;
  check_way<0>(block);
  check_way<1>(block);
  check_way<2>(block);
  check_way<3>(block);
  check_way<4>(block);
  check_way<5>(block);
  check_way<6>(block);
  check_way<7>(block);
  check_way<8>(block);
  check_way<9>(block);
  check_way<10>(block);
  buffer<int> start(1), out(blocks * block);
  start.host[0] = 20;
  start.upload();
  ends_by_itself<<<blocks, block>>>(start.device, out.device);
  out.download();
  const int most = block >= 3 ? 2 : block - 1;
  for (int i = 0; i < blocks * block; i++)
    expect(i, out.host[i], 20 + most + 20 + 3000 + 1000);
  return passed();
}
