/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a loop over lanes vector code, an element for each lane (lane_shapes.h: what is the same for all lanes, or a
 * step apart, stays scalar):
 *
 *   lanes %l to 16 {                                  %z = vector; %c = 0
 *     %r:2 = while (%z, %c) {                         %live = all; %r = poison
 *       condition (norm(%z) < 4) %z, %c       ==>     while (%z, %c, %live, %r) {
 *     } do { yield f(%z), %c + 1 }                      %next = %live and norm(%z) < 4
 *     store %r#1, %p[%l] }                              %r = select %live, %c, %r
 *                                                       condition (any %next) } do { f(%z), %c + 1, %next, %r }
 *                                                     store vector %r, %p
 *
 * Control flow on which the lanes agree stays as it is. A branch on which they do not becomes selects where both sides
 * are pure and short (uw_flat); else each side runs if some lane takes it, under a mask of these lanes, and so does a
 * loop: it goes on while some lane does. What touches memory in a short branch is there twice: without a mask, for when
 * all lanes take it, which processors do several times as fast: within such a version only what is half as long, so
 * that branches in branches are not there twice for each that is around them. Under a mask a) loads and stores of vectors are masked
 * ones, so a lane that does not take part touches no memory; b) a load from one address for all lanes is made once:
 * some lane is at work wherever there are loads; c) an integer division divides by 1 in the other lanes; d) pure
 * operations run for all lanes, and what they make of the others' values is never asked: results come through selects,
 * masks are joined by selects too, so that a lane's poison stays its own.
 *
 * What is a step apart is made from lane 0's value, also where that lane takes no part: such operations lose the flags
 * (inbounds, no overflow) that promise something of it.
 *
 * Legal because threads between two barriers do not wait for each other and do not race. Where values could wrap
 * around among the lanes (uw_extension), a test before them chooses the loop as it was. Requires: uw_vectors_fit of all
 * operations. */
#include "vector_values.h"

#include "../../analysis/thresholds.h"
#include "../../transform/version.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/thread_loop.h"
#include "in_turn.h"
#include "iteration_ranges.h"
#include "overlap.h"

