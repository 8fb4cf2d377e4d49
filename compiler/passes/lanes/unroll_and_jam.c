/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes 2 to 8 rows of threads at a time through a compute loop, and 2 or 4 layers. A sum that a loop carries waits for
 * itself, for as long as an addition takes; several side by side keep the processor busy, and what is the same for all
 * of them is loaded once.
 *
 *   parallel (%z, %y, %p) to (1, 16, 1) {               parallel (%z, %y, %p) to (1, 2, 1) {
 *     %s = for (%k) iter(%a) {                            %s:8 = for (%k) iter(%a0, … %a7) {
 *       %v = load vector %b[%k][%p]                         %v = load vector %b[%k][%p]
 *       yield %a + %m[%y][%k] * %v }             ==>        yield %a0 + %m[8 * %y][%k] * %v, …
 *     store %s, %c[%y][%p] }                                      %a7 + %m[8 * %y + 7][%k] * %v }
 *                                                         store %s#0, %c[8 * %y][%p]; … }
 *
 * Layers, which may be those of several blocks (coarsen_tiles.c), are taken together as rows are: 4 rows of 4 layers have 16
 * sums, for 8 loads.
 *
 * Done when a) the thread loop holds no exchange any more, and its rows start at 0; b) some innermost for in it carries
 * vectors (vectorize_threads.c) and is short, so that the processor does not find enough to do in one row; c) all control flow is
 * for and if, and the same for all rows; d) all else is arithmetic and plain accesses of memory; e) what the rows carry
 * fills at most half of the registers, and the accesses of the loop that differ from row to row have UW_JAM_MOST_STREAMS
 * addresses at most.
 *
 * Legal because threads between two barriers may run in any order, also operation by operation: a load that is the same
 * for all rows could see different values only where threads race. Each thread keeps its own order, so sums are the
 * same to the last bit.
 *
 * Requires: barriers lowered, vectorize-threads. Preserves: each thread's order of effects. Refuses: all else, silently. */
#include "../../analysis/calls.h"
#include "../../analysis/exchange.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "vectors.h"

#define JAMMED "unwarp.jammed" /* on loops that are done */

typedef struct jam {
  uw_arena *arena;
  uw_table *varies; /* values that differ from row to row */
  size_t rows;
  uw_map *maps[UW_JAM_MOST_ROWS]; /* what stands for a value in each of the rows */
  uw_builder b;
  int64_t carried; /* bytes of vectors that a row takes through loops */
  size_t streams;  /* addresses of a row in such loops */
  size_t before;   /* how many rows the loop takes together already */
  bool hot;
} jam;

static bool varies(const jam *j, MlirValue value) { return uw_table_get(j->varies, value.ptr) != 0; }

static bool mark(jam *j, MlirValue value) {
  bool is_new = !varies(j, value);
  uw_table_set(j->varies, value.ptr, 1);
  return is_new;
}

static bool takes_varying(const jam *j, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (varies(j, uw_operand(op, i)))
      return true;
  return false;
}

/* Marks what varies because of what is marked; true if that is more than before. */
static bool spread(jam *j, MlirBlock block) {
  bool more = false;
  if (mlirBlockIsNull(block))
    return false;
  uw_foreach_op (op, block) {
    size_t count = uw_result_count(op);
    if (uw_kind(op) == UW_OP_SCF_FOR) {
      MlirBlock body = uw_block(op, 0);
      for (size_t i = 0; i < count; i++)
        if (varies(j, uw_operand(op, i + 3)) || varies(j, uw_operand(uw_last(body), i))) {
          more = mark(j, mlirBlockGetArgument(body, (intptr_t)i + 1)) || more;
          mark(j, uw_result(op, i));
        }
      more = spread(j, body) || more;
    } else if (uw_kind(op) == UW_OP_SCF_IF) {
      more = spread(j, uw_block(op, 0)) || more;
      more = spread(j, uw_block(op, 1)) || more;
      for (size_t i = 0; i < count; i++)
        if (varies(j, uw_operand(uw_last(uw_block(op, 0)), i)) || varies(j, uw_operand(uw_last(uw_block(op, 1)), i)))
          more = mark(j, uw_result(op, i)) || more;
    } else if (takes_varying(j, op)) {
      for (size_t i = 0; i < count; i++)
        more = mark(j, uw_result(op, i)) || more;
    }
  }
  return more;
}

