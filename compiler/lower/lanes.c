/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What LLVM's vectoriser is told of a loop over threads.
 *
 * That the iterations were parallel: each access in the body joins an access group that the loops declare free of
 * dependences between iterations. This holds because threads between two barriers may not race. It does not hold for a
 * thread's own stack memory, which all iterations share once it is one object: such accesses stay outside the group,
 * and so does every access of unknown base in a body that has stack memory.
 *
 * Short rows of unknown length become one vector with a mask (is_short_row).
 *
 * Two kinds of loops are told of otherwise: those of which LLVM would mix up what one thread does (mixes_up) are left
 * to its own checks, and those that would only scatter stay scalar. */
#include <stdlib.h>

#include "../analysis/thresholds.h"
#include "../analysis/access_map.h"
#include "../analysis/budget.h"
#include "../analysis/calls.h"
#include "../analysis/effects.h"
#include "../analysis/cpu.h"
#include "../ir/remarks.h"
#include "lower.h"

/* The operation that made the memory after an address; null if it came through memory, a branch or an argument. */
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

/* How many bytes one thread's address is from the next one's; 0: the same address, or one that is not a sum. *known:
 * false if the distance comes from outside of the loop. */
static int64_t distance(MlirOperation loop, const uw_address *address, bool *known) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue innermost = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  uw_stride stride = uw_stride_in(&address->offset, innermost);
  *known = stride.factor == 0;
  return stride.known ? stride.bytes + stride.factor : 0;
}

/* --- loops whose accesses LLVM would mix up ----------------------------------------------------------------------- */

static bool is_strided(const uw_access *access, int64_t apart) {
  return apart != 0 && (apart < 0 ? -apart : apart) > (int64_t)access->bytes;
}

/* May LLVM make one wide access of the two, of the same kind, in the place of one of them? */
static bool may_join(MlirOperation loop, const uw_access *a, const uw_access *b) {
  bool known_a, known_b;
  if (a->writes != b->writes || a->bytes != b->bytes || !uw_same(a->address.base, b->address.base))
    return false;
  int64_t apart_a = distance(loop, &a->address, &known_a), apart_b = distance(loop, &b->address, &known_b);
  if (!known_a || !known_b || apart_a != apart_b || !is_strided(a, apart_a))
    return false;
  int64_t gap;
  return !uw_gap_between(&a->address, &b->address, &gap) || llabs(gap) < llabs(apart_a);
}

/* LLVM joins neighbouring strided accesses of one iteration, loads where the first one stands and stores where the last
 * one does. In a loop that is said to have no dependences it does not ask whether that passes by another access of the
 * same thread to the same address. */
static bool mixes_up(MlirOperation loop, uw_arena *arena) {
  enum { MOST_STRIDED = 200 /* bound of pairs to compare */ };
  uw_effects *effects = uw_effects_of(arena, loop);
  uw_accesses list = {0};
  uw_effects_inside(effects, loop, &list);
  bool *strided = uw_alloc(arena, (list.count + 1) * sizeof *strided), known;
  size_t count = 0;
  for (size_t i = 0; i < list.count; i++)
    count += strided[i] = !list.at[i].anywhere && is_strided(&list.at[i], distance(loop, &list.at[i].address, &known));
  if (count > MOST_STRIDED)
    return true;
  for (size_t i = 0; i < list.count; i++)
    for (size_t k = i + 2; strided[i] && k < list.count; k++) {
      if (!strided[k] || !may_join(loop, &list.at[i], &list.at[k]))
        continue;
      const uw_access *moved = list.at[i].writes ? &list.at[i] : &list.at[k];
      for (size_t between = i + 1; between < k; between++)
        if ((moved->writes || list.at[between].writes) &&
            uw_meets_itself(uw_effects_launch(effects), moved, &list.at[between]))
          return true;
    }
  return false;
}

/* --- loops that do better without vectors ------------------------------------------------------------------------- */

/* Steps of a tree in memory, and diagonals: each thread stores beside what no thread of the loop stores to, and
 * computes next to nothing. In vectors these are scatters, which take as long as stores one by one, after gathers,
 * which take longer than loads. */
static bool only_scatters(MlirOperation loop, const uw_ops *ops) {
  enum { MOST_STORES = 8 };
  int64_t filled[MOST_STORES] = {0}; /* bytes stored to, for each distance */
  int64_t distances[MOST_STORES];
  size_t count = 0, work = 0, accesses = 0;
  bool scatters = false;
  for (size_t i = 0; i < ops->count; i++) {
    uw_kind_t kind = uw_kind(ops->at[i]);
    MlirType type = uw_result_count(ops->at[i]) == 1 ? mlirValueGetType(uw_result(ops->at[i], 0)) : (MlirType){NULL};
    if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE || kind == UW_OP_LLVM_CALL ||
        uw_name_starts(ops->at[i], "math."))
      return false;
    if (!mlirTypeIsNull(type) && mlirTypeIsAFloat(type))
      work += kind == UW_OP_ARITH_DIVF ? UW_SCATTER_WORK : 1;
    accesses += kind == UW_OP_LLVM_LOAD;
    if (kind != UW_OP_LLVM_STORE)
      continue;
    bool known;
    int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(ops->at[i], 0)));
    uw_address address = uw_address_of(uw_operand(ops->at[i], 1));
    int64_t apart = distance(loop, &address, &known);
    accesses++;
    if (apart == 0)
      return false; /* one address for all, or any address: not this kind of loop */
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
  return scatters && work < UW_SCATTER_WORK * accesses;
}

