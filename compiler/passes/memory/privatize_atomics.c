/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lets each worker keep its own tally of what its blocks add, by atomic operations without a result, to a few addresses
 * that are the same in all blocks: totals of the grid, bins of a histogram. The worker adds its tally to the addresses
 * once, after its last block.
 *
 *   grid (%b) {                                          grid (%b) {
 *     parallel (%t) to 128 {                               %own = tally of 128 values, for %total
 *       %x = load %sums[%t]                   ==>          parallel (%t) to 128 {
 *       atomicrmw add %total[%t], %x } }                     atomicrmw add %own[%t], %x } }      nobody else's: lower/atomics.c
 *
 * Before that, queues that threads append to have buffers (privatize_appends.c).
 *
 * Done when a) the operation is relaxed, on a value of 32 or 64 bits, of a kind whose order and grouping do not
 * matter, and nobody asks for its result. Sums of floating-point values round differently when they are grouped, but
 * CUDA fixes no order of theirs either; where UW_ATOMICS_IN_ORDER is on the module, they are left alone; b) its address
 * is one from before the launch plus a value whose bounds are known, and all of them lie
 * within UW_MOST_TALLY; c) the kernel has no other means of telling another block how far this one is: no fence, no
 * volatile access, no atomic operation whose result is used, no call; d) what else may touch these addresses is another
 * object's, or comes before in the block and in no loop with it, or is such an operation of the same kind and size.
 *
 * Legal because no order holds between what two blocks do, as long as neither waits for the other: a block may find the
 * addresses as if those that this worker had before were still at their operations. A thread's own order is kept by d),
 * and that between threads of a block too. An address that no block came to is not touched: its tally is still what it
 * starts with.
 *
 * Requires: barriers lowered; runs late, so that other passes need not know of tallies. Preserves: what is in memory
 * after the launch. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/bases.h"
#include "../../analysis/bounds.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../../runtime/uwrt.h"
#include "../../raise/raise.h"
#include "grid_atomics.h"

enum { MOST_TALLIES = 16, UNBOUND = INT32_MAX };

/* Operations of one kind at sums over one address. */
typedef struct tally {
  MlirValue base;
  MlirType type;
  int64_t kind, from, bytes; /* the operations are at addresses from `from` to less than `bytes` after the base */
  uw_ops atomics;
  bool refused;
} tally;

typedef struct launch {
  uw_arena *arena;
  MlirOperation grid;
  bool keeps_order; /* of sums of floating-point values */
  tally tallies[MOST_TALLIES];
  size_t count;
  uw_accesses others; /* of memory that is not the block's own */
} launch;

static int64_t at_most(int64_t number) { return number < 0 || number > UNBOUND ? UNBOUND : number; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* --- reach -------------------------------------------------------------------------------------------------------- */

/* How far the access reaches after the address from before the launch that it goes from, which is put into *base: so
 * many bytes, *from of which it surely leaves out. UNBOUND if that is not known, or if it is not a whole number of its
 * own size from there. */
static int64_t reach_of(const launch *l, MlirValue address, int64_t size, MlirValue *base, int64_t *from) {
  int64_t bytes = size, number;
  *from = 0;
  MlirOperation gep;
  for (; uw_defined_inside(address, l->grid); address = uw_operand(gep, 0)) {
    gep = uw_def(address);
    if (uw_kind(gep) != UW_OP_LLVM_GEP) /* nor is there one where a loop carries the address */
      return UNBOUND;
    MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
    if (mlirAttributeIsNull(constants) || mlirDenseArrayGetNumElements(constants) != 1)
      return UNBOUND;
    int32_t raw = mlirDenseI32ArrayGetElement(constants, 0);
    int64_t scale = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(element));
    bool is_constant = raw != INT32_MIN || uw_const_value(uw_operand(gep, 1), &number);
    number = raw != INT32_MIN ? raw : is_constant ? number : 0;
    int64_t most = is_constant ? at_most(number) : at_most(uw_most_of_count(uw_operand(gep, 1)));
    if (most == UNBOUND || scale > UW_MOST_TALLY || (is_constant ? number * scale : scale) % size != 0)
      return UNBOUND;
    bytes = at_most(bytes + most * scale);
    *from += is_constant ? number * scale : 0;
  }
  *base = address;
  return bytes;
}

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* The kind of tally that would do for it. */
static int64_t kind_of(MlirOperation atomic) {
  enum { SUBTRACT = 2, SUBTRACT_FLOATS = 12 };
  int64_t kind = uw_get_int_attr(atomic, "bin_op", -1);
  return kind == SUBTRACT ? UWRT_TALLY_ADD : kind == SUBTRACT_FLOATS ? UWRT_TALLY_FADD : kind;
}

