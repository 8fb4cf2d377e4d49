/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives the blocks that lie inside of the data a version without what is there for its rim: conditions that keep
 * threads out and clamped indices. A stencil asks in every phase between two barriers whether its neighbours are there;
 * for all but the blocks at the rim they are, and what is left of the conditions are constants, with which the phases
 * become short loops over constant bounds.
 *
 *   block (%y, %x) to (16, 16) {                        if (%first >= 0 && %first + 15 < %n && …) {
 *     %at = %first + %x                                   block (%y, %x) to (16, 16) {
 *     if (%at >= 0 && %at < %n && …) { A }         ==>      A
 *     barrier                                               barrier
 *     %w = select (%at == 0), %x, %x - 1                    if (%x > 0 && …) { B(%x - 1) } } }
 *     if (%at >= 0 && %at < %n && %x > 0 …) { B(%w) } }   else { as it was }
 *
 * split_interior.c and split_borders.c do the same for one thread loop after the barriers. They do not see that a condition is
 * about the rim in part only, and each of the loops is asked about anew, with other bounds in each.
 *
 * Done when a) the threads of the block meet at a barrier; b) there are comparisons, minima or maxima of a sum of the
 * thread's indices and of something that depends on the block, with what is the same for the whole grid, about the
 * start of the data (a small constant) and about its end; c) the body has at most UW_MOST_COPIED operations; d) no team
 * of workers takes the block (distribute_teams.c).
 *
 * Legal because the comparisons that become constants are asked of the thread whose sum is nearest to the limit: the
 * sum rises or falls along each dimension. Where a sum wraps around on the way from the least to the largest, which are
 * less than UW_LONGEST_SPAN apart, they are out of order, and that is asked too, of sums that may wrap around; what is
 * compared unsigned has to be no less than 0. The new condition is the same for all threads of the block.
 *
 * Requires: before barriers are lowered; distribute-teams. Preserves: all effects and their order. Refuses: all else, silently. */
#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/exchange.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "loop_bounds.h"

#define DONE "unwarp.inner" /* a thread loop that is done */

/* A comparison, minimum or maximum, and what it is inside of the data: a thread's sum is above (start) or below (end)
 * the limit. */
typedef struct rim {
  MlirOperation op;
  MlirValue sum, limit;
  uw_predicate inside; /* sum inside limit, with sign */
  bool start, is_unsigned;
  enum { IS_FALSE, IS_TRUE, IS_SUM } value;
} rim;

typedef struct rims {
  uw_arena *arena;
  MlirOperation loop, grid;
  uw_bounds bounds;
  rim *at;
  size_t count;
} rims;

/* Is something of what it is computed from, outside of the thread loop, of the block? */
static bool depends_on_block(const rims *r, uw_table *seen, MlirValue value) {
  int64_t number;
  MlirOperation op = uw_def(value);
  if (uw_const_value(value, &number) || uw_table_get(seen, value.ptr) ||
      (uw_null(op) && uw_defined_inside(value, r->loop)))
    return false;
  if (!uw_defined_inside(value, r->loop))
    return uw_defined_inside(value, r->grid);
  uw_table_set(seen, value.ptr, 1);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (depends_on_block(r, seen, uw_operand(op, i)))
      return true;
  return false;
}

static bool is_near_start(MlirValue limit) {
  int64_t number;
  return uw_const_value(limit, &number) && number >= -UW_NEAR_START && number <= UW_NEAR_START;
}

/* What a comparison is inside of the data. */
static bool read_compare(rim *found, uw_predicate p) {
  found->start = is_near_start(found->limit);
  found->is_unsigned = p >= UW_ULT;
  int64_t limit = 0;
  if (found->start && found->is_unsigned && uw_const_value(found->limit, &limit) && limit < 0)
    return false;
  switch (p) {
  case UW_EQ:
  case UW_NE:
    found->inside = found->start ? UW_SGT : UW_SLT;
    found->value = p == UW_NE;
    return true;
  case UW_SLT:
  case UW_ULT:
  case UW_SGE:
  case UW_UGE:
    found->inside = found->start ? UW_SGE : UW_SLT;
    found->value = found->start == (p == UW_SGE || p == UW_UGE);
    return true;
  default:
    found->inside = found->start ? UW_SGT : UW_SLE;
    found->value = found->start == (p == UW_SGT || p == UW_UGT);
    return true;
  }
}

static bool read_extreme(rim *found) {
  bool largest = uw_string_is(uw_name(found->op), "arith.maxsi");
  if (!largest && !uw_string_is(uw_name(found->op), "arith.minsi"))
    return false;
  found->start = largest;
  found->inside = largest ? UW_SGE : UW_SLE;
  found->value = IS_SUM;
  return true;
}

