/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A dry run: the threads of one block go through a kernel in step, on values that are made up where they are not
 * known, and what they touch is looked at (lane_pairs.h). Bounds of a proof say where two accesses may meet; a dry run
 * shows two threads that do, through any index arithmetic, conditions and iterations of loops.
 *
 * What a value is taken from decides what a condition on it means:
 *   thread indices and constants    known: each thread goes its way
 *   UW_GUESS                        the same for all threads, made up: large, so that strides and sizes keep things apart as they
 *                                   are meant to. Both arms of a branch are gone through, the one not chosen if nothing else does;
 *                                   where the thread's index is compared with it, by a lane of each warp: it may be the one meant
 *   UW_DATA                         other in each thread, made up: both arms, with all threads
 *   UW_LOADED                       besides: what was loaded by the kernel
 *   UW_IN_TURN                      besides: what an atomic operation gave; threads that depend on it came one by one, as to a lock, and are not in step
 * The two arms of a branch are never in order to each other, whoever takes them. */
#ifndef UW_DRY_RUN_H
#define UW_DRY_RUN_H

#include "linear.h"

enum { UW_DRY_THREADS = 1024, UW_DRY_WARP = 32 };
/* How large values are that are made up: as sizes and strides, which keep apart what is meant to be apart; or small, so
 * that places meet that nothing keeps apart: at most 4 or as many as a warp has lanes, and where each thread has its
 * own, below 4 or below 64. What something is multiplied or divided by is large in each. */
typedef enum uw_size { UW_LARGE, UW_FEW, UW_TENS } uw_size;
typedef struct uw_spread {
  uw_size given, loaded; /* of what the kernel is given, and of what it loads */
} uw_spread;
static inline bool uw_has_small_values(const uw_spread *spread) { return spread->given || spread->loaded; }

enum { UW_GUESS = 1, UW_BY_THREAD = 2, UW_DATA = 4, UW_LOADED = 8, UW_IN_TURN = 16 };

/* An integer, or a position in an object: bytes from its start. */
typedef struct uw_sample {
  int64_t number;
  const void *object;
} uw_sample;

/* A value in all threads. */
typedef struct uw_samples {
  uw_sample *each; /* threads that are not active have leftovers */
  uw_sample one;   /* if same */
  bool same, known;
  uint8_t from;
} uw_samples;

