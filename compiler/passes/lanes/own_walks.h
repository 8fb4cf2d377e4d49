/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops that are quick in one thread alone: it walks along memory of its own, which its neighbours would gather. */
#ifndef UW_OWN_WALKS_H
#define UW_OWN_WALKS_H

#include "../../analysis/cpu.h"
#include "lane_shapes.h"

/* How many iterations LLVM's vectorisers do at once where a thread goes through the loop alone; 1 if they cannot, or if
 * lanes of threads gather and scatter nothing in it. */
double uw_iterations_at_once(uw_arena *arena, uw_shapes *shapes, MlirOperation loop, const uw_target *target);

#endif
