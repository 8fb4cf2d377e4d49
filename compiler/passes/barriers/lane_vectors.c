/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lowers a shuffle of a whole warp that asks each lane for a lane known at compile time, and the arithmetic that hangs
 * on it, to operations on vectors of 32 elements at warp level. Through slots each step of such a tree or butterfly
 * would go to memory and back, at other addresses than it was written at, which a CPU cannot forward.
 *
 *   parallel %l in 32 { A                                 parallel %l in 32 { A; store %v, %slot[%l] }
 *     %a = shuffle(%v, %l + 16, true)                     %v' = load %slot : vector<32>
 *     %b = add %v, %a                            ==>      %a' = shufflevector %v' [16, 17, …]
 *     %c = shuffle(%b, %l + 8, true) …                    %b' = add %v', %a' …
 *     if (%l == 0) { use %b } }                           store %b'[0], %own[0]
 *                                                         parallel %l in 32 { if (%l == 0) { use %own[%l] } }
 *
 * Several shuffles, of values that are there before the first of them, start together (lower_exchange.c).
 *
 * Done when a) the loop has 32 lanes, all of which take part; b) the source is a function of the lane alone; c) the
 * value is an integer or a floating-point value of 32 or 64 bits. What follows goes along where it is pure arithmetic
 * of values that are vectors already, the same for all lanes, or functions of the lane.
 *
 * Legal because each element is computed from the same operands as the lane's value; pure operations may run early,
 * and in lanes whose result nobody uses. What all lanes have alike (lane_classes.h), as at the end of a butterfly, is
 * one value again, and what follows from it is computed once. Where all uses stand under a condition that one lane
 * alone passes, only that lane's element is kept, and LLVM narrows what leads there. Called by lower_exchange.c. */
#include "lane_vectors.h"

#include "../../analysis/calls.h"
#include "../../ir/parallel.h"
#include "lane_classes.h"

enum { LANES = UW_LANES, MOST_DEPTH = 24, MOST_STEPS = 500 };

/* --- functions of the lane ---------------------------------------------------------------------------------------- */

static unsigned width_of(MlirType type) {
  return mlirTypeIsAIndex(type) ? 64 : mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

static uint64_t cut(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static int64_t with_sign(uint64_t value, unsigned width) {
  return width >= 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
}

static bool holds(int64_t predicate, uint64_t a, uint64_t b, unsigned width) {
  int64_t left = with_sign(a, width), right = with_sign(b, width);
  switch (predicate) {
  case UW_EQ: return a == b;
  case UW_NE: return a != b;
  case UW_SLT: return left < right;
  case UW_SLE: return left <= right;
  case UW_SGT: return left > right;
  case UW_SGE: return left >= right;
  case UW_ULT: return a < b;
  case UW_ULE: return a <= b;
  case UW_UGT: return a > b;
  default: return a >= b;
  }
}

/* One operation on the operands in v, for one lane; false if it is none that we know, or its result is poison. */
static bool compute(MlirOperation op, const uint64_t v[3], unsigned width, uint64_t *result) {
  unsigned from = width_of(mlirValueGetType(uw_operand(op, 0)));
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI: *result = v[0] + v[1]; return true;
  case UW_OP_ARITH_SUBI: *result = v[0] - v[1]; return true;
  case UW_OP_ARITH_MULI: *result = v[0] * v[1]; return true;
  case UW_OP_ARITH_ANDI: *result = v[0] & v[1]; return true;
  case UW_OP_ARITH_ORI: *result = v[0] | v[1]; return true;
  case UW_OP_ARITH_XORI: *result = v[0] ^ v[1]; return true;
  case UW_OP_ARITH_SHLI: *result = v[1] < width ? v[0] << v[1] : 0; return v[1] < width;
  case UW_OP_ARITH_DIVUI: *result = v[1] ? v[0] / v[1] : 0; return v[1] != 0;
  case UW_OP_ARITH_REMUI: *result = v[1] ? v[0] % v[1] : 0; return v[1] != 0;
  case UW_OP_ARITH_SELECT: *result = v[0] ? v[1] : v[2]; return true;
  case UW_OP_ARITH_CMPI: *result = holds(uw_get_int_attr(op, "predicate", UW_EQ), v[0], v[1], from); return true;
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_EXTSI: *result = (uint64_t)with_sign(v[0], from); return true;
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI: *result = v[0]; return true;
  default: break;
  }
  bool is_shift = uw_string_is(uw_name(op), "arith.shrui"), keeps_sign = uw_string_is(uw_name(op), "arith.shrsi");
  if ((is_shift || keeps_sign) && v[1] < width)
    *result = is_shift ? v[0] >> v[1] : (uint64_t)(with_sign(v[0], width) >> v[1]);
  return (is_shift || keeps_sign) && v[1] < width;
}

static bool evaluate(MlirValue value, MlirValue lane, uint64_t out[LANES], int depth, int *steps) {
  int64_t number;
  unsigned width = width_of(mlirValueGetType(value));
  if (width == 0)
    return false;
  if (uw_same(value, lane) || uw_const_value(value, &number)) {
    for (size_t l = 0; l < LANES; l++)
      out[l] = uw_same(value, lane) ? l : cut((uint64_t)number, width);
    return true;
  }
  MlirOperation op = uw_def(value);
  uint64_t in[3][LANES];
  if (uw_null(op) || depth == 0 || (*steps)-- <= 0 || uw_operand_count(op) == 0 || uw_operand_count(op) > 3 ||
      uw_result_count(op) != 1)
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!evaluate(uw_operand(op, i), lane, in[i], depth - 1, steps))
      return false;
  for (size_t l = 0; l < LANES; l++) {
    if (!compute(op, (const uint64_t[]){in[0][l], in[1][l], in[2][l]}, width, &out[l]))
      return false;
    out[l] = cut(out[l], width);
  }
  return true;
}

