/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses, the ways between barriers, and conflicts: see effects.h.
 *
 * Private memory of a thread is no other thread's: CUDA gives its address no meaning there. */
#include "effects.h"

#include "../ir/remarks.h"
#include "exchange.h"

#include <string.h>

/* Of a block. Of a row of several blocks (coarsen_rows.c) two that are further apart would race for what both touch: nothing
 * orders them. */
enum { DIMS = 3, MOST_THREADS = 1024 };

struct uw_effects {
  uw_arena *arena;
  MlirOperation loop, launch; /* launch: the outermost parallel loop around */
  const char *level;
  size_t dims;
  MlirValue ids[DIMS];
  int64_t bounds[DIMS]; /* constant, or the most that CUDA allows */
  uw_uniformity *facts;
};

uw_effects *uw_effects_of(uw_arena *arena, MlirOperation loop) {
  uw_effects *effects = uw_alloc(arena, sizeof *effects);
  *effects = (uw_effects){.arena = arena, .loop = loop, .level = uw_exchange_level(loop)};
  for (MlirOperation op = loop; !uw_null(op); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_FORALL)
      effects->launch = op;
  MlirBlock body = uw_block(loop, 0);
  effects->dims = (size_t)mlirBlockGetNumArguments(body);
  uw_assert(loop, effects->dims <= DIMS);
  for (size_t d = 0; d < effects->dims; d++) {
    effects->ids[d] = mlirBlockGetArgument(body, (intptr_t)d);
    int64_t last = uw_most_of(effects->ids[d]);
    effects->bounds[d] = last < MOST_THREADS ? last + 1 : MOST_THREADS;
  }
  effects->facts = uw_uniformity_of(arena, loop, effects->level);
  return effects;
}

const uw_uniformity *uw_effects_uniformity(const uw_effects *effects) { return effects->facts; }
MlirOperation uw_effects_launch(const uw_effects *effects) { return effects->launch; }

void uw_effects_inside(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  uw_accesses_inside(effects->arena, op, list);
}

bool uw_reads_constant(uw_effects *effects, MlirOperation loop, MlirOperation load) {
  uw_accesses reads = {0}, all = {0};
  uw_effects_inside(effects, load, &reads);
  uw_effects_inside(effects, loop, &all);
  uw_access *read = &reads.at[0];
  read->bytes = 0; /* wherever it reads in that object */
  return !read->anywhere && !uw_is_overwritten(effects, &all, read);
}

/* --- ways between barriers ---------------------------------------------------------------------------------------- */

/* Walks one way through the structure, forward or backward, and collects until a barrier closes the way. */
typedef struct way {
  uw_effects *effects;
  bool forward;
  uw_accesses *list;
} way;

static bool walk(way *w, uw_ops ops, size_t from);

static bool walk_whole(way *w, MlirBlock block) {
  return !mlirBlockIsNull(block) && walk(w, uw_block_ops(w->effects->arena, block), 0);
}

/* True if every way through op meets a barrier. */
static bool walk_into(way *w, MlirOperation op) {
  bool closed = true;
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    for (intptr_t r = 0; r < uw_region_count(op); r++)
      closed = walk_whole(w, uw_block(op, (unsigned)r)) && closed; /* a missing else is open */
    return closed;
  case UW_OP_SCF_FOR: walk_whole(w, uw_block(op, 0)); return false; /* it may run no iteration */
  case UW_OP_SCF_WHILE:                                             /* the first region runs once at least */
    closed = walk_whole(w, uw_block(op, 0));
    if (!closed)
      walk_whole(w, uw_block(op, 1));
    return closed;
  default: uw_effects_inside(w->effects, op, w->list); return false;
  }
}

/* ops in their order; from counts from where the walk starts. True if a barrier was met on every way. */
static bool walk(way *w, uw_ops ops, size_t from) {
  for (size_t i = from; i < ops.count; i++) {
    MlirOperation op = ops.at[w->forward ? i : ops.count - 1 - i];
    if (uw_is_exchange(op, w->effects->level))
      return true;
    if (uw_has_exchange(op, w->effects->level)) {
      if (walk_into(w, op))
        return true;
    } else {
      uw_effects_inside(w->effects, op, w->list);
    }
  }
  return false;
}

static size_t position(uw_ops ops, MlirOperation op, bool forward) {
  for (size_t i = 0; i < ops.count; i++)
    if (uw_same_op(ops.at[i], op))
      return forward ? i : ops.count - 1 - i;
  return ops.count;
}

/* The next iteration of the loop around, as it comes after (or before) the block. */
static void walk_iteration(way *w, MlirOperation loop, MlirBlock block) {
  size_t first = w->list->count;
  bool closed = false;
  if (uw_kind(loop) == UW_OP_SCF_WHILE)
    closed = walk_whole(w, uw_block(loop, mlirBlockEqual(block, uw_block(loop, 0)) ? 1 : 0));
  if (!closed)
    walk_whole(w, block);
  for (size_t i = first; i < w->list->count; i++)
    w->list->at[i].crossed = loop;
}

