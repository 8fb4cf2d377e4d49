/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over threads that hardly ever run (UW_RUNS_SELDOM, analysis/budget.h), as those for indices that wrap around,
 * become functions where several are alike, or differ in constants alone. LLVM makes these small:
 *
 *   scf.for … { … 2 … } {unwarp.runs_seldom}   ==>     func.call @__unwarp_seldom_0(%values, 2)
 *   scf.for … { … 3 … } {unwarp.runs_seldom}           func.call @__unwarp_seldom_0(%values, 3)
 *
 * As an entry and a launch in place, the elements that a thread takes, and kernels of one template.
 *
 * Requires: thread loops are serial and memory is addresses. Preserves: what the loop does. Refuses, silently: loops
 * below UW_OUTLINED_LEAST operations, or that are less than the calls; with results, or with regions of workers; of
 * replays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../analysis/budget.h"
#include "../analysis/thresholds.h"
#include "../raise/raise.h"
#include "lower.h"

/* A function and its calls. All that the loop uses of what is outside of it is an argument at first. */
typedef struct shared {
  MlirOperation function;
  const char *text; /* of the function, without its name */
  size_t operations;
  uw_ops calls, loops; /* that they are for */
} shared;

/* Is it computed without operands? */
static bool is_constant(MlirOperation op) {
  return !uw_null(op) && uw_operand_count(op) == 0 && uw_result_count(op) == 1 && uw_region_count(op) == 0 &&
         uw_speculatable(op);
}

/* What is the same for all threads is computed before the call: of an element that a thread takes, where it lies. */
static void hoist(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    bool moves = uw_operand_count(ops.at[i]) > 0 && uw_result_count(ops.at[i]) > 0 && uw_region_count(ops.at[i]) == 0 &&
                 uw_speculatable(ops.at[i]);
    for (size_t k = 0; moves && k < uw_operand_count(ops.at[i]); k++)
      moves = !uw_defined_inside(uw_operand(ops.at[i], k), loop) || is_constant(uw_def(uw_operand(ops.at[i], k)));
    if (!moves)
      continue;
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++)
      if (uw_defined_inside(uw_operand(ops.at[i], k), loop))
        uw_move_before(uw_def(uw_operand(ops.at[i], k)), loop);
    uw_move_before(ops.at[i], loop);
  }
}

/* In the order of their first use; the loop's constants, too, so that loops that differ in them have one text. */
static uw_vals find_used(uw_arena *arena, MlirOperation loop) {
  uw_vals values = {0};
  uw_ops ops = uw_collect(arena, loop);
  uw_ops_push(arena, &ops, loop); /* its bounds, too */
  for (size_t i = 0; i < ops.count; i++) {
    if (is_constant(ops.at[i]))
      uw_move_before(ops.at[i], loop);
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++)
      if (!uw_defined_inside(uw_operand(ops.at[i], k), loop))
        uw_vals_push_new(arena, &values, uw_operand(ops.at[i], k));
  }
  return values;
}

/* Takes the loop, and leaves a call in its place. */
static MlirOperation make_function(MlirModule module, MlirOperation loop, const uw_vals *values, MlirOperation *call) {
  uw_builder b = uw_at_end(mlirModuleGetBody(module), mlirLocationUnknownGet(mlirOperationGetContext(loop)));
  MlirType types[values->count + 1];
  MlirLocation locations[values->count + 1];
  for (size_t i = 0; i < values->count; i++) {
    types[i] = mlirValueGetType(values->at[i]);
    locations[i] = b.location;
  }
  MlirType type = mlirFunctionTypeGet(b.context, (intptr_t)values->count, types, 0, NULL);
  MlirOperation function =
      uw_build(&b, "func.func", .regions = 1,
               .attrs = ATTRS({"sym_name", uw_str_attr(b.context, "seldom")}, {"function_type", mlirTypeAttrGet(type)},
                              {"llvm.linkage", uw_attr(b.context, "#llvm.linkage<internal>")},
                              {"passthrough", uw_attr(b.context, "[\"cold\", \"noinline\", \"optsize\"]")}));
  MlirBlock body = mlirBlockCreate((intptr_t)values->count, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function, 0), body);
  uw_builder inner = uw_at_end(body, b.location);
  uw_build(&inner, "func.return");
  uw_builder at_loop = uw_at(loop);
  *call = uw_build(&at_loop, "func.call", .in = VALS_OF(*values),
                   .attrs = ATTRS({"callee", uw_symbol_attr(b.context, "seldom")}));
  uw_move_to_end(loop, body);
  for (size_t i = 0; i < values->count; i++)
    uw_replace_uses_inside(values->at[i], mlirBlockGetArgument(body, (intptr_t)i), loop);
  return function;
}

static const char *text_of(uw_arena *arena, MlirOperation function) {
  char *text;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    uw_fatal("out of memory");
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOperationPrintWithFlags(function, flags, uw_print_part, file);
  mlirOpPrintingFlagsDestroy(flags);
  fclose(file);
  const char *kept = uw_arena_format(arena, "%s", text);
  free(text);
  return kept;
}

