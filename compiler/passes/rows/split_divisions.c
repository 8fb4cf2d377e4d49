/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Splits a row of threads where a quotient of their indices changes. Programs number the elements of a matrix, or of
 * more dimensions, one after the other, and take the index apart again; a division for each thread is slow, and
 * neighbours' addresses are not seen to be neighbours.
 *
 *                                                  %ok = %m >= 16 && 0 <= %first + %a …
 *   parallel (%t) = %a to %b {                     for (%q = %ok ? (%first + %a) / %m : 0 to %ok ? (%first + %b - 1) / %m + 1 : 1)
 *     %i = %first + %t                               %from = %ok ? max(%a, %q * %m - %first) : %a; %to = …
 *     %q = %i / %m; %r = %i % %m           ==>       if (%ok)
 *     … }                                              parallel (%t) = %from to %to { %r = %t + (%first - %q * %m); … }
 *                                                    else
 *                                                      parallel (%t) = %from to %to { … as it was }
 *
 * Of a remainder that is divided again the same is done within the part, and so on, DEEPEST deep: loops over quotients
 * nest, and the innermost part is asked once whether all of them are %ok, else whether the first one is. So there are
 * three copies of the body at most. Then the addresses of remainders that have become sums are widened (widen_indices.c).
 *
 * Done when a) the divided integer is the thread's index along the row and what is the same for all threads; b) so is
 * the divisor. It is asked before the row whether the divisor is UW_LEAST_PART or more, and whether the integers fit
 * their bits and are not negative; else the row stays as it was.
 *
 * Legal because threads between two barriers may run in any order. Requires: barriers lowered, guards-to-bounds. Preserves: what
 * each thread does. Refuses: all else, silently. */
#include <string.h>

#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/linear.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/fold.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "loop_bounds.h"
#include "widen_indices.h"

enum {
  /* threads of a part: those of a vector */
  DEEPEST = 3,
  MOST_DIVISIONS = 16,
  MOST_PARTS = 8 /* of a sum */,
  /* of a body: it is copied */
  MOST_DEPTH = 8
};

typedef struct row {
  uw_arena *arena;
  MlirOperation loop;
  MlirValue thread; /* along the row */
  /* What is divided, and what is added to the thread's index in it, with the bits of each extension on the way. */
  MlirValue number, added[MOST_PARTS];
  bool negative[MOST_PARTS];
  size_t added_count;
  MlirOperation divisions[MOST_DIVISIONS];
  size_t count;
} row;

static bool is_quotient(MlirOperation op) {
  return uw_kind(op) == UW_OP_ARITH_DIVSI || uw_kind(op) == UW_OP_ARITH_DIVUI;
}
static bool is_division(MlirOperation op) {
  return is_quotient(op) || uw_kind(op) == UW_OP_ARITH_REMSI || uw_kind(op) == UW_OP_ARITH_REMUI;
}

/* Takes the index apart into the thread's index, once, and what is the same for all threads. Extensions and
 * truncations are looked through: of a value that is not negative and fits into the fewest bits on the way they are
 * the value. */
static bool take_apart(row *r, MlirValue value, bool negative, unsigned *fewest, bool *has_thread, int depth) {
  MlirOperation op = uw_def(value);
  unsigned bits = uw_int_width(value);
  if (bits < 32 || depth == MOST_DEPTH)
    return false;
  if (uw_computable_outside(r->arena, value, r->loop, NULL)) {
    if (r->added_count == MOST_PARTS)
      return false;
    r->negative[r->added_count] = negative;
    r->added[r->added_count++] = value;
    return true;
  }
  *fewest = bits < *fewest ? bits : *fewest;
  if (uw_same(value, r->thread)) {
    bool first = !*has_thread && !negative;
    *has_thread = true;
    return first;
  }
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    return take_apart(r, uw_operand(op, 0), negative, fewest, has_thread, depth + 1) &&
           take_apart(r, uw_operand(op, 1), negative != (uw_kind(op) == UW_OP_ARITH_SUBI), fewest, has_thread,
                      depth + 1);
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: return take_apart(r, uw_operand(op, 0), negative, fewest, has_thread, depth + 1);
  default: return false;
  }
}

