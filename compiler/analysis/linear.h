/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integers and addresses as sums: constant + sum of factor * symbol, or factor * symbol * symbol. Symbols are the
 * values that arithmetic does not explain: thread and block indices, loop counters, arguments, loaded values.
 *
 * A sum holds modulo 2^32 (of bytes, for addresses): it looks through extensions and truncations to 32 bits and more,
 * after which the arithmetic may have wrapped. That is enough to show that two addresses differ. Where no wrapping
 * operation was looked through, nor an extension that may lose a sign, the sum is exact: then equal sums are equal
 * values. */
#ifndef UW_LINEAR_H
#define UW_LINEAR_H

#include "../ir/ir.h"

typedef struct uw_term {
  MlirValue symbol, scale; /* scale is null in a plain term */
  int64_t factor;          /* not 0 */
} uw_term;

enum { UW_MAX_TERMS = 10 };

typedef struct uw_linear {
  bool known; /* false: nothing is known, all else is meaningless */
  bool exact;
  int64_t constant;
  size_t count;
  uw_term terms[UW_MAX_TERMS];
} uw_linear;

uw_linear uw_linear_of(MlirValue integer);
/* The same modulo 2^64, each symbol of fewer bits being a signed integer: looks only through what surely keeps that.
 * Equal sums are equal addresses. */
uw_linear uw_linear_in_64(MlirValue integer);
/* left + factor * right */
uw_linear uw_linear_sum(const uw_linear *left, const uw_linear *right, int64_t factor);
bool uw_linear_equal(const uw_linear *left, const uw_linear *right); /* both known, and the same sum */

/* base + offset bytes. The base is what address arithmetic does not explain. */
typedef struct uw_address {
  MlirValue base;
  uw_linear offset;
} uw_address;

uint64_t uw_field_offset(MlirType type, intptr_t field); /* in a struct, in bytes */
uw_address uw_address_of(MlirValue pointer);
uw_address uw_address_in_64(MlirValue pointer);
/* Is the address the sum of integers of any size that it looks like, from where it is computed inside of the operation:
 * do all sums of 32 bits that are extended on the way say that they do not wrap around, in the sense of the
 * extension? */
bool uw_never_wraps(MlirValue pointer, MlirOperation inside);
/* How many bytes the second one is after the first one, where they have the same base and that is a constant: modulo
 * 2^32, or 2^64 as the sums are. */
bool uw_gap_between(const uw_address *first, const uw_address *second, int64_t *bytes);
/* Do they lie less than so many bytes apart, modulo 2^32? Enough for advice as prefetches are, not for more. */
bool uw_is_near(const uw_address *left, const uw_address *right, int64_t bytes);

#endif
