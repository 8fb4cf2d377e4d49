/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Into how many slices the threads of each block go when blocks alone would not keep all workers busy
 * (compiler/passes/rows/few_blocks.c). */
#include "internal.h"

enum { ROUNDS = 4, GROUP = 16 }; /* GROUP: as in few_blocks.c */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t at_least_one(uint64_t a) { return a ? a : 1; }

uint64_t uwrt_slices(uint64_t blocks, uint64_t rows, uint64_t columns) {
  uint64_t workers = (uint64_t)uwrt_max_workers();
  if (workers == 1 || blocks >= ROUNDS * workers || blocks % workers == 0)
    return 1 | (uint64_t)1 << 32;
  uint64_t wanted = (ROUNDS * workers + blocks - 1) / at_least_one(blocks);
  uint64_t down = at_least_one(least(wanted, rows));
  uint64_t across = at_least_one(least((wanted + down - 1) / down, (columns + GROUP - 1) / GROUP));
  return down | across << 32;
}