/* Atomic operations keep a loop scalar. Where it does little else, LLVM writes a few iterations out. */
MlirAttribute uw_annotate_counting(MlirOperation loop, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, loop);
  bool counts = false;
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_region_count(ops.at[i]) != 0 || uw_kind(ops.at[i]) == UW_OP_LLVM_CALL)
      return (MlirAttribute){NULL};
    counts = counts || (uw_kind(ops.at[i]) == UW_OP_LLVM_ATOMICRMW && uw_unused(ops.at[i]) &&
                        uw_kind(uw_address_root(uw_operand(ops.at[i], 0))) == UW_OP_SHARED);
  }
  return counts && ops.count <= UW_COUNTING_MOST_OPS
             ? uw_attr(mlirOperationGetContext(loop), "#llvm.loop_annotation<unroll = <count = 4 : i32>>")
             : (MlirAttribute){NULL};
}

/* --- short rows --------------------------------------------------------------------------------------------------- */

/* Is the value at most UW_MASKED_MOST_UNKNOWN, by minima with sign? analysis/bounds.h knows of minui(32, …) too, the
 * lanes of a warp that are left. These are 32 mostly, which need no mask. */
static bool is_short(MlirValue bound, int depth) {
  enum { DEEPEST = 8 };
  int64_t number;
  if (uw_const_value(bound, &number))
    return number <= UW_MASKED_MOST_UNKNOWN;
  MlirOperation op = uw_def(bound);
  if (depth == DEEPEST || uw_null(op) || uw_operand_count(op) != 2)
    return false;
  bool left = is_short(uw_operand(op, 0), depth + 1), right = is_short(uw_operand(op, 1), depth + 1);
  return uw_string_is(uw_name(op), "arith.minsi") ? left || right
                                                  : uw_string_is(uw_name(op), "arith.maxsi") && left && right;
}

/* Part of a row that a block's width bounds, as what a tile with a halo computes: most of them are shorter than LLVM's
 * vectors, which leaves them to its loop for the remainder, scalar. A mask makes one vector of them, where the CPU has
 * masks (AVX-512). */
static bool is_short_row(MlirOperation loop, const uw_ops *ops) {
  if (!uw_target_of(loop).has_masks)
    return false;
  size_t dims = uw_dims(loop);
  MlirValue from = uw_lower_of(loop, dims - 1), to = uw_upper_of(loop, dims - 1);
  int64_t number;
  if ((uw_const_value(from, &number) && uw_const_value(to, &number)) || !is_short(to, 0))
    return false;
  for (size_t i = 0; i < ops->count; i++)
    if (uw_region_count(ops->at[i]) != 0 || uw_kind(ops->at[i]) == UW_OP_LLVM_CALL)
      return false;
  return true;
}

/* How many lanes a row has that is known to be shorter than a register, rounded up to what registers have; 0: it is
 * longer, fits anyway, or has more to it than straight code. One vector under a constant mask: left alone, LLVM makes a
 * loop of two narrower ones. */
static int64_t lanes_of_row(MlirOperation loop, const uw_ops *ops) {
  size_t dims = uw_dims(loop);
  int64_t from, to, lanes = 8;
  if (!uw_target_of(loop).has_masks || !uw_const_value(uw_lower_of(loop, dims - 1), &from) ||
      !uw_const_value(uw_upper_of(loop, dims - 1), &to) || to - from < UW_MASKED_FEWEST || to - from > UW_MASKED_MOST)
    return 0;
  for (size_t i = 0; i < ops->count; i++)
    if (uw_region_count(ops->at[i]) != 0 || uw_kind(ops->at[i]) == UW_OP_LLVM_CALL)
      return 0;
  while (lanes < to - from)
    lanes *= 2;
  return lanes == to - from ? 0 : lanes;
}

/* --- the annotation ----------------------------------------------------------------------------------------------- */

/* A known, small number of vectors, each of which does little: LLVM may write them out, so that what threads hand over
 * in slots, or carry from one iteration of a serial loop to the next, stays in registers. Not before they are
 * vectors. */
