/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches short rows of distant lines ahead. A block of 16 by 16 threads reads one line of each of 16 rows of an array,
 * which are as far apart as the array is wide; no prefetcher of the processor follows that. In a loop with barriers
 * that marches through planes of an array, the rows of the next iteration are fetched; otherwise those of the blocks to
 * come, after this one's in memory. Rows of the next iteration may be longer, as where blocks run in lock step
 * (coarsen_interleaved.c): prefetchers stop at the end of a page, and begin anew in each row; of several loads of an array, the one
 * that leads the march fetches, the others find there what it has fetched.
 *
 *   for … iter_args(%far) {                          for … iter_args(%far) {
 *     parallel (%y, %x) {                              parallel (%y) {
 *       load %in[%far + %y * %n + %x] }      ==>         prefetch %in[(%far + %step) + %y * %n + …]   a line each
 *                                                        parallel (%x) { load %in[%far + %y * %n + %x] } }
 *
 * Done for loads and stores at the top level of a thread loop's body, and in branches there (where the rows of a block
 * reach over the border of the data, only threads inside do something), when a) there are several rows, of a known
 * length of at most UW_ROWS_AHEAD_LONGEST bytes; of what is loaded from the next iteration's, of any length up to a
 * page, or an unknown one; b) the address is computed by pure operations, grows by the size of an element along a row,
 * and by a product with a value that is not known, or 1 KiB or more, from row to row (far_row.h); c) it does not lead
 * to memory of the block; d) there are at most UW_ROWS_AHEAD_MOST such accesses, of different objects.
 *
 * Legal because a prefetch has no effect, of whatever address.
 *
 * Requires: guards-to-bounds; vectorize-threads and fuse-loops before it. Preserves: all. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/linear.h"
#include "../../analysis/cpu.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"
#include "far_row.h"

#define AHEAD_DONE "unwarp.ahead" /* a row loop that is done */

enum { DIMS = 3 };

typedef struct fetch {
  MlirValue address;
  int64_t bytes; /* of an element */
  bool writes;
  MlirOperation around; /* the loop with barriers whose next iteration's rows are fetched; null: the next blocks' */
} fetch;

/* Several rows. Their length, 0 if it is not known. */
static bool has_rows(MlirOperation loop, int64_t *length) {
  size_t dims = uw_dims(loop);
  MlirOperation rows = dims == DIMS ? loop : uw_parent(loop);
  bool nested =
      dims == 1 && uw_kind(rows) == UW_OP_SCF_FORALL && uw_dims(rows) == DIMS - 1 && uw_is_over(rows, UW_OVER_THREADS);
  if (dims != DIMS && !nested)
    return false;
  int64_t first, end, height;
  if (uw_const_value(uw_upper_of(rows, DIMS - 2), &height) && height < 2)
    return false;
  bool known = uw_const_value(uw_lower_of(loop, dims - 1), &first) && uw_const_value(uw_upper_of(loop, dims - 1), &end);
  *length = known ? end - first : 0;
  return !known || *length > 1;
}

/* The loop around that carries what the address depends on, if the next iteration's can be told now; else null. map:
 * the row's indices. */
