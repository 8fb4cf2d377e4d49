/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values and single operations of vector code, as vectors.c makes it: see vector_values.c. */
#ifndef UW_VECTOR_VALUES_H
#define UW_VECTOR_VALUES_H

#include "vectors.h"

typedef struct uw_vectors {
  uw_arena *arena;
  MlirContext context;
  uw_shapes *shapes;
  int64_t width;
  uw_map *scalars, *wide; /* what stands for a value: lane 0's, or all lanes' */
  uw_table *sure;         /* sums that do not wrap around, read as signed: it was asked */
  uw_table *early;        /* operations that stand before the lanes already -> 1 */
  uw_table *overlaps;     /* loop -> its uw_overlap (overlap.h) */
  MlirValue mask;         /* of the lanes at work; null: all of them */
  int versions;           /* of a branch around, one inside of the other, for when all lanes take it */
  bool anywhere;          /* in a branch that perhaps no lane takes */
  uw_builder b;
} uw_vectors;

/* --- values: a value of the loop over lanes as lane 0's scalar, or as a vector of all lanes' --------------------------- */

MlirType uw_vec_type(uw_vectors *v, MlirType type);
MlirValue uw_vec_scalar_of(uw_vectors *v, MlirValue value);
MlirValue uw_vec_wide_of(uw_vectors *v, MlirValue value);
/* As the one or the other; and its type, and what it is from now on. */
MlirValue uw_vec_as(uw_vectors *v, MlirValue value, bool scalar);
MlirType uw_vec_type_as(uw_vectors *v, MlirValue value, bool scalar);
void uw_vec_set(uw_vectors *v, MlirValue value, MlirValue to, bool scalar);
MlirValue uw_vec_poison(uw_vectors *v, MlirValue like);

/* --- masks: of the lanes at work ----------------------------------------------------------------------------------- */

MlirType uw_vec_mask_type(uw_vectors *v);
MlirValue uw_vec_all_lanes(uw_vectors *v, bool on);
MlirValue uw_vec_mask_or_all(uw_vectors *v);
MlirValue uw_vec_first_lanes(uw_vectors *v, MlirValue many); /* an index */
/* Of the lanes at work those for which the condition holds. */
MlirValue uw_vec_those_with(uw_vectors *v, MlirValue condition);
MlirValue uw_vec_some_lane(uw_vectors *v, MlirValue mask);
MlirValue uw_vec_every_lane(uw_vectors *v, MlirValue mask);

/* --- vectors.c: an operation, or all of a block but its last ---------------------------------------------------------- */

void uw_vec_emit(uw_vectors *v, MlirOperation op);
void uw_vec_body(uw_vectors *v, MlirBlock block);

/* --- single operations, under the mask ------------------------------------------------------------------------------ */

void uw_vec_load(uw_vectors *v, MlirOperation op);
void uw_vec_store(uw_vectors *v, MlirOperation op);
void uw_vec_index_cast(uw_vectors *v, MlirOperation op);
void uw_vec_elementwise(uw_vectors *v, MlirOperation op);
void uw_vec_call(uw_vectors *v, MlirOperation op);

#endif