static MlirValue unguarded(MlirValue divisor);

/* Does the condition not hold where the divisor, unguarded, is UW_LEAST_PART or more? */
static bool is_of_small(MlirValue condition, MlirValue divisor, int depth) {
  MlirOperation op = uw_def(condition);
  int64_t number;
  if (depth == MOST_DEPTH)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ORI:
    return is_of_small(uw_operand(op, 0), divisor, depth + 1) && is_of_small(uw_operand(op, 1), divisor, depth + 1);
  case UW_OP_ARITH_ANDI:
    return is_of_small(uw_operand(op, 0), divisor, depth + 1) || is_of_small(uw_operand(op, 1), divisor, depth + 1);
  case UW_OP_ARITH_CMPI:
    return uw_get_int_attr(op, "predicate", -1) == UW_EQ && uw_const_value(uw_operand(op, 1), &number) &&
           number < UW_LEAST_PART && uw_same(unguarded(uw_operand(op, 0)), divisor);
  case UW_OP_ARITH_CONSTANT: return uw_const_value(condition, &number) && number == 0;
  default: return false;
  }
}

/* The divisor without what guards it against 0, and -1: it is the same where it is UW_LEAST_PART or more. */
static MlirValue unguarded(MlirValue divisor) {
  MlirOperation op = uw_def(divisor);
  int64_t number;
  if (!uw_null(op) && uw_string_is(uw_name(op), "arith.maxui") && uw_const_value(uw_operand(op, 1), &number) &&
      number >= 0 && number < UW_LEAST_PART) /* what a choice of 1 over 0 may have become */
    return unguarded(uw_operand(op, 0));
  if (uw_kind(op) != UW_OP_ARITH_SELECT || !uw_const_value(uw_operand(op, 1), &number))
    return divisor;
  MlirValue other = unguarded(uw_operand(op, 2));
  return is_of_small(uw_operand(op, 0), other, 0) ? other : divisor;
}

