/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a host function does from one launch on: may the launch's blocks run later, where the next launch stands?
 *
 *   launch A                            ways go on through code that cannot tell whether A's blocks have run:
 *   arithmetic, stores to its own       arithmetic, memory that is not A's, branches, cudaGetLastError
 *   variables, error checks             they end at what can tell: there A has to have run
 *   if (bad) { report; exit }     <--   the call of report is such a position, on a way that is seldom taken
 *   launch B                      <--   the only other end of ways that are often taken
 *   the start of a loop around A  <--   an end, too: what A's loops use may be computed anew there
 *
 * In both languages a kernel runs at some time before the host waits for it, so plain accesses of the host to memory
 * are no reason to have run it; those that start from a pointer which a kernel got are taken for one all the same. What
 * waits is a call, or a fence of the compiler (sycl/detail/tasks.hpp). */
#ifndef UW_BETWEEN_H
#define UW_BETWEEN_H

#include "../../ir/ir.h"

typedef struct uw_between_launches {
  uw_arena *arena;
  MlirOperation first;     /* the branch around the first launch's loops, at the top level of a host function */
  const uw_table *begins;  /* the calls of uwrt_launch_begin that may be the next launch's: 1 */
  const uw_vals *pointers; /* that kernels got */
  MlirOperation next;      /* found: that call of the next launch; null if there is none */
  MlirOperation stands;    /* found: what has to find the first launch done on a way that is often taken, or null */
  uw_ops ends;             /* found: all operations before which the first launch has to have run, but for `next` */
} uw_between_launches;

void uw_look_between(uw_between_launches *between);

/* Does a way lead from the operation, and what stands there, to the other one without one of `without` before? All stand at
 * the top level of the function. Branches that ask the same as those on the only way to it are taken alike. */
bool uw_reaches_without(uw_arena *arena, MlirOperation from, MlirOperation to, const uw_ops *without);

/* Are both computed alike, from the same variables? They are equal unless one of these was written in between: to be
 * asked when the program runs. */
bool uw_same_origin(MlirValue a, MlirValue b);
/* The same without anything that is loaded twice: they are equal. */
bool uw_same_value(MlirValue a, MlirValue b);
/* Does the way to the operation always lead past the start of the block, or past the value's operation? */
bool uw_block_dominates(uw_arena *arena, MlirBlock block, MlirOperation op);
bool uw_value_dominates(uw_arena *arena, MlirValue value, MlirOperation op);

#endif