static unsigned bits_of(MlirType type) {
  bool is_float = mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
  return is_float ? mlirFloatTypeGetWidth(type) : mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

/* Takes the operation along; false if it does not fit. */
static bool take_along(launch *l, MlirOperation atomic) {
  int64_t kind = kind_of(atomic);
  MlirType type = mlirValueGetType(uw_operand(atomic, 1));
  unsigned bits = bits_of(type);
  MlirValue base = {NULL};
  int64_t from;
  bool is_whole =
      kind == UWRT_TALLY_ADD || kind == UWRT_TALLY_AND || (kind >= UWRT_TALLY_OR && kind <= UWRT_TALLY_UMIN);
  if ((bits != 32 && bits != 64) || !(is_whole || (kind == UWRT_TALLY_FADD && !l->keeps_order)))
    return false;
  int64_t bytes = reach_of(l, uw_operand(atomic, 0), bits / 8, &base, &from);
  if (bytes > UW_MOST_TALLY)
    return false;
  tally *t = l->tallies, *end = l->tallies + l->count;
  while (t < end && !(uw_same(t->base, base) && t->kind == kind && mlirTypeEqual(t->type, type)))
    t++;
  if (l->count == MOST_TALLIES && t == end)
    return false;
  if (t == end) {
    *t = (tally){.base = base, .type = type, .kind = kind, .from = from};
    l->count++;
  }
  t->from = smaller(t->from, from);
  t->bytes = larger(t->bytes, bytes);
  uw_ops_push(l->arena, &t->atomics, atomic);
  return true;
}

/* Sorts what the blocks touch; false if something in them may tell others how far they are. */
static bool look_at_accesses(launch *l) {
  uw_accesses all = {0};
  if (uw_collect_kind(l->arena, l->grid, UW_OP_BARRIER).count) /* of the grid */
    return false;
  uw_accesses_inside(l->arena, l->grid, &all);
  l->others = (uw_accesses){uw_alloc(l->arena, (all.count + 1) * sizeof *all.at), 0, all.count};
  for (size_t i = 0; i < all.count; i++) {
    MlirOperation op = all.at[i].op;
    bool atomic = uw_is_atomic(op);
    if (uw_is_silent(op) || ((atomic || uw_plain_access(op)) && uw_is_of_block(op)))
      continue;
    if (atomic && !(uw_kind(op) == UW_OP_LLVM_ATOMICRMW && uw_is_relaxed(op) && uw_unused(op)))
      return false;
    if (!atomic && all.at[i].anywhere && !uw_name_starts(op, "llvm.intr.masked."))
      return false;
    if (!atomic || !take_along(l, op))
      l->others.at[l->others.count++] = all.at[i];
  }
  return true;
}

static bool is_before(MlirOperation a, MlirOperation b) {
  while (!uw_null(a) && !uw_same_op(a, b))
    a = uw_next(a);
  return !uw_null(a);
}

static MlirOperation below(MlirOperation op, MlirOperation around) {
  while (!uw_same_op(uw_parent(op), around))
    op = uw_parent(op);
  return op;
}

/* Does a block make the first of the two, in any thread or the same one, before the second? What different threads do
 * between two barriers has no order. */
static bool comes_before(const launch *l, MlirOperation first, MlirOperation second) {
  MlirOperation around = uw_parent(first);
  while (!uw_inside(second, around))
    around = uw_parent(around);
  MlirOperation a = below(first, around), b = below(second, around);
  if (!mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b)) || uw_same_op(a, b) || !is_before(a, b))
    return false;
  for (; !uw_same_op(around, l->grid); around = uw_parent(around))
    if (uw_kind(around) == UW_OP_SCF_FOR || uw_kind(around) == UW_OP_SCF_WHILE)
      return false;
  return true;
}