/* Is the argument one constant in all calls? */
static bool is_same_constant(const shared *s, size_t argument) {
  MlirOperation first = uw_def(uw_operand(s->calls.at[0], argument));
  for (size_t i = 0; i < s->calls.count; i++) {
    MlirOperation op = uw_def(uw_operand(s->calls.at[i], argument));
    if (!is_constant(op) || !mlirStringRefEqual(uw_name(op), uw_name(first)) || !uw_same_attributes(op, first))
      return false;
  }
  return true;
}

/* A call costs about as much as its arguments and UW_CALL_OPS more. */
static bool is_worth_calling(const shared *s) {
  size_t calls = s->calls.count, arguments = 0;
  for (size_t k = 0; k < uw_operand_count(s->calls.at[0]); k++)
    arguments += !is_same_constant(s, k);
  return (calls - 1) * s->operations > calls * arguments + UW_CALL_OPS;
}

/* The loops are there still; nobody uses what was hoisted from their copies. */
static void leave_alone(const shared *s) {
  for (size_t i = 0; i < s->calls.count; i++)
    uw_erase(s->calls.at[i]);
  uw_erase(s->function);
}

static void drop_operand(MlirOperation call, size_t operand) {
  size_t count = uw_operand_count(call), kept = 0;
  MlirValue operands[count];
  for (size_t k = 0; k < count; k++)
    if (k != operand)
      operands[kept++] = uw_operand(call, k);
  mlirOperationSetOperands(call, (intptr_t)kept, operands);
}

/* Arguments that are one constant in all calls are constants of the function. */
static void finish(uw_arena *arena, shared *s, const char *name) {
  MlirBlock body = uw_block(s->function, 0);
  MlirContext context = mlirOperationGetContext(s->function);
  uw_builder b = uw_at(uw_first(body));
  for (size_t k = uw_operand_count(s->calls.at[0]); k-- > 0;) {
    if (!is_same_constant(s, k))
      continue;
    MlirOperation own = uw_clone(&b, uw_def(uw_operand(s->calls.at[0], k)), uw_map_create(arena));
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)k), uw_result(own, 0));
    mlirBlockEraseArgument(body, (unsigned)k);
    for (size_t i = 0; i < s->calls.count; i++)
      drop_operand(s->calls.at[i], k);
  }
  intptr_t count = mlirBlockGetNumArguments(body);
  MlirType types[count + 1];
  for (intptr_t k = 0; k < count; k++)
    types[k] = mlirValueGetType(mlirBlockGetArgument(body, k));
  uw_set_attr(s->function, "function_type", mlirTypeAttrGet(mlirFunctionTypeGet(context, count, types, 0, NULL)));
  uw_set_attr(s->function, "sym_name", uw_str_attr(context, name));
  for (size_t i = 0; i < s->calls.count; i++) {
    uw_set_attr(s->calls.at[i], "callee", uw_symbol_attr(context, name));
    uw_erase(s->loops.at[i]);
  }
}

/* Threads that run side by side are found in the function that they were made in (concurrent.c). */
static bool has_regions_of_workers(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_name_starts(ops.at[i], "omp."))
      return true;
  return false;
}

/* Replays keep the lines of faults. */
static bool is_in_replay(MlirOperation op) {
  MlirOperation function = uw_parent_of_kind(op, UW_OP_FUNC);
  return !uw_null(function) && !mlirAttributeIsNull(uw_get_attr(function, UW_REPLAY));
}

static bool is_marked(MlirOperation op) { return !mlirAttributeIsNull(uw_get_attr(op, UW_RUNS_SELDOM)); }

static bool is_candidate(uw_arena *arena, MlirOperation loop) {
  for (MlirOperation around = uw_parent(loop); !uw_null(around); around = uw_parent(around))
    if (uw_kind(around) == UW_OP_SCF_FOR && is_marked(around))
      return false;
  return is_marked(loop) && uw_result_count(loop) == 0 && !is_in_replay(loop) &&
         uw_collect(arena, loop).count >= UW_OUTLINED_LEAST && !has_regions_of_workers(arena, loop);
}

void uw_outline_seldom(MlirModule module, uw_arena *arena) {
  uw_ops all_loops = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_SCF_FOR), loops = {0};
  for (size_t i = 0; i < all_loops.count; i++)
    if (is_candidate(arena, all_loops.at[i]))
      uw_ops_push(arena, &loops, all_loops.at[i]);
  shared *all = NULL;
  size_t count = 0, room = 0;
  for (size_t i = 0; i < loops.count; i++) {
    uw_builder b = uw_after(loops.at[i]);
    MlirOperation loop = uw_clone(&b, loops.at[i], uw_map_create(arena));
    hoist(arena, loop);
    uw_vals values = find_used(arena, loop);
    MlirOperation call, function = make_function(module, loop, &values, &call);
    const char *text = text_of(arena, function);
    size_t at = 0;
    while (at < count && strcmp(all[at].text, text) != 0)
      at++;
    if (at == count) {
      all = uw_grow(arena, all, count, &room, sizeof *all);
      all[count++] = (shared){.function = function, .text = text, .operations = uw_collect(arena, function).count};
    } else {
      uw_erase(function);
    }
    uw_ops_push(arena, &all[at].calls, call);
    uw_ops_push(arena, &all[at].loops, loops.at[i]);
  }
  for (size_t i = 0; i < count; i++)
    if (is_worth_calling(&all[i]))
      finish(arena, &all[i], uw_arena_format(arena, "__unwarp_seldom_%zu", i));
    else
      leave_alone(&all[i]);
}
