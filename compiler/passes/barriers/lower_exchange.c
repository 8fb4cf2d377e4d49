/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lowers an exchange of values at the top level of a thread loop: each thread writes its value to a slot, the loop
 * is split, and after the split the values are there for all.
 *
 *   parallel %l in lanes {                              parallel %l in lanes { A; store %v, %slot[%l] }
 *     A                                                 parallel %l in lanes {
 *     %r = shuffle(%v, %source, %active)      ==>         %from = %active and %source < lanes ? %source : %l
 *     B(%r) }                                             %r = load %slot[%from]; B(%r) }
 *
 *   %r = reduce "or" (%v, %active)            ==>       a serial loop over the slot at block level; %r is uniform
 *                                             (of bits of whole warps: comparisons of 32 bytes at once)
 *   %r = reduce "grid" (%v, %active)          ==>       the same, and a barrier of the grid at block level, if %r;
 *                                                       "cluster" likewise
 *
 *   %r… = collective @f (%active, %v…)        ==>       each %v is written to its slot; one call of f for the warp between
 *                                             the loops; each %r is read from its slot
 *
 * Shuffles, or collectives, of values that are there before the first of them share its split.
 * One slot for each value is enough: the next write of it comes in another run of the first loop, when all reads
 * are done. A thread that does not take part writes what is neutral (reduce) or what nobody may ask for (shuffle),
 * and reads its own.
 * Requires: the exchange stands at the top level. Refuses: shuffles of values that do not fit in memory. */
#include "../../analysis/calls.h"
#include "../../analysis/cpu.h"
#include "lane_loads.h"

static MlirValue convert(uw_builder *b, const char *name, MlirValue value, MlirType type) {
  return uw_build1(b, name, .in = VALS(value), .out = TYPES(type));
}

static MlirValue combine(uw_builder *b, const char *name, MlirValue left, MlirValue right) {
  return uw_build1(b, name, .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)));
}

/* Takes the operand from an exchange that only waits to be replaced, so that it does not cross the split. */
static void clear_operand(MlirOperation op, size_t index) {
  uw_builder b = uw_at(op);
  mlirOperationSetOperand(op, (intptr_t)index, uw_poison(&b, mlirValueGetType(uw_operand(op, index))));
}

/* The i1 that an i32 was extended from; null if it was not. */
static MlirValue bit_of(MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_kind(op) == UW_OP_ARITH_EXTUI &&
      mlirTypeEqual(mlirValueGetType(uw_operand(op, 0)), uw_int_type(mlirOperationGetContext(op), 1)))
    return uw_operand(op, 0);
  return (MlirValue){NULL};
}

/* The threads' bits from `first` on, one of 32 each, as an integer. The slot has a byte for each. Made of two halves:
 * LLVM would store an integer that is a vector's bits as that vector, and then not vectorise the loop that stores
 * it. */
static MlirValue bits_of_lanes(uw_builder *b, const uw_slot *slot, int64_t first) {
  enum { HALF = UW_LANES / 2 };
  MlirType i8 = uw_int_type(b->context, 8), i16 = uw_int_type(b->context, HALF),
           i32 = uw_int_type(b->context, UW_LANES);
  const int64_t shape[] = {HALF};
  MlirType bytes = mlirVectorTypeGet(1, shape, i8), truths = mlirVectorTypeGet(1, shape, uw_int_type(b->context, 1));
  MlirValue zero =
      uw_build1(b, "arith.constant", .out = TYPES(bytes),
                .attrs = ATTRS({"value", mlirDenseElementsAttrSplatGet(bytes, mlirIntegerAttrGet(i8, 0))}));
  MlirValue halves[2];
  for (int64_t i = 0; i < 2; i++) {
    MlirValue loaded =
        uw_build1(b, "llvm.load", .in = VALS(uw_slot_address(b, slot, uw_const_index(b, first + i * HALF))),
                  .out = TYPES(bytes), .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, 1)}));
    MlirValue bits = uw_build1(b, "arith.cmpi", .in = VALS(loaded, zero), .out = TYPES(truths),
                               .attrs = ATTRS({"predicate", uw_int_attr(b->context, 64, UW_NE)}));
    halves[i] = convert(b, "arith.extui", convert(b, "llvm.bitcast", bits, i16), i32);
  }
  return combine(b, "arith.ori", halves[0], combine(b, "arith.shli", halves[1], uw_const_int(b, 32, HALF)));
}

