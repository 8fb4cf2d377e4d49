/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads rows whole where each lane of a vector walks along a row of its own, and turns them in registers:
 *
 *   for (%k = %a to %b) {                            for (%s = %a to %m, step 16) {
 *     %v = gather rows[%lane][%k]                      %room = 16 rows of 16 elements each, from rows[%lane][%s], transposed
 *     … %v … }                               ==>       for (%d = 0 to 16) { %v = load %room[%d]; … %v … } }
 *                                                    for (%k = %m to %b) as it was
 *
 * A gather takes an address and a cache line for each of its lanes, in each round anew; where rows lie a power of two apart these lines
 * fall into few places of the cache, and each is fetched again before its other elements are asked for. A row of as many bytes as a register
 * has (a cache line at most) is one load, and so many of them are as many columns after two to four steps of shuffles, each of which
 * keeps to 128 bits or moves these whole, as processors do.
 *
 * Done for a gather when a) all lanes take part, in each round of a for that goes by 1; b) its address grows by an element from round to
 * round, in all lanes; c) nothing in the loop writes, so that it may be loaded before its round; d) registers hold LEAST_ROUNDS elements.
 *
 * Legal because what is loaded early is loaded in any case, and nobody writes it meanwhile: other threads' writes would be races. Requires:
 * packets. Preserves: each lane's order of all else. Refuses: all else, in silence. */
#include "../../ir/remarks.h"
#include "../passes.h"
#include "vectors.h"

#define TRANSPOSED "unwarp.transposed" /* on loops that are done */

enum {
  LEAST_ROUNDS = 4, MOST_ROUNDS = 16,
  LINE = 64,       /* bytes */
  LANE = 16,       /* bytes: of the parts of a register that shuffles keep to */
  MOST_GATHERS = 4 /* of a loop */
};

typedef struct turn {
  uw_arena *arena;
  MlirOperation loop;
  MlirOperation gathers[MOST_GATHERS];
  size_t count;
  int64_t rounds;
} turn;

/* --- how an address grows ----------------------------------------------------------------------------------------- */

static MlirType element_of(MlirType type) { return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type; }

static bool splat_value(MlirValue value, int64_t *number) {
  MlirAttribute constant = uw_kind(uw_def(value)) == UW_OP_ARITH_CONSTANT ? uw_get_attr(uw_def(value), "value") : (MlirAttribute){NULL};
  if (uw_const_value(value, number))
    return true;
  if (mlirAttributeIsNull(constant) || !mlirAttributeIsADenseElements(constant) || !mlirDenseElementsAttrIsSplat(constant) ||
      !mlirTypeIsAInteger(element_of(mlirValueGetType(value))))
    return false;
  MlirAttribute element = mlirDenseElementsAttrGetSplatValue(constant);
  *number = mlirAttributeIsAInteger(element) ? mlirIntegerAttrGetValueInt(element) : 0;
  return mlirAttributeIsAInteger(element);
}

/* Does the loop's counter keep its value where it is extended so? */
static bool counts_within(MlirOperation loop, bool is_signed) {
  int64_t lower;
  if (mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")))
    return is_signed || (uw_const_value(uw_operand(loop, 0), &lower) && lower >= 0);
  return !is_signed;
}

static bool growth_of(MlirOperation loop, MlirValue value, int64_t *growth);

static bool grows_as_sum(MlirOperation loop, MlirValue left, MlirValue right, int64_t factor, int64_t *growth) {
  int64_t l, r, scaled;
  return growth_of(loop, left, &l) && growth_of(loop, right, &r) && !__builtin_mul_overflow(r, factor, &scaled) &&
         !__builtin_add_overflow(l, scaled, growth);
}

/* An extension of what grows: exact for the counter, and for sums and multiples of it that do not wrap. */
static bool grows_extended(MlirOperation loop, MlirValue value, bool is_signed, int64_t *growth) {
  MlirOperation op = uw_def(value);
  if (!growth_of(loop, value, growth))
    return false;
  if (*growth == 0)
    return true;
  if (uw_null(op))
    return uw_same(value, mlirBlockGetArgument(uw_block(loop, 0), 0)) && counts_within(loop, is_signed);
  int64_t ignored;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    return uw_no_wrap(op, is_signed) && grows_extended(loop, uw_operand(op, 0), is_signed, &ignored) &&
           grows_extended(loop, uw_operand(op, 1), is_signed, &ignored);
  case UW_OP_LLVM_SHUFFLEVECTOR: return grows_extended(loop, uw_operand(op, 0), is_signed, &ignored);
  case UW_OP_LLVM_INSERTELEMENT: return grows_extended(loop, uw_operand(op, 1), is_signed, &ignored);
  default: return false;
  }
}

