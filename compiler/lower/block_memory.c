/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of a block. Small room of known size is the worker's stack, where LLVM can take it apart; what is large or
 * known only at the launch comes from the worker's scratch stack (uwrt_scratch_* in runtime/uwrt.h), which is marked at
 * the start of the loop body around it and released at its end. Slots of known size are one piece of it. Shared memory
 * of a kernel that keeps its addresses in 32 bits (unwarp.window) is one piece, too: what has a fixed size first, the
 * dynamic part after it. Where other blocks of a cluster reach it, the runtime gives that piece, which then begins with
 * the runtime's own part (UW_CLUSTER_WINDOW). A thread's own large arrays are scratch memory of the block.
 */
#include "../../runtime/uwrt.h"
#include "../analysis/thresholds.h"
#include "../frontend/frontend.h"
#include "../ir/parallel.h"
#include "../raise/raise.h"
#include "lower.h"

enum { LINE = 64 /* bytes: a cache line */ };

MlirValue uw_stack_room(uw_builder *b, int64_t bytes) {
  return uw_build1(b, "llvm.alloca", .in = VALS(uw_const_int(b, 64, bytes)), .out = TYPES(uw_ptr_type(b->context)),
                   .attrs = ATTRS({"elem_type", mlirTypeAttrGet(uw_int_type(b->context, 8))},
                                  {"alignment", uw_int_attr(b->context, 64, 64)}));
}

/* What the program asks for (__align__), and a cache line at least. */
static int64_t alignment_of(MlirOperation op) {
  int64_t own = uw_get_int_attr(op, "alignment", LINE);
  return own > LINE ? own : LINE;
}

static int64_t aligned(int64_t bytes, int64_t to) { return (bytes + to - 1) & -to; }

static void to_stack(MlirOperation op, int64_t bytes) {
  uw_builder b = uw_at(op);
  MlirValue room = uw_stack_room(&b, bytes);
  uw_set_attr(uw_def(room), "alignment", uw_int_attr(b.context, 64, alignment_of(op)));
  uw_replace_uses(uw_result(op, 0), room);
  uw_erase(op);
}

/* Marks the scratch stack at the start of the block and releases it at its end, once a block. */
static void bracket(MlirModule module, MlirBlock block, MlirLocation location) {
  uw_builder b = uw_at_start(block, location);
  MlirOperation first = uw_first(block);
  if (uw_attr_is_str(first, "callee", "uwrt_scratch_mark"))
    return;
  uw_declare(module, "uwrt_scratch_mark", "!llvm.func<i64 ()>");
  uw_declare(module, "uwrt_scratch_release", "!llvm.func<void (i64)>");
  MlirValue mark = uw_result(uw_call(&b, "uwrt_scratch_mark", (uw_value_list){0}, uw_int_type(b.context, 64)), 0);
  b = uw_at_end(block, location);
  uw_call(&b, "uwrt_scratch_release", VALS(mark), (MlirType){NULL});
}

/* So many bytes of the scratch stack, which gives lines. */
static MlirValue scratch_room(uw_builder *b, MlirModule module, MlirValue bytes, int64_t alignment) {
  MlirType pointer = uw_ptr_type(b->context), i64 = uw_int_type(b->context, 64);
  uw_declare(module, "uwrt_scratch_alloc", "!llvm.func<ptr (i64)>");
  if (alignment > LINE)
    bytes = uw_binary(b, "arith.addi", bytes, uw_const_int(b, 64, alignment - LINE));
  MlirOperation call = uw_call(b, "uwrt_scratch_alloc", VALS(bytes), pointer);
  uw_set_attr(call, "res_attrs", uw_attr(b->context, "[{llvm.noalias, llvm.align = 64 : i64}]"));
  if (alignment == LINE)
    return uw_result(call, 0);
  MlirValue address = uw_build1(b, "llvm.ptrtoint", .in = VALS(uw_result(call, 0)), .out = TYPES(i64));
  MlirValue after = uw_binary(b, "arith.subi", uw_const_int(b, 64, 0), address); /* to the next multiple */
  MlirValue gap = uw_binary(b, "arith.andi", after, uw_const_int(b, 64, alignment - 1));
  return uw_add_bytes(b, uw_result(call, 0), gap);
}

