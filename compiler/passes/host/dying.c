/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that only launches see: see dying.h. */
#include "dying.h"

#include "../../analysis/bases.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../loops/combine_branches.h"
#include "between.h"

#define NAME "fuse-launches"
#define MARK "unwarp.own_memory"
#define OTHER_FORM "uwrt_launch_object"

/* --- who sees it -------------------------------------------------------------------------------------------------- */

static MlirOperation at_top(MlirOperation op) {
  while (uw_kind(uw_parent(op)) != UW_OP_LLVM_FUNC)
    op = uw_parent(op);
  return op;
}

/* The block that alone leads there; null if others do. */
static MlirBlock single_predecessor(MlirBlock block) {
  if (mlirBlockGetNumPredecessors(block) != 1)
    return (MlirBlock){NULL};
  return mlirBlockGetPredecessor(block, 0);
}

static bool calls_one_of(MlirOperation op, const char *const *names, size_t count) {
  bool is_call = uw_kind(op) == UW_OP_LLVM_CALL || uw_kind(op) == UW_OP_LLVM_INVOKE;
  for (size_t i = 0; is_call && i < count; i++)
    if (uw_attr_is_str(op, "callee", names[i]))
      return true;
  return false;
}

static bool gives_parameters(MlirOperation op) {
  static const char *const names[] = {"uwrt_launch_elsewhere", "uwrt_launch_joined", "uwrt_launch_arguments",
                                      OTHER_FORM};
  return calls_one_of(op, names, sizeof names / sizeof *names);
}

/* The object of a buffer that has memory of its own. */
static bool makes_buffer(MlirOperation op) {
  static const char *const names[] = {"__unwarp_sycl_own_memory"};
  return calls_one_of(op, names, 1);
}

static bool frees(MlirOperation op) {
  static const char *const names[] = {"cudaFree", "cudaFreeAsync", "__unwarp_sycl_release"};
  return calls_one_of(op, names, sizeof names / sizeof *names);
}

static bool is_lifetime(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_LIFETIME_START || uw_kind(op) == UW_OP_LLVM_LIFETIME_END;
}

static MlirOperation root_of(MlirValue address) {
  while (uw_kind(uw_def(address)) == UW_OP_LLVM_GEP)
    address = uw_operand(uw_def(address), 0);
  return uw_def(address);
}

/* Is the memory but the parameters of launches through the runtime? These are the launches beside which they stand. */
static bool is_list(MlirValue place) {
  MlirOperation root = root_of(place);
  for (MlirOpOperand use = mlirValueGetFirstUse(place); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_address = uw_kind(user) == UW_OP_LLVM_STORE && mlirOpOperandGetOperandNumber(use) == 1;
    bool is_own = uw_kind(user) == UW_OP_LLVM_STORE && uw_same_op(root_of(uw_operand(user, 1)), root);
    bool is_part = uw_kind(user) == UW_OP_LLVM_GEP && is_list(uw_result(user, 0));
    if (!is_address && !is_own && !is_part && !is_lifetime(user) && !gives_parameters(user))
      return false;
  }
  return true;
}

static MlirOperation grid_around(MlirOperation op, const uw_ops *grids) {
  while (!uw_null(op) && !uw_ops_have(grids, op))
    op = uw_parent(op);
  return op;
}

static bool is_access(MlirOperation op, intptr_t operand) {
  return (uw_kind(op) == UW_OP_LLVM_LOAD || (uw_kind(op) == UW_OP_LLVM_STORE && operand == 1)) && uw_plain_access(op);
}

static bool is_parameter(MlirOperation op, intptr_t operand) {
  MlirOperation list =
      uw_kind(op) == UW_OP_LLVM_STORE && operand == 0 ? root_of(uw_operand(op, 1)) : (MlirOperation){0};
  return uw_kind(list) == UW_OP_LLVM_ALLOCA && is_list(uw_result(list, 0));
}

/* A number that the program compares (include/sycl/detail/tasks.hpp), or compares itself. */
static bool is_compared(MlirOperation op) {
  if (uw_string_is(uw_name(op), "llvm.icmp"))
    return true;
  if (!uw_string_is(uw_name(op), "llvm.ptrtoint"))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(op, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!uw_name_starts(mlirOpOperandGetOwner(use), "llvm.intr.annotation"))
      return false;
  return true;
}

