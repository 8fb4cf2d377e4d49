/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Forwards what a thread stored in shared memory to its own loads, across barriers too; drops stores that nobody reads;
 * makes private memory of shared arrays in which each thread has a slot of its own.
 *
 *   store %w, %tile[%t]                              %p = mulf %w, %x
 *   barrier                                          barrier
 *   %a = load %tile[%t]                     ==>      store %p, %tile[%t]
 *   %p = mulf %a, %x                                 barrier            (barrier-elim drops the first one now)
 *   store %p, %tile[%t]
 *   barrier
 *
 * A load is forwarded when a) it surely reads the bytes that the store wrote, in the same type, and stands behind it in
 * the store's block or inside of what stands there, so that the thread comes by the store first; b) nothing that the
 * thread does between the two, on any way, may write these bytes; c) nor may another thread: no write between the last
 * barrier before the store and the first one after the load, nor in any branch around one of the two, conflicts with
 * them (analysis/effects.h). The store itself is among these writes: threads that share an address elect a value there.
 *
 * A store is dead when on every way to where the same thread surely overwrites the bytes, or to the end of the kernel,
 * where shared memory dies, nothing reads them: not the thread, and no other one between the barriers around that
 * stretch.
 *
 * Forwarding across a barrier keeps the value across that barrier in place of the array, so it is done only where the
 * store is dead afterwards, or the value is a constant.
 *
 * A load whose value is used after a barrier only moves there, so that the value need not be kept across it, when
 * nothing on the way may write what it reads, the same thread or another one: b) and c) above; nor where it or another
 * thread may come by an atomic operation, which other blocks may wait for. (What is the same for all threads stays.)
 *
 * A shared array becomes private memory (an alloca: a register, or a slot if it lives across a barrier) when a) it is
 * not captured, and all its uses are plain loads and stores in one thread loop; b) all of these lie within one window
 * of UW_MOST_PRIVATE bytes at a sum over the thread index; c) no window meets that of another thread. Then what a thread
 * loads only it can have stored. An array that nobody reads goes altogether.
 *
 * Requires: nothing; barrier-elim finds more after it. Preserves: every load's value, in programs that do not race.
 * Refuses: volatile and atomic accesses, calls and fences in between, all else silently. Paper: the section on
 * forwarding (mem2reg) across barriers. */
#include "../../analysis/thresholds.h"
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "../passes.h"
#include "demote_shared.h"

#define NAME "forward-stores"

enum { MOST_ACCESSES = 256 }; /* bound of a search */

/* The stretch of code between a store and where its value is asked for, on every way. */
typedef struct stretch {
  uw_accesses own;    /* what the thread itself does in between */
  uw_accesses others; /* what other threads may do meanwhile */
  bool exchange;      /* is there one in between? */
} stretch;

static void add_inside(uw_effects *effects, MlirOperation op, MlirOperation crossed, stretch *s) {
  size_t first = s->own.count;
  uw_effects_inside(effects, op, &s->own);
  for (size_t i = first; i < s->own.count; i++)
    s->own.at[i].crossed = crossed;
  s->exchange = s->exchange || uw_has_exchange(op, "block") || uw_has_exchange(op, "warp");
}

static bool is_choice(MlirOperation op) { return uw_kind(op) == UW_OP_SCF_IF || uw_kind(op) == UW_OP_SCF_INDEX_SWITCH; }

static bool is_serial_loop(MlirOperation op) { return uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_WHILE; }

/* While the thread is between the two, others may be wherever no barrier keeps them from. */
static void add_others(uw_effects *effects, MlirOperation loop, MlirOperation from, MlirOperation to, stretch *s) {
  uw_effects_before(effects, from, &s->others);
  if (!uw_null(to)) {
    uw_effects_inside(effects, to, &s->others);
    uw_effects_after(effects, to, &s->others);
  }
  MlirOperation ends[] = {from, to};
  for (size_t i = 0; i < 2; i++)
    for (MlirOperation op = uw_null(ends[i]) ? loop : uw_parent(ends[i]); !uw_same_op(op, loop); op = uw_parent(op))
      if (is_choice(op))
        uw_effects_inside(effects, op, &s->others);
}

