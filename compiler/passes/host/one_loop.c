/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One loop for two launches: see one_loop.h. */
#include "one_loop.h"

#include "../../ir/block_numbers.h"
#include "../../analysis/bases.h"
#include "../../analysis/dependence.h"
#include "../../analysis/thresholds.h"
#include "../memory/apart.h"
#include "between.h"
#include "own_elements.h"

enum { MOST_ASKED = 16 /* bound */ /* pairs that have to lie apart */ };

static bool is_parameter(MlirOperation load) { return !mlirAttributeIsNull(uw_get_attr(load, "unwarp.readonly")); }

static MlirOperation threads_of(MlirOperation grid) {
  uw_foreach_op (op, uw_block(grid, 0))
    if (uw_is_over(op, UW_OVER_THREADS))
      return op;
  return (MlirOperation){NULL};
}

/* --- what a launch does -------------------------------------------------------------------------------------------- */

/* Something else than computing, plain accesses, branches and loops? */
static const char *forbids(MlirOperation op, MlirOperation grid) {
  uw_kind_t kind = uw_kind(op);
  if (kind == UW_OP_BARRIER || kind == UW_OP_SHUFFLE || kind == UW_OP_REDUCE || kind == UW_OP_MATCH)
    return "its threads wait for each other";
  if (kind == UW_OP_SHARED)
    return "its blocks have shared memory";
  if (uw_is_atomic(op))
    return "an atomic operation may tell who comes first";
  if (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE)
    return uw_plain_access(op) ? NULL : "a volatile or atomic access may tell who comes first";
  if (kind == UW_OP_LLVM_ALLOCA)
    return "threads have memory of their own";
  bool known = uw_effect_free(op) || uw_name_starts(op, "scf.") || uw_name_starts(op, "llvm.intr.assume");
  if (kind == UW_OP_SCF_FORALL && !uw_is_over(op, UW_OVER_THREADS))
    return "it is a loop of another kind";
  if (kind == UW_OP_SCF_FORALL && !uw_same_op(uw_parent(op), grid))
    return "it has several loops over threads";
  return known || uw_is_block_mark(op) ? NULL : "it calls a function";
}

/* What the launch has of the address: the pointer that goes in, and what is added there. */
static MlirValue root_of(MlirOperation op, MlirOperation grid) {
  MlirValue pointer = uw_operand(op, uw_kind(op) == UW_OP_LLVM_STORE);
  while (uw_defined_inside(pointer, grid) && uw_kind(uw_def(pointer)) == UW_OP_LLVM_GEP)
    pointer = uw_operand(uw_def(pointer), 0);
  return pointer;
}

/* Pointers to what is loaded or stored, which have to be there before the launch. */
static const char *add_pointer(uw_arena *arena, MlirOperation op, MlirOperation grid, uw_vals *pointers) {
  uw_accesses accesses = {0};
  if ((uw_kind(op) != UW_OP_LLVM_LOAD && uw_kind(op) != UW_OP_LLVM_STORE) || is_parameter(op))
    return NULL;
  uw_accesses_of(arena, op, &accesses);
  MlirValue root = root_of(op, grid);
  if (accesses.count != 1 || accesses.at[0].anywhere || !accesses.at[0].bytes || uw_defined_inside(root, grid))
    return "it goes by a pointer from memory";
  uw_vals_push_new(arena, pointers, root);
  return NULL;
}

const char *uw_is_plain_launch(uw_arena *arena, MlirOperation grid, uw_vals *pointers, MlirOperation *culprit) {
  uw_ops ops = uw_collect(arena, grid);
  size_t loops = 0;
  for (size_t i = 0; i < ops.count; i++) {
    const char *why = forbids(ops.at[i], grid);
    *culprit = ops.at[i];
    why = why ? why : add_pointer(arena, ops.at[i], grid, pointers);
    loops += uw_is_over(ops.at[i], UW_OVER_THREADS);
    if (why)
      return why;
  }
  *culprit = (MlirOperation){NULL};
  return loops == 1 ? NULL : "it has several loops over threads";
}