static MlirValue lane_of(MlirOperation loop) { return mlirBlockGetArgument(uw_block(loop, 0), 0); }

bool uw_lane_function(MlirOperation loop, MlirValue value, uint64_t out[UW_LANES]) {
  int steps = MOST_STEPS;
  return evaluate(value, lane_of(loop), out, MOST_DEPTH, &steps);
}

bool uw_has_all_lanes(MlirOperation loop) {
  int64_t count;
  return uw_is_over(loop, UW_OVER_LANES) && uw_dims(loop) == 1 && uw_const_value(uw_upper_of(loop, 0), &count) &&
         count == LANES;
}

/* --- vectors ------------------------------------------------------------------------------------------------------ */

typedef struct lane_vectors {
  uw_threads *threads;
  MlirOperation loop;
  uw_builder at;     /* before the loop */
  uw_map *vectors;   /* a value of a lane -> the vector of all lanes' values */
  uw_map *loaded;    /* the memory of a slot -> the vector of its elements */
  uw_table *classes; /* a vector -> its uw_lane_classes; none: each lane has a value of its own */
} lane_vectors;

static uw_lane_classes classes_of(const lane_vectors *v, MlirValue vector) {
  const uw_lane_classes *known = (const uw_lane_classes *)uw_table_get(v->classes, vector.ptr);
  return known ? *known : uw_classes_of_elements(vector.ptr, NULL);
}

static void set_classes(lane_vectors *v, MlirValue vector, uw_lane_classes classes) {
  uw_lane_classes *kept = uw_alloc(v->threads->arena, sizeof *kept);
  *kept = classes;
  uw_table_set(v->classes, vector.ptr, (intptr_t)kept);
}

static bool is_one_value(const lane_vectors *v, MlirValue vector) {
  uw_lane_classes classes = classes_of(v, vector);
  return uw_are_all_alike(&classes);
}

static MlirType vector_of(MlirType element) {
  const int64_t shape[] = {LANES};
  return mlirVectorTypeGet(1, shape, element);
}

static bool fits_element(MlirType type) {
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return mlirTypeIsAF32(type) || mlirTypeIsAF64(type) || width == 32 || width == 64;
}

MlirValue uw_load_lanes(uw_builder *b, MlirValue memory, MlirType element) {
  return uw_build1(b, "llvm.load", .in = VALS(memory), .out = TYPES(vector_of(element)),
                   .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, (int64_t)uw_type_align(element))}));
}

MlirValue uw_lanes_slot(MlirOperation loop, MlirValue value) {
  MlirOperation load = uw_def(value), gep = uw_kind(load) == UW_OP_LLVM_LOAD ? uw_def(uw_operand(load, 0)) : load;
  uint64_t element[LANES];
  if (uw_kind(load) != UW_OP_LLVM_LOAD || !uw_attr_is_str(load, UW_RELOAD, "own") || uw_kind(gep) != UW_OP_LLVM_GEP ||
      uw_operand_count(gep) != 2 || uw_kind(uw_def(uw_operand(gep, 0))) != UW_OP_SLOT ||
      !uw_lane_function(loop, uw_operand(gep, 1), element))
    return (MlirValue){NULL};
  for (size_t l = 0; l < LANES; l++)
    if (element[l] != l)
      return (MlirValue){NULL};
  return uw_operand(gep, 0);
}

