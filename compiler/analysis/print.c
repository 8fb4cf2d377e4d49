/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The analyses as text, for tests and for looking: unwarp-opt --print-analysis=NAME.
 *
 *   effects                for each loop over threads: its accesses, and for each barrier which of them it orders
 *   alias                  for each loop over threads: its accesses, and for each two of them (and each with the same one in
 *                          another thread) whether they may touch the same bytes, and why not
 *   reaching-definitions   for each loop over threads: its accesses, and for each load the writes that reach it
 *   bounds                 for each loop of a kernel, or of a launch in the host's code: the bounds of its extents and of
 *                          its indices; then those of each operation's result that is an index
 *   access                 for each access there: its map over the indices around it, as strides and as a matrix
 *                          (access_map.h)
 *   dependence             the same accesses, and for each two of which one writes (and for each that writes, with itself)
 *                          at which distances they may meet, as dependence.h has them
 *   uniformity             for each loop over threads: which results of its operations are the same in all threads, and why not */
#include <stdio.h>
#include <string.h>

#include "access_map.h"
#include "bounds.h"
#include "dependence.h"
#include "effects.h"
#include "exchange.h"
#include "reaching.h"

typedef struct printer {
  uw_arena *arena;
  MlirAsmState state;
  uw_effects *effects;
} printer;

static void print_value(printer *p, MlirValue value) {
  mlirValuePrintAsOperand(value, p->state, uw_print_part, stdout);
}

static void print_linear(printer *p, const uw_linear *sum) {
  if (!sum->known) {
    fputs("?", stdout);
    return;
  }
  printf("%lld", (long long)sum->constant);
  for (size_t i = 0; i < sum->count; i++) {
    printf(" + %lld*", (long long)sum->terms[i].factor);
    print_value(p, sum->terms[i].symbol);
    if (sum->terms[i].scale.ptr) {
      putchar('*');
      print_value(p, sum->terms[i].scale);
    }
  }
  if (!sum->exact)
    fputs(" (mod 2^32)", stdout);
}

static void print_access(printer *p, size_t number, const uw_access *access) {
  MlirStringRef name = uw_name(access->op);
  printf("  access %zu: %.*s", number, (int)name.length, name.data);
  if (access->anywhere) {
    puts(" anywhere");
    return;
  }
  fputs(access->writes ? access->reads ? " reads and writes " : " writes " : " reads ", stdout);
  print_value(p, access->address.base);
  fputs(" at ", stdout);
  print_linear(p, &access->address.offset);
  printf(", %llu bytes\n", (unsigned long long)access->bytes);
}

static size_t number_of(const uw_accesses *all, MlirOperation op) {
  size_t i = 0;
  while (i < all->count && !uw_same_op(all->at[i].op, op))
    i++;
  return i;
}

static void print_side(const char *side, const uw_accesses *all, const uw_accesses *list) {
  printf("%s {", side);
  for (size_t i = 0; i < list->count; i++)
    printf(i ? " %zu%s" : "%zu%s", number_of(all, list->at[i].op), list->at[i].crossed.ptr ? "'" : "");
  putchar('}');
}

static void print_effects(printer *p, MlirOperation loop) {
  uw_accesses all = {0};
  uw_effects_inside(p->effects, loop, &all);
  for (size_t i = 0; i < all.count; i++)
    print_access(p, i, &all.at[i]);
  uw_ops ops = uw_collect_kind(p->arena, loop, UW_OP_BARRIER);
  for (size_t i = 0; i < ops.count; i++) {
    if (!uw_is_exchange(ops.at[i], "block"))
      continue;
    uw_accesses before = {0}, after = {0};
    uw_effects_before(p->effects, ops.at[i], &before);
    uw_effects_after(p->effects, ops.at[i], &after);
    printf("  barrier %zu:", i);
    print_side(" before", &all, &before);
    print_side(" after", &all, &after);
    fputs(" orders", stdout);
    bool some = false;
    for (size_t k = 0; k < before.count; k++)
      for (size_t m = 0; m < after.count; m++)
        if (uw_conflict(p->effects, &before.at[k], &after.at[m])) {
          printf(" %zu-%zu", number_of(&all, before.at[k].op), number_of(&all, after.at[m].op));
          some = true;
        }
    puts(some ? "" : " nothing");
  }
}

