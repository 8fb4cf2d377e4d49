/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads and stores by whole registers what the lanes of a vector have side by side: the fields of a struct, or the few
 * neighbours that each thread works on.
 *
 *   %x = gather %p[4 * lane]                          %r:4 = load 4 registers from %p on
 *   %y = gather %p[4 * lane + 1]                      %x, %y, … = every fourth element of them, by shuffles
 *   …                                         ==>     …
 *   scatter %u, %q[2 * lane]                          %s:2 = %u and %v, an element of each in turn, by shuffles
 *   scatter %v, %q[2 * lane + 1]                      store 2 registers from %q on
 *
 * A gather takes each of its lanes by itself, and every gather of such a group the same cache lines again.
 * First, lanes that walk along rows of their own load these whole, and turn them (transpose_loads.c).
 *
 * Done for accesses of one block of code that a) go by the same constant stride from lane to lane, at constant
 * distances from each other that are less than the stride; b) have the same mask; c) are enough of the elements that
 * are loaded or stored to be worth it; with nothing between the first and the last of them that could meet what is
 * moved over it. What lies between the elements is loaded along with them, where an element that is asked for follows;
 * it is never stored to. A for of few iterations, whose accesses step through the lanes' strides from iteration to
 * iteration, is written out first.
 *
 * Legal because loads are moved up, and stores down, over nothing that could tell the difference, and no lane touches
 * another's elements; what is loaded in addition lies between two elements that are asked for. Requires: vectorize-threads.
 * Preserves: each lane's order of all else. Refuses: all else, silently. */
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "transpose_loads.h"
#include "vectors.h"
#include "weaves.h"
#include "../../analysis/linear.h"

typedef struct access {
  MlirOperation op;
  MlirValue start;                     /* a scalar: the address of lane 0's element, but for `ahead` bytes */
  int64_t ahead, stride, lanes, bytes; /* stride: bytes from lane to lane; bytes: of an element */
  MlirType element;
  MlirValue mask; /* null: all lanes */
  bool is_store;
} access;

typedef struct group {
  access members[UW_MOST_STREAMS]; /* by their position, modulo streams; op is null where there is none */
  int64_t least, most;             /* positions, from the first member's on */
  int64_t streams, count;
  bool touched[UW_MOST_STREAMS]; /* of loads: by a store after the first one */
} group;

/* --- what fits ---------------------------------------------------------------------------------------------------- */

static bool is_scatter(MlirOperation op) { return uw_string_is(uw_name(op), "llvm.intr.masked.scatter"); }

/* The first value, and by how much each is more than the one before. */
static bool is_progression(MlirValue value, int64_t *first, int64_t *step) {
  MlirOperation op = uw_def(value);
  MlirAttribute numbers = uw_kind(op) == UW_OP_ARITH_CONSTANT ? uw_get_attr(op, "value") : (MlirAttribute){NULL};
  MlirType type = mlirValueGetType(value);
  if (mlirAttributeIsNull(numbers) || !mlirAttributeIsADenseIntElements(numbers) || !mlirTypeIsAVector(type) ||
      mlirIntegerTypeGetWidth(uw_element_of(type)) != 64 || mlirDenseElementsAttrIsSplat(numbers))
    return false;
  int64_t count = mlirElementsAttrGetNumElements(numbers);
  *first = mlirDenseElementsAttrGetInt64Value(numbers, 0);
  *step = mlirDenseElementsAttrGetInt64Value(numbers, 1) - *first;
  for (int64_t i = 2; i < count; i++)
    if (mlirDenseElementsAttrGetInt64Value(numbers, (intptr_t)i) - *first != i * *step)
      return false;
  return true;
}

