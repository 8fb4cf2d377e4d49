/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The grid loop becomes omp.parallel and loops over a worker's share, a barrier of the grid a call, the rest the llvm
 * dialect by upstream conversions. The order matters: convert-scf-to-openmp wraps bodies in memref.alloca_scope, which
 * finalize-memref-to-llvm must turn into stack save and restore before convert-scf-to-cf.
 *
 * Each worker has a share of neighbouring blocks, runs it in index order, and helps others with the ends of theirs
 * after it (runtime/shares.c). A common counter (schedule dynamic) would balance uneven blocks as well; it costs 170
 * ns a block where two workers meet on it, which is more than many blocks take, and spreads neighbours over the
 * workers' caches.
 */
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../raise/raise.h"
#include "lower.h"
#include "mlir-c/Target/LLVMIR.h"

/* Puts a value into an operand segment that was empty. */
static void add_operand(MlirOperation op, intptr_t segment, MlirValue value) {
  MlirAttribute sizes = uw_get_attr(op, "operandSegmentSizes");
  intptr_t count = mlirDenseArrayGetNumElements(sizes);
  int32_t counts[count];
  MlirValue operands[uw_operand_count(op) + 1];
  size_t from = 0, to = 0;
  for (intptr_t s = 0; s < count; s++) {
    counts[s] = mlirDenseI32ArrayGetElement(sizes, s);
    uw_assert(op, s != segment || counts[s] == 0);
    for (int32_t i = 0; i < counts[s]; i++)
      operands[to++] = uw_operand(op, from++);
    if (s == segment) {
      counts[s] = 1;
      operands[to++] = value;
    }
  }
  mlirOperationSetOperands(op, (intptr_t)to, operands);
  uw_set_attr(op, "operandSegmentSizes", mlirDenseI32ArrayGet(mlirOperationGetContext(op), count, counts));
}

enum { PARALLEL_IF = 2, PARALLEL_NUM_THREADS = 3 }; /* operand segments of omp.parallel */

/* Stores that go past the caches (passes/memory/nontemporal_stores.c) are in order with the end of the launch by a fence only. */
static bool has_streams(uw_arena *arena, MlirOperation loop) {
  uw_ops stores = uw_collect_kind(arena, loop, UW_OP_LLVM_STORE);
  for (size_t i = 0; i < stores.count; i++)
    if (!mlirAttributeIsNull(uw_get_attr(stores.at[i], "alias_scopes")) ||
        !mlirAttributeIsNull(uw_get_attr(stores.at[i], "nontemporal")))
      return true;
  return false;
}

static MlirValue part_of(uw_builder *b, MlirValue record, int64_t place) {
  MlirValue part = uw_build1(b, "llvm.extractvalue", .in = VALS(record), .out = TYPES(uw_int_type(b->context, 64)),
                             .attrs = ATTRS({"position", mlirDenseI64ArrayGet(b->context, 1, &place)}));
  return uw_build1(b, "arith.index_castui", .in = VALS(part), .out = TYPES(uw_index_type(b->context)));
}

/* An empty loop over the blocks of each piece that the worker takes. before: of a piece, the end of the last one. */
static MlirOperation build_pieces(uw_builder *b, MlirModule module, MlirValue shares, MlirValue blocks,
                                  MlirOperation *pieces) {
  uw_declare(module, "uwrt_shares_take", "!llvm.func<struct<(i64, i64)> (ptr, i64, i64, i64)>");
  uw_declare(module, "uwrt_team_place", "!llvm.func<i64 ()>");
  MlirType i64 = uw_int_type(b->context, 64), index = uw_index_type(b->context);
  MlirType piece_type = mlirTypeParseGet(b->context, uw_str("!llvm.struct<(i64, i64)>"));
  MlirValue count = uw_build1(b, "arith.index_castui", .in = VALS(blocks), .out = TYPES(i64));
  MlirValue place = uw_result(uw_call(b, "uwrt_team_place", (uw_value_list){0}, i64), 0);
  *pieces = uw_build_while(b, VALS(uw_const_int(b, 64, 0)), TYPES(index, index));
  MlirBlock test = uw_block(*pieces, 0), piece = uw_block(*pieces, 1);
  uw_builder take = uw_at_end(test, b->location), run = uw_at_end(piece, b->location);
  MlirValue before = mlirBlockGetArgument(test, 0);
  MlirValue taken = uw_result(uw_call(&take, "uwrt_shares_take", VALS(shares, count, place, before), piece_type), 0);
  MlirValue from = part_of(&take, taken, 0), to = part_of(&take, taken, 1);
  uw_build(&take, "scf.condition", .in = VALS(uw_compare(&take, UW_ULT, from, to), from, to));
  from = mlirBlockGetArgument(piece, 0);
  to = mlirBlockGetArgument(piece, 1);
  MlirOperation loop = uw_build_for(&run, from, to, uw_const_index(&run, 1), (uw_value_list){0});
  uw_yield(piece, b->location, VALS(uw_build1(&run, "arith.index_castui", .in = VALS(to), .out = TYPES(i64))));
  return loop;
}

