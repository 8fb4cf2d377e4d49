// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of the grid in control flow: a loop that ends by what other blocks wrote, a device function, both arms of a branch,
// a condition that the compiler cannot know to be the same for all, blocks that have left.
#include "grid.h"

// Label propagation in a ring: until no label changes anywhere.
__global__ void spread_smallest(int *label, int n, int *changed, int *iterations) {
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank(), iteration = 0;
  do {
    grid.sync();
    if (i == 0)
      changed[(iteration + 1) & 1] = 0;
    int smallest = min(label[(i + n - 1) % n], label[(i + 1) % n]);
    bool better = smallest < label[i];
    grid.sync();
    if (better) {
      label[i] = smallest;
      changed[iteration & 1] = 1;
    }
    grid.sync();
  } while (((volatile int *)changed)[iteration++ & 1]);
  if (i == 0)
    *iterations = iteration;
}

__device__ int sum_of_all(cg::grid_group grid, int *cells, int value) {
  __shared__ int part;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  atomicAdd(&part, value);
  __syncthreads();
  if (threadIdx.x == 0)
    cells[blockIdx.x] = part;
  grid.sync();
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; b++)
    sum += cells[b];
  grid.sync();
  return sum;
}

__global__ void in_functions(int *cells, int *out, int n, int selector) {
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank();
  int a = sum_of_all(grid, cells, i), b = sum_of_all(grid, cells, 2 * i + 1);
  int c;
  if (selector > 3) {
    out[i] = a;
    grid.sync();
    c = out[n - 1 - i];
  } else {
    out[i] = b;
    cg::sync(grid);
    c = out[(i + 1) % n];
  }
  grid.sync();
  out[i] = c + 3 * i;
}

// In each block another number of iterations, and of barriers of the block, between two barriers of the grid. In some iterations the
// whole grid meets once more, as a table says.
__global__ void uneven(int *cells, const int *meet, int *out, int iterations) {
  __shared__ int turn[1024];
  cg::grid_group grid = cg::this_grid();
  int total = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    turn[threadIdx.x] = threadIdx.x + iteration;
    for (unsigned step = 0; step <= blockIdx.x % 4; step++) {
      __syncthreads();
      int next = turn[(threadIdx.x + 1) % blockDim.x];
      __syncthreads();
      turn[threadIdx.x] = next + 1;
    }
    cells[grid.thread_rank()] = turn[threadIdx.x];
    if (meet[iteration + (int)threadIdx.x * 0] == 1) {
      grid.sync();
      total += cells[(grid.thread_rank() + blockDim.x) % grid.num_threads()];
      grid.sync();
    } else if (meet[iteration] == 2) {
      auto token = grid.barrier_arrive();
      total += 1000;
      grid.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(token));
      total += cells[(grid.thread_rank() + 1) % grid.num_threads()];
      grid.sync();
    }
  }
  out[grid.thread_rank()] = total;
}

#ifdef __UNWARP__
// A thread that has returned is waited for no longer; nor is a block. (CUDA forbids it, and a GPU waits forever.)
__global__ void some_leave(int *cells, int *out) {
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank();
  cells[i] = i + 1;
  if (blockIdx.x % 3 == 2 || threadIdx.x % 5 == 4)
    return;
  grid.sync();
  int sum = 0;
  for (unsigned k = 0; k < grid.num_threads(); k++)
    sum += cells[k];
  out[i] = sum;
}
#endif

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = fitting_blocks(uneven, block, 11), n = block * blocks;
  buffer<int> cells(n), out(n), changed(2), meet(8), iterations(1);
  int seed = 0;
  for (int i = 0; i < n; i++)
    cells[i] = (i * 7919 + 13) % (4 * n) + 5;
  for (int i = 1; i < n; i++)
    if (cells[i] < cells[seed])
      seed = i;
  int smallest = cells[seed];
  changed[0] = changed[1] = 0;
  cells.upload();
  changed.upload();
  launch_together(spread_smallest, blocks, block, 0, cells.device, n, changed.device, iterations.device);
  cells.download();
  iterations.download();
  for (int i = 0; i < n; i++)
    expect(i, cells[i], smallest);
  if (iterations[0] < 1 || iterations[0] > n / 2 + 2)
    fail_at(0, iterations[0], n / 2 + 1);

  long long all = (long long)n * (n - 1) / 2;
  for (int selector = 2; selector < 6; selector += 3) {
    launch_together(in_functions, blocks, block, 0, cells.device, out.device, n, selector);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], (int)(selector > 3 ? all : 2 * all + n) + 3 * i);
  }

  for (int i = 0; i < 8; i++)
    meet[i] = i * 5 % 3;
  meet.upload();
  launch_together(uneven, blocks, block, 0, cells.device, meet.device, out.device, 8);
  out.download();
  for (int i = 0; i < n; i++) {
    int total = 0;
    for (int iteration = 0; iteration < 8; iteration++) {
      int far = meet[iteration] == 1 ? (i + block) % n : (i + 1) % n, steps = far / block % 4 + 1;
      int value =
          (far % block + steps) % block + iteration + steps; /* the first value moves and grows by 1 each step */
      if (meet[iteration] != 0)
        total += value + (meet[iteration] == 2 ? 1000 : 0);
    }
    expect(i, out[i], total);
  }

#ifdef __UNWARP__
  launch_together(some_leave, blocks, block, 0, cells.device, out.device);
  out.download();
  for (int i = 0; i < n; i++)
    if (!(i / block % 3 == 2 || i % block % 5 == 4))
      expect(i, out[i], n * (n + 1) / 2);
#endif
  return passed();
}