/* b) */
static bool read(rims *r, MlirOperation op, rim *found) {
  if (uw_operand_count(op) != 2 || uw_result_count(op) != 1)
    return false;
  size_t own = uw_defined_inside(uw_operand(op, 0), r->loop) ? 0 : 1;
  *found = (rim){.op = op, .sum = uw_operand(op, own), .limit = uw_operand(op, 1 - own)};
  MlirType type = mlirValueGetType(found->sum);
  if (!mlirTypeIsAIndex(type) && !(mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32))
    return false;
  if (uw_kind(op) == UW_OP_ARITH_CMPI) {
    uw_predicate p = (uw_predicate)uw_get_int_attr(op, "predicate", UW_EQ);
    if (!read_compare(found, own == 0 ? p : uw_swapped(p)))
      return false;
  } else if (!read_extreme(found)) {
    return false;
  }
  return uw_computable_outside(r->arena, found->limit, r->grid, NULL) &&
         depends_on_block(r, uw_table_create(r->arena), found->sum) &&
         !uw_computable_outside(r->arena, found->sum, r->loop, NULL) && uw_extremes(&r->bounds, found->sum, NULL) &&
         uw_span(&r->bounds, found->sum) < UW_LONGEST_SPAN;
}

static bool find(rims *r) {
  uw_ops ops = uw_collect(r->arena, r->loop);
  if (ops.count > UW_MOST_COPIED)
    return false;
  r->at = uw_alloc(r->arena, ops.count * sizeof *r->at);
  bool start = false, end = false;
  for (size_t i = 0; i < ops.count; i++)
    if (read(r, ops.at[i], &r->at[r->count])) {
      start = start || r->at[r->count].start;
      end = end || !r->at[r->count].start;
      r->count++;
    }
  return start && end;
}

static MlirValue zero_like(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) ? uw_const_index(b, 0) : uw_const_int(b, (unsigned)mlirIntegerTypeGetWidth(type), 0);
}

/* What was made after `last`: for a thread that does not come by the comparison, a sum may wrap around. */
static void let_wrap(const rims *r, MlirOperation last) {
  MlirOperation op = uw_null(last) ? uw_first(mlirOperationGetBlock(r->loop)) : uw_next(last);
  for (; !uw_same_op(op, r->loop); op = uw_next(op))
    if (!mlirAttributeIsNull(uw_get_attr(op, "overflowFlags")))
      uw_set_attr(op, "overflowFlags", uw_attr(mlirOperationGetContext(op), "#arith.overflow<none>"));
}

/* Before the loop: are all threads of the block inside of all limits? */
static MlirValue ask(rims *r) {
  MlirValue all = {NULL}, ends[2];
  uw_map *copies = uw_map_create(r->arena);
  MlirOperation last = uw_prev(r->loop);
  for (size_t i = 0; i < r->count; i++) {
    const rim *here = &r->at[i];
    uw_extremes(&r->bounds, here->sum, ends);
    uw_builder b = uw_at(r->loop);
    MlirValue limit = uw_compute_outside(&b, here->limit, r->loop, copies);
    all = uw_and(&b, all, uw_compare(&b, UW_SLE, ends[0], ends[1]));
    all = uw_and(&b, all, uw_compare(&b, here->inside, ends[here->start ? 0 : 1], limit));
    if (here->is_unsigned)
      all = uw_and(&b, all, uw_compare(&b, UW_SGE, ends[0], zero_like(&b, ends[0])));
  }
  let_wrap(r, last);
  return all;
}

/* In the inner version, where `op` is the copy of what stands at the rim. */
static void settle(const rim *here, MlirOperation op) {
  uw_builder b = uw_at(op);
  size_t own = uw_same(here->sum, uw_operand(here->op, 0)) ? 0 : 1;
  uw_replace_uses(uw_result(op, 0),
                  here->value == IS_SUM ? uw_operand(op, own) : uw_const_int(&b, 1, here->value == IS_TRUE));
  uw_erase(op);
}

static void split(rims *r) {
  MlirValue all = ask(r);
  uw_builder b = uw_at(r->loop);
  uw_set_attr(r->loop, DONE, mlirUnitAttrGet(b.context));
  uw_versions versions = uw_make_versions(r->arena, &b, .asked = all, .first = r->loop, .own = UW_FAILS);
  uw_ops old = {0};
  for (size_t i = 0; i < r->count; i++)
    uw_ops_push(r->arena, &old, r->at[i].op);
  uw_ops new = uw_counterparts(r->arena, r->loop, versions.first[UW_HOLDS], &old);
  for (size_t i = 0; i < new.count; i++)
    settle(&r->at[i], new.at[i]);
  uw_set_attr(r->loop, UW_EDGE, mlirUnitAttrGet(b.context));
}

uw_change uw_pass_split_inner_blocks(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_thread_loops(ctx->arena, root, "block");
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i], grid = uw_parent_of_kind(loop, UW_OP_SCF_FORALL);
    rims r = {.arena = ctx->arena, .loop = loop, .grid = grid, .bounds = uw_bounds_of(ctx->arena, loop)};
    if (!mlirAttributeIsNull(uw_get_attr(loop, DONE)) || uw_null(grid) || !uw_is_over(grid, UW_OVER_BLOCKS) ||
        !mlirAttributeIsNull(uw_get_attr(grid, UW_TEAM)) || r.bounds.dims > UW_DIMS || !find(&r) ||
        !uw_may_copy(loop, UW_SOME_GAIN, "split-inner-blocks"))
      continue;
    uw_remark(mlirOperationGetLocation(loop), "split-inner-blocks",
              "blocks inside of the data have a version without conditions and clamps for its rim");
    split(&r);
    change = UW_CHANGED;
  }
  return change;
}
