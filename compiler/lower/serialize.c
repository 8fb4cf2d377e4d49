/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * After barrier lowering no thread of a block waits for another one, so a block's threads run one after the other in the
 * worker that has the block:
 *
 *   scf.parallel (%z, %y, %x) {unwarp.level = "block"}   ==>   scf.for %z { scf.for %y { scf.for %x { … } } }
 *
 * The same for the levels "warp" and "lane". Only the grid loop stays parallel.
 *
 * That the iterations were parallel is kept for LLVM's vectoriser: each access in the body joins an access group that the
 * loops declare free of dependences between iterations. This holds because threads between two barriers may not race.
 * It does not hold for a thread's own stack memory, which all iterations share once it is one object: such accesses stay
 * outside the group, and so does every access of unknown base in a body that has stack memory.
 * Loops that would only scatter are kept out of the vectoriser.
 */
#include "../analysis/linear.h"
#include "../ir/remarks.h"
#include "../raise/raise.h"
#include "lower.h"

/* The operation that made the memory behind an address; null if it came through memory, a branch or an argument. */
static MlirOperation base_of(MlirValue address) {
  MlirOperation op = uw_def(address);
  while (!uw_null(op) && (uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST)) {
    address = uw_operand(op, 0);
    op = uw_def(address);
  }
  return op;
}

/* Defined before the loop: it cannot be the address of memory made inside. */
static bool from_outside(MlirValue address, MlirOperation loop) {
  while (uw_defined_inside(address, loop)) {
    MlirOperation op = uw_def(address);
    if (uw_null(op) || (uw_kind(op) != UW_OP_LLVM_GEP && uw_kind(op) != UW_OP_LLVM_BITCAST))
      return false;
    address = uw_operand(op, 0);
  }
  return true;
}

static void join_group(MlirOperation access, MlirAttribute group) {
  MlirContext context = mlirOperationGetContext(access);
  MlirAttribute old = uw_get_attr(access, "access_groups");
  intptr_t count = mlirAttributeIsNull(old) ? 0 : mlirArrayAttrGetNumElements(old);
  MlirAttribute groups[count + 1];
  for (intptr_t i = 0; i < count; i++)
    groups[i] = mlirArrayAttrGetElement(old, i);
  groups[count] = group;
  uw_set_attr(access, "access_groups", mlirArrayAttrGet(context, count + 1, groups));
}

/* --- loops that do better without vectors ------------------------------------------------------------------------- */

/* How many bytes one thread's place is from the next one's; 0: the same place, or one that is not a sum. *known: false if the
 * distance comes from outside of the loop. */
static int64_t distance(MlirOperation loop, MlirValue address, bool *known) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue innermost = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  uw_linear offset = uw_address_of(address).offset;
  int64_t factor = 0;
  *known = true;
  for (size_t i = 0; offset.known && i < offset.count; i++) {
    const uw_term *term = &offset.terms[i];
    bool first = uw_same(term->symbol, innermost), second = term->scale.ptr && uw_same(term->scale, innermost);
    if (first || second)
      factor += term->factor;
    *known = *known && !(term->scale.ptr && (first || second));
  }
  return factor;
}

/* Steps of a tree in memory, and diagonals: each thread stores beside what no thread of the loop stores to, and computes next to
 * nothing. In vectors these are scatters, which take as long as stores one by one, after gathers, which take longer than loads. */
static bool only_scatters(MlirOperation loop, const uw_ops *ops) {
  enum { WORK_WORTH_IT = 6, MOST_STORES = 8 };
  int64_t filled[MOST_STORES] = {0}; /* bytes stored to, for each distance */
  int64_t distances[MOST_STORES];
  size_t count = 0, work = 0, accesses = 0;
  bool scatters = false;
  for (size_t i = 0; i < ops->count; i++) {
    uw_kind_t kind = uw_kind(ops->at[i]);
    MlirType type = uw_result_count(ops->at[i]) == 1 ? mlirValueGetType(uw_result(ops->at[i], 0)) : (MlirType){NULL};
    if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE || kind == UW_OP_LLVM_CALL || uw_name_starts(ops->at[i], "math."))
      return false;
    if (!mlirTypeIsNull(type) && mlirTypeIsAFloat(type))
      work += kind == UW_OP_ARITH_DIVF ? WORK_WORTH_IT : 1;
    accesses += kind == UW_OP_LLVM_LOAD;
    if (kind != UW_OP_LLVM_STORE)
      continue;
    bool known;
    int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(ops->at[i], 0)));
    int64_t apart = distance(loop, uw_operand(ops->at[i], 1), &known);
    accesses++;
    if (apart == 0)
      return false; /* one place for all, or any place: not this kind of loop */
    scatters = scatters || !known;
    apart = apart < 0 ? -apart : apart;
    size_t k = 0;
    while (k < count && distances[k] != apart)
      k++;
    if (k == count && count++ == MOST_STORES)
      return false;
    distances[k] = apart;
    filled[k] += bytes;
  }
  for (size_t k = 0; k < count; k++)
    scatters = scatters || filled[k] < distances[k];
  return scatters && work < WORK_WORTH_IT * accesses;
}