/* What lies between store and load; false if the thread may come to the load without the store. */
static bool find_stretch(uw_effects *effects, MlirOperation loop, MlirOperation store, MlirOperation load, stretch *s) {
  MlirOperation none = {NULL}, target = uw_ancestor_in(mlirOperationGetBlock(store), load), op = uw_next(store);
  if (uw_null(target))
    return false;
  for (;;) {
    for (; !uw_null(op) && !uw_same_op(op, target); op = uw_next(op))
      add_inside(effects, op, none, s);
    if (uw_null(op))
      return false;
    if (uw_same_op(target, load))
      break;
    if (is_serial_loop(target)) { /* all of it may have run before */
      add_inside(effects, target, target, s);
      break;
    }
    if (!is_choice(target))
      return false;
    MlirOperation inner = load; /* on into the branch */
    while (!uw_same_op(uw_parent(inner), target))
      inner = uw_parent(inner);
    op = uw_first(mlirOperationGetBlock(inner));
    target = inner;
  }
  add_others(effects, loop, store, load, s);
  return true;
}

static uw_access only_access(uw_effects *effects, MlirOperation op) {
  uw_accesses list = {0};
  uw_effects_inside(effects, op, &list);
  uw_assert(op, list.count == 1);
  return list.at[0];
}

/* May an access of the list that writes (or reads) touch what the access touches, made by the same thread or another
 * one? */
static bool is_disturbed(uw_effects *effects, const uw_accesses *list, const uw_access *access, bool by_writes,
                         bool same_thread, const uw_table *ignored) {
  for (size_t i = 0; i < list->count; i++) {
    const uw_access *other = &list->at[i];
    if ((by_writes ? !other->writes : !other->reads) || (ignored && uw_table_get(ignored, other->op.ptr)))
      continue;
    if (same_thread ? uw_may_overlap(effects, other, access) : uw_conflict(effects, other, access))
      return true;
  }
  return false;
}

/* Only one thread ever writes to the address at a time. */
static bool is_own_place(uw_effects *effects, const uw_access *store) { return !uw_conflict(effects, store, store); }

static bool is_forwardable(uw_effects *effects, MlirOperation loop, const uw_access *store, const uw_access *load,
                           stretch *s) {
  return uw_same_place(store, load) &&
         mlirTypeEqual(mlirValueGetType(uw_operand(store->op, 0)), mlirValueGetType(uw_result(load->op, 0))) &&
         is_own_place(effects, store) && find_stretch(effects, loop, store->op, load->op, s) &&
         !is_disturbed(effects, &s->own, load, true, true, NULL) &&
         !is_disturbed(effects, &s->own, load, true, false, NULL) &&
         !is_disturbed(effects, &s->others, load, true, false, NULL);
}

/* Will nobody read what the store wrote? `ignored`: loads that do not count. */
static bool is_dead(uw_effects *effects, MlirOperation loop, const uw_access *store, const uw_table *ignored) {
  stretch s = {0};
  MlirOperation none = {NULL}, end = none;
  for (MlirOperation at = store->op; uw_null(end) && !uw_same_op(at, loop); at = uw_parent(at)) {
    if (is_serial_loop(at)) /* the next iterations */
      add_inside(effects, at, at, &s);
    for (MlirOperation op = uw_next(at); !uw_null(op) && uw_null(end); op = uw_next(op)) {
      if (uw_kind(op) == UW_OP_LLVM_STORE && uw_plain_access(op) &&
          uw_same_op(uw_address_root(uw_operand(op, 1)), uw_def(store->address.base))) {
        uw_access later = only_access(effects, op);
        if (uw_same_place(store, &later))
          end = op;
      }
      if (uw_null(end))
        add_inside(effects, op, none, &s);
    }
  }
  add_others(effects, loop, store->op, end, &s);
  uw_access write = *store;
  return !is_disturbed(effects, &s.own, &write, false, true, ignored) &&
         !is_disturbed(effects, &s.own, &write, false, false, ignored) &&
         !is_disturbed(effects, &s.others, &write, false, false, ignored);
}

static bool is_shared_access(const uw_access *access, uw_kind_t kind) {
  return !access->anywhere && uw_kind(access->op) == kind && uw_kind(uw_def(access->address.base)) == UW_OP_SHARED;
}

