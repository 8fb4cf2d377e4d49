/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs up to 8 by 4 neighbouring blocks of the grid side by side, where they fill shared arrays with the same values: in a product of
 * matrices, the tile of the left one is the same along a row of blocks, that of the right one along a column. They are then fetched once
 * for all of them, and what is read from them is used as often.
 *
 *   parallel %b to %blocks {                            parallel %p to %panels {
 *     %bx = %b mod %gx; %by = …                           %bx, %by: of the first block; %nx in a row, %ny in a column
 *     for (%k) {                                          for (%k) {
 *       parallel (0, %y, %x) {                              for (%j to %ny) { parallel (0, %y, %x) { %left[%j] = … %by + %j … } }
 *         %left = … %by …; %right = … %bx … }   ==>         parallel (%z to %nx, %y, %x) { %right[%z] = … %bx + %z … }
 *       parallel (0, %y, %x) {                              for (%j to %ny) { parallel (%z to %nx, %y, %x) {
 *         %sum += f(%left, %right) } } }                      %sum[%j][%z] += f(%left[%j], %right[%z]) } } } }
 *
 * Blocks have one layer of threads, so the dimension z is free to count the blocks of a row; those of a column get a serial loop. A loop over
 * threads is *common* along an axis if nothing in it hangs on the block's index there, it writes nothing but shared arrays that only
 * common loops write, and it reads these and global memory to which the launch writes nowhere: then all blocks along the axis do the
 * same in it, and it runs once. Every other loop runs for each block, and each block has its own copy of what such a loop writes. A
 * loop that does both is parted first (part_loop), and one that starts where the block's index says is counted from 0 (count_from_zero).
 *
 * Done when a) the blocks' work is thread loops, under for loops and branches that are the same for the blocks; b) these hold
 * arithmetic, control flow, plain accesses of memory and nothing else; c) a common loop stands in a for that holds another one too: what
 * is done once is fetched again and again, and used; d) what the blocks have for themselves is MOST_BYTES at most, together. As many
 * blocks as leave panels for all workers are taken, asked at run time.
 *
 * Legal because nothing orders one block before another, and none waits: waiting takes an atomic or volatile access. Each block has
 * its own order of loops, and each thread its order. Requires: barriers lowered. Preserves: what each thread does. Refuses: all
 * else, in silence. */
#include "../../../runtime/uwrt.h"
#include "../../analysis/bases.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"

enum { FEWEST_PANELS = 64, PANELS_EACH = 8, MARK_OPERAND = 1, DIMS = 3, LINE = 64, MOST_BYTES = 48 << 10 };

enum { ALONG, DOWN, AXES }; /* a row of blocks, a column of blocks */

typedef struct axis {
  MlirValue block;  /* index of the block; null where the axis is not used */
  MlirValue extent; /* how many blocks there are along it */
  uw_table *each;   /* loops and objects that every block has for itself */
  uw_table *varies; /* values of block level that hang on the block's index */
  int64_t most;     /* how many blocks are taken together */
  MlirValue count;  /* at run time */
} axis;

typedef struct panel {
  uw_arena *arena;
  MlirOperation grid, mark; /* the mark says which block begins, for messages */
  uw_ops loops, objects;    /* over threads; shared arrays and slots */
  axis axes[AXES];
} panel;

static bool is_mark(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", "uwrt_enter_block");
}

static bool is_object(MlirOperation op) { return uw_kind(op) == UW_OP_SHARED || uw_kind(op) == UW_OP_SLOT; }

static bool varies(const panel *p, size_t a, MlirValue value) { return uw_table_get(p->axes[a].varies, value.ptr) != 0; }

static bool takes_varying(const panel *p, size_t a, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (varies(p, a, uw_operand(op, i)))
      return true;
  return false;
}

static bool takes_any_varying(const panel *p, MlirOperation op) { return takes_varying(p, ALONG, op) || takes_varying(p, DOWN, op); }

/* --- which loops there are -------------------------------------------------------------------------------------------- */

/* number = rest * extent + index, where both are used: finds the extent and these two, and that the number is used for nothing else but
 * the mark. */