/* Bits of whole warps: 32 at a time. */
static MlirValue reduce_bits(uw_builder *b, const uw_slot *slot, int64_t count, bool is_add, bool is_ballot) {
  MlirType i32 = uw_int_type(b->context, 32);
  MlirValue zero = uw_const_int(b, 32, 0), result = zero;
  for (int64_t first = 0; first < count; first += UW_LANES) {
    MlirValue bits = bits_of_lanes(b, slot, first);
    if (is_add)
      bits = convert(b, "math.ctpop", bits, i32);
    result = first == 0 ? bits : combine(b, is_add ? "arith.addi" : "arith.ori", result, bits);
  }
  return is_add || is_ballot ? result : convert(b, "arith.extui", uw_compare(b, UW_NE, result, zero), i32);
}

/* Gives the result, which is at block level, right before the loop of what stood behind the reduce. */
static MlirValue lower_reduce(uw_threads *threads, MlirOperation loop, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirType i32 = uw_int_type(b.context, 32), i1 = uw_int_type(b.context, 1);
  bool is_and = uw_attr_is_str(op, "kind", "and"), is_add = uw_attr_is_str(op, "kind", "add");
  bool is_ballot = uw_attr_is_str(op, "kind", "ballot");
  uw_assert(op, is_and || is_add || is_ballot || uw_attr_is_str(op, "kind", "or") || uw_waits_for_blocks(op));
  MlirValue value = uw_operand(op, 0), active = uw_operand(op, 1), bit = bit_of(value);
  bool narrow = is_ballot || (bit.ptr && !is_and); /* a bit a thread is enough */
  if (narrow)
    value = bit.ptr ? bit : uw_compare(&b, UW_NE, value, uw_const_int(&b, 32, 0));
  int64_t all;
  if (!uw_const_value(active, &all) || all == 0)
    value = uw_select(&b, active, value, narrow ? uw_const_int(&b, 1, 0) : uw_const_int(&b, 32, is_and ? -1 : 0));
  uw_slot slot = uw_slot_create(threads, narrow ? i1 : i32, false);
  uw_slot_keep(&b, &slot, loop, value);
  clear_operand(op, 0);
  clear_operand(op, 1);
  uw_split_before(threads, loop, op);

  uw_builder outside = uw_at(loop);
  outside.location = mlirOperationGetLocation(op);
  int64_t count;
  if (narrow && uw_const_value(threads->count, &count) && count > 0 && count % UW_LANES == 0) {
    MlirValue result = reduce_bits(&outside, &slot, count, is_add, is_ballot);
    uw_replace_uses(uw_result(op, 0), result);
    uw_erase(op);
    return result;
  }
  MlirValue start = uw_const_int(&outside, 32, is_and ? -1 : 0);
  MlirOperation serial =
      uw_build_for(&outside, uw_const_index(&outside, 0), threads->count, uw_const_index(&outside, 1), VALS(start));
  uw_builder body = uw_at_end(uw_block(serial, 0), outside.location);
  MlirValue thread = mlirBlockGetArgument(body.block, 0), so_far = mlirBlockGetArgument(body.block, 1);
  MlirValue next = uw_slot_read(&body, &slot, thread, false);
  if (narrow)
    next = convert(&body, "arith.extui", next, i32);
  if (is_ballot)
    next = combine(&body, "arith.shli", next, convert(&body, "arith.index_cast", thread, i32));
  next = combine(&body, is_and ? "arith.andi" : is_add ? "arith.addi" : "arith.ori", so_far, next);
  uw_yield(body.block, outside.location, VALS(next));
  uw_replace_uses(uw_result(op, 0), uw_result(serial, 0));
  uw_erase(op);
  return uw_result(serial, 0);
}

