/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between which bounds a value lies wherever it is computed: what its operands' bounds make of it (intervals.h), down
 * to constants, the bits of what is loaded, and the counters of loops. What a loop carries lies between bounds that one
 * more iteration does not leave. An arm of a choice is looked at with its condition: high - low is not 0 where high >
 * low.
 *
 * Nothing is said of poison: where an operation may be poison, the bounds are those of its other results. So a
 * comparison that the bounds decide may be taken as decided: of poison it would be poison too.
 *
 * What is floating-point arithmetic with other licences than to contract, half precision, or not known here may be
 * anything. The search is limited in steps; past them a value may be anything, too. */
#ifndef UW_RANGES_H
#define UW_RANGES_H

#include "intervals.h"

/* The value is an integer of at most 64 bits, or an index. */
uw_integers uw_integer_range(MlirValue value);
/* The same, of an extent or an index: loops count as MLIR means it, so that no counter wraps around, and what the
 * threads of a loop are is used. Where indices are sums, a thread's runs to what is left of a whole. */
uw_integers uw_index_range(MlirValue value);
/* At most so many threads has a loop along a dimension: a block's 1024, or those of several blocks (coarsen_rows.c). */
enum { UW_MOST_THREADS = 4096 };
/* The value is a floating-point number. */
uw_floats uw_float_range(MlirValue value);
/* What an arith.cmpf gives wherever it is computed: 0 or 1, or -1 if that is not known. */
int uw_decided(MlirOperation compare);

#endif
