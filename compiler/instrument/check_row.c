/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a loop over threads holds for check_rows.c: see check_row.h. */
#include "check_row.h"

#include <stdlib.h>
#include <string.h>

#include "../../runtime/uwrt.h"
#include "../analysis/calls.h"
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../raise/raise.h"
#include "check_loops.h"

enum { MOST_CELLS = 12 /* bound of what is asked */ };

bool uw_row_stays(const void *of, MlirValue value) {
  const uw_check_row *r = of;
  return !uw_defined_inside(value, r->loop);
}

bool uw_asks_for_filled(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", UW_CHECK_FILLED);
}

/* As values of thread index: the map has the loop's counters, and what was written of shared arrays. */
static bool is_of_index(const void *of, MlirValue value) {
  const uw_check_row *r = of;
  for (intptr_t d = 0; d < UW_ROW_DIMS; d++)
    if (uw_same(value, mlirBlockGetArgument(uw_block(r->loop, 0), d)))
      return true;
  return uw_row_stays(of, value) || (!uw_null(uw_def(value)) && uw_asks_for_filled(uw_def(value)));
}

static bool can_compute(const uw_check_row *r, MlirValue value) {
  const uw_again again = {is_of_index, r, true};
  return uw_can_compute_again(&again, value);
}

static bool starts(MlirStringRef name, const char *with) {
  return name.length >= strlen(with) && memcmp(name.data, with, strlen(with)) == 0;
}

static bool block_holds_check(const uw_check_row *r, MlirBlock block) {
  uw_foreach_op (op, block)
    if (uw_is_check(op) || (uw_region_count(op) && uw_holds_checks(r->arena, op)))
      return true;
  return false;
}

/* __unwarp_check_[shared_]KINDn */
static bool read_cells(uw_check_row *r, MlirStringRef callee, uw_row_item *found) {
  static const struct {
    const char *name;
    int64_t kind;
  } known[] = {{"__unwarp_check_load", UWRT_CHECK_LOAD},
               {"__unwarp_check_store", UWRT_CHECK_STORE},
               {"__unwarp_check_shared_load", UWRT_CHECK_LOAD | UWRT_CHECK_OF_SHARED},
               {"__unwarp_check_shared_store", UWRT_CHECK_STORE | UWRT_CHECK_OF_SHARED}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (starts(callee, known[i].name)) {
      found->kind = known[i].kind;
      found->width =
          strtol(uw_arena_format(r->arena, "%.*s", (int)callee.length, callee.data) + strlen(known[i].name), NULL, 10);
      return true;
    }
  return false;
}

static bool note_check(uw_check_row *r, MlirOperation call, int path) {
  static const char read[] = "__unwarp_check_read";
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  uw_row_item found = {.call = call, .path = path};
  size_t from = 1,
         until = uw_operand_count(call); /* operands that have to be computable; the first is the block's state */
  if (uw_string_is(callee, "__unwarp_check_pass"))
    found.what = UW_ROW_PASSES;
  else if (uw_string_is(callee, "__unwarp_check_arrive"))
    found.what = UW_ROW_ARRIVES;
  else if (uw_string_is(callee, "__unwarp_check_goes_on"))
    found.what = UW_ROW_GOES_ON;
  else if (uw_string_is(callee, "__unwarp_check_object"))
    found.what = UW_ROW_OBJECT;
  else if (uw_asks_for_filled(call)) {
    uw_ops_push(r->arena, &r->filled, call);
    return uw_row_stays(r, uw_operand(call, 0)) && uw_row_stays(r, uw_operand(call, 1));
  } else if (starts(callee, UW_CHECK_FILLED_READ)) {
    found.what = UW_ROW_FILLED;
    found.width = strtol(
        uw_arena_format(r->arena, "%.*s", (int)callee.length, callee.data) + strlen(UW_CHECK_FILLED_READ), NULL, 10);
    if (!uw_row_stays(r, uw_operand(call, 2)))
      return false;
  } else if (starts(callee, read)) {
    found.what = UW_ROW_READ;
    found.width = strtol(uw_arena_format(r->arena, "%.*s", (int)callee.length, callee.data) + strlen(read), NULL, 10);
  } else if (read_cells(r, callee, &found)) {
    found.what = UW_ROW_CELLS;
    until--; /* the value that is stored */
  } else
    return false;
  if ((found.what == UW_ROW_PASSES || found.what == UW_ROW_ARRIVES) && path != 0)
    return false;
  for (size_t i = from; i < until; i++)
    if (!can_compute(r, uw_operand(call, i)))
      return false;
  if (!uw_row_stays(r, uw_operand(call, 0)) || r->item_count == UW_ROW_MOST_ITEMS)
    return false;
  r->items[r->item_count++] = found;
  return true;
}

static bool walk(uw_check_row *r, MlirBlock block, int path);

static bool walk_branch(uw_check_row *r, MlirOperation branch, int path) {
  if (!uw_holds_checks(r->arena, branch))
    return true; /* is_plain has looked at it */
  if (!can_compute(r, uw_operand(branch, 0)))
    return false;
  if (uw_is_asked_loop(branch)) { /* the first arm's loop asks nothing any more */
    if (uw_holds_checks(r->arena, uw_first(uw_block(branch, 0))) || r->item_count == UW_ROW_MOST_ITEMS)
      return false;
    r->items[r->item_count++] = (uw_row_item){.what = UW_ROW_LOOP, .call = branch, .path = path};
    return true;
  }
  for (unsigned arm = 0; arm < 2; arm++) {
    MlirBlock inner = uw_block(branch, arm);
    if (mlirBlockIsNull(inner) || !block_holds_check(r, inner)) {
      if (!mlirBlockIsNull(inner) && !walk(r, inner, path))
        return false;
      continue;
    }
    if (r->path_count == UW_ROW_MOST_PATHS)
      return false;
    r->paths[r->path_count++] = (uw_row_path){.branch = branch, .arm = arm, .outer = path};
    if (!walk(r, inner, r->path_count - 1))
      return false;
  }
  return true;
}

/* Whether all of it is known. */
static bool walk(uw_check_row *r, MlirBlock block, int path) {
  uw_foreach_op (op, block) {
    uw_kind_t kind = uw_kind(op);
    bool ok = false;
    if (kind == UW_OP_LLVM_CALL)
      ok = uw_is_check(op) ? note_check(r, op, path) : starts(uw_get_str_attr(op, "callee"), "__nv_");
    else if (kind == UW_OP_SCF_IF)
      ok = walk_branch(r, op, path);
    else if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE)
      ok = !uw_holds_checks(r->arena, op);
    else if (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE)
      ok = uw_plain_access(op);
    else
      ok = uw_region_count(op) == 0 ? uw_effect_free(op) || kind == UW_OP_SCF_YIELD : kind == UW_OP_SCF_IN_PARALLEL;
    if (!ok)
      return false;
  }
  return true;
}