static bool find_index(const panel *p, MlirValue number, axis *found, MlirValue *rest) {
  for (MlirOpOperand use = mlirValueGetFirstUse(number); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    uw_kind_t kind = uw_kind(user);
    bool marks = uw_result_count(user) == 1 && uw_same_op(user, uw_def(uw_operand(p->mark, MARK_OPERAND))) &&
                 mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(uw_result(user, 0))));
    if (marks)
      continue;
    MlirValue *which = kind == UW_OP_ARITH_REMUI ? &found->block : rest;
    if ((kind != UW_OP_ARITH_DIVUI && kind != UW_OP_ARITH_REMUI) || !uw_same(uw_operand(user, 0), number) || which->ptr ||
        uw_defined_inside(uw_operand(user, 1), p->grid) || (found->extent.ptr && !uw_same(found->extent, uw_operand(user, 1))))
      return false;
    found->extent = uw_operand(user, 1);
    *which = uw_result(user, 0);
  }
  return found->block.ptr;
}

/* The indices of the block in its row and its column; a grid of one row has no column. */
static bool find_indices(panel *p) {
  MlirValue row = {NULL}, layer = {NULL};
  if (!find_index(p, mlirBlockGetArgument(uw_block(p->grid, 0), 0), &p->axes[ALONG], &row))
    return false;
  axis *down = &p->axes[DOWN];
  if (row.ptr && !find_index(p, row, down, &layer))
    down->block = down->extent = (MlirValue){NULL};
  return true;
}

/* Nothing but arithmetic, control flow and plain accesses, and no loop over threads inside. */
static bool is_simple(const panel *p, MlirOperation loop) {
  int64_t lower, upper;
  if (!uw_attr_is_str(loop, "unwarp.level", "block") || mlirBlockGetNumArguments(uw_block(loop, 0)) != DIMS ||
      !uw_const_value(uw_operand(loop, 0), &lower) || lower != 0 || !uw_const_value(uw_operand(loop, DIMS), &upper) || upper != 1)
    return false;
  if (takes_any_varying(p, loop))
    return false;
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH:
    case UW_OP_SCF_FOR:
    case UW_OP_SCF_WHILE:
    case UW_OP_SCF_YIELD:
    case UW_OP_SCF_REDUCE: continue;
    case UW_OP_LLVM_ALLOCA: return false;
    default:
      if (!uw_string_is(uw_name(op), "scf.condition") && !uw_name_starts(op, "llvm.intr.dbg.") && !uw_plain_access(op) &&
          (!uw_effect_free(op) || mlirOperationGetNumRegions(op)))
        return false;
    }
  }
  return true;
}

static bool used_in(MlirValue value, MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (uw_inside(mlirOpOperandGetOwner(use), op))
      return true;
  return false;
}

/* Looks through a block of block level: false if something in it is not what this file takes. */
static bool look_through(panel *p, MlirBlock block) {
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op(op, block) {
    uw_kind_t kind = uw_kind(op);
    if (is_object(op)) {
      if (!uw_same_op(uw_parent(op), p->grid) || takes_any_varying(p, op))
        return false;
      uw_ops_push(p->arena, &p->objects, op);
    } else if (kind == UW_OP_SCF_PARALLEL) {
      if (!is_simple(p, op))
        return false;
      uw_ops_push(p->arena, &p->loops, op);
    } else if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_IF) {
      if (takes_any_varying(p, op) || !look_through(p, uw_block(op, 0)) || (kind == UW_OP_SCF_IF && !look_through(p, uw_block(op, 1))))
        return false;
    } else if (is_mark(op)) {
      if (uw_null(p->mark) || !uw_same_op(op, p->mark))
        return false;
    } else if (kind == UW_OP_SCF_YIELD || kind == UW_OP_SCF_REDUCE) {
      if (takes_any_varying(p, op))
        return false;
    } else if (uw_effect_free(op) && mlirOperationGetNumRegions(op) == 0 && kind != UW_OP_LLVM_ALLOCA) {
      if (takes_any_varying(p, op) && !uw_speculatable(op))
        return false;
      for (size_t a = 0; a < AXES; a++)
        for (size_t i = 0; i < uw_result_count(op); i++)
          if (takes_varying(p, a, op) || (p->axes[a].block.ptr && uw_same(uw_result(op, i), p->axes[a].block)))
            uw_table_set(p->axes[a].varies, uw_result(op, i).ptr, 1);
    } else if (!uw_name_starts(op, "llvm.intr.dbg.")) {
      return false;
    }
  }
  return true;
}

/* --- which of them are common ----------------------------------------------------------------------------------------- */

static bool is_each(const panel *p, size_t a, MlirOperation op) { return uw_table_get(p->axes[a].each, op.ptr) != 0; }

