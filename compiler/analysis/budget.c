/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much code versions may add: see budget.h. */
#include "budget.h"

#include "../ir/remarks.h"
#include "thresholds.h"

#define GROWTH "unwarp.growth" /* on the code of a kernel: so many hundredths of its operations, with all versions */
enum { ONE = 100 };

/* The code of the kernel that the operation is in: the branch of a launch in place, or the function. */
static MlirOperation code_around(MlirOperation op) {
  for (; !uw_null(op); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_FUNC || (uw_kind(op) == UW_OP_SCF_IF && !mlirAttributeIsNull(uw_get_attr(op, UW_LAUNCH))))
      return op;
  return op;
}

bool uw_runs_seldom(MlirOperation op) {
  MlirOperation function = uw_kind(op) == UW_OP_FUNC ? op : uw_parent_of_kind(op, UW_OP_FUNC);
  return !uw_null(function) && !mlirAttributeIsNull(uw_get_attr(function, UW_RUNS_SELDOM));
}

bool uw_stays_small(MlirOperation loop) {
  while (uw_kind(loop) == UW_OP_SCF_FORALL && mlirAttributeIsNull(uw_get_attr(loop, UW_RUNS_SELDOM)))
    loop = uw_parent_of_kind(loop, UW_OP_SCF_FORALL);
  return uw_kind(loop) == UW_OP_SCF_FORALL;
}

static MlirWalkResult count(MlirOperation op, void *total) {
  (void)op;
  ++*(size_t *)total;
  return MlirWalkResultAdvance;
}

size_t uw_count_operations(MlirOperation op) {
  size_t total = 0;
  mlirOperationWalk(op, count, &total, MlirWalkPreOrder);
  return total;
}

static uint64_t grown(MlirOperation code, size_t all, size_t more) {
  return (uint64_t)uw_get_int_attr(code, GROWTH, ONE) * (all + more) / (all ? all : 1);
}

bool uw_may_copy(MlirOperation op, uw_gain gain, const char *pass) {
  MlirOperation code = code_around(op);
  if (uw_null(code))
    return true;
  size_t all = uw_count_operations(code), more = uw_count_operations(op);
  if ((gain < UW_LARGE_GAIN && uw_runs_seldom(code)) || (gain == UW_RARE_GAIN && more > UW_MOST_COPIED_RARELY))
    return false;
  if (all + more <= UW_SMALL_CODE || grown(code, all, more) <= (uint64_t)ONE * UW_MOST_GROWTH)
    return true;
  uw_remark(mlirOperationGetLocation(op), pass,
            "no version of its own: with those that it has, the kernel would have more than %d times its code",
            UW_MOST_GROWTH);
  return false;
}

void uw_note_copied(MlirOperation within, size_t operations) {
  MlirOperation code = code_around(within);
  if (uw_null(code))
    return;
  size_t all = uw_count_operations(code), before = all > operations ? all - operations : 1;
  uint64_t growth = grown(code, before, operations);
  uw_set_attr(code, GROWTH, uw_int_attr(mlirOperationGetContext(code), 64, (int64_t)growth));
}