/* Within a thread or between two: may the accesses touch the same bytes, whatever they do there? */
static const char *meeting(const printer *p, const uw_access *a, const uw_access *b) {
  if (a->anywhere || b->anywhere)
    return "may meet: one may be anywhere";
  uw_access write = *a;
  write.writes = true;
  bool between = uw_conflict(p->effects, &write, b), within = uw_thread_overlap(a, b);
  if (between && within)
    return "may meet";
  if (between)
    return "may meet in different threads only";
  if (!within)
    return "never meet: different addresses";
  return uw_same_place(a, b) ? "meet in the same thread only, in the same bytes" : "may meet in the same thread only";
}

static void print_alias(printer *p, MlirOperation loop) {
  uw_accesses all = {0};
  uw_effects_inside(p->effects, loop, &all);
  for (size_t i = 0; i < all.count; i++)
    print_access(p, i, &all.at[i]);
  for (size_t i = 0; i < all.count; i++)
    for (size_t k = i; k < all.count; k++) {
      const uw_access *a = &all.at[i], *b = &all.at[k];
      const char *why = a->anywhere || b->anywhere ? NULL : uw_why_distinct(uw_effects_launch(p->effects), a, b);
      printf("  accesses %zu and %zu: %s%s\n", i, k, why ? "never meet: " : "", why ? why : meeting(p, a, b));
    }
}

static bool may_meet(const void *effects, const uw_access *write, const uw_access *load) {
  return uw_may_overlap(effects, write, load);
}

static bool meets_itself(const void *effects, const uw_access *write, const uw_access *load) {
  return uw_meets_itself(uw_effects_launch(effects), write, load);
}

/* A load's definitions: an index for a sure one, with ? one that may be, with ' one of an earlier iteration of a
 * loop. */
static void print_reaching(printer *p, MlirOperation loop) {
  uw_accesses all = {0}, writes = {0};
  uw_effects_inside(p->effects, loop, &all);
  for (size_t i = 0; i < all.count; i++) {
    print_access(p, i, &all.at[i]);
    if (all.at[i].writes)
      uw_accesses_push(p->arena, &writes, all.at[i]);
  }
  const uw_writers *shared = uw_writers_of(p->arena, loop, &writes);
  for (size_t i = 0; i < all.count; i++) {
    if (!all.at[i].reads || all.at[i].anywhere)
      continue;
    uw_accesses own = {0};
    bool is_private = uw_private_writes(p->arena, loop, all.at[i].address.base, &own);
    uw_definitions found = uw_reaching(is_private ? uw_writers_of(p->arena, loop, &own) : shared, &all.at[i],
                                       is_private ? meets_itself : may_meet, p->effects);
    printf("  load %zu:", i);
    for (size_t k = 0; k < found.count; k++)
      printf(" %zu%s%s", number_of(&all, found.at[k].write.op), found.at[k].surely ? "" : "?",
             found.at[k].write.crossed.ptr ? "'" : "");
    puts(found.unknown ? found.before ? " unknown before" : " unknown" : found.before ? " before" : "");
  }
}

static void print_uniformity(printer *p, MlirOperation loop) {
  const uw_uniformity *facts = uw_effects_uniformity(p->effects);
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_result_count(ops.at[i]); k++) {
      static const char *const words[] = {
          [UW_UNIFORM] = "uniform", [UW_UNKNOWN] = "unknown", [UW_DIVERGENT] = "divergent"};
      MlirStringRef name = uw_name(ops.at[i]);
      const char *why = uw_why_uniformity(facts, uw_result(ops.at[i], k));
      fputs("  ", stdout);
      print_value(p, uw_result(ops.at[i], k));
      printf(" %.*s: %s%s%s\n", (int)name.length, name.data, words[uw_sameness_of(facts, uw_result(ops.at[i], k))],
             why ? ": " : "", why ? why : "");
    }
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