static bool is_terminator(MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_YIELD || uw_kind(op) == UW_OP_SCF_IN_PARALLEL;
}

/* Is it something that rows can do together, as far as the operation alone says? */
static bool fits(const jam *j, MlirOperation op) {
  if (uw_kind(op) == UW_OP_SCF_FOR)
    return !varies(j, uw_operand(op, 0)) && !varies(j, uw_operand(op, 1)) && !varies(j, uw_operand(op, 2));
  if (uw_kind(op) == UW_OP_SCF_IF)
    return !varies(j, uw_operand(op, 0));
  return is_terminator(op) || uw_plain_access(op) ||
         (uw_effect_free(op) && uw_region_count(op) == 0 && uw_kind(op) != UW_OP_LLVM_ALLOCA);
}

/* What an innermost loop would keep in registers for a row. */
static void weigh(jam *j, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  size_t count = 0, streams = 0;
  bool carries = false;
  uw_foreach_op (op, body) {
    if (uw_region_count(op))
      return;
    bool stores = uw_kind(op) == UW_OP_LLVM_STORE;
    streams += uw_plain_access(op) && varies(j, uw_operand(op, stores));
    count++;
  }
  for (size_t i = 0; i < uw_result_count(loop); i++) {
    MlirType type = mlirValueGetType(uw_result(loop, i));
    if (varies(j, uw_result(loop, i)) && mlirTypeIsAVector(type)) {
      carries = true;
      j->carried += (int64_t)uw_type_bytes(type);
    }
  }
  j->hot = j->hot || (carries && count <= UW_JAM_SHORT * j->before);
  j->streams = streams > j->streams ? streams : j->streams;
}

/* How many rows to take at a time: as many as there is room for; 1 if it is not to be done. */
static int64_t choose_rows(jam *j, MlirOperation loop, int64_t most) {
  uw_ops ops = uw_collect(j->arena, loop);
  if (ops.count > UW_JAM_MOST_OPS * j->before)
    return 1;
  for (size_t i = 0; i < ops.count; i++) {
    if (!fits(j, ops.at[i]))
      return 1;
    if (uw_kind(ops.at[i]) == UW_OP_SCF_FOR)
      weigh(j, ops.at[i]);
  }
  int64_t rows = j->hot ? most : 1;
  while (rows > 1 &&
         (rows * j->carried > uw_register_room(loop) / 2 || (size_t)rows * j->streams > UW_JAM_MOST_STREAMS))
    rows /= 2;
  return rows;
}

static void emit(jam *j, MlirBlock block);

/* Pushes what stands for the value: one, or one for each row. */
static void push(jam *j, uw_vals *list, MlirValue value, bool each) {
  for (size_t r = 0; r < (each ? j->rows : 1); r++)
    uw_vals_push(j->arena, list, uw_map_or_same(j->maps[r], value));
}

/* Takes what stands for the value from a list, and steps on in it. */
static size_t take(jam *j, MlirValue value, bool each, MlirValue (*at)(MlirOperation op, size_t index),
                   MlirOperation from, size_t next) {
  for (size_t r = 0; r < j->rows; r++)
    uw_map_set(j->maps[r], value, at(from, next + (each ? r : 0)));
  return next + (each ? j->rows : 1);
}

static MlirValue carried_at(MlirOperation loop, size_t index) {
  return mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)index + 1);
}