/* Does nothing outside of the loop use the memory, but address arithmetic? */
static bool is_used_inside(MlirValue memory, MlirOperation loop) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_inside(user, loop))
      continue;
    if (uw_kind(user) != UW_OP_LLVM_GEP || !is_used_inside(uw_result(user, 0), loop))
      return false;
  }
  return true;
}

static bool is_constant(MlirValue value) {
  return uw_kind(uw_def(value)) == UW_OP_ARITH_CONSTANT || uw_kind(uw_def(value)) == UW_OP_LLVM_CONSTANT;
}

static bool forward_store(uw_arena *arena, uw_effects *effects, MlirOperation loop, const uw_access *store,
                          const uw_accesses *all, uw_table *erased) {
  uw_ops near = {0}, far = {0};
  uw_table *loads = uw_table_create(arena);
  for (size_t i = 0; i < all->count; i++) {
    stretch s = {0};
    if (uw_table_get(erased, all->at[i].op.ptr) || !is_shared_access(&all->at[i], UW_OP_LLVM_LOAD) ||
        !is_forwardable(effects, loop, store, &all->at[i], &s))
      continue;
    uw_ops_push(arena, s.exchange && !is_constant(uw_operand(store->op, 0)) ? &far : &near, all->at[i].op);
    uw_table_set(loads, all->at[i].op.ptr, 1);
  }
  MlirValue value = uw_operand(store->op, 0);
  bool dead = is_dead(effects, loop, store, loads);
  uw_ops *lists[] = {&near, &far};
  for (size_t k = 0; k < (dead ? 2 : 1); k++)
    for (size_t i = 0; i < lists[k]->count; i++) {
      MlirOperation load = lists[k]->at[i];
      uw_remark(mlirOperationGetLocation(load), NAME,
                "load from shared memory dropped: the thread stored that value itself");
      uw_table_set(erased, load.ptr, 1);
      uw_replace_uses(uw_result(load, 0), value);
      uw_erase(load);
    }
  if (dead) {
    uw_remark(mlirOperationGetLocation(store->op), NAME, "store to shared memory dropped: nobody reads it");
    uw_table_set(erased, store->op.ptr, 1);
    uw_erase(store->op);
  }
  return dead || near.count > 0;
}

static bool forward_all(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  uw_accesses all = {0};
  uw_effects_inside(effects, loop, &all);
  uw_table *erased = uw_table_create(arena);
  bool changed = false;
  if (all.count > MOST_ACCESSES)
    return false;
  for (size_t i = 0; i < all.count; i++)
    if (!uw_table_get(erased, all.at[i].op.ptr) && is_shared_access(&all.at[i], UW_OP_LLVM_STORE) &&
        is_used_inside(all.at[i].address.base, loop))
      changed = forward_store(arena, effects, loop, &all.at[i], &all, erased) || changed;
  return changed;
}

/* --- loads that may wait ------------------------------------------------------------------------------------------ */

/* The first operation in the load's block that uses the value, or holds one that does; null if all uses stand
 * elsewhere. */