static void print_bounds_of(printer *p, const char *what, MlirValue value) {
  int64_t least = uw_least_of(value), most = uw_most_of(value);
  printf("  %s ", what);
  print_value(p, value);
  if (least == UW_NO_LEAST && most == UW_NO_MOST)
    fputs(": unknown", stdout);
  else if (most == UW_NO_MOST)
    printf(": at least %lld", (long long)least);
  else if (least == UW_NO_LEAST)
    printf(": at most %lld", (long long)most);
  else
    printf(": %lld to %lld", (long long)least, (long long)most);
  putchar('\n');
}

static void print_loop_bounds(printer *p, MlirOperation loop) {
  size_t dims = uw_kind(loop) == UW_OP_SCF_FOR ? 1 : uw_dims(loop);
  for (size_t d = 0; d < dims; d++) {
    print_bounds_of(p, "extent", uw_upper_of(loop, d));
    print_bounds_of(p, "counter", mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)d));
  }
}

static void print_bounds(printer *p, MlirOperation function) {
  uw_ops ops = uw_collect(p->arena, function);
  if (uw_kind(function) == UW_OP_SCF_FORALL)
    print_loop_bounds(p, function);
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_kind(ops.at[i]) == UW_OP_SCF_FOR || uw_kind(ops.at[i]) == UW_OP_SCF_FORALL)
      print_loop_bounds(p, ops.at[i]);
    for (size_t k = 0; k < uw_result_count(ops.at[i]) && uw_kind(ops.at[i]) != UW_OP_ARITH_CONSTANT; k++)
      if (mlirTypeIsAIndex(mlirValueGetType(uw_result(ops.at[i], k))))
        print_bounds_of(p, "index", uw_result(ops.at[i], k));
  }
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static void print_stride(printer *p, const uw_stride *stride) {
  if (!stride->known) {
    putchar('?');
    return;
  }
  if (stride->bytes || !stride->factor)
    printf("%lld", (long long)stride->bytes);
  if (stride->factor) {
    printf(stride->bytes ? " + %lld*" : "%lld*", (long long)stride->factor);
    print_value(p, stride->symbol);
  }
}

static void print_index(printer *p, const uw_access_map *map, size_t number) {
  static const char *const words[] = {[UW_UNKNOWN_PATTERN] = "unknown", [UW_BROADCAST] = "broadcast",
                                      [UW_LINEAR] = "linear",           [UW_REVERSE] = "reverse linear",
                                      [UW_OVERLAPPING] = "overlapped",  [UW_STRIDED] = "strided"};
  const uw_map_index *at = &map->at[number];
  fputs("    ", stdout);
  print_value(p, at->index);
  printf(" (%s", at->level ? at->level : "serial");
  if (at->most != UW_NO_MOST)
    printf(", at most %lld", (long long)at->most);
  fputs("): ", stdout);
  print_stride(p, &at->stride);
  printf(", %s%s\n", words[uw_pattern_of(map, number)], uw_is_overlapped(map, number) ? ", overlapped" : "");
}

/* What the stride, or a term of what is common, has of the row's value; null: bytes. */
static int64_t entry_of(const uw_stride *stride, MlirValue row) {
  return !row.ptr ? stride->bytes : stride->factor && uw_same(stride->symbol, row) ? stride->factor : 0;
}

static int64_t common_entry_of(const uw_linear *common, MlirValue row) {
  for (size_t i = 0; row.ptr && i < common->count; i++)
    if (uw_same(common->terms[i].symbol, row) && !common->terms[i].scale.ptr)
      return common->terms[i].factor;
  return row.ptr ? 0 : common->constant;
}