typedef struct uw_thread_set {
  uint64_t bits[UW_DRY_THREADS / 64];
} uw_thread_set;
#define uw_foreach_thread(t, set)                                                                                      \
  for (size_t t##_word = 0; t##_word < UW_DRY_THREADS / 64; t##_word++)                                                \
    for (uint64_t t##_bits = (set)->bits[t##_word]; t##_bits; t##_bits &= t##_bits - 1)                                \
      for (size_t t = t##_word * 64 + (size_t)__builtin_ctzll(t##_bits), t##_once = 1; t##_once; t##_once = 0)
bool uw_no_threads(const uw_thread_set *set);

/* What is the same in all dry runs of one loop over threads. */
typedef struct uw_dry_plan {
  uw_arena *arena;
  MlirOperation loop;
  uw_ops ops;                         /* in the loop */
  uw_table *op_number, *value_number; /* from 1 */
  size_t values;
  uw_table *needed;    /* values, and constructs, that what is looked at depends on */
  uw_table *leaves;    /* floating-point operations: what they are computed from in the end, as uw_vals * */
  uw_table *looked_at; /* operations: accesses, from 1 */
  uw_table *lengths;   /* values that something is multiplied or divided by */
  uw_table *powers;    /* values that are powers of two, as bits are masked by them, or by one less */
  size_t looked_at_count;
  const uw_address **addresses; /* of operations with a pointer, as they are asked for */
} uw_dry_plan;
/* dry_plan.c */
uw_dry_plan *uw_plan_dry_run(uw_arena *arena, MlirOperation loop, const uw_ops *looked_at);

/* What threads came by in all runs of a shape, those with large values first: blocks of code; operations that are looked
 * at; blocks that no thread of the shape takes. With small values, what is not chosen is left out if it was come by. */
typedef struct uw_coverage {
  uw_table *blocks, *accesses, *passed;
} uw_coverage;
uw_coverage uw_no_coverage(uw_arena *arena);

typedef struct uw_dry_run uw_dry_run;
enum { UW_MOST_LEAVES = 64 };
/* What is told while it runs. */
typedef struct uw_dry_watcher {
  void *data;
  void (*touches)(void *data, uw_dry_run *run, MlirOperation op, const uw_thread_set *active);
  void (*meets)(void *data, MlirOperation exchange, const uw_thread_set *active);
  void *(*part)(void *data); /* before arms that have no order */
  void (*next_arm)(void *data, void *parted), (*join)(void *data, void *parted);
} uw_dry_watcher;

struct uw_dry_run {
  const uw_dry_plan *plan;
  uw_arena *arena;
  const uw_dry_watcher *watcher;
  int64_t shape[3]; /* z, y, x */
  size_t threads;
  uw_samples *values;
  int64_t block; /* its index in the grid */
  uw_spread spread;
  uw_table *loaded;      /* objects that pointers lead into which were loaded, by a hash of where */
  uw_table *covered;     /* blocks of code that threads went through in this run */
  uw_coverage *coverage; /* in all runs of the shape */
  int64_t steps;         /* left */
  uint8_t *told;         /* how often each operation that is looked at was */
  uint8_t asks;          /* what values the conditions and addresses are from that threads came by */
  bool is_cut;           /* has a loop more iterations than were gone through? */
  uint64_t if_data;      /* stands for the arms around that data decides about; 0: none */
  size_t in_turn; /* branches around, and loops before, that let lanes in one by one: what is touched is not told */
  size_t depth;   /* loops around whose end is made up */
};

/* On a load: it gives the block's index in the grid, as the argument of a loop over blocks does. */
#define UW_BLOCK_NUMBER "unwarp.block_number"

/* A block of this shape and index. */
typedef struct uw_dry_block {
  int64_t shape[3]; /* z, y, x */
  int64_t index;
  uw_spread spread;
  uw_coverage *coverage;
} uw_dry_block;
typedef struct uw_dry_end {
  uint8_t
      asks; /* what values conditions and addresses are from: with UW_GUESS, as the index is, another block may go another way */
  bool is_cut; /* it was too much: not all was come by; what was told is still so */
} uw_dry_end;
uw_dry_end uw_dry_run_of(uw_arena *arena, const uw_dry_plan *plan, const uw_dry_block *block,
                         const uw_dry_watcher *watcher);

/* On the call of uwrt_yield in a loop whose threads write to what they poll (raise/waiting_blocks.c). */
#define UW_IN_STEP "unwarp.in_step"
/* Does a while loop wait for others, so that lanes leave it one by one? Not so one of UW_IN_STEP, in which lanes help
 * each other along. */
bool uw_lanes_come_singly(MlirOperation loop);

/* For watchers, while they are told: a value; where an address leads. */
const uw_samples *uw_samples_of(uw_dry_run *run, MlirValue value);
uw_samples *uw_samples_at(uw_dry_run *run, MlirValue pointer, const uw_thread_set *active);
uw_sample uw_sample_in(const uw_samples *samples, size_t thread);

/* samples.c: computes the results of an operation without regions. */
void uw_sample_op(uw_dry_run *run, MlirOperation op, const uw_thread_set *active);
void uw_sample_ids(uw_dry_run *run);
uw_samples *uw_own_samples(uw_dry_run *run, MlirValue value);                          /* to write */
void uw_give_sample(uw_dry_run *run, uw_samples *to, size_t thread, uw_sample sample); /* makes room */
void uw_copy_samples(uw_dry_run *run, uw_samples *to, const uw_samples *from, const uw_thread_set *active, bool all);

#endif
