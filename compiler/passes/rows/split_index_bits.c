/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the threads in runs of 16 where an address is computed from bits of the thread index, from a remainder or from
 * a quotient of it. Sorting networks, butterflies and rows of an image in one long index are addressed so: within a run
 * that starts at a multiple of its length, such a value counts with the index or stays the same, and accesses are
 * contiguous.
 *
 *   parallel (%t) to (%n) {                        if (%m & 15 == 15 && %n & 15 == 0) {
 *     %k = %t & %m                         ==>       parallel (%g) to (%n / 16) {
 *     body(%t, %k)                                     %k0 = 16 %g & %m
 *   }                                                  lane (%i) to 16 { body(16 %g + %i, %k0 + %i) } }
 *                                                  } else … as before
 *
 * With w the length of the run and v = u + i, where u is a multiple of w and 0 <= i < w:
 *
 *   v & m   is (u & m) + i   where the low bits of m, below w, are all 1
 *   v ^ m   is (u ^ m) + i   where they are all 0; so is v | m
 *   v % m   is (u % m) + i   where m is a multiple of w and v is not negative
 *   v / m   is u / m         under the same condition
 *   v >> m  is u >> m        where 2^m is not below w
 *
 * For v & m there are runs of 8 too, and for masks of 0, 1 and 3 each iteration takes 1, 2 or 4 neighbours, operation
 * by operation, so that their accesses together fill the memory that they reach over and LLVM sees groups of
 * interleaved accesses, not gathers. A branch that stores to shared memory what was loaded from there, or something
 * else, becomes a store of either.
 *
 * Done when a) the loop holds nothing but arithmetic, branches, plain loads and stores; b) v is the innermost thread
 * index plus something from outside of the loop, and m comes from outside; c) the address of an access is computed from
 * the result. What is not a constant is asked at run time. Legal because threads between two barriers may run in any
 * order, also operation by operation.
 *
 * Requires: guards-to-bounds (guards that are bounds). Preserves: each thread's order of effects. Refuses: the rest,
 * silently. */
#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/effects.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

enum { MOST_PARTS = 4, MOST_VERSIONS = 5 };

#define PART "unwarp.run"  /* the index of an operation among the parts */
#define DONE "unwarp.runs" /* on loops that the pass has seen to */

typedef enum rule { MASK, FLIP, REMAINDER, QUOTIENT, SHIFT } rule;

/* An operation on the index that is simple within a run. */
typedef struct part {
  MlirOperation op;
  rule rule;
  MlirValue own, other; /* v, m */
} part;

typedef struct runs {
  uw_arena *arena;
  MlirOperation loop;
  size_t dims;
  part parts[MOST_PARTS];
  size_t count;
} runs;

/* How one version of the loop goes: runs of `width`; joined: its threads operation by operation, for masks of width -
 * 1. */
typedef struct version {
  int64_t width;
  bool joined;
} version;

static MlirValue innermost(const runs *r) { return mlirBlockGetArgument(uw_block(r->loop, 0), (intptr_t)r->dims - 1); }

/* --- what fits ---------------------------------------------------------------------------------------------------- */

static bool is_outside(const runs *r, MlirValue value) { return uw_computable_outside(r->arena, value, r->loop, NULL); }

/* The innermost index, plus what comes from outside. */
static bool counts(const runs *r, MlirValue value) {
  uw_linear sum = uw_linear_of(value);
  bool found = false;
  for (size_t i = 0; sum.known && i < sum.count; i++) {
    const uw_term *term = &sum.terms[i];
    if (uw_same(term->symbol, innermost(r)) && !term->scale.ptr && term->factor == 1)
      found = true;
    else if (!is_outside(r, term->symbol) || (term->scale.ptr && !is_outside(r, term->scale)))
      return false;
  }
  return sum.known && found;
}

/* Is the address of an access computed from the value? */
static bool leads_to_address(uw_table *seen, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP)
      return true;
    if (uw_table_get(seen, user.ptr) || !uw_speculatable(user) || uw_result_count(user) != 1 ||
        uw_region_count(user) != 0)
      continue;
    uw_table_set(seen, user.ptr, 1);
    if (leads_to_address(seen, uw_result(user, 0)))
      return true;
  }
  return false;
}