static bool read_access(MlirOperation op, access *a) {
  *a = (access){.op = op, .is_store = is_scatter(op)};
  if (!a->is_store && uw_kind(op) != UW_OP_LLVM_GATHER)
    return false;
  MlirValue pointers = uw_operand(op, a->is_store), mask = uw_operand(op, 1 + a->is_store);
  MlirType type = mlirValueGetType(a->is_store ? uw_operand(op, 0) : uw_result(op, 0));
  MlirOperation gep = uw_def(pointers);
  int64_t bit, first;
  if (uw_kind(gep) != UW_OP_LLVM_GEP || uw_operand_count(gep) != 2 ||
      mlirTypeIsAVector(mlirValueGetType(uw_operand(gep, 0))) ||
      !is_progression(uw_operand(gep, 1), &first, &a->stride))
    return false;
  int64_t unit = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(gep, "elem_type")));
  a->start = uw_operand(gep, 0);
  a->ahead = first * unit;
  a->stride *= unit;
  a->lanes = mlirShapedTypeGetDimSize(type, 0);
  a->element = uw_element_of(type);
  a->bytes = (int64_t)uw_type_bytes(a->element);
  a->mask = uw_splat_value(mask, &bit) && bit ? (MlirValue){NULL} : mask;
  uw_target target = uw_target_of(op);
  return uw_may_weave(&target, a->bytes, a->stride) && a->stride > a->bytes;
}

/* By how many bytes the second one's element is after the first one's, in each lane; false if that is not known, or
 * they go by other strides. */
static bool distance(const access *first, const access *second, int64_t *bytes) {
  if (first->stride != second->stride || first->lanes != second->lanes || first->bytes != second->bytes)
    return false;
  uw_address from = uw_address_in_64(first->start), to = uw_address_in_64(second->start);
  if (!uw_gap_between(&from, &to, bytes))
    return false;
  *bytes += second->ahead - first->ahead;
  return *bytes % first->bytes == 0;
}

/* May loads be moved up over it, and stores down? */
static bool may_stand_between(MlirOperation op, bool is_store) {
  return uw_effect_free(op) || (uw_only_reads(op) && uw_region_count(op) == 0 &&
                                (!is_store || !mlirAttributeIsNull(uw_get_attr(op, "unwarp.readonly"))));
}

static int64_t index_of(const group *g, int64_t place) { return (place % g->streams + g->streams) % g->streams; }

static bool go_together(const access *first, const access *second) {
  return first->is_store == second->is_store && mlirTypeEqual(first->element, second->element) &&
         first->mask.ptr == second->mask.ptr;
}

/* Sorts the member in; false: it lies elsewhere, or there is one at its position. */
static bool join(group *g, const access *a, int64_t place) {
  int64_t least = place < g->least ? place : g->least, most = place > g->most ? place : g->most;
  access *at = &g->members[index_of(g, place)];
  if (most - least >= g->streams || !uw_null(at->op) || g->touched[index_of(g, place)])
    return false;
  *at = *a;
  g->least = least;
  g->most = most;
  g->count++;
  return true;
}

/* An access of the same strides, which meets no elements but those at its own position of them. May the group's loads
 * be moved up over it, or its stores down? */
static bool passes_by(group *g, const access *first, const access *a, int64_t place) {
  if (go_together(first, a) && join(g, a, place))
    return true;
  if (first->is_store)
    return uw_null(g->members[index_of(g, place)].op);
  g->touched[index_of(g, place)] = g->touched[index_of(g, place)] || a->is_store;
  return true;
}

static void find_group(group *g, const access *first) {
  *g = (group){.streams = first->stride / first->bytes};
  join(g, first, 0);
  for (MlirOperation op = uw_next(first->op); !uw_null(op); op = uw_next(op)) {
    access next;
    int64_t bytes;
    bool is_known = read_access(op, &next) && distance(first, &next, &bytes);
    if (is_known ? !passes_by(g, first, &next, bytes / first->bytes) : !may_stand_between(op, first->is_store))
      break;
  }
}

static int64_t lanes_of_register(const access *a) {
  int64_t bytes = uw_target_of(a->op).register_bytes, lanes = (bytes < 64 ? bytes : 64) / a->bytes;
  return a->bytes < 4 && lanes > UW_LEAST_LANES ? UW_LEAST_LANES : lanes; /* of a register or a half */
}