static MlirOperation marching_loop(uw_arena *arena, MlirOperation loop, MlirValue address, uw_map *map) {
  MlirOperation none = {NULL}, around = uw_parent_of_kind(loop, UW_OP_SCF_FOR);
  if (uw_null(around) || uw_computable_outside(arena, address, around, map))
    return none;
  MlirBlock body = uw_block(around, 0);
  MlirOperation yield = uw_last(body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    uw_map_set(map, mlirBlockGetArgument(body, i), mlirBlockGetArgument(body, i));
  for (size_t i = 0; i < uw_operand_count(yield); i++)
    if (!uw_computable_outside(arena, uw_operand(yield, i), around, map))
      return none;
  return uw_computable_outside(arena, address, around, map) ? around : none;
}

/* How far ahead in the march an address is, compared with others from the same base: what it has of that by which a
 * iteration moves it. */
static int64_t lead_of(MlirOperation around, MlirValue address) {
  MlirBlock body = uw_block(around, 0);
  uw_address at = uw_address_of(address);
  uw_linear advance = {.known = true, .exact = true};
  for (size_t k = 0; k < at.offset.count; k++)
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
      MlirValue carried = mlirBlockGetArgument(body, i);
      if (!uw_same(at.offset.terms[k].symbol, carried) || at.offset.terms[k].scale.ptr)
        continue;
      uw_linear step = uw_linear_of(i == 0 ? uw_operand(around, 2) : uw_operand(uw_last(body), (size_t)i - 1)),
                now = uw_linear_of(carried);
      if (i > 0)
        step = uw_linear_sum(&step, &now, -1);
      advance = uw_linear_sum(&advance, &step, at.offset.terms[k].factor);
    }
  if (!advance.known || advance.count == 0)
    return advance.known && advance.constant < 0 ? -at.offset.constant : at.offset.constant;
  const uw_term *by = &advance.terms[0];
  for (size_t k = 0; k < at.offset.count; k++) {
    const uw_term *own = &at.offset.terms[k];
    if (uw_same(own->symbol, by->symbol) && own->scale.ptr == by->scale.ptr)
      return by->factor < 0 ? -own->factor : own->factor;
  }
  return 0;
}

/* The accesses in a block, and in branches there: threads at the border of the data are left out by a condition. False
 * if there are more than UW_ROWS_AHEAD_MOST. */
static bool find(uw_arena *arena, MlirOperation loop, MlirBlock block, int64_t length, fetch *fetches, size_t *count) {
  uw_foreach_op (op, block) {
    for (intptr_t arm = 0; uw_kind(op) == UW_OP_SCF_IF && arm < 2; arm++)
      if (!uw_is_empty(uw_block(op, arm)) && !find(arena, loop, uw_block(op, arm), length, fetches, count))
        return false;
    if (!uw_plain_access(op))
      continue;
    bool writes = uw_kind(op) == UW_OP_LLVM_STORE;
    MlirType type = mlirValueGetType(writes ? uw_operand(op, 0) : uw_result(op, 0));
    fetch f = {uw_operand(op, writes), (int64_t)uw_type_bytes(type), writes, {NULL}};
    MlirValue base = uw_address_of(f.address).base;
    uw_map *args = uw_map_create(arena);
    for (size_t d = 0; d < DIMS; d++)
      uw_map_set(args, uw_row_index(loop, d), uw_row_index(loop, d));
    bool is_short = length > 0 && length * f.bytes <= UW_ROWS_AHEAD_LONGEST;
    if (f.bytes > UW_CACHE_LINE || length * f.bytes > UW_PAGE || !uw_is_far_row(loop, f.address, f.bytes) ||
        !uw_computable_outside(arena, f.address, loop, args))
      continue;
    f.around = marching_loop(arena, loop, f.address, args);
    if (!is_short && (writes || uw_null(f.around)))
      continue;
    fetch *same = NULL;
    for (size_t i = 0; i < *count && !same; i++)
      same = uw_same(uw_address_of(fetches[i].address).base, base) ? &fetches[i] : NULL;
    if (same) {
      if (!uw_null(f.around) && uw_same_op(f.around, same->around) && !writes && !same->writes &&
          lead_of(f.around, f.address) > lead_of(f.around, same->address))
        *same = f;
      continue;
    }
    if (*count == UW_ROWS_AHEAD_MOST)
      return false;
    fetches[(*count)++] = f;
  }
  return true;
}

