/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What fits: see scalar_replace.c. */
#include "../../analysis/thresholds.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "sums.h"

enum { MOST_ACCESSES = 64, MOST_LOADS = 16 }; /* bounds of a search */
enum { HALF_PAGE = 2048 };                    /* bytes, of the smallest pages */

/* --- what fits ---------------------------------------------------------------------------------------------------- */

static bool is_at_top(const uw_sums *a, MlirOperation op) { return uw_same_op(uw_parent(op), a->loop); }

/* Only arithmetic, branches, loops, and plain loads and stores. */
static bool holds_nothing_else(const uw_sums *a) {
  uw_ops ops = uw_collect(a->arena, a->loop);
  for (size_t i = 0; i < ops.count; i++)
    if (!uw_plain_access(ops.at[i]) && !uw_effect_free(ops.at[i]) && uw_region_count(ops.at[i]) == 0 &&
        !uw_name_starts(ops.at[i], "scf."))
      return false;
  return !uw_has_exchange(a->loop, "block") && !uw_has_exchange(a->loop, "warp");
}

static bool is_invariant(const uw_sums *a, MlirValue value) {
  return uw_computable_outside(a->arena, value, a->loop, NULL);
}

/* Is the address something that does not change in the loop, plus the counter times such a thing? Then it is enough to
 * look at where the access goes in the first iteration and in the last. */
static bool can_check(const uw_sums *a, const uw_access *access) {
  const uw_linear *offset = &access->address.offset;
  size_t counting = 0;
  for (size_t i = 0; offset->known && i < offset->count; i++) {
    MlirValue parts[] = {offset->terms[i].symbol, offset->terms[i].scale};
    bool counts = false;
    for (size_t k = 0; k < 2; k++) {
      bool is_counter = parts[k].ptr && uw_same(parts[k], uw_sum_counter(a));
      if ((is_counter && counts) || (parts[k].ptr && !is_counter && !is_invariant(a, parts[k])))
        return false;
      counts = counts || is_counter;
    }
    counting += counts;
  }
  uw_map *known = uw_map_create(a->arena);
  uw_map_set(known, uw_sum_counter(a), uw_sum_counter(a));
  return access->bytes && offset->known && counting <= 1 && is_invariant(a, access->address.base) &&
         uw_computable_outside(a->arena, uw_sum_pointer(access->op), a->loop, known);
}

bool uw_is_access_of_sum(const uw_sum_place *p, MlirOperation op) { return uw_ops_have(&p->all, op); }

static uw_sum_span span_of(const uw_access *access) { return (uw_sum_span){*access, 0, (int64_t)access->bytes}; }

/* Makes the span hold the access too, if that lies near. */
static bool widen_span(uw_sum_span *s, const uw_access *access) {
  uw_address first = uw_address_in_64(uw_sum_pointer(s->first.op)), own = uw_address_in_64(uw_sum_pointer(access->op));
  int64_t gap;
  if (!uw_gap_between(&first, &own, &gap) || gap < -UW_NEAR_SUMS || gap > UW_NEAR_SUMS)
    return false;
  int64_t end = gap + (int64_t)access->bytes;
  s->low = gap < s->low ? gap : s->low;
  s->high = end > s->high ? end : s->high;
  return true;
}

/* Adds the check that the two lie apart, to one of their neighbours' if there is one. */
static bool add_check(uw_sums *a, const uw_access *own, const uw_access *other) {
  for (size_t i = 0; i < a->check_count; i++) {
    uw_sum_check wider = a->checks[i];
    if (widen_span(&wider.own, own) && widen_span(&wider.other, other)) {
      a->checks[i] = wider;
      return true;
    }
  }
  if (a->check_count == UW_MOST_SUM_CHECKS)
    return false;
  a->checks[a->check_count++] = (uw_sum_check){span_of(own), span_of(other)};
  return true;
}

/* The same in front of the loop over blocks. */
static bool ask(uw_sums *a, const uw_access *own, const uw_access *other) {
  for (size_t i = 0; i < a->check_count; i++)
    if (uw_same_op(a->checks[i].own.first.op, own->op) && uw_same_place(&a->checks[i].other.first, other))
      return true;
  if (a->check_count == UW_MOST_SUM_CHECKS || !uw_ask_apart(a->question, own, other))
    return false;
  a->checks[a->check_count++] = (uw_sum_check){span_of(own), span_of(other)};
  return true;
}

