/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * By how much addresses grow from one round of a loop to the next. */
#ifndef UW_ADDRESS_GROWTH_H
#define UW_ADDRESS_GROWTH_H

#include "../passes.h"

typedef struct uw_rounds {
  MlirOperation loop;
  MlirValue counter;                       /* grows by one, as a scalar or in each lane of a vector */
  bool is_exact_signed, is_exact_unsigned; /* it does not wrap, read so */
} uw_rounds;

/* By how much the value, or each element of it, is more than in the round before; false if that is not known, or not
 * the same in all rounds. */
bool uw_growth_of(const uw_rounds *rounds, MlirValue value, int64_t *growth);

/* The counter of a for that goes by one; false: it does not. */
bool uw_counter_of_for(MlirOperation loop, uw_rounds *rounds);
/* The counter of a while that hands on what it compares, in its test, with a bound that stays, and adds one to it:
 * `compare` is that comparison. */
bool uw_counter_of_while(MlirOperation loop, MlirOperation compare, uw_rounds *rounds);

/* A vector's element, else the type itself. */
MlirType uw_element_of(MlirType type);
/* An integer, or the one of all elements. */
bool uw_splat_value(MlirValue value, int64_t *number);

#endif
