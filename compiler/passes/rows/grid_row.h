/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbouring blocks of a row of the grid, for the passes that take several at a time: a worker's piece of work is
 * then a strip of them.
 *
 *   parallel %b to %blocks {                       parallel %s to %strips {
 *     %bx = %b mod %along               ==>          %b = first block of strip %s
 *     … }                                            %bx = %b mod %along; …
 *
 * A worker says where it is by the index of the strip's first block, with UWRT_BLOCK_OR_AFTER. */
#ifndef UW_GRID_ROW_H
#define UW_GRID_ROW_H

#include "../passes.h"

typedef struct uw_grid_row {
  MlirOperation grid, mark; /* the mark says which block begins, for messages */
  MlirValue number, block;  /* of the block in its grid, and in its row */
  MlirValue slices;         /* of a block (distribute_blocks.c): the grid loop counts these; null: it counts blocks */
  MlirValue along;          /* how many a row has: known outside of the grid loop */
  bool long_blocks;         /* each is much work: strips enough for all workers to be busy will do, few or many */
  bool rim_alone;           /* the first and the last block of a row are not to be taken with others */
} uw_grid_row;

/* False if it is no loop over blocks, or asks for the block's index in other ways than by its position in a row. */
bool uw_grid_row_of(MlirOperation grid, uw_grid_row *row);
/* The same of a grid whose blocks are in slices. They may be taken together where a block is one slice. */
bool uw_grid_row_of_slices(MlirOperation grid, uw_grid_row *row);
/* Before the grid: how many blocks to take together. At most `most`, and not more than leave strips for all workers. */
MlirValue uw_blocks_together(uw_builder *b, const uw_grid_row *row, MlirValue most);
/* Makes the grid loop one over strips of so many blocks; row->block is the strip's first one. Gives how many the strip
 * has, before the operation `at` in the loop. */
MlirValue uw_take_together(uw_arena *arena, uw_grid_row *row, MlirValue each, MlirOperation at);

#endif
