/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks the checks of -fcheck for whole rows of threads before a loop over threads, which then runs without them:
 *
 *   parallel %z, %y, %x {                           %well = for %z, %y {  (while it holds)
 *     __unwarp_check_pass(…)                           for %x { is address(%x) on a line? inside? who passes the condition? }
 *     if (%x < %n) {                                   __unwarp_check_row_pass(…)
 *       __unwarp_check_shared_store4(%p[%x]) ==>       __unwarp_check_row(store, %p[first], stride, count) }
 *       store %p[%x] }                              if (%well) { __unwarp_check_all_arrive(…); parallel { if (%x < %n) store %p[%x] } }
 *     __unwarp_check_arrive(…) }                    else parallel { as before }
 *
 * The threads that pass a condition have to be neighbours, and their addresses on a line; then what each of them leaves
 * in the memory's cells is asked and noted by one call, in the order of the program's accesses and rows. Where the
 * answer is no, the loop with its checks runs. It finds what it would have found: notes so far are of accesses that are
 * in order, each thread makes its own ones again, and its own are in order with it. That needs that no thread of a row
 * has noted what another one of it finds, so that a row is asked first whether its accesses meet: two of them lie
 * apart, or are at the same address for each thread.
 *
 * Holds when a) the loop's checks stand under conditions, but in no loop, which check-loops has asked for; b)
 * conditions and addresses are computed from the thread's index and from what is the same for all, by operations that
 * cannot fail; c) there is no other exchange, atomic operation or call of what may do anything.
 *
 * Not done where most checks are at a rim, as of a tile, under conditions that only some of the threads with accesses
 * come to: few do, and all would be asked.
 *
 * Requires: barriers lowered. Preserves: what is reported, and what the program does. Refuses: all else, silently. */

#include "../../runtime/uwrt.h"
#include "../analysis/calls.h"
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../transform/version.h"
#include "../transform/thread_loop.h"
#include "../raise/raise.h"
#include "../passes/passes.h"
#include "check_ends.h"
#include "check_loops.h"
#include "check_row.h"

#define ASKED "unwarp.rows_asked" /* a loop that is one of the two versions */
enum { X = 2 };

/* --- the question of a row ---------------------------------------------------------------------------------------- */

static MlirValue number(uw_check_row *r, int64_t value) { return uw_const_int(&r->b, 64, value); }
static MlirValue both(uw_check_row *r, MlirValue one, MlirValue other) {
  return uw_binary(&r->b, "arith.andi", one, other);
}
static MlirValue either(uw_check_row *r, MlirValue one, MlirValue other) {
  return uw_binary(&r->b, "arith.ori", one, other);
}
static MlirValue truth(uw_check_row *r, bool value) { return uw_const_int(&r->b, 1, value); }
static MlirValue invert(uw_check_row *r, MlirValue value) {
  return uw_binary(&r->b, "arith.xori", value, truth(r, true));
}

static MlirValue widened(uw_check_row *r, MlirValue truth) {
  return uw_build1(&r->b, "arith.extui", .in = VALS(truth), .out = TYPES(uw_int_type(r->b.context, 64)));
}

static MlirValue compute(uw_check_row *r, MlirValue value, uw_map *map) {
  const uw_again again = {uw_row_stays, r, true};
  return uw_compute_again(&r->b, &again, value, map);
}

static MlirValue wide(uw_check_row *r, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(r->b.context, 64);
  if (mlirTypeIsALLVMPointerType(type))
    return uw_build1(&r->b, "llvm.ptrtoint", .in = VALS(value), .out = TYPES(i64));
  if (mlirTypeIsAIndex(type))
    return uw_build1(&r->b, "arith.index_cast", .in = VALS(value), .out = TYPES(i64));
  return mlirIntegerTypeGetWidth(type) == 64 ? value
                                             : uw_build1(&r->b, "arith.extui", .in = VALS(value), .out = TYPES(i64));
}

/* The counters of thread x of the row. */
static uw_map *thread_of(uw_check_row *r, MlirValue z, MlirValue y, MlirValue x) {
  uw_map *map = uw_map_create(r->arena);
  const MlirValue at[UW_ROW_DIMS] = {z, y, x};
  for (intptr_t d = 0; d < UW_ROW_DIMS; d++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(r->loop, 0), d), at[d]);
  for (size_t i = 0; i < r->filled.count; i++)
    uw_map_set(map, uw_result(r->filled.at[i], 0), uw_map_get(r->filled_here, uw_operand(r->filled.at[i], 1)));
  return map;
}

