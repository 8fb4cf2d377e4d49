/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cooperative groups: every kind of group, partition, exchange, reduction, scan and copy.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
struct record {
  int a;
  float b;
  double c;
};
__device__ int of_any_group(cg::thread_group group, int value) {
  group.sync();
  return (int)(group.thread_rank() + group.size() * value);
}
template <typename Group> __device__ float sum(const Group &group, float value) {
  for (int offset = group.size() / 2; offset > 0; offset /= 2)
    value += group.shfl_down(value, offset);
  return value;
}
__global__ void groups(int *n, float *f, record *r) {
  __shared__ float shared[64];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  auto active = cg::coalesced_threads();
  auto one = cg::this_thread();
  n[0] = of_any_group(block, 1) + of_any_group(warp, 2) + of_any_group(eight, 3) + of_any_group(active, 4) +
         of_any_group(cg::tiled_partition(block, 16), 5) + (int)one.thread_rank();
  f[0] = warp.shfl_down(f[1], 4) + eight.shfl(f[2], 3) + cg::reduce(warp, f[3], cg::plus<float>()) + sum(eight, f[4]) +
         (float)cg::reduce(active, n[3], cg::greater<int>()) + (float)cg::reduce(eight, n[4], cg::less<int>());
  r[0] = eight.shfl_xor(r[1], 2);
  r[3] = active.shfl(r[2], 1);
  n[1] = eight.ballot(n[2]) + eight.any(n[3]) + warp.all(n[4]) + eight.meta_group_rank() + eight.meta_group_size() +
         warp.match_any(n[4]) + active.ballot(n[3]) + active.shfl_up(n[5], 1) + active.shfl_down(n[5], 1);
  n[5] = cg::inclusive_scan(warp, n[6], cg::plus<int>()) + cg::exclusive_scan(active, n[7]) +
         cg::exclusive_scan(eight, n[7], cg::bit_or<int>());
  auto labeled = cg::labeled_partition(warp, n[9]);
  auto split = cg::binary_partition(active, n[9] > 3);
  auto part = cg::tiled_partition(active, 4);
  n[8] = labeled.size() + split.thread_rank() + (int)grid.thread_rank() + block.thread_index().x +
         (int)grid.num_blocks() + block.group_index().y + part.meta_group_rank() + (int)grid.block_rank();
  if (active.thread_rank() == 0)
    atomicAdd(n, active.num_threads());
  cg::memcpy_async(block, shared, f, sizeof shared);
  cg::wait(block);
  cg::sync(block);
  eight.sync();
  cg::wait(block);
  n[20] = (int)shared[3];
}
__global__ void whole_grid(int *n) {
  cg::grid_group grid = cg::this_grid();
  n[grid.thread_rank()] = 1;
  grid.sync();
  cg::this_grid().sync();
}
int main() { return 0; }
