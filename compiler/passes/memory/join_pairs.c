/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The second part of join-loads. Loads and stores two neighbouring elements of two bytes as the word that they are, as
 * half2 and short2 are made of:
 *
 *   %a = load %p : f16                       %w = load %p : i32
 *   %b = load %p[2] : f16              ==>   %a = bitcast (trunc %w), %b = bitcast (trunc (%w >> 16))
 *   store %c, %q; store %d, %q[2]            store (extend (bitcast %c) | extend (bitcast %d) << 16), %q
 *
 * Threads' pairs lie side by side, as words do; the halves of pairs are two bytes of every four, which lanes gather and
 * scatter one by one. Where a thread has more than two neighbours, as the eight halves of a float4, words are as far
 * apart as elements are, and LLVM knows how to take elements apart (a rectified gradient: 25 times as long with words).
 *
 * Done in loops over threads when a) the first element is known to be aligned as the word; b) both accesses are plain, in one
 * block; c) between the loads nothing writes, between the stores nothing reads, writes or waits; d) no access of the block
 * is to the element before or after the pair.
 *
 * Legal because both are accessed in any case, and other threads' accesses in between would be races. Preserves: order of
 * effects. Refuses: all else, silently. */
#include "../../analysis/access_map.h"
#include "../../ir/remarks.h"
#include "../passes.h"

enum { ELEMENT = 2, WORD = 2 * ELEMENT, BITS = 8 * ELEMENT };

static bool is_store(MlirOperation op) { return uw_kind(op) == UW_OP_LLVM_STORE; }
static MlirValue address_of(MlirOperation op) { return uw_operand(op, is_store(op)); }
static MlirType type_of(MlirOperation op) {
  return mlirValueGetType(is_store(op) ? uw_operand(op, 0) : uw_result(op, 0));
}

static bool is_element(MlirOperation op, uw_kind_t kind) {
  if (uw_kind(op) != kind || !uw_plain_access(op))
    return false;
  MlirType type = type_of(op);
  return (mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type)) && uw_type_bytes(type) == ELEMENT;
}

/* The first element of a pair? */
static bool is_first(MlirOperation op) { return uw_get_int_attr(op, "alignment", ELEMENT) % WORD == 0; }

/* The other element of the pair, the next one in the block; null if something stands in between that matters. Of loads the
 * first element comes first, where the word is loaded. */
static MlirOperation partner_of(uw_ops ops, size_t at) {
  MlirOperation own = ops.at[at];
  uw_address here = uw_address_in_64(address_of(own));
  for (size_t i = at + 1; i < ops.count; i++) {
    int64_t gap;
    if (is_element(ops.at[i], uw_kind(own))) {
      uw_address there = uw_address_in_64(address_of(ops.at[i]));
      if (uw_gap_between(&here, &there, &gap) &&
          ((gap == ELEMENT && is_first(own)) || (gap == -ELEMENT && is_first(ops.at[i]) && is_store(own))))
        return ops.at[i];
    }
    if (is_store(own) ? !uw_effect_free(ops.at[i]) : !uw_only_reads(ops.at[i]))
      break;
  }
  return (MlirOperation){NULL};
}

/* Is there an access to the element before or after the pair? */
static bool has_more(uw_ops ops, MlirOperation pair, MlirOperation other) {
  uw_address here = uw_address_in_64(address_of(pair)), second = uw_address_in_64(address_of(other));
  int64_t to_other, gap;
  if (!uw_gap_between(&here, &second, &to_other))
    return true;
  int64_t before = (to_other < 0 ? to_other : 0) - ELEMENT, after = (to_other < 0 ? 0 : to_other) + ELEMENT;
  for (size_t i = 0; i < ops.count; i++) {
    if (!is_element(ops.at[i], uw_kind(pair)))
      continue;
    uw_address there = uw_address_in_64(address_of(ops.at[i]));
    if (uw_gap_between(&here, &there, &gap) && (gap == before || gap == after))
      return true;
  }
  return false;
}

static MlirValue cast(uw_builder *b, MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : uw_build1(b, "arith.bitcast", .in = VALS(value), .out = TYPES(type));
}