static bool is_few_vectors(MlirOperation loop, const uw_ops *ops) {
  enum { WARP = 32 };
  size_t dims = uw_dims(loop);
  int64_t lower, upper, threads = 1;
  if (!mlirAttributeIsNull(uw_get_attr(loop, UW_WRITTEN_OUT)))
    return true;
  for (size_t d = 0; d < dims; d++) {
    if (!uw_const_value(uw_lower_of(loop, d), &lower) || !uw_const_value(uw_upper_of(loop, d), &upper) || lower != 0 ||
        upper < 1 || (d + 1 < dims && upper != 1))
      return false;
    threads = upper;
  }
  if (uw_is_over(loop, UW_OVER_LANES))
    return threads == WARP;
  uw_target target = uw_target_of(loop);
  int64_t lanes = uw_lanes_for(&target, 4);
  for (size_t i = 0; i < ops->count; i++)
    if (uw_region_count(ops->at[i]) != 0 || uw_kind(ops->at[i]) == UW_OP_LLVM_CALL)
      return false;
  int64_t most = uw_kind(uw_parent(loop)) == UW_OP_SCF_FOR ? UW_FEW_VECTORS_CARRIED : UW_FEW_VECTORS;
  return lanes > 0 && threads % lanes == 0 && threads / lanes <= most && ops->count <= UW_FEW_VECTORS_OPS;
}

/* The last iterations of a tree in shared memory: so few threads that LLVM writes them out, and hands over in registers
 * what one iteration stores and the next one loads. In vectors each iteration would wait for a part of a wider
 * store. */
static bool is_tip_of_tree(MlirOperation loop, const uw_ops *ops) {
  size_t dims = uw_dims(loop);
  int64_t lower, upper = 1;
  bool stores = false, loads = false;
  for (size_t d = 0; d < dims; d++)
    if (!uw_const_value(uw_lower_of(loop, d), &lower) || !uw_const_value(uw_upper_of(loop, d), &upper) || lower != 0 ||
        (d + 1 < dims ? upper != 1 : upper < 2 || upper > UW_TIP_THREADS))
      return false;
  for (size_t i = 0; i < ops->count; i++) {
    bool store = uw_kind(ops->at[i]) == UW_OP_LLVM_STORE;
    if (uw_region_count(ops->at[i]) != 0 || uw_kind(ops->at[i]) == UW_OP_LLVM_CALL)
      return false;
    if ((store || uw_kind(ops->at[i]) == UW_OP_LLVM_LOAD) &&
        (!uw_plain_access(ops->at[i]) || uw_kind(uw_address_root(uw_operand(ops->at[i], store))) != UW_OP_SHARED))
      return false;
    stores = stores || store;
    loads = loads || uw_kind(ops->at[i]) == UW_OP_LLVM_LOAD;
  }
  return stores && loads && ops->count <= UW_TIP_OPS;
}

MlirAttribute uw_annotate_lanes(MlirOperation loop, uw_arena *arena) {
  MlirContext context = mlirOperationGetContext(loop);
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) /* threads meet in what the checker keeps of their accesses */
    if (uw_is_check(ops.at[i]))
      return uw_attr(context, "#llvm.loop_annotation<unroll = <disable = true>>");
  if (uw_stays_small(loop))
    return uw_attr(context, "#llvm.loop_annotation<unroll = <disable = true>, vectorize = <disable = true>>");
  if (!mlirAttributeIsNull(uw_get_attr(loop, UW_ONE_BY_ONE)))
    return uw_attr(context, "#llvm.loop_annotation<vectorize = <disable = true>>");
  if (is_tip_of_tree(loop, &ops))
    return uw_attr(context, "#llvm.loop_annotation<unroll = <full = true>>");
  if (only_scatters(loop, &ops)) {
    uw_remark(mlirOperationGetLocation(loop), "lanes", "threads store far apart and compute little: no SIMD lanes");
    return uw_attr(context, "#llvm.loop_annotation<vectorize = <disable = true>>");
  }
  if (mixes_up(loop, arena)) {
    uw_remark(mlirOperationGetLocation(loop), "lanes",
              "threads come back to strided addresses of their own: SIMD lanes if LLVM finds them safe");
    return uw_attr(context, "#llvm.loop_annotation<unroll = <disable = true>>");
  }
  int64_t lanes = lanes_of_row(loop, &ops);
  const char *vectors =
      lanes ? uw_arena_format(arena, ", vectorize = <predicateEnable = true, width = %lld : i32>", (long long)lanes)
      : is_few_vectors(loop, &ops) ? ", vectorize = <followupVectorized = #llvm.loop_annotation<"
                                     "vectorize = <disable = true>, "
                                     "parallelAccesses = #llvm.access_group<id = distinct[0]<>>>>"
      : is_short_row(loop, &ops)   ? ", vectorize = <predicateEnable = true>"
                                   : "";
  /* One text, so that all mean the same distinct identity. */
  MlirAttribute both = uw_attr(
      context,
      uw_arena_format(arena,
                      "[#llvm.access_group<id = distinct[0]<>>, #llvm.loop_annotation<unroll = <disable = true>%s, "
                      "parallelAccesses = #llvm.access_group<id = distinct[0]<>>>]",
                      vectors));
  MlirAttribute group = mlirArrayAttrGetElement(both, 0);
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
