/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values alive at once in the order of the program: see pressure.h.
 *
 *   for (…) { %a = shl %state; %next = xor %state, %a; yield %next }     %state and %a: one beside what is carried
 *
 * A value is alive from where it is defined to its last use; what is yielded, to the end.
 *
 * Loops that touch memory are not looked at: there more lanes are more streams, or rows. A loop that only computes
 * waits for what its iteration before gave, so that each further register of lanes is nearly for nothing. */
#include "pressure.h"

enum { DEEPEST = 8 /* bound of a search */ };

typedef struct body {
  uw_ops ops;
  uw_table *place; /* of each, from 1 */
} body;

static bool is_number(MlirType type) { return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type); }

/* Do only addresses, and conditions of loops, come of it? */
static bool is_for_addresses(MlirValue value, int depth) {
  if (!is_number(mlirValueGetType(value)))
    return mlirTypeEqual(mlirValueGetType(value), uw_ptr_type(mlirTypeGetContext(mlirValueGetType(value))));
  if (depth == DEEPEST)
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP)
      continue;
    if (uw_result_count(user) != 1 || !uw_name_starts(user, "arith.") ||
        !is_for_addresses(uw_result(user, 0), depth + 1))
      return false;
  }
  return true;
}

static size_t last_use(const body *b, MlirValue value) {
  size_t last = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    size_t at = (size_t)uw_table_get(b->place, mlirOpOperandGetOwner(use).ptr);
    last = at > last ? at : last;
  }
  return last;
}

/* Adds the value to those that are alive behind each place from its own to the one before its last use. */
static void keep(const body *b, int64_t *alive, size_t from, MlirValue value) {
  for (size_t i = from, last = last_use(b, value); i + 1 < last; i++)
    alive[i]++;
}

static int64_t most_alive(uw_arena *arena, MlirOperation loop, int64_t most) {
  MlirBlock block = uw_block(loop, 0);
  body b = {uw_block_ops(arena, block), uw_table_create(arena)};
  int64_t *alive = uw_alloc(arena, (b.ops.count + 1) * sizeof *alive), peak = 0, carried = 0;
  for (size_t i = 0; i < b.ops.count; i++) {
    if (uw_region_count(b.ops.at[i]) > 0 || !uw_effect_free(b.ops.at[i]))
      return most;
    uw_table_set(b.place, b.ops.at[i].ptr, (intptr_t)i + 1);
  }
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(block); i++, carried++)
    keep(&b, alive, 0, mlirBlockGetArgument(block, i));
  for (size_t i = 0; i < b.ops.count; i++)
    for (size_t k = 0; k < uw_result_count(b.ops.at[i]); k++) {
      MlirValue value = uw_result(b.ops.at[i], k);
      if (!is_for_addresses(value, 0) && uw_kind(b.ops.at[i]) != UW_OP_ARITH_CONSTANT)
        keep(&b, alive, i, value);
    }
  for (size_t i = 0; i < b.ops.count; i++)
    peak = alive[i] > peak ? alive[i] : peak;
  return peak > carried ? peak - carried : 0;
}

int64_t uw_values_on_the_way(uw_arena *arena, MlirOperation threads, int64_t most) {
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  if (!loops.count || uw_collect_kind(arena, threads, UW_OP_SCF_WHILE).count)
    return most;
  int64_t found = 0;
  for (size_t i = 0; i < loops.count; i++) {
    int64_t here = uw_collect_kind(arena, loops.at[i], UW_OP_SCF_FOR).count ? 0 : most_alive(arena, loops.at[i], most);
    found = here > found ? here : found;
  }
  return found < most ? found : most;
}