/* --- the loop ------------------------------------------------------------------------------------------------------ */

typedef struct made {
  uw_one_loop *one;
  uw_ops bodies[2]; /* accesses of each launch */
  uw_vals pairs[2]; /* pointers that are asked to be the same */
  uw_question question;
  size_t asked;
} made;

static void give_up(made *m, const char *why, MlirOperation first, MlirOperation second) {
  m->one->why = why;
  m->one->culprits[0] = first;
  m->one->culprits[1] = second;
}

/* In one thread another launch's accesses may stand beside it, of which these say nothing. */
static void forget_promises(uw_arena *arena, MlirOperation op) {
  static const char *const promises[] = {"unwarp.restrict", "invariant",      "invariantGroup",
                                         "alias_scopes",    "noalias_scopes", "tbaa"};
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++)
      if (!mlirAttributeIsNull(uw_get_attr(ops.at[i], promises[k])) &&
          (uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD || uw_kind(ops.at[i]) == UW_OP_LLVM_STORE))
        uw_remove_attr(ops.at[i], promises[k]);
}

static void add_accesses(uw_arena *arena, MlirOperation op, uw_ops *list) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++)
    if ((uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD && !is_parameter(ops.at[i])) || uw_kind(ops.at[i]) == UW_OP_LLVM_STORE)
      uw_ops_push(arena, list, ops.at[i]);
}

/* Pointers of the second launch are those of the first one that are computed alike. */
static void match_pointers(made *m, const uw_vals *first, const uw_vals *second, uw_map *map) {
  for (size_t i = 0; i < second->count; i++)
    for (size_t k = 0; k < first->count; k++)
      if (uw_same_origin(first->at[k], second->at[i])) {
        MlirValue carried = uw_map_or_same(m->one->carried, first->at[k]);
        uw_map_set(map, second->at[i], carried);
        if (!uw_same(carried, second->at[i])) {
          uw_vals_push(m->one->arena, &m->pairs[0], carried);
          uw_vals_push(m->one->arena, &m->pairs[1], second->at[i]);
        }
        break;
      }
}

static void map_indices(uw_map *map, MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(uw_block(from, 0)); i++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(from, 0), i), mlirBlockGetArgument(uw_block(to, 0), i));
}

static MlirValue without_cast(MlirValue value) {
  MlirOperation op = uw_def(value);
  bool cast = uw_kind(op) == UW_OP_ARITH_INDEX_CAST || uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI;
  return cast ? uw_operand(op, 0) : value;
}

static void map_extent(uw_map *map, MlirValue from, MlirValue to) {
  int64_t number;
  if (!uw_const_value(from, &number) && mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to)))
    uw_map_set(map, from, to);
}

/* Both launches have the same shape where the loop runs: extents of the second are those of the first. */
static void map_extents(uw_map *map, MlirOperation from, MlirOperation to) {
  for (size_t d = 0; d < uw_dims(from); d++) {
    map_extent(map, uw_upper_of(from, d), uw_upper_of(to, d));
    map_extent(map, without_cast(uw_upper_of(from, d)), without_cast(uw_upper_of(to, d)));
  }
}

static void append_threads(made *m, MlirOperation from, MlirOperation to, uw_map *map) {
  map_indices(map, from, to);
  uw_foreach_op (op, uw_block(from, 0)) {
    if (uw_same_op(op, uw_last(uw_block(from, 0))))
      break;
    uw_builder b = uw_at_end(uw_block(to, 0), mlirOperationGetLocation(op));
    MlirOperation copy = uw_clone(&b, op, map);
    forget_promises(m->one->arena, copy);
    add_accesses(m->one->arena, copy, &m->bodies[1]);
  }
}