static bool match_part(const runs *r, MlirOperation op, part *p) {
  static const struct {
    const char *name;
    rule rule;
    bool commutes;
  } table[] = {{"arith.andi", MASK, true},        {"arith.xori", FLIP, true},        {"arith.ori", FLIP, true},
               {"arith.remui", REMAINDER, false}, {"arith.remsi", REMAINDER, false}, {"arith.divui", QUOTIENT, false},
               {"arith.divsi", QUOTIENT, false},  {"arith.shrui", SHIFT, false},     {"arith.shrsi", SHIFT, false}};
  MlirType type = uw_result_count(op) == 1 ? mlirValueGetType(uw_result(op, 0)) : (MlirType){NULL};
  if (mlirTypeIsNull(type) ||
      !(mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32)))
    return false;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (size_t own = 0; uw_string_is(uw_name(op), table[i].name) && own < (table[i].commutes ? 2 : 1); own++) {
      *p = (part){op, table[i].rule, uw_operand(op, own), uw_operand(op, 1 - own)};
      if (is_outside(r, p->other) && !is_outside(r, p->own) && counts(r, p->own))
        return leads_to_address(uw_table_create(r->arena), uw_result(op, 0));
    }
  return false;
}

static bool match(runs *r) {
  uw_ops ops = uw_collect(r->arena, r->loop);
  int64_t lower, step;
  if (ops.count > UW_RUNS_MOST_OPS || !uw_const_value(uw_lower_of(r->loop, r->dims - 1), &lower) || lower != 0 ||
      !uw_const_value(uw_step_of(r->loop, r->dims - 1), &step) || step != 1)
    return false;
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    bool plain = uw_speculatable(ops.at[i]) || uw_plain_access(ops.at[i]) || kind == UW_OP_SCF_IF ||
                 kind == UW_OP_SCF_YIELD || kind == UW_OP_SCF_IN_PARALLEL || kind == UW_OP_ARITH_DIVSI ||
                 kind == UW_OP_ARITH_DIVUI || kind == UW_OP_ARITH_REMSI || kind == UW_OP_ARITH_REMUI;
    if (!plain)
      return false;
    if (r->count < MOST_PARTS && match_part(r, ops.at[i], &r->parts[r->count]))
      r->count++;
  }
  return r->count > 0;
}

/* --- when a version is right -------------------------------------------------------------------------------------- */

/* A condition that is known while compiling, or a value. */
typedef struct condition {
  bool never;
  MlirValue value; /* null: always, unless never */
} condition;

static MlirValue constant(uw_builder *b, MlirType type, int64_t number) {
  return uw_build1(b, "arith.constant", .out = TYPES(type),
                   .attrs = ATTRS({"value", mlirIntegerAttrGet(type, number)}));
}

static void both(uw_builder *b, condition *all, MlirValue value) {
  all->value = all->value.ptr ? uw_binary(b, "arith.andi", all->value, value) : value;
}

/* (value & mask) == wanted, before the loop */
static void require_bits(uw_builder *b, const runs *r, condition *all, MlirValue value, int64_t mask, int64_t wanted) {
  int64_t number;
  if (uw_const_value(value, &number)) {
    all->never = all->never || (number & mask) != wanted;
    return;
  }
  value = uw_compute_outside(b, value, r->loop, uw_map_create(r->arena));
  MlirType type = mlirValueGetType(value);
  MlirValue bits = uw_binary(b, "arith.andi", value, constant(b, type, mask));
  both(b, all, uw_compare(b, UW_EQ, bits, constant(b, type, wanted)));
}

/* What the first thread has. */
static MlirValue at_zero(uw_builder *b, const runs *r, MlirValue value) {
  uw_map *map = uw_map_create(r->arena);
  uw_map_set(map, innermost(r), uw_const_index(b, 0));
  return uw_compute_outside(b, value, r->loop, map);
}