static void to_scratch(MlirModule module, MlirOperation op) {
  bracket(module, mlirOperationGetBlock(op), mlirOperationGetLocation(op));
  uw_builder b = uw_at(op);
  uw_replace_uses(uw_result(op, 0), scratch_room(&b, module, uw_operand(op, 0), alignment_of(op)));
  uw_erase(op);
}

/* One piece of the scratch stack for all slots of known size in a block of code. */
typedef struct pieces {
  uw_arena *arena;
  uw_table *of_block; /* block -> piece */
} pieces;

typedef struct piece {
  MlirOperation call; /* gives it */
  int64_t bytes;      /* so far */
} piece;

static piece *piece_of(const pieces *all, MlirModule module, MlirOperation slot) {
  MlirBlock block = mlirOperationGetBlock(slot);
  piece *known = (piece *)uw_table_get(all->of_block, block.ptr);
  if (known)
    return known;
  bracket(module, block, mlirOperationGetLocation(slot));
  uw_builder b = uw_at(slot);
  known = uw_alloc(all->arena, sizeof *known);
  *known = (piece){uw_def(scratch_room(&b, module, uw_const_int(&b, 64, 0), LINE)), 0};
  uw_table_set(all->of_block, block.ptr, (intptr_t)known);
  return known;
}

static void to_piece(const pieces *all, MlirModule module, MlirOperation op, int64_t bytes) {
  piece *p = piece_of(all, module, op);
  uw_builder b = uw_at(op);
  uw_replace_uses(uw_result(op, 0), uw_byte_address(&b, uw_result(p->call, 0), p->bytes));
  uw_erase(op);
  p->bytes += aligned(bytes, LINE);
  b = uw_at(p->call);
  mlirOperationSetOperand(p->call, 0, uw_const_int(&b, 64, p->bytes));
}

static bool is_windowed(MlirOperation op) {
  return uw_kind(op) == UW_OP_SHARED && !mlirAttributeIsNull(uw_get_attr(op, "unwarp.window"));
}

static MlirOperation find_windowed(uw_arena *arena, MlirOperation func) {
  uw_ops shared = uw_collect_kind(arena, func, UW_OP_SHARED);
  for (size_t i = 0; i < shared.count; i++)
    if (is_windowed(shared.at[i]))
      return shared.at[i];
  return (MlirOperation){NULL};
}

static bool is_of_runtime(MlirOperation op) { return uw_attr_is_str(op, "unwarp.name", UW_CLUSTER_WINDOW); }

static MlirValue cluster_room(uw_builder *b, MlirModule module, MlirValue bytes, int64_t alignment) {
  uw_declare(module, "uwrt_cluster_window", "!llvm.func<ptr (i64, i64)>");
  return uw_result(
      uw_call(b, "uwrt_cluster_window", VALS(bytes, uw_const_int(b, 64, alignment)), uw_ptr_type(b->context)), 0);
}

/* The windowed objects of one block of code, which the kernel's dynamic part is one of. */
static void to_window(MlirModule module, MlirBlock block) {
  MlirOperation first = {NULL}, dynamic = {NULL};
  int64_t fixed = 0, bytes, alignment = LINE;
  bool in_cluster = false;
  uw_foreach_op (op, block)
    if (is_windowed(op) && alignment_of(op) > alignment)
      alignment = alignment_of(op);
  uw_foreach_op (op, block)
    if (is_windowed(op)) {
      first = uw_null(first) ? op : first;
      in_cluster = in_cluster || is_of_runtime(op);
      if (!uw_const_value(uw_operand(op, 0), &bytes))
        dynamic = op;
      else
        fixed += aligned(bytes, alignment);
    }
  bracket(module, block, mlirOperationGetLocation(first));
  uw_builder b = uw_at(first);
  MlirValue total = uw_const_int(&b, 64, fixed);
  if (!uw_null(dynamic))
    total = uw_binary(&b, "arith.addi", total, uw_operand(dynamic, 0));
  MlirValue room = (in_cluster ? cluster_room : scratch_room)(&b, module, total, alignment);
  int64_t at = in_cluster ? aligned(UWRT_CLUSTER_HEADER, alignment) : 0;
  uw_foreach_op_safe (op, block) {
    if (!is_windowed(op))
      continue;
    bool is_fixed = uw_const_value(uw_operand(op, 0), &bytes);
    uw_builder here = uw_at(op);
    if (is_of_runtime(op)) {
      uw_replace_uses(uw_result(op, 0), room);
      uw_erase(op);
      continue;
    }
    uw_replace_uses(uw_result(op, 0), uw_byte_address(&here, room, is_fixed ? at : fixed));
    at += is_fixed ? aligned(bytes, alignment) : 0;
    uw_erase(op);
  }
}

