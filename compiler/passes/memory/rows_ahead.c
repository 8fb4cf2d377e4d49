/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches short rows of distant lines ahead. A block of 16 by 16 threads reads one line of each of 16 rows of an array, which are
 * as far apart as the array is wide; no prefetcher of the processor follows that. In a loop with barriers that marches through
 * planes of an array, the rows of the next round are fetched; otherwise those of the blocks to come, behind this one's in memory.
 *
 *   for … iter_args(%far) {                          for … iter_args(%far) {
 *     parallel (%y, %x) {                              parallel (%y) {
 *       load %in[%far + %y * %n + %x] }      ==>         prefetch %in[(%far + %step) + %y * %n + …]   a line each
 *                                                        parallel (%x) { load %in[%far + %y * %n + %x] } }
 *
 * Done for loads and stores at the top level of a thread loop's body, and in branches there (where the rows of a block reach over the border of
 * the data, only threads inside do something), when a) rows have a known length of at most LONGEST bytes, and there are
 * several; b) the address is computed by pure operations, grows by the size of an element along a row, and by a product with a
 * value that is not known, or 1 KiB or more, from row to row (far_row.h); c) it does not lead to memory of the block; d) there are at
 * most MOST such accesses, of different objects.
 *
 * Legal because a prefetch has no effect, of whatever address.
 *
 * Requires: tighten; packets and columns before it. Preserves: all. Refuses: all else, in silence. */
#include "../../analysis/linear.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"
#include "far_row.h"

#define AHEAD_DONE "unwarp.ahead" /* a row loop that is done */

enum { DIMS = 3, LINE = 64, LONGEST = 4 * LINE, AHEAD = 4 * LINE, MOST = 3 };

typedef struct fetch {
  MlirValue address;
  int64_t bytes; /* of an element */
  bool writes;
} fetch;

/* Rows of a known length, several. */
static bool has_rows(MlirOperation loop, int64_t *length) {
  size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(loop, 0));
  MlirOperation rows = dims == DIMS ? loop : uw_parent(loop);
  bool nested = dims == 1 && uw_kind(rows) == UW_OP_SCF_PARALLEL && mlirBlockGetNumArguments(uw_block(rows, 0)) == DIMS - 1 &&
                uw_attr_is_str(rows, "unwarp.level", "block");
  if (dims != DIMS && !nested)
    return false;
  int64_t first, end, height;
  size_t of_rows = dims == DIMS ? DIMS : DIMS - 1;
  if (!uw_const_value(uw_operand(loop, dims - 1), &first) || !uw_const_value(uw_operand(loop, 2 * dims - 1), &end) || end - first < 2 ||
      (uw_const_value(uw_operand(rows, of_rows + DIMS - 2), &height) && height < 2))
    return false;
  *length = end - first;
  return true;
}

/* The accesses in a block, and in branches there: threads at the border of the data are left out by a condition. False if there are more
 * than MOST. */
static bool find(uw_arena *arena, MlirOperation loop, MlirBlock block, int64_t length, fetch *fetches, size_t *count) {
  uw_foreach_op(op, block) {
    for (intptr_t arm = 0; uw_kind(op) == UW_OP_SCF_IF && arm < 2; arm++)
      if (!uw_is_empty(uw_block(op, arm)) && !find(arena, loop, uw_block(op, arm), length, fetches, count))
        return false;
    if (!uw_plain_access(op))
      continue;
    bool writes = uw_kind(op) == UW_OP_LLVM_STORE;
    MlirType type = mlirValueGetType(writes ? uw_operand(op, 0) : uw_result(op, 0));
    fetch f = {uw_operand(op, writes), (int64_t)uw_type_bytes(type), writes};
    MlirValue base = uw_address_of(f.address).base;
    bool known = false;
    for (size_t i = 0; i < *count; i++)
      known = known || uw_same(uw_address_of(fetches[i].address).base, base);
    uw_map *args = uw_map_create(arena);
    for (size_t d = 0; d < DIMS; d++)
      uw_map_set(args, uw_row_index(loop, d), uw_row_index(loop, d));
    if (known || length * f.bytes > LONGEST || !uw_is_far_row(loop, f.address, f.bytes) ||
        !uw_computable_outside(arena, f.address, loop, args))
      continue;
    if (*count == MOST)
      return false;
    fetches[(*count)++] = f;
  }
  return true;
}

