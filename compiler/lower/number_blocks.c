/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop over the blocks of a grid becomes one over their numbers, in whose order they begin: workers share them out.
 *
 *   scf.forall (%z, %y, %x) in (%nz, %ny, %nx)     ==>     scf.forall (%number) in (%nx * %ny * %nz)
 *                                                            %x = %number % %nx; %y = %number / %nx % %ny; …
 *
 * Dimensions of one block, and indices that nobody asks for, cost nothing. */
#include "../ir/block_numbers.h"
#include "../ir/parallel.h"
#include "lower.h"

static void copy_attributes(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(from); i++) {
    MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(to, mlirIdentifierStr(attribute.name), attribute.attribute);
  }
}

static void number_blocks(uw_arena *arena, MlirOperation grid) {
  uw_builder b = uw_at(grid);
  MlirOperation loop = uw_build_parallel(&b, VALS(uw_count_blocks(&b, grid)), UW_OVER_BLOCKS);
  MlirBlock body = uw_block(loop, 0);
  copy_attributes(grid, loop);
  uw_builder outside = uw_at(loop);
  b = uw_at_start(uw_block(grid, 0), b.location);
  uw_index_by_number(arena, &outside, &b, grid, grid, uw_index(loop, 0));
  uw_foreach_op_safe (op, uw_block(grid, 0))
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_move_to_end(op, body);
  uw_erase(grid);
}

void uw_number_blocks(MlirModule module, uw_arena *arena) {
  MlirOperation root = mlirModuleGetOperation(module);
  uw_ops grids = uw_collect_over(arena, root, UW_OVER_BLOCKS);
  for (size_t i = 0; i < grids.count; i++)
    if (uw_dims(grids.at[i]) > 1)
      number_blocks(arena, grids.at[i]);
  uw_expand_block_numbers(arena, root);
}