/* Is it a scalar in all lanes? */
static bool is_splat(MlirOperation op) {
  MlirAttribute mask = uw_get_attr(op, "mask");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(mask); i++)
    if (mlirDenseI32ArrayGetElement(mask, i) != 0)
      return false;
  return uw_kind(uw_def(uw_operand(op, 0))) == UW_OP_LLVM_INSERTELEMENT;
}

static bool address_growth(MlirOperation loop, MlirOperation gep, int64_t *growth) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
  if (mlirAttributeIsNull(constants) || mlirAttributeIsNull(element) || !growth_of(loop, uw_operand(gep, 0), growth))
    return false;
  int64_t ignored;
  for (size_t i = 2; i < uw_operand_count(gep); i++)
    if (!growth_of(loop, uw_operand(gep, i), &ignored) || ignored != 0)
      return false;
  if (uw_operand_count(gep) == 1 || mlirDenseI32ArrayGetElement(constants, 0) != INT32_MIN)
    return uw_operand_count(gep) == 1;
  MlirValue index = uw_operand(gep, 1);
  int64_t own, bytes = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(element));
  MlirType type = element_of(mlirValueGetType(index));
  bool wide = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
  return (wide ? growth_of(loop, index, &own) : grows_extended(loop, index, true, &own)) && !__builtin_mul_overflow(own, bytes, &own) &&
         !__builtin_add_overflow(*growth, own, growth);
}

/* By how much the value, or each element of it, is more than in the round before; false if that is not known, or not the same in all rounds. */
static bool growth_of(MlirOperation loop, MlirValue value, int64_t *growth) {
  *growth = 0;
  if (!uw_defined_inside(value, loop))
    return true;
  MlirOperation op = uw_def(value);
  int64_t factor;
  if (uw_null(op)) {
    *growth = 1;
    return uw_same(value, mlirBlockGetArgument(uw_block(loop, 0), 0));
  }
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI: return grows_as_sum(loop, uw_operand(op, 0), uw_operand(op, 1), uw_kind(op) == UW_OP_ARITH_ADDI ? 1 : -1, growth);
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    if (!splat_value(uw_operand(op, 1), &factor) || (uw_kind(op) == UW_OP_ARITH_SHLI && (factor < 0 || factor > 30)))
      break;
    return growth_of(loop, uw_operand(op, 0), growth) &&
           !__builtin_mul_overflow(*growth, uw_kind(op) == UW_OP_ARITH_SHLI ? (int64_t)1 << factor : factor, growth);
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: return grows_extended(loop, uw_operand(op, 0), true, growth);
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI: return grows_extended(loop, uw_operand(op, 0), false, growth);
  case UW_OP_LLVM_SHUFFLEVECTOR: return is_splat(op) && growth_of(loop, uw_operand(op, 0), growth);
  case UW_OP_LLVM_INSERTELEMENT: return growth_of(loop, uw_operand(op, 1), growth);
  case UW_OP_LLVM_GEP: return address_growth(loop, op, growth);
  default: break;
  }
  if (!uw_speculatable(op) || mlirOperationGetNumRegions(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!growth_of(loop, uw_operand(op, i), &factor) || factor != 0)
      return false;
  return true;
}

