/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads a number whole that a thread puts together from its bytes:
 *
 *   for (%k = 0 to 8)                                    %w = load %p : i64
 *     %w |= extend(load %p[%k] : i8) << 8 * %k    ==>
 *
 * In scalar code LLVM does so too. Lanes of vectors would gather the bytes one by one before it could: eight gathers,
 * each of which takes a step for each lane, in place of one.
 *
 * Done for a sum, an or or an exclusive or of loads that are extended and shifted when a) their bits do not overlap; b)
 * two, four or eight of them stand in the number as in memory, or as many bytes the other way round (bswap); c) all are
 * plain, in one block, and nothing there writes from the first to the last of them. What else is in the sum
 * is added to the whole. Loops of up to eight iterations that put such a number together are unrolled for it. Then pairs
 * of elements of two bytes, which are loaded or stored side by side, are words (join_pairs.c).
 *
 * Legal because all bytes are loaded in any case, and nobody writes them in between: other threads' writes would be
 * races. Requires: for loops (while-to-for). Preserves: order of effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../ir/remarks.h"
#include "../../ir/shim.h"
#include "../../transform/loop_ranges.h"
#include "../passes.h"

enum { MOST_PARTS = 16, MOST_DEPTH = 64, BYTE = 8 };

/* A load whose bits stand in the number from bit `shift` on. */
typedef struct part {
  MlirOperation load;
  unsigned shift, bits;
  bool joined;
} part;

typedef struct number {
  uw_arena *arena;
  MlirOperation root;
  part parts[MOST_PARTS]; /* by shift, when all are found */
  size_t count;
  uw_vals others; /* of the root's type */
} number;

static unsigned bits_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

/* --- loops that put a number together ------------------------------------------------------------------------------ */

static bool adds(MlirOperation op) {
  return uw_kind(op) == UW_OP_ARITH_ORI || uw_kind(op) == UW_OP_ARITH_XORI || uw_kind(op) == UW_OP_ARITH_ADDI;
}

static bool is_extended_load(MlirValue value) {
  MlirOperation op = uw_def(value);
  return uw_kind(op) == UW_OP_ARITH_EXTUI && uw_kind(uw_def(uw_operand(op, 0))) == UW_OP_LLVM_LOAD;
}

static int64_t trips_of(MlirOperation loop) {
  int64_t bounds[3];
  for (size_t i = 0; i < 3; i++)
    if (!uw_const_value(uw_operand(loop, i), &bounds[i]))
      return 0;
  if (bounds[2] <= 0 || bounds[0] < 0 || bounds[1] <= bounds[0])
    return 0;
  return (bounds[1] - bounds[0] + bounds[2] - 1) / bounds[2];
}

/* Does the loop load neighbours, iteration by iteration? */
static bool loads_neighbours(MlirOperation loop, MlirOperation load) {
  int64_t step;
  uw_address at = uw_address_of(uw_operand(load, 0));
  int64_t stride = uw_constant_stride(uw_stride_in(&at.offset, mlirBlockGetArgument(uw_block(loop, 0), 0)));
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0)));
  return uw_plain_access(load) && uw_const_value(uw_operand(loop, 2), &step) &&
         (stride * step == bytes || stride * step == -bytes);
}

static bool puts_together(MlirOperation loop) {
  bool shifts = false, loads = false;
  size_t count = 0;
  int64_t trips = trips_of(loop);
  if (trips < 2 || trips > UW_JOIN_LOADS_MOST_ITERATIONS || uw_result_count(loop) == 0 ||
      !adds(uw_def(uw_operand(uw_last(uw_block(loop, 0)), 0))))
    return false;
  uw_foreach_op (op, uw_block(loop, 0)) {
    bool is_load = uw_kind(op) == UW_OP_LLVM_LOAD, is_end = uw_same_op(op, uw_last(uw_block(loop, 0)));
    if (uw_region_count(op) || ++count > UW_JOIN_LOADS_MOST_OPS || (!is_load && !is_end && !uw_effect_free(op)))
      return false;
    loads = loads || (is_load && loads_neighbours(loop, op));
    shifts = shifts || (uw_kind(op) == UW_OP_ARITH_SHLI &&
                        (is_extended_load(uw_operand(op, 0)) || uw_null(uw_def(uw_operand(op, 0)))));
  }
  return loads && shifts;
}

/* --- what a number consists of ------------------------------------------------------------------------------------- */

/* The value, computed from constants alone; null if it is not. */
static MlirAttribute folded(MlirValue value, int depth) {
  enum { OPERANDS = 3 };
  MlirOperation op = uw_def(value);
  MlirAttribute operands[OPERANDS];
  if (uw_kind(op) == UW_OP_ARITH_CONSTANT)
    return uw_get_attr(op, "value");
  if (uw_null(op) || depth == 0 || uw_operand_count(op) > OPERANDS || uw_result_count(op) != 1 || uw_region_count(op) ||
      !uw_effect_free(op))
    return (MlirAttribute){NULL};
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (mlirAttributeIsNull(operands[i] = folded(uw_operand(op, i), depth - 1)))
      return operands[i];
  return uw_shim_fold(op, uw_operand_count(op), operands);
}