static bool is_used(MlirValue value) { return !mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

/* --- control flow ------------------------------------------------------------------------------------------------- */

void uw_vec_body(uw_vectors *v, MlirBlock block) {
  uw_foreach_op (op, block)
    if (!uw_same_op(op, uw_last(block)))
      uw_vec_emit(v, op);
}

static bool is_flat_block(MlirBlock block, size_t *count) {
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op (op, block) {
    if (uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    bool nested =
        uw_kind(op) == UW_OP_SCF_IF && is_flat_block(uw_block(op, 0), count) && is_flat_block(uw_block(op, 1), count);
    if (++*count > UW_SHORT_BRANCH || (!nested && (uw_region_count(op) || !uw_speculatable(op))))
      return false;
  }
  return true;
}

bool uw_flat(MlirOperation branch) {
  size_t count = 0;
  return is_flat_block(uw_block(branch, 0), &count) && is_flat_block(uw_block(branch, 1), &count);
}

/* What a side yields as result i, in the form of that result. The other side's poison may be any value. */
static MlirValue yield_of(uw_vectors *v, MlirOperation op, unsigned arm, size_t i) {
  bool scalar = uw_is_scalar(v->shapes, uw_result(op, i));
  int deciding = uw_deciding_arm(op, i);
  if (deciding >= 0 && (unsigned)deciding != arm)
    return uw_poison(&v->b, uw_vec_type_as(v, uw_result(op, i), scalar));
  return uw_vec_as(v, uw_operand(uw_last(uw_block(op, arm)), i), scalar);
}

/* A branch that all lanes take or none. */
static void emit_common_if(uw_vectors *v, MlirOperation op, MlirValue condition) {
  size_t count = uw_result_count(op);
  MlirType *types = uw_alloc(v->arena, (count + 1) * sizeof *types);
  for (size_t i = 0; i < count; i++)
    types[i] = uw_vec_type_as(v, uw_result(op, i), uw_is_scalar(v->shapes, uw_result(op, i)));
  if (v->anywhere) /* poison may be chosen from, but not branched on */
    condition = uw_build1(&v->b, "llvm.freeze", .in = VALS(condition), .out = TYPES(mlirValueGetType(condition)));
  uw_builder outer = v->b;
  MlirOperation copy = uw_build_if(&v->b, condition, (uw_type_list){types, count});
  for (unsigned arm = 0; arm < 2; arm++) {
    MlirBlock from = uw_block(op, arm);
    uw_vals yields = {0};
    v->b = (uw_builder){v->context, outer.location, uw_block(copy, arm), {NULL}};
    if (!mlirBlockIsNull(from)) {
      uw_vec_body(v, from);
      for (size_t i = 0; i < count; i++)
        uw_vals_push(v->arena, &yields, yield_of(v, op, arm, i));
    }
    uw_build(&v->b, "scf.yield", .in = VALS_OF(yields));
  }
  v->b = outer;
  for (size_t i = 0; i < count; i++)
    uw_vec_set(v, uw_result(op, i), uw_result(copy, i), uw_is_scalar(v->shapes, uw_result(op, i)));
}

/* What a side of a branch does and yields, for the lanes of v->mask. */
static void yield_arm(uw_vectors *v, MlirOperation op, unsigned arm) {
  uw_vals yields = {0};
  uw_vec_body(v, uw_block(op, arm));
  for (size_t i = 0; i < uw_result_count(op); i++)
    uw_vals_push(v->arena, &yields, yield_of(v, op, arm, i));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(yields));
}

/* Does what stands in the block touch memory that is not the same for all lanes? Counts its operations. */
static bool touches_by_lanes(uw_vectors *v, MlirBlock block, size_t *count) {
  bool touches = false;
  uw_foreach_op (op, block) {
    uw_kind_t kind = uw_kind(op);
    if (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE)
      touches = touches || !uw_is_same(v->shapes, uw_operand(op, kind == UW_OP_LLVM_STORE));
    ++*count;
    for (unsigned i = 0; i < (unsigned)uw_region_count(op); i++)
      touches = (!mlirBlockIsNull(uw_block(op, i)) && touches_by_lanes(v, uw_block(op, i), count)) || touches;
  }
  return touches;
}

/* One side of a branch, for these lanes; what it yields, for all of them, in the form that the results have. */
static uw_vals emit_arm(uw_vectors *v, MlirOperation op, unsigned arm, MlirValue lanes, bool flat) {
  MlirBlock from = uw_block(op, arm);
  uw_vals yields = {0}, inner = {0};
  size_t count = uw_result_count(op);
  if (mlirBlockIsNull(from))
    return yields;
  if (flat || uw_is_empty(from)) {
    bool anywhere = v->anywhere;
    v->anywhere = true;
    uw_vec_body(v, from);
    v->anywhere = anywhere;
    for (size_t i = 0; i < count; i++)
      uw_vals_push(v->arena, &yields, yield_of(v, op, arm, i));
    return yields;
  }
  MlirType *types = uw_alloc(v->arena, (count + 1) * sizeof *types);
  for (size_t i = 0; i < count; i++)
    types[i] = uw_vec_type_as(v, uw_result(op, i), uw_is_scalar(v->shapes, uw_result(op, i)));
  MlirValue mask = v->mask;
  uw_builder outer = v->b;
  MlirOperation for_all = {NULL};
  size_t size = 0;
  bool twice = touches_by_lanes(v, from, &size) && size <= (UW_MOST_TWICE >> v->versions);
  v->versions += twice;
  if (twice) {
    for_all = uw_build_if(&v->b, uw_vec_every_lane(v, lanes), (uw_type_list){types, count});
    v->b = (uw_builder){v->context, outer.location, uw_block(for_all, 0), {NULL}};
    v->mask = (MlirValue){NULL};
    yield_arm(v, op, arm);
    v->b = (uw_builder){v->context, outer.location, uw_block(for_all, 1), {NULL}};
  }
  MlirOperation for_some = uw_build_if(&v->b, uw_vec_some_lane(v, lanes), (uw_type_list){types, count});
  uw_builder between = v->b;
  v->b = (uw_builder){v->context, outer.location, uw_block(for_some, 0), {NULL}};
  v->mask = lanes;
  yield_arm(v, op, arm);
  v->versions -= twice;
  v->mask = mask;
  v->b = (uw_builder){v->context, outer.location, uw_block(for_some, 1), {NULL}};
  for (size_t i = 0; i < count; i++)
    uw_vals_push(v->arena, &inner, uw_poison(&v->b, types[i]));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(inner));
  for (size_t i = 0; i < count; i++)
    uw_vals_push(v->arena, &yields, uw_result(for_some, i));
  if (!uw_null(for_all)) {
    uw_build(&between, "scf.yield", .in = VALS_OF(yields));
    yields = (uw_vals){0};
    for (size_t i = 0; i < count; i++)
      uw_vals_push(v->arena, &yields, uw_result(for_all, i));
  }
  v->b = outer;
  return yields;
}