/* --- what fits ---------------------------------------------------------------------------------------------------- */

static bool takes_all_lanes(MlirOperation gather) {
  int64_t bit;
  return splat_value(uw_operand(gather, 1), &bit) && bit != 0;
}

static bool walks(const turn *t, MlirOperation op) {
  int64_t growth;
  return uw_kind(op) == UW_OP_LLVM_GATHER && takes_all_lanes(op) && growth_of(t->loop, uw_operand(op, 0), &growth) &&
         growth == (int64_t)uw_type_bytes(element_of(mlirValueGetType(uw_result(op, 0))));
}

/* Of how many rounds a register has the elements; it is a power of two, so what another gather has fewer of does, too. */
static int64_t rounds_of(MlirOperation gather, int64_t register_bytes) {
  int64_t bytes = register_bytes < LINE ? register_bytes : LINE;
  int64_t rounds = bytes / (int64_t)uw_type_bytes(element_of(mlirValueGetType(uw_result(gather, 0))));
  return rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
}

static int64_t lanes_of(MlirOperation gather) { return mlirShapedTypeGetDimSize(mlirValueGetType(uw_result(gather, 0)), 0); }

static bool find_gathers(turn *t) {
  int64_t step, lower, upper, register_bytes = uw_register_bytes(t->loop);
  if (!uw_const_value(uw_operand(t->loop, 2), &step) || step != 1 || !mlirAttributeIsNull(uw_get_attr(t->loop, TRANSPOSED)))
    return false;
  uw_foreach_op(op, uw_block(t->loop, 0)) {
    if (t->count == MOST_GATHERS || !walks(t, op))
      continue;
    int64_t rounds = rounds_of(op, register_bytes);
    if (rounds < LEAST_ROUNDS || lanes_of(op) % rounds)
      continue;
    t->rounds = t->count && t->rounds < rounds ? t->rounds : rounds;
    t->gathers[t->count++] = op;
  }
  if (t->count == 0 || !uw_only_reads(t->loop))
    return false;
  bool is_known = uw_const_value(uw_operand(t->loop, 0), &lower) && uw_const_value(uw_operand(t->loop, 1), &upper);
  return !is_known || upper - lower >= 2 * t->rounds;
}

/* --- turning ------------------------------------------------------------------------------------------------------ */

static MlirValue shuffle(uw_builder *b, MlirValue left, MlirValue right, const int32_t *mask, int64_t count) {
  return uw_build1(b, "llvm.shufflevector", .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(b->context, (intptr_t)count, mask)}));
}

/* The halves of two registers, piece by piece: of each part of so many elements the lower (upper) half of its pieces, in turn from both.
 * part = count: of whole registers. */
static MlirValue interleave(uw_builder *b, MlirValue left, MlirValue right, int64_t count, int64_t part, int64_t piece, bool upper) {
  int32_t mask[MOST_ROUNDS];
  for (int64_t i = 0; i < count; i++) {
    int64_t in_part = i % part, which = in_part / piece; /* the piece that this element belongs to, in the result's part */
    int64_t from = i - in_part + (upper ? part / 2 : 0) + which / 2 * piece + in_part % piece;
    mask[i] = (int32_t)(which % 2 ? count + from : from);
  }
  return shuffle(b, left, right, mask, count);
}

/* Every second part of 128 bits of two registers, one register's behind the other's. */
static MlirValue second_parts(uw_builder *b, MlirValue left, MlirValue right, int64_t count, int64_t part, bool odd) {
  int32_t mask[MOST_ROUNDS];
  int64_t half = count / 2;
  for (int64_t i = 0; i < count; i++) {
    int64_t from = i % half, taken = (from / part * 2 + odd) * part + from % part;
    mask[i] = (int32_t)(i < half ? taken : count + taken);
  }
  return shuffle(b, left, right, mask, count);
}

/* Columns of a square, from its rows. First within parts of 128 bits, where rows that are neighbours become columns of as many rows as a part
 * has elements; then those parts move as a whole. */
