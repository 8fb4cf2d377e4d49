/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shares of a grid: each block runs once, whatever the number of blocks and workers and what launches came before; a worker runs its
 * share from the front, and what one that is held up has not begun, others do; blocks may wait for those with lower indices; launches
 * may be nested.
 */
#include "check.h"

#include <omp.h>
#include <sched.h>

enum { MOST_BLOCKS = 20000 };

static int runs[MOST_BLOCKS];
static int done[MOST_BLOCKS];

static void check_runs(uint64_t blocks) {
  for (uint64_t i = 0; i < blocks; i++)
    if (runs[i] != 1) {
      failed(__FILE__, __LINE__, "block %d of %d ran %d times", (int)i, (int)blocks, runs[i]);
      return;
    }
}

static void count_block(uint64_t block) { __atomic_add_fetch(&runs[block], 1, __ATOMIC_RELAXED); }

/* Each block waits for the one before it. */
static void chain_block(uint64_t block) {
  while (block && !__atomic_load_n(&done[block - 1], __ATOMIC_ACQUIRE))
    sched_yield();
  count_block(block);
  __atomic_store_n(&done[block], 1, __ATOMIC_RELEASE);
}

/* The first block waits until all others but those of its piece have run. */
static uint64_t held_up_blocks, held_up_piece;
static void held_up_block(uint64_t block) {
  for (uint64_t i = held_up_piece; block == 0 && i < held_up_blocks; i++)
    while (!__atomic_load_n(&runs[i], __ATOMIC_ACQUIRE))
      sched_yield();
  count_block(block);
}

static void launch(uint64_t blocks, void (*run)(uint64_t)) {
  memset(runs, 0, sizeof runs);
  memset(done, 0, sizeof done);
  uwrt_shares *all = uwrt_shares_open();
#pragma omp parallel
  {
    uint64_t place = uwrt_team_place(), before = 0;
    for (uwrt_piece p; p = uwrt_shares_take(all, blocks, place, before), p.from < p.to; before = p.to) {
      if (p.from == 0)
        held_up_piece = p.to;
      for (uint64_t i = p.from; i < p.to; i++)
        run(i);
    }
  }
  uwrt_shares_close();
  check_runs(blocks);
}

/* As a worker alone comes: a launch of one block in an open crew. */
static void check_single(void) {
  uwrt_shares *all = uwrt_shares_open();
  int found = 0;
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    uwrt_piece p = uwrt_shares_take(all, 1, uwrt_team_place(), 0);
    found = p.from == 0 && p.to == 1;
  }
  uwrt_shares_close();
  CHECK(found);
}

/* More blocks than there is memory for notes about them. */
static void check_many(void) {
  const uint64_t blocks = ((uint64_t)1 << 61) + 12345;
  uint64_t sum = 0;
  uwrt_shares *all = uwrt_shares_open();
#pragma omp parallel reduction(+ : sum)
  {
    uint64_t place = uwrt_team_place(), before = 0;
    for (uwrt_piece p; p = uwrt_shares_take(all, blocks, place, before), p.from < p.to; before = p.to)
      sum += p.to - p.from;
  }
  uwrt_shares_close();
  CHECK(sum == blocks);
}

static void check_nested(void) {
  const uint64_t alone = (uint64_t)1 << 32;
  uwrt_shares *outer = uwrt_shares_open();
  uwrt_piece first = uwrt_shares_take(outer, 10, alone, 0);
  CHECK_NUMBER(first.from, 0);
  CHECK_NUMBER(first.to, 10);
  launch(100, count_block);
  CHECK_NUMBER(uwrt_shares_take(outer, 10, alone, first.to).from, 10);
  uwrt_shares_close();
}

int main(void) {
  static const uint64_t counts[] = {1, 2, 3, 4, 5, 6, 7, 15, 16, 17, 64, 100, 1000, 4095, 4096, 4097, MOST_BLOCKS};
  for (int workers = 7; workers >= 1; workers -= 2) { /* libomp leaks memory when a team grows */
    omp_set_num_threads(workers);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
      for (int iteration = 0; iteration < 5; iteration++)
        launch(counts[i], count_block);
    for (uint64_t blocks = 1; blocks < 400; blocks += 57)
      launch(blocks, chain_block);
    held_up_blocks = 1000;
    launch(workers == 1 ? 1 : held_up_blocks, workers == 1 ? count_block : held_up_block);
    check_single();
    check_many();
    check_nested();
  }
  return finish();
}