static bool comes_before_all(const launch *l, MlirOperation op, const tally *t) {
  for (size_t i = 0; i < t->atomics.count; i++)
    if (!comes_before(l, op, t->atomics.at[i]))
      return false;
  return true;
}

static uw_access access_of(const tally *t) {
  MlirOperation op = t->atomics.at[0];
  return (uw_access){.op = op, .reads = true, .writes = true, .address = uw_address_of(uw_operand(op, 0))};
}

static bool lies_apart(const launch *l, const tally *t, const uw_access *other) {
  uw_access own = access_of(t);
  return !other->anywhere && uw_bases_distinct(l->grid, &own, other);
}

/* An operation of the tally's kind, at an address that is not known: no order matters between them. */
static bool is_alike(const tally *t, const uw_access *other) {
  return uw_kind(other->op) == UW_OP_LLVM_ATOMICRMW && kind_of(other->op) == t->kind &&
         mlirTypeEqual(mlirValueGetType(uw_operand(other->op, 1)), t->type);
}

static void refuse_meetings(launch *l) {
  for (size_t i = 0; i < l->count; i++) {
    tally *t = &l->tallies[i];
    for (size_t k = 0; k < l->others.count && !t->refused; k++)
      t->refused = !is_alike(t, &l->others.at[k]) && !lies_apart(l, t, &l->others.at[k]) &&
                   !comes_before_all(l, l->others.at[k].op, t);
    for (size_t k = 0; k < l->count && !t->refused; k++) {
      const tally *other = &l->tallies[k];
      uw_access access = access_of(other);
      bool alike = other->kind == t->kind && mlirTypeEqual(other->type, t->type);
      bool beside = uw_same(other->base, t->base) && (other->from >= t->bytes || t->from >= other->bytes);
      t->refused = !alike && !beside && !lies_apart(l, t, &access);
    }
  }
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static MlirValue rebased(uw_builder *b, MlirValue address, const tally *t, uw_map *map) {
  if (uw_same(address, t->base))
    return uw_map_get(map, address);
  MlirValue below = rebased(b, uw_operand(uw_def(address), 0), t, map);
  MlirOperation copy = uw_clone(b, uw_def(address), map);
  mlirOperationSetOperand(copy, 0, below);
  return uw_result(copy, 0);
}

static void keep_tally(const launch *l, const tally *t) {
  uw_builder b = uw_at_start(uw_block(l->grid, 0), mlirOperationGetLocation(t->atomics.at[0]));
  MlirValue own = uw_build1(&b, "unwarp.tally", .in = VALS(t->base), .out = TYPES(uw_ptr_type(b.context)),
                            .attrs = ATTRS({"bytes", uw_int_attr(b.context, 64, t->bytes)},
                                           {"bits", uw_int_attr(b.context, 64, bits_of(t->type))},
                                           {"kind", uw_int_attr(b.context, 64, t->kind)}));
  for (size_t i = 0; i < t->atomics.count; i++) {
    uw_map *map = uw_map_create(l->arena);
    uw_map_set(map, t->base, own);
    uw_builder at = uw_at(t->atomics.at[i]);
    mlirOperationSetOperand(t->atomics.at[i], 0, rebased(&at, uw_operand(t->atomics.at[i], 0), t, map));
    uw_remark(mlirOperationGetLocation(t->atomics.at[i]), "privatize-atomics",
              "atomic operation on a few addresses: each worker keeps a tally of its own of at most %d bytes",
              (int)t->bytes);
  }
}

uw_change uw_pass_privatize_atomics(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = uw_privatize_appends(ctx->arena, root);
  bool keeps_order = !mlirAttributeIsNull(uw_get_attr(root, UW_ATOMICS_IN_ORDER));
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    launch l = {.arena = ctx->arena, .grid = loops.at[i], .keeps_order = keeps_order};
    if (!uw_is_over(l.grid, UW_OVER_BLOCKS) || uw_collect_kind(ctx->arena, l.grid, UW_OP_LLVM_ATOMICRMW).count == 0)
      continue;
    if (!look_at_accesses(&l))
      continue;
    refuse_meetings(&l);
    for (size_t k = 0; k < l.count; k++)
      if (!l.tallies[k].refused) {
        keep_tally(&l, &l.tallies[k]);
        change = UW_CHANGED;
      }
  }
  return change;
}