static uw_access access_of(MlirOperation op) {
  bool stores = uw_kind(op) == UW_OP_LLVM_STORE;
  return (uw_access){.op = op, .reads = !stores, .writes = stores, .address = uw_address_of(uw_operand(op, stores))};
}

/* The shared array or slot of the block that the address surely lies in; null if there is none. */
static MlirOperation object_of(const panel *p, const uw_access *access) {
  MlirOperation op = uw_def(access->address.base);
  for (size_t i = 0; i < p->objects.count; i++)
    if (uw_same_op(p->objects.at[i], op))
      return op;
  return (MlirOperation){NULL};
}

/* Does the launch write where this load of a common loop reads, perhaps? */
static bool is_written(const panel *p, const uw_access *load) {
  for (size_t i = 0; i < p->loops.count; i++) {
    uw_ops ops = uw_collect(p->arena, p->loops.at[i]);
    for (size_t k = 0; k < ops.count; k++) {
      if (uw_kind(ops.at[k]) != UW_OP_LLVM_STORE)
        continue;
      uw_access store = access_of(ops.at[k]);
      if (!uw_bases_distinct(p->grid, load, &store))
        return true;
    }
  }
  return false;
}

/* Uses a loop anything that a block has for itself, or does it write elsewhere than in shared arrays? */
static bool must_run_for_each(const panel *p, size_t a, MlirOperation loop) {
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    for (size_t k = 0; k < uw_operand_count(op); k++) {
      MlirOperation def = uw_def(uw_operand(op, k));
      if (varies(p, a, uw_operand(op, k)) || (!uw_null(def) && is_each(p, a, def)))
        return true;
    }
    if (!uw_plain_access(op))
      continue;
    uw_access access = access_of(op);
    if (uw_null(object_of(p, &access)) && (access.writes || is_written(p, &access)))
      return true;
  }
  return false;
}

/* Makes all that such a loop writes its block's own. */
static void keep_apart(panel *p, size_t a, MlirOperation loop) {
  uw_table_set(p->axes[a].each, loop.ptr, 1);
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_kind(ops.at[i]) != UW_OP_LLVM_STORE)
      continue;
    uw_access store = access_of(ops.at[i]);
    MlirOperation object = object_of(p, &store);
    if (!uw_null(object))
      uw_table_set(p->axes[a].each, object.ptr, 1);
  }
}

/* All uses of an object are address arithmetic and plain accesses: every way to it is known. */
static bool are_plain(const panel *p) {
  for (size_t i = 0; i < p->objects.count; i++) {
    uw_ops arithmetic = {0}, accesses = {0};
    if (!uw_plain_uses(p->arena, p->grid, uw_result(p->objects.at[i], 0), &arithmetic, &accesses))
      return false;
    for (size_t k = 0; k < accesses.count; k++) {
      uw_access access = access_of(accesses.at[k]);
      if (!uw_same_op(object_of(p, &access), p->objects.at[i]) || uw_null(uw_parent_of_kind(accesses.at[k], UW_OP_SCF_PARALLEL)))
        return false;
    }
    for (size_t k = 0; k < arithmetic.count; k++) /* of block level: would need a copy for each block */
      if (uw_same_op(uw_parent_of_kind(arithmetic.at[k], UW_OP_SCF_PARALLEL), p->grid))
        return false;
  }
  return true;
}

static int64_t aligned(int64_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

static int64_t copies_of(const panel *p, size_t a, MlirOperation object) { return is_each(p, a, object) ? p->axes[a].most : 1; }

/* What the blocks have for themselves stays in the first cache. */
static bool are_small(const panel *p) {
  int64_t total = 0, bytes;
  for (size_t i = 0; i < p->objects.count; i++) {
    int64_t copies = copies_of(p, ALONG, p->objects.at[i]) * copies_of(p, DOWN, p->objects.at[i]);
    if (!uw_const_value(uw_operand(p->objects.at[i], 0), &bytes) || bytes > MOST_BYTES)
      return false;
    total += aligned(bytes) * copies;
  }
  return total <= MOST_BYTES;
}

/* How many blocks to take along the axes, at most. */
static bool choose_most(panel *p) {
  static const int64_t choices[][AXES] = {{8, 4}, {4, 4}, {4, 2}, {2, 2}, {4, 1}, {2, 1}, {1, 4}, {1, 2}};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    bool usable = true;
    for (size_t a = 0; a < AXES; a++) {
      p->axes[a].most = choices[i][a];
      usable = usable && (p->axes[a].block.ptr || choices[i][a] == 1);
    }
    if (usable && are_small(p))
      return true;
  }
  return false;
}

