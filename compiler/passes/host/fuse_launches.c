/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs neighbouring launches as one where they match element by element: what a thread of the first one wrote is still
 * in a register when the second one's thread wants it, and waking the workers is paid once.
 *
 *   if (A begins) { loops of A; A ends }        if (A begins) { pending = true }
 *   else A elsewhere                             else A elsewhere
 *   host code                                    host code; where it can tell: if (pending) { A elsewhere; pending = false }
 *   if (B begins) { loops of B; B ends }  ==>    if (pending && the runtime may join B to A && asked) {
 *   else B elsewhere                               loops of both; A ends; pending = false      (1)
 *                                                } else {
 *                                                  if (pending) { loops of A; A ends; pending = false }
 *                                                  if (B begins) { loops of B; B ends } else B elsewhere
 *                                                }
 *
 * (1) is a launch of its own to what follows: it is put off in turn, with the parameters of B noted beside A's, and runs
 * with C in one loop; where it has to run before, A runs elsewhere, and B after it.
 *
 * Legal since both languages let a kernel run at any time from its launch to where the host waits for it. A begins where
 * it did, with all its errors; what stands between the two can neither wait nor look (between.h); the loops of both are
 * right (one_loop.h); and the runtime says no where the two differ in shape or stream, where B would be refused, or
 * somebody listens: a profiler, checks, a capture. A fault in the one loop is told as one of either kernel.
 *
 * In the one loop, stores to memory that only these launches see go (dying.h).
 *
 * Requires: raised launches with their loops as they were made. Refuses: barriers, shared memory, atomic and volatile
 * accesses, calls, pointers from memory, parameters of the first kernel that lie in memory, accesses that meet in
 * different threads, bodies that are too long, positions in between that can tell, each with a remark. */
#include <string.h>

#include "../../../runtime/uwrt.h"

#include "../../analysis/thresholds.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/version.h"
#include "../passes.h"
#include "between.h"
#include "dying.h"
#include "one_loop.h"

#define NAME "fuse-launches"

enum { MOST_ENDS = 40 /* bound: calls of the entry */, BEGIN = 7 /* operands of uwrt_launch_begin */ };

/* A launch that runs through its entry: its record, and its parameters' addresses. */
typedef struct entry {
  const char *record;
  MlirValue list;
} entry;

typedef struct site {
  MlirOperation begin, icmp, branch, grid, end, arguments, elsewhere; /* no arguments: where none are kept */
  entry *before;                                                      /* launches that are in its loops already */
  size_t before_count;
  uw_chain chain; /* of all launches in its loops */
  bool in_memory; /* are parameters in memory that the program may change? */
  uw_vals pointers;
  const char *why; /* not; null: it may be one of two */
  MlirOperation culprit;
} site;

typedef struct fuse {
  uw_arena *arena;
  MlirModule module;
  MlirOperation function;
  site *sites;
  size_t count;
  uw_table *made; /* branches around the loops of several launches: the site */
  uw_table *done; /* branches that were asked about */
  uw_dying dying; /* memory that only launches see */
  bool changed;   /* also where no two became one: by what was moved to look */
} fuse;

/* --- launches ------------------------------------------------------------------------------------------------------ */

static bool calls(MlirOperation op, const char *name) {
  return uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", name);
}

static MlirLocation place_of(const site *s) {
  MlirLocation at = mlirOperationGetLocation(s->begin);
  return mlirLocationIsACallSite(at) ? mlirLocationCallSiteGetCaller(at) : at;
}

static bool find_parts(site *s) {
  uw_foreach_op (op, uw_block(s->branch, 0)) {
    if (uw_is_over(op, UW_OVER_BLOCKS) && uw_null(s->grid))
      s->grid = op;
    else if (calls(op, "uwrt_launch_end"))
      s->end = op;
    else if (calls(op, "uwrt_launch_arguments"))
      s->arguments = op;
    else if (uw_region_count(op))
      return false;
  }
  uw_foreach_op (op, uw_block(s->branch, 1))
    if (calls(op, "uwrt_launch_elsewhere"))
      s->elsewhere = op;
  return !uw_null(s->grid) && !uw_null(s->end) && !uw_null(s->elsewhere);
}

