/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbouring blocks of a row of the grid, for the passes that take several at a time: a worker's piece of work is
 * then a strip of them.
 *
 *   grid (%z, %y, %x) to (%nz, %ny, %along) {    ==>     grid (%z, %y, %x) to (%nz, %ny, %along) step (1, 1, %each) {
 *     … %x … }                                             … %x … }
 *
 * A worker says where it is by the index of the strip's first block, with UWRT_BLOCK_OR_AFTER. */
#ifndef UW_GRID_ROW_H
#define UW_GRID_ROW_H

#include "../passes.h"

typedef struct uw_grid_row {
  MlirOperation grid, mark; /* the mark says which block begins, for messages */
  MlirValue block;          /* index of the block in its row */
  MlirValue slices;         /* of a block (distribute_blocks.c); null: blocks are whole */
  MlirValue along;          /* how many blocks a row has */
  bool long_blocks;         /* each is much work: strips enough for all workers to be busy will do, few or many */
  bool rim_alone;           /* the first and the last block of a row are not to be taken with others */
} uw_grid_row;

/* False if it is no loop over blocks that begin with a mark, or they are in slices or taken together already. */
bool uw_grid_row_of(MlirOperation grid, uw_grid_row *row);
/* The same, and blocks may be in slices: they may be taken together where a block is one slice. */
bool uw_grid_row_of_slices(MlirOperation grid, uw_grid_row *row);
/* Before the grid: how many blocks to take together. At most `most`, and not more than leave strips for all workers. */
MlirValue uw_blocks_together(uw_builder *b, const uw_grid_row *row, MlirValue most);
/* For messages: the block that the mark names, or another of those that run with it, where there are several: a flag of
 * UWRT_BLOCK_OR_. */
void uw_mark_together(MlirOperation mark, MlirValue each, uint64_t flag);
/* Makes the grid loop one over strips of so many blocks; row->block is the strip's first one. Gives how many the strip
 * has, before the operation `at` in the loop. */
MlirValue uw_take_together(uw_arena *arena, uw_grid_row *row, MlirValue each, MlirOperation at);

/* The shapes of coarsen-blocks, a file each. */
typedef uw_change uw_coarsen(uw_arena *arena, MlirOperation root);
uw_coarsen uw_coarsen_tiles, uw_coarsen_columns, uw_coarsen_rows, uw_coarsen_interleaved;

#endif