static void transpose(uw_builder *b, MlirValue *rows, int64_t count, int64_t element_bytes) {
  MlirValue next[MOST_ROUNDS];
  int64_t part = LANE / element_bytes < count ? LANE / element_bytes : count;
  for (int64_t piece = 1; piece < part; piece *= 2) { /* row i + piece is turned into row i */
    for (int64_t group = 0; group < count; group += 2 * piece)
      for (int64_t i = 0; i < piece; i++) {
        next[group + 2 * i] = interleave(b, rows[group + i], rows[group + piece + i], count, part, piece, false);
        next[group + 2 * i + 1] = interleave(b, rows[group + i], rows[group + piece + i], count, part, piece, true);
      }
    for (int64_t i = 0; i < count; i++)
      rows[i] = next[i];
  }
  /* Row part * g + c now has column part * q + c of group g's rows in its part number q. */
  for (int64_t groups = count / part, size = 1; size < groups; size *= 2) {
    for (int64_t g = 0; g < groups; g += 2)
      for (int64_t c = 0; c < part; c++) {
        next[g / 2 * part + c] = second_parts(b, rows[g * part + c], rows[(g + 1) * part + c], count, part, false);
        next[(g / 2 + groups / 2) * part + c] = second_parts(b, rows[g * part + c], rows[(g + 1) * part + c], count, part, true);
      }
    for (int64_t i = 0; i < count; i++)
      rows[i] = next[i];
  }
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static bool stays(const void *loop, MlirValue value) { return !uw_defined_inside(value, *(const MlirOperation *)loop); }

static MlirValue slot_of(uw_builder *b, int64_t bytes) {
  return uw_build1(b, "unwarp.slot", .in = VALS(uw_const_int(b, 64, bytes)), .out = TYPES(uw_ptr_type(b->context)),
                   .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, LINE)}));
}

static uw_named aligned_to(uw_builder *b, int64_t bytes) { return (uw_named){"alignment", uw_int_attr(b->context, 64, bytes)}; }

/* Where each lane's row begins in the loop's first round: a list in memory, made once before the loop, as taking addresses out of vectors takes as
 * long as the loads. */
static MlirValue find_rows(uw_builder *b, const turn *t, MlirOperation gather) {
  const uw_again again = {stays, &t->loop, true};
  uw_map *at = uw_map_create(t->arena);
  uw_map_set(at, mlirBlockGetArgument(uw_block(t->loop, 0), 0), uw_operand(t->loop, 0));
  MlirValue addresses = uw_compute_again(b, &again, uw_operand(gather, 0), at);
  int64_t bytes = (int64_t)uw_type_bytes(uw_ptr_type(b->context));
  MlirValue list = slot_of(b, lanes_of(gather) * bytes);
  uw_build(b, "llvm.store", .in = VALS(addresses, list), .attrs = ATTRS(aligned_to(b, bytes)));
  return list;
}

/* What the gather loads in the next rounds, as a vector for each round, goes to the room. Done: rounds so far, of 64 bits. As many lanes at a time as
 * rounds, in a loop, so that what is turned stays in registers. */
