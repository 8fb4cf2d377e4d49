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
 * Requires: guards-to-bounds; vectorize-threads and fuse-loops before it. Preserves: all. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/cpu.h"
#include "../../ir/parallel.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "far_row.h"
#include "prefetch.h"

enum { DIMS = 3 };

typedef struct fetch {
  uw_fetch of;
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
static int64_t lead_of(const fetch *f) {
  MlirOperation around = f->around;
  MlirBlock body = uw_block(around, 0);
  uw_address at = f->of.at;
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

static bool is_short(int64_t row) { return row > 0 && row <= UW_ROWS_AHEAD_LONGEST; }

/* The accesses in a block, and in branches there: threads at the border of the data are left out by a condition. False
 * if there are more than UW_ROWS_AHEAD_MOST. */
static bool find(uw_arena *arena, MlirOperation loop, MlirBlock block, int64_t length, fetch *fetches, size_t *count) {
  uw_foreach_op (op, block) {
    for (intptr_t arm = 0; uw_kind(op) == UW_OP_SCF_IF && arm < 2; arm++)
      if (!uw_is_empty(uw_block(op, arm)) && !find(arena, loop, uw_block(op, arm), length, fetches, count))
        return false;
    if (!uw_plain_access(op))
      continue;
    fetch f = {uw_fetch_of(op)};
    MlirValue address = f.of.address;
    uw_map *args = uw_map_create(arena);
    for (size_t d = 0; d < DIMS; d++)
      uw_map_set(args, uw_row_index(loop, d), uw_row_index(loop, d));
    int64_t row = length * f.of.bytes;
    if (f.of.bytes > UW_CACHE_LINE || row > UW_PAGE || !uw_is_far_row(loop, address, f.of.bytes) ||
        !uw_computable_outside(arena, address, loop, args))
      continue;
    f.around = marching_loop(arena, loop, address, args);
    if (!is_short(row) && (f.of.writes || uw_null(f.around)))
      continue;
    fetch *same = NULL;
    for (size_t i = 0; i < *count && !same; i++)
      same = uw_same(fetches[i].of.at.base, f.of.at.base) ? &fetches[i] : NULL;
    if (same) {
      if (!uw_null(f.around) && uw_same_op(f.around, same->around) && !f.of.writes && !same->of.writes &&
          lead_of(&f) > lead_of(same))
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
  uw_build_prefetch(b, uw_compute_outside(b, f->of.address, marches ? f->around : loop, map), f->of.writes);
}

static void emit(uw_arena *arena, MlirOperation loop, const fetch *f, int64_t length) {
  uw_builder b = uw_at(loop);
  bool marches = !uw_null(f->around);
  uw_map *next = uw_map_create(arena);
  if (marches)
    next_iteration(arena, &b, f->around, next);
  MlirValue first = uw_lower_of(loop, 0);
  if (is_short(length * f->of.bytes))
    for (int64_t far = 0; far < length * f->of.bytes; far += UW_CACHE_LINE) {
      MlirValue amount = uw_const_index(&b, (marches ? far : far + UW_ROWS_AHEAD_BYTES) / f->of.bytes);
      fetch_line(arena, &b, loop, f, next, uw_binary(&b, "arith.addi", first, amount));
    }
  else {
    MlirValue x = uw_for_each_line(&b, first, uw_upper_of(loop, 0), f->of.bytes);
    fetch_line(arena, &b, loop, f, next, x);
  }
  uw_set_prefetched(loop, marches ? "rows of the next iteration are fetched ahead"
                                  : "rows of the next blocks are fetched ahead");
}

static bool prefetch(uw_arena *arena, MlirOperation loop) {
  fetch fetches[UW_ROWS_AHEAD_MOST];
  int64_t length;
  size_t count = 0;
  bool whole = uw_collect_kind(arena, loop, UW_OP_SCF_FORALL).count == 0; /* vectorize_threads.c takes loops apart */
  if (!whole || uw_is_prefetched(loop) || !has_rows(loop, &length) ||
      !find(arena, loop, uw_block(loop, 0), length, fetches, &count) || count == 0)
    return false;
  if (uw_dims(loop) == DIMS) {
    loop = uw_first(uw_block(uw_nest_rows(&loop, 1), 0));
    while (uw_kind(loop) != UW_OP_SCF_FORALL) /* bounds stand before it */
      loop = uw_next(loop);
  }
  for (size_t i = 0; i < count; i++)
    emit(arena, loop, &fetches[i], length);
  return true;
}

uw_change uw_prefetch_rows(MlirOperation root, uw_arena *arena) {
  return uw_change_each(arena, uw_collect_over(arena, root, UW_OVER_THREADS), prefetch);
}