static void require_part(uw_builder *b, const runs *r, condition *all, const part *p, version v) {
  int64_t low = v.width - 1, number;
  MlirType type = mlirValueGetType(p->own);
  unsigned bits = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  MlirOperation cast = uw_def(p->own);
  bool is_index = uw_same(p->own, innermost(r)) ||
                  (uw_kind(cast) == UW_OP_ARITH_INDEX_CASTUI && uw_same(uw_operand(cast, 0), innermost(r)));
  MlirValue first = is_index ? (MlirValue){NULL} : at_zero(b, r, p->own);
  if (first.ptr) {
    require_bits(b, r, all, first, low, 0);
    if (p->rule == REMAINDER || p->rule == QUOTIENT) /* far from where it would wrap around or change its sign */
      both(b, all, uw_compare(b, UW_ULT, first, constant(b, type, INT64_C(0x7fff0000))));
  }
  switch (p->rule) {
  case MASK:
    if (v.joined)
      require_bits(b, r, all, p->other, -1, low);
    else
      require_bits(b, r, all, p->other, UW_LONG_RUN - 1, low);
    return;
  case FLIP: require_bits(b, r, all, p->other, low, 0); return;
  case REMAINDER:
  case QUOTIENT: /* and above zero, which signed operations need, and those that are made though no thread would */
    require_bits(b, r, all, p->other, (int64_t)(UINT64_MAX << (bits - 1)) | low, 0);
    if (uw_const_value(p->other, &number))
      all->never = all->never || number == 0;
    else
      both(b, all,
           uw_compare(b, UW_NE, uw_compute_outside(b, p->other, r->loop, uw_map_create(r->arena)),
                      constant(b, type, 0)));
    return;
  case SHIFT:
    all->never = all->never || !uw_const_value(p->other, &number) || number < 0 || number >= (int64_t)bits ||
                 ((int64_t)1 << (number < 32 ? number : 32)) < v.width;
    return;
  }
}

static condition when(uw_builder *b, const runs *r, version v) {
  condition all = {0};
  require_bits(b, r, &all, uw_upper_of(r->loop, r->dims - 1), v.width - 1, 0);
  for (size_t i = 0; i < r->count && !all.never; i++) {
    if (v.joined && r->parts[i].rule != MASK)
      all.never = true;
    else
      require_part(b, r, &all, &r->parts[i], v);
  }
  return all;
}

/* --- the copies --------------------------------------------------------------------------------------------------- */

/* An empty loop like r->loop over runs; *start: where the run starts. */
static MlirOperation loop_over_runs(uw_builder *b, const runs *r, version v, uw_map *map, MlirValue *start) {
  MlirValue width = uw_const_index(b, v.width), threads = uw_upper_of(r->loop, r->dims - 1);
  threads = uw_binary(b, "arith.maxsi", threads,
                      uw_const_index(b, 0)); /* below zero where the block lies behind all data (guards_to_bounds.c) */
  MlirValue count = uw_binary(b, "arith.divui", threads, width);
  MlirOperation outer = uw_parallel_like(b, r->loop);
  uw_set_attr(outer, DONE, mlirUnitAttrGet(b->context));
  uw_set_range(outer, r->dims - 1, (uw_range){.upper = count});
  MlirBlock body = uw_block(outer, 0);
  uw_builder in = uw_at_end(body, b->location);
  for (size_t d = 0; d + 1 < r->dims; d++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(r->loop, 0), (intptr_t)d), mlirBlockGetArgument(body, (intptr_t)d));
  *start = uw_binary(&in, "arith.muli", mlirBlockGetArgument(body, (intptr_t)r->dims - 1), width);
  return outer;
}

static MlirValue of_type(uw_builder *b, MlirValue index, MlirType type) {
  return mlirTypeIsAIndex(type) ? index : uw_build1(b, "arith.index_castui", .in = VALS(index), .out = TYPES(type));
}

/* Lanes of a run, each part replaced by what it is at the run's start, and the lane's index where it counts. */
static void write_lanes(uw_builder *b, const runs *r, version v) {
  uw_map *map = uw_map_create(r->arena);
  MlirValue start;
  MlirOperation outer = loop_over_runs(b, r, v, map, &start);
  uw_builder in = uw_at_end(uw_block(outer, 0), b->location);
  MlirOperation lanes = uw_build_parallel(&in, VALS(uw_const_index(&in, v.width)), UW_OVER_LANES);
  uw_builder at = uw_at_end(uw_block(lanes, 0), b->location), before = uw_at(lanes);
  MlirValue lane = mlirBlockGetArgument(uw_block(lanes, 0), 0);
  uw_map_set(map, innermost(r), uw_binary(&at, "arith.addi", start, lane));
  uw_foreach_op (op, uw_block(r->loop, 0))
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_clone(&at, op, map);
  uw_ops copies = uw_collect(r->arena, lanes);
  uw_map *first = uw_map_create(r->arena);
  uw_map_set(first, lane, uw_const_index(&before, 0));
  for (size_t i = 0; i < copies.count; i++) {
    int64_t number = uw_get_int_attr(copies.at[i], PART, -1);
    if (number < 0)
      continue;
    for (size_t k = 0; k < 2; k++)
      uw_compute_outside(&before, uw_operand(copies.at[i], k), lanes, first);
    MlirValue old = uw_result(copies.at[i], 0), value = uw_result(uw_clone(&before, copies.at[i], first), 0);
    uw_builder here = uw_at(copies.at[i]);
    rule rule = r->parts[number].rule;
    if (rule == MASK || rule == FLIP || rule == REMAINDER)
      value = uw_binary(&here, "arith.addi", value, of_type(&here, lane, mlirValueGetType(old)));
    uw_replace_uses(old, value);
    uw_erase(copies.at[i]);
  }
}