/* What may have any effect, in loops without checks, too. */
static bool is_plain(const uw_check_row *r) {
  uw_ops ops = uw_collect(r->arena, r->loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    if (uw_kind(op) == UW_OP_LLVM_CALL) {
      MlirStringRef callee = uw_get_str_attr(op, "callee");
      if (!uw_is_check(op) && !starts(callee, "__nv_"))
        return false;
    } else if (uw_kind(op) == UW_OP_LLVM_LOAD || uw_kind(op) == UW_OP_LLVM_STORE) {
      if (!uw_plain_access(op))
        return false;
    } else if (uw_region_count(op) == 0 && !uw_effect_free(op) && uw_kind(op) != UW_OP_SCF_YIELD &&
               uw_kind(op) != UW_OP_SCF_CONDITION)
      return false;
  }
  return true;
}

static bool asks(const uw_row_item *at) {
  return at->what == UW_ROW_OBJECT || at->what == UW_ROW_READ || at->what == UW_ROW_FILLED || at->what == UW_ROW_CELLS;
}

/* Where the threads that come to the path are some of those that had accesses before they came. */
static bool is_at_rim(const uw_check_row *r, int which) {
  for (int p = r->paths[which].outer; p > 0; p = r->paths[p].outer)
    for (int i = 0; i < r->item_count; i++)
      if (r->items[i].path == p && asks(&r->items[i]))
        return true;
  return false;
}

/* Is most of it at a rim, which few threads come to? Then asking all costs more than these are worth. */
static bool is_rare(const uw_check_row *r) {
  int rare = 0, others = 0;
  for (int i = 0; i < r->item_count; i++)
    if (asks(&r->items[i]))
      *(is_at_rim(r, r->items[i].path) ? &rare : &others) += 1;
  return rare > others;
}

bool uw_row_reads(uw_check_row *r) {
  int cells = 0;
  r->paths[r->path_count++] = (uw_row_path){.outer = -1};
  if (!is_plain(r) || !walk(r, uw_block(r->loop, 0), 0) || !r->item_count || is_rare(r))
    return false;
  for (int i = 0; i < r->item_count; i++)
    cells += r->items[i].what == UW_ROW_CELLS;
  return cells <= MOST_CELLS;
}