/* Adds the checks that the location needs; false if it cannot be kept. */
static bool lies_apart(uw_sums *a, const uw_sum_place *p) {
  bool is_local = uw_is_made_inside(uw_def(p->access.address.base));
  for (size_t i = 0; i < a->accesses.count; i++) {
    const uw_access *other = &a->accesses.at[i];
    if (uw_is_access_of_sum(p, other->op) || !uw_meets_itself(uw_effects_launch(a->effects), &p->access, other))
      continue;
    if (is_local || uw_same_place(&p->access, other))
      return false;
    if (a->question ? !ask(a, &p->access, other) : !can_check(a, other) || !add_check(a, &p->access, other))
      return false;
  }
  return true;
}

/* Only ifs and fors between op and the loop: what carries a value through. */
static bool can_carry_to(const uw_sums *a, MlirOperation op) {
  for (op = uw_parent(op); !uw_same_op(op, a->loop); op = uw_parent(op))
    if (uw_kind(op) != UW_OP_SCF_IF && uw_kind(op) != UW_OP_SCF_FOR)
      return false;
  return true;
}

/* Has the thread touched the location on the way to the loop, with a store if that is asked for? */
static bool is_touched_before(const uw_sums *a, const uw_sum_place *p, bool with_store) {
  for (MlirOperation around = a->loop; !uw_same_op(around, a->threads); around = uw_parent(around)) {
    uw_foreach_op (op, mlirOperationGetBlock(around)) {
      if (uw_same_op(op, around))
        break;
      uw_accesses own = {0};
      if (!uw_plain_access(op) || (with_store && uw_kind(op) != UW_OP_LLVM_STORE))
        continue;
      uw_accesses_of(a->arena, op, &own);
      if (uw_same_place(&own.at[0], &p->access))
        return true;
    }
  }
  return false;
}

/* Does each iteration touch bytes on both sides of the location, as other fields of its struct, so near that its page is
 * one of theirs? Then it may be loaded, and what is loaded is dropped where the thread does not store. */
static bool lies_between_touched(const uw_sums *a, const uw_sum_place *p) {
  uw_address own = uw_address_in_64(uw_sum_pointer(p->access.op));
  int64_t end = (int64_t)p->access.bytes, gap;
  bool before = false, after = false;
  for (size_t i = 0; i < a->accesses.count; i++) {
    const uw_access *other = &a->accesses.at[i];
    if (!uw_plain_access(other->op) || !is_at_top(a, other->op))
      continue;
    uw_address at = uw_address_in_64(uw_sum_pointer(other->op));
    if (!uw_gap_between(&own, &at, &gap))
      continue;
    int64_t ends = gap + (int64_t)other->bytes;
    before = before || (gap <= 0 && gap > -HALF_PAGE);
    after = after || (ends >= end && ends < HALF_PAGE);
  }
  return before && after;
}

/* May the thread tell others, in front of the loop, that the location is theirs now? */
static bool may_tell(const uw_sums *a) {
  uw_accesses all = {0};
  uw_effects_inside(a->effects, a->threads, &all);
  for (size_t i = 0; i < all.count; i++)
    if (all.at[i].anywhere || uw_is_atomic(all.at[i].op))
      return true;
  return uw_has_exchange(a->threads, "block") || uw_has_exchange(a->threads, "warp");
}

/* Gathers the loads and stores of the location that the store leads to; false if the value cannot be carried through
 * all of them. */
