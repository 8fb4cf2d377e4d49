/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first part of vectorize-interleaved. Loads rows whole where each lane of a vector walks along a row of its own, and
 * turns them in registers:
 *
 *   for (%k = %a to %b) {                            for (%s = %a to %m, step 16) {
 *     %v = gather rows[%lane][%k]                      %room = 16 rows of 16 elements each, from rows[%lane][%s], transposed
 *     … %v … }                               ==>       for (%d = 0 to 16) { %v = load %room[%d]; … %v … } }
 *                                                    for (%k = %m to %b) as it was
 *
 * A gather takes an address and a cache line for each of its lanes, in each iteration anew; where rows lie a power of
 * two apart these lines fall into few sets of the cache, and each is fetched again before its other elements are
 * asked for. squares.c loads and turns.
 *
 * Done for a gather when a) all lanes that are in the loop take part, in each iteration of a for that goes by 1, or of
 * a while that each lane leaves when a counter of its own comes to an end of its own (transpose_masked.c; there each
 * lane loads as many elements as it has left, under a mask); b) its address grows by an element from iteration to
 * iteration, in all lanes; c) nothing in the loop writes, so that it may be loaded before its round;
 * d) registers hold UW_LEAST_TURNED elements.
 *
 * Legal because what is loaded early is loaded in any case, and nobody writes it meanwhile: other threads' writes would
 * be races. Requires: vectorize-threads. Preserves: each lane's order of all else. Refuses: all else, silently. */
#include "transpose_loads.h"

#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "vectors.h"

#define TRANSPOSED "unwarp.transposed" /* on loops that are done */

typedef uw_turn turn;

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* Of those that are in the loop. */
static bool takes_all_lanes(const turn *t, MlirOperation gather) {
  int64_t bit;
  return t->live.ptr ? uw_same(uw_operand(gather, 1), t->live)
                     : uw_splat_value(uw_operand(gather, 1), &bit) && bit != 0;
}

static bool walks(const turn *t, MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_GATHER && takes_all_lanes(t, op) &&
         uw_walks_along(&t->within, uw_operand(op, 0), uw_element_of(mlirValueGetType(uw_result(op, 0))));
}

/* Of how many iterations a register has the elements; it is a power of two, so what another gather has fewer of does,
 * too. */
static int64_t iterations_of(MlirOperation gather, int64_t register_bytes) {
  int64_t bytes = register_bytes < UW_CACHE_LINE ? register_bytes : UW_CACHE_LINE;
  int64_t iterations = bytes / (int64_t)uw_type_bytes(uw_element_of(mlirValueGetType(uw_result(gather, 0))));
  return iterations < UW_MOST_ITERATIONS ? iterations : UW_MOST_ITERATIONS;
}

int64_t uw_lanes_of(MlirOperation gather) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(uw_result(gather, 0)), 0);
}

bool uw_find_walking(uw_turn *t, MlirBlock body) {
  int64_t register_bytes = uw_target_of(t->within.loop).register_bytes;
  uw_foreach_op (op, body) {
    if (t->count == UW_MOST_GATHERS || !walks(t, op))
      continue;
    int64_t iterations = iterations_of(op, register_bytes);
    if (iterations < UW_LEAST_TURNED || uw_lanes_of(op) % iterations)
      continue;
    t->iterations = t->count && t->iterations < iterations ? t->iterations : iterations;
    t->gathers[t->count++] = op;
  }
  return t->count != 0;
}