/* In a version for one mask the mask is a constant, and so is what it was made of by an addition. */
static void set_mask(uw_builder *b, const part *p, uw_map *map, int64_t mask) {
  MlirType type = mlirValueGetType(p->other);
  MlirOperation sum = uw_def(p->other);
  int64_t added;
  uw_map_set(map, p->other, constant(b, type, mask));
  if (uw_kind(sum) == UW_OP_ARITH_ADDI && uw_const_value(uw_operand(sum, 1), &added))
    uw_map_set(map, uw_operand(sum, 0), constant(b, type, mask - added));
}

/* All threads of a run, operation by operation. */
static void write_joined(uw_builder *b, const runs *r, version v) {
  uw_map *maps[UW_LONG_RUN];
  MlirValue start;
  for (int64_t i = 0; i < v.width; i++) {
    maps[i] = uw_map_create(r->arena);
    for (size_t k = 0; k < r->count; k++)
      set_mask(b, &r->parts[k], maps[i], v.width - 1);
  }
  MlirOperation outer = loop_over_runs(b, r, v, maps[0], &start);
  uw_builder in = uw_at_end(uw_block(outer, 0), b->location);
  for (int64_t i = 0; i < v.width; i++) {
    for (size_t d = 0; d + 1 < r->dims; d++)
      uw_map_set(maps[i], mlirBlockGetArgument(uw_block(r->loop, 0), (intptr_t)d),
                 mlirBlockGetArgument(uw_block(outer, 0), (intptr_t)d));
    uw_map_set(maps[i], innermost(r), uw_binary(&in, "arith.addi", start, uw_const_index(&in, i)));
  }
  uw_foreach_op (op, uw_block(r->loop, 0))
    for (int64_t i = 0; i < v.width && uw_kind(op) != UW_OP_SCF_IN_PARALLEL; i++) {
      MlirOperation copy = uw_clone(&in, op, maps[i]);
      uw_ops parts = uw_collect(r->arena, copy);
      uw_ops_push(r->arena, &parts, copy);
      for (size_t k = 0; k < parts.count; k++) {
        if (mlirAttributeIsNull(uw_get_attr(parts.at[k], PART)))
          continue;
        uw_builder at = uw_at(copy);
        MlirValue number =
            constant(&at, mlirValueGetType(uw_result(parts.at[k], 0)), i); /* the low bits of start + i */
        uw_replace_uses(uw_result(parts.at[k], 0), number);
        if (uw_same_op(parts.at[k], copy))
          uw_map_set(maps[i], uw_result(op, 0), number);
        uw_erase(parts.at[k]);
      }
    }
}

/* --- branches that only store ------------------------------------------------------------------------------------- */

/* The load, before the branch, of what the store may write over; null if there is none, or it may have changed
 * since. */
static MlirOperation load_of_same_place(uw_effects *effects, MlirOperation branch, MlirOperation store) {
  uw_accesses written = {0}, since = {0};
  MlirOperation none = {NULL}, found = none;
  uw_effects_inside(effects, store, &written);
  uw_foreach_op (op, mlirOperationGetBlock(branch)) {
    if (uw_same_op(op, branch))
      break;
    size_t count = since.count;
    uw_effects_inside(effects, op, &since);
    for (size_t i = count; i < since.count; i++)
      if (uw_kind(op) == UW_OP_LLVM_LOAD && uw_same_place(&since.at[i], &written.at[0]) &&
          mlirTypeEqual(mlirValueGetType(uw_result(op, 0)), mlirValueGetType(uw_operand(store, 0))))
        found = op;
      else if (since.at[i].writes && uw_may_overlap(effects, &since.at[i], &written.at[0]))
        found = none;
  }
  return found;
}