/* Is there a loop that runs once now, in a for that holds one that runs for each block? */
static bool pays(const panel *p, size_t a) {
  for (size_t i = 0; i < p->loops.count; i++) {
    MlirOperation around = uw_parent(p->loops.at[i]);
    for (size_t k = 0; k < p->loops.count && uw_kind(around) == UW_OP_SCF_FOR && !is_each(p, a, p->loops.at[i]); k++)
      if (is_each(p, a, p->loops.at[k]) && uw_inside(p->loops.at[k], around))
        return true;
  }
  return false;
}

/* --- loops that are common in part ----------------------------------------------------------------------------------- */

/* Collects what a store at the top of a loop is computed from; false if that hangs on the block, or on memory that may change. */
static bool is_common_slice(const panel *p, size_t a, MlirOperation loop, MlirOperation op, uw_table *slice) {
  if (uw_table_get(slice, op.ptr))
    return true;
  uw_table_set(slice, op.ptr, 1);
  if (uw_kind(op) == UW_OP_LLVM_LOAD) {
    uw_access load = access_of(op);
    if (!uw_null(object_of(p, &load)) || is_written(p, &load))
      return false;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue value = uw_operand(op, i);
    MlirOperation def = uw_def(value);
    if (varies(p, a, value) || (!uw_null(def) && uw_defined_inside(value, loop) && !is_common_slice(p, a, loop, def, slice)))
      return false;
  }
  uw_ops inside = uw_collect(p->arena, op); /* of a branch */
  for (size_t i = 0; i < inside.count; i++)
    if (!is_common_slice(p, a, loop, inside.at[i], slice))
      return false;
  return true;
}

/* Does the operation have loops or stores inside? */
static bool is_involved(const panel *p, MlirOperation op) {
  if (uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_WHILE || uw_kind(op) == UW_OP_SCF_INDEX_SWITCH)
    return true;
  uw_ops inside = uw_collect(p->arena, op);
  for (size_t i = 0; i < inside.count; i++)
    if (uw_kind(inside.at[i]) == UW_OP_LLVM_STORE || is_involved(p, inside.at[i]))
      return true;
  return false;
}

/* Is that store the only one to its array, and no other operation of the loop touches it? */
static bool is_alone(const panel *p, MlirOperation loop, MlirOperation store) {
  uw_access own = access_of(store);
  MlirOperation object = object_of(p, &own);
  if (uw_null(object) || uw_kind(object) != UW_OP_SHARED)
    return false;
  for (size_t i = 0; i < p->loops.count; i++) {
    uw_ops ops = uw_collect(p->arena, p->loops.at[i]);
    for (size_t k = 0; k < ops.count; k++) {
      if (!uw_plain_access(ops.at[k]) || uw_same_op(ops.at[k], store))
        continue;
      uw_access other = access_of(ops.at[k]);
      if (uw_same_op(object_of(p, &other), object) && (other.writes || uw_same_op(p->loops.at[i], loop)))
        return false;
    }
  }
  return true;
}

/* Gives the stores at the top of a loop without loops inside that are the same for all blocks, with what they are computed from, a loop of their own before it.
 * Legal because they alone touch their arrays here, and read what nobody writes. */
static bool part_loop(panel *p, size_t a, MlirOperation loop) {
  uw_table *common = uw_table_create(p->arena);
  uw_ops moved = {0}, ops = uw_block_ops(p->arena, uw_block(loop, 0));
  size_t stores = 0;
  for (size_t i = 0; i < ops.count; i++) {
    if (is_involved(p, ops.at[i]))
      return false;
    if (uw_kind(ops.at[i]) != UW_OP_LLVM_STORE)
      continue;
    uw_table *slice = uw_table_create(p->arena);
    stores++;
    if (!is_alone(p, loop, ops.at[i]) || !is_common_slice(p, a, loop, ops.at[i], slice))
      continue;
    uw_ops_push(p->arena, &moved, ops.at[i]);
    for (size_t k = 0; k < ops.count; k++)
      if (uw_table_get(slice, ops.at[k].ptr))
        uw_table_set(common, ops.at[k].ptr, 1);
  }
  if (moved.count == 0 || moved.count == stores)
    return false;
  uw_builder b = uw_at(loop);
  MlirOperation own = uw_loop_like(&b, loop);
  uw_move_before(own, loop);
  uw_map *map = uw_map_create(p->arena);
  for (intptr_t d = 0; d < DIMS; d++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(loop, 0), d), mlirBlockGetArgument(uw_block(own, 0), d));
  b = uw_at_end(uw_block(own, 0), b.location);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_table_get(common, ops.at[i].ptr))
      uw_clone(&b, ops.at[i], map);
  for (size_t i = 0; i < moved.count; i++)
    uw_erase(moved.at[i]);
  for (size_t i = ops.count; i-- > 0;) { /* what only they used */
    bool gone = false;
    for (size_t k = 0; k < moved.count; k++)
      gone = gone || uw_same_op(moved.at[k], ops.at[i]);
    if (!gone && uw_table_get(common, ops.at[i].ptr) && uw_unused(ops.at[i]))
      uw_erase(ops.at[i]);
  }
  uw_ops_push(p->arena, &p->loops, own);
  return true;
}