/* Takes away the call in front of the launch's region that says whether other workers are worth waking; null if there
 * is none. */
static MlirValue take_answer(MlirOperation region) {
  MlirBlock block = mlirOperationGetBlock(region);
  MlirOperation found = {NULL};
  for (MlirOperation op = uw_first(block); !uw_same_op(op, region); op = uw_next(op))
    if (uw_attr_is_str(op, "callee", UW_WORTH_SHARING))
      found = op;
    else if (uw_region_count(op) && uw_string_is(uw_name(op), "omp.parallel"))
      found = (MlirOperation){NULL};
  MlirValue answer = uw_null(found) ? (MlirValue){NULL} : uw_operand(found, 0);
  if (!uw_null(found))
    uw_erase(found);
  return answer;
}

/* shares = uwrt_shares_open()
 * parallel:
 *   while (piece = uwrt_shares_take(shares, blocks, …), piece.from < piece.to)
 *     for (block = piece.from; block < piece.to; block++)
 * uwrt_shares_close()
 * A loop of omp's own would have LLVM put all accesses into one access group, and so take away those that let the
 * thread loops inside become SIMD code; and it calls the blocks' own stack memory, which they use one after the other,
 * free of dependences. */
static void share_out(MlirModule module, uw_arena *arena, MlirOperation loop) {
  MlirOperation nest = uw_first(uw_block(loop, 0)); /* operands: lower, upper, step */
  MlirOperation region = uw_parent(loop), pieces;
  MlirValue blocks = uw_operand(nest, 1);
  uw_builder b = uw_at(region);
  /* A single block, or little work, runs in the thread that launches it: nobody has to be woken. */
  MlirValue wanted = uw_compare(&b, UW_NE, blocks, uw_const_index(&b, 1)), worth = take_answer(region);
  if (worth.ptr)
    wanted = uw_binary(&b, "arith.andi", wanted, worth);
  add_operand(region, PARALLEL_IF, wanted);
  uw_declare(module, "uwrt_shares_open", "!llvm.func<ptr ()>");
  uw_declare(module, "uwrt_shares_close", "!llvm.func<void ()>");
  MlirValue shares = uw_result(uw_call(&b, "uwrt_shares_open", (uw_value_list){0}, uw_ptr_type(b.context)), 0);
  b = uw_after(region);
  uw_call(&b, "uwrt_shares_close", (uw_value_list){0}, (MlirType){NULL});
  b = uw_at(loop);
  MlirOperation serial = build_pieces(&b, module, shares, blocks, &pieces);
  MlirBlock inner = uw_block(serial, 0), body = uw_block(nest, 0);
  uw_yield(inner, b.location, (uw_value_list){0});
  uw_replace_uses(mlirBlockGetArgument(body, 0), mlirBlockGetArgument(inner, 0));
  MlirOperation end_of_body = uw_last(body);
  uw_foreach_op_safe (op, body)
    if (!uw_same_op(op, end_of_body))
      uw_move_to_end(op, inner);
  if (has_streams(arena, pieces)) {
    b = uw_after(pieces);
    uw_build(&b, "llvm.call_intrinsic",
             .attrs = ATTRS({"intrin", uw_str_attr(b.context, "llvm.x86.sse.sfence")},
                            {"operandSegmentSizes", mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0})},
                            {"op_bundle_sizes", mlirDenseI32ArrayGet(b.context, 0, NULL)}));
  }
  uw_erase(loop);
}

/* A team that takes blocks together (passes/rows/distribute_teams.c) asks for its workers' positions. */
static bool is_of_team(uw_arena *arena, MlirOperation loop) {
  uw_ops calls = uw_collect_kind(arena, loop, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (uw_attr_is_str(calls.at[i], "callee", "uwrt_team_place"))
      return true;
  return false;
}

/* Each worker runs the body once. There may be fewer than were asked for. */
static void run_by_all(MlirOperation loop) {
  MlirOperation nest = uw_first(uw_block(loop, 0)), region = uw_parent(loop);
  uw_builder b = uw_at(region);
  MlirType i32 = uw_int_type(b.context, 32);
  add_operand(region, PARALLEL_NUM_THREADS,
              uw_build1(&b, "arith.index_castui", .in = VALS(uw_operand(nest, 1)), .out = TYPES(i32)));
  b = uw_at(loop);
  MlirBlock body = uw_block(nest, 0);
  uw_replace_uses(mlirBlockGetArgument(body, 0), uw_const_index(&b, 0));
  MlirOperation end_of_body = uw_last(body);
  uw_foreach_op_safe (op, body)
    if (!uw_same_op(op, end_of_body))
      uw_move_before(op, loop);
  uw_erase(loop);
}

/* Those in front of grids of one block, which are loops no more. */
static void drop_answers(MlirModule module, uw_arena *arena) {
  uw_ops calls = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (uw_attr_is_str(calls.at[i], "callee", UW_WORTH_SHARING))
      uw_erase(calls.at[i]);
  MlirOperation function = uw_find_symbol(module, UW_WORTH_SHARING);
  if (!uw_null(function))
    uw_erase(function);
}

static void share_out_grids(MlirModule module, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  uw_ops loops = {0};
  for (size_t i = 0; i < ops.count; i++)
    if (uw_string_is(uw_name(ops.at[i]), "omp.wsloop"))
      uw_ops_push(arena, &loops, ops.at[i]);
  for (size_t i = 0; i < loops.count; i++)
    if (is_of_team(arena, loops.at[i]))
      run_by_all(loops.at[i]);
    else
      share_out(module, arena, loops.at[i]);
  drop_answers(module, arena);
}

#define OF_A_BLOCK "unwarp.of_a_block"

static MlirOperation grid_around(MlirOperation op) {
  do
    op = uw_parent(op);
  while (!uw_null(op) && !uw_is_over(op, UW_OVER_BLOCKS));
  return op;
}

static void mark_stack_of_blocks(MlirModule module, uw_arena *arena) {
  uw_ops rooms = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_ALLOCA);
  for (size_t i = 0; i < rooms.count; i++)
    if (!uw_null(grid_around(rooms.at[i])))
      uw_set_attr(rooms.at[i], OF_A_BLOCK, mlirUnitAttrGet(mlirModuleGetContext(module)));
}