/* Puts the accesses of the loop's body into a fresh group; gives the annotation for the loops. */
static MlirAttribute annotate(MlirOperation loop, uw_arena *arena) {
  MlirContext context = mlirOperationGetContext(loop);
  uw_ops inside = uw_collect(arena, loop);
  const char *how = only_scatters(loop, &inside) ? "vectorize = <disable = true>" : "unroll = <disable = true>";
  /* One text, so that both mean the same distinct identity. */
  MlirAttribute both = uw_attr(context, uw_arena_format(arena, "[#llvm.access_group<id = distinct[0]<>>, "
                                                               "#llvm.loop_annotation<%s, "
                                                               "parallelAccesses = #llvm.access_group<id = distinct[0]<>>>]", how));
  MlirAttribute group = mlirArrayAttrGetElement(both, 0);
  uw_ops ops = uw_collect(arena, loop);
  bool has_stack = false;
  for (size_t i = 0; i < ops.count; i++)
    has_stack |= uw_kind(ops.at[i]) == UW_OP_LLVM_ALLOCA;
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    if (kind != UW_OP_LLVM_LOAD && kind != UW_OP_LLVM_STORE)
      continue;
    MlirValue address = uw_operand(ops.at[i], kind == UW_OP_LLVM_STORE);
    bool own_stack = uw_kind(base_of(address)) == UW_OP_LLVM_ALLOCA && !from_outside(address, loop);
    if (!own_stack && (!has_stack || from_outside(address, loop)))
      join_group(ops.at[i], group);
  }
  return mlirArrayAttrGetElement(both, 1);
}

/* Says what kind of loop this is, at the first place in its body that the source knows. */
static void remark(MlirOperation loop, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, loop);
  bool straight = true, calls = false;
  MlirOperation first = {NULL};
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    straight = straight && kind != UW_OP_SCF_FOR && kind != UW_OP_SCF_WHILE;
    calls = calls || kind == UW_OP_LLVM_CALL;
    if (uw_null(first) && (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE || kind == UW_OP_LLVM_CALL))
      first = ops.at[i];
  }
  if (!uw_null(first))
    uw_remark(mlirOperationGetLocation(first), "lower", "threads of a block run one after the other in their worker: %s",
              !straight ? "each has a loop of its own" : calls ? "each makes a call" : "one loop, for SIMD lanes where it pays");
}

static void serialize(MlirOperation loop, uw_arena *arena, bool note_threads) {
  MlirOperation function = uw_parent_of_kind(loop, UW_OP_FUNC);
  bool replay = !uw_null(function) && !mlirAttributeIsNull(uw_get_attr(function, UW_REPLAY));
  if (!replay && uw_remarks_form() != UW_REMARKS_NONE)
    remark(loop, arena);
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  MlirAttribute annotation = annotate(loop, arena);
  uw_note_threads(loop, note_threads || replay);
  uw_builder b = uw_at(loop);
  for (size_t d = 0; d < dims; d++) {
    MlirOperation serial = uw_build_for(&b, uw_operand(loop, d), uw_operand(loop, dims + d),
                                        uw_operand(loop, 2 * dims + d), (uw_value_list){0});
    uw_set_attr(serial, "loop_annotation", annotation);
    MlirBlock inner = uw_block(serial, 0);
    uw_yield(inner, b.location, (uw_value_list){0});
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)d), mlirBlockGetArgument(inner, 0));
    b = uw_at_end(inner, b.location);
  }
  uw_foreach_op_safe(op, body)
    if (uw_kind(op) != UW_OP_SCF_REDUCE)
      uw_move_to_end(op, b.block);
  uw_erase(loop);
}

void uw_lower_thread_loops(MlirModule module, uw_arena *arena, bool note_threads) {
  uw_ops loops = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_SCF_PARALLEL);
  for (size_t i = loops.count; i-- > 0;)
    if (!uw_attr_is_str(loops.at[i], "unwarp.level", "grid"))
      serialize(loops.at[i], arena, note_threads);
}