static bool gather(uw_sums *a, uw_sum_place *p, bool integers) {
  MlirType type = mlirValueGetType(uw_operand(p->access.op, 0));
  bool loads = false, always = false, always_stores = false;
  for (size_t i = 0; i < a->accesses.count; i++) {
    const uw_access *other = &a->accesses.at[i];
    if (!uw_same_place(&p->access, other))
      continue;
    MlirValue value = other->writes ? uw_operand(other->op, 0) : uw_result(other->op, 0);
    if (!mlirTypeEqual(mlirValueGetType(value), type) || !can_carry_to(a, other->op))
      return false;
    uw_ops_push(a->arena, &p->all, other->op);
    loads = loads || other->reads;
    always = always || is_at_top(a, other->op);
    always_stores = always_stores || (other->writes && is_at_top(a, other->op));
  }
  p->flagged = !always_stores && (may_tell(a) || !is_touched_before(a, p, true));
  return loads && (mlirTypeIsAFloat(type) || (mlirTypeIsAInteger(type) && (integers || !always_stores))) &&
         (always || is_touched_before(a, p, false) || lies_between_touched(a, p));
}

static void take_back(uw_sums *a, const uw_sums *before, MlirValue asked) {
  *a = *before;
  if (a->question)
    a->question->asked = asked;
}

static void find_places(uw_sums *a, bool integers) {
  for (size_t s = 0; s < a->accesses.count && a->count < UW_MOST_SUMS; s++) {
    uw_sum_place p = {.access = a->accesses.at[s]};
    bool known = !p.access.writes || !is_invariant(a, uw_sum_pointer(p.access.op));
    for (size_t i = 0; i < a->count; i++)
      known = known || uw_is_access_of_sum(&a->places[i], p.access.op);
    const uw_sums before = *a;
    const MlirValue asked = a->question ? a->question->asked : (MlirValue){NULL};
    if (!known && uw_kind(p.access.op) == UW_OP_LLVM_STORE && gather(a, &p, integers) && lies_apart(a, &p))
      a->places[a->count++] = p;
    else
      take_back(a, &before, asked);
  }
}

/* Loads that run in each iteration and lead to the same bytes, which nobody writes: they are made before the loop. Once
 * its sums are in registers, nothing else may be between lanes and whole registers. */
static void find_loads(uw_sums *a) {
  for (size_t i = 0; i < a->accesses.count && a->loads.count < MOST_LOADS; i++) {
    const uw_access *own = &a->accesses.at[i];
    bool fits =
        uw_kind(own->op) == UW_OP_LLVM_LOAD && is_at_top(a, own->op) && is_invariant(a, uw_sum_pointer(own->op));
    for (size_t k = 0; fits && k < a->count; k++)
      fits = !uw_is_access_of_sum(&a->places[k], own->op);
    for (size_t k = 0; fits && k < a->accesses.count; k++)
      fits = !a->accesses.at[k].writes || !uw_meets_itself(uw_effects_launch(a->effects), own, &a->accesses.at[k]);
    if (fits)
      uw_ops_push(a->arena, &a->loads, own->op);
  }
}

/* Is it the loop that is kept, or in that? */
static bool is_done(MlirOperation op, MlirOperation threads) {
  while (!uw_same_op(op, threads) && mlirAttributeIsNull(uw_get_attr(op, UW_SUMS_DONE)))
    op = uw_parent(op);
  return !uw_same_op(op, threads);
}

bool uw_find_sums(uw_sums *a) {
  if (is_done(a->loop, a->threads) || !holds_nothing_else(a))
    return false;
  uw_effects_inside(a->effects, a->loop, &a->accesses);
  if (a->accesses.count > MOST_ACCESSES)
    return false;
  find_places(a, false);
  if (a->count > 0) { /* LLVM does not take the integers beside those */
    find_places(a, true);
    find_loads(a);
  }
  return a->count > 0;
}

const char *uw_why_alone(const uw_sums *a) {
  uw_accesses own = {0};
  for (size_t i = 0; i < a->count; i++)
    uw_accesses_push(a->arena, &own, a->places[i].access);
  const char *facts = a->check_count ? NULL : uw_why_apart(a->effects, &a->accesses, &own);
  if (facts)
    return uw_arena_format(a->arena, ", and nothing else is there: %s", facts);
  return !a->check_count
             ? ""
             : uw_arena_format(a->arena, ", where a check %s shows that nothing else is there: the access in %s",
                               a->question ? "at the launch" : "before it",
                               uw_remark_line(a->arena, mlirOperationGetLocation(own.at[0].op),
                                              mlirOperationGetLocation(a->checks[0].other.first.op)));
}
