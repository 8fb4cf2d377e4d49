/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integers of a thread as factor * x + rest, in index arithmetic, which does not wrap: what a value of 32 bits is
 * worth, as an integer.
 *
 * CUDA programs compute indices in 32 bits, and every extension to an address's 64 is a point where the arithmetic may
 * have wrapped around, after which LLVM sees no contiguous row. What cannot have wrapped (by flag: signed overflow has
 * no meaning, and no_wrap_versions.c has asked about the index of a thread in its grid) is taken apart; all else stands in the sum
 * as it is, extended. So the sum is always right, and sometimes more.
 */
#ifndef UW_WIDE_H
#define UW_WIDE_H

#include "../../ir/ir.h"

/* Of an index_cast to 32 bits, "signed" or "unsigned": read so, its result is the index that it was made of. Where it is
 * not, the result is poison, as that of a trunci with flags; index_cast has none. */
#define UW_EXACT "unwarp.exact"

typedef struct uw_wide {
  int64_t factor; /* of x, the thread loop's last index; 0: the same for a row, as far as is known */
  MlirValue rest; /* index; null: 0 */
} uw_wide;

bool uw_is_exact(MlirOperation cast, bool is_signed);

/* What was taken apart so far, of the values in a loop over threads. `modular`: sums are meant modulo 2^64, as addresses
 * are; otherwise they are for comparisons with indices: 64-bit arithmetic is taken apart by its flags only too, and what
 * is further away than 2^60 counts as that. */
typedef struct uw_wides uw_wides;
uw_wides *uw_wides_create(uw_arena *arena, MlirOperation loop, bool modular);
/* Takes values for what `as` maps them to: a minimum for the operand that it is known to be. */
void uw_wides_read_as(uw_wides *known, const uw_map *as);

/* Builds rest at b. The value is an integer of 32 or 64 bits, or an index, taken with a sign or without one. A value that
 * several others use is taken apart once, so the builder goes through the loop in the order of the program, and nothing
 * that it built is erased as long as `known` is asked. */
uw_wide uw_wide_of(uw_wides *known, uw_builder *b, MlirValue value, bool is_signed);

/* An integer of at most 64 bits, and a constant of that width, as an index for sums and comparisons that must not wrap
 * around: what is further away from 0 than 2^60, as SIZE_MAX, counts as that. */
MlirValue uw_near_index(uw_builder *b, MlirValue integer, bool is_signed);
int64_t uw_near_number(int64_t number, unsigned width, bool is_signed);

/* The sum as one index. */
MlirValue uw_wide_value(uw_builder *b, MlirOperation loop, const uw_wide *sum);

#endif