static bool has_filled(const uw_check_row *r, int which) {
  for (int i = 0; i < r->item_count; i++)
    if (r->items[i].path == which && r->items[i].what == UW_ROW_FILLED)
      return true;
  return false;
}

static bool has_cells(const uw_check_row *r, int which) {
  for (int i = 0; i < r->item_count; i++)
    if (r->items[i].path == which && (r->items[i].what == UW_ROW_CELLS || r->items[i].what == UW_ROW_GOES_ON))
      return true;
  return false;
}

static void find_lines(uw_check_row *r, MlirValue z, MlirValue y) {
  uw_map *none = thread_of(r, z, y, uw_const_index(&r->b, 0)), *one = thread_of(r, z, y, uw_const_index(&r->b, 1));
  for (int i = 0; i < r->item_count; i++) {
    uw_row_item *at = &r->items[i];
    if (at->what != UW_ROW_CELLS && at->what != UW_ROW_FILLED)
      continue;
    at->start = wide(r, compute(r, uw_operand(at->call, 1), none));
    at->stride = uw_binary(&r->b, "arith.subi", wide(r, compute(r, uw_operand(at->call, 1), one)), at->start);
  }
}

static MlirValue place_of(uw_check_row *r, const uw_row_item *at, MlirValue x) {
  return uw_binary(&r->b, "arith.addi", at->start, uw_binary(&r->b, "arith.muli", at->stride, x));
}

/* What a thread alone has to say: whether something is not well. */
static MlirValue ask_thread(uw_check_row *r, uw_map *map, const uw_row_item *at, MlirValue x) {
  if (at->what == UW_ROW_LOOP)
    return invert(r, compute(r, uw_operand(at->call, 0), map));
  MlirValue address = wide(r, compute(r, uw_operand(at->call, 1), map));
  if (at->what == UW_ROW_CELLS)
    return uw_compare(&r->b, UW_NE, address, place_of(r, at, x));
  bool is_object = at->what == UW_ROW_OBJECT;
  MlirValue start = wide(r, compute(r, uw_operand(at->call, is_object ? 3 : 2), map)),
            size = at->what == UW_ROW_FILLED ? at->filled
                                             : wide(r, compute(r, uw_operand(at->call, is_object ? 4 : 3), map));
  MlirValue bytes = is_object ? wide(r, compute(r, uw_operand(at->call, 2), map)) : number(r, at->width);
  MlirValue offset = uw_binary(&r->b, "arith.subi", address, start);
  MlirValue bad = either(r, uw_compare(&r->b, UW_UGT, bytes, size),
                         uw_compare(&r->b, UW_UGT, offset, uw_binary(&r->b, "arith.subi", size, bytes)));
  if (at->what == UW_ROW_FILLED) /* what was written without a gap, or the row's line, which is looked at as a whole */
    bad = both(r, bad, uw_compare(&r->b, UW_NE, address, place_of(r, at, x)));
  if (at->width > 1)
    bad = either(r, bad, uw_compare(&r->b, UW_NE, both(r, address, number(r, at->width - 1)), number(r, 0)));
  return bad;
}