static bool is_worth_it(const group *g, const access *first) {
  int64_t lanes = lanes_of_register(first), apart = uw_weave_cost(g->streams), few = g->count * (g->streams - 1);
  bool masked = first->mask.ptr || (first->is_store && g->count < g->streams);
  int64_t woven = g->streams * (masked ? 3 : 1) + (first->is_store || apart < few ? apart : few);
  return lanes >= 4 && lanes <= UW_MOST_LANES && first->lanes % lanes == 0 &&
         woven < g->count * (first->is_store ? UW_WEAVE_SCATTER : UW_WEAVE_GATHER) * lanes / 4;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

typedef struct weaving {
  const group *g;
  const access *first;
  int64_t lanes;   /* of a register */
  MlirValue start; /* of the first lane's position 0 */
  uw_builder *b;
} weaving;

static MlirValue shuffle(uw_builder *b, MlirValue left, MlirValue right, const int32_t *mask, int64_t count) {
  MlirType type = mlirVectorTypeGet(1, &count, uw_element_of(mlirValueGetType(left)));
  return uw_build1(b, "llvm.shufflevector", .in = VALS(left, right), .out = TYPES(type),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(b->context, (intptr_t)count, mask)}));
}

/* So many lanes of a value of all, from lane `from` on. */
static MlirValue lanes_from(uw_builder *b, MlirValue all, int64_t from, int64_t count) {
  int32_t mask[UW_MOST_LANES];
  if (count == mlirShapedTypeGetDimSize(mlirValueGetType(all), 0))
    return all;
  for (int64_t i = 0; i < count; i++)
    mask[i] = (int32_t)(from + i);
  return shuffle(b, all, all, mask, count);
}

/* Of the registers, one after the other. */
static MlirValue one_after_the_other(uw_builder *b, MlirValue *parts, int64_t count) {
  int32_t mask[256];
  for (int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(parts[0]), 0); count > 1; count /= 2, size *= 2)
    for (int64_t i = 0; i < count; i += 2) {
      for (int32_t k = 0; k < 2 * size; k++)
        mask[k] = k;
      parts[i / 2] = shuffle(b, parts[i], parts[i + 1], mask, 2 * size);
    }
  return parts[0];
}

/* Position of an element among the group's: is it asked for, or, of loads, does one follow in its lane? */
static bool takes_part(const weaving *w, int64_t place) {
  const group *g = w->g;
  if (w->first->is_store)
    return !uw_null(g->members[index_of(g, place + g->least)].op);
  return place <= g->most - g->least;
}