static void join_loads(MlirOperation low, MlirOperation high) {
  uw_builder b = uw_at(low);
  MlirType word = uw_int_type(b.context, 2 * BITS), half = uw_int_type(b.context, BITS);
  MlirOperation load = uw_build(&b, "llvm.load", .in = VALS(address_of(low)), .out = TYPES(word),
                                .attrs = ATTRS({"alignment", uw_get_attr(low, "alignment")}));
  static const char *const kept[] = {"unwarp.readonly", "unwarp.restrict"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    MlirAttribute of_low = uw_get_attr(low, kept[i]), of_high = uw_get_attr(high, kept[i]);
    if (!mlirAttributeIsNull(of_low) && !mlirAttributeIsNull(of_high) && mlirAttributeEqual(of_low, of_high))
      uw_set_attr(load, kept[i], of_low);
  }
  MlirValue whole = uw_result(load, 0);
  MlirValue upper = uw_binary(&b, "arith.shrui", whole, uw_const_int(&b, 2 * BITS, BITS));
  MlirOperation loads[] = {low, high};
  for (size_t i = 0; i < 2; i++) {
    MlirValue bits = uw_build1(&b, "arith.trunci", .in = VALS(i ? upper : whole), .out = TYPES(half));
    uw_replace_uses(uw_result(loads[i], 0), cast(&b, bits, type_of(loads[i])));
  }
  uw_erase(low);
  uw_erase(high);
}

/* Where the later one of the two stands. */
static void join_stores(MlirOperation low, MlirOperation high, MlirOperation later) {
  uw_builder b = uw_at(later);
  MlirType word = uw_int_type(b.context, 2 * BITS), half = uw_int_type(b.context, BITS);
  MlirValue parts[2];
  MlirOperation stores[] = {low, high};
  for (size_t i = 0; i < 2; i++)
    parts[i] = uw_build1(&b, "arith.extui", .in = VALS(cast(&b, uw_operand(stores[i], 0), half)), .out = TYPES(word));
  MlirValue upper = uw_binary(&b, "arith.shli", parts[1], uw_const_int(&b, 2 * BITS, BITS));
  MlirOperation store =
      uw_build(&b, "llvm.store", .in = VALS(uw_binary(&b, "arith.ori", parts[0], upper), address_of(low)),
               .attrs = ATTRS({"alignment", uw_get_attr(low, "alignment")}));
  MlirAttribute of_low = uw_get_attr(low, "unwarp.restrict"), of_high = uw_get_attr(high, "unwarp.restrict");
  if (!mlirAttributeIsNull(of_low) && !mlirAttributeIsNull(of_high) && mlirAttributeEqual(of_low, of_high))
    uw_set_attr(store, "unwarp.restrict", of_low);
  uw_erase(low);
  uw_erase(high);
}

static bool join_in(uw_arena *arena, MlirBlock block) {
  uw_ops ops = uw_block_ops(arena, block);
  bool changed = false;
  for (size_t i = 0; i < ops.count; i++) {
    bool loads = is_element(ops.at[i], UW_OP_LLVM_LOAD), stores = is_element(ops.at[i], UW_OP_LLVM_STORE);
    MlirOperation own = ops.at[i], other = loads || stores ? partner_of(ops, i) : (MlirOperation){NULL};
    if (uw_null(other) || has_more(ops, own, other))
      continue;
    uw_remark(mlirOperationGetLocation(own), "join-loads", "two neighbouring elements are %s as one word",
              loads ? "loaded" : "stored");
    if (loads)
      join_loads(own, other);
    else if (is_first(own))
      join_stores(own, other, other);
    else
      join_stores(other, own, other);
    ops = uw_block_ops(arena, block);
    changed = true;
  }
  return changed;
}

static bool join_below(uw_arena *arena, MlirOperation op) {
  bool changed = false;
  for (size_t r = 0; r < (size_t)uw_region_count(op); r++)
    if (!mlirBlockIsNull(uw_block(op, r)))
      changed |= join_in(arena, uw_block(op, r));
  return changed;
}

bool uw_join_pairs(uw_arena *arena, MlirOperation threads) {
  uw_ops inside = uw_collect(arena, threads), around = {0}; /* accesses go, what is around them stays */
  bool changed = false;
  uw_ops_push(arena, &around, threads);
  for (size_t k = 0; k < inside.count; k++)
    if (uw_region_count(inside.at[k]))
      uw_ops_push(arena, &around, inside.at[k]);
  for (size_t k = 0; k < around.count; k++)
    changed = join_below(arena, around.at[k]) || changed;
  return changed;
}