/* The loop over the row's threads: gives whether all is well with it, and who comes where. */
static MlirValue ask_row(uw_check_row *r, MlirValue z, MlirValue y) {
  MlirValue inits[1 + 3 * UW_ROW_MOST_PATHS], results[1 + 3 * UW_ROW_MOST_PATHS];
  size_t count = 0;
  find_lines(r, z, y);
  MlirValue threads = uw_upper_of(r->loop, X), zero = uw_const_index(&r->b, 0), after = wide(r, threads);
  inits[count++] = number(r, 0);
  for (int p = 1; p < r->path_count; p++)
    if (has_cells(r, p) || has_filled(r, p)) {
      inits[count++] = after;
      inits[count++] = number(r, -1);
      inits[count++] = number(r, 0);
    }
  MlirOperation loop = uw_build_for(&r->b, zero, threads, uw_const_index(&r->b, 1), (uw_value_list){inits, count});
  uw_builder outside = r->b;
  MlirBlock body = uw_block(loop, 0);
  r->b = uw_at_end(body, outside.location);
  uw_map *map = thread_of(r, z, y, mlirBlockGetArgument(body, 0));
  MlirValue x = wide(r, mlirBlockGetArgument(body, 0)), bad = mlirBlockGetArgument(body, 1);
  for (int p = 0; p < r->path_count; p++) {
    uw_row_path *at = &r->paths[p];
    if (p == 0) {
      at->active = truth(r, true);
      continue;
    }
    MlirValue condition = compute(r, uw_operand(at->branch, 0), map);
    if (at->arm == 1)
      condition = invert(r, condition);
    at->active = at->outer ? both(r, r->paths[at->outer].active, condition) : condition;
  }
  for (int i = 0; i < r->item_count; i++) {
    uw_row_what what = r->items[i].what;
    if (what != UW_ROW_PASSES && what != UW_ROW_ARRIVES && what != UW_ROW_GOES_ON)
      bad = either(r, bad, widened(r, both(r, r->paths[r->items[i].path].active, ask_thread(r, map, &r->items[i], x))));
  }
  size_t made = 0;
  results[made++] = bad;
  for (int p = 1; p < r->path_count; p++)
    if (has_cells(r, p) || has_filled(r, p)) {
      MlirValue active = r->paths[p].active, before[3];
      for (size_t k = 0; k < 3; k++)
        before[k] = mlirBlockGetArgument(body, (intptr_t)(1 + made + k));
      results[made++] = uw_binary(&r->b, "arith.minsi", before[0], uw_select(&r->b, active, x, after));
      results[made++] = uw_binary(&r->b, "arith.maxsi", before[1], uw_select(&r->b, active, x, number(r, -1)));
      results[made++] = uw_binary(&r->b, "arith.addi", before[2], widened(r, active));
    }
  uw_yield(body, outside.location, (uw_value_list){results, made});
  r->b = outside;
  MlirValue well = uw_compare(&r->b, UW_EQ, uw_result(loop, 0), number(r, 0));
  r->paths[0].first = number(r, 0);
  r->paths[0].count = after;
  r->paths[0].last = uw_binary(&r->b, "arith.subi", after, number(r, 1));
  size_t result = 1;
  for (int p = 1; p < r->path_count; p++)
    if (has_cells(r, p) || has_filled(r, p)) {
      uw_row_path *at = &r->paths[p];
      at->first = uw_result(loop, result++), at->last = uw_result(loop, result++),
      at->count = uw_result(loop, result++);
      if (!has_cells(r, p))
        continue;
      MlirValue together = uw_compare(&r->b, UW_EQ, uw_binary(&r->b, "arith.subi", at->last, at->first),
                                      uw_binary(&r->b, "arith.subi", at->count, number(r, 1)));
      well = both(r, well, either(r, together, uw_compare(&r->b, UW_EQ, at->count, number(r, 0))));
    }
  return well;
}

/* --- do accesses of a row meet? ----------------------------------------------------------------------------------- */

static void find_ends(uw_check_row *r, uw_row_item *at) {
  MlirValue first = place_of(r, at, r->paths[at->path].first), last = place_of(r, at, r->paths[at->path].last);
  at->low = uw_binary(&r->b, "arith.minui", first, last);
  at->high = uw_binary(&r->b, "arith.addi", uw_binary(&r->b, "arith.maxui", first, last), number(r, at->width));
}

static bool stores(const uw_row_item *at) {
  return at->what == UW_ROW_CELLS && (at->kind & UWRT_CHECK_KIND) == UWRT_CHECK_STORE;
}

/* Each thread of its own. */
static MlirValue is_apart(uw_check_row *r, const uw_row_item *at) {
  MlirValue width = number(r, at->width), backward = uw_binary(&r->b, "arith.subi", number(r, 0), at->stride);
  MlirValue steps = either(r, uw_compare(&r->b, UW_SGE, at->stride, width), uw_compare(&r->b, UW_SGE, backward, width));
  return either(r, steps, uw_compare(&r->b, UW_SLE, r->paths[at->path].count, number(r, 1)));
}

static MlirValue meet_nowhere(uw_check_row *r, const uw_row_item *one, const uw_row_item *other) {
  MlirValue before = uw_compare(&r->b, UW_ULE, one->high, other->low),
            after = uw_compare(&r->b, UW_ULE, other->high, one->low);
  MlirValue none = either(r, uw_compare(&r->b, UW_EQ, r->paths[one->path].count, number(r, 0)),
                          uw_compare(&r->b, UW_EQ, r->paths[other->path].count, number(r, 0)));
  MlirValue apart = either(r, either(r, before, after), none);
  if (one->width == other->width)
    apart = either(r, apart,
                   both(r, uw_compare(&r->b, UW_EQ, one->start, other->start),
                        uw_compare(&r->b, UW_EQ, one->stride, other->stride)));
  return apart;
}