/* Which lanes of register k of a chunk are touched; null: all. */
static MlirValue mask_of(const weaving *w, int64_t chunk, int64_t k) {
  const group *g = w->g;
  bool is_last = (chunk + 1) * w->lanes == w->first->lanes, all = true;
  int touched[UW_MOST_LANES];
  int32_t lane[UW_MOST_LANES];
  for (int64_t i = 0; i < w->lanes; i++) {
    int64_t number = k * w->lanes + i, own = number / g->streams;
    /* After the last element of a lane follows the next lane's first one, where there is one. */
    bool follows = !w->first->is_store && !w->first->mask.ptr && !(is_last && own == w->lanes - 1);
    touched[i] = follows || takes_part(w, number % g->streams);
    lane[i] = (int32_t)(touched[i] ? own : w->lanes);
    all = all && touched[i];
  }
  if (all && !w->first->mask.ptr)
    return (MlirValue){NULL};
  MlirType type = mlirVectorTypeGet(1, &w->lanes, uw_int_type(w->b->context, 1));
  MlirAttribute bits = mlirDenseElementsAttrBoolGet(type, (intptr_t)w->lanes, touched);
  if (!w->first->mask.ptr)
    return uw_build1(w->b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", bits}));
  MlirAttribute no = mlirDenseElementsAttrBoolSplatGet(type, false);
  MlirValue none = uw_build1(w->b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", no}));
  return shuffle(w->b, lanes_from(w->b, w->first->mask, chunk * w->lanes, w->lanes), none, lane, w->lanes);
}

static MlirValue address_of(const weaving *w, int64_t chunk, int64_t k) {
  int64_t numbers = (chunk * w->g->streams + k) * w->lanes;
  return uw_add_elements(w->b, w->start, w->first->element, uw_const_int(w->b, 64, numbers));
}

static uw_named alignment(const weaving *w, unsigned bits) {
  int64_t least = w->first->bytes;
  for (int64_t i = 0; i < w->g->streams; i++)
    if (!uw_null(w->g->members[i].op)) {
      int64_t own = uw_get_int_attr(w->g->members[i].op, "alignment", w->first->bytes);
      least = own < least ? own : least;
    }
  return (uw_named){"alignment", uw_int_attr(w->b->context, bits, least)};
}

static MlirValue load(const weaving *w, int64_t chunk, int64_t k) {
  MlirType type = mlirVectorTypeGet(1, &w->lanes, w->first->element);
  MlirValue mask = mask_of(w, chunk, k), address = address_of(w, chunk, k);
  if (!mask.ptr)
    return uw_build1(w->b, "llvm.load", .in = VALS(address), .out = TYPES(type), .attrs = ATTRS(alignment(w, 64)));
  MlirValue none = uw_build1(w->b, "llvm.mlir.poison", .out = TYPES(type));
  return uw_build1(w->b, "llvm.intr.masked.load", .in = VALS(address, mask, none), .out = TYPES(type),
                   .attrs = ATTRS(alignment(w, 32)));
}

/* The member at a position of the group's, counted from its least one on; null if there is none. */
static const access *member_at(const group *g, int64_t place) {
  const access *a = &g->members[index_of(g, place + g->least)];
  return uw_null(a->op) ? NULL : a;
}

static void load_group(const weaving *w) {
  const group *g = w->g;
  int64_t chunks = w->first->lanes / w->lanes;
  MlirValue parts[UW_MOST_STREAMS][16];
  for (int64_t c = 0; c < chunks; c++) {
    MlirValue in[UW_MOST_STREAMS], out[UW_MOST_STREAMS];
    for (int64_t k = 0; k < g->streams; k++)
      in[k] = load(w, c, k);
    uw_take_apart(w->b, in, g->streams, w->lanes, out);
    for (int64_t i = 0; i < g->streams; i++)
      parts[i][c] = out[i];
  }
  for (int64_t i = 0; i < g->streams; i++) {
    const access *member = member_at(g, i);
    if (!member)
      continue;
    MlirValue whole = one_after_the_other(w->b, parts[i], chunks), otherwise = uw_operand(member->op, 2);
    bool is_poison = uw_kind(uw_def(otherwise)) == UW_OP_LLVM_POISON || uw_kind(uw_def(otherwise)) == UW_OP_UB_POISON;
    if (w->first->mask.ptr && !is_poison)
      whole = uw_select(w->b, w->first->mask, whole, otherwise);
    uw_replace_uses(uw_result(member->op, 0), whole);
  }
}

static void store_group(const weaving *w) {
  const group *g = w->g;
  MlirType type = mlirVectorTypeGet(1, &w->lanes, w->first->element);
  for (int64_t c = 0; c < w->first->lanes / w->lanes; c++) {
    MlirValue in[UW_MOST_STREAMS], out[UW_MOST_STREAMS];
    for (int64_t i = 0; i < g->streams; i++) {
      const access *member = member_at(g, i);
      in[i] = member ? lanes_from(w->b, uw_operand(member->op, 0), c * w->lanes, w->lanes)
                     : uw_build1(w->b, "llvm.mlir.poison", .out = TYPES(type));
    }
    uw_weave(w->b, in, g->streams, w->lanes, out);
    for (int64_t k = 0; k < g->streams; k++) {
      MlirValue mask = mask_of(w, c, k), address = address_of(w, c, k);
      if (mask.ptr)
        uw_build(w->b, "llvm.intr.masked.store", .in = VALS(out[k], address, mask), .attrs = ATTRS(alignment(w, 32)));
      else
        uw_build(w->b, "llvm.store", .in = VALS(out[k], address), .attrs = ATTRS(alignment(w, 64)));
    }
  }
}

static void change(group *g, const access *first) {
  MlirOperation place = first->op;
  for (int64_t i = 0; first->is_store && i < g->streams; i++) /* stores go where the last one is */
    for (MlirOperation op = place; !uw_null(op) && !uw_null(g->members[i].op); op = uw_next(op))
      if (uw_same_op(op, g->members[i].op))
        place = op;
  uw_builder b = uw_at(place);
  MlirValue origin = uw_const_int(&b, 64, first->ahead + g->least * first->bytes);
  weaving w = {g, first, lanes_of_register(first), uw_add_bytes(&b, first->start, origin), &b};
  if (first->is_store)
    store_group(&w);
  else
    load_group(&w);
  uw_remark(mlirOperationGetLocation(first->op), "vectorize-interleaved",
            "threads' elements lie side by side, %d of %d %s: whole registers, and shuffles", (int)g->count,
            (int)g->streams, first->is_store ? "are stored" : "are loaded");
  for (int64_t i = 0; i < g->streams; i++)
    if (!uw_null(g->members[i].op))
      uw_erase(g->members[i].op);
}

/* --- loops that are unrolled ----------------------------------------------------------------------------------- */

static bool steps_through_strides(const uw_iterations *iterations, MlirOperation op, int64_t trips) {
  access a;
  int64_t growth;
  return read_access(op, &a) && uw_growth_of(iterations, uw_operand(op, a.is_store), &growth) && growth != 0 &&
         growth % a.bytes == 0 && (growth < 0 ? -growth : growth) * trips <= a.stride;
}

static bool try_to_write_out(uw_arena *arena, MlirOperation loop) {
  uw_iterations iterations;
  int64_t lower, upper;
  if (!uw_counter_of_for(loop, &iterations) || !uw_const_value(uw_operand(loop, 0), &lower) ||
      !uw_const_value(uw_operand(loop, 1), &upper) || lower < 0 || upper - lower < 2 ||
      upper - lower > UW_WEAVE_MOST_ITERATIONS ||
      uw_collect(arena, loop).count * (size_t)(upper - lower) > UW_WEAVE_MOST_OPS)
    return false;
  bool found = false, is_plain = true;
  uw_foreach_op (op, uw_block(loop, 0)) {
    found = found || steps_through_strides(&iterations, op, upper - lower);
    is_plain = is_plain && uw_region_count(op) == 0 && mlirAttributeIsNull(uw_get_attr(op, "alias_scopes"));
  }
  if (found && is_plain)
    uw_write_out(arena, loop, upper - lower);
  return found && is_plain;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

uw_change uw_pass_vectorize_interleaved(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change changed = uw_transpose_loads(ctx->arena, root);
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = loops.count; i-- > 0;) /* what is inside comes after what is around it */
    if (try_to_write_out(ctx->arena, loops.at[i]))
      changed = UW_CHANGED;
  uw_ops ops = uw_collect(ctx->arena, root);
  uw_table *done = uw_table_create(ctx->arena);
  for (size_t i = 0; i < ops.count; i++) {
    access first;
    group g;
    if (uw_table_get(done, ops.at[i].ptr) || !read_access(ops.at[i], &first))
      continue;
    find_group(&g, &first);
    if (!is_worth_it(&g, &first))
      continue;
    for (int64_t k = 0; k < g.streams; k++)
      if (!uw_null(g.members[k].op))
        uw_table_set(done, g.members[k].op.ptr, 1);
    change(&g, &first);
    changed = UW_CHANGED;
  }
  return changed;
}
