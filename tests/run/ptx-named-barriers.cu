// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a part of the block in inline PTX: warps that produce and warps that consume, in branches of their own; groups of
// warps that meet each other only; votes of a group; indices and counts that only the run knows.
#include "check.h"

__device__ void sync(int id, int n) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory"); }
__device__ void arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory"); }

// Half of the warps produce, half consume, through two buffers.
__global__ void pipe(const int *in, int *out, int iterations) {
  __shared__ int buffer[2][512];
  int half = blockDim.x / 2, t = threadIdx.x;
  in += blockIdx.x * iterations * half, out += blockIdx.x * half;
  if (t >= half) {
    for (int r = 0; r < iterations; r++) {
      if (r >= 2)
        sync(3 + r % 2, 2 * half);
      buffer[r % 2][t - half] = in[r * half + t - half];
      arrive(1 + r % 2, 2 * half);
    }
  } else {
    int sum = 0;
    for (int r = 0; r < iterations; r++) {
      sync(1 + r % 2, 2 * half);
      sum += buffer[r % 2][(t + 1) % half] * (r + 1);
      if (r + 2 < iterations)
        arrive(3 + r % 2, 2 * half);
    }
    out[t] = sum;
  }
}

// Pairs of warps each sum up what is theirs, so many iterations as each has; the whole block meets before and after. With operations of the warp.
__global__ void groups(const int *in, int *out) {
  __shared__ int warps[32], totals[16];
  int t = threadIdx.x, warp = t / 32, lane = t % 32, group = warp / 2, sum = 0;
  for (int outer = 0; outer < 2; outer++) {
    __syncthreads();
    for (int r = 0; r <= group; r++) {
      int v = in[blockIdx.x * blockDim.x + t] + r + outer;
      for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
      if (lane == 0)
        warps[warp] = v;
      asm volatile("barrier.sync.aligned %0, 64;" ::"r"(group % 15 + 1) : "memory");
      sum += warps[warp ^ 1] - warps[warp];
      asm volatile("barrier.cta.sync %0, 64;" ::"r"(group % 15 + 1) : "memory");
    }
    __syncthreads();
    if (t % 64 == 0)
      totals[group] = sum;
    __syncthreads();
    sum += totals[(group + 1) % (blockDim.x / 64)];
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}

// Votes of the lower half and of the upper half of the block, of what changes from iteration to iteration.
__global__ void votes(const int *in, int *out, int iterations) {
  int half = blockDim.x / 2, t = threadIdx.x, upper = t >= half, id = 13 + upper, result = 0;
  for (int r = 0; r < iterations; r++) {
    int x = in[blockIdx.x * blockDim.x + t] >> r & 1, all, any, count;
    asm volatile("{ .reg .pred p, q;\n setp.ne.u32 p, %1, 0;\n bar.red.popc.u32 %0, %2, %3, p; }"
                 : "=r"(count)
                 : "r"(x), "r"(id), "r"(half));
    if (upper)
      asm volatile(
          "{ .reg .pred p, q;\n setp.ne.u32 p, %1, 0;\n barrier.red.and.pred q, 14, %2, !p;\n selp.u32 %0, 1, 0, q; }"
          : "=r"(all)
          : "r"(x), "r"(half));
    else
      asm volatile(
          "{ .reg .pred p, q;\n setp.ne.u32 p, %1, 0;\n bar.red.and.pred q, 13, %2, !p;\n selp.u32 %0, 1, 0, q; }"
          : "=r"(all)
          : "r"(x), "r"(half));
    asm volatile("{ .reg .pred p, q;\n setp.ne.u32 p, %1, 0;\n bar.red.or.pred q, %2, %3, p;\n selp.u32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(x), "r"(id), "r"(half));
    result = result * 3 + count + 100 * all + 1000 * any;
  }
  out[blockIdx.x * blockDim.x + t] = result;
}

// All threads of a block that is no whole number of warps, counted as if it were; then indices without a count, which are the block's.
__global__ void whole(int *out) {
  __shared__ int values[1024];
  int t = threadIdx.x, n = blockDim.x;
  values[t] = t * 3;
  sync(5, (n + 31) / 32 * 32);
  int sum = values[(t + 1) % n];
  asm volatile("bar.sync 6;" ::: "memory");
  values[t] = sum;
  asm volatile("barrier.sync 0;" ::: "memory");
  out[blockIdx.x * n + t] = sum + values[(t + 1) % n];
}

int main(int argc, char **argv) {
  int given = block_size(argc, argv), block = (given + 63) / 64 * 64, blocks = 3, iterations = 7, half = block / 2;
  buffer<int> in(blocks * iterations * block), out(blocks * block), odd(blocks * given);
  for (int i = 0; i < in.count; i++)
    in[i] = i * 7 % 31;
  in.upload();
  pipe<<<blocks, block>>>(in.device, out.device, iterations);
  CHECK(cudaDeviceSynchronize());
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < half; t++) {
      int sum = 0;
      for (int r = 0; r < iterations; r++)
        sum += in[(b * iterations + r) * half + (t + 1) % half] * (r + 1);
      expect(b * half + t, out[b * half + t], sum);
    }

  groups<<<blocks, block>>>(in.device, out.device);
  CHECK(cudaDeviceSynchronize());
  out.download();
  for (int b = 0; b < blocks; b++) {
    int sums[32] = {0}, warps[32], totals[16], n = block / 32;
    for (int outer = 0; outer < 2; outer++) {
      for (int r = 0; r <= 15; r++) {
        for (int w = 0; w < n; w++) {
          warps[w] = 32 * (r + outer);
          for (int l = 0; l < 32; l++)
            warps[w] += in[b * block + w * 32 + l];
        }
        for (int w = 0; w < n; w++)
          if (r <= w / 2)
            sums[w] += warps[w ^ 1] - warps[w];
      }
      for (int g = 0; g < n / 2; g++)
        totals[g] = sums[2 * g];
      for (int w = 0; w < n; w++)
        sums[w] += totals[(w / 2 + 1) % (n / 2)];
    }
    for (int t = 0; t < block; t++)
      expect(b * block + t, out[b * block + t], sums[t / 32]);
  }

  votes<<<blocks, block>>>(in.device, out.device, iterations);
  CHECK(cudaDeviceSynchronize());
  out.download();
  for (int b = 0; b < 2 * blocks; b++) {
    int result = 0;
    for (int r = 0; r < iterations; r++) {
      int count = 0;
      for (int t = 0; t < half; t++)
        count += in[b * half + t] >> r & 1;
      result = result * 3 + count + 100 * (count == 0) + 1000 * (count != 0);
    }
    for (int t = 0; t < half; t++)
      expect(b * half + t, out[b * half + t], result);
  }

  whole<<<blocks, given>>>(odd.device);
  CHECK(cudaDeviceSynchronize());
  odd.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < given; t++)
      expect(b * given + t, odd[b * given + t], (t + 1) % given * 3 + (t + 2) % given * 3);
  return passed();
}
