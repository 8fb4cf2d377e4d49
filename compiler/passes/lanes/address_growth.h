/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * By how much addresses grow from one iteration of a loop to the next. */
#ifndef UW_ADDRESS_GROWTH_H
#define UW_ADDRESS_GROWTH_H

#include "../passes.h"

typedef struct uw_iterations {
  MlirOperation loop;
  MlirValue counter;                       /* grows by one, as a scalar or in each lane of a vector */
  bool is_exact_signed, is_exact_unsigned; /* it does not wrap, read so */
} uw_iterations;

/* By how much the value, or each element of it, is more than in the iteration before; false if that is not known, or
 * not the same in all iterations. */
bool uw_growth_of(const uw_iterations *iterations, MlirValue value, int64_t *growth);

/* Does the address, or that of each lane, go to the next of elements of this type? */
bool uw_walks_along(const uw_iterations *iterations, MlirValue address, MlirType element);

/* The counter of a for that goes by one; false: it does not. */
bool uw_counter_of_for(MlirOperation loop, uw_iterations *iterations);
/* The counter of a while that hands on what it compares, in its test, with a bound that stays, and adds one to it:
 * `compare` is that comparison. */
bool uw_counter_of_while(MlirOperation loop, MlirOperation compare, uw_iterations *iterations);

/* A vector's element, else the type itself. */
MlirType uw_element_of(MlirType type);
/* An integer, or the one of all elements. */
bool uw_splat_value(MlirValue value, int64_t *number);

#endif