static bool constant_of(MlirValue value, int64_t *number) {
  enum { DEEPEST = 8 };
  MlirAttribute constant = folded(value, DEEPEST);
  if (mlirAttributeIsNull(constant) || !mlirAttributeIsAInteger(constant))
    return false;
  *number = mlirIntegerAttrGetValueInt(constant);
  return true;
}

static bool push_part(number *n, MlirOperation load, unsigned shift, unsigned limit) {
  unsigned bits = bits_of(uw_result(load, 0));
  if (!uw_plain_access(load) || bits < BYTE || bits > 32 || bits % BYTE || shift + bits > limit ||
      n->count == MOST_PARTS)
    return false;
  size_t at = n->count++;
  for (; at > 0 && n->parts[at - 1].shift > shift; at--)
    n->parts[at] = n->parts[at - 1];
  n->parts[at] = (part){load, shift, bits, false};
  return true;
}

/* The value stands in the number from bit `shift` on; bits from `limit` on are lost. */
static bool take_apart(number *n, MlirValue value, unsigned shift, unsigned limit, int depth) {
  MlirOperation op = uw_def(value);
  int64_t bits;
  bool whole = shift == 0 && mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(uw_result(n->root, 0)));
  if (uw_const_value(value, &bits) && bits == 0)
    return true;
  bool is_whole = uw_kind(op) == UW_OP_LLVM_LOAD || uw_kind(op) == UW_OP_ARITH_EXTUI;
  if (!uw_null(op) && (is_whole || uw_used_once(value)) && depth < MOST_DEPTH) {
    if (uw_kind(op) == uw_kind(n->root))
      return take_apart(n, uw_operand(op, 0), shift, limit, depth + 1) &&
             take_apart(n, uw_operand(op, 1), shift, limit, depth + 1);
    if (uw_kind(op) == UW_OP_ARITH_SHLI && constant_of(uw_operand(op, 1), &bits) && bits >= 0 && bits < 64)
      return take_apart(n, uw_operand(op, 0), shift + (unsigned)bits, limit, depth + 1);
    if (uw_kind(op) == UW_OP_ARITH_EXTUI && bits_of(uw_operand(op, 0))) {
      unsigned own = shift + bits_of(uw_operand(op, 0));
      return take_apart(n, uw_operand(op, 0), shift, own < limit ? own : limit, depth + 1);
    }
    if (uw_kind(op) == UW_OP_LLVM_LOAD && push_part(n, op, shift, limit))
      return true;
  }
  if (whole)
    uw_vals_push(n->arena, &n->others, value);
  return whole;
}

static bool overlap(const number *n) {
  for (size_t i = 1; i < n->count; i++)
    if (n->parts[i].shift < n->parts[i - 1].shift + n->parts[i - 1].bits)
      return true;
  return false;
}

/* --- what can be loaded at once ------------------------------------------------------------------------------------ */

/* The last of the loads in their block; null if something writes between them, or they are in several. */
static MlirOperation last_of(const part *parts, size_t count) {
  MlirBlock block = mlirOperationGetBlock(parts[0].load);
  MlirOperation last = {NULL};
  size_t seen = 0;
  uw_foreach_op (op, block) {
    bool own = false;
    for (size_t i = 0; i < count; i++)
      own = own || uw_same_op(parts[i].load, op);
    seen += own;
    last = op;
    if (seen == count)
      return last;
    if (seen && !own && !uw_only_reads(op))
      break;
  }
  return (MlirOperation){NULL};
}

/* Do the parts stand in the number as in memory, or (backwards) the other way round? */
static bool in_order(const part *parts, size_t count, bool backwards) {
  const part *lowest = &parts[backwards ? count - 1 : 0];
  int64_t bytes = parts[0].bits / BYTE, gap;
  uw_address base = uw_address_in_64(uw_operand(lowest->load, 0));
  if (backwards && bytes != 1)
    return false;
  for (size_t i = 0; i < count; i++) {
    uw_address own = uw_address_in_64(uw_operand(parts[i].load, 0));
    int64_t position = (int64_t)(backwards ? count - 1 - i : i);
    if (parts[i].bits != parts[0].bits || parts[i].shift != parts[0].shift + i * parts[0].bits ||
        !uw_gap_between(&base, &own, &gap) || gap != position * bytes)
      return false;
  }
  return true;
}

/* The value of some bits, as it stands in the number. */
static MlirValue placed(uw_builder *b, const number *n, MlirValue value, unsigned shift) {
  MlirType type = mlirValueGetType(uw_result(n->root, 0));
  if (bits_of(value) < mlirIntegerTypeGetWidth(type))
    value = uw_build1(b, "arith.extui", .in = VALS(value), .out = TYPES(type));
  if (shift == 0)
    return value;
  return uw_binary(b, "arith.shli", value, uw_const_int(b, mlirIntegerTypeGetWidth(type), shift));
}