static bool find_site(MlirOperation branch, site *s) {
  *s = (site){.branch = branch, .in_memory = !mlirAttributeIsNull(uw_get_attr(branch, UW_MEMORY_PARAMETERS))};
  if (uw_kind(branch) != UW_OP_SCF_IF || mlirAttributeIsNull(uw_get_attr(branch, UW_LAUNCH)) || uw_result_count(branch))
    return false;
  s->icmp = uw_def(uw_operand(branch, 0));
  if (uw_null(s->icmp) || !uw_string_is(uw_name(s->icmp), "llvm.icmp"))
    return false;
  s->begin = uw_def(uw_operand(s->icmp, 0));
  return !uw_null(s->begin) && calls(s->begin, "uwrt_launch_begin") && uw_operand_count(s->begin) == BEGIN &&
         mlirBlockEqual(mlirOperationGetBlock(s->begin), mlirOperationGetBlock(branch)) && find_parts(s);
}

/* Of the runtime's record of the kernel; none: {NULL, 0}. */
static MlirStringRef record_name(const site *s) {
  MlirOperation record = uw_def(uw_operand(s->begin, 0));
  return uw_kind(record) == UW_OP_LLVM_ADDRESSOF ? uw_get_str_attr(record, "global_name") : (MlirStringRef){NULL, 0};
}

/* Is it what the runtime has of the launch? That is there in the branch alone: a launch that is refused has none. */
static bool is_of_launch(const site *s, MlirValue address) {
  while (uw_kind(uw_def(address)) == UW_OP_LLVM_GEP)
    address = uw_operand(uw_def(address), 0);
  return mlirValueEqual(address, uw_result(s->begin, 0));
}

static bool may_be_early(uw_arena *arena, const site *s, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!uw_value_dominates(arena, uw_operand(op, i), s->branch))
      return false;
  return uw_speculatable(op) ||
         (uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op) &&
          !mlirAttributeIsNull(uw_get_attr(op, "unwarp.readonly")) && !is_of_launch(s, uw_operand(op, 0)));
}

/* What the loops use of what is computed beside them stands before the branch from here on. */
static void hoist(fuse *f, site *s) {
  uw_foreach_op_safe (op, uw_block(s->branch, 0))
    if (!uw_same_op(op, uw_last(uw_block(s->branch, 0))) && may_be_early(f->arena, s, op)) {
      uw_move_before(op, s->branch);
      f->changed = true;
    }
}

static bool uses_rest(const site *s) {
  uw_foreach_op (op, uw_block(s->branch, 0))
    for (size_t i = 0; i < uw_result_count(op); i++)
      if (!mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(op, i))))
        return true;
  return false;
}

static void look_at_site(fuse *f, site *s) {
  hoist(f, s);
  if (!s->before_count) {
    uw_ops_push(f->arena, &s->chain.grids, s->grid);
    uw_ops_push(f->arena, &s->chain.begins, s->begin);
  }
  s->why = uw_is_plain_launch(f->arena, s->grid, &s->pointers, &s->culprit);
  if (!s->why && (uses_rest(s) || !record_name(s).data))
    s->why = "what its loops need cannot be computed before";
}

static void find_sites(fuse *f) {
  MlirRegion region = mlirOperationGetRegion(f->function, 0);
  size_t room = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    uw_foreach_op (op, block) {
      const site *made = (const site *)uw_table_get(f->made, op.ptr);
      site found;
      if (made)
        found = *made;
      else if (!find_site(op, &found))
        continue;
      f->sites = uw_grow(f->arena, f->sites, f->count, &room, sizeof *f->sites);
      f->sites[f->count++] = found;
    }
}

/* --- which two ----------------------------------------------------------------------------------------------------- */

static void tell(const site *first, const char *format, const char *what) {
  uw_remark(place_of(first), NAME, format, what);
}

static void refuse_site(const fuse *f, const site *first, const site *s) {
  MlirLocation at = uw_null(s->culprit) ? place_of(s) : mlirOperationGetLocation(s->culprit);
  const char *which = s == first ? "first" : "second";
  uw_remark(place_of(first), NAME, "not one launch with the next: of the %s, %s (%s)", which, s->why,
            uw_remark_line(f->arena, place_of(first), at));
}