/* The first value that is divided so, and all its divisions by the same. */
static bool find_divisions(row *r, unsigned *fewest) {
  uw_ops ops = uw_collect(r->arena, r->loop);
  if (ops.count > UW_MOST_VERSIONED)
    return false;
  for (size_t i = 0; i < ops.count && r->count < MOST_DIVISIONS; i++) {
    MlirOperation op = ops.at[i];
    if (!is_division(op) ||
        (r->count && (!uw_same(uw_operand(op, 0), r->number) ||
                      !uw_same(unguarded(uw_operand(op, 1)), unguarded(uw_operand(r->divisions[0], 1))))))
      continue;
    int64_t known;
    MlirValue divisor = unguarded(uw_operand(op, 1));
    if (!uw_computable_outside(r->arena, divisor, r->loop, NULL) ||
        (uw_const_value(divisor, &known) && known < UW_LEAST_PART))
      continue;
    if (r->count == 0) {
      bool has_thread = false;
      r->number = uw_operand(op, 0);
      r->added_count = 0;
      *fewest = 64;
      if (!take_apart(r, r->number, false, fewest, &has_thread, 0) || !has_thread)
        continue;
    }
    r->divisions[r->count++] = op;
  }
  return r->count > 0;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static MlirType i64_of(const uw_builder *b) { return uw_int_type(b->context, 64); }

/* An integer of 64 bits, which fits into the type, as one of the type. */
static MlirValue narrowed(uw_builder *b, MlirValue value, MlirType type) {
  if (mlirTypeIsAIndex(type))
    return uw_as_index(b, value);
  if (mlirIntegerTypeGetWidth(type) == 64)
    return value;
  return uw_build1(b, "arith.trunci", .in = VALS(value), .out = TYPES(type),
                   .attrs = ATTRS({"overflowFlags", uw_attr(b->context, "#arith.overflow<nsw, nuw>")}));
}

/* Of the row that the parts are of, before it. */
typedef struct bounds {
  MlirValue first, divisor, from, to; /* from, to: the thread's index */
  MlirValue ok;                       /* the row can be taken in parts, as the rows around can */
} bounds;

/* Whether the row can be taken in parts. The divisor is 1 where not. */
static void ask(uw_builder *b, const row *r, bounds *k, unsigned fewest, MlirValue outer) {
  size_t dims = uw_dims(r->loop);
  uw_map *map = uw_map_create(r->arena);
  k->first = uw_const_int(b, 64, 0);
  for (size_t i = 0; i < r->added_count; i++) {
    MlirValue part = uw_as_i64(b, uw_compute_outside(b, r->added[i], r->loop, map));
    k->first = uw_binary(b, r->negative[i] ? "arith.subi" : "arith.addi", k->first, part);
  }
  k->from = uw_as_i64(b, uw_lower_of(r->loop, dims - 1));
  k->to = uw_as_i64(b, uw_upper_of(r->loop, dims - 1));
  MlirValue one = uw_const_int(b, 64, 1), least = uw_binary(b, "arith.addi", k->first, k->from);
  MlirValue most = uw_binary(b, "arith.subi", uw_binary(b, "arith.addi", k->first, k->to), one);
  MlirValue fits = uw_binary(
      b, "arith.andi", uw_compare(b, UW_SGE, least, uw_const_int(b, 64, 0)),
      uw_compare(b, UW_SLE, most, uw_const_int(b, 64, fewest < 64 ? ((int64_t)1 << (fewest - 1)) - 1 : INT64_MAX / 4)));
  fits = uw_binary(b, "arith.andi", fits, uw_compare(b, UW_SLT, k->from, k->to));
  k->divisor = uw_as_i64(b, uw_compute_outside(b, unguarded(uw_operand(r->divisions[0], 1)), r->loop, map));
  fits = uw_binary(b, "arith.andi", fits, uw_compare(b, UW_SGE, k->divisor, uw_const_int(b, 64, UW_LEAST_PART)));
  k->ok = outer.ptr ? uw_binary(b, "arith.andi", outer, fits) : fits;
  k->divisor = uw_select(b, k->ok, k->divisor, one);
}

/* What is to the part as the value is to the loop that it is a copy of. */
static MlirValue counterpart(const row *r, MlirOperation part, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || !uw_defined_inside(value, r->loop))
    return value;
  uw_ops wanted = {0};
  uw_ops_push(r->arena, &wanted, op);
  return uw_result(uw_counterparts(r->arena, r->loop, part, &wanted).at[0], (size_t)mlirOpResultGetResultNumber(value));
}

/* In the parts the divisor is UW_LEAST_PART or more: what guards divisions against 0 and -1, for each thread, goes. */
static void drop_guards(const row *r, MlirOperation part, MlirValue divisor) {
  int64_t number;
  uw_ops ops = uw_collect(r->arena, part);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    int64_t predicate = uw_kind(op) == UW_OP_ARITH_CMPI ? uw_get_int_attr(op, "predicate", -1) : -1;
    if ((predicate == UW_EQ || predicate == UW_NE) && uw_const_value(uw_operand(op, 1), &number) &&
        number < UW_LEAST_PART && uw_same(uw_operand(op, 0), divisor)) {
      uw_builder b = uw_at(op);
      uw_replace_uses(uw_result(op, 0), uw_const_int(&b, 1, predicate == UW_NE));
    } else if (uw_kind(op) == UW_OP_ARITH_SELECT && is_of_small(uw_operand(op, 0), divisor, 0)) {
      uw_replace_uses(uw_result(op, 0), uw_operand(op, 2)); /* perhaps asked before the row */
    }
  }
  uw_fold_bits(r->arena, part);
}