/* Which loops are common along the axis. */
static void sort_loops(panel *p, size_t a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->loops.count; i++)
      if (!is_each(p, a, p->loops.at[i]) && must_run_for_each(p, a, p->loops.at[i])) {
        keep_apart(p, a, p->loops.at[i]);
        changed = true;
      }
  }
}

/* --- loops that start where the block does ------------------------------------------------------------------------------ */

/* Is the value computed from the block's index along one of the axes, as far as arithmetic says? */
static bool hangs(const panel *p, uw_table *seen, MlirValue value) {
  MlirOperation op = uw_def(value);
  for (size_t a = 0; a < AXES; a++)
    if (p->axes[a].block.ptr && uw_same(value, p->axes[a].block))
      return true;
  if (uw_null(op) || !uw_defined_inside(value, p->grid) || mlirOperationGetNumRegions(op) || uw_table_get(seen, op.ptr))
    return false;
  uw_table_set(seen, op.ptr, 1);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (hangs(p, seen, uw_operand(op, i)))
      return true;
  return false;
}

static bool hangs_on_block(const panel *p, MlirValue value) { return hangs(p, uw_table_create(p->arena), value); }

/* The other operand of an addition; null if it is none, or has not this one. */
static MlirValue added_to(MlirValue sum, MlirValue part) {
  MlirOperation op = uw_def(sum);
  if (uw_kind(op) != UW_OP_ARITH_ADDI)
    return (MlirValue){NULL};
  size_t which = uw_same(uw_operand(op, 0), part) ? 1 : 0;
  return uw_same(uw_operand(op, 1 - which), part) ? uw_operand(op, which) : (MlirValue){NULL};
}

static MlirValue zero_of(uw_builder *b, MlirType type) {
  return mlirTypeIsAIndex(type) ? uw_const_index(b, 0) : uw_const_int(b, mlirIntegerTypeGetWidth(type), 0);
}

/* Gives the users of a value, but for one, the sum of it and a start. */
static void shift_uses(uw_builder *b, MlirValue value, MlirValue start, MlirOperation but) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  MlirValue none = zero_of(b, mlirValueGetType(value)), sum = uw_binary(b, "arith.addi", start, none);
  uw_replace_uses(value, sum);
  mlirOperationSetOperand(uw_def(sum), 1, value);
  for (size_t i = 0; !uw_null(but) && i < uw_operand_count(but); i++)
    if (uw_same(uw_operand(but, i), sum))
      mlirOperationSetOperand(but, (intptr_t)i, value);
  uw_erase(uw_def(none));
}

/* for (a = start; a < start + length; a += step, b += far): counts from 0 what starts where the block's index says, so that the loop is the
 * same for all blocks. Legal because start + length is said not to wrap, and sums are the same numbers in any order. */
static bool count_from_zero(panel *p, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirOperation none = {NULL}, yield = uw_last(body);
  MlirValue start = uw_operand(loop, 0), length = added_to(uw_operand(loop, 1), start);
  bool is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")), changed = false;
  uw_builder before = uw_at(loop), first = uw_at_start(body, mlirOperationGetLocation(loop)), behind = uw_after(loop);
  if (hangs_on_block(p, start)) {
    if (!length.ptr || !uw_no_wrap(uw_def(uw_operand(loop, 1)), is_signed) || hangs_on_block(p, length))
      return false;
    mlirOperationSetOperand(loop, 0, zero_of(&before, mlirValueGetType(start)));
    mlirOperationSetOperand(loop, 1, length);
    shift_uses(&first, mlirBlockGetArgument(body, 0), start, none);
    changed = true;
  }
  for (size_t i = 0; i < uw_result_count(loop); i++) {
    MlirValue carried = mlirBlockGetArgument(body, (intptr_t)i + 1), init = uw_operand(loop, i + 3), next = uw_operand(yield, i);
    MlirValue far = added_to(next, carried);
    if (!far.ptr || uw_defined_inside(far, loop) || hangs_on_block(p, far) || !hangs_on_block(p, init) ||
        !mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(next))))
      continue;
    mlirOperationSetOperand(loop, (intptr_t)i + 3, zero_of(&before, mlirValueGetType(init)));
    uw_set_attr(uw_def(next), "overflowFlags", uw_attr(before.context, "#arith.overflow<none>"));
    shift_uses(&first, carried, init, uw_def(next));
    shift_uses(&behind, uw_result(loop, i), init, none);
    changed = true;
  }
  return changed;
}

