/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs neighbouring blocks of the grid together, as one block of more threads or in one loop, where blocks have too
 * little to do alone: short rows, the same tiles, one sum each.
 *
 *   grid (%bz, %by, %bx) to (%gz, %gy, %gx)      ==>      grid (%bz, %by, %bx) to (%gz, %gy, %gx) step (1, %down, %along)
 *
 * The shapes, each of which has a file, one after the other:
 *
 *   coarsen_tiles.c          rows and columns that fill shared memory with the same values
 *   coarsen_columns.c        a column whose threads add up products, or take elements of columns
 *   coarsen_rows.c           a row whose blocks share nothing
 *
 * {shape=interleaved} is a row in lock step, before barriers are lowered (coarsen_interleaved.c).
 *
 * Done when: see there. Legal because nothing orders one block before another. Requires: barriers lowered. Preserves: what
 * each thread does. Refuses: all else, silently. */
#include "grid_row.h"

uw_change uw_pass_coarsen_blocks(MlirOperation root, uw_pass_ctx *ctx) {
  if (uw_option_is(ctx, "shape", "interleaved"))
    return uw_coarsen_interleaved(ctx->arena, root);
  static uw_coarsen *const shapes[] = {uw_coarsen_tiles, uw_coarsen_columns, uw_coarsen_rows};
  uw_change change = UW_SAME;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (shapes[i](ctx->arena, root) == UW_CHANGED)
      change = UW_CHANGED;
  return change;
}
