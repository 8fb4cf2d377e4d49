/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches whose values are not those that a kernel's optimised code is made for, as grids of more than 2^31 threads
 * that an integer of 32 bits counts: each block is run by the kernel's replay, which is the kernel as it was written.
 * Workers take one block after the other, in index order: a block may wait for one with a lower index.
 */
#include <stdatomic.h>

#include "internal.h"

static void run_blocks(const uwrt_kernel *kernel, const uwrt_dims *dims, void **args, _Atomic uint64_t *next) {
  const uint64_t blocks = (uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2];
  uwrt_place outer = uwrt_own_place;
  uwrt_dims own = *dims;
  while ((own.block_number = atomic_fetch_add_explicit(next, 1, memory_order_relaxed)) < blocks)
    kernel->replay(&own, args);
  uwrt_own_place = outer;
}

void uwrt_launch_plain(const uwrt_dims *dims, void **args) {
  const uwrt_kernel *kernel = dims->running->kernel;
  _Atomic uint64_t next = 0;
  if (!kernel->replay)
    uwrt_fatal("bug in unwarp: a kernel without a plain version");
  uwrt_trace_plain(kernel);
  if (kernel->flags & UWRT_KERNEL_BLOCKS_WAIT) {
    kernel->replay(dims, args);
    return;
  }
#pragma omp parallel num_threads(uwrt_max_workers())
  run_blocks(kernel, dims, args, &next);
}