/* Looks at the axes that wanted names, or those of them where it pays. */
static bool match(panel *p, const bool wanted[AXES], bool *changed) {
  int64_t lower;
  MlirBlock body = uw_block(p->grid, 0);
  if (mlirBlockGetNumArguments(body) != 1 || !uw_const_value(uw_operand(p->grid, 0), &lower) || lower != 0)
    return false;
  uw_foreach_op(op, body)
    if (is_mark(op) && uw_null(p->mark))
      p->mark = op;
  if (uw_null(p->mark) || !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(p->mark, 0))) || !find_indices(p))
    return false;
  bool any = false;
  uw_foreach_op(op, body)
    if (uw_kind(op) == UW_OP_SCF_FOR)
      *changed = count_from_zero(p, op) || *changed;
  for (size_t a = 0; a < AXES; a++) {
    p->axes[a].each = uw_table_create(p->arena);
    p->axes[a].varies = uw_table_create(p->arena);
    if (!wanted[a])
      p->axes[a].block.ptr = NULL;
  }
  if (!look_through(p, body) || p->loops.count == 0 || !are_plain(p))
    return false;
  for (size_t a = 0; a < AXES; a++) {
    for (size_t i = 0, count = p->loops.count; i < count && p->axes[a].block.ptr; i++)
      if (uw_kind(uw_parent(p->loops.at[i])) == UW_OP_SCF_FOR)
        *changed = part_loop(p, a, p->loops.at[i]) || *changed;
    if (p->axes[a].block.ptr)
      sort_loops(p, a);
    if (!pays(p, a)) {
      p->axes[a].block.ptr = NULL;
      p->axes[a].each = uw_table_create(p->arena);
      p->axes[a].varies = uw_table_create(p->arena);
    }
    any = any || p->axes[a].block.ptr;
  }
  for (size_t a = 0; a < AXES; a++) /* parting along one axis makes loops that the other has not seen */
    if (p->axes[a].block.ptr)
      sort_loops(p, a);
  return any && choose_most(p);
}

/* --- the change ------------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES "unwarp.block_bytes" /* on an object of which blocks have their own parts: how long these are */

static MlirValue with(uw_builder *b, const char *name, MlirValue left, int64_t right) {
  return uw_binary(b, name, left, uw_const_index(b, right));
}

/* How many blocks to take together: not more than leave panels for all workers. */
static void choose_counts(uw_builder *b, panel *p, MlirValue blocks, MlirValue each[AXES]) {
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(p->grid, UW_OP_MODULE)), "uwrt_max_workers", "!llvm.func<i32 ()>");
  MlirOperation asked = uw_call(b, "uwrt_max_workers", (uw_value_list){0}, uw_int_type(b->context, 32));
  MlirValue workers = uw_build1(b, "arith.index_castui", .in = VALS(uw_result(asked, 0)), .out = TYPES(uw_index_type(b->context)));
  MlirValue panels = with(b, "arith.maxui", with(b, "arith.muli", workers, PANELS_EACH), FEWEST_PANELS);
  MlirValue left = with(b, "arith.maxui", uw_binary(b, "arith.divui", blocks, panels), 1);
  for (size_t a = 0; a < AXES; a++) {
    each[a] = uw_const_index(b, 1);
    if (p->axes[a].most == 1)
      continue;
    each[a] = uw_binary(b, "arith.minui", with(b, "arith.minui", left, p->axes[a].most), p->axes[a].extent);
    left = with(b, "arith.maxui", uw_binary(b, "arith.divui", left, each[a]), 1);
  }
}

/* Bytes of the object that a block of the row has for itself. */
static int64_t size_of(MlirOperation object) { return uw_get_int_attr(object, BLOCK_BYTES, 0); }