static MlirValue ask_for_meetings(uw_check_row *r, MlirValue well) {
  for (int i = 0; i < r->item_count; i++)
    if (r->items[i].what == UW_ROW_CELLS)
      find_ends(r, &r->items[i]);
  for (int i = 0; i < r->item_count; i++) {
    if (stores(&r->items[i]))
      well = both(r, well, is_apart(r, &r->items[i]));
    for (int k = i + 1; k < r->item_count; k++)
      if (r->items[i].what == UW_ROW_CELLS && r->items[k].what == UW_ROW_CELLS &&
          (stores(&r->items[i]) || stores(&r->items[k])))
        well = both(r, well, meet_nowhere(r, &r->items[i], &r->items[k]));
  }
  return well;
}

/* --- the calls of a row ------------------------------------------------------------------------------------------- */

static MlirValue narrow(uw_check_row *r, MlirValue value) {
  return uw_build1(&r->b, "arith.trunci", .in = VALS(value), .out = TYPES(uw_int_type(r->b.context, 32)));
}

static MlirValue call(uw_check_row *r, const char *name, const char *type, uw_value_list operands) {
  uw_declare(r->module, name, type);
  return uw_result(uw_call(&r->b, name, operands, uw_int_type(r->b.context, 32)), 0);
}

static MlirValue note_row(uw_check_row *r, const uw_row_item *at, MlirValue well, MlirValue first_thread,
                          uw_map *none) {
  MlirValue state = uw_operand(at->call, 0), first = r->paths[at->path].first,
            count = narrow(r, r->paths[at->path].count);
  MlirValue thread = uw_binary(&r->b, "arith.addi", first_thread, narrow(r, first));
  if (at->what == UW_ROW_PASSES)
    return call(r, "__unwarp_check_row_pass", "!llvm.func<i32 (ptr, i32, i32, i32, i32, i32)>",
                VALS(state, well, count, compute(r, uw_operand(at->call, 1), none), thread,
                     compute(r, uw_operand(at->call, 3), none)));
  if (at->what == UW_ROW_ARRIVES)
    return call(r, "__unwarp_check_row_arrive", "!llvm.func<i32 (ptr, i32, i32, i32, i32)>",
                VALS(state, well, count, thread, compute(r, uw_operand(at->call, 3), none)));
  if (at->what == UW_ROW_GOES_ON)
    return call(r, "__unwarp_check_row_goes_on", "!llvm.func<i32 (ptr, i32, i32, i32)>",
                VALS(state, well, count, thread));
  bool of_shared = at->kind & UWRT_CHECK_OF_SHARED, store = stores(at);
  MlirValue place =
      uw_build1(&r->b, "llvm.inttoptr", .in = VALS(place_of(r, at, first)), .out = TYPES(uw_ptr_type(r->b.context)));
  return call(r,
              uw_arena_format(r->arena, "__unwarp_check_row_%s%s%lld", of_shared ? "shared_" : "",
                              store ? "store" : "load", (long long)at->width),
              "!llvm.func<i32 (ptr, i32, i32, ptr, i64, i32, i32)>",
              VALS(state, well, count, place, at->stride, compute(r, uw_operand(at->call, 2), none), thread));
}

/* Of all threads between the first one and the last one that come there. */
static MlirValue note_filled(uw_check_row *r, const uw_row_item *at, MlirValue well) {
  const uw_row_path *of = &r->paths[at->path];
  MlirValue count = uw_binary(&r->b, "arith.addi", uw_binary(&r->b, "arith.subi", of->last, of->first), number(r, 1));
  count = uw_select(&r->b, uw_compare(&r->b, UW_EQ, of->count, number(r, 0)), number(r, 0), count);
  return call(r, uw_arena_format(r->arena, "__unwarp_check_row_filled%lld", (long long)at->width),
              "!llvm.func<i32 (ptr, i32, i32, i64, i64, ptr, i64)>",
              VALS(uw_operand(at->call, 0), well, narrow(r, count), place_of(r, at, of->first), at->stride,
                   uw_operand(at->call, 2), at->filled));
}

