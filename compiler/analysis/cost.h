/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What lanes of vectors cost, and from where on they pay: the numbers of packets, vector_cost, transpose_loads.c,
 * interleave and jam.
 *
 * Costs are in simple operations of one lane alone, as an addition is; for all lanes at once it takes one for each
 * register that the values fill. docs/costs.md has what scripts/calibrate.sh measured, a column for each family of CPUs,
 * and says how a level's value is made of them; tests/docs/costs.py holds cost.c to that.
 *
 * All else that decides: */
#ifndef UW_COST_H
#define UW_COST_H

#include "cpu.h"

/* | threshold | value | of | measured on |
 * | --- | ---: | --- | --- |
 * | UW_TURN_GAIN | 1.1 | packets: what lanes do in turn included | foreign-shapes/deposit |
 * | UW_MIN_GAIN | 2 | packets: lanes have to be so many times as fast by the estimate | montecarlo, kmeans, spmv |
 * | UW_LEAST_LANES | 16 | packets: lanes taken at a time | registers of AVX-512 hold as many floats |
 * | UW_MOST_LANES_AT_ONCE | 64 | packets: the same, as registers allow | montecarlo, particles |
 * | UW_MOST_ROWS_OF_LANES | 32 | packets: rows that lanes read at once, where each walks along rows of its own | sycl/gesummv |
 * | UW_LANE_OTHERS | 4 | packets: values of a lane beside what loops carry, unless fewer are on the way | foreign-shapes/rates, dct |
 * | UW_ROOM_TO_WAIT | 2 | packets: times the registers' bytes for lanes that each wait for what they loaded | foreign-shapes/lookup |
 * | UW_ROOM_FOR_ROWS | 3 | packets: the same for lanes that read rows which lie far apart | foreign-shapes/gemv, triangle |
 * | UW_FAR_ROW_MOST_OPS | 4 | packets: operations of floats for each such load, for memory to be what a loop waits for | foreign-shapes/rectify, euler |
 * | UW_REMAINDER_MOST_OPS | 60 | packets: operations of a thread, for the last threads of a row to be some lanes under a mask | foreign-shapes/borders (has 44) |
 * | UW_CLEARLY_BETTER | 1.25 | packets: 16 lanes in place of 64 (bits of the thread index); lanes in place of threads that walk along rows of their own | not by itself |
 * | UW_LOOP_ITERATIONS | 8 | vector_cost: of a loop, taken to be | not by itself |
 * | UW_BRANCH_COST | 3 | vector_cost: asking whether some lane takes it | not by itself |
 * | UW_TURNED_COST | 0.5 | vector_cost: a load of rows turned in registers, for each lane | foreign-shapes/hash |
 * | UW_WOVEN_COST | 0.5 | vector_cost: shuffles for each element from lane to lane | foreign-shapes/dct |
 * | UW_TOGETHER | 0.6 | vector_cost: of a loop left after different iterations, lanes at work | spmv |
 * | UW_TURN_COST | 3 | vector_cost: what lanes do in turn, for each: its values, and whether it is at work | not by itself |
 * | UW_ATOMIC_COST | 20 | vector_cost: an atomic operation on memory of the grid | not by itself |
 * | UW_SELDOM | 0.01 | vector_cost: how often a version runs that a check keeps from running | foreign-shapes/cells |
 * | UW_LEAST_TURNED | 4 | transpose_loads.c: elements of a row in a register | not by itself |
 * | UW_MOST_GATHERS | 4 | transpose_loads.c: of a loop | sycl/syr2k (has two) |
 * | UW_WEAVE_MOST_ITERATIONS | 16 | interleave: of a loop that is unrolled | foreign-shapes/dct |
 * | UW_WEAVE_MOST_OPS | 800 | interleave: of all its iterations | foreign-shapes/dct |
 * | UW_WEAVE_GATHER | 5 | interleave: a gather of four lanes, where a shuffle or load is one | foreign-shapes/dct, lattice |
 * | UW_WEAVE_SCATTER | 6 | interleave: a scatter of them | foreign-shapes/dct, lattice |
 * | UW_JAM_MOST_ROWS | 8 | jam: rows of threads at a time | matmul |
 * | UW_JAM_MOST_OF_LAYERS | 4 | jam: rows and layers, where there are both | matmul |
 * | UW_JAM_MOST_STREAMS | 8 | jam: addresses of a loop that differ from row to row | matmul |
 * | UW_JAM_SHORT | 40 | jam: operations of a row in a loop that has too little to do | matmul |
 * | UW_JAM_MOST_OPS | 200 | jam: operations of a row at most | matmul |
 *
 * Measured on pairs of bench/, on the CPU above. */
enum {
  UW_LEAST_LANES = 16,
  UW_MOST_LANES_AT_ONCE = 64,
  UW_MOST_ROWS_OF_LANES = 32,
  UW_LANE_OTHERS = 4,
  UW_ROOM_TO_WAIT = 2,
  UW_ROOM_FOR_ROWS = 3,
  UW_FAR_ROW_MOST_OPS = 4,
  UW_REMAINDER_MOST_OPS = 60,
  UW_LOOP_ITERATIONS = 8,
  UW_BRANCH_COST = 3,
  UW_TURN_COST = 3,
  UW_ATOMIC_COST = 20,
  UW_LEAST_TURNED = 4,
  UW_MOST_GATHERS = 4,
  UW_WEAVE_MOST_ITERATIONS = 16,
  UW_WEAVE_MOST_OPS = 800,
  UW_WEAVE_GATHER = 5,
  UW_WEAVE_SCATTER = 6,
  UW_JAM_MOST_ROWS = 8,
  UW_JAM_MOST_OF_LAYERS = 4,
  UW_JAM_MOST_STREAMS = 8,
  UW_JAM_SHORT = 40,
  UW_JAM_MOST_OPS = 200
};
#define UW_MIN_GAIN 2.0
#define UW_TURN_GAIN 1.1
#define UW_CLEARLY_BETTER 1.25
#define UW_TURNED_COST 0.5
#define UW_WOVEN_COST 0.5
#define UW_TOGETHER 0.6
#define UW_SELDOM 0.01

/* Of one CPU. Alone: for one lane by itself; the others for all. */
typedef struct uw_costs {
  double masked_load;        /* side by side under a mask, for each lane; 0: as without */
  double masked_store;       /* the same */
  double gather, few_bytes;  /* for each lane; few: elements of less than 4 bytes, also scattered */
  double scatter;            /* of others */
  double gather_own;         /* of these in an array of the thread's own, which is near: no lane waits for it, */
  double scatter_own;        /* so that nothing is gained by waiting together */
  double divide_alone;       /* a division or root of floats, */
  double divide;             /* for each register */
  double integers_alone;     /* a division of integers; vectors do it for each lane, */
  double integers;           /* which takes so long */
  double number_alone;       /* the same by a number that is known, which is a product and shifts, */
  double number;             /* for each register, of elements of at most 32 bits */
  double function_alone;     /* any other function of floats, */
  double function;           /* for each register; */
  double function_each_lane; /* for each lane, where vectors have no form of it */
} uw_costs;

const uw_costs *uw_costs_of(const uw_target *target);

/* A gather or scatter of an element of so many bytes, for each lane; own: in an array of the thread's own. */
double uw_gather_cost(const uw_costs *costs, int64_t bytes, bool own);
double uw_scatter_cost(const uw_costs *costs, int64_t bytes, bool own);

#endif