static MlirValue splat(lane_vectors *v, MlirValue value) {
  MlirType type = vector_of(mlirValueGetType(value));
  const int32_t zeros[LANES] = {0};
  MlirValue empty = uw_build1(&v->at, "llvm.mlir.poison", .out = TYPES(type));
  MlirValue one = uw_build1(&v->at, "llvm.insertelement", .in = VALS(empty, value, uw_const_int(&v->at, 64, 0)),
                            .out = TYPES(type));
  MlirValue all = uw_build1(&v->at, "llvm.shufflevector", .in = VALS(one, one), .out = TYPES(type),
                            .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(v->at.context, LANES, zeros)}));
  set_classes(v, all, uw_classes_of_elements(all.ptr, zeros));
  return all;
}

static MlirValue vector_constant(lane_vectors *v, MlirType element, const uint64_t values[LANES]) {
  MlirAttribute elements[LANES];
  for (size_t l = 0; l < LANES; l++)
    elements[l] = mlirIntegerAttrGet(element, with_sign(values[l], width_of(element)));
  return uw_build1(&v->at, "arith.constant", .out = TYPES(vector_of(element)),
                   .attrs = ATTRS({"value", mlirDenseElementsAttrGet(vector_of(element), LANES, elements)}));
}

static bool is_vector_type(MlirType type) {
  return fits_element(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1);
}

/* The elements of the slot that value is a lane's own of, where shuffles load them; else null. */
static MlirValue loaded_lanes(const lane_vectors *v, MlirValue value) {
  MlirValue memory = uw_lanes_slot(v->loop, value), lanes = memory.ptr ? uw_map_get(v->loaded, memory) : memory;
  bool same = lanes.ptr && mlirTypeEqual(mlirValueGetType(lanes), vector_of(mlirValueGetType(value)));
  return same ? lanes : (MlirValue){NULL};
}

/* The vector of a lane's value, made if need be; null if there is none. */
static MlirValue vector_for(lane_vectors *v, MlirValue value) {
  MlirValue known = uw_map_get(v->vectors, value);
  uint64_t lanes[LANES];
  if (known.ptr || !is_vector_type(mlirValueGetType(value)))
    return known;
  MlirValue slot = uw_lanes_slot(v->loop, value);
  if (loaded_lanes(v, value).ptr)
    known = loaded_lanes(v, value);
  else if (slot.ptr && fits_element(mlirValueGetType(value)))
    known = uw_load_lanes(&v->at, slot, mlirValueGetType(value));
  else if (mlirTypeIsAInteger(mlirValueGetType(value)) && uw_lane_function(v->loop, value, lanes))
    known = vector_constant(v, mlirValueGetType(value), lanes);
  else if (uw_computable_outside(v->threads->arena, value, v->loop, NULL))
    known = splat(v, uw_compute_outside(&v->at, value, v->loop, uw_map_create(v->threads->arena)));
  if (known.ptr)
    uw_map_set(v->vectors, value, known);
  return known;
}

/* Arithmetic that means the same element by element. */
static bool is_elementwise(MlirOperation op) {
  static const char *const also[] = {"llvm.intr.maxnum", "llvm.intr.minnum", "llvm.intr.smax", "llvm.intr.smin",
                                     "llvm.intr.umax",   "llvm.intr.umin",   "llvm.intr.fma",  "llvm.intr.fabs"};
  bool known = uw_name_starts(op, "arith.");
  for (size_t i = 0; i < sizeof also / sizeof *also; i++)
    known = known || uw_string_is(uw_name(op), also[i]);
  return known && uw_kind(op) != UW_OP_ARITH_CONSTANT && uw_speculatable(op) && uw_region_count(op) == 0 &&
         uw_result_count(op) == 1 && is_vector_type(mlirValueGetType(uw_result(op, 0)));
}

static bool follows(lane_vectors *v, MlirOperation op) {
  bool any = false;
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue vector = uw_map_get(v->vectors, uw_operand(op, i));
    any = any || (vector.ptr && !is_one_value(v, vector));
    if (!is_vector_type(mlirValueGetType(uw_operand(op, i))))
      return false;
  }
  if (!any)
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!vector_for(v, uw_operand(op, i)).ptr)
      return false;
  return true;
}