/* --- arrays of a thread's own --- */

/* The loop over blocks around; null where there is none, or the operation belongs to a thread with a stack of its own
 * (concurrent.c). */
static MlirOperation grid_of(MlirOperation op) {
  do
    op = uw_parent(op);
  while (!uw_null(op) && !uw_is_over(op, UW_OVER_BLOCKS) && !uw_string_is(uw_name(op), "omp.parallel"));
  return !uw_null(op) && uw_string_is(uw_name(op), "omp.parallel") ? (MlirOperation){NULL} : op;
}

/* Threads run one after the other, and an array begins undefined: one room is enough for all of a block. The stack's
 * would be the launching function's, for each of its launches. */
static void large_to_scratch(MlirModule module, uw_arena *arena, MlirOperation func) {
  uw_ops rooms = uw_collect_kind(arena, func, UW_OP_LLVM_ALLOCA);
  for (size_t i = 0; i < rooms.count; i++) {
    MlirOperation room = rooms.at[i], grid = grid_of(room);
    MlirAttribute type = uw_get_attr(room, "elem_type");
    int64_t count;
    if (uw_null(grid) || mlirAttributeIsNull(type) || !uw_const_value(uw_operand(room, 0), &count) ||
        count * (int64_t)uw_type_bytes(mlirTypeAttrGetValue(type)) <= UW_STACK_EACH)
      continue;
    uw_drop_lifetimes(arena, uw_result(room, 0));
    bracket(module, uw_block(grid, 0), mlirOperationGetLocation(room));
    uw_builder b = uw_after(uw_first(uw_block(grid, 0)));
    MlirValue bytes = uw_const_int(&b, 64, count * (int64_t)uw_type_bytes(mlirTypeAttrGetValue(type)));
    uw_replace_uses(uw_result(room, 0), scratch_room(&b, module, bytes, alignment_of(room)));
    uw_erase(room);
  }
}

void uw_lower_memory(MlirModule module, uw_arena *arena) {
  uw_foreach_op (func, mlirModuleGetBody(module)) {
    if (uw_kind(func) != UW_OP_FUNC && uw_kind(func) != UW_OP_LLVM_FUNC)
      continue;
    int64_t total = 0;
    large_to_scratch(module, arena, func);
    pieces all = {arena, uw_table_create(arena)};
    for (MlirOperation op; op = find_windowed(arena, func), !uw_null(op);)
      to_window(module, mlirOperationGetBlock(op));
    uw_ops ops = uw_collect(arena, func);
    for (size_t i = 0; i < ops.count; i++) {
      MlirOperation op = ops.at[i];
      if (uw_kind(op) != UW_OP_SHARED && uw_kind(op) != UW_OP_SLOT)
        continue;
      int64_t bytes;
      bool of_team = !mlirAttributeIsNull(uw_get_attr(op, UW_TEAM));    /* stands outside of the grid loop */
      bool checked = !mlirAttributeIsNull(uw_get_attr(op, UW_CHECKED)); /* apart from other memory */
      bool fixed = !of_team && !checked && uw_const_value(uw_operand(op, 0), &bytes);
      if (fixed && bytes <= UW_STACK_EACH && total + bytes <= UW_STACK_TOTAL) {
        total += bytes;
        to_stack(op, bytes);
      } else if (fixed && uw_kind(op) == UW_OP_SLOT && alignment_of(op) == LINE) {
        to_piece(&all, module, op, bytes);
      } else {
        to_scratch(module, op);
      }
    }
  }
}