/* What stands for the values that a loop around carries, one round later. False if the address does not hang on one, or the next round's
 * value cannot be told now. */
static bool next_round(uw_arena *arena, uw_builder *b, MlirOperation loop, MlirValue address, MlirOperation *around, uw_map *map) {
  *around = uw_parent_of_kind(loop, UW_OP_SCF_FOR);
  if (uw_null(*around) || uw_computable_outside(arena, address, *around, map))
    return false;
  MlirBlock body = uw_block(*around, 0);
  MlirOperation yield = uw_last(body);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  uw_map_set(map, counter, counter);
  for (size_t i = 0; i < uw_operand_count(yield); i++)
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)i + 1), mlirBlockGetArgument(body, (intptr_t)i + 1));
  for (size_t i = 0; i < uw_operand_count(yield); i++)
    if (!uw_computable_outside(arena, uw_operand(yield, i), *around, map))
      return false;
  if (!uw_computable_outside(arena, address, *around, map))
    return false;
  uw_map *now = uw_map_create(arena);
  uw_map_set(now, counter, counter);
  for (size_t i = 0; i < uw_operand_count(yield); i++)
    uw_map_set(now, mlirBlockGetArgument(body, (intptr_t)i + 1), mlirBlockGetArgument(body, (intptr_t)i + 1));
  for (size_t i = 0; i < uw_operand_count(yield); i++)
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)i + 1), uw_compute_outside(b, uw_operand(yield, i), *around, now));
  uw_map_set(map, counter, uw_binary(b, "arith.addi", counter, uw_operand(*around, 2)));
  return true;
}

static void emit(uw_arena *arena, MlirOperation loop, const fetch *f, int64_t length) {
  uw_builder b = uw_at(loop);
  MlirOperation scope = loop, around;
  uw_map *next = uw_map_create(arena);
  for (size_t d = 0; d < DIMS; d++)
    uw_map_set(next, uw_row_index(loop, d), uw_row_index(loop, d));
  bool marches = next_round(arena, &b, loop, f->address, &around, next);
  if (marches)
    scope = around;
  for (int64_t far = 0; far < length * f->bytes; far += LINE) {
    uw_map *map = uw_map_create(arena);
    if (marches) {
      MlirBlock body = uw_block(around, 0);
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
        uw_map_set(map, mlirBlockGetArgument(body, i), uw_map_get(next, mlirBlockGetArgument(body, i)));
    }
    for (size_t d = 0; d < DIMS - 1; d++)
      uw_map_set(map, uw_row_index(loop, d), uw_row_index(loop, d));
    MlirValue from = uw_operand(loop, 0), amount = uw_const_index(&b, (marches ? far : far + AHEAD) / f->bytes);
    uw_map_set(map, uw_row_index(loop, DIMS - 1), uw_binary(&b, "arith.addi", from, amount));
    uw_build_prefetch(&b, uw_compute_outside(&b, f->address, scope, map), f->writes);
  }
  uw_remark(mlirOperationGetLocation(loop), "rows-ahead", "rows of the next %s are fetched ahead", marches ? "round" : "blocks");
}

uw_change uw_pass_rows_ahead(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    fetch fetches[MOST];
    int64_t length;
    size_t count = 0;
    bool found = false;
    bool whole = uw_collect_kind(ctx->arena, loop, UW_OP_SCF_PARALLEL).count == 0; /* packets.c takes loops apart */
    if (whole && mlirAttributeIsNull(uw_get_attr(loop, AHEAD_DONE)) && uw_attr_is_str(loop, "unwarp.level", "block") && has_rows(loop, &length))
      found = find(ctx->arena, loop, uw_block(loop, 0), length, fetches, &count);
    if (!found || count == 0)
      continue;
    if (mlirBlockGetNumArguments(uw_block(loop, 0)) == DIMS) {
      loop = uw_first(uw_block(uw_nest_rows(&loop, 1), 0));
      while (uw_kind(loop) != UW_OP_SCF_PARALLEL) /* bounds stand before it */
        loop = uw_next(loop);
    }
    for (size_t k = 0; k < count; k++)
      emit(ctx->arena, loop, &fetches[k], length);
    uw_set_attr(loop, AHEAD_DONE, mlirUnitAttrGet(ctx->context));
    change = UW_CHANGED;
  }
  return change;
}
