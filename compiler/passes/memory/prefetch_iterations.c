/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches ahead what the threads of a block read in the next iterations of a loop that steps over the whole grid. A
 * block takes a row of an array, leaves out those of all other blocks, and takes the next: each row is new to the
 * processor's prefetchers, which start anew and are done with it as soon as they have found out.
 *
 *   for (%i = … step %grid) {                        for (%i = … step %grid) {
 *     parallel (%x) to (%n) {                          for (%l = 0 to %n step 16)
 *       load %in[%i + %x]                    ==>         prefetch %in[%i + %iterations * %grid + %l]   a line each
 *     }                                                parallel (%x) to (%n) { load %in[%i + %x] }
 *   }                                                }
 *
 * Done for loads at the top level of a thread loop's body when a) the address is computed by pure operations, grows by
 * the size of an element along a row, by a constant with the counter of the loop around, and depends on no other index
 * of a thread; b) the rows of two iterations do not lie behind each other: the step is a constant and leaves a row out
 * at least, or a product; c) a row, if its length is known, is UW_ITERATIONS_AHEAD_SHORTEST to
 * UW_ITERATIONS_AHEAD_LONGEST bytes; d) it does not lead to memory of the block; e) there are at most
 * UW_ITERATIONS_AHEAD_MOST such loads. At run time nothing is fetched where all iterations of a block reach over less
 * than UW_IN_CACHES bytes, which caches hold.
 *
 * Legal because a prefetch has no effect, of whatever address.
 *
 * Requires: guards-to-bounds, split-interior; vectorize-threads before it. Preserves: all. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bases.h"
#include "../../analysis/bounds.h"
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"

#define AHEAD_DONE "unwarp.iterations_ahead" /* a thread loop that is done */

enum {
  DIMS = 3,
};

typedef struct fetch {
  MlirValue address;
  uw_address at;
  int64_t bytes, apart; /* of an element; between two values of the counter */
} fetch;

static MlirValue counter_of(MlirOperation around) { return mlirBlockGetArgument(uw_block(around, 0), 0); }

/* The for that the thread loop stands in, perhaps in a branch of its body. */
static MlirOperation loop_around(MlirOperation loop) {
  MlirOperation around = uw_parent(loop);
  while (uw_kind(around) == UW_OP_SCF_IF)
    around = uw_parent(around);
  return uw_kind(around) == UW_OP_SCF_FOR ? around : (MlirOperation){NULL};
}

/* What is known of the number of threads in a row: min(256, …) is not more than 256. 0: nothing. */
static int64_t length_of(MlirOperation loop) {
  int64_t lower, length = uw_most_of(uw_upper_of(loop, DIMS - 1));
  if (!uw_const_value(uw_lower_of(loop, DIMS - 1), &lower) || lower != 0)
    return 0;
  return length == UW_NO_MOST ? 0 : length;
}

/* A step that is blockDim.x * gridDim.x, as max(…, 1) perhaps; in the width of one block rows lie behind each other. */
static bool is_product(MlirValue step) {
  MlirOperation op = uw_def(step);
  int64_t other;
  while (!uw_null(op)) {
    bool cast =
        uw_name_starts(op, "arith.index_cast") || uw_name_starts(op, "arith.ext") || uw_name_starts(op, "arith.trunc");
    bool most = uw_string_is(uw_name(op), "arith.maxsi") && uw_const_value(uw_operand(op, 1), &other);
    if (!cast && !most)
      return uw_string_is(uw_name(op), "arith.muli") || uw_string_is(uw_name(op), "arith.shli");
    op = uw_def(uw_operand(op, 0));
  }
  return false;
}

static bool is_distant(MlirOperation around, int64_t apart, int64_t row) {
  int64_t step;
  if (uw_const_value(uw_operand(around, 2), &step))
    return step < INT32_MAX && apart < INT32_MAX &&
           step * apart >= 2 * (row > UW_ITERATIONS_AHEAD_LONGEST / 4 ? row : UW_ITERATIONS_AHEAD_LONGEST / 4);
  return is_product(uw_operand(around, 2));
}

/* Does the load's address go along a row with the threads, and from row to row with the counter? */
static bool goes_by_rows(uw_arena *arena, MlirOperation loop, MlirOperation around, fetch *f) {
  if (!uw_leads_to_array(f->address) ||
      !uw_is_stride(uw_stride_along(&f->at.offset, uw_index(loop, DIMS - 1)), f->bytes))
    return false;
  for (size_t d = 0; d < DIMS - 1; d++)
    if (!uw_is_stride(uw_stride_along(&f->at.offset, uw_index(loop, d)), 0))
      return false;
  f->apart = uw_constant_stride(uw_stride_along(&f->at.offset, counter_of(around)));
  uw_map *known = uw_map_create(arena);
  for (size_t d = 0; d < DIMS; d++)
    uw_map_set(known, uw_index(loop, d), uw_index(loop, d));
  uw_map_set(known, counter_of(around), counter_of(around));
  return f->apart > 0 && uw_computable_outside(arena, f->address, around, known);
}