/* Where only some blocks come by, as on a path that masks made common to all threads, the others must not wait. */
static void lower_barrier_of_blocks(uw_threads *threads, MlirOperation loop, MlirOperation op) {
  MlirAttribute kind = uw_get_attr(op, "kind");
  MlirValue reached = lower_reduce(threads, loop, op);
  uw_builder outside = uw_at(loop);
  MlirOperation branch = uw_build_branch(&outside, uw_compare(&outside, UW_NE, reached, uw_const_int(&outside, 32, 0)));
  uw_builder waits = uw_at_start(uw_block(branch, 0), outside.location);
  uw_build(&waits, "unwarp.barrier", .attrs = ATTRS({"level", kind}));
}

/* Where uses of a value are replaced by a copy. */
typedef struct copies {
  uw_table *after; /* what stands behind the exchange, at the top level */
  MlirBlock body;
  uw_builder b;
} copies;

static bool is_used_after(const copies *c, MlirOperation user) {
  while (!mlirBlockEqual(mlirOperationGetBlock(user), c->body))
    user = uw_parent(user);
  return uw_table_get(c->after, user.ptr) != 0;
}

static bool has_uses_after(const copies *c, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (is_used_after(c, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

static void replace_after(const copies *c, MlirValue value, MlirValue own) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    if (is_used_after(c, mlirOpOperandGetOwner(use)))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), own);
    use = next;
  }
}

/* After op, the thread's own value is in the slot: no need to keep it once more, or another form of it, its bits. */
static void use_slot_after(uw_threads *threads, MlirOperation loop, MlirOperation op, const uw_slot *slot,
                           MlirValue value) {
  MlirOperation def = uw_def(value);
  if (uw_null(def) || !uw_defined_inside(value, loop) || uw_kind(def) == UW_OP_ARITH_CONSTANT)
    return;
  copies c = {uw_table_create(threads->arena), uw_block(loop, 0), uw_after(op)};
  for (MlirOperation next = uw_next(op); !uw_null(next); next = uw_next(next))
    uw_table_set(c.after, next.ptr, 1);
  uw_ops forms = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_string_is(uw_name(user), "arith.bitcast") && !is_used_after(&c, user) &&
        has_uses_after(&c, uw_result(user, 0)))
      uw_ops_push(threads->arena, &forms, user);
  }
  if (!forms.count && !has_uses_after(&c, value))
    return;
  MlirValue own = uw_slot_get(&c.b, slot, loop);
  replace_after(&c, value, own);
  for (size_t i = 0; i < forms.count; i++) {
    MlirValue form = uw_result(forms.at[i], 0);
    replace_after(&c, form, convert(&c.b, "arith.bitcast", own, mlirValueGetType(form)));
  }
}

/* Does an exchange of several take its values from before the split? Those between first and last. */
static void exchanged_operands(MlirOperation op, size_t *first, size_t *last) {
  *first = uw_kind(op) == UW_OP_COLLECTIVE;
  *last = uw_kind(op) == UW_OP_COLLECTIVE ? uw_operand_count(op) : 1;
}

/* Pushes first and those of its kind after it whose values are there before it, or will be once pure operations have moved
 * there, and moves these. One split is enough for all of them: their slots are written before it and read where they
 * stand. */