static void load_rows(uw_builder *b, const turn *t, MlirOperation gather, MlirValue room, MlirValue starts, MlirValue done) {
  MlirType element = element_of(mlirValueGetType(uw_result(gather, 0))), pointer = uw_ptr_type(b->context);
  int64_t lanes = lanes_of(gather), bytes = (int64_t)uw_type_bytes(element);
  MlirType row = mlirVectorTypeGet(1, &t->rounds, element);
  MlirAttribute alignment = uw_int_attr(b->context, 64, uw_get_int_attr(gather, "alignment", bytes));
  MlirOperation squares = uw_build_for(b, uw_const_int(b, 64, 0), uw_const_int(b, 64, lanes), uw_const_int(b, 64, t->rounds), (uw_value_list){0});
  uw_builder in = {b->context, b->location, uw_block(squares, 0), {NULL}};
  MlirValue first = mlirBlockGetArgument(uw_block(squares, 0), 0), rows[MOST_ROUNDS];
  MlirValue of_square = uw_add_elements(&in, starts, pointer, first), to = uw_add_elements(&in, room, element, first);
  for (int64_t i = 0; i < t->rounds; i++) {
    MlirValue start = uw_build1(&in, "llvm.load", .in = VALS(uw_add_elements(&in, of_square, pointer, uw_const_int(&in, 64, i))), .out = TYPES(pointer));
    MlirValue address = uw_add_elements(&in, start, element, done);
    rows[i] = uw_build1(&in, "llvm.load", .in = VALS(address), .out = TYPES(row), .attrs = ATTRS({"alignment", alignment}));
  }
  transpose(&in, rows, t->rounds, bytes);
  for (int64_t i = 0; i < t->rounds; i++)
    uw_build(&in, "llvm.store", .in = VALS(rows[i], uw_add_elements(&in, to, element, uw_const_int(&in, 64, i * lanes))),
             .attrs = ATTRS(aligned_to(&in, bytes)));
  uw_yield(uw_block(squares, 0), b->location, (uw_value_list){0});
}

static void copy_flag(MlirOperation from, MlirOperation to) {
  if (!mlirAttributeIsNull(uw_get_attr(from, "unsignedCmp")))
    uw_set_attr(to, "unsignedCmp", uw_get_attr(from, "unsignedCmp"));
}

/* A for of the loop's kind with empty body. */
static MlirOperation build_for(uw_builder *b, const turn *t, MlirValue lower, MlirValue upper, int64_t step, uw_vals inits) {
  MlirType type = mlirValueGetType(lower);
  MlirValue by = mlirTypeIsAIndex(type) ? uw_const_index(b, step) : uw_const_int(b, mlirIntegerTypeGetWidth(type), step);
  MlirOperation made = uw_build_for(b, lower, upper, by, VALS_OF(inits));
  copy_flag(t->loop, made);
  return made;
}

static uw_vals arguments_of(const turn *t, MlirOperation loop) {
  uw_vals list = {0};
  for (size_t i = 0; i < uw_result_count(loop); i++)
    uw_vals_push(t->arena, &list, mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)i + 1));
  return list;
}

static uw_vals results_of(const turn *t, MlirOperation loop) {
  uw_vals list = {0};
  for (size_t i = 0; i < uw_result_count(loop); i++)
    uw_vals_push(t->arena, &list, uw_result(loop, i));
  return list;
}

/* The rounds from the counter on, with loads from the rooms in place of the gathers; what they hand on. */
static uw_vals build_rounds(uw_builder *b, const turn *t, MlirValue counter, uw_vals carried, const MlirValue *rooms) {
  MlirType type = mlirValueGetType(counter);
  MlirOperation inner = uw_build_for(b, uw_const_index(b, 0), uw_const_index(b, t->rounds), uw_const_index(b, 1), VALS_OF(carried));
  MlirBlock body = uw_block(inner, 0), from = uw_block(t->loop, 0);
  uw_builder in = {b->context, b->location, body, {NULL}};
  uw_map *map = uw_map_create(t->arena);
  MlirValue round = uw_build1(&in, "arith.index_cast", .in = VALS(mlirBlockGetArgument(body, 0)), .out = TYPES(uw_int_type(b->context, 64)));
  MlirValue own = mlirTypeIsAIndex(type) ? mlirBlockGetArgument(body, 0)
                  : mlirIntegerTypeGetWidth(type) == 64
                      ? round
                      : uw_build1(&in, "arith.trunci", .in = VALS(round), .out = TYPES(type));
  uw_map_set(map, mlirBlockGetArgument(from, 0), uw_binary(&in, "arith.addi", counter, own));
  for (size_t i = 0; i < carried.count; i++)
    uw_map_set(map, mlirBlockGetArgument(from, (intptr_t)i + 1), mlirBlockGetArgument(body, (intptr_t)i + 1));
  size_t done = 0;
  uw_foreach_op(op, from) {
    if (done == t->count || !uw_same_op(op, t->gathers[done])) {
      uw_clone(&in, op, map); /* the yield, too */
      continue;
    }
    MlirType vector = mlirValueGetType(uw_result(op, 0));
    MlirValue place = uw_add_elements(&in, rooms[done], vector, round);
    MlirAttribute alignment = uw_int_attr(b->context, 64, (int64_t)uw_type_bytes(element_of(vector)));
    uw_map_set(map, uw_result(op, 0), uw_build1(&in, "llvm.load", .in = VALS(place), .out = TYPES(vector), .attrs = ATTRS({"alignment", alignment})));
    done++;
  }
  return results_of(t, inner);
}

