/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slices of a block: workers share its threads out. Which slice a loop over threads runs is an operation before it:
 *
 *   %first, %count = unwarp.slice %extent, %own, %slices {group = 16}
 *   scf.forall (%x) in (%count) { %thread = arith.addi %first, %x : index … }
 *
 * A group of threads is in one slice; the last group may have fewer threads than the others. */
#ifndef UW_SLICES_H
#define UW_SLICES_H

#include "ir.h"

/* A slice's operands: threads of the block along this dimension, the slice's number, how many slices there are. */
typedef enum uw_slice_operand { UW_SLICE_EXTENT, UW_SLICE_OWN, UW_SLICE_ALL } uw_slice_operand;

/* Has the loop run the threads of a slice alone, along one dimension. The slice is built before the builder's place; its
 * operands are known there. */
void uw_take_slice(uw_builder *b, MlirOperation loop, size_t dimension, MlirValue own, MlirValue slices, int64_t group);
/* How many threads of the block there are along it, in all slices. */
MlirValue uw_extent_in_block(MlirOperation loop, size_t dimension);
/* Is it the index of a thread in its block, counted from the first thread of a slice: the sum above? */
bool uw_is_index_in_slice(MlirValue index);
/* Is the loop's index used for that sum alone? */
bool uw_is_only_for_slice(MlirValue index);
/* Makes arithmetic of all slices in root. */
void uw_expand_slices(uw_arena *arena, MlirOperation root);

#endif
