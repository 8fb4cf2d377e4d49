/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runner notes of the rows of a compile, where a user asks: which of them change something, for --bisect=N and
 * --pass-statistics. One for each process of a compile. */
#ifndef UW_RUN_LOG_H
#define UW_RUN_LOG_H

#include "runner.h"

typedef struct uw_row_figures uw_row_figures;

struct uw_run_log {
  /* Of the optional rows that change something the first so many run, and none after them; negative: all. Counted as
   * they run: a row that changes nothing makes no difference, so that neighbours differ in one row that does. */
  long bisect;
  bool statistics;
  bool silent; /* says nothing: another process of the compile does */

  size_t changes;       /* of optional rows, so far */
  const uw_row *latest; /* of them; null before the first */
  uw_row_figures *rows; /* in the order in which they first ran */
  size_t count;
};

/* A row as it runs. */
typedef struct uw_row_run {
  uint64_t print;    /* of the module before it */
  size_t operations; /* the same */
} uw_row_run;

/* May an optional row still run? The log may be null, here and below. */
bool uw_log_lets_run(const uw_run_log *log, const uw_row *row);

uw_row_run uw_log_row_begins(const uw_run_log *log, const uw_code *code);
void uw_log_row_ends(uw_run_log *log, const uw_row *row, const uw_row_run *run, const uw_code *code, double seconds);

/* With UW_STRESS=changes: says of a pass that has changed the module and says that it has not. */
uint64_t uw_change_print(const uw_code *code);
void uw_check_change(uint64_t print, const uw_code *code, const uw_row *row, bool changed);

/* On stderr, at the end of a compile: what was asked for. */
void uw_log_report(const uw_run_log *log);

#endif