static bool fits(turn *t) {
  int64_t lower, upper;
  MlirOperation loop = t->within.loop;
  if (!uw_counter_of_for(loop, &t->within) || !uw_find_walking(t, uw_block(loop, 0)) || !uw_only_reads(loop))
    return false;
  bool is_known = uw_const_value(uw_operand(loop, 0), &lower) && uw_const_value(uw_operand(loop, 1), &upper);
  return !is_known || upper - lower >= 2 * t->iterations;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static bool stays(const void *loop, MlirValue value) { return !uw_defined_inside(value, *(const MlirOperation *)loop); }

/* Where each lane's row begins in the loop's first iteration: a list in memory, made once before the loop, as taking
 * addresses out of vectors takes as long as the loads. */
static MlirValue find_rows(uw_builder *b, const turn *t, MlirOperation gather) {
  const uw_again again = {stays, &t->within.loop, true};
  uw_map *at = uw_map_create(t->arena);
  uw_map_set(at, mlirBlockGetArgument(uw_block(t->within.loop, 0), 0), uw_operand(t->within.loop, 0));
  return uw_list_of(b, b, uw_compute_again(b, &again, uw_operand(gather, 0), at));
}

/* What the gather loads in the next iterations goes to the room. Done: iterations so far, of 64 bits. */
static void load_rows(uw_builder *b, const turn *t, MlirOperation gather, MlirValue room, MlirValue starts,
                      MlirValue done) {
  MlirType element = uw_element_of(mlirValueGetType(uw_result(gather, 0)));
  const uw_row_loads rows = {.element = element,
                             .lanes = uw_lanes_of(gather),
                             .iterations = t->iterations,
                             .starts = starts,
                             .done = done,
                             .room = room,
                             .alignment = uw_get_int_attr(gather, "alignment", (int64_t)uw_type_bytes(element))};
  uw_load_squares(b, &rows);
}

static void copy_flag(MlirOperation from, MlirOperation to) {
  if (!mlirAttributeIsNull(uw_get_attr(from, "unsignedCmp")))
    uw_set_attr(to, "unsignedCmp", uw_get_attr(from, "unsignedCmp"));
}

/* A for of the loop's kind with empty body. */
static MlirOperation build_for(uw_builder *b, const turn *t, MlirValue lower, MlirValue upper, int64_t step,
                               uw_vals inits) {
  MlirType type = mlirValueGetType(lower);
  MlirValue by =
      mlirTypeIsAIndex(type) ? uw_const_index(b, step) : uw_const_int(b, mlirIntegerTypeGetWidth(type), step);
  MlirOperation made = uw_build_for(b, lower, upper, by, VALS_OF(inits));
  copy_flag(t->within.loop, made);
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

/* The iterations from the counter on, with loads from the rooms in place of the gathers; what they hand on. */
static uw_vals build_iterations(uw_builder *b, const turn *t, MlirValue counter, uw_vals carried,
                                const MlirValue *rooms) {
  MlirType type = mlirValueGetType(counter);
  MlirOperation inner =
      uw_build_for(b, uw_const_index(b, 0), uw_const_index(b, t->iterations), uw_const_index(b, 1), VALS_OF(carried));
  MlirBlock body = uw_block(inner, 0), from = uw_block(t->within.loop, 0);
  uw_builder in = {b->context, b->location, body, {NULL}};
  uw_map *map = uw_map_create(t->arena);
  MlirValue iteration = uw_build1(&in, "arith.index_cast", .in = VALS(mlirBlockGetArgument(body, 0)),
                                  .out = TYPES(uw_int_type(b->context, 64)));
  MlirValue own = mlirTypeIsAIndex(type) ? mlirBlockGetArgument(body, 0)
                  : mlirIntegerTypeGetWidth(type) == 64
                      ? iteration
                      : uw_build1(&in, "arith.trunci", .in = VALS(iteration), .out = TYPES(type));
  uw_map_set(map, mlirBlockGetArgument(from, 0), uw_binary(&in, "arith.addi", counter, own));
  for (size_t i = 0; i < carried.count; i++)
    uw_map_set(map, mlirBlockGetArgument(from, (intptr_t)i + 1), mlirBlockGetArgument(body, (intptr_t)i + 1));
  size_t done = 0;
  uw_foreach_op (op, from) {
    if (done == t->count || !uw_same_op(op, t->gathers[done])) {
      uw_clone(&in, op, map); /* the yield, too */
      continue;
    }
    MlirType vector = mlirValueGetType(uw_result(op, 0));
    MlirValue place = uw_add_elements(&in, rooms[done], vector, iteration);
    MlirAttribute alignment = uw_int_attr(b->context, 64, (int64_t)uw_type_bytes(uw_element_of(vector)));
    uw_map_set(
        map, uw_result(op, 0),
        uw_build1(&in, "llvm.load", .in = VALS(place), .out = TYPES(vector), .attrs = ATTRS({"alignment", alignment})));
    done++;
  }
  return results_of(t, inner);
}

static void turn_loop(const turn *t) {
  uw_builder b = uw_at(t->within.loop);
  MlirValue lower = uw_operand(t->within.loop, 0), upper = uw_operand(t->within.loop, 1), rooms[UW_MOST_GATHERS];
  MlirType type = mlirValueGetType(lower);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(t->within.loop, "unsignedCmp"));
  for (size_t i = 0; i < t->count; i++)
    rooms[i] =
        uw_slot_at_line(&b, t->iterations * (int64_t)uw_type_bytes(mlirValueGetType(uw_result(t->gathers[i], 0))));
  bool is_index = mlirTypeIsAIndex(type);
  unsigned bits = is_index ? 0 : mlirIntegerTypeGetWidth(type);
  MlirValue none = is_index ? uw_const_index(&b, 0) : uw_const_int(&b, bits, 0);
  MlirValue whole = is_index ? uw_const_index(&b, -t->iterations) : uw_const_int(&b, bits, -t->iterations);
  MlirValue count = uw_select(&b, uw_compare(&b, is_unsigned ? UW_ULT : UW_SLT, lower, upper),
                              uw_binary(&b, "arith.subi", upper, lower), none);
  MlirValue middle = uw_binary(&b, "arith.addi", lower, uw_binary(&b, "arith.andi", count, whole));
  MlirValue starts[UW_MOST_GATHERS];
  for (size_t i = 0; i < t->count; i++)
    starts[i] = find_rows(&b, t, t->gathers[i]);
  uw_vals inits = {0};
  for (size_t i = 3; i < uw_operand_count(t->within.loop); i++)
    uw_vals_push(t->arena, &inits, uw_operand(t->within.loop, i));
  MlirOperation outer = build_for(&b, t, lower, middle, t->iterations, inits);
  MlirBlock body = uw_block(outer, 0);
  uw_builder in = {b.context, b.location, body, {NULL}};
  MlirValue counter = mlirBlockGetArgument(body, 0), done = uw_binary(&in, "arith.subi", counter, lower);
  if (is_index || bits != 64)
    done = uw_build1(&in, is_index ? "arith.index_cast" : "arith.extui", .in = VALS(done),
                     .out = TYPES(uw_int_type(b.context, 64)));
  for (size_t i = 0; i < t->count; i++)
    load_rows(&in, t, t->gathers[i], rooms[i], starts[i], done);
  uw_vals next = build_iterations(&in, t, counter, arguments_of(t, outer), rooms);
  uw_build(&in, "scf.yield", .in = VALS_OF(next));
  mlirOperationSetOperand(t->within.loop, 0, middle);
  for (size_t i = 0; i < inits.count; i++)
    mlirOperationSetOperand(t->within.loop, (intptr_t)i + 3, uw_result(outer, i));
  uw_mark_transposed(t->within.loop);
  uw_remark(mlirOperationGetLocation(t->within.loop), "vectorize-interleaved",
            "lanes walk along rows of their own: %d elements of a row at a time, turned in registers",
            (int)t->iterations);
}

void uw_mark_transposed(MlirOperation loop) {
  uw_set_attr(loop, TRANSPOSED, mlirUnitAttrGet(mlirOperationGetContext(loop)));
}

static bool change_loop(uw_arena *arena, MlirOperation loop) {
  uw_turn t = {.arena = arena, .within.loop = loop};
  if (!mlirAttributeIsNull(uw_get_attr(loop, TRANSPOSED)))
    return false;
  if (uw_kind(loop) == UW_OP_SCF_WHILE)
    return uw_transpose_in_while(&t);
  if (!fits(&t))
    return false;
  turn_loop(&t);
  return true;
}

uw_change uw_transpose_loads(uw_arena *arena, MlirOperation root) {
  static const uw_kind_t kinds[] = {UW_OP_SCF_FOR, UW_OP_SCF_WHILE};
  uw_change change = UW_SAME;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    uw_ops loops = uw_collect_kind(arena, root, kinds[k]);
    for (size_t i = loops.count; i-- > 0;) /* inner ones first: an outer one is copied with them */
      if (change_loop(arena, loops.at[i]))
        change = UW_CHANGED;
  }
  return change;
}
