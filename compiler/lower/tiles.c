/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds arrays of a block that are rows of a few registers: a tile of 16 by 16 floats is 16 registers of AVX-512. All
 * loops over threads that use such an array are unrolled, rows and all; LLVM then has constant positions in it and
 * keeps it in registers.
 *
 *   for (%y to 16) for (%x to 16)                    %t0 = %a[0][0…15]
 *     %tile[%y][%x] = %a[%y][%x]                     %t1 = %a[1][0…15] …
 *   for (%y to 8) for (%x to 16)             ==>     %t0 += %t1
 *     %tile[2 * %y][%x] += %tile[2 * %y + 1][%x]     %t2 += %t3 …
 *
 * Done when a) the array has a known size, of at most half of the processor's registers; b) it is used by plain loads
 * and stores in loops over threads of known length alone, straight lines of at most UW_TILES_MOST_OPS operations, with
 * at most as many rows of threads; c) each access goes along a whole row of the array, with the threads of a row, and
 * from row to row by constants; d) some loop has several rows (one row is what is_few_vectors in lanes.c is for).
 *
 * It is advice to LLVM: nothing else changes. */
#include "../analysis/thresholds.h"
#include "../analysis/access_map.h"
#include "../analysis/bases.h"
#include "../ir/remarks.h"
#include "../raise/raise.h"
#include "lower.h"

enum { MOST_DIMS = 3 };

typedef struct tile {
  uw_arena *arena;
  MlirOperation memory;
  int64_t room, row,
      element; /* bytes: of the registers it may have; of a row; of an element. The last two: 0 before the first access */
  bool has_rows;
} tile;

/* The loop over threads that the operation stands in, which may itself stand in branches and serial loops of the
 * block. */
static MlirOperation threads_around(const tile *t, MlirOperation op) {
  MlirOperation loop = uw_parent(op), none = {NULL};
  if (uw_kind(loop) != UW_OP_SCF_FORALL || !uw_is_over(loop, UW_OVER_THREADS))
    return none;
  for (MlirOperation around = loop; !mlirBlockEqual(mlirOperationGetBlock(around), mlirOperationGetBlock(t->memory));
       around = uw_parent(around)) {
    uw_kind_t kind = uw_kind(uw_parent(around));
    if (kind != UW_OP_SCF_IF && kind != UW_OP_SCF_FOR)
      return none;
  }
  return loop;
}

/* Bytes that the threads of the loop fill with an element each; 0 if that is not known, or the loop is too long to be
 * unrolled.
 * *row: those of a row of threads. */
static int64_t bytes_of(const tile *t, MlirOperation loop, int64_t element, int64_t *row) {
  size_t dims = uw_dims(loop);
  int64_t lower, upper, bytes = element;
  *row = 0;
  for (size_t d = 0; d < dims; d++) {
    if (!uw_const_value(uw_lower_of(loop, d), &lower) || !uw_const_value(uw_upper_of(loop, d), &upper) || lower != 0 ||
        upper < 1 || upper > t->room)
      return 0;
    bytes *= upper;
    *row = element * upper;
  }
  uw_ops ops = uw_collect(t->arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_region_count(ops.at[i]) != 0 || uw_kind(ops.at[i]) == UW_OP_LLVM_CALL)
      return 0;
  return ops.count <= UW_TILES_MOST_OPS ? bytes : 0;
}

/* Does the access go along a row of the array, with a row of the threads? */
static bool goes_by_rows(tile *t, MlirOperation access, MlirOperation loop) {
  bool stores = uw_kind(access) == UW_OP_LLVM_STORE;
  MlirBlock threads = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(threads);
  int64_t element = (int64_t)uw_type_bytes(stores ? mlirValueGetType(uw_operand(access, 0))
                                                  : mlirValueGetType(uw_result(access, 0))),
          row;
  int64_t bytes = bytes_of(t, loop, element, &row);
  if (bytes == 0 || bytes > t->room || (t->row != 0 && (t->row != row || t->element != element)))
    return false;
  t->row = row;
  t->element = element;
  t->has_rows = t->has_rows || bytes > row;
  uw_address at = uw_address_of(uw_operand(access, stores));
  if (!at.offset.known || !uw_same(at.base, uw_result(t->memory, 0)) || at.offset.constant % row != 0)
    return false;
  size_t moving = 0;
  for (size_t d = 0; d < dims; d++) {
    uw_stride stride = uw_stride_in(&at.offset, mlirBlockGetArgument(threads, (intptr_t)d));
    if (!stride.known || stride.factor || (d + 1 == dims ? stride.bytes != element : stride.bytes % row != 0))
      return false;
    moving += stride.bytes != 0;
  }
  return moving == at.offset.count; /* nothing else moves it */
}

static bool is_power_of_two(int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

/* Gives the loops that use the array, if all of them are to be unrolled. */
static bool find_loops(tile *t, uw_ops *loops) {
  uw_ops arithmetic = {0}, accesses = {0};
  MlirOperation grid = uw_parent(t->memory);
  int64_t bytes;
  if (!uw_const_value(uw_operand(t->memory, 0), &bytes) || bytes > t->room ||
      !uw_plain_uses(t->arena, grid, uw_result(t->memory, 0), &arithmetic, &accesses))
    return false;
  for (size_t i = 0; i < accesses.count; i++) {
    MlirOperation loop = threads_around(t, accesses.at[i]);
    if (uw_null(loop) || !goes_by_rows(t, accesses.at[i], loop))
      return false;
    uw_ops_push(t->arena, loops, loop);
  }
  return t->has_rows && is_power_of_two(t->row);
}

void uw_mark_tiles(MlirModule module, uw_arena *arena) {
  MlirOperation root = mlirModuleGetOperation(module);
  int64_t bytes = uw_get_int_attr(root, "unwarp.register_bytes", 16);
  enum { WITH_32_REGISTERS = 64 };
  uw_ops grids = uw_collect_kind(arena, root, UW_OP_SCF_FORALL);
  for (size_t g = 0; g < grids.count; g++) {
    MlirOperation function = uw_parent_of_kind(grids.at[g], UW_OP_FUNC);
    if (!uw_is_over(grids.at[g], UW_OVER_BLOCKS) ||
        (!uw_null(function) && !mlirAttributeIsNull(uw_get_attr(function, UW_REPLAY))))
      continue;
    int64_t room = bytes * (bytes == WITH_32_REGISTERS ? 16 : 8);
    uw_foreach_op (op, uw_block(grids.at[g], 0)) {
      tile t = {.arena = arena, .memory = op, .room = room};
      uw_ops loops = {0};
      if ((uw_kind(op) != UW_OP_SHARED && uw_kind(op) != UW_OP_SLOT) || !find_loops(&t, &loops))
        continue;
      int64_t size = 0;
      uw_const_value(uw_operand(op, 0), &size);
      room -= size;
      uw_remark(mlirOperationGetLocation(op), "lower",
                "loops over this array of %lld bytes are unrolled: it is a few registers", (long long)size);
      for (size_t i = 0; i < loops.count; i++)
        uw_set_attr(loops.at[i], UW_WRITTEN_OUT, mlirUnitAttrGet(mlirModuleGetContext(module)));
    }
  }
}
