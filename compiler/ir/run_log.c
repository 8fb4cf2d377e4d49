/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether a row changes something is told by the module's text before and after it, which holds for all kinds of rows:
 * MLIR's own passes and steps do not say it, and of ours it is not taken on trust. That takes longer than most rows. */
#include "run_log.h"

#include "growth.h"
#include "llvm-c/Core.h"
#include "stress.h"

#include <stdio.h>
#include <stdlib.h>

struct uw_row_figures {
  const uw_row *row;
  size_t runs, changes;
  size_t before, after; /* operations, of all runs together */
  double seconds;
};

/* FNV-1a, of 64 bits. */
static void add_text(MlirStringRef text, void *print) {
  uint64_t value = *(uint64_t *)print;
  for (size_t i = 0; i < text.length; i++)
    value = (value ^ (unsigned char)text.data[i]) * 0x100000001b3u;
  *(uint64_t *)print = value;
}

static uint64_t print_of(const uw_code *code) {
  uint64_t print = 0xcbf29ce484222325u;
  if (!mlirModuleIsNull(code->module)) {
    mlirOperationPrint(mlirModuleGetOperation(code->module), add_text, &print);
  } else {
    char *text = LLVMPrintModuleToString(code->llvm);
    add_text(mlirStringRefCreateFromCString(text), &print);
    LLVMDisposeMessage(text);
  }
  return print;
}

static bool looks(const uw_run_log *log) { return log && (log->bisect >= 0 || log->statistics); }

bool uw_log_lets_run(const uw_run_log *log, const uw_row *row) {
  return !log || log->bisect < 0 || !(row->when & UW_OPTIONAL) || log->changes < (size_t)log->bisect;
}

uw_row_run uw_log_row_begins(const uw_run_log *log, const uw_code *code) {
  return looks(log) ? (uw_row_run){print_of(code), uw_operations_in(code)} : (uw_row_run){0};
}

static uw_row_figures *figures_of(uw_run_log *log, const uw_row *row) {
  for (size_t i = 0; i < log->count; i++)
    if (log->rows[i].row == row)
      return &log->rows[i];
  log->rows = realloc(log->rows, (log->count + 1) * sizeof *log->rows);
  if (!log->rows)
    uw_fatal("out of memory");
  log->rows[log->count] = (uw_row_figures){.row = row};
  return &log->rows[log->count++];
}

void uw_log_row_ends(uw_run_log *log, const uw_row *row, const uw_row_run *run, const uw_code *code, double seconds) {
  if (!looks(log))
    return;
  bool changed = row->when & UW_SETS_PROGRAM || print_of(code) != run->print;
  uw_row_figures *figures = figures_of(log, row);
  figures->runs++;
  figures->changes += changed;
  figures->before += run->operations;
  figures->after += uw_operations_in(code);
  figures->seconds += seconds;
  if (changed && row->when & UW_OPTIONAL) {
    log->changes++;
    log->latest = row;
  }
}

uint64_t uw_change_print(const uw_code *code) { return uw_stresses("changes") ? print_of(code) : 0; }

void uw_check_change(uint64_t print, const uw_code *code, const uw_row *row, bool changed) {
  if (print && !changed && print_of(code) != print)
    fprintf(stderr, "bug in unwarp: '%s' changed the module and says that it did not\n", row->name);
}

static void report_bisect(const uw_run_log *log) {
  if (!log->latest)
    fprintf(stderr, "unwarp: note: '--bisect=%ld': no optional pass changes anything\n", log->bisect);
  else if (log->changes < (size_t)log->bisect)
    fprintf(stderr, "unwarp: note: '--bisect=%ld': only %zu optional pass%s something, the last is '%s'\n", log->bisect,
            log->changes, log->changes == 1 ? " changes" : "es change", log->latest->name);
  else
    fprintf(stderr, "unwarp: note: '--bisect=%ld': the last optional pass that changes something is '%s'\n",
            log->bisect, log->latest->name);
}

static void report_statistics(const uw_run_log *log) {
  double all = 0;
  fputs("  changed   operations before    after  processor time  pass\n", stderr);
  for (size_t i = 0; i < log->count; i++) {
    const uw_row_figures *f = &log->rows[i];
    fprintf(stderr, "%4zu of %zu %19zu %8zu %12.3f ms  %s\n", f->changes, f->runs, f->before, f->after,
            f->seconds * 1e3, f->row->name);
    all += f->seconds;
  }
  fprintf(stderr, "%50.3f ms  all passes\n", all * 1e3);
}

void uw_log_report(const uw_run_log *log) {
  if (!log || log->silent)
    return;
  if (log->statistics)
    report_statistics(log);
  if (log->bisect >= 0)
    report_bisect(log);
}