static uw_ops gather(uw_threads *threads, MlirOperation first) {
  enum { EARLY = 1, LATE, NEEDED };
  uw_arena *arena = threads->arena;
  uw_table *after = uw_table_create(arena); /* first and what follows -> can it run before first? */
  uw_ops gathered = {0}, wanted = {0};
  for (MlirOperation op = first; !uw_null(op); op = uw_next(op)) {
    if (uw_is_check(op) || uw_holds_checks(arena, op)) /* -fcheck asks who comes to each of them */
      break;
    bool is_early = uw_speculatable(op) && uw_region_count(op) == 0;
    for (size_t i = 0; i < uw_operand_count(op) && is_early; i++)
      is_early = uw_table_get(after, uw_def(uw_operand(op, i)).ptr) != LATE;
    uw_table_set(after, op.ptr, is_early ? EARLY : LATE);
    bool is_ready = uw_kind(op) == uw_kind(first);
    size_t from, to;
    exchanged_operands(op, &from, &to);
    for (size_t i = from; i < to && is_ready; i++)
      is_ready = uw_table_get(after, uw_def(uw_operand(op, i)).ptr) != LATE;
    if (!is_ready)
      continue;
    uw_ops_push(arena, &gathered, op);
    for (size_t i = from; i < to; i++)
      if (uw_table_get(after, uw_def(uw_operand(op, i)).ptr) == EARLY)
        uw_ops_push(arena, &wanted, uw_def(uw_operand(op, i)));
  }
  for (size_t i = 0; i < wanted.count; i++) { /* grows: what those need */
    if (uw_table_get(after, wanted.at[i].ptr) == NEEDED)
      continue;
    uw_table_set(after, wanted.at[i].ptr, NEEDED);
    for (size_t k = 0; k < uw_operand_count(wanted.at[i]); k++)
      if (uw_table_get(after, uw_def(uw_operand(wanted.at[i], k)).ptr) == EARLY)
        uw_ops_push(arena, &wanted, uw_def(uw_operand(wanted.at[i], k)));
  }
  for (MlirOperation op = uw_next(first), next; wanted.count && !uw_null(op); op = next) {
    next = uw_next(op);
    if (uw_table_get(after, op.ptr) == NEEDED)
      uw_move_before(op, first);
  }
  return gathered;
}

/* Reads what the lane asks for where the shuffle stands. */
static void read_shuffled(uw_threads *threads, MlirOperation loop, MlirOperation op, const uw_slot *slot) {
  uw_builder b = uw_at(op);
  MlirType i32 = uw_int_type(b.context, 32);
  MlirValue source = uw_operand(op, 1), active = uw_operand(op, 2);
  MlirValue own = convert(&b, "arith.index_cast", uw_linear_thread(&b, loop), i32);
  MlirValue count = convert(&b, "arith.index_cast", threads->count, i32);
  MlirValue from = uw_select(&b, uw_compare(&b, UW_ULT, source, count), source, own);
  int64_t all;
  if (!uw_const_value(active, &all) || all == 0)
    from = uw_select(&b, active, from, own); /* elsewhere the source may be poison */
  MlirValue lane = convert(&b, "arith.index_castui", from, uw_index_type(b.context));
  uw_replace_uses(uw_result(op, 0), uw_slot_read(&b, slot, lane, false));
  uw_erase(op);
}

/* A slot that is filled between the loops. */
typedef struct filled {
  uw_lane_load load;
  uw_slot slot;
} filled;

typedef struct slots {
  uw_map *written; /* value -> the memory of its slot */
  uw_vals values;
  filled *filled;
  size_t filled_count, filled_room;
} slots;

/* Has the slot of value written before the split, by each lane, or right after it for all of them. */
static void write_value(uw_threads *threads, MlirOperation loop, MlirOperation first, MlirValue value, bool as_vector,
                        slots *s) {
  if (uw_map_get(s->written, value).ptr)
    return;
  uw_slot slot = uw_slot_create(threads, mlirValueGetType(value), false);
  uw_map_set(s->written, value, slot.memory);
  uw_vals_push(threads->arena, &s->values, value);
  uw_lane_load load;
  uw_builder b = uw_at(first);
  if (!as_vector || !uw_find_lane_load(loop, value, first, &load)) {
    uw_slot_keep(&b, &slot, loop, value);
    return;
  }
  s->filled = uw_grow(threads->arena, s->filled, s->filled_count, &s->filled_room, sizeof *s->filled);
  s->filled[s->filled_count++] = (filled){load, slot};
}

static void fill_slots(MlirOperation loop, const slots *s) {
  for (size_t i = 0; i < s->filled_count; i++) {
    const filled *f = &s->filled[i];
    uw_builder b = uw_at(loop);
    uw_build(&b, "llvm.store", .in = VALS(uw_load_for_lanes(&b, &f->load), f->slot.memory),
             .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, (int64_t)uw_type_align(f->slot.type))}));
  }
}

/* Which lanes load the same into a slot; null if that is not known. */
static const int32_t *elements_in(const slots *s, MlirValue memory) {
  for (size_t i = 0; i < s->filled_count; i++)
    if (uw_same(s->filled[i].slot.memory, memory))
      return s->filled[i].load.from;
  return NULL;
}

