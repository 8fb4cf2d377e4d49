/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Truth tables: see truth.h. */
#include "truth.h"

static const uw_truth ALL = ~(uw_truth)0;

void uw_comparisons_start(uw_comparisons *all) { *all = (uw_comparisons){.possible = ALL}; }

uw_truth uw_truth_of_comparison(size_t number) {
  static const uw_truth columns[UW_MOST_COMPARISONS] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                        0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  return columns[number];
}

bool uw_implies(const uw_comparisons *all, uw_truth left, uw_truth right) {
  return (left & ~right & all->possible) == 0;
}

static bool add(uw_comparisons *all, uw_comparison own, uw_truth *truth) {
  size_t i = 0;
  for (; i < all->count; i++) {
    const uw_comparison *at = &all->at[i];
    if (own.left.ptr ? uw_same(at->left, own.left) && at->number == own.number : uw_same(at->condition, own.condition))
      break;
  }
  if (i == UW_MOST_COMPARISONS)
    return false;
  *truth = uw_truth_of_comparison(i);
  if (i < all->count)
    return true;
  all->at[all->count++] = own;
  for (size_t k = 0; own.left.ptr && k < i; k++)
    if (uw_same(all->at[k].left, own.left))
      all->possible &= ~(*truth & uw_truth_of_comparison(k));
  return true;
}

/* value == number; that a union of bits is 0 says it of both parts. */
static bool equals(uw_comparisons *all, MlirValue condition, MlirValue value, int64_t number, uw_truth *truth) {
  MlirOperation op = uw_def(value);
  uw_truth right;
  if (number == 0 && uw_kind(op) == UW_OP_ARITH_ORI) {
    bool known = equals(all, (MlirValue){NULL}, uw_operand(op, 0), 0, truth) &&
                 equals(all, (MlirValue){NULL}, uw_operand(op, 1), 0, &right);
    *truth &= known ? right : 0;
    return known;
  }
  return add(all, (uw_comparison){condition, value, number}, truth);
}

static bool read_comparison(uw_comparisons *all, MlirValue condition, uw_truth *truth) {
  MlirOperation op = uw_def(condition);
  int64_t number, predicate = uw_get_int_attr(op, "predicate", -1);
  if ((predicate != UW_EQ && predicate != UW_NE) || !uw_const_value(uw_operand(op, 1), &number))
    return add(all, (uw_comparison){.condition = condition}, truth);
  MlirValue written = predicate == UW_EQ ? condition : (MlirValue){NULL};
  bool known = equals(all, written, uw_operand(op, 0), number, truth);
  *truth = predicate == UW_EQ ? *truth : ~*truth;
  return known;
}

static bool read(uw_comparisons *all, MlirValue condition, uw_truth *truth, int *steps) {
  MlirOperation op = uw_def(condition);
  uw_truth of[3];
  int64_t number;
  if ((*steps)-- <= 0)
    return false;
  if (uw_const_value(condition, &number)) {
    *truth = number & 1 ? ALL : 0;
    return true;
  }
  switch (uw_kind(op)) {
  case UW_OP_ARITH_CMPI: return read_comparison(all, condition, truth);
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
  case UW_OP_ARITH_SELECT:
    for (size_t i = 0; i < uw_operand_count(op); i++)
      if (!read(all, uw_operand(op, i), &of[i], steps))
        return false;
    *truth = uw_kind(op) == UW_OP_ARITH_ANDI   ? of[0] & of[1]
             : uw_kind(op) == UW_OP_ARITH_ORI  ? of[0] | of[1]
             : uw_kind(op) == UW_OP_ARITH_XORI ? of[0] ^ of[1]
                                               : (of[0] & of[1]) | (~of[0] & of[2]);
    return true;
  default: return add(all, (uw_comparison){.condition = condition}, truth);
  }
}

bool uw_truth_of(uw_comparisons *all, MlirValue condition, uw_truth *truth) {
  int steps = 4 * UW_MOST_COMPARISONS * UW_MOST_COMPARISONS;
  return read(all, condition, truth, &steps);
}

/* --- the shortest text -------------------------------------------------------------------------------------------- */

static bool comes_out_as(const uw_comparisons *all, uw_truth a, uw_truth b) { return ((a ^ b) & all->possible) == 0; }

static uw_truth literal(size_t number, bool negated) {
  return negated ? ~uw_truth_of_comparison(number) : uw_truth_of_comparison(number);
}

bool uw_shorten(const uw_comparisons *all, uw_truth truth, uw_short_condition *found) {
  *found = (uw_short_condition){.always = comes_out_as(all, truth, ALL)};
  if (found->always || comes_out_as(all, truth, 0))
    return true;
  found->count = 1;
  for (size_t i = 0; i < 2 * all->count; i++) {
    found->numbers[0] = i / 2;
    found->negated[0] = i % 2;
    if (comes_out_as(all, truth, literal(i / 2, i % 2)))
      return true;
  }
  found->count = 2;
  for (size_t i = 0; i < 2 * all->count; i++)
    for (size_t k = 0; k < i; k++)
      for (size_t either = 0; either < 2; either++) {
        uw_truth left = literal(k / 2, k % 2), right = literal(i / 2, i % 2);
        if (!comes_out_as(all, truth, either ? left | right : left & right))
          continue;
        *found = (uw_short_condition){2, {k / 2, i / 2}, {k % 2, i % 2}, either, false};
        return true;
      }
  return false;
}
