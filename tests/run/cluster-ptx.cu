// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters by inline PTX: special registers, mapa and getctarank of addresses of 64 and 32 bits, loads, stores and atomics of
// shared::cluster, barrier.cluster in all its forms, in clusters of 1, 2, 4 and 8.
// nvcc flags: -arch=sm_90
#include "check.h"

__device__ unsigned short_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

template <int x, int y> __global__ void __cluster_dims__(x, y) pass_around(unsigned *out) {
  __shared__ unsigned cell[4];
  unsigned rank, size, ax, ay, nx, ny, cx, cy, gx, gy, there, from_rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("mov.u32 %0, %%cluster_ctaid.x;\n\tmov.u32 %1, %%cluster_ctaid.y;" : "=r"(ax), "=r"(ay));
  asm("mov.u32 %0, %%cluster_nctaid.x;\n\tmov.u32 %1, %%cluster_nctaid.y;" : "=r"(nx), "=r"(ny));
  asm("mov.u32 %0, %%clusterid.x;\n\tmov.u32 %1, %%clusterid.y;" : "=r"(cx), "=r"(cy));
  asm("mov.u32 %0, %%nclusterid.x;\n\tmov.u32 %1, %%nclusterid.y;" : "=r"(gx), "=r"(gy));
  unsigned next = (rank + 1) % size, block = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x < 4)
    cell[threadIdx.x] = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x == 0) {
    unsigned long long whole;
    asm("mapa.u64 %0, %1, %2;" : "=l"(whole) : "l"((unsigned long long)&cell[0]), "r"(next));
    asm volatile("st.u32 [%0], %1;" ::"l"(whole), "r"(block * 10) : "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(short_address(&cell[1])), "r"(next));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(block * 10 + 1) : "memory");
    for (unsigned to = 0; to < size; to++) {
      asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(short_address(&cell[2])), "r"(to));
      asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(there), "r"(rank + 1) : "memory");
    }
    asm("getctarank.u64 %0, %1;" : "=r"(from_rank) : "l"(whole));
    cell[3] = from_rank;
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(from_rank) : "r"(there));
    cell[3] = cell[3] * 100 + from_rank;
  }
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) {
    unsigned *mine = out + block * 16, values[] = {rank, size, ax, ay, nx, ny, cx, cy, gx, gy, cell[0], cell[1], cell[2], cell[3]};
    for (int i = 0; i < 14; i++)
      mine[i] = values[i];
  }
  if (threadIdx.x == 0) { // what the next one has now
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(short_address(cell)), "r"(next));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(from_rank) : "r"(there) : "memory");
    out[block * 16 + 14] = from_rank;
  }
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
}

template <int x, int y> static void check_shape(int block, dim3 clusters) {
  dim3 grid(clusters.x * x, clusters.y * y);
  const unsigned size = x * y;
  buffer<unsigned> out(grid.x * grid.y * 16);
  pass_around<x, y><<<grid, block>>>(out.device);
  out.download();
  for (unsigned by = 0; by < grid.y; by++)
    for (unsigned bx = 0; bx < grid.x; bx++) {
      unsigned b = by * grid.x + bx, rank = bx % x + x * (by % y), before = (rank + size - 1) % size, next = (rank + 1) % size;
      unsigned first_x = bx / x * x, first_y = by / y * y;
      unsigned from = (first_y + before / x) * grid.x + first_x + before % x;
      unsigned expected[] = {rank,       size,       bx % x,     by % y,    x,
                             y,          bx / x,     by / y,     clusters.x, clusters.y,
                             from * 10,  from * 10 + 1, size * (size + 1) / 2, next * 100 + size - 1, b * 10};
      for (int i = 0; i < 15; i++)
        expect(b * 16 + i, out[b * 16 + i], expected[i]);
    }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_shape<1, 1>(block, dim3(3));
  check_shape<2, 1>(block, dim3(3, 2));
  check_shape<2, 2>(block, dim3(2, 3));
  check_shape<8, 1>(block, dim3(2));
  check_shape<1, 8>(block, dim3(2, 1));
  return passed();
}
