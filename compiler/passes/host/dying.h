/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that a host function allocates, hands to launches and to nobody else: what these do not read is not missed.
 *
 *   cudaMalloc(&t, …)                                   t is seen by the loops of A and B alone. In one loop of both each
 *   A: t[i] = f(x[i])                                   load of t gets what the thread has just stored there, and the
 *   B: y[i] = g(t[i])                                   stores go. A and B of their own still store and load.
 *   cudaFree(t)
 *
 * What the function allocates: bases.h; and memory of SYCL's buffers that have no memory of the program's, of which the
 * headers say so (include/sycl/detail/memory.hpp). It is seen by nobody else where all uses of the pointer are
 * addresses of plain loads and stores in loops of launches, parameters of the same launches through the runtime,
 * comparisons, and the call that frees it.
 */
#ifndef UW_DYING_H
#define UW_DYING_H

#include "../../ir/ir.h"

typedef struct uw_own_memory {
  MlirOperation allocation;
  uw_ops grids;          /* of launches that see it */
  uw_ops others;         /* calls of uwrt_launch_object that see it: launches in their other form */
  MlirOperation culprit; /* who else does; null: nobody */
} uw_own_memory;

typedef struct uw_dying {
  uw_arena *arena;
  uw_own_memory *at;
  size_t count;
} uw_dying;

/* Marks the accesses of the grids, which have to be plain (one_loop.h). */
uw_dying uw_find_dying(uw_arena *arena, const uw_ops *grids);
void uw_forget_dying(const uw_dying *dying, MlirOperation function); /* the marks */
/* Launches that may run as one, in their order. */
typedef struct uw_chain {
  uw_ops grids, begins;
} uw_chain;

uw_chain uw_join_chains(uw_arena *arena, const uw_chain *first, const uw_chain *second);

/* In the one loop that was made of the chain: were there any? Then it may only run where no launch is kept to run again
 * (UWRT_JOINS_FOR_GOOD). Tells, about the location, what became of memory that dies. Stores stay, too, where the
 * launches may differ in shape or stream (one could be refused alone), and where a way leads from the last one to one of
 * them without the one before. */
bool uw_drop_stores(const uw_dying *dying, const uw_chain *chain, MlirOperation grid, MlirLocation about);

#endif