static void turn_loop(const turn *t) {
  uw_builder b = uw_at(t->loop);
  MlirValue lower = uw_operand(t->loop, 0), upper = uw_operand(t->loop, 1), rooms[MOST_GATHERS];
  MlirType type = mlirValueGetType(lower);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(t->loop, "unsignedCmp"));
  for (size_t i = 0; i < t->count; i++)
    rooms[i] = slot_of(&b, t->rounds * (int64_t)uw_type_bytes(mlirValueGetType(uw_result(t->gathers[i], 0))));
  bool is_index = mlirTypeIsAIndex(type);
  unsigned bits = is_index ? 0 : mlirIntegerTypeGetWidth(type);
  MlirValue none = is_index ? uw_const_index(&b, 0) : uw_const_int(&b, bits, 0);
  MlirValue whole = is_index ? uw_const_index(&b, -t->rounds) : uw_const_int(&b, bits, -t->rounds);
  MlirValue count = uw_select(&b, uw_compare(&b, is_unsigned ? UW_ULT : UW_SLT, lower, upper), uw_binary(&b, "arith.subi", upper, lower), none);
  MlirValue middle = uw_binary(&b, "arith.addi", lower, uw_binary(&b, "arith.andi", count, whole));
  MlirValue starts[MOST_GATHERS];
  for (size_t i = 0; i < t->count; i++)
    starts[i] = find_rows(&b, t, t->gathers[i]);
  uw_vals inits = {0};
  for (size_t i = 3; i < uw_operand_count(t->loop); i++)
    uw_vals_push(t->arena, &inits, uw_operand(t->loop, i));
  MlirOperation outer = build_for(&b, t, lower, middle, t->rounds, inits);
  MlirBlock body = uw_block(outer, 0);
  uw_builder in = {b.context, b.location, body, {NULL}};
  MlirValue counter = mlirBlockGetArgument(body, 0), done = uw_binary(&in, "arith.subi", counter, lower);
  if (is_index || bits != 64)
    done = uw_build1(&in, is_index ? "arith.index_cast" : "arith.extui", .in = VALS(done), .out = TYPES(uw_int_type(b.context, 64)));
  for (size_t i = 0; i < t->count; i++)
    load_rows(&in, t, t->gathers[i], rooms[i], starts[i], done);
  uw_vals next = build_rounds(&in, t, counter, arguments_of(t, outer), rooms);
  uw_build(&in, "scf.yield", .in = VALS_OF(next));
  mlirOperationSetOperand(t->loop, 0, middle);
  for (size_t i = 0; i < inits.count; i++)
    mlirOperationSetOperand(t->loop, (intptr_t)i + 3, uw_result(outer, i));
  uw_set_attr(t->loop, TRANSPOSED, mlirUnitAttrGet(b.context));
  uw_remark(mlirOperationGetLocation(t->loop), "transpose-loads", "lanes walk along rows of their own: %d elements of a row at a time, turned in registers",
            (int)t->rounds);
}

uw_change uw_pass_transpose_loads(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++) {
    turn t = {.arena = ctx->arena, .loop = loops.at[i]};
    if (!find_gathers(&t))
      continue;
    turn_loop(&t);
    change = UW_CHANGED;
  }
  return change;
}
