/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The least and the most that a sum in index arithmetic comes to over the iterations of a serial loop in a row of
 * threads, as `x + d` does for d from -r to r.
 */
#ifndef UW_COUNTERS_H
#define UW_COUNTERS_H

#include "../../ir/ir.h"

/* The counters of a row's serial loops whose bounds are known before the row. */
typedef struct uw_counters uw_counters;
uw_counters *uw_counters_create(uw_arena *arena, MlirOperation row);

/* Computes before the row what the sum (wide.h; null: 0) is worth: one value, or two where it depends on a counter, of
 * which no iteration's is outside. Gives how many; 0 if that cannot be told. */
size_t uw_ends_of(const uw_counters *counters, MlirValue sum, MlirValue ends[2]);

#endif