/* The threads of one quotient: a copy of the loop. */
static MlirOperation make_part(uw_builder *b, const row *r, const bounds *k, MlirValue quotient) {
  size_t dims = uw_dims(r->loop);
  MlirValue start = uw_binary(b, "arith.subi", uw_binary(b, "arith.muli", quotient, k->divisor), k->first);
  MlirValue end = uw_binary(b, "arith.addi", start, k->divisor);
  MlirValue from = uw_select(b, k->ok, uw_binary(b, "arith.maxsi", k->from, start), k->from);
  MlirValue to = uw_select(b, k->ok, uw_binary(b, "arith.minsi", k->to, end), k->to);
  MlirValue left = uw_binary(b, "arith.subi", uw_const_int(b, 64, 0), start);
  MlirValue quotients[MOST_DIVISIONS];
  for (size_t i = 0; i < r->count; i++)
    quotients[i] = is_quotient(r->divisions[i])
                       ? narrowed(b, quotient, mlirValueGetType(uw_operand(r->divisions[i], 0)))
                       : (MlirValue){NULL};
  MlirOperation part = uw_clone(b, r->loop, uw_map_create(r->arena));
  from = uw_as_index(b, from);
  to = uw_as_index(b, to);
  uw_set_range(part, dims - 1, (uw_range){from, to});
  uw_ops wanted = {0};
  for (size_t i = 0; i < r->count; i++)
    uw_ops_push(r->arena, &wanted, r->divisions[i]);
  uw_ops copies = uw_counterparts(r->arena, r->loop, part, &wanted);
  MlirValue divisor = counterpart(r, part, unguarded(uw_operand(r->divisions[0], 1)));
  uw_move_before(uw_def(uw_upper_of(part, dims - 1)), part); /* they were made after it */
  uw_move_before(uw_def(uw_lower_of(part, dims - 1)), part);
  MlirBlock body = uw_block(part, 0);
  uw_builder in = uw_at_start(body, b->location);
  MlirValue thread = uw_as_i64(&in, mlirBlockGetArgument(body, (intptr_t)dims - 1));
  MlirValue rest = uw_build1(&in, "arith.addi", .in = VALS(left, thread), .out = TYPES(i64_of(b)),
                             .attrs = ATTRS({"overflowFlags", uw_attr(b->context, "#arith.overflow<nsw>")}));
  for (size_t i = 0; i < copies.count; i++) {
    MlirOperation copy = copies.at[i];
    uw_builder here = uw_at(copy);
    uw_replace_uses(uw_result(copy, 0),
                    is_quotient(copy) ? quotients[i] : narrowed(&here, rest, mlirValueGetType(uw_result(copy, 0))));
    uw_erase(copy);
  }
  drop_guards(r, part, divisor);
  return part;
}

/* A loop over the quotients of the row, or of one iteration if the row cannot be taken in parts. */
static MlirOperation make_quotients(uw_builder *b, const bounds *k) {
  MlirValue zero = uw_const_int(b, 64, 0), one = uw_const_int(b, 64, 1);
  MlirValue last = uw_binary(b, "arith.subi", uw_binary(b, "arith.addi", k->first, k->to), one);
  MlirValue lower = uw_binary(b, "arith.divsi", uw_binary(b, "arith.addi", k->first, k->from), k->divisor);
  MlirValue upper = uw_binary(b, "arith.addi", uw_binary(b, "arith.divsi", last, k->divisor), one);
  return uw_build_for(b, uw_select(b, k->ok, lower, zero), uw_select(b, k->ok, upper, one), one, (uw_value_list){0});
}

/* The part of one quotient, before the loop, if the row has such divisions; null if not. *ok: whether it is right. */
static MlirOperation split(uw_arena *arena, MlirOperation loop, MlirValue *ok) {
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  row r = {.arena = arena, .loop = loop, .thread = mlirBlockGetArgument(body, (intptr_t)dims - 1)};
  unsigned fewest = 64;
  if (uw_result_count(loop) || !find_divisions(&r, &fewest) || !uw_may_copy(loop, UW_LARGE_GAIN, "split-divisions"))
    return (MlirOperation){NULL};
  uw_builder b = uw_at(loop);
  bounds k;
  ask(&b, &r, &k, fewest, *ok);
  *ok = k.ok;
  MlirOperation quotients = make_quotients(&b, &k);
  uw_builder in = uw_at_end(uw_block(quotients, 0), b.location);
  MlirOperation part = make_part(&in, &r, &k, mlirBlockGetArgument(uw_block(quotients, 0), 0));
  uw_yield(uw_block(quotients, 0), b.location, (uw_value_list){0});
  uw_remark(mlirOperationGetLocation(r.divisions[0]), "split-divisions",
            "row of threads in parts of one quotient each: no division for each thread");
  return part;
}

