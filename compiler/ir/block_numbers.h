/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The number of a block in its grid, x fastest, which messages and the workers' shares go by:
 *
 *   number = (z * ny + y) * nx + x
 *
 * While passes run, a loop over blocks has a dimension for each index, and the number is an affine.linearize_index of
 * them. What becomes of an index becomes of the number. Lowering counts the blocks, and takes the indices from that. */
#ifndef UW_BLOCK_NUMBERS_H
#define UW_BLOCK_NUMBERS_H

#include "ir.h"

/* Of type index. Both lists have x first. */
MlirValue uw_block_number(uw_builder *b, const MlirValue index[3], const MlirValue extents[3]);
/* How many iterations the loop over blocks has, at b before it. A step is a number of blocks that run together. */
MlirValue uw_count_blocks(uw_builder *b, MlirOperation grid);
/* False if that is not known, or blocks run together. */
bool uw_known_blocks(MlirOperation grid, int64_t *count);
/* The call that says which block begins, for messages; its second operand is the number. It writes nothing that a
 * program reads. */
bool uw_is_block_mark(MlirOperation op);
/* Is what the operation computes for such a mark alone? */
bool uw_is_for_mark(MlirOperation op);
/* Does anything but the mark depend on the index? */
bool uw_is_asked_for(MlirValue index);
/* At b: takes the loop's indices, as root has them inside, from the number of an iteration. What is the same for all
 * iterations is computed outside. */
void uw_index_by_number(uw_arena *arena, uw_builder *outside, uw_builder *b, MlirOperation grid, MlirOperation root,
                        MlirValue number);
/* Sums and products in place of the block numbers that are left. */
void uw_expand_block_numbers(uw_arena *arena, MlirOperation root);

#endif