static void refuse_between(const fuse *f, const site *first, MlirOperation stands) {
  MlirStringRef callee = uw_get_str_attr(stands, "callee");
  const char *line = uw_remark_line(f->arena, place_of(first), mlirOperationGetLocation(stands));
  if (calls(stands, "uwrt_launch_begin"))
    uw_remark(place_of(first), NAME, "not one launch with the next: which that is depends on branches in between (%s)",
              line);
  else if (callee.data)
    uw_remark(place_of(first), NAME, "not one launch with the next: %.*s may tell whether it has run (%s)",
              (int)callee.length, callee.data, line);
  else
    uw_remark(place_of(first), NAME,
              "not one launch with the next: what stands between may tell whether it has run (%s)", line);
}

static void refuse_loop(const fuse *f, const site *first, const uw_one_loop *one) {
  const char *lines[2] = {"", ""};
  if (uw_null(one->culprits[0])) {
    tell(first, "not one launch with the next: %s", one->why);
    return;
  }
  for (size_t i = 0; i < 2; i++)
    lines[i] = uw_remark_line(f->arena, place_of(first), mlirOperationGetLocation(one->culprits[i]));
  uw_remark(place_of(first), NAME, "not one launch with the next: %s (%s and %s)", one->why, lines[0], lines[1]);
}

/* Surely not the same value? */
static bool differ(const site *first, const site *second, size_t operand) {
  int64_t left, right;
  return uw_const_value(uw_operand(first->begin, operand), &left) &&
         uw_const_value(uw_operand(second->begin, operand), &right) && left != right;
}

static bool differ_in_shape(const site *first, const site *second) {
  enum { FIRST = 1, LAST = 5 };
  for (size_t i = FIRST; i <= LAST; i++)
    if (differ(first, second, i))
      return true;
  return false;
}

static bool comes_later(const fuse *f, const site *first) { return first + 1 < f->sites + f->count; }

/* The launch that comes next, with all that stands between; null if there is none, or it cannot be. */
static site *find_next(fuse *f, site *first, uw_between_launches *between) {
  uw_table *begins = uw_table_create(f->arena);
  uw_vals *pointers = uw_alloc(f->arena, sizeof *pointers);
  for (size_t i = 0; i < f->count; i++) {
    for (size_t k = 0; k < f->sites[i].pointers.count; k++)
      uw_vals_push_new(f->arena, pointers, f->sites[i].pointers.at[k]);
    if (&f->sites[i] != first && !f->sites[i].before_count)
      uw_table_set(begins, f->sites[i].begin.ptr, 1);
  }
  *between = (uw_between_launches){.arena = f->arena, .first = first->branch, .begins = begins, .pointers = pointers};
  uw_look_between(between);
  if (!uw_null(between->stands) && comes_later(f, first))
    refuse_between(f, first, between->stands);
  if (!uw_null(between->stands) || uw_null(between->next))
    return NULL;
  for (size_t i = 0; i < f->count; i++)
    if (uw_same_op(f->sites[i].begin, between->next))
      return &f->sites[i];
  return NULL;
}

static bool can_be(const fuse *f, const site *first, const site *second, const uw_between_launches *between) {
  if (first->why || second->why) {
    refuse_site(f, first, first->why ? first : second);
    return false;
  }
  if (first->in_memory)
    tell(first, "not one launch with the next: %s", "parameters of the first lie in memory");
  else if (differ_in_shape(first, second))
    tell(first, "not one launch with the next: %s", "they have other grids or blocks");
  else if (between->ends.count > MOST_ENDS)
    tell(first, "not one launch with the next: %s", "on too many ways it has to run before");
  else
    return true;
  return false;
}

/* --- what the first launch uses ------------------------------------------------------------------------------------ */

typedef struct carry {
  fuse *f;
  uw_vals kept, slots; /* what is not computed twice, and the memory that holds it until then */
  uw_builder b;        /* where the second launch stands */
  MlirOperation at;
  uw_map *map;
} carry;

static MlirValue make_slot(fuse *f, MlirType type, uint64_t bytes) {
  uw_builder b = uw_at(uw_first(uw_block(f->function, 0)));
  return uw_build1(
      &b, "llvm.alloca", .in = VALS(uw_const_int(&b, 64, 1)), .out = TYPES(uw_ptr_type(b.context)),
      .attrs = ATTRS({"elem_type", mlirTypeAttrGet(type)}, {"alignment", uw_int_attr(b.context, 64, (int64_t)bytes)}));
}

