// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end by a vote of the warp or the block, on volatile words that other warps and blocks write, and that write themselves: nodes
// of a graph that are numbered once all of their lower neighbours are, in any order of blocks.
#include "check.h"

// The neighbours of v are higher ones here, so that blocks wait for later blocks: v is done with one more than the greatest of them.
__device__ int depth_of(const volatile int *depth, int v, int n) {
  int most = 0;
  for (int k = 1; k <= 3 && v + k * k * 5 < n; k++) {
    int other = depth[v + k * k * 5];
    if (other == 0)
      return 0;
    most = max(most, other);
  }
  return most + 1;
}

__global__ void by_warp(volatile int *depth, int *tries, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  bool again;
  do {
    again = false;
    for (int v = first; __any_sync(~0u, v < n); v += step) {
      int before, now; // without a value where there is no node
      if (v < n) {
        before = depth[v];
        now = before ? before : depth_of(depth, v, n);
      }
      int open = __ballot_sync(~0u, v < n && !now);
      if (v < n) {
        if (!now)
          again = true;
        depth[v] = now;
        tries[v] = __popc(open);
      }
    }
  } while (__any_sync(~0u, again));
}

// 0: __syncthreads_or, 1: __syncthreads_and in a for, 2: a flag in shared memory, 3: __syncthreads_count in a while with goto.
template <int way> __global__ void by_block(volatile int *depth, int n) {
  __shared__ int open;
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  auto look = [&] {
    if (v < n && depth[v] == 0) {
      int now = depth_of(depth, v, n);
      if (now)
        depth[v] = now;
      return now == 0;
    }
    return false;
  };
  if (way == 0) {
    bool again;
    do {
      again = look();
    } while (__syncthreads_or(again));
  } else if (way == 1) {
    for (bool all = false; !all; all = __syncthreads_and(!look())) {}
  } else if (way == 2) {
    do {
      __syncthreads();
      open = 0;
      __syncthreads();
      if (look())
        open = 1;
      __syncthreads();
    } while (open);
  } else {
  more:
    if (__syncthreads_count(look()) > 0)
      goto more;
  }
}

// Warps that come together within an iteration.
__global__ void with_syncwarp(volatile int *depth, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = v >= n;
  while (!__all_sync(~0u, done)) {
    if (!done) {
      int now = depth_of(depth, v, n);
      if (now) {
        depth[v] = now;
        done = true;
      }
    }
    __syncwarp();
  }
}

int main(int argc, char **argv) {
  int block = (block_size(argc, argv) + 31) / 32 * 32, few = block > 150 ? 2 : 5, n = few * block - 7;
  buffer<int> depth(n), tries(n), expected(n);
  for (int v = n - 1; v >= 0; v--) {
    expected[v] = 1;
    for (int k = 1; k <= 3 && v + k * k * 5 < n; k++)
      expected[v] = expected[v + k * k * 5] >= expected[v] ? expected[v + k * k * 5] + 1 : expected[v];
  }
  auto check = [&](auto launch) {
    depth.upload();
    launch();
    CHECK(cudaDeviceSynchronize());
    buffer<int> found(n);
    CHECK(cudaMemcpy(found.host, depth.device, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int v = 0; v < n; v++)
      expect(v, found[v], expected[v]);
  };
  check([&] { by_warp<<<few, block>>>(depth.device, tries.device, n); });
  check([&] { by_warp<<<2, block>>>(depth.device, tries.device, n); });
  check([&] { by_block<0><<<few, block>>>(depth.device, n); });
  check([&] { by_block<1><<<few, block>>>(depth.device, n); });
  check([&] { by_block<2><<<few, block>>>(depth.device, n); });
  check([&] { by_block<3><<<few, block>>>(depth.device, n); });
  check([&] { with_syncwarp<<<few, block>>>(depth.device, n); });
  return passed();
}