static size_t thread_operand(const uw_row_item *at) { return at->what == UW_ROW_CELLS ? 3 : 2; }

/* One row, as far as all before it was well. */
static MlirValue ask_and_note(uw_check_row *r, MlirValue z, MlirValue y, MlirValue well) {
  MlirValue good = ask_for_meetings(r, ask_row(r, z, y)), first_thread = {NULL};
  uw_map *none = thread_of(r, z, y, uw_const_index(&r->b, 0));
  well = both(r, well, uw_build1(&r->b, "arith.extui", .in = VALS(good), .out = TYPES(uw_int_type(r->b.context, 32))));
  for (int i = 0; i < r->item_count; i++) {
    const uw_row_item *at = &r->items[i];
    if (at->what == UW_ROW_OBJECT || at->what == UW_ROW_READ || at->what == UW_ROW_LOOP)
      continue;
    if (at->what == UW_ROW_FILLED) {
      well = note_filled(r, at, well);
      continue;
    }
    if (!first_thread.ptr)
      first_thread = compute(r, uw_operand(at->call, thread_operand(at)), none);
    well = note_row(r, at, well, first_thread, none);
  }
  return well;
}

/* Nobody writes to these arrays while the loop runs. */
static MlirValue ask_for_filled(uw_check_row *r, MlirValue state, MlirValue start) {
  MlirValue known = uw_map_get(r->filled_here, start);
  if (!known.ptr) {
    known = uw_result(uw_call(&r->b, UW_CHECK_FILLED, VALS(state, start), uw_int_type(r->b.context, 64)), 0);
    uw_map_set(r->filled_here, start, known);
  }
  return known;
}

static void ask_for_all_filled(uw_check_row *r) {
  r->filled_here = uw_map_create(r->arena);
  for (size_t i = 0; i < r->filled.count; i++)
    ask_for_filled(r, uw_operand(r->filled.at[i], 0), uw_operand(r->filled.at[i], 1));
  for (int i = 0; i < r->item_count; i++)
    if (r->items[i].what == UW_ROW_FILLED)
      r->items[i].filled = ask_for_filled(r, uw_operand(r->items[i].call, 0), uw_operand(r->items[i].call, 2));
}

/* All rows; i32. */
static MlirValue ask_all(uw_check_row *r) {
  MlirOperation loops[2];
  MlirValue zero = uw_const_index(&r->b, 0), one = uw_const_index(&r->b, 1), well = uw_const_int(&r->b, 32, 1);
  ask_for_all_filled(r);
  uw_builder outside = r->b;
  for (int d = 0; d < 2; d++) {
    loops[d] = uw_build_for(&r->b, zero, uw_upper_of(r->loop, (size_t)d), one, VALS(well));
    well = mlirBlockGetArgument(uw_block(loops[d], 0), 1);
    r->b = uw_at_end(uw_block(loops[d], 0), outside.location);
  }
  well = ask_and_note(r, mlirBlockGetArgument(uw_block(loops[0], 0), 0), mlirBlockGetArgument(uw_block(loops[1], 0), 0),
                      well);
  uw_yield(uw_block(loops[1], 0), outside.location, VALS(well));
  uw_yield(uw_block(loops[0], 0), outside.location, VALS(uw_result(loops[1], 0)));
  r->b = outside;
  return uw_result(loops[0], 0);
}