static bool keep_value(carry *c, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  uint64_t bytes = mlirTypeIsAIndex(type) || mlirTypeIsAVector(type) ? 0 : uw_type_bytes(type);
  if (!bytes)
    return false;
  MlirValue slot = make_slot(c->f, type, bytes);
  uw_builder start = uw_after(uw_def(slot)); /* what is asked there is asked of something, also where nothing waits */
  uw_build(&start, "llvm.store", .in = VALS(uw_build1(&start, "llvm.mlir.zero", .out = TYPES(type)), slot));
  uw_vals_push(c->f->arena, &c->kept, value);
  uw_vals_push(c->f->arena, &c->slots, slot);
  uw_map_set(c->map, value, uw_build1(&c->b, "llvm.load", .in = VALS(slot), .out = TYPES(type)));
  return true;
}

/* The value as it is where the second launch stands. It is the same as where the first one began: what it is made of is
 * not computed anew in between (between.h). */
static bool carry_value(carry *c, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_map_get(c->map, value).ptr || uw_value_dominates(c->f->arena, value, c->at))
    return true;
  if (uw_null(op) || !uw_speculatable(op) || uw_region_count(op))
    return keep_value(c, value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!carry_value(c, uw_operand(op, i)))
      return false;
  uw_clone(&c->b, op, c->map);
  return true;
}

static bool carry_all(carry *c, MlirOperation grid) {
  uw_ops ops = uw_collect(c->f->arena, grid);
  uw_ops_push(c->f->arena, &ops, grid);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++)
      if (!uw_defined_inside(uw_operand(ops.at[i], k), grid) && !carry_value(c, uw_operand(ops.at[i], k)))
        return false;
  return true;
}

static void use_carried(const carry *c, MlirOperation grid) {
  uw_ops ops = uw_collect(c->f->arena, grid);
  uw_ops_push(c->f->arena, &ops, grid);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++)
      mlirOperationSetOperand(ops.at[i], (intptr_t)k, uw_map_or_same(c->map, uw_operand(ops.at[i], k)));
}

/* --- the code ------------------------------------------------------------------------------------------------------ */

typedef struct pending {
  fuse *f;
  MlirValue flag; /* where it is kept */
  entry *entries; /* in their order */
  size_t count;
} pending;

static MlirValue record_of(uw_builder *b, const char *name) {
  return uw_build1(b, "llvm.mlir.addressof", .out = TYPES(uw_ptr_type(b->context)),
                   .attrs = ATTRS({"global_name", uw_symbol_attr(b->context, name)}));
}

static void set_flag(uw_builder *b, const pending *p, bool value) {
  uw_build(b, "llvm.store", .in = VALS(uw_const_int(b, 8, value), p->flag));
}

static MlirValue is_pending(uw_builder *b, const pending *p) {
  MlirValue kept = uw_build1(b, "llvm.load", .in = VALS(p->flag), .out = TYPES(uw_int_type(b->context, 8)));
  return uw_compare(b, UW_NE, kept, uw_const_int(b, 8, 0));
}

static void make_flag(pending *p) {
  MlirContext context = mlirOperationGetContext(p->f->function);
  p->flag = make_slot(p->f, uw_int_type(context, 8), 1);
  uw_builder b = uw_after(uw_def(p->flag));
  set_flag(&b, p, false);
}

/* The launches through their entries. */
static void run_elsewhere(uw_builder *b, const pending *p) {
  if (p->count > 1)
    uw_declare(p->f->module, "uwrt_launch_joined", "!llvm.func<void (ptr, ptr)>");
  for (size_t i = 0; i < p->count; i++)
    uw_call(b, i ? "uwrt_launch_joined" : "uwrt_launch_elsewhere",
            VALS(record_of(b, p->entries[i].record), p->entries[i].list), (MlirType){NULL});
}

static void run_if_pending(uw_builder *b, const pending *p, bool done) {
  MlirOperation branch = uw_build_branch(b, is_pending(b, p));
  uw_builder in = uw_at_end(uw_block(branch, 0), b->location);
  run_elsewhere(&in, p);
  if (done)
    set_flag(&in, p, false);
}

/* In place of its loops the first launch notes its parameters, and that they are still to run. */
static void put_off(pending *p, site *first, const carry *c) {
  uw_map *map = uw_map_create(p->f->arena);
  uw_builder b = uw_at(first->end);
  uw_foreach_op (op, mlirOperationGetBlock(first->elsewhere)) {
    if (uw_same_op(op, first->elsewhere))
      break;
    uw_clone(&b, op, map);
  }
  for (size_t i = 0; i < c->kept.count; i++)
    uw_build(&b, "llvm.store", .in = VALS(c->kept.at[i], c->slots.at[i]));
  set_flag(&b, p, true);
}

