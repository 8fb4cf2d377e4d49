/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs passes: leaves out what --skip names, verifies, prints, times. The only caller of a pass.
 *
 *   raised module ─▶ [passes.def, top to bottom] ─▶ lower/
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../raise/raise.h"
#include "passes.h"

static const uw_pass_info table[] = {
#define UW_PASS_IN(file, id, name, when, brief) {name, brief, when, uw_pass_##id, NULL, file},
#define UW_PASS(folder, id, name, when, brief) UW_PASS_IN(#folder "/" #id ".c", id, name, when, brief)
#define UW_UPSTREAM(id, name, when, pipeline, brief) {name, brief, when, NULL, pipeline, NULL},
#include "passes.def"
};

const uw_pass_info *uw_pass_table(size_t *count) {
  *count = sizeof table / sizeof *table;
  return table;
}

uw_change uw_change_each(uw_arena *arena, uw_ops ops, bool change(uw_arena *arena, MlirOperation op)) {
  uw_change any = UW_SAME;
  for (size_t i = 0; i < ops.count; i++)
    if (change(arena, ops.at[i]))
      any = UW_CHANGED;
  return any;
}

static bool listed(const char *const *names, const char *name) {
  for (; names && *names; names++)
    if (strcmp(*names, name) == 0)
      return true;
  return false;
}

static void print_part(MlirStringRef part, void *stream) { fwrite(part.data, 1, part.length, stream); }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static MlirWalkResult count_one(MlirOperation op, void *count) {
  (void)op;
  ++*(size_t *)count;
  return MlirWalkResultAdvance;
}

static size_t operations_in(MlirOperation root) {
  size_t count = 0;
  mlirOperationWalk(root, count_one, &count, MlirWalkPreOrder);
  return count;
}

/* Takes the functions out that optional passes leave alone. */
static uw_ops take_replays(MlirModule module, uw_arena *arena) {
  uw_ops replays = {0};
  uw_foreach_op_safe (function, mlirModuleGetBody(module)) {
    if (mlirAttributeIsNull(uw_get_attr(function, UW_REPLAY)))
      continue;
    mlirOperationRemoveFromParent(function);
    uw_ops_push(arena, &replays, function);
  }
  return replays;
}

static bool run_one(MlirModule module, const uw_pass_info *pass, const uw_run_options *options) {
  MlirOperation root = mlirModuleGetOperation(module);
  double start = seconds();
  bool ok, changed = true;
  uw_arena *arena = uw_arena_create();
  uw_ops replays = pass->when & UW_OPTIONAL ? take_replays(module, arena) : (uw_ops){0};
  if (pass->run) {
    uw_pass_ctx ctx = {uw_arena_create(), mlirModuleGetContext(module)};
    uw_change change = pass->run(root, &ctx);
    ok = change != UW_FAILED;
    changed = change == UW_CHANGED;
    uw_arena_destroy(ctx.arena);
  } else {
    ok = uw_run_pipeline(module, pass->pipeline);
  }
  double taken = seconds() - start;
  for (size_t i = 0; i < replays.count; i++)
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), replays.at[i]);
  uw_arena_destroy(arena);
  if (options->time_passes)
    fprintf(stderr, "%9.3f ms  %s, %zu operations\n", taken * 1e3, pass->name, operations_in(root));
  if (ok && (options->print_after_all || listed(options->print_after, pass->name))) {
    fprintf(stderr, "// ----- after %s -----\n", pass->name);
    mlirOperationPrint(root, print_part, stderr);
    fputc('\n', stderr);
  }
  bool is_shown = options->print_after_all || (options->print_after && *options->print_after);
  if (ok && (options->verify_each || (is_shown && changed)) && !mlirOperationVerify(root))
    uw_fatal("bug in unwarp: the module is not valid after pass '%s'; --print-after=%s shows it", pass->name,
             pass->name);
  if (!ok && uw_error_count() == 0)
    uw_fatal("bug in unwarp: pass '%s' failed without a message", pass->name);
  return ok;
}

/* Do the table's columns let the pass run in the mode? */
static bool runs_in(const uw_pass_info *pass, uw_mode mode) {
  static const unsigned needs[] = {[UW_MODE_CHECKED] = UW_UNDER_CHECK, [UW_MODE_DEBUG] = UW_UNDER_DEBUG};
  if (!(pass->when & UW_OPTIONAL) || mode == UW_MODE_OPTIMISED)
    return true;
  return mode == UW_MODE_O0 ? !(pass->when & UW_NOT_AT_O0) : pass->when & needs[mode];
}

bool uw_run_passes(MlirModule module, const char *const *names, const uw_run_options *options) {
  size_t count = sizeof table / sizeof *table;
  if (!names) {
    for (size_t i = 0; i < count; i++)
      if (runs_in(&table[i], options->mode) && !listed(options->skip, table[i].name) &&
          !run_one(module, &table[i], options))
        return false;
    if (!mlirOperationVerify(mlirModuleGetOperation(module)))
      uw_fatal("bug in unwarp: the module is not valid after the passes; --print-after-all tells after which");
    return true;
  }
  for (; *names; names++) {
    size_t i = 0;
    while (i < count && strcmp(table[i].name, *names) != 0)
      i++;
    if (i == count)
      uw_fatal("unknown pass '%s'; --help-passes lists them", *names);
    if (!run_one(module, &table[i], options))
      return false;
  }
  return true;
}
