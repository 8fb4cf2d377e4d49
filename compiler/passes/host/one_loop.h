/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One loop over blocks and threads for two launches of the same shape: each thread does what it does in the first one,
 * and then what it does in the second.
 *
 *   parallel %b { parallel %t { b[%t] = f(a[%t]) } }        parallel %b { parallel %t {
 *   parallel %b { parallel %t { c[%t] = g(b[%t]) } }  ==>     b[%t] = f(a[%t])
 *                                                             c[%t] = g(b[%t]) } }
 *
 * Legal where no thread of the second launch meets another thread of the first one: of each two accesses, one of them
 * writing, either both start from the same pointer and never meet in different threads (dependence.h), or all that the
 * one may touch lies apart from all that the other one may. Pointers that are computed alike are taken for the same and
 * asked to be; of others it is asked whether they lie apart. */
#ifndef UW_ONE_LOOP_H
#define UW_ONE_LOOP_H

#include "../../ir/ir.h"

typedef struct uw_one_loop {
  uw_arena *arena;
  MlirOperation grids[2];    /* of the launches; what the second one uses stands before `at` */
  uw_map *carried;           /* what the first one uses, as it is there */
  MlirOperation at;          /* where the loop is built, and what is asked */
  MlirOperation grid;        /* made */
  bool for_good;             /* made: only right where no launch is kept to run again (dying.h) */
  MlirValue asked;           /* made: has to hold; null: nothing */
  MlirOperation culprits[2]; /* where it cannot be: of what; null: of all */
  const char *why;           /* where it cannot be; null: it can */
} uw_one_loop;

/* Is there but one loop over threads in the loop over blocks, and nothing that waits, calls or has an order that others
 * see? Adds the pointers that accesses start from. Else says why not. */
const char *uw_is_plain_launch(uw_arena *arena, MlirOperation grid, uw_vals *pointers, MlirOperation *culprit);
/* Both have to be plain. Where it cannot be, nothing is left of it. */
void uw_build_one_loop(uw_one_loop *one);

#endif