static void append_blocks(made *m, MlirOperation from, uw_map *map) {
  MlirOperation threads = threads_of(m->one->grid), enter = {NULL};
  map_indices(map, from, m->one->grid);
  map_extents(map, from, m->one->grid);
  map_extents(map, threads_of(from), threads);
  uw_foreach_op (op, uw_block(m->one->grid, 0))
    enter = uw_is_block_mark(op) ? op : enter;
  uw_foreach_op (op, uw_block(from, 0)) {
    if (uw_same_op(op, uw_last(uw_block(from, 0))))
      break;
    if (uw_is_block_mark(op) && !uw_null(enter)) {
      uw_map_set(map, uw_result(op, 0), uw_result(enter, 0));
    } else if (uw_is_over(op, UW_OVER_THREADS)) {
      append_threads(m, op, threads, map);
    } else {
      uw_builder b = uw_at(threads);
      uw_clone(&b, op, map);
    }
  }
}

/* --- whether it is right ------------------------------------------------------------------------------------------- */

static uw_access access_of(uw_arena *arena, MlirOperation op) {
  uw_accesses accesses = {0};
  uw_accesses_of(arena, op, &accesses);
  return accesses.at[0];
}

static void ask_apart(made *m, const uw_access *a, const uw_access *b) {
  if (m->asked++ == MOST_ASKED)
    give_up(m, "too many pointers would have to be asked whether they lie apart", a->op, b->op);
  else if (!uw_ask_apart(&m->question, a, b))
    give_up(m, "it cannot be asked whether these two lie apart", a->op, b->op);
}

static void compare(made *m, uw_access_maps *maps, MlirOperation first, MlirOperation second) {
  uw_access a = access_of(m->one->arena, first), b = access_of(m->one->arena, second);
  if (!a.writes && !b.writes)
    return;
  if (!uw_same_origin(a.address.base, b.address.base)) {
    ask_apart(m, &a, &b);
    return;
  }
  uw_dependence dependence =
      uw_dependence_between((MlirOperation){NULL}, uw_access_map_at(maps, first), uw_access_map_at(maps, second));
  bool apart = dependence.known && !dependence.others && uw_same(a.address.base, b.address.base);
  if (!apart && !uw_are_own_elements(m->one->grid, threads_of(m->one->grid), first, second))
    give_up(m, "a thread of the second may meet another thread of the first", first, second);
}

static void compare_all(made *m) {
  uw_access_maps *maps = uw_access_maps_create(m->one->arena);
  for (size_t i = 0; i < m->bodies[0].count; i++)
    for (size_t k = 0; k < m->bodies[1].count && !m->one->why; k++)
      compare(m, maps, m->bodies[0].at[i], m->bodies[1].at[k]);
}

static MlirValue is_equal(uw_builder *b, MlirValue left, MlirValue right) {
  return uw_build1(b, "llvm.icmp", .in = VALS(left, right), .out = TYPES(uw_int_type(b->context, 1)),
                   .attrs = ATTRS({"predicate", uw_int_attr(b->context, 64, UW_EQ)}));
}

static void ask_same(made *m) {
  for (size_t i = 0; i < m->pairs[0].count; i++)
    uw_add_condition(&m->question, is_equal(&m->question.b, m->pairs[0].at[i], m->pairs[1].at[i]));
}

void uw_build_one_loop(uw_one_loop *one) {
  made m = {.one = one};
  uw_vals pointers[2] = {{0}};
  MlirOperation culprit;
  uw_map *second = uw_map_create(one->arena);
  for (size_t i = 0; i < 2; i++)
    uw_is_plain_launch(one->arena, one->grids[i], &pointers[i], &culprit);
  match_pointers(&m, &pointers[0], &pointers[1], second);
  uw_builder b = uw_at(one->at);
  one->grid = uw_clone(&b, one->grids[0], one->carried);
  forget_promises(one->arena, one->grid);
  add_accesses(one->arena, one->grid, &m.bodies[0]);
  append_blocks(&m, one->grids[1], second);
  m.question = uw_question_before(one->arena, one->grid);
  if (uw_collect(one->arena, one->grid).count > UW_MOST_COPIED)
    give_up(&m, "both together are too long", (MlirOperation){NULL}, (MlirOperation){NULL});
  if (!one->why)
    compare_all(&m);
  if (!one->why)
    ask_same(&m);
  one->asked = m.question.asked;
}