static void make_room(panel *p) {
  for (size_t i = 0; i < p->objects.count; i++) {
    MlirOperation object = p->objects.at[i];
    int64_t bytes, copies = copies_of(p, ALONG, object) * copies_of(p, DOWN, object);
    if (copies == 1 || !uw_const_value(uw_operand(object, 0), &bytes))
      continue;
    uw_builder b = uw_at(object);
    uw_set_attr(object, BLOCK_BYTES, uw_int_attr(b.context, 64, aligned(bytes)));
    mlirOperationSetOperand(object, 0, uw_const_int(&b, 64, aligned(bytes) * copies));
  }
}

/* The value as the block has it for which a loop runs: copies at b of what hangs on the block. */
static MlirValue own_value(const panel *p, uw_builder *b, MlirValue value, uw_map *own) {
  MlirValue done = uw_map_get(own, value);
  if (done.ptr || (!varies(p, ALONG, value) && !varies(p, DOWN, value)))
    return done.ptr ? done : value;
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    own_value(p, b, uw_operand(op, i), own);
  uw_clone(b, op, own);
  return uw_map_get(own, value);
}

/* Where the block has its part of the object. */
static MlirValue own_place(const panel *p, uw_builder *b, MlirOperation object, const MlirValue steps[AXES]) {
  MlirValue place = uw_result(object, 0);
  int64_t apart = size_of(object);
  for (size_t a = 0; a < AXES; a++) {
    const int32_t dynamic[] = {INT32_MIN};
    if (!is_each(p, a, object) || p->axes[a].most == 1)
      continue;
    MlirValue wide = uw_build1(b, "arith.index_cast", .in = VALS(with(b, "arith.muli", steps[a], apart)), .out = TYPES(uw_int_type(b->context, 64)));
    place = uw_build1(b, "llvm.getelementptr", .in = VALS(place, wide), .out = TYPES(mlirValueGetType(place)),
                      .attrs = ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, dynamic)},
                                     {"elem_type", mlirTypeAttrGet(uw_int_type(b->context, 8))}));
    apart *= p->axes[a].most;
  }
  return place;
}

/* Takes all blocks along a row through a row of threads, where no loop is inside, before the next one: their pieces of memory are neighbours. */
static void swap_layers_and_rows(const panel *p, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue z = mlirBlockGetArgument(body, 0), y = mlirBlockGetArgument(body, 1);
  uw_foreach_op(op, body)
    if (is_involved(p, op))
      return;
  uw_builder b = uw_at_start(body, mlirOperationGetLocation(loop));
  MlirValue between = uw_const_index(&b, 0);
  uw_replace_uses(z, between);
  uw_replace_uses(y, z);
  uw_replace_uses(between, y);
  uw_erase(uw_def(between));
  for (size_t first = 0; first < 3 * (size_t)DIMS; first += DIMS) { /* lower bounds, upper bounds, steps */
    MlirValue outer = uw_operand(loop, first);
    mlirOperationSetOperand(loop, (intptr_t)first, uw_operand(loop, first + 1));
    mlirOperationSetOperand(loop, (intptr_t)first + 1, outer);
  }
}

/* The loop for each of the blocks: what hangs on the block is computed in it anew. */
static void run_for_each(panel *p, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue layer = mlirBlockGetArgument(body, 0), steps[AXES] = {{NULL}};
  bool runs[AXES];
  for (size_t a = 0; a < AXES; a++)
    runs[a] = p->axes[a].most > 1 && is_each(p, a, loop);
  if (!runs[ALONG] && !runs[DOWN])
    return;
  uw_ops ops = uw_collect(p->arena, loop);
  uw_builder b = uw_at(loop);
  if (runs[DOWN]) {
    MlirOperation column = uw_build_for(&b, uw_const_index(&b, 0), p->axes[DOWN].count, uw_const_index(&b, 1), (uw_value_list){0});
    uw_yield(uw_block(column, 0), b.location, (uw_value_list){0});
    uw_move_to_end(loop, uw_block(column, 0));
    steps[DOWN] = mlirBlockGetArgument(uw_block(column, 0), 0);
  }
  b = uw_at_start(body, b.location);
  if (runs[ALONG]) {
    uw_replace_uses(layer, uw_const_index(&b, 0));
    mlirOperationSetOperand(loop, DIMS, p->axes[ALONG].count);
    steps[ALONG] = layer;
  }
  uw_map *own = uw_map_create(p->arena);
  for (size_t a = 0; a < AXES; a++)
    if (runs[a])
      uw_map_set(own, p->axes[a].block, uw_binary(&b, "arith.addi", p->axes[a].block, steps[a]));
  for (size_t i = 0; i < p->objects.count; i++)
    if (size_of(p->objects.at[i]) && used_in(uw_result(p->objects.at[i], 0), loop))
      uw_map_set(own, uw_result(p->objects.at[i], 0), own_place(p, &b, p->objects.at[i], steps));
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k), mine = own_value(p, &b, value, own);
      if (!uw_same(mine, value))
        mlirOperationSetOperand(ops.at[i], (intptr_t)k, mine);
    }
  if (runs[ALONG])
    swap_layers_and_rows(p, loop);
}