static MlirValue may_join(uw_builder *b, const pending *p, const site *second, MlirValue waits, bool for_good) {
  uw_builder in;
  MlirValue operands[BEGIN];
  for (size_t i = 0; i < BEGIN; i++)
    operands[i] = uw_operand(second->begin, i);
  MlirOperation question = uw_begin_question(b, waits, &in);
  uw_declare(p->f->module, "uwrt_launch_join", "!llvm.func<i32 (ptr, i64, i32, i64, i32, i64, ptr)>");
  MlirValue joined =
      uw_result(uw_call(&in, "uwrt_launch_join", (uw_value_list){operands, BEGIN}, uw_int_type(b->context, 32)), 0);
  return uw_end_question(question, &in,
                         for_good ? uw_compare(&in, UW_EQ, joined, uw_const_int(&in, 32, UWRT_JOINS_FOR_GOOD))
                                  : uw_compare(&in, UW_NE, joined, uw_const_int(&in, 32, 0)));
}

static void end_first(MlirBlock block, MlirLocation location, const pending *p) {
  uw_builder b = uw_at_end(block, location);
  uw_call(&b, "uwrt_launch_end", VALS(record_of(&b, p->entries[0].record)), (MlirType){NULL});
}

/* The first launch alone, as it was. */
static void place_first(uw_builder *b, const pending *p, site *first, MlirValue waits) {
  MlirOperation branch = uw_build_branch(b, waits);
  uw_set_attr(branch, UW_LAUNCH, mlirUnitAttrGet(b->context));
  if (!uw_null(first->arguments))
    uw_move_to_end(first->arguments, uw_block(branch, 0));
  uw_move_to_end(first->grid, uw_block(branch, 0));
  end_first(uw_block(branch, 0), b->location, p);
  uw_erase(first->end);
  uw_builder other = uw_at_end(uw_block(branch, 1), b->location);
  run_if_pending(&other, p, false);
  set_flag(b, p, false);
}

static void place_both(uw_builder *b, const pending *p, const uw_one_loop *one) {
  uw_move_to_end(one->grid, b->block);
  end_first(b->block, b->location, p);
  set_flag(b, p, false);
}

static void place_second(MlirBlock block, const site *second) {
  uw_move_to_end(second->begin, block);
  uw_move_to_end(second->icmp, block);
  uw_move_to_end(second->branch, block);
}

static const char *record_text(const fuse *f, const site *s) {
  MlirStringRef name = uw_get_str_attr(uw_def(uw_operand(s->elsewhere, 0)), "global_name");
  return uw_arena_format(f->arena, "%.*s", (int)name.length, name.data);
}

static void note_entries(pending *p, const site *first) {
  p->count = first->before_count + 1;
  p->entries = uw_alloc(p->f->arena, p->count * sizeof *p->entries);
  for (size_t i = 0; i < first->before_count; i++)
    p->entries[i] = first->before[i];
  p->entries[first->before_count] = (entry){record_text(p->f, first), uw_operand(first->elsewhere, 1)};
}

/* The loops of both are those of a launch that may be one with the next, too. */
static void note_made(const pending *p, const site *first, const site *second, MlirOperation choice,
                      const uw_one_loop *one, const uw_chain *chain) {
  site *s = uw_alloc(p->f->arena, sizeof *s);
  *s = (site){.begin = first->begin,
              .branch = choice,
              .grid = one->grid,
              .elsewhere = second->elsewhere,
              .before = p->entries,
              .before_count = p->count,
              .chain = *chain,
              .in_memory = second->in_memory};
  uw_foreach_op (op, uw_block(choice, 0))
    s->end = calls(op, "uwrt_launch_end") ? op : s->end;
  uw_table_set(p->f->made, choice.ptr, (uintptr_t)s);
}