/* The launches that have the list, as they go by the runtime. */
static void add_others(uw_arena *arena, MlirValue place, uw_ops *others) {
  for (MlirOpOperand use = mlirValueGetFirstUse(place); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP)
      add_others(arena, uw_result(user, 0), others);
    else if (uw_attr_is_str(user, "callee", OTHER_FORM) && !uw_ops_have(others, user))
      uw_ops_push(arena, others, user);
  }
}

static void follow(uw_dying *d, uw_own_memory *m, const uw_ops *grids, MlirValue pointer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(pointer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), grid = grid_around(user, grids);
    intptr_t operand = mlirOpOperandGetOperandNumber(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP && operand == 0) {
      follow(d, m, grids, uw_result(user, 0));
    } else if (!uw_null(grid) && is_access(user, operand)) {
      if (!uw_ops_have(&m->grids, grid))
        uw_ops_push(d->arena, &m->grids, grid);
      uw_set_attr(user, MARK, uw_int_attr(mlirOperationGetContext(user), 64, m - d->at));
    } else if (is_parameter(user, operand)) {
      add_others(d->arena, uw_result(root_of(uw_operand(user, 1)), 0), &m->others);
    } else if (!(frees(user) && operand == 0) && !is_compared(user)) {
      m->culprit = uw_null(m->culprit) ? user : m->culprit;
    }
  }
}

/* What is loaded there is the pointer, or what it leads to may be reached through it. */
static void follow_loads(uw_dying *d, uw_own_memory *m, const uw_ops *grids, MlirValue place) {
  for (MlirOpOperand use = mlirValueGetFirstUse(place); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_LOAD)
      follow(d, m, grids, uw_result(user, 0));
    else if (makes_buffer(m->allocation) && uw_kind(user) == UW_OP_LLVM_GEP)
      follow_loads(d, m, grids, uw_result(user, 0));
    else if (makes_buffer(m->allocation) && is_parameter(user, mlirOpOperandGetOperandNumber(use)))
      add_others(d->arena, uw_result(root_of(uw_operand(user, 1)), 0), &m->others);
    else if (makes_buffer(m->allocation) && !frees(user) && !is_compared(user))
      m->culprit = user;
  }
}

static void follow_all(uw_dying *d, uw_own_memory *m, const uw_ops *grids) {
  MlirValue made = uw_result(m->allocation, 0);
  if (uw_kind(m->allocation) == UW_OP_LLVM_ALLOCA || makes_buffer(m->allocation))
    follow_loads(d, m, grids, made);
  else
    follow(d, m, grids, made);
}

static MlirOperation allocation_of(MlirOperation root) {
  MlirOperation none = {NULL};
  if (uw_null(root))
    return none;
  MlirOperation object = uw_kind(root) == UW_OP_LLVM_LOAD ? root_of(uw_operand(root, 0)) : none;
  return !uw_null(object) && makes_buffer(object) ? object : uw_allocation_of(uw_result(root, 0));
}

static void add_allocation(uw_dying *d, MlirOperation allocation, size_t *room) {
  for (size_t i = 0; i < d->count; i++)
    if (uw_same_op(d->at[i].allocation, allocation))
      return;
  d->at = uw_grow(d->arena, d->at, d->count, room, sizeof *d->at);
  d->at[d->count++] = (uw_own_memory){.allocation = allocation};
}

static void add_allocations(uw_dying *d, MlirOperation grid, size_t *room) {
  uw_ops stores = uw_collect_kind(d->arena, grid, UW_OP_LLVM_STORE);
  for (size_t i = 0; i < stores.count; i++) {
    MlirOperation allocation = allocation_of(root_of(uw_operand(stores.at[i], 1)));
    if (!uw_null(allocation))
      add_allocation(d, allocation, room);
  }
}

uw_dying uw_find_dying(uw_arena *arena, const uw_ops *grids) {
  uw_dying d = {.arena = arena};
  size_t room = 0;
  for (size_t i = 0; i < grids->count; i++)
    add_allocations(&d, grids->at[i], &room);
  for (size_t i = 0; i < d.count; i++)
    follow_all(&d, &d.at[i], grids);
  return d;
}

void uw_forget_dying(const uw_dying *dying, MlirOperation function) {
  uw_ops ops = uw_collect(dying->arena, function);
  for (size_t i = 0; i < ops.count; i++)
    if (!mlirAttributeIsNull(uw_get_attr(ops.at[i], MARK)))
      uw_remove_attr(ops.at[i], MARK);
}

/* The first of several functions that one branch leads to, if the other does to a launch of the chain: then the call is
 * that launch where it cannot be in place (frontend/sycl/launch_sites.c). Its number; the chain's length: it is none. */