static MlirValue load_whole(part *parts, size_t count, bool backwards, MlirOperation last) {
  MlirOperation lowest = parts[backwards ? count - 1 : 0].load;
  MlirType narrow = mlirValueGetType(uw_result(lowest, 0));
  uw_builder b = uw_after(last);
  MlirType type = uw_int_type(b.context, (unsigned)count * parts[0].bits);
  int64_t alignment = uw_get_int_attr(lowest, "alignment", (int64_t)uw_type_align(narrow));
  MlirOperation load = uw_build(&b, "llvm.load", .in = VALS(uw_operand(lowest, 0)), .out = TYPES(type),
                                .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, alignment)}));
  MlirAttribute readonly = uw_get_attr(lowest, "unwarp.readonly");
  for (size_t i = 0; i < count; i++) {
    parts[i].joined = true;
    if (mlirAttributeIsNull(uw_get_attr(parts[i].load, "unwarp.readonly")))
      readonly = (MlirAttribute){NULL};
  }
  if (!mlirAttributeIsNull(readonly))
    uw_set_attr(load, "unwarp.readonly", readonly);
  MlirValue whole = uw_result(load, 0);
  return backwards ? uw_build1(&b, "llvm.intr.bswap", .in = VALS(whole), .out = TYPES(type)) : whole;
}

/* Loads as many parts at once as can be, from this one on; pushes the value where they could. */
static size_t join(number *n, size_t from, uw_builder *b) {
  for (size_t bytes = 8; bytes >= 2; bytes /= 2) {
    size_t count = bytes * BYTE / n->parts[from].bits;
    for (int backwards = 0; count >= 2 && from + count <= n->count && backwards < 2; backwards++) {
      part *parts = &n->parts[from];
      MlirOperation last = in_order(parts, count, backwards) ? last_of(parts, count) : (MlirOperation){NULL};
      if (uw_null(last))
        continue;
      uw_vals_push(n->arena, &n->others, placed(b, n, load_whole(parts, count, backwards, last), parts->shift));
      return count;
    }
  }
  return 0;
}

/* Is there a part that can be joined with another one? */
static bool join_all(number *n, uw_builder *b) {
  size_t joined = 0;
  for (size_t i = 0; i < n->count;) {
    size_t own = join(n, i, b);
    joined += own;
    i += own ? own : 1;
  }
  if (joined)
    uw_remark(mlirOperationGetLocation(n->root), "join-loads", "%d loads of neighbouring bytes are made at once",
              (int)joined);
  return joined != 0;
}

static bool join_number(uw_arena *arena, MlirOperation root) {
  number n = {.arena = arena, .root = root};
  unsigned bits = adds(root) ? bits_of(uw_result(root, 0)) : 0;
  if ((bits != 16 && bits != 32 && bits != 64) || !take_apart(&n, uw_operand(root, 0), 0, bits, 0) ||
      !take_apart(&n, uw_operand(root, 1), 0, bits, 0) || n.count < 2 || overlap(&n))
    return false;
  uw_builder b = uw_at(root);
  if (!join_all(&n, &b))
    return false;
  for (size_t i = 0; i < n.count; i++)
    if (!n.parts[i].joined)
      uw_vals_push(arena, &n.others, placed(&b, &n, uw_result(n.parts[i].load, 0), n.parts[i].shift));
  MlirValue whole = n.others.at[0];
  for (size_t i = 1; i < n.others.count; i++)
    whole = uw_binary(&b, uw_name(root).data, whole, n.others.at[i]);
  uw_replace_uses(uw_result(root, 0), whole);
  return true;
}

static bool join_in(uw_arena *arena, MlirOperation threads) {
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  bool changed = false;
  for (size_t i = loops.count; i-- > 0;) /* inner before outer */
    if (puts_together(loops.at[i])) {
      uw_write_out(arena, loops.at[i], trips_of(loops.at[i]));
      changed = true;
    }
  bool any_unused = changed;
  uw_ops ops = uw_collect(arena, threads);
  for (size_t i = ops.count; i-- > 0;) { /* whole numbers before their parts, which nothing uses then */
    bool unused = uw_unused(ops.at[i]);
    if (!unused && !join_number(arena, ops.at[i]))
      continue;
    bool is_part = adds(ops.at[i]) || uw_kind(ops.at[i]) == UW_OP_ARITH_SHLI || uw_kind(ops.at[i]) == UW_OP_ARITH_EXTUI;
    if (is_part)
      uw_erase(ops.at[i]);
    any_unused = true;
    changed = changed || is_part || !unused;
  }
  return (any_unused && uw_drop_unused(arena, threads)) || changed;
}

static bool join_both(uw_arena *arena, MlirOperation threads) {
  bool numbers = join_in(arena, threads);
  return uw_join_pairs(arena, threads) || numbers;
}

uw_change uw_pass_join_loads(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), join_both);
}