static void lower_shuffles(uw_threads *threads, MlirOperation loop, MlirOperation first) {
  uw_arena *arena = threads->arena;
  uw_ops shuffles = gather(threads, first);
  slots s = {.written = uw_map_create(arena)};
  MlirValue *memories = uw_alloc(arena, shuffles.count * sizeof *memories);
  uw_lane_shuffle *as_vectors = uw_alloc(arena, shuffles.count * sizeof *as_vectors);
  size_t vectors = 0;
  for (size_t i = 0; i < shuffles.count; i++) {
    MlirValue value = uw_operand(shuffles.at[i], 0);
    bool as_vector = uw_has_known_sources(loop, shuffles.at[i], as_vectors[vectors].from);
    memories[i] = as_vector ? uw_lanes_slot(loop, value) : (MlirValue){NULL}; /* nothing to write if a slot has it */
    if (!memories[i].ptr)
      write_value(threads, loop, first, value, as_vector, &s);
    memories[i] = memories[i].ptr ? memories[i] : uw_map_get(s.written, value);
    if (as_vector) {
      as_vectors[vectors].op = shuffles.at[i];
      as_vectors[vectors++].memory = memories[i];
    }
  }
  for (size_t i = 0; i < shuffles.count; i++)
    clear_operand(shuffles.at[i], 0);
  for (size_t i = 0; i < s.values.count; i++) {
    MlirValue value = s.values.at[i];
    uw_slot slot = {uw_map_get(s.written, value), mlirValueGetType(value), false};
    use_slot_after(threads, loop, first, &slot, value);
  }
  uw_split_before(threads, loop, first);
  fill_slots(loop, &s);
  for (size_t i = 0, k = 0; i < shuffles.count; i++) {
    if (k < vectors && uw_same_op(as_vectors[k].op, shuffles.at[i]))
      k++;
    else
      read_shuffled(threads, loop, shuffles.at[i],
                    &(uw_slot){memories[i], mlirValueGetType(uw_result(shuffles.at[i], 0)), false});
  }
  for (size_t i = 0; i < vectors; i++)
    as_vectors[i].element = elements_in(&s, as_vectors[i].memory);
  if (vectors)
    uw_shuffle_as_vectors(threads, loop, as_vectors, vectors);
}

/* --- what the lanes compute together ----------------------------------------------------------------------------- */

/* Room for `count` values of each lane, one after the other as uwrt_warp_function has them: of all lanes, whether or
 * not the warp has them. */
static MlirValue room_for_lanes(uw_threads *threads, size_t count, MlirType type) {
  enum { LINE = UW_CACHE_LINE };
  uw_builder b = uw_after(threads->anchor);
  int64_t bytes = (int64_t)count * UW_LANES * (int64_t)uw_type_bytes(type);
  return uw_build1(&b, "unwarp.slot", .in = VALS(uw_const_int(&b, 64, bytes)), .out = TYPES(uw_ptr_type(b.context)),
                   .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, LINE)}));
}

static uw_slot slot_in(uw_builder *b, MlirValue room, size_t index, MlirType type) {
  int64_t offset = (int64_t)index * UW_LANES * (int64_t)uw_type_bytes(type);
  return (uw_slot){uw_add_bytes(b, room, uw_const_int(b, 64, offset)), type, false};
}

typedef struct collective {
  MlirOperation op;
  MlirValue in, out;
  MlirAttribute callee;
} collective;

static collective write_operands(uw_threads *threads, MlirOperation loop, MlirOperation first, MlirOperation op) {
  size_t count = uw_operand_count(op);
  collective c = {op, room_for_lanes(threads, count - 1, mlirValueGetType(uw_operand(op, 1))),
                  room_for_lanes(threads, uw_result_count(op), mlirValueGetType(uw_result(op, 0))),
                  uw_get_attr(op, "callee")};
  uw_builder b = uw_at(first);
  for (size_t i = 1; i < count; i++) {
    MlirValue value = uw_operand(op, i);
    uw_slot slot = slot_in(&b, c.in, i - 1, mlirValueGetType(value));
    uw_slot_keep(&b, &slot, loop, value);
  }
  return c;
}