/* What all lanes at work want, if the condition is another one for each. */
static MlirValue wanted_by_all(uw_vectors *v, MlirValue condition) {
  MlirValue wide = uw_vec_wide_of(v, condition);
  return uw_vec_every_lane(v, v->mask.ptr ? uw_select(&v->b, v->mask, wide, uw_vec_all_lanes(v, true)) : wide);
}

static void emit_if(uw_vectors *v, MlirOperation op) {
  if (uw_is_same(v->shapes, uw_operand(op, 0))) {
    emit_common_if(v, op, uw_vec_scalar_of(v, uw_operand(op, 0)));
    return;
  }
  if (!mlirAttributeIsNull(uw_get_attr(op, UW_VERSIONS))) {
    emit_common_if(v, op, wanted_by_all(v, uw_operand(op, 0)));
    return;
  }
  MlirValue condition = uw_vec_wide_of(v, uw_operand(op, 0)), others = {NULL}, takers = {NULL};
  bool flat = uw_flat(op);
  if (!flat) {
    takers = uw_vec_those_with(v, condition);
    others = uw_vec_those_with(v, uw_binary(&v->b, "arith.xori", condition, uw_vec_all_lanes(v, true)));
  }
  uw_vals yields[2] = {emit_arm(v, op, 0, takers, flat), emit_arm(v, op, 1, others, flat)};
  for (size_t i = 0; i < uw_result_count(op); i++) {
    int arm = uw_deciding_arm(op, i);
    MlirValue result = arm >= 0 ? yields[arm].at[i] : uw_select(&v->b, condition, yields[0].at[i], yields[1].at[i]);
    uw_vec_set(v, uw_result(op, i), result, uw_is_scalar(v->shapes, uw_result(op, i)));
  }
}

/* A loop of as many iterations for all lanes. */
static void emit_for(uw_vectors *v, MlirOperation op) {
  MlirBlock from = uw_block(op, 0);
  size_t count = uw_result_count(op);
  uw_vals inits = {0}, next = {0};
  for (size_t i = 0; i < count; i++)
    uw_vals_push(
        v->arena, &inits,
        uw_vec_as(v, uw_operand(op, i + 3), uw_is_scalar(v->shapes, mlirBlockGetArgument(from, (intptr_t)i + 1))));
  MlirOperation copy =
      uw_build_for(&v->b, uw_vec_scalar_of(v, uw_operand(op, 0)), uw_vec_scalar_of(v, uw_operand(op, 1)),
                   uw_vec_scalar_of(v, uw_operand(op, 2)), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(op, "unsignedCmp")))
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(v->context));
  MlirBlock body = uw_block(copy, 0);
  uw_builder outer = v->b;
  v->b = (uw_builder){v->context, outer.location, body, {NULL}};
  uw_map_set(v->scalars, mlirBlockGetArgument(from, 0), mlirBlockGetArgument(body, 0));
  for (size_t i = 0; i < count; i++) {
    MlirValue carried = mlirBlockGetArgument(from, (intptr_t)i + 1);
    uw_vec_set(v, carried, mlirBlockGetArgument(body, (intptr_t)i + 1), uw_is_scalar(v->shapes, carried));
  }
  uw_vec_body(v, from);
  for (size_t i = 0; i < count; i++)
    uw_vals_push(v->arena, &next,
                 uw_vec_as(v, uw_operand(uw_last(from), i),
                           uw_is_scalar(v->shapes, mlirBlockGetArgument(from, (intptr_t)i + 1))));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(next));
  v->b = outer;
  for (size_t i = 0; i < count; i++)
    uw_vec_set(v, uw_result(op, i), uw_result(copy, i), uw_is_scalar(v->shapes, uw_result(op, i)));
}

/* A while. Where lanes leave it after different iterations it also carries the mask of those that are in it, and what
 * the others took out. */