static void emit_for(jam *j, MlirOperation op) {
  MlirBlock from = uw_block(op, 0);
  size_t count = uw_result_count(op), next = 0;
  uw_vals inits = {0}, yields = {0};
  for (size_t i = 0; i < count; i++)
    push(j, &inits, uw_operand(op, i + 3), varies(j, uw_result(op, i)));
  MlirValue bounds[3];
  for (size_t i = 0; i < 3; i++)
    bounds[i] = uw_map_or_same(j->maps[0], uw_operand(op, i));
  MlirOperation copy = uw_build_for(&j->b, bounds[0], bounds[1], bounds[2], VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(op, "unsignedCmp")))
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(j->b.context));
  for (size_t r = 0; r < j->rows; r++)
    uw_map_set(j->maps[r], mlirBlockGetArgument(from, 0), mlirBlockGetArgument(uw_block(copy, 0), 0));
  for (size_t i = 0; i < count; i++)
    next = take(j, mlirBlockGetArgument(from, (intptr_t)i + 1), varies(j, uw_result(op, i)), carried_at, copy, next);
  uw_builder outer = j->b;
  j->b = (uw_builder){outer.context, outer.location, uw_block(copy, 0), {NULL}};
  emit(j, from);
  for (size_t i = 0; i < count; i++)
    push(j, &yields, uw_operand(uw_last(from), i), varies(j, uw_result(op, i)));
  uw_build(&j->b, "scf.yield", .in = VALS_OF(yields));
  j->b = outer;
  next = 0;
  for (size_t i = 0; i < count; i++)
    next = take(j, uw_result(op, i), varies(j, uw_result(op, i)), uw_result, copy, next);
}

static void emit_if(jam *j, MlirOperation op) {
  size_t count = uw_result_count(op), next = 0, type_count = 0;
  MlirType *types = uw_alloc(j->arena, (count * j->rows + 1) * sizeof *types);
  for (size_t i = 0; i < count; i++)
    for (size_t r = 0; r < (varies(j, uw_result(op, i)) ? j->rows : 1); r++)
      types[type_count++] = mlirValueGetType(uw_result(op, i));
  MlirOperation copy =
      uw_build_if(&j->b, uw_map_or_same(j->maps[0], uw_operand(op, 0)), (uw_type_list){types, type_count});
  uw_builder outer = j->b;
  for (unsigned arm = 0; arm < 2; arm++) {
    MlirBlock from = uw_block(op, arm);
    uw_vals yields = {0};
    j->b = (uw_builder){outer.context, outer.location, uw_block(copy, arm), {NULL}};
    if (!mlirBlockIsNull(from)) {
      emit(j, from);
      for (size_t i = 0; i < count; i++)
        push(j, &yields, uw_operand(uw_last(from), i), varies(j, uw_result(op, i)));
    }
    uw_build(&j->b, "scf.yield", .in = VALS_OF(yields));
  }
  j->b = outer;
  for (size_t i = 0; i < count; i++)
    next = take(j, uw_result(op, i), varies(j, uw_result(op, i)), uw_result, copy, next);
}

static void emit(jam *j, MlirBlock block) {
  uw_foreach_op (op, block) {
    j->b.location = mlirOperationGetLocation(op);
    if (is_terminator(op))
      continue;
    if (uw_kind(op) == UW_OP_SCF_FOR) {
      emit_for(j, op);
    } else if (uw_kind(op) == UW_OP_SCF_IF) {
      emit_if(j, op);
    } else if (takes_varying(j, op)) {
      for (size_t r = 0; r < j->rows; r++)
        uw_clone(&j->b, op, j->maps[r]);
    } else {
      MlirOperation copy = uw_clone(&j->b, op, j->maps[0]);
      for (size_t r = 1; r < j->rows; r++)
        for (size_t i = 0; i < uw_result_count(op); i++)
          uw_map_set(j->maps[r], uw_result(op, i), uw_result(copy, i));
    }
  }
}

/* A copy of the loop before it, which takes several steps of dimension d together. */
static MlirOperation build(jam *j, MlirOperation loop, size_t d, MlirValue groups) {
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  uw_builder b = uw_at(loop);
  MlirOperation together = uw_parallel_like(&b, loop);
  uw_move_before(together, loop);
  uw_set_attr(together, JAMMED, mlirUnitAttrGet(b.context));
  uw_set_range(together, d, (uw_range){.upper = groups});
  j->b = uw_at_end(uw_block(together, 0), b.location);
  for (size_t r = 0; r < j->rows; r++) {
    j->maps[r] = uw_map_create(j->arena);
    for (size_t i = 0; i < dims; i++)
      uw_map_set(j->maps[r], mlirBlockGetArgument(body, (intptr_t)i),
                 mlirBlockGetArgument(uw_block(together, 0), (intptr_t)i));
  }
  MlirValue first = uw_binary(&j->b, "arith.muli", mlirBlockGetArgument(uw_block(together, 0), (intptr_t)d),
                              uw_const_index(&j->b, (int64_t)j->rows));
  for (size_t r = 0; r < j->rows; r++)
    uw_map_set(j->maps[r], mlirBlockGetArgument(body, (intptr_t)d),
               r ? uw_binary(&j->b, "arith.addi", first, uw_const_index(&j->b, (int64_t)r)) : first);
  emit(j, body);
  return together;
}