/* What is computed for threads that do not come there promises nothing. */
static void drop_promises(uw_check_row *r, MlirOperation after, MlirOperation before) {
  static const char *const flags[] = {"nonNeg", "isExact", "isDisjoint"};
  for (MlirOperation at = uw_null(after) ? uw_first(mlirOperationGetBlock(before)) : uw_next(after);
       !uw_same_op(at, before); at = uw_next(at)) {
    uw_ops ops = uw_collect(r->arena, at);
    uw_ops_push(r->arena, &ops, at);
    for (size_t i = 0; i < ops.count; i++) {
      if (!mlirAttributeIsNull(uw_get_attr(ops.at[i], "overflowFlags")))
        uw_set_attr(ops.at[i], "overflowFlags", uw_attr(r->b.context, "#arith.overflow<none>"));
      for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (!mlirAttributeIsNull(uw_get_attr(ops.at[i], flags[k])))
          uw_remove_attr(ops.at[i], flags[k]);
    }
  }
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static void drop_checks(uw_check_row *r, MlirOperation version) {
  uw_ops branches = uw_collect_kind(r->arena, version, UW_OP_SCF_IF);
  for (size_t i = branches.count; i-- > 0;)
    if (uw_is_asked_loop(branches.at[i]) && uw_holds_checks(r->arena, branches.at[i]))
      uw_take_arm(branches.at[i], 0);
  uw_ops calls = uw_collect_kind(r->arena, version, UW_OP_LLVM_CALL);
  uw_ops filled = {0};
  for (size_t i = 0; i < calls.count; i++)
    if (uw_asks_for_filled(calls.at[i]))
      uw_ops_push(r->arena, &filled, calls.at[i]);
    else if (uw_is_check(calls.at[i]))
      uw_erase(calls.at[i]);
  uw_drop_unused(r->arena, version);
  for (size_t i = 0; i < filled.count; i++) /* the loops' questions are gone */
    uw_erase(filled.at[i]);
}

static void arrive(uw_check_row *r, MlirBlock block, MlirValue threads) {
  for (int i = 0; i < r->item_count; i++)
    if (r->items[i].what == UW_ROW_ARRIVES) {
      r->b = uw_at_end(block, r->b.location);
      uw_declare(r->module, "__unwarp_check_all_arrive", "!llvm.func<void (ptr, i32, i32)>");
      uw_call(&r->b, "__unwarp_check_all_arrive",
              VALS(uw_operand(r->items[i].call, 0), uw_operand(r->items[i].call, 1), threads), (MlirType){NULL});
    }
}

static bool ask_before(uw_arena *arena, MlirModule module, MlirOperation loop) {
  uw_check_row *r = uw_alloc(arena, sizeof *r);
  *r = (uw_check_row){.arena = arena, .module = module, .loop = loop};
  int64_t lower, step;
  if (!mlirAttributeIsNull(uw_get_attr(loop, ASKED)) || uw_dims(loop) != UW_ROW_DIMS || uw_result_count(loop) != 0)
    return false;
  for (size_t d = 0; d < UW_ROW_DIMS; d++)
    if (!uw_const_value(uw_lower_of(loop, d), &lower) || lower != 0 || !uw_const_value(uw_step_of(loop, d), &step) ||
        step != 1)
      return false;
  if (!uw_holds_checks(r->arena, loop) || !uw_row_reads(r))
    return false;
  for (int i = 0; i < r->item_count; i++) /* its position is named after the question */
    if (r->items[i].what == UW_ROW_ARRIVES && !uw_row_stays(r, uw_operand(r->items[i].call, 1)))
      return false;
  uw_set_attr(loop, ASKED, mlirUnitAttrGet(mlirOperationGetContext(loop)));
  MlirOperation before = uw_prev(loop);
  r->b = uw_at(loop);
  MlirValue well = ask_all(r);
  well = uw_compare(&r->b, UW_NE, well, uw_const_int(&r->b, 32, 0));
  MlirValue threads = uw_binary(&r->b, "arith.muli", uw_upper_of(loop, 0),
                                uw_binary(&r->b, "arith.muli", uw_upper_of(loop, 1), uw_upper_of(loop, 2)));
  threads = uw_build1(&r->b, "arith.index_cast", .in = VALS(threads), .out = TYPES(uw_int_type(r->b.context, 32)));
  uw_versions versions = uw_make_versions(arena, &r->b, .asked = well, .first = loop, .own = UW_FAILS);
  uw_set_attr(versions.choice, UW_ANSWERED, mlirUnitAttrGet(r->b.context));
  drop_promises(r, before, versions.choice);
  drop_checks(r, versions.first[UW_HOLDS]);
  arrive(r, uw_block(versions.choice, UW_HOLDS), threads);
  return true;
}

/* Of loops over the threads of a block the ends are told that are left then, or made for where an answer is no. */
uw_change uw_pass_check_rows(MlirOperation root, uw_pass_ctx *ctx) {
  bool changed = uw_tell_ends(ctx->arena, root, UW_OVER_LANES) == UW_CHANGED;
  uw_ops loops = uw_collect_over(ctx->arena, root, UW_OVER_THREADS);
  for (size_t i = 0; i < loops.count; i++)
    changed |= ask_before(ctx->arena, mlirModuleFromOperation(root), loops.at[i]);
  changed |= uw_tell_ends(ctx->arena, root, UW_OVER_THREADS) == UW_CHANGED;
  return changed ? UW_CHANGED : UW_SAME;
}