static void make_elementwise(lane_vectors *v, MlirOperation op) {
  enum { MOST_OPERANDS = 3 };
  MlirValue operands[MOST_OPERANDS];
  size_t count = uw_operand_count(op);
  uw_assert(op, count <= MOST_OPERANDS);
  for (size_t i = 0; i < count; i++)
    operands[i] = vector_for(v, uw_operand(op, i));
  uw_arena *arena = v->threads->arena;
  uw_named *attrs = uw_alloc(arena, ((size_t)mlirOperationGetNumAttributes(op) + 1) * sizeof *attrs);
  intptr_t attr_count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < attr_count; i++) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    attrs[i] = (uw_named){uw_arena_format(arena, "%.*s", (int)name.length, name.data), named.attribute};
  }
  MlirOperation made = uw_build_op(&v->at, uw_arena_format(arena, "%.*s", (int)uw_name(op).length, uw_name(op).data),
                                   (uw_op_spec){.in = {operands, count},
                                                .out = TYPES(vector_of(mlirValueGetType(uw_result(op, 0)))),
                                                .attrs = {attrs, (size_t)attr_count}});
  uw_lane_classes classes[MOST_OPERANDS];
  for (size_t i = 0; i < count; i++)
    classes[i] = classes_of(v, operands[i]);
  set_classes(v, uw_result(made, 0), uw_classes_computed(uw_result(made, 0).ptr, op, classes, count));
  uw_map_set(v->vectors, uw_result(op, 0), uw_result(made, 0));
}

bool uw_has_known_sources(MlirOperation loop, MlirOperation shuffle, int32_t from[UW_LANES]) {
  uint64_t source[LANES];
  int64_t all;
  if (!uw_has_all_lanes(loop) || !fits_element(mlirValueGetType(uw_result(shuffle, 0))) ||
      !uw_const_value(uw_operand(shuffle, 2), &all) || all == 0 ||
      !uw_lane_function(loop, uw_operand(shuffle, 1), source))
    return false;
  for (size_t l = 0; l < LANES; l++)
    from[l] = (int32_t)(source[l] < LANES ? source[l] : l); /* no such lane: its own value */
  return true;
}

static void make_shuffle(lane_vectors *v, MlirOperation op, MlirValue value, const int32_t from[LANES]) {
  MlirValue made =
      uw_build1(&v->at, "llvm.shufflevector", .in = VALS(value, value), .out = TYPES(mlirValueGetType(value)),
                .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(v->at.context, LANES, from)}));
  uw_lane_classes classes = classes_of(v, value);
  set_classes(v, made, uw_classes_shuffled(&classes, from));
  uw_map_set(v->vectors, uw_result(op, 0), made);
}

/* --- what lanes still use ----------------------------------------------------------------------------------------- */

/* The lanes that come by op, a bit each, as far as conditions on the lane tell. */
static uint32_t lanes_at(const lane_vectors *v, MlirOperation op) {
  uint32_t lanes = UINT32_MAX;
  for (MlirOperation at = op, around; around = uw_parent(at), !uw_same_op(at, v->loop) && !uw_same_op(around, v->loop);
       at = around) {
    uint64_t holds_in[LANES];
    if (uw_kind(around) != UW_OP_SCF_IF || !uw_lane_function(v->loop, uw_operand(around, 0), holds_in))
      continue;
    bool in_then = mlirBlockEqual(mlirOperationGetBlock(at), uw_block(around, 0));
    for (size_t l = 0; l < LANES; l++)
      if ((holds_in[l] != 0) != in_then)
        lanes &= ~(UINT32_C(1) << l);
  }
  return lanes;
}

static MlirValue element_of(lane_vectors *v, MlirValue vector, int64_t lane, MlirType type) {
  return uw_build1(&v->at, "llvm.extractelement", .in = VALS(vector, uw_const_int(&v->at, 64, lane)),
                   .out = TYPES(type));
}

