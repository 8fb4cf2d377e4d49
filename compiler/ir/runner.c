/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs the rows of a stage: leaves out what --skip names, verifies, prints, times. The only caller of a pass and of a
 * step. */
#include "attributes.h"
#include "growth.h"
#include "parallel.h"
#include "run_log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"

uw_change uw_change_each(uw_arena *arena, uw_ops ops, bool change(uw_arena *arena, MlirOperation op)) {
  uw_change any = UW_SAME;
  for (size_t i = 0; i < ops.count; i++)
    if (change(arena, ops.at[i]))
      any = UW_CHANGED;
  return any;
}

/* Where the options of a row's name begin, or its end. */
static const char *options_in(const char *name) { return name + strcspn(name, "{"); }

bool uw_option_is(const uw_pass_ctx *ctx, const char *key, const char *value) {
  size_t key_length = strlen(key), value_length = strlen(value);
  for (const char *at = ctx->options; *at == '{' || *at == ','; at += strcspn(at, ",}")) {
    at++;
    if (strncmp(at, key, key_length) == 0 && at[key_length] == '=' &&
        strncmp(at + key_length + 1, value, value_length) == 0 && strchr(",}", at[key_length + 1 + value_length]))
      return true;
  }
  return false;
}

static bool listed(const char *const *names, const uw_row *row) {
  for (; names && *names; names++)
    if (uw_names_row(*names, row))
      return true;
  return false;
}

/* Of the processor: other work on the machine does not count. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_mlir(const uw_code *code) { return !mlirModuleIsNull(code->module); }

static void print(const uw_code *code) {
  if (is_mlir(code)) {
    mlirOperationPrint(mlirModuleGetOperation(code->module), uw_print_part, stderr);
  } else {
    char *text = LLVMPrintModuleToString(code->llvm);
    fputs(text, stderr);
    LLVMDisposeMessage(text);
  }
  fputc('\n', stderr);
}

static bool is_valid(const uw_code *code) {
  return is_mlir(code) ? mlirOperationVerify(mlirModuleGetOperation(code->module))
                       : !LLVMVerifyModule(code->llvm, LLVMPrintMessageAction, NULL);
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

static bool run_pass(MlirModule module, const uw_row *row, bool *changed) {
  uw_arena *arena = uw_arena_create();
  uw_ops replays = row->when & UW_OPTIONAL ? take_replays(module, arena) : (uw_ops){0};
  uw_change change = UW_CHANGED;
  if (row->pass) {
    uw_pass_ctx ctx = {uw_arena_create(), mlirModuleGetContext(module), options_in(row->name)};
    size_t made = uw_operations_made();
    change = row->pass(mlirModuleGetOperation(module), &ctx);
    if (change == UW_SAME && uw_operations_made() != made)
      change = UW_CHANGED;
    uw_arena_destroy(ctx.arena);
  } else if (!uw_run_pipeline(module, row->pipeline)) {
    change = UW_FAILED;
  }
  uw_take_back_numbers(module);
  for (size_t i = 0; i < replays.count; i++)
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), replays.at[i]);
  uw_arena_destroy(arena);
  *changed = change == UW_CHANGED;
  return change != UW_FAILED;
}

static void show_time(const uw_row *row, double taken, size_t before, size_t after) {
  fprintf(stderr, "%9.3f ms  %s, %zu operations", taken * 1e3, row->name, after);
  if (before && before != after)
    fprintf(stderr, ", %.2f times as many", (double)after / (double)before);
  fputc('\n', stderr);
}

static bool run_row(uw_code *code, const uw_row *row, const uw_run_options *options) {
  uw_arena *arena = uw_arena_create();
  const uw_sizes *sizes = uw_sizes_of(arena, code);
  size_t before = options->time_passes ? uw_operations_in(code) : 0;
  uw_row_run run = uw_log_row_begins(options->log, code);
  uint64_t text = row->pass ? uw_change_print(code) : 0;
  double start = seconds();
  bool changed = true, ok = row->step ? row->step(code) : run_pass(code->module, row, &changed);
  if (ok && row->step && is_mlir(code))
    uw_take_back_numbers(code->module);
  double end = seconds();
  double taken =
      end >= start ? end - start : end; /* of a process since then, passes/multiversion.c: from its beginning */
  if (ok)
    uw_report_growth(sizes, code, row->name);
  uw_arena_destroy(arena);
  if (!ok && row->step)
    return false; /* a step may fail because of the program, as its messages say */
  if (ok)
    uw_check_change(text, code, row, changed);
  if (ok && is_mlir(code))
    uw_check_attributes(row, code->module);
  if (ok)
    uw_log_row_ends(options->log, row, &run, code, taken);
  if (options->time_passes)
    show_time(row, taken, before, uw_operations_in(code));
  if (ok && (options->print_after_all || listed(options->print_after, row))) {
    fprintf(stderr, "// ----- after %s -----\n", row->name);
    print(code);
  }
  bool is_shown = options->print_after_all || (options->print_after && *options->print_after);
  if (ok && (options->verify_each || (is_shown && changed)) && !is_valid(code))
    uw_fatal("bug in unwarp: the module is not valid after '%s'; --print-after=%s shows it", row->name, row->name);
  if (!ok && uw_error_count() == 0)
    uw_fatal("bug in unwarp: pass '%s' failed without a message", row->name);
  return ok;
}

/* Do the table's columns let the row run? */
static bool runs_in(const uw_row *row, const uw_run_options *options) {
  static const unsigned needs[] = {[UW_MODE_CHECKED] = UW_UNDER_CHECK, [UW_MODE_DEBUG] = UW_UNDER_DEBUG};
  uw_mode mode = options->mode;
  if (row->when & UW_FROM_O2 && options->opt_level < 2)
    return false;
  if (!(row->when & UW_OPTIONAL) || mode == UW_MODE_OPTIMISED)
    return true;
  return mode == UW_MODE_O0 ? !(row->when & UW_NOT_AT_O0) : row->when & needs[mode];
}

/* One row: NAME alone is the one without options. */
static bool run_named(const uw_stage *stage, uw_code *code, const char *name, const uw_run_options *options) {
  for (size_t i = 0; i < stage->count; i++)
    if (strcmp(stage->rows[i].name, name) == 0)
      return run_row(code, &stage->rows[i], options);
  uw_fatal("there is no '%s' in the stage '%s'; --help-passes lists them", name, stage->name);
}

bool uw_run_stage(const uw_stage *stage, uw_code *code, const char *const *names, const uw_run_options *options) {
  for (; names && *names; names++)
    if (!run_named(stage, code, *names, options))
      return false;
  if (names)
    return true;
  for (size_t i = 0; i < stage->count; i++)
    if (runs_in(&stage->rows[i], options) && !listed(options->skip, &stage->rows[i]) &&
        uw_log_lets_run(options->log, &stage->rows[i]) && !run_row(code, &stage->rows[i], options))
      return false;
  if (is_mlir(code) && !is_valid(code))
    uw_fatal("bug in unwarp: the module is not valid after the passes; --print-after-all tells after which");
  return true;
}
