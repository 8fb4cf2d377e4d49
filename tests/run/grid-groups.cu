// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a grid says of itself, in three dimensions; launches that may not synchronise it.
#include "grid.h"

struct facts {
  unsigned long long rank, threads, block_rank, blocks;
  unsigned index[3], dim[3];
  int valid;
};

__global__ void describe(facts *out) {
  cg::grid_group grid = cg::this_grid();
  unsigned long long plane = (unsigned long long)threadIdx.y * blockDim.x + threadIdx.x;
  unsigned long long block = blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  facts &mine = out[block * blockDim.x * blockDim.y * blockDim.z + threadIdx.z * blockDim.x * blockDim.y + plane];
  mine.rank = grid.thread_rank();
  mine.threads = grid.num_threads();
  mine.block_rank = grid.block_rank();
  mine.blocks = grid.num_blocks();
  mine.index[0] = grid.block_index().x;
  mine.index[1] = grid.block_index().y;
  mine.index[2] = grid.block_index().z;
  mine.dim[0] = grid.group_dim().x;
  mine.dim[1] = grid.dim_blocks().y;
  mine.dim[2] = grid.group_dim().z;
  mine.valid = grid.is_valid();
  if (grid.size() != grid.num_threads())
    mine.threads = 0;
}

__global__ void meets_if_it_may(int *cells, int *out) {
  cg::grid_group grid = cg::this_grid();
  cells[grid.thread_rank()] = 3;
  if (grid.is_valid())
    grid.sync();
  out[grid.thread_rank()] = grid.is_valid() ? cells[grid.num_threads() - 1 - grid.thread_rank()] : -1;
}

__global__ void meets(int *out) {
  *out = 1;
  cg::this_grid().sync();
  *out = 2;
}

static void check_description(const buffer<facts> &got, dim3 grid, int threads, int valid) {
  int blocks = (int)(grid.x * grid.y * grid.z);
  for (int i = 0; i < blocks * threads; i++) {
    const facts &mine = got.host[i];
    int b = i / threads;
    expect(i, mine.rank, (unsigned long long)i);
    expect(i, mine.threads, (unsigned long long)blocks * threads);
    expect(i, mine.block_rank, (unsigned long long)b);
    expect(i, mine.blocks, (unsigned long long)blocks);
    expect(i, mine.index[0], b % grid.x);
    expect(i, mine.index[1], b / grid.x % grid.y);
    expect(i, mine.index[2], b / grid.x / grid.y);
    expect(i, mine.dim[0], grid.x);
    expect(i, mine.dim[1], grid.y);
    expect(i, mine.dim[2], grid.z);
    expect(i, mine.valid, valid);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  const dim3 grid(2, 1, 3), shape(block / 2 > 0 ? block / 2 : 1, block > 1 ? 2 : 1);
  const int threads = (int)(shape.x * shape.y), n = 6 * threads;
  buffer<facts> said(n);
  // The ordinary launches come first: on a GPU that has once run a cooperative one, every grid says that it is valid.
  describe<<<grid, shape>>>(said.device);
  said.download();
  check_description(said, grid, threads, 0);
  buffer<int> cells(n), out(n);
  meets_if_it_may<<<grid, shape>>>(cells.device, out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], -1);

  launch_together(describe, grid, shape, 0, said.device);
  said.download();
  check_description(said, grid, threads, 1);
  launch_together(meets_if_it_may, grid, shape, 0, cells.device, out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], 3);

  // More blocks than run at once, and not one more than that.
  void *arguments[] = {&out.device};
  int most = fitting_blocks(meets, block, 1 << 30);
  expect(-1, (int)cudaLaunchCooperativeKernel((void *)meets, most, block, arguments, 0, 0), (int)cudaSuccess);
  expect(-2, (int)cudaDeviceSynchronize(), (int)cudaSuccess);
  expect(-3, (int)cudaLaunchCooperativeKernel((void *)meets, most + 1, block, arguments, 0, 0),
         (int)cudaErrorCooperativeLaunchTooLarge);
  expect(-4, (int)cudaGetLastError(), (int)cudaErrorCooperativeLaunchTooLarge);
  int supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  expect(0, supported, 1);

#ifdef __UNWARP__
  // The barrier of a grid without that promise ends the kernel, and the error stays.
  meets<<<5, block>>>(out.device);
  expect(-5, (int)cudaDeviceSynchronize(), (int)cudaErrorLaunchFailure);
  int *more;
  expect(-6, (int)cudaMalloc((void **)&more, 4), (int)cudaErrorLaunchFailure);
  expect(-7, *out.device, 1); // the host can look at a device's memory
#endif
  return passed();
}