static void walk_from(way *w, MlirOperation op) {
  for (;;) {
    MlirBlock block = mlirOperationGetBlock(op);
    uw_ops ops = uw_block_ops(w->effects->arena, block);
    if (walk(w, ops, position(ops, op, w->forward) + 1))
      return;
    MlirOperation around = uw_parent(op);
    if (uw_null(around) || uw_same_op(around, w->effects->loop))
      return;
    if (uw_kind(around) == UW_OP_SCF_FOR || uw_kind(around) == UW_OP_SCF_WHILE)
      walk_iteration(w, around, block);
    op = around;
  }
}

void uw_effects_before(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  walk_from(&(way){effects, false, list}, op);
}

void uw_effects_after(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  walk_from(&(way){effects, true, list}, op);
}

/* --- conflicts ---------------------------------------------------------------------------------------------------- */

/* The same in both threads, at both times. */
static bool is_common(const void *context, const uw_access *a, const uw_access *b, MlirValue value) {
  const uw_effects *effects = context;
  return uw_uniform(effects->facts, value) && !uw_other_iteration(value, a, b);
}

/* Threads that all write, each to an address that depends on every dimension of its index, write to different
 * addresses, or they would race: then what another thread reads, at its own address, is not what this one wrote.
 * (Addresses that depend on less may be meant to be written by all: threads elect one of them so.) */
static bool is_written_by_each(const uw_effects *effects, const uw_dependence_axis *axes, const uw_access *a,
                               const uw_access *b) {
  for (size_t d = 0; d < effects->dims; d++)
    if (!axes[d].a.known || (uw_is_stride(axes[d].a, 0) && effects->bounds[d] != 1))
      return false;
  return a->writes && !b->writes && uw_kind(a->op) == UW_OP_LLVM_STORE && a->bytes == b->bytes &&
         uw_linear_equal(&a->address.offset, &b->address.offset) && uw_made_by_all(effects->facts, a->op);
}

bool uw_conflict(const uw_effects *effects, const uw_access *a, const uw_access *b) {
  if (!a->writes && !b->writes)
    return false;
  if (a->anywhere || b->anywhere)
    return true;
  if (uw_is_private(uw_def(a->address.base)) || uw_is_private(uw_def(b->address.base)) ||
      uw_bases_distinct(effects->launch, a, b))
    return false;
  uw_dependence_axis axes[DIMS] = {0};
  for (size_t d = 0; d < effects->dims; d++)
    axes[d] = (uw_dependence_axis){.index = effects->ids[d],
                                   .is_common = true,
                                   .count = effects->bounds[d],
                                   .together = MOST_THREADS,
                                   .extent = uw_upper_of(effects->loop, d)};
  uw_dependence found = uw_dependence_over(axes, effects->dims, a, b, is_common, effects);
  return found.others && !(found.known && is_written_by_each(effects, axes, a, b));
}

bool uw_may_overlap(const uw_effects *effects, const uw_access *a, const uw_access *b) {
  uw_access write = *a;
  write.writes = true; /* overlap, whatever the two do */
  if (a->anywhere || b->anywhere)
    return true;
  if (uw_bases_distinct(effects->launch, a, b))
    return false;
  return uw_conflict(effects, &write, b) || uw_thread_overlap(a, b);
}

bool uw_is_overwritten(const uw_effects *effects, const uw_accesses *by, const uw_access *read) {
  for (size_t i = 0; i < by->count; i++)
    if (by->at[i].writes && uw_may_overlap(effects, &by->at[i], read))
      return true;
  return false;
}

static const char *also_fact(const uw_effects *effects, const char *facts, const uw_access *a, const uw_access *b) {
  if (a->anywhere || b->anywhere || !(a->writes || b->writes) || uw_same_place(a, b))
    return facts;
  const char *why = uw_why_distinct(effects->launch, a, b);
  why = why ? why : "other addresses in the same memory";
  if (facts && strstr(facts, why))
    return facts;
  return facts ? uw_arena_format(effects->arena, "%s, %s", facts, why) : why;
}

const char *uw_why_apart(const uw_effects *effects, const uw_accesses *others, const uw_accesses *own) {
  const char *facts = NULL;
  for (size_t i = 0; i < others->count && uw_remarks_form() != UW_REMARKS_NONE; i++)
    for (size_t k = 0; k < own->count; k++)
      facts = also_fact(effects, facts, &others->at[i], &own->at[k]);
  return facts;
}

const char *uw_why_unwritten(const uw_effects *effects, const uw_accesses *by, const uw_accesses *reads,
                             const char *where) {
  const char *facts = uw_why_apart(effects, by, reads);
  return facts ? uw_arena_format(effects->arena, "what is written %s lies elsewhere: %s", where, facts)
               : uw_arena_format(effects->arena, "nothing is written %s", where);
}
