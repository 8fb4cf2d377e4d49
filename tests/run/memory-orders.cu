// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory orders by the names that libcu++ has in namespace cuda, and in cuda::std: as arguments, as a type and as a value.
#include <cuda/atomic>

#include "check.h"

template <cuda::memory_order order> __device__ int load(cuda::atomic<int> &cell) { return cell.load(order); }

__global__ void count(cuda::atomic<int> *cells, int *loads) {
  cells[0].fetch_add(1, cuda::memory_order_relaxed);
  cells[1].fetch_add(2, cuda::memory_order_acq_rel);
  cells[2].fetch_or(4, cuda::std::memory_order_seq_cst);
  cuda::memory_order order = threadIdx.x % 2 ? cuda::memory_order_release : cuda::memory_order_seq_cst;
  cells[3].store(9, order);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
  atomicAdd(loads, load<cuda::memory_order_acquire>(cells[3]) + load<cuda::memory_order_consume>(cells[3]));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), threads = 3 * block;
  buffer<int> cells(4), loads(1);
  for (int i = 0; i < 4; i++)
    cells[i] = 0;
  loads[0] = 0;
  cells.upload();
  loads.upload();
  count<<<3, block>>>((cuda::atomic<int> *)cells.device, loads.device);
  cells.download();
  loads.download();
  expect(0, cells[0], threads);
  expect(1, cells[1], 2 * threads);
  expect(2, cells[2], 4);
  expect(3, cells[3], 9);
  expect(4, loads[0], 18 * threads);
  static_assert(cuda::memory_order_acquire == std::memory_order_acquire, "one type under three names");
  return passed();
}