static void print_matrix_row(printer *p, const uw_access_map *map, MlirValue row) {
  fputs("    row of ", stdout);
  if (row.ptr)
    print_value(p, row);
  else
    fputs("bytes", stdout);
  fputs(": [", stdout);
  for (size_t i = 0; i < map->count; i++)
    printf(i ? " %lld" : "%lld", (long long)entry_of(&map->at[i].stride, row));
  printf("] + %lld\n", (long long)common_entry_of(&map->common, row));
}

/* A row for bytes, and one for each value that they are multiplied by. */
static void print_matrix(printer *p, const uw_access_map *map) {
  for (size_t i = 0; i < map->count; i++)
    if (!map->at[i].stride.known)
      return;
  print_matrix_row(p, map, (MlirValue){NULL});
  for (size_t i = 0; i < map->count; i++) {
    size_t before = 0;
    while (before < i && entry_of(&map->at[before].stride, map->at[i].stride.symbol) == 0)
      before++;
    if (map->at[i].stride.factor && before == i)
      print_matrix_row(p, map, map->at[i].stride.symbol);
  }
}

static void print_map(printer *p, size_t number, const uw_access_map *map) {
  MlirStringRef name = uw_name(map->access.op);
  printf("  access %zu: %.*s", number, (int)name.length, name.data);
  if (map->access.anywhere) {
    puts(" anywhere");
    return;
  }
  fputs(map->access.writes ? map->access.reads ? " reads and writes " : " writes " : " reads ", stdout);
  print_value(p, map->access.address.base);
  printf(", %llu bytes, %s\n", (unsigned long long)map->access.bytes,
         !map->common.known ? "no sum"
         : map->exact       ? "exact"
                            : "modulo 2^32");
  for (size_t i = 0; i < map->count; i++)
    print_index(p, map, i);
  fputs("    common: ", stdout);
  uw_linear common = map->common;
  common.exact = true;
  print_linear(p, &common);
  putchar('\n');
  print_matrix(p, map);
  for (size_t from = 0; from < map->count; from++)
    if (uw_footprint(map, from)) {
      fputs("    footprint from ", stdout);
      print_value(p, map->at[from].index);
      printf(" on: %lld bytes\n", (long long)uw_footprint(map, from));
      break;
    }
}

static void print_maps(printer *p, MlirOperation function) {
  uw_access_maps *maps = uw_access_maps_create(p->arena);
  uw_ops ops = uw_collect(p->arena, function);
  size_t number = 0;
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD || uw_kind(ops.at[i]) == UW_OP_LLVM_STORE || uw_is_atomic(ops.at[i]))
      print_map(p, number++, uw_access_map_at(maps, ops.at[i]));
}

/* --- dependences -------------------------------------------------------------------------------------------------- */

static void print_distance(printer *p, const uw_distance *distance) {
  print_value(p, distance->index);
  if (distance->least == UW_NO_LEAST && distance->most == UW_NO_MOST)
    fputs(" any", stdout);
  else if (distance->most == UW_NO_MOST)
    printf(" at least %lld", (long long)distance->least);
  else if (distance->least == UW_NO_LEAST)
    printf(" at most %lld", (long long)distance->most);
  else if (distance->least == distance->most)
    printf(" %lld", (long long)distance->least);
  else
    printf(" %lld to %lld", (long long)distance->least, (long long)distance->most);
}

static void print_dependence(printer *p, const uw_dependence *found) {
  if (!found->same && !found->others) {
    puts(" never");
    return;
  }
  fputs(found->exact ? " meet" : " may meet", stdout);
  for (size_t i = 0; i < found->count; i++) {
    fputs(i ? ", " : " at ", stdout);
    print_distance(p, &found->at[i]);
  }
  puts(!found->same ? ", in different steps" : !found->others ? ", in the same step" : "");
}