/* Leaves the vector's elements in a slot for the lanes that use value; or the one that is the same for all. */
static void keep_for_lanes(lane_vectors *v, MlirValue value) {
  MlirValue vector = uw_map_get(v->vectors, value);
  uint32_t lanes = 0;
  if (is_one_value(v, vector)) {
    uw_replace_uses(value, element_of(v, vector, 0, mlirValueGetType(value)));
    return;
  }
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    lanes |= lanes_at(v, mlirOpOperandGetOwner(use));
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  uw_slot slot = uw_slot_create(v->threads, mlirValueGetType(value), false);
  uw_builder b = uw_at(uw_def(value));
  MlirValue own = uw_slot_get(&b, &slot, v->loop);
  if (lanes != 0 && (lanes & (lanes - 1)) == 0) {
    int64_t only = __builtin_ctz(lanes);
    uw_slot_write(&v->at, &slot, uw_const_index(&v->at, only), element_of(v, vector, only, mlirValueGetType(value)));
  } else {
    uw_build(&v->at, "llvm.store", .in = VALS(vector, slot.memory),
             .attrs =
                 ATTRS({"alignment", uw_int_attr(v->at.context, 64, (int64_t)uw_type_align(mlirValueGetType(value)))}));
  }
  uw_replace_uses(value, own);
}

/* The elements of a slot, loaded once. */
static MlirValue lanes_of_slot(lane_vectors *v, const uw_lane_shuffle *shuffle, MlirType element) {
  MlirValue lanes = uw_map_get(v->loaded, shuffle->memory);
  if (!lanes.ptr) {
    lanes = uw_load_lanes(&v->at, shuffle->memory, element);
    set_classes(v, lanes, uw_classes_of_elements(lanes.ptr, shuffle->element));
    uw_map_set(v->loaded, shuffle->memory, lanes);
  }
  return lanes;
}

/* A lane's own element of a slot that is loaded anyway: what follows from it is a vector too. */
static void note_reload(lane_vectors *v, MlirOperation op) {
  if (uw_kind(op) != UW_OP_LLVM_LOAD || uw_result_count(op) != 1)
    return;
  MlirValue lanes = loaded_lanes(v, uw_result(op, 0));
  if (lanes.ptr)
    uw_map_set(v->vectors, uw_result(op, 0), lanes);
}

/* What the shuffles load comes first: lanes' own values are elements of that, with the same classes. */
static lane_vectors begin_vectors(uw_threads *threads, MlirOperation loop, const uw_lane_shuffle *shuffles,
                                  size_t count) {
  lane_vectors v = {threads,
                    loop,
                    uw_at(loop),
                    uw_map_create(threads->arena),
                    uw_map_create(threads->arena),
                    uw_table_create(threads->arena)};
  for (size_t i = 0; i < count; i++) {
    v.at.location = mlirOperationGetLocation(shuffles[i].op);
    lanes_of_slot(&v, &shuffles[i], mlirValueGetType(uw_result(shuffles[i].op, 0)));
  }
  return v;
}

void uw_shuffle_as_vectors(uw_threads *threads, MlirOperation loop, const uw_lane_shuffle *shuffles, size_t count) {
  lane_vectors v = begin_vectors(threads, loop, shuffles, count);
  uw_ops made = {0};
  size_t done = 0;
  bool asked = false; /* by -fcheck, to which what comes before a shuffle is in order with what comes after */
  for (MlirOperation op = shuffles[0].op; !uw_null(op); op = uw_next(op)) {
    int32_t next_from[LANES];
    asked |= (uw_is_check(op) && !uw_is_met_check(op)) || (uw_region_count(op) && uw_holds_checks(threads->arena, op));
    v.at.location = mlirOperationGetLocation(op);
    if (done < count && uw_same_op(op, shuffles[done].op)) {
      MlirValue lanes = lanes_of_slot(&v, &shuffles[done], mlirValueGetType(uw_result(op, 0)));
      make_shuffle(&v, op, lanes, shuffles[done++].from);
    } else if (uw_kind(op) == UW_OP_SHUFFLE && !asked && uw_map_get(v.vectors, uw_operand(op, 0)).ptr &&
               uw_has_known_sources(loop, op, next_from)) {
      make_shuffle(&v, op, uw_map_get(v.vectors, uw_operand(op, 0)), next_from);
    } else if (is_elementwise(op) && follows(&v, op)) {
      make_elementwise(&v, op);
    } else {
      note_reload(&v, op);
      continue;
    }
    uw_ops_push(threads->arena, &made, op);
  }
  for (size_t i = made.count; i-- > 0;) {
    if (is_vector_type(mlirValueGetType(uw_result(made.at[i], 0))) &&
        fits_element(mlirValueGetType(uw_result(made.at[i], 0))))
      keep_for_lanes(&v, uw_result(made.at[i], 0));
    if (uw_unused(made.at[i]))
      uw_erase(made.at[i]);
  }
}