static size_t find(uw_arena *arena, MlirOperation loop, MlirOperation around, fetch *fetches) {
  size_t count = 0;
  uw_foreach_op (op, uw_block(loop, 0)) {
    if (uw_kind(op) != UW_OP_LLVM_LOAD || !uw_plain_access(op))
      continue;
    fetch f = {uw_operand(op, 0), uw_address_of(uw_operand(op, 0)),
               (int64_t)uw_type_bytes(mlirValueGetType(uw_result(op, 0))), 0};
    int64_t row = length_of(loop) * f.bytes;
    bool fits = row == 0 || (row >= UW_ITERATIONS_AHEAD_SHORTEST && row <= UW_ITERATIONS_AHEAD_LONGEST);
    bool known =
        !fits || f.bytes > UW_CACHE_LINE || !goes_by_rows(arena, loop, around, &f) || !is_distant(around, f.apart, row);
    for (size_t i = 0; i < count; i++)
      known = known || uw_is_near(&f.at, &fetches[i].at, UW_CACHE_LINE);
    if (known)
      continue;
    if (count == UW_ITERATIONS_AHEAD_MOST)
      return 0;
    fetches[count++] = f;
  }
  return count;
}

static void emit(uw_arena *arena, MlirOperation loop, MlirOperation around, const fetch *f) {
  uw_builder b = uw_at(loop);
  int64_t row = length_of(loop) * f->bytes,
          iterations = row ? UW_ITERATIONS_AHEAD_BYTES / row : UW_ITERATIONS_AHEAD_UNKNOWN;
  iterations = iterations < 1                              ? 1
               : iterations > UW_ITERATIONS_AHEAD_FARTHEST ? UW_ITERATIONS_AHEAD_FARTHEST
                                                           : iterations;
  MlirValue counter = counter_of(around), lower = uw_lower_of(loop, DIMS - 1), upper = uw_upper_of(loop, DIMS - 1);
  MlirType type = mlirValueGetType(counter);
  uw_builder before = uw_at(around);
  MlirValue factor = uw_build1(&before, "arith.constant", .out = TYPES(type),
                               .attrs = ATTRS({"value", mlirIntegerAttrGet(type, f->apart)}));
  MlirValue limit = uw_build1(&before, "arith.constant", .out = TYPES(type),
                              .attrs = ATTRS({"value", mlirIntegerAttrGet(type, UW_IN_CACHES)}));
  MlirValue times = uw_build1(&before, "arith.constant", .out = TYPES(type),
                              .attrs = ATTRS({"value", mlirIntegerAttrGet(type, iterations)}));
  MlirValue reach = uw_binary(&before, "arith.subi", uw_operand(around, 1), uw_operand(around, 0));
  MlirValue large = uw_compare(&before, UW_SGE, uw_binary(&before, "arith.muli", reach, factor), limit);
  MlirValue far = uw_binary(&before, "arith.muli", uw_operand(around, 2), times);

  MlirValue step = uw_const_index(&b, UW_CACHE_LINE / f->bytes);
  MlirOperation lines = uw_build_for(&b, lower, uw_select(&b, large, upper, lower), step, (uw_value_list){0});
  uw_yield(uw_block(lines, 0), b.location, (uw_value_list){0});
  b = uw_at_end(uw_block(lines, 0), b.location);
  uw_map *map = uw_map_create(arena);
  for (size_t d = 0; d < DIMS - 1; d++)
    uw_map_set(map, uw_index(loop, d), uw_lower_of(loop, d));
  uw_map_set(map, uw_index(loop, DIMS - 1), counter_of(lines));
  uw_map_set(map, counter, uw_binary(&b, "arith.addi", counter, far));
  uw_build_prefetch(&b, uw_compute_outside(&b, f->address, around, map), false);
}

uw_change uw_pass_prefetch_iterations(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i], around = loop_around(loop);
    fetch fetches[UW_ITERATIONS_AHEAD_MOST];
    if (uw_null(around) || !uw_is_over(loop, UW_OVER_THREADS) || uw_dims(loop) != DIMS ||
        uw_collect_kind(ctx->arena, loop, UW_OP_SCF_FORALL).count ||
        !mlirAttributeIsNull(uw_get_attr(loop, AHEAD_DONE)))
      continue;
    size_t count = find(ctx->arena, loop, around, fetches);
    for (size_t k = 0; k < count; k++)
      emit(ctx->arena, loop, around, &fetches[k]);
    if (count == 0)
      continue;
    uw_remark(mlirOperationGetLocation(loop), "prefetch-iterations",
              "rows of the iterations to come are fetched ahead, where there is much to read");
    uw_set_attr(loop, AHEAD_DONE, mlirUnitAttrGet(ctx->context));
    change = UW_CHANGED;
  }
  return change;
}