static void take_together(panel *p) {
  MlirBlock body = uw_block(p->grid, 0);
  MlirValue number = mlirBlockGetArgument(body, 0), blocks = uw_operand(p->grid, 1), each[AXES], panels[AXES], start[AXES];
  uw_ops old = uw_block_ops(p->arena, body);
  uw_builder b = uw_at(p->grid);
  choose_counts(&b, p, blocks, each);
  MlirValue rest = blocks, total = {NULL}, first = {NULL};
  for (size_t a = 0; a < AXES; a++)
    if (p->axes[a].extent.ptr) { /* blocks = extents times rest */
      panels[a] = uw_binary(&b, "arith.ceildivui", p->axes[a].extent, each[a]);
      total = total.ptr ? uw_binary(&b, "arith.muli", total, panels[a]) : panels[a];
      rest = uw_binary(&b, "arith.divui", rest, p->axes[a].extent);
    }
  mlirOperationSetOperand(p->grid, 1, uw_binary(&b, "arith.muli", total, rest));
  b = uw_at_start(body, b.location);
  rest = number;
  for (size_t a = 0; a < AXES; a++)
    if (p->axes[a].extent.ptr) {
      start[a] = uw_binary(&b, "arith.muli", uw_binary(&b, "arith.remui", rest, panels[a]), each[a]);
      rest = uw_binary(&b, "arith.divui", rest, panels[a]);
      p->axes[a].count = uw_binary(&b, "arith.minui", each[a], uw_binary(&b, "arith.subi", p->axes[a].extent, start[a]));
    }
  first = rest;
  for (size_t a = AXES; a-- > 0;)
    if (p->axes[a].extent.ptr)
      first = uw_binary(&b, "arith.addi", uw_binary(&b, "arith.muli", first, p->axes[a].extent), start[a]);
  for (size_t i = 0; i < old.count; i++)
    uw_replace_uses_inside(number, first, old.at[i]);
  make_room(p);
  for (size_t i = 0; i < p->loops.count; i++)
    run_for_each(p, p->loops.at[i]);
  b = uw_at(p->mark); /* for messages: this block, or one behind it */
  static const uint64_t flags[AXES] = {UWRT_BLOCK_OR_BEHIND, UWRT_BLOCK_OR_BELOW};
  for (size_t a = 0; a < AXES; a++) {
    if (p->axes[a].most == 1)
      continue;
    MlirValue alone = uw_compare(&b, UW_EQ, each[a], uw_const_index(&b, 1));
    MlirValue more = uw_select(&b, alone, uw_const_int(&b, 64, 0), uw_const_int(&b, 64, (int64_t)flags[a]));
    mlirOperationSetOperand(p->mark, MARK_OPERAND, uw_binary(&b, "arith.ori", uw_operand(p->mark, MARK_OPERAND), more));
  }
}

uw_change uw_pass_panels(MlirOperation root, uw_pass_ctx *ctx) {
  static const bool choices[][AXES] = {{true, true}, {true, false}, {false, true}};
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++) {
    bool changed = false, done = !uw_attr_is_str(loops.at[i], "unwarp.level", "grid");
    for (size_t k = 0; k < sizeof choices / sizeof *choices && !done; k++) {
      panel p = {.arena = ctx->arena, .grid = loops.at[i]};
      if (!match(&p, choices[k], &changed))
        continue;
      uw_remark(mlirOperationGetLocation(p.grid), "panels", "blocks fill shared memory with the same: up to %d of a row and %d of a column run together",
                (int)p.axes[ALONG].most, (int)p.axes[DOWN].most);
      take_together(&p);
      change = UW_CHANGED;
      done = true;
    }
    change = changed ? UW_CHANGED : change;
  }
  return change;
}