static size_t other_form_of(const uw_chain *chain, MlirOperation call) {
  MlirBlock own = mlirOperationGetBlock(call);
  for (size_t i = 0; i < chain->begins.count; i++) {
    MlirBlock block = mlirOperationGetBlock(at_top(chain->begins.at[i]));
    MlirBlock from = single_predecessor(block);
    if (!mlirBlockIsNull(from) && mlirBlockEqual(single_predecessor(own), from) && !mlirBlockEqual(own, block) &&
        uw_same_value(uw_operand(chain->begins.at[i], 0), uw_operand(call, 0)))
      return i;
  }
  return chain->begins.count;
}

static bool sees_only(const uw_own_memory *m, const uw_chain *chain) {
  for (size_t i = 0; i < m->grids.count; i++)
    if (!uw_ops_have(&chain->grids, m->grids.at[i]))
      return false;
  for (size_t i = 0; i < m->others.count; i++)
    if (other_form_of(chain, m->others.at[i]) == chain->begins.count)
      return false;
  return uw_null(m->culprit);
}

static void tell_seen(const uw_dying *d, const uw_ops *grids, MlirLocation about) {
  for (size_t i = 0; i < d->count; i++) {
    const uw_own_memory *m = &d->at[i];
    bool concerns = false;
    for (size_t k = 0; k < m->grids.count; k++)
      concerns = concerns || uw_ops_have(grids, m->grids.at[k]);
    if (concerns && !uw_null(m->culprit))
      uw_remark(about, NAME, "stores to memory that the function allocates stay: others may see it (%s)",
                uw_remark_line(d->arena, about, mlirOperationGetLocation(m->culprit)));
  }
}

/* --- whether all run ---------------------------------------------------------------------------------------------- */

static void push_all(uw_arena *arena, uw_ops *to, const uw_ops *from) {
  for (size_t i = 0; i < from->count; i++)
    uw_ops_push(arena, to, from->at[i]);
}

uw_chain uw_join_chains(uw_arena *arena, const uw_chain *first, const uw_chain *second) {
  uw_chain all = {0};
  push_all(arena, &all.grids, &first->grids);
  push_all(arena, &all.grids, &second->grids);
  push_all(arena, &all.begins, &first->begins);
  push_all(arena, &all.begins, &second->begins);
  return all;
}

/* Where the launch of the chain begins, in either form. */
static uw_ops places_of(uw_arena *arena, const uw_own_memory *m, const uw_chain *chain, size_t number) {
  uw_ops places = {0};
  uw_ops_push(arena, &places, at_top(chain->begins.at[number]));
  for (size_t i = 0; i < m->others.count; i++)
    if (other_form_of(chain, m->others.at[i]) == number)
      uw_ops_push(arena, &places, m->others.at[i]);
  return places;
}

static bool may_come_alone(uw_arena *arena, const uw_own_memory *m, const uw_chain *chain) {
  MlirOperation last = at_top(chain->begins.at[chain->begins.count - 1]);
  for (size_t i = 0; i + 1 < chain->begins.count; i++) {
    uw_ops before = places_of(arena, m, chain, i), places = places_of(arena, m, chain, i + 1);
    for (size_t k = 0; k < places.count; k++)
      if (uw_reaches_without(arena, uw_next(last), places.at[k], &before))
        return true;
  }
  return false;
}

static bool may_differ(const uw_chain *chain) {
  MlirOperation first = chain->begins.at[0];
  for (size_t k = 1; k < chain->begins.count; k++)
    for (size_t i = 1; i < uw_operand_count(first); i++)
      if (!uw_same_value(uw_operand(first, i), uw_operand(chain->begins.at[k], i)))
        return true;
  return false;
}

static const char *why_apart(uw_arena *arena, const uw_own_memory *m, const uw_chain *chain) {
  if (may_differ(chain))
    return "the launches may differ in shape or stream";
  return may_come_alone(arena, m, chain) ? "one may run again without those before it" : NULL;
}

/* --- in one loop ---------------------------------------------------------------------------------------------------- */