static void compute_together(uw_threads *threads, MlirOperation loop, const collective *c) {
  uw_builder b = uw_at(loop);
  b.location = mlirOperationGetLocation(c->op);
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(c->callee);
  uw_call(&b, uw_arena_format(threads->arena, "%.*s", (int)name.length, name.data), VALS(c->in, c->out),
          (MlirType){NULL});
}

static void lower_collectives(uw_threads *threads, MlirOperation loop, MlirOperation first) {
  uw_ops ops = gather(threads, first);
  collective *all = uw_alloc(threads->arena, ops.count * sizeof *all);
  for (size_t i = 0; i < ops.count; i++)
    all[i] = write_operands(threads, loop, first, ops.at[i]);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++)
      clear_operand(ops.at[i], k);
  uw_split_before(threads, loop, first);
  for (size_t i = 0; i < ops.count; i++) {
    compute_together(threads, loop, &all[i]);
    uw_builder b = uw_at(ops.at[i]);
    for (size_t k = 0; k < uw_result_count(ops.at[i]); k++) {
      MlirValue result = uw_result(ops.at[i], k);
      uw_slot slot = slot_in(&b, all[i].out, k, mlirValueGetType(result));
      uw_replace_uses(result, uw_slot_get(&b, &slot, loop));
    }
    uw_erase(ops.at[i]);
  }
}

/* The value as an integer of the same size. */
static MlirValue bits_of(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAFloat(type))
    return convert(b, "arith.bitcast", value, uw_int_type(b->context, mlirFloatTypeGetWidth(type)));
  if (!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
    return convert(b, "llvm.ptrtoint", value, uw_int_type(b->context, 64));
  return value;
}

static void lower_match(uw_threads *threads, MlirOperation loop, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirType i32 = uw_int_type(b.context, 32);
  MlirValue value = bits_of(&b, uw_operand(op, 0)), active = uw_operand(op, 1);
  uw_slot values = uw_slot_create(threads, mlirValueGetType(value), false);
  uw_slot takes_part = uw_slot_create(threads, uw_int_type(b.context, 1), false);
  uw_slot_keep(&b, &values, loop, value);
  uw_slot_keep(&b, &takes_part, loop, active);
  clear_operand(op, 0);
  clear_operand(op, 1);
  uw_split_before(threads, loop, op);

  b = uw_at(op);
  MlirValue own = uw_slot_get(&b, &values, loop);
  MlirOperation serial =
      uw_build_for(&b, uw_const_index(&b, 0), threads->count, uw_const_index(&b, 1), VALS(uw_const_int(&b, 32, 0)));
  uw_builder body = uw_at_end(uw_block(serial, 0), b.location);
  MlirValue lane = mlirBlockGetArgument(body.block, 0), so_far = mlirBlockGetArgument(body.block, 1);
  MlirValue same = uw_compare(&body, UW_EQ, own, uw_slot_read(&body, &values, lane, false));
  /* Not an and: the other's value may be poison where it does not take part. */
  same = uw_select(&body, uw_slot_read(&body, &takes_part, lane, false), same, uw_const_int(&body, 1, 0));
  MlirValue bit = combine(&body, "arith.shli", convert(&body, "arith.extui", same, i32),
                          convert(&body, "arith.index_cast", lane, i32));
  uw_yield(body.block, b.location, VALS(combine(&body, "arith.ori", so_far, bit)));
  uw_replace_uses(uw_result(op, 0), uw_result(serial, 0));
  uw_erase(op);
}

bool uw_lower_exchange(uw_threads *threads, MlirOperation loop, MlirOperation exchange) {
  switch (uw_kind(exchange)) {
  case UW_OP_REDUCE:
    if (uw_waits_for_blocks(exchange))
      lower_barrier_of_blocks(threads, loop, exchange);
    else
      lower_reduce(threads, loop, exchange);
    return true;
  case UW_OP_SHUFFLE: lower_shuffles(threads, loop, exchange); return true;
  case UW_OP_MATCH: lower_match(threads, loop, exchange); return true;
  case UW_OP_COLLECTIVE: lower_collectives(threads, loop, exchange); return true;
  default: break;
  }
  uw_error(mlirOperationGetLocation(exchange), "bug in unwarp: an exchange of an unknown kind");
  return false;
}
