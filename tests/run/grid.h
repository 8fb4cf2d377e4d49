// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the programs whose blocks wait for each other: launches, and grids that fit the device at once.
#ifndef TESTS_RUN_GRID_H
#define TESTS_RUN_GRID_H

#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

// At most `wanted` blocks, and no more than run at once.
template <typename Kernel> static int fitting_blocks(Kernel kernel, int block, int wanted, size_t shared = 0) {
  int each = 0, multiprocessors = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, block, shared));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return each * multiprocessors < wanted ? each * multiprocessors : wanted;
}

template <typename... Parameters, typename... Arguments>
static void launch_together(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared, Arguments... values) {
  void *pointers[] = {(void *)&values...};
  CHECK(cudaLaunchCooperativeKernel((void *)kernel, grid, block, pointers, shared, 0));
}

#endif