/* Computes once what both launches compute, so that branches and addresses of both are the same values. */
static void merge_values(uw_arena *arena, MlirOperation grid) {
  uw_ops ops = uw_collect(arena, grid);
  uw_table *gone = uw_table_create(arena);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    if (!uw_effect_free(op) || uw_region_count(op) || uw_result_count(op) != 1)
      continue;
    for (size_t k = 0; k < i; k++) {
      MlirOperation other = ops.at[k];
      if (uw_table_get(gone, other.ptr) || uw_result_count(other) != 1 || uw_region_count(other) ||
          !uw_same_attributes(op, other) || uw_null(uw_ancestor_in(mlirOperationGetBlock(other), op)) ||
          !uw_same_value(uw_result(other, 0), uw_result(op, 0)))
        continue;
      uw_replace_uses(uw_result(op, 0), uw_result(other, 0));
      uw_table_set(gone, op.ptr, 1);
      break;
    }
  }
  for (size_t i = ops.count; i-- > 0;)
    if (uw_table_get(gone, ops.at[i].ptr))
      uw_erase(ops.at[i]);
}

static bool is_marked(MlirOperation op, size_t number) { return uw_get_int_attr(op, MARK, -1) == (int64_t)number; }

static bool has_store_inside(uw_arena *arena, MlirOperation op, size_t number) {
  uw_ops stores = uw_collect_kind(arena, op, UW_OP_LLVM_STORE);
  for (size_t i = 0; i < stores.count; i++)
    if (is_marked(stores.at[i], number))
      return true;
  return false;
}

/* Is what the load gives what the store before it wrote, whatever way the thread took? */
static bool gives_stored(uw_arena *arena, MlirOperation store, MlirOperation load, size_t number) {
  if (uw_null(store))
    return false;
  MlirOperation at = uw_ancestor_in(mlirOperationGetBlock(store), load);
  return !uw_null(at) && (uw_same_op(at, load) || !has_store_inside(arena, at, number)) &&
         mlirTypeEqual(mlirValueGetType(uw_operand(store, 0)), mlirValueGetType(uw_result(load, 0))) &&
         uw_same_value(uw_operand(store, 1), uw_operand(load, 0));
}

/* The value that each load gives, in the order of the accesses; the load where that is not known; null: all are. */
static MlirOperation find_values(uw_arena *arena, const uw_ops *accesses, size_t number, uw_ops *from) {
  MlirOperation last = {NULL};
  for (size_t i = 0; i < accesses->count; i++) {
    MlirOperation op = accesses->at[i];
    if (uw_kind(op) == UW_OP_LLVM_STORE)
      last = op;
    else if (!gives_stored(arena, last, op, number))
      return op;
    uw_ops_push(arena, from, last);
  }
  return (MlirOperation){NULL};
}

static bool drop(const uw_dying *d, size_t number, MlirOperation grid, MlirLocation about) {
  uw_ops all = uw_collect(d->arena, grid), accesses = {0}, from = {0};
  for (size_t i = 0; i < all.count; i++)
    if (is_marked(all.at[i], number))
      uw_ops_push(d->arena, &accesses, all.at[i]);
  MlirOperation unknown = find_values(d->arena, &accesses, number, &from);
  if (!uw_null(unknown)) {
    uw_remark(about, NAME,
              "stores to memory that only these launches see stay: a load may want what an earlier launch "
              "stored (%s)",
              uw_remark_line(d->arena, about, mlirOperationGetLocation(unknown)));
    return false;
  }
  for (size_t i = 0; i < accesses.count; i++)
    if (uw_kind(accesses.at[i]) == UW_OP_LLVM_LOAD)
      uw_replace_uses(uw_result(accesses.at[i], 0), uw_operand(from.at[i], 0));
  for (size_t i = accesses.count; i-- > 0;)
    uw_erase(accesses.at[i]);
  if (accesses.count)
    uw_remark(about, NAME,
              "stores to memory that only these launches see are dropped: each thread loads what it stored");
  return accesses.count != 0;
}

static void make_same(uw_arena *arena, MlirOperation grid) {
  merge_values(arena, grid);
  uw_ops loops = uw_collect_over(arena, grid, UW_OVER_THREADS);
  for (size_t i = 0; i < loops.count; i++)
    uw_join_branches(arena, loops.at[i]);
}

bool uw_drop_stores(const uw_dying *dying, const uw_chain *chain, MlirOperation grid, MlirLocation about) {
  bool any = false;
  tell_seen(dying, &chain->grids, about);
  for (size_t i = 0; i < dying->count; i++) {
    if (!sees_only(&dying->at[i], chain))
      continue;
    const char *why = why_apart(dying->arena, &dying->at[i], chain);
    if (why) {
      uw_remark(about, NAME, "stores to memory that only these launches see stay: %s", why);
      continue;
    }
    make_same(dying->arena, grid);
    any = drop(dying, i, grid, about) || any;
  }
  return any;
}