static void print_dependences(printer *p, MlirOperation function) {
  uw_access_maps *maps = uw_access_maps_create(p->arena);
  uw_ops ops = uw_collect(p->arena, function), accesses = {0};
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD || uw_kind(ops.at[i]) == UW_OP_LLVM_STORE || uw_is_atomic(ops.at[i])) {
      print_access(p, accesses.count, &uw_access_map_at(maps, ops.at[i])->access);
      uw_ops_push(p->arena, &accesses, ops.at[i]);
    }
  for (size_t i = 0; i < accesses.count; i++)
    for (size_t k = i; k < accesses.count; k++) {
      const uw_access_map *a = uw_access_map_at(maps, accesses.at[i]), *b = uw_access_map_at(maps, accesses.at[k]);
      if (!a->access.writes && !b->access.writes)
        continue;
      uw_dependence found = uw_dependence_between((MlirOperation){NULL}, a, b);
      printf("  %zu and %zu:", i, k);
      print_dependence(p, &found);
    }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"effects", "alias",  "reaching-definitions", "uniformity",
                                    "bounds",  "access", "dependence",           NULL};
static void (*const printers[])(printer *, MlirOperation) = {
    print_effects, print_alias, print_reaching, print_uniformity, print_bounds, print_maps, print_dependences};
enum { FIRST_OF_FUNCTIONS = 4 }; /* those before are of thread loops */

const char *const *uw_analysis_names(void) { return names; }

/* Of the function that the operation is, or is in, of either dialect. */
static MlirStringRef function_name(MlirOperation op) {
  while (!uw_null(op) && uw_kind(op) != UW_OP_FUNC && uw_kind(op) != UW_OP_LLVM_FUNC)
    op = uw_parent(op);
  return uw_null(op) ? uw_str("?") : uw_get_str_attr(op, "sym_name");
}

/* A kernel's function as a whole; of the host's, in which kernels came along with their launches, those launches. */
static void print_in_functions(printer *p, MlirOperation root, size_t which) {
  uw_ops ops = uw_collect(p->arena, root);
  for (size_t i = 0; i < ops.count; i++) {
    bool launch = uw_kind(ops.at[i]) == UW_OP_SCF_FORALL && !uw_null(uw_parent_of_kind(ops.at[i], UW_OP_LLVM_FUNC)) &&
                  uw_null(uw_parent_of_kind(ops.at[i], UW_OP_SCF_FORALL));
    if (!launch && uw_kind(ops.at[i]) != UW_OP_FUNC)
      continue;
    MlirStringRef name = function_name(ops.at[i]);
    printf("%s%s in @%.*s\n", names[which], launch ? " of a launch" : "", (int)name.length, name.data);
    printers[which](p, ops.at[i]);
  }
}

static void print_in_loops(printer *p, MlirOperation root, void (*print)(printer *, MlirOperation)) {
  uw_ops loops = uw_collect_kind(p->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    const char *level = uw_exchange_level(loops.at[i]);
    if (!level || strcmp(level, "block") != 0)
      continue;
    MlirStringRef name = function_name(loops.at[i]);
    printf("thread loop in @%.*s\n", (int)name.length, name.data);
    p->effects = uw_effects_of(p->arena, loops.at[i]);
    print(p, loops.at[i]);
  }
}

bool uw_print_analysis(MlirOperation root, const char *name) {
  size_t which = 0;
  while (names[which] && strcmp(names[which], name) != 0)
    which++;
  if (!names[which])
    return false;
  uw_arena *arena = uw_arena_create();
  printer p = {.arena = arena};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  p.state = mlirAsmStateCreateForOperation(root, flags);
  if (which >= FIRST_OF_FUNCTIONS)
    print_in_functions(&p, root, which);
  else
    print_in_loops(&p, root, printers[which]);
  mlirAsmStateDestroy(p.state);
  mlirOpPrintingFlagsDestroy(flags);
  uw_arena_destroy(arena);
  return true;
}