static void emit_while(uw_vectors *v, MlirOperation op) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  MlirOperation condition = uw_last(before);
  bool common = uw_same_iterations(v->shapes, op);
  size_t carried = uw_operand_count(op), count = uw_result_count(op), taken = 0;
  uw_vals inits = {0}, forwarded = {0}, next = {0};
  MlirType *types = uw_alloc(v->arena, (2 * count + 1) * sizeof *types);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(v->arena, &inits,
                 uw_vec_as(v, uw_operand(op, i), uw_is_scalar(v->shapes, mlirBlockGetArgument(before, (intptr_t)i))));
  for (size_t i = 0; i < count; i++) {
    MlirValue value = mlirBlockGetArgument(after, (intptr_t)i);
    types[i] = uw_vec_type_as(v, value, uw_is_scalar(v->shapes, value));
  }
  size_t type_count = count;
  if (!common) {
    uw_vals_push(v->arena, &inits, uw_vec_mask_or_all(v));
    types[type_count++] = uw_vec_mask_type(v);
    for (size_t i = 0; i < count; i++)
      if (is_used(uw_result(op, i))) {
        uw_vals_push(v->arena, &inits, uw_vec_poison(v, uw_result(op, i)));
        types[type_count++] = uw_vec_type(v, mlirValueGetType(uw_result(op, i)));
      }
  }
  MlirOperation copy = uw_build_while(&v->b, VALS_OF(inits), (uw_type_list){types, type_count});
  MlirBlock test = uw_block(copy, 0), body = uw_block(copy, 1);
  uw_builder outer = v->b;
  MlirValue mask = v->mask;

  v->b = (uw_builder){v->context, outer.location, test, {NULL}};
  for (size_t i = 0; i < carried; i++) {
    MlirValue value = mlirBlockGetArgument(before, (intptr_t)i);
    uw_vec_set(v, value, mlirBlockGetArgument(test, (intptr_t)i), uw_is_scalar(v->shapes, value));
  }
  if (!common)
    v->mask = mlirBlockGetArgument(test, (intptr_t)carried);
  uw_vec_body(v, before);
  MlirValue live = {NULL};
  if (common) {
    uw_vals_push(v->arena, &forwarded, uw_vec_scalar_of(v, uw_operand(condition, 0)));
  } else {
    live = uw_vec_those_with(v, uw_vec_wide_of(v, uw_operand(condition, 0)));
    uw_vals_push(v->arena, &forwarded, uw_vec_some_lane(v, live));
  }
  for (size_t i = 0; i < count; i++)
    uw_vals_push(
        v->arena, &forwarded,
        uw_vec_as(v, uw_operand(condition, i + 1), uw_is_scalar(v->shapes, mlirBlockGetArgument(after, (intptr_t)i))));
  if (!common) {
    uw_vals_push(v->arena, &forwarded, live);
    for (size_t i = 0; i < count; i++)
      if (is_used(uw_result(op, i)))
        uw_vals_push(v->arena, &forwarded,
                     uw_select(&v->b, v->mask, uw_vec_wide_of(v, uw_operand(condition, i + 1)),
                               mlirBlockGetArgument(test, (intptr_t)(carried + 1 + taken++))));
  }
  uw_build(&v->b, "scf.condition", .in = VALS_OF(forwarded));

  v->b = (uw_builder){v->context, outer.location, body, {NULL}};
  for (size_t i = 0; i < count; i++) {
    MlirValue value = mlirBlockGetArgument(after, (intptr_t)i);
    uw_vec_set(v, value, mlirBlockGetArgument(body, (intptr_t)i), uw_is_scalar(v->shapes, value));
  }
  if (!common)
    v->mask = mlirBlockGetArgument(body, (intptr_t)count);
  uw_vec_body(v, after);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(v->arena, &next,
                 uw_vec_as(v, uw_operand(uw_last(after), i),
                           uw_is_scalar(v->shapes, mlirBlockGetArgument(before, (intptr_t)i))));
  for (size_t i = count; i < type_count; i++)
    uw_vals_push(v->arena, &next, mlirBlockGetArgument(body, (intptr_t)i));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(next));

  v->b = outer;
  v->mask = mask;
  for (size_t i = 0, k = count + 1; i < count; i++)
    if (common)
      uw_vec_set(v, uw_result(op, i), uw_result(copy, i), uw_is_scalar(v->shapes, uw_result(op, i)));
    else if (is_used(uw_result(op, i)))
      uw_map_set(v->wide, uw_result(op, i), uw_result(copy, k++));
}

/* The arrays of all lanes, one after the other; the first one's stands for them. */
static void emit_own_arrays(uw_vectors *v, MlirOperation op) {
  int64_t count = 1;
  uw_const_value(uw_operand(op, 0), &count);
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(op, 0)));
  MlirValue all = uw_const_int(&v->b, bits, count * v->width);
  mlirOperationSetOperand(uw_clone(&v->b, op, v->scalars), 0, all);
}