static MlirOperation first_user(uw_arena *arena, MlirOperation load) {
  MlirBlock block = mlirOperationGetBlock(load);
  uw_table *users = uw_table_create(arena);
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(load, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    uw_table_set(users, uw_ancestor_in(block, mlirOpOperandGetOwner(use)).ptr, 1);
  MlirOperation op = uw_next(load);
  while (!uw_null(op) && !uw_table_get(users, op.ptr))
    op = uw_next(op);
  return op;
}

/* An atomic operation may tell other blocks that what was read before it may change now: also one of another thread,
 * after a barrier that the load would pass. */
static bool has_atomic(const uw_accesses *list) {
  for (size_t i = 0; i < list->count; i++)
    if (uw_kind(list->at[i].op) == UW_OP_LLVM_ATOMICRMW || uw_kind(list->at[i].op) == UW_OP_LLVM_CMPXCHG)
      return true;
  return false;
}

static uw_ops exchanges_inside(uw_arena *arena, MlirOperation loop) {
  uw_ops all = uw_collect(arena, loop), exchanges = {0};
  for (size_t i = 0; i < all.count; i++)
    if (uw_is_exchange(all.at[i], "block") || uw_is_exchange(all.at[i], "warp"))
      uw_ops_push(arena, &exchanges, all.at[i]);
  return exchanges;
}

/* Asked first: the accesses of a stretch are many, exchanges few. */
static bool is_exchange_between(const uw_ops *exchanges, MlirOperation from, MlirOperation to) {
  for (size_t i = 0; i < exchanges->count; i++) {
    MlirOperation at = uw_ancestor_in(mlirOperationGetBlock(from), exchanges->at[i]);
    if (!uw_null(at) && mlirOperationIsBeforeInBlock(from, at) && mlirOperationIsBeforeInBlock(at, to))
      return true;
  }
  return false;
}

static bool delay_load(uw_arena *arena, uw_effects *effects, MlirOperation loop, const uw_access *load,
                       const uw_ops *exchanges) {
  MlirOperation user = first_user(arena, load->op);
  stretch s = {0};
  if (uw_null(user) || !is_exchange_between(exchanges, load->op, user) ||
      uw_uniform(uw_effects_uniformity(effects), uw_result(load->op, 0)) ||
      !find_stretch(effects, loop, load->op, user, &s) || has_atomic(&s.own) || has_atomic(&s.others) ||
      is_disturbed(effects, &s.own, load, true, true, NULL) || is_disturbed(effects, &s.own, load, true, false, NULL) ||
      is_disturbed(effects, &s.others, load, true, false, NULL))
    return false;
  uw_remark(mlirOperationGetLocation(load->op), NAME, "load moved after a barrier, to where its value is used");
  uw_move_before(load->op, user);
  return true;
}

static bool delay_loads(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  uw_accesses all = {0};
  bool changed = false;
  uw_ops exchanges = exchanges_inside(arena, loop);
  if (uw_has_exchange(loop, "block"))
    uw_effects_inside(effects, loop, &all);
  for (size_t i = all.count > MOST_ACCESSES ? 0 : all.count; i-- > 0;)
    if (!all.at[i].anywhere && uw_kind(all.at[i].op) == UW_OP_LLVM_LOAD)
      changed = delay_load(arena, effects, loop, &all.at[i], &exchanges) || changed;
  return changed;
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

static bool only_thread_terms(const uw_linear *sum, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  for (size_t i = 0; i < sum->count; i++) {
    MlirValue symbol = sum->terms[i].symbol;
    if (sum->terms[i].scale.ptr || !mlirValueIsABlockArgument(symbol) || !mlirBlockEqual(uw_value_block(symbol), body))
      return false;
  }
  return true;
}

/* The window of bytes, from the thread's address on, that all accesses lie in; false if there is more to their
 * addresses. */
static bool find_window(uw_effects *effects, MlirOperation loop, const uw_ops *accesses, uw_access *window) {
  for (size_t i = 0; i < accesses->count; i++) {
    uw_access access = only_access(effects, accesses->at[i]);
    if (!access.address.offset.known || !access.bytes || !only_thread_terms(&access.address.offset, loop))
      return false;
    if (i == 0) {
      *window = access;
      window->reads = window->writes = true;
      continue;
    }
    uw_linear *first = &window->address.offset, gap = uw_linear_sum(&access.address.offset, first, -1);
    if (!gap.known || gap.count != 0)
      return false;
    int64_t end = first->constant + (int64_t)window->bytes, low = access.address.offset.constant;
    int64_t high = low + (int64_t)access.bytes;
    low = low < first->constant ? low : first->constant;
    window->bytes = (uint64_t)((high > end ? high : end) - low);
    first->constant = low;
  }
  return accesses->count > 0;
}

/* The most that an access claims its address to be a multiple of. */
static int64_t alignment_of(const uw_ops *accesses) {
  int64_t most = 1;
  for (size_t i = 0; i < accesses->count; i++) {
    MlirOperation op = accesses->at[i];
    MlirValue value = uw_kind(op) == UW_OP_LLVM_STORE ? uw_operand(op, 0) : uw_result(op, 0);
    int64_t own = uw_get_int_attr(op, "alignment", (int64_t)uw_type_align(mlirValueGetType(value)));
    most = own > most ? own : most;
  }
  return most;
}

/* The window starts at a multiple of the alignment, so that what accesses claim holds, and takes no more room than it
 * must: the windows of neighbours stay side by side. */
static bool make_private(uw_arena *arena, uw_effects *effects, MlirOperation loop, MlirOperation shared) {
  uw_ops arithmetic = {0}, accesses = {0};
  uw_access window;
  if (!uw_plain_uses(arena, loop, uw_result(shared, 0), &arithmetic, &accesses) ||
      !find_window(effects, loop, &accesses, &window))
    return false;
  int64_t alignment = alignment_of(&accesses), *low = &window.address.offset.constant,
          rest = (*low % alignment + alignment) % alignment;
  window.bytes += (uint64_t)rest;
  *low -= rest;
  uw_access exact = window;
  exact.address.offset.constant += rest;
  exact.bytes -= (uint64_t)rest;
  if (window.bytes > UW_MOST_PRIVATE || uw_conflict(effects, &exact, &exact))
    return false;
  uw_remark(mlirOperationGetLocation(accesses.at[0]), NAME,
            "shared array made private: each thread has a slot of its own in it");
  uw_builder b = uw_at_start(uw_block(loop, 0), mlirOperationGetLocation(shared));
  MlirType bytes =
      uw_type(b.context, uw_arena_format(arena, "!llvm.array<%llu x i8>", (unsigned long long)window.bytes));
  MlirValue memory = uw_build1(
      &b, "llvm.alloca", .in = VALS(uw_const_int(&b, 64, 1)), .out = TYPES(uw_ptr_type(b.context)),
      .attrs = ATTRS({"elem_type", mlirTypeAttrGet(bytes)}, {"alignment", uw_int_attr(b.context, 64, alignment)}));
  for (size_t i = 0; i < accesses.count; i++) {
    size_t pointer = uw_kind(accesses.at[i]) == UW_OP_LLVM_STORE;
    int64_t at = only_access(effects, accesses.at[i]).address.offset.constant - *low;
    uw_builder here = uw_at(accesses.at[i]);
    mlirOperationSetOperand(accesses.at[i], (intptr_t)pointer, at ? uw_byte_address(&here, memory, at) : memory);
  }
  for (size_t i = arithmetic.count; i-- > 0;)
    uw_erase(arithmetic.at[i]);
  uw_erase(shared);
  return true;
}

static bool drop_unread(uw_arena *arena, MlirOperation loop, MlirOperation shared) {
  uw_ops arithmetic = {0}, accesses = {0};
  if (!uw_plain_uses(arena, loop, uw_result(shared, 0), &arithmetic, &accesses))
    return false;
  for (size_t i = 0; i < accesses.count; i++)
    if (uw_kind(accesses.at[i]) != UW_OP_LLVM_STORE)
      return false;
  for (size_t i = 0; i < accesses.count; i++) {
    uw_remark(mlirOperationGetLocation(accesses.at[i]), NAME, "store to shared memory dropped: nobody reads it");
    uw_erase(accesses.at[i]);
  }
  for (size_t i = arithmetic.count; i-- > 0;)
    uw_erase(arithmetic.at[i]);
  uw_erase(shared);
  return true;
}

static bool simplify_arrays(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  bool changed = false;
  uw_ops shared = uw_shared_beside(arena, loop);
  for (size_t i = 0; i < shared.count; i++)
    changed = drop_unread(arena, loop, shared.at[i]) || make_private(arena, effects, loop, shared.at[i]) || changed;
  return changed;
}

uw_change uw_pass_forward_stores(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_over(ctx->arena, root, UW_OVER_THREADS);
  for (size_t i = 0; i < loops.count; i++) {
    uw_arena *arena = uw_arena_create();
    uw_effects *effects = uw_effects_of(arena, loops.at[i]);
    bool changed = forward_all(arena, effects, loops.at[i]);
    changed = delay_loads(arena, effects, loops.at[i]) || changed;
    if (simplify_arrays(arena, effects, loops.at[i]) || changed)
      change = UW_CHANGED;
    uw_arena_destroy(arena);
  }
  return change;
}
