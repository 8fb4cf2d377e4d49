// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private array in memory, read at t & 3 by each thread: in 16 lanes at a time the position starts anew every four threads, which LLVM's vectoriser
// does not see (target/divisions.c), nor in as many lanes as there are. The product of 128 bits has the values before the loop computed lane by lane, the loop in vectors.
#include "check.h"

__host__ __device__ static inline unsigned iterations(unsigned a, unsigned count) {
  unsigned sum = ((a + 3u) ^ 17u) + a;
  for (unsigned i = 0; i < (count & 3u); i++)
    sum = sum * 3u + a;
  return sum;
}

__host__ __device__ static inline unsigned high(unsigned long long a, unsigned long long b) {
  return (unsigned)((unsigned __int128)a * b >> 64);
}

__global__ void look(const unsigned *in, unsigned *out) {
  unsigned t = threadIdx.x, own = in[t & 63u], whole = blockDim.x - (t & ~31u) > 31u;
  unsigned array[4] = {t * 7u + 1u, own, 3u, t};
  __syncthreads();
  unsigned other = own ^ (whole ? __shfl_xor_sync(~0u, own, 2u) : 1u);
  unsigned place = array[other & 3u] & 15u;
  unsigned sum = iterations((in[t & 63u] | array[t & 3u]) ^ high(own * 2654435761ull, t), own >> 3);
  out[blockIdx.x * blockDim.x + t] = place ^ (sum << 8);
}

/* Each lane of a warp gets what another one has, from the start again after 16. */
__global__ void turn(const int *in, int *out) {
  __shared__ int tile[1024];
  int t = threadIdx.x, lane = t & 31, first = t - lane;
  tile[t] = in[blockIdx.x * blockDim.x + t];
  __syncwarp();
  int at = first + (lane + 5) % 16;
  int got = lane < 16 && at < blockDim.x ? tile[at] : -1;
  __syncwarp();
  out[blockIdx.x * blockDim.x + t] = got;
}

static void check_turns(int block, int blocks) {
  buffer<int> in((size_t)block * blocks), out((size_t)block * blocks);
  for (int i = 0; i < block * blocks; i++)
    in[i] = i * 37 % 101;
  in.upload();
  turn<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < block * blocks; i++) {
    int t = i % block, lane = t & 31, at = t - lane + (lane + 5) % 16;
    expect(i, out[i], lane < 16 && at < block ? in[i - t + at] : -1);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3;
  buffer<unsigned> in(64), out((size_t)block * blocks);
  unsigned state = 7;
  for (int i = 0; i < 64; i++)
    in[i] = next_random(state) * 257u;
  in.upload();
  look<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < block * blocks; i++) {
    unsigned t = i % block, own = in[t & 63u], whole = block - (t & ~31u) > 31u;
    unsigned array[4] = {t * 7u + 1u, own, 3u, t};
    unsigned other = own ^ (whole ? in[(t ^ 2u) & 63u] : 1u);
    unsigned sum = iterations((own | array[t & 3u]) ^ high(own * 2654435761ull, t), own >> 3);
    expect(i, out[i], (array[other & 3u] & 15u) ^ (sum << 8));
  }
  check_turns(block, blocks);
  return passed();
}