/* if (c) { store %x, %p }, with %p in shared memory and loaded before: store (c ? x : what was loaded). No other thread
 * can have written there since, or that load would race; and only this block knows the memory. */
static bool store_either(const runs *r, MlirOperation branch) {
  if (uw_kind(branch) != UW_OP_SCF_IF || uw_result_count(branch) != 0 || !uw_is_empty(uw_block(branch, 1)))
    return false;
  uw_effects *effects = uw_effects_of(r->arena, r->loop);
  uw_ops ops = uw_block_ops(r->arena, uw_block(branch, 0)), loads = {0};
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation load = {NULL};
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_STORE && uw_plain_access(ops.at[i]) &&
        uw_kind(uw_address_root(uw_operand(ops.at[i], 1))) == UW_OP_SHARED)
      load = load_of_same_place(effects, branch, ops.at[i]);
    else if (!uw_speculatable(ops.at[i]) && uw_kind(ops.at[i]) != UW_OP_SCF_YIELD)
      return false;
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_STORE && uw_null(load))
      return false;
    uw_ops_push(r->arena, &loads, load);
  }
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_kind(ops.at[i]) == UW_OP_SCF_YIELD)
      continue;
    uw_move_before(ops.at[i], branch);
    if (uw_kind(ops.at[i]) != UW_OP_LLVM_STORE)
      continue;
    uw_builder b = uw_at(ops.at[i]);
    mlirOperationSetOperand(ops.at[i], 0,
                            uw_select(&b, uw_operand(branch, 0), uw_operand(ops.at[i], 0), uw_result(loads.at[i], 0)));
  }
  uw_erase(branch);
  return true;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static bool rewrite(uw_arena *arena, MlirOperation loop) {
  static const version versions[MOST_VERSIONS] = {
      {UW_LONG_RUN, false}, {UW_LONG_RUN / 2, false}, {4, true}, {2, true}, {1, true}};
  runs r = {.arena = arena, .loop = loop, .dims = uw_dims(loop)};
  if (r.dims == 0 || !mlirAttributeIsNull(uw_get_attr(loop, DONE)) || !match(&r) ||
      !uw_may_copy(loop, UW_LARGE_GAIN, "split-index-bits"))
    return false;
  uw_builder b = uw_at(loop);
  condition conditions[MOST_VERSIONS];
  bool any = false, masks = false;
  for (size_t i = 0; i < r.count; i++)
    masks = masks || r.parts[i].rule == MASK;
  for (size_t i = 0; i < MOST_VERSIONS; i++) {
    conditions[i] = when(&b, &r, versions[i]);
    if (i > 0 && !masks)
      conditions[i].never = true; /* all others are there for masks */
    any = any || !conditions[i].never;
  }
  if (!any)
    return false;
  uw_foreach_op_safe (op, uw_block(loop, 0))
    store_either(&r, op);
  for (size_t i = 0; i < r.count; i++)
    uw_set_attr(r.parts[i].op, PART, uw_int_attr(b.context, 64, (int64_t)i));
  uw_remark(mlirOperationGetLocation(r.parts[0].op), "split-index-bits",
            "addresses from bits of the index: threads in runs of neighbours");
  bool always = false;
  for (size_t i = 0; i < MOST_VERSIONS && !always; i++) {
    if (conditions[i].never)
      continue;
    b = uw_at(loop);
    uw_versions made =
        uw_make_versions(r.arena, &b, .asked = conditions[i].value, .first = loop, .own = UW_FAILS, .written = true);
    always = uw_null(made.choice);
    (versions[i].joined ? write_joined : write_lanes)(&made.in[UW_HOLDS], &r, versions[i]);
  }
  for (size_t i = 0; i < r.count; i++)
    uw_remove_attr(r.parts[i].op, PART);
  uw_set_attr(loop, DONE, mlirUnitAttrGet(b.context));
  if (always)
    mlirOperationDestroy(loop);
  return true;
}

uw_change uw_pass_split_index_bits(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), rewrite);
  uw_ops ops = change == UW_CHANGED ? uw_collect(ctx->arena, root) : (uw_ops){0};
  for (size_t i = 0; i < ops.count; i++) /* copies that were made before the lanes have it still */
    if (!mlirAttributeIsNull(uw_get_attr(ops.at[i], PART)))
      uw_remove_attr(ops.at[i], PART);
  return change;
}