/* The part where the questions were answered so, else other code for the part's threads. */
static void choose(uw_arena *arena, MlirOperation part, MlirOperation other, MlirValue ok, bool seldom) {
  uw_builder b = uw_at(part);
  for (uw_bound which = UW_LOWER; which < UW_BOUNDS; which++)
    for (size_t d = 0; d < uw_dims(other); d++)
      uw_set_loop_bound(other, which, d, uw_loop_bound(part, which, d));
  uw_make_versions(arena, &b, .asked = ok, .first = part, .other = other, .seldom = seldom);
}

/* Does the load read a constant variable of the program, within its bounds? */
static bool reads_constant(MlirOperation load) {
  uw_address address = uw_address_of(uw_operand(load, 0));
  MlirOperation root = uw_def(address.base), module = uw_parent_of_kind(load, UW_OP_MODULE);
  if (!uw_plain_access(load) || mlirAttributeIsNull(uw_get_attr(load, "unwarp.readonly")) ||
      uw_kind(root) != UW_OP_LLVM_ADDRESSOF || !address.offset.known || address.offset.count ||
      address.offset.constant < 0 || uw_null(module))
    return false;
  char name[512];
  MlirStringRef symbol = uw_get_str_attr(root, "global_name");
  if (symbol.length >= sizeof name)
    return false;
  memcpy(name, symbol.data, symbol.length);
  name[symbol.length] = 0;
  MlirOperation global = uw_find_symbol(mlirModuleFromOperation(module), name);
  MlirAttribute type = uw_null(global) ? (MlirAttribute){NULL} : uw_get_attr(global, "global_type");
  return !mlirAttributeIsNull(type) &&
         (uint64_t)address.offset.constant + uw_type_bytes(mlirValueGetType(uw_result(load, 0))) <=
             uw_type_bytes(mlirTypeAttrGetValue(type));
}

/* Constants that threads load under a condition, such as a stencil's offsets, are the same for the row. */
static bool load_constants_before(uw_arena *arena, MlirOperation loop) {
  uw_ops loads = uw_collect_kind(arena, loop, UW_OP_LLVM_LOAD);
  bool any = false;
  for (size_t i = 0; i < loads.count; i++)
    if (!uw_defined_inside(uw_operand(loads.at[i], 0), loop) && reads_constant(loads.at[i])) {
      uw_move_before(loads.at[i], loop);
      any = true;
    }
  return any;
}

static bool divides(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (is_division(ops.at[i]))
      return true;
  return false;
}

static bool split_row(uw_arena *arena, MlirOperation loop) {
  if (!uw_is_over(loop, UW_OVER_THREADS) || !mlirAttributeIsNull(uw_get_attr(loop, UW_SPLIT)) ||
      uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp") || !divides(arena, loop))
    return false;
  bool moved = load_constants_before(arena, loop);
  MlirValue ok = {NULL};
  MlirOperation widest = split(arena, loop, &ok), part = widest, outer = widest;
  if (uw_null(widest))
    return moved;
  MlirValue widest_ok = ok;
  for (int depth = 1; depth < DEEPEST && !uw_null(outer); depth++) {
    MlirOperation inner = split(arena, outer, &ok);
    if (!uw_null(inner)) {
      if (!uw_same_op(outer, widest))
        uw_erase(outer);
      part = inner;
    }
    outer = inner;
  }
  if (!uw_same_op(part, widest))
    choose(arena, part, widest, ok, true);
  choose(arena, widest, loop, widest_ok, true);
  MlirAttribute done = mlirUnitAttrGet(mlirOperationGetContext(loop));
  uw_set_attr(loop, UW_SPLIT, done);
  uw_set_attr(part, UW_SPLIT, done);
  uw_set_attr(widest, UW_SPLIT, done);
  return true;
}

uw_change uw_pass_split_divisions(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL), split_row);
  return uw_widen_indices(ctx->arena, root) ? UW_CHANGED : change;
}