/* Takes several steps of dimension d together, of which there are at most so many; gives the loop that does, and how
 * many. */
static MlirOperation take_together(uw_arena *arena, MlirOperation loop, size_t d, int64_t most, size_t before,
                                   int64_t *rows) {
  MlirBlock body = uw_block(loop, 0);
  MlirOperation none = {NULL};
  int64_t lower, extent = 0;
  bool is_known = uw_const_value(uw_upper_of(loop, d), &extent);
  if (!uw_const_value(uw_lower_of(loop, d), &lower) || lower != 0)
    return none;
  while (is_known && most > extent)
    most /= 2;
  jam j = {.arena = arena, .varies = uw_table_create(arena), .before = before};
  mark(&j, mlirBlockGetArgument(body, (intptr_t)d));
  while (spread(&j, body))
    ;
  *rows = most < 2 ? 1 : choose_rows(&j, loop, most);
  if (*rows < 2)
    return none;
  j.rows = (size_t)*rows;
  uw_builder b = uw_at(loop);
  MlirValue groups = uw_const_index(&b, extent / *rows);
  if (!is_known) { /* the bound may be below zero, where the block lies behind all data (guards_to_bounds.c) */
    MlirValue count = uw_binary(&b, "arith.maxsi", uw_upper_of(loop, d), uw_const_index(&b, 0));
    groups = uw_binary(&b, "arith.divui", count, uw_const_index(&b, *rows));
  }
  MlirOperation together = build(&j, loop, d, groups);
  b = uw_at(loop);
  if (is_known && extent % *rows == 0) {
    mlirOperationDestroy(loop);
  } else {
    uw_set_range(loop, d, (uw_range){.lower = uw_binary(&b, "arith.muli", groups, uw_const_index(&b, *rows))});
    uw_set_attr(loop, JAMMED, mlirUnitAttrGet(b.context));
  }
  return together;
}

/* Rows, then layers. */
static bool jam_loop(uw_arena *arena, MlirOperation loop) {
  size_t dims = uw_dims(loop);
  int64_t layers = 1, rows = 1;
  bool has_layers = dims == 3 && (!uw_const_value(uw_upper_of(loop, 0), &layers) || layers > 1);
  MlirLocation location = mlirOperationGetLocation(loop);
  MlirOperation together =
      take_together(arena, loop, dims - 2, has_layers ? UW_JAM_MOST_OF_LAYERS : UW_JAM_MOST_ROWS, 1, &rows);
  if (uw_null(together))
    return false;
  if (!has_layers || uw_null(take_together(arena, together, 0, UW_JAM_MOST_OF_LAYERS, (size_t)rows, &layers)))
    layers = 1;
  uw_remark(location, "unroll-and-jam", "%d rows of threads go through the compute loop side by side, of %d layers",
            (int)rows, (int)layers);
  return true;
}

uw_change uw_pass_unroll_and_jam(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    if (uw_is_over(loop, UW_OVER_THREADS) && uw_dims(loop) > 1 && mlirAttributeIsNull(uw_get_attr(loop, JAMMED)) &&
        uw_collect_kind(ctx->arena, loop, UW_OP_SCF_FORALL).count == 0 && !uw_has_exchange(loop, "block") &&
        !uw_has_exchange(loop, "warp") && !uw_holds_checks(ctx->arena, loop) && jam_loop(ctx->arena, loop))
      change = UW_CHANGED;
  }
  return change;
}