static void promise(uw_vectors *v, MlirOperation op, MlirOperation copy) {
  if (uw_table_get(v->sure, op.ptr))
    uw_set_attr(copy, "overflowFlags", uw_attr(v->context, "#arith.overflow<nsw>"));
}

static void emit_in_turn(uw_vectors *v, MlirOperation op) {
  uw_used used = uw_used_by(v->arena, v->shapes, op);
  uw_vals own = {0};
  for (size_t i = 0; i < used.values.count; i++)
    uw_vals_push(v->arena, &own, uw_vec_as(v, used.values.at[i], uw_is_same(v->shapes, used.values.at[i])));
  MlirValue result = uw_emit_in_turn(v->arena, &v->b, op, &used, &own, v->mask, v->width);
  if (result.ptr)
    uw_map_set(v->wide, uw_result(op, 0), result);
}

void uw_vec_emit(uw_vectors *v, MlirOperation op) {
  if (uw_table_get(v->early, op.ptr))
    return;
  v->b.location = mlirOperationGetLocation(op);
  uw_kind_t kind = uw_kind(op);
  if (!mlirAttributeIsNull(uw_get_attr(op, UW_IN_TURN))) {
    emit_in_turn(v, op);
  } else if (kind == UW_OP_SCF_IF) {
    emit_if(v, op);
  } else if (kind == UW_OP_SCF_FOR && uw_overlaps(op)) {
    uw_emit_overlap(v, op);
  } else if (kind == UW_OP_SCF_FOR) {
    emit_for(v, op);
  } else if (kind == UW_OP_SCF_WHILE) {
    emit_while(v, op);
  } else if (kind == UW_OP_LLVM_STORE) {
    uw_vec_store(v, op);
  } else if (uw_result_count(op) == 0) { /* where an array that serves all lanes begins or ends */
    uw_clone(&v->b, op, v->scalars);
  } else if (kind == UW_OP_LLVM_ALLOCA && !uw_is_same(v->shapes, uw_result(op, 0))) {
    emit_own_arrays(v, op);
  } else if (uw_shape_of(v->shapes, uw_result(op, 0)).kind != UW_SHAPE_ANY) {
    if (kind == UW_OP_LLVM_GEP) /* of the first lane, which need not take part */
      uw_clone_address(&v->b, op, v->scalars);
    else
      promise(v, op, uw_clone(&v->b, op, v->scalars));
  } else if (kind == UW_OP_LLVM_LOAD) {
    uw_vec_load(v, op);
  } else if (kind == UW_OP_ARITH_INDEX_CAST || kind == UW_OP_ARITH_INDEX_CASTUI) {
    uw_vec_index_cast(v, op);
  } else if (kind == UW_OP_LLVM_CALL) {
    uw_vec_call(v, op);
  } else {
    uw_vec_elementwise(v, op);
  }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void drop_promises(uw_shapes *shapes, MlirOperation op) {
  if (uw_result_count(op) != 1 || uw_shape_of(shapes, uw_result(op, 0)).kind != UW_SHAPE_STEP)
    return;
  if (!mlirAttributeIsNull(uw_get_attr(op, "overflowFlags")))
    uw_set_attr(op, "overflowFlags", uw_attr(mlirOperationGetContext(op), "#arith.overflow<none>"));
}

/* value + step * (width - 1) does not wrap. */
static MlirValue stays_in_range(uw_vectors *v, MlirValue value, const uw_extension *extension) {
  MlirType type = mlirValueGetType(value);
  unsigned bits = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  int64_t way = extension->step * (v->width - 1);
  int64_t most = extension->is_signed ? INT64_MAX >> (64 - bits) : -1,
          least = extension->is_signed ? INT64_MIN >> (64 - bits) : 0;
  MlirValue bound = uw_build1(&v->b, "arith.constant", .out = TYPES(type),
                              .attrs = ATTRS({"value", mlirIntegerAttrGet(type, (way > 0 ? most : least) - way)}));
  uw_predicate predicate = extension->is_signed ? (way > 0 ? UW_SLE : UW_SGE) : (way > 0 ? UW_ULE : UW_UGE);
  return uw_compare(&v->b, predicate, value, bound);
}

/* The same for a value that differs from iteration to iteration: in none of them. */
static MlirValue stays_in_iterations(uw_vectors *v, uw_iteration_range range, const uw_extension *extension) {
  int64_t way = extension->step * (v->width - 1);
  int64_t least = extension->is_signed ? INT32_MIN : 0, most = extension->is_signed ? INT32_MAX : UINT32_MAX;
  MlirValue low = uw_const_int(&v->b, 64, least - (way < 0 ? way : 0)),
            high = uw_const_int(&v->b, 64, most - (way > 0 ? way : 0));
  MlirValue fits = uw_binary(&v->b, "arith.andi", uw_compare(&v->b, UW_SGE, range.least, low),
                             uw_compare(&v->b, UW_SLE, range.most, high));
  return range.holds.ptr ? uw_binary(&v->b, "arith.andi", fits, range.holds) : fits;
}

/* A for's counter of 32 bits, or a value that is known before the lanes: of these the sum was asked whether it wraps
 * around. */
static bool is_asked_of(uw_vectors *v, MlirValue operand, MlirOperation lanes, const uw_map *first) {
  if (!uw_null(uw_def(operand)))
    return uw_computable_outside(v->arena, operand, lanes, first);
  return uw_kind(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(operand))) == UW_OP_SCF_FOR &&
         mlirBlockArgumentGetArgNumber(operand) == 0;
}