static void write_next(pending *p, site *first, const site *second, const uw_one_loop *one, const uw_chain *chain) {
  uw_builder b = uw_at(second->branch);
  MlirValue waits = is_pending(&b, p), both = may_join(&b, p, second, waits, one->for_good);
  if (one->asked.ptr)
    both = uw_binary(&b, "arith.andi", both, one->asked);
  MlirOperation choice = uw_build_branch(&b, both);
  uw_set_attr(choice, UW_LAUNCH, mlirUnitAttrGet(b.context));
  uw_builder holds = uw_at_end(uw_block(choice, 0), b.location), fails = uw_at_end(uw_block(choice, 1), b.location);
  place_both(&holds, p, one);
  place_first(&fails, p, first, waits);
  place_second(uw_block(choice, 1), second);
  note_made(p, first, second, choice, one, chain);
}

static void write(const carry *c, site *first, const site *second, const uw_one_loop *one,
                  const uw_between_launches *between, const uw_chain *chain) {
  fuse *f = c->f;
  pending p = {.f = f};
  note_entries(&p, first);
  make_flag(&p);
  put_off(&p, first, c);
  use_carried(c, first->grid);
  write_next(&p, first, second, one, chain);
  for (size_t i = 0; i < between->ends.count; i++) {
    uw_builder b = uw_at(between->ends.at[i]);
    run_if_pending(&b, &p, true);
  }
}

static bool build_loop(carry *c, const site *first, uw_one_loop *one) {
  if (!carry_all(c, first->grid)) {
    tell(first, "not one launch with the next: %s", "what the loops of the first need is not known there");
    return false;
  }
  uw_build_one_loop(one);
  if (!one->why)
    return true;
  refuse_loop(c->f, first, one);
  uw_erase(one->grid);
  return false;
}

static bool try(fuse *f, site *first) {
  uw_between_launches between;
  site *second = find_next(f, first, &between);
  if (!second || !can_be(f, first, second, &between))
    return false;
  carry c = {.f = f, .b = uw_at(second->branch), .at = second->branch, .map = uw_map_create(f->arena)};
  uw_one_loop one = {.arena = f->arena, .grids = {first->grid, second->grid}, .carried = c.map, .at = second->branch};
  if (!build_loop(&c, first, &one))
    return false;
  uw_remark(place_of(first), NAME, "one launch with the next (%s)%s",
            uw_remark_line(f->arena, place_of(first), place_of(second)),
            one.asked.ptr ? ", where a check at the launch shows that pointers are the same or lie apart" : "");
  uw_chain chain = uw_join_chains(f->arena, &first->chain, &second->chain);
  one.for_good = uw_drop_stores(&f->dying, &chain, one.grid, place_of(first));
  write(&c, first, second, &one, &between, &chain);
  return true;
}

static void find_dying(fuse *f) {
  uw_ops grids = {0};
  for (size_t i = 0; i < f->count; i++)
    if (!f->sites[i].why)
      uw_ops_push(f->arena, &grids, f->sites[i].grid);
  f->dying = uw_find_dying(f->arena, &grids);
}

static bool fuse_in(uw_arena *arena, MlirModule module, MlirOperation function) {
  fuse f = {.arena = arena,
            .module = module,
            .function = function,
            .made = uw_table_create(arena),
            .done = uw_table_create(arena)};
  find_sites(&f);
  if (f.count < 2)
    return false;
  for (size_t i = 0; i < f.count; i++)
    look_at_site(&f, &f.sites[i]);
  find_dying(&f);
  for (size_t i = 0; f.count > 1 && i < f.count; i++) {
    if (uw_table_get(f.done, f.sites[i].branch.ptr))
      continue;
    uw_table_set(f.done, f.sites[i].branch.ptr, 1);
    if (!try(&f, &f.sites[i]))
      continue;
    f.changed = true;
    f.count = 0; /* what was found is no more: launches that are left are looked for again */
    find_sites(&f);
    for (size_t k = 0; k < f.count; k++)
      look_at_site(&f, &f.sites[k]);
    i = (size_t)-1;
  }
  uw_forget_dying(&f.dying, function);
  return f.changed;
}

uw_change uw_pass_fuse_launches(MlirOperation root, uw_pass_ctx *ctx) {
  MlirModule module = mlirModuleFromOperation(root);
  uw_change change = UW_SAME;
  if (!uw_null(uw_find_symbol(module, "uwrt_launch_device")))
    return UW_SAME;
  uw_foreach_op (op, mlirModuleGetBody(module))
    if (uw_kind(op) == UW_OP_LLVM_FUNC && uw_is_host(op) && !mlirBlockIsNull(uw_block(op, 0)) &&
        fuse_in(ctx->arena, module, op))
      change = UW_CHANGED;
  return change;
}