static bool in_region_of_workers(MlirOperation op) {
  while (!uw_null(op) && !uw_string_is(uw_name(op), "omp.parallel"))
    op = uw_parent(op);
  return !uw_null(op);
}

static MlirOperation function_around(MlirOperation op) {
  MlirOperation function = uw_parent_of_kind(op, UW_OP_LLVM_FUNC);
  return uw_null(function) ? uw_parent_of_kind(op, UW_OP_FUNC) : function;
}

/* The function that runs blocks by itself: one that launches a grid of one block, which became straight code there, and
 * the entry of a checked kernel, with a loop over all blocks. Stack room would stay taken until that returns, once for
 * each time that a block comes there. So the room goes to the function's entry, as lower/finish.c does for workers. */
static void hoist_stack_of_blocks(MlirModule module, uw_arena *arena) {
  uw_ops rooms = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_ALLOCA);
  for (size_t i = 0; i < rooms.count; i++) {
    MlirOperation room = rooms.at[i];
    int64_t count;
    bool marked = !mlirAttributeIsNull(uw_get_attr(room, OF_A_BLOCK));
    MlirOperation function = function_around(room);
    mlirOperationRemoveDiscardableAttributeByName(room, uw_str(OF_A_BLOCK));
    if (!marked || uw_null(function) || in_region_of_workers(room) || !uw_const_value(uw_operand(room, 0), &count))
      continue;
    MlirOperation first = uw_first(uw_block(function, 0));
    uw_builder b = uw_at(first);
    int64_t bits = mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(room, 0)));
    mlirOperationSetOperand(room, 0, uw_const_int(&b, (unsigned)bits, count));
    uw_move_before(room, first);
  }
}

/* Does the launch say whether its blocks may be shared out? */
static bool is_asked_for(MlirOperation loop) {
  uw_foreach_op (op, mlirOperationGetBlock(loop))
    if (uw_attr_is_str(op, "callee", UW_WORTH_SHARING))
      return true;
  return false;
}

/* Checked kernels: what is found in one run is found in the next. Others than these are asked for by
 * instrument/parallel_blocks.c. */
static void run_in_order(MlirModule module, uw_arena *arena) {
  uw_ops loops = uw_collect_over(arena, mlirModuleGetOperation(module), UW_OVER_BLOCKS);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    if (is_asked_for(loop))
      continue;
    uw_builder b = uw_at(loop);
    MlirOperation serial =
        uw_build_for(&b, uw_lower_of(loop, 0), uw_upper_of(loop, 0), uw_step_of(loop, 0), (uw_value_list){0});
    MlirBlock body = uw_block(loop, 0), inner = uw_block(serial, 0);
    uw_yield(inner, b.location, (uw_value_list){0});
    uw_replace_uses(mlirBlockGetArgument(body, 0), mlirBlockGetArgument(inner, 0));
    uw_foreach_op_safe (op, body)
      if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
        uw_move_to_end(op, inner);
    uw_erase(loop);
  }
}

bool uw_lower_to_llvm_dialect(MlirModule module, uw_arena *arena, bool serial) {
  mark_stack_of_blocks(module, arena);
  if (serial)
    run_in_order(module, arena);
  if (!uw_run_pipeline(module, "scf-forall-to-parallel,canonicalize,cse,convert-scf-to-openmp"))
    return false;
  hoist_stack_of_blocks(module, arena);
  uw_lower_places(module, arena);
  share_out_grids(module, arena);
  uw_hoist_tallies(module, arena);
  uw_hoist_appends(module, arena);
  uw_read_by_workers(module, arena);
  return uw_run_pipeline(module, "finalize-memref-to-llvm,convert-scf-to-cf,convert-math-to-llvm,convert-arith-to-llvm,"
                                 "convert-index-to-llvm,convert-ub-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,"
                                 "convert-openmp-to-llvm,reconcile-unrealized-casts");
}
