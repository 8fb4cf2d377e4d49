/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Into how many slices the threads of each block go when blocks alone would not keep all workers busy
 * (compiler/passes/rows/distribute_blocks.c), and how many workers take a block with barriers together
 * (compiler/passes/rows/distribute_teams.c). */
#include "internal.h"
#include "workers.h"

enum { ITERATIONS = 4, GROUP = 16 }; /* GROUP: as in few_blocks.c */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t at_least_one(uint64_t a) { return a ? a : 1; }

uint64_t uwrt_slices(uint64_t blocks, uint64_t rows, uint64_t columns) {
  uint64_t workers = (uint64_t)uwrt_max_workers();
  if (workers == 1 || blocks >= ITERATIONS * workers || blocks % workers == 0)
    return 1 | (uint64_t)1 << 32;
  uint64_t wanted = (ITERATIONS * workers + blocks - 1) / at_least_one(blocks);
  uint64_t down = at_least_one(least(wanted, rows));
  uint64_t across = at_least_one(least((wanted + down - 1) / down, (columns + GROUP - 1) / GROUP));
  return down | across << 32;
}

/* In operations of a thread. Threads side by side in vectors make up to 250 in a nanosecond; less plain code makes a
 * tenth of that, for which this is careful. With two workers, a region is then 0.8 us and a barrier 0.16. */
enum { OF_REGION = 200000, OF_BARRIER = 20000 /* times the workers */, MOST_WORK = 1 << 30 };

uint64_t uwrt_team(uint64_t blocks, uint64_t units, uint64_t threads, uint64_t ops, uint64_t barriers) {
  uint64_t crew = (uint64_t)uwrt_crew_size(), workers = crew > 1 ? crew : least((uint64_t)uwrt_max_workers(), units);
  if (units < workers || workers < 2 || blocks >= workers)
    return 0;
  ops = least(ops, MOST_WORK); /* with 1024 threads and a block for each worker far from 2^64 */
  barriers = least(barriers, MOST_WORK);
  uint64_t alone = threads * ops;
  uint64_t together = blocks * (alone / workers + (barriers + 1) * OF_BARRIER * workers) + OF_REGION;
  return together < alone / 4 * 3 ? workers : 0;
}

uint64_t uwrt_team_place(void) {
  if (uwrt_crew_left_out())
    return (uint64_t)1 << 32;
  return (uint64_t)__kmpc_bound_thread_num(NULL) | (uint64_t)__kmpc_bound_num_threads(NULL) << 32;
}

void uwrt_team_barrier(void) {
  enum { CALLED_BY_COMPILED_CODE = 2, EXPLICIT_BARRIER = 0x20 };
  static uwrt_omp_place here = {0, CALLED_BY_COMPILED_CODE | EXPLICIT_BARRIER, {0, 0}, ";unknown;unknown;0;0;;"};
  __kmpc_barrier(&here, __kmpc_global_thread_num(&here));
}