static void note_sure_sum(uw_vectors *v, const uw_extension *extension, MlirOperation lanes, const uw_map *first) {
  MlirOperation op = uw_def(extension->value);
  if (extension->in_iterations && extension->is_signed && uw_kind(op) == UW_OP_ARITH_ADDI &&
      is_asked_of(v, uw_operand(op, 0), lanes, first) && is_asked_of(v, uw_operand(op, 1), lanes, first))
    uw_table_set(v->sure, op.ptr, 1);
}

/* What the lanes rest on, of one value. Frozen: where it comes from a loop that is not run it may be poison, and then
 * nobody asks. */
static MlirValue ask(uw_vectors *v, const uw_extension *extension, MlirOperation lanes, uw_map *first) {
  if (!extension->in_iterations)
    return stays_in_range(v, uw_compute_outside(&v->b, extension->value, lanes, first), extension);
  MlirValue stays = stays_in_iterations(
      v, uw_emit_iteration_range(&v->b, v->arena, extension->value, lanes, first, v->overlaps), extension);
  return uw_build1(&v->b, "llvm.freeze", .in = VALS(stays), .out = TYPES(mlirValueGetType(stays)));
}

void uw_make_vectors(uw_arena *arena, MlirOperation lanes, int64_t width) {
  uw_make_some_vectors(arena, lanes, width, (MlirValue){NULL});
}

void uw_make_some_vectors(uw_arena *arena, MlirOperation lanes, int64_t width, MlirValue many) {
  MlirBlock body = uw_block(lanes, 0);
  uw_vectors v = {.arena = arena, .context = mlirOperationGetContext(lanes), .width = width, .b = uw_at(lanes)};
  v.shapes = uw_shapes_of(arena, lanes);
  v.scalars = uw_map_create(arena);
  v.wide = uw_map_create(arena);
  v.sure = uw_table_create(arena);
  v.early = uw_table_create(arena);
  v.overlaps = uw_table_create(arena);
  uw_ops ops = uw_collect(arena, lanes);
  for (size_t i = 0; i < ops.count; i++)
    drop_promises(v.shapes, ops.at[i]);
  size_t count;
  const uw_extension *extensions = uw_shape_extensions(v.shapes, &count);
  MlirValue lane = mlirBlockGetArgument(body, 0), zero = uw_const_index(&v.b, 0);
  uw_map *first = uw_map_create(arena);
  uw_map_set(first, lane, zero);
  uw_map_set(v.scalars, lane, zero);
  MlirValue in_range = uw_prepare_overlaps(&v, lanes);
  for (size_t i = 0; i < count; i++) {
    MlirValue stays = ask(&v, &extensions[i], lanes, first);
    note_sure_sum(&v, &extensions[i], lanes, first);
    in_range = in_range.ptr ? uw_binary(&v.b, "arith.andi", in_range, stays) : stays;
  }
  uw_versions versions =
      uw_make_versions(arena, &v.b, .asked = in_range, .first = lanes, .own = UW_FAILS, .written = true);
  v.b = versions.in[UW_HOLDS];
  v.mask = many.ptr ? uw_vec_first_lanes(&v, many) : (MlirValue){NULL};
  uw_vec_body(&v, body);
  if (uw_null(versions.choice))
    mlirOperationDestroy(lanes);
  else
    uw_unmark_overlaps(arena, lanes);
}
