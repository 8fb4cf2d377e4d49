/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which lanes of a warp surely hold the same value. A butterfly leaves each lane with the sum of all that it has seen:
 *
 *   %a = load %p[%l & 3]              0 1 2 3 0 1 2 3 …      elements of %p
 *   %b = add %a, shuffle(%a, %l ^ 2)  02 13 02 13 02 13 …    2 and 0 are added in the other order, which is the same
 *   %c = add %b, shuffle(%b, %l ^ 1)  one and the same
 *
 * Lanes are alike where they compute the same of operands that are alike, the two of a commutative operation in either
 * order. Of two NaNs, or two zeros under a maximum, either may be the result. */
#include "lane_classes.h"

#include <string.h>

enum { MOST_OPERANDS = 3 };

/* An element of a root. */
typedef struct part {
  const void *root;
  int32_t element;
} part;

uw_lane_classes uw_classes_of_elements(const void *root, const int32_t *element) {
  uw_lane_classes classes = {.root = root};
  for (int32_t l = 0; l < UW_LANES; l++)
    classes.element[l] = element ? element[l] : l;
  return classes;
}

uw_lane_classes uw_classes_shuffled(const uw_lane_classes *of, const int32_t from[UW_LANES]) {
  uw_lane_classes classes = {.root = of->root};
  for (size_t l = 0; l < UW_LANES; l++)
    classes.element[l] = of->element[from[l]];
  return classes;
}

static bool is_commutative(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",       "arith.addf",       "arith.muli",     "arith.mulf",     "arith.andi",     "arith.ori",
      "arith.xori",       "arith.maxsi",      "arith.maxui",    "arith.minsi",    "arith.minui",    "arith.maxnumf",
      "arith.minnumf",    "arith.maximumf",   "arith.minimumf", "llvm.intr.smax", "llvm.intr.smin", "llvm.intr.umax",
      "llvm.intr.maxnum", "llvm.intr.minnum", "llvm.intr.umin"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (uw_string_is(uw_name(op), names[i]))
      return true;
  return false;
}

static bool is_before(part a, part b) { return a.root != b.root ? a.root < b.root : a.element < b.element; }

/* The operands in lane l, those of a commutative operation in an order of their own. */
static void read_lane(part out[MOST_OPERANDS], const uw_lane_classes *operands, size_t count, size_t l,
                      bool any_order) {
  for (size_t i = 0; i < count; i++)
    out[i] = (part){operands[i].root, operands[i].element[l]};
  if (any_order && count == 2 && is_before(out[1], out[0])) {
    part first = out[0];
    out[0] = out[1];
    out[1] = first;
  }
}

static bool are_same(const part *a, const part *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (a[i].root != b[i].root || a[i].element != b[i].element)
      return false;
  return true;
}

uw_lane_classes uw_classes_computed(const void *root, MlirOperation op, const uw_lane_classes *operands, size_t count) {
  uw_lane_classes classes = {.root = root};
  part lanes[UW_LANES][MOST_OPERANDS];
  bool any_order = is_commutative(op);
  uw_assert(op, count <= MOST_OPERANDS);
  for (size_t l = 0; l < UW_LANES; l++) {
    read_lane(lanes[l], operands, count, l, any_order);
    size_t first = 0;
    while (!are_same(lanes[first], lanes[l], count)) /* at the latest its own */
      first++;
    classes.element[l] = (int32_t)first;
  }
  return classes;
}

bool uw_are_all_alike(const uw_lane_classes *classes) {
  for (size_t l = 1; l < UW_LANES; l++)
    if (classes->element[l] != classes->element[0])
      return false;
  return true;
}