/* What stands for the values that a loop around carries, one iteration later. */
static void next_iteration(uw_arena *arena, uw_builder *b, MlirOperation around, uw_map *map) {
  MlirBlock body = uw_block(around, 0);
  MlirOperation yield = uw_last(body);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  uw_map *now = uw_map_create(arena);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    uw_map_set(now, mlirBlockGetArgument(body, i), mlirBlockGetArgument(body, i));
  for (size_t i = 0; i < uw_operand_count(yield); i++)
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)i + 1),
               uw_compute_outside(b, uw_operand(yield, i), around, now));
  uw_map_set(map, counter, uw_binary(b, "arith.addi", counter, uw_operand(around, 2)));
}

/* Fetches the line with the element of a row at index x. */
static void fetch_line(uw_arena *arena, uw_builder *b, MlirOperation loop, const fetch *f, const uw_map *next,
                       MlirValue x) {
  bool marches = !uw_null(f->around);
  uw_map *map = uw_map_create(arena);
  for (intptr_t i = 0; marches && i < mlirBlockGetNumArguments(uw_block(f->around, 0)); i++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(f->around, 0), i),
               uw_map_get(next, mlirBlockGetArgument(uw_block(f->around, 0), i)));
  for (size_t d = 0; d < DIMS - 1; d++)
    uw_map_set(map, uw_row_index(loop, d), uw_row_index(loop, d));
  uw_map_set(map, uw_row_index(loop, DIMS - 1), x);
  uw_build_prefetch(b, uw_compute_outside(b, f->address, marches ? f->around : loop, map), f->writes);
}

static void emit(uw_arena *arena, MlirOperation loop, const fetch *f, int64_t length) {
  uw_builder b = uw_at(loop);
  bool marches = !uw_null(f->around);
  uw_map *next = uw_map_create(arena);
  if (marches)
    next_iteration(arena, &b, f->around, next);
  MlirValue first = uw_lower_of(loop, 0);
  if (length > 0 && length * f->bytes <= UW_ROWS_AHEAD_LONGEST) {
    for (int64_t far = 0; far < length * f->bytes; far += UW_CACHE_LINE) {
      MlirValue amount = uw_const_index(&b, (marches ? far : far + UW_ROWS_AHEAD_BYTES) / f->bytes);
      fetch_line(arena, &b, loop, f, next, uw_binary(&b, "arith.addi", first, amount));
    }
  } else {
    MlirOperation lines =
        uw_build_for(&b, first, uw_upper_of(loop, 0), uw_const_index(&b, UW_CACHE_LINE / f->bytes), (uw_value_list){0});
    uw_yield(uw_block(lines, 0), b.location, (uw_value_list){0});
    b = uw_at(uw_last(uw_block(lines, 0)));
    fetch_line(arena, &b, loop, f, next, mlirBlockGetArgument(uw_block(lines, 0), 0));
  }
  uw_remark(mlirOperationGetLocation(loop), "prefetch-rows", "rows of the next %s are fetched ahead",
            marches ? "iteration" : "blocks");
}

uw_change uw_pass_prefetch_rows(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    fetch fetches[UW_ROWS_AHEAD_MOST];
    int64_t length;
    size_t count = 0;
    bool found = false;
    bool whole =
        uw_collect_kind(ctx->arena, loop, UW_OP_SCF_FORALL).count == 0; /* vectorize_threads.c takes loops apart */
    if (whole && mlirAttributeIsNull(uw_get_attr(loop, AHEAD_DONE)) && uw_is_over(loop, UW_OVER_THREADS) &&
        has_rows(loop, &length))
      found = find(ctx->arena, loop, uw_block(loop, 0), length, fetches, &count);
    if (!found || count == 0)
      continue;
    if (uw_dims(loop) == DIMS) {
      loop = uw_first(uw_block(uw_nest_rows(&loop, 1), 0));
      while (uw_kind(loop) != UW_OP_SCF_FORALL) /* bounds stand before it */
        loop = uw_next(loop);
    }
    for (size_t k = 0; k < count; k++)
      emit(ctx->arena, loop, &fetches[k], length);
    uw_set_attr(loop, AHEAD_DONE, mlirUnitAttrGet(ctx->context));
    change = UW_CHANGED;
  }
  return change;
}
