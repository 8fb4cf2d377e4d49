/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The passes, and what runs them. A pass is one file (few share one) and one function; passes.def is the table; run.c
 * runs it. */
#ifndef UW_PASSES_H
#define UW_PASSES_H

#include "../ir/ir.h"

/* MLIR's canonicalisation without the two patterns that would merge the loops over blocks and threads into one, or drop
 * a dimension of them and the unwarp.level with it. */
#define UW_CANONICALIZE                                                                                                \
  "canonicalize{disable-patterns={"                                                                                    \
  "(anonymous namespace)::MergeNestedParallelLoops,"                                                                   \
  "(anonymous namespace)::ParallelOpSingleOrZeroIterationDimsFolder}}"

typedef enum uw_change { UW_SAME, UW_CHANGED, UW_FAILED } uw_change;

/* What a pass gets. The arena lives as long as the pass runs. */
typedef struct uw_pass_ctx {
  uw_arena *arena;
  MlirContext context;
} uw_pass_ctx;

typedef uw_change uw_pass(MlirOperation root, uw_pass_ctx *ctx);

/* What most passes are: calls change, which tells whether it changed anything, for one operation after the other. */
uw_change uw_change_each(uw_arena *arena, uw_ops ops, bool change(uw_arena *arena, MlirOperation op));

#define UW_PASS(folder, id, name, when, brief) uw_pass uw_pass_##id;
#define UW_PASS_IN(file, id, name, when, brief) UW_PASS(file, id, name, when, brief)
#define UW_UPSTREAM(id, name, when, pipeline, brief)
#include "passes.def"

/* In which modes a pass runs. One that is needed runs in all. */
typedef enum uw_when {
  UW_NEEDED = 0,
  UW_OPTIONAL = 1,    /* may be left out with --skip=NAME: the program still compiles and gives the same answer */
  UW_UNDER_CHECK = 2, /* also with checks of -fcheck, which it neither moves nor drops */
  UW_UNDER_DEBUG = 4, /* also where variables are kept for debuggers (-G), which it neither moves nor drops */
  UW_NOT_AT_O0 = 8    /* takes the index of a thread apart, which a fault at -O0 tells */
} uw_when;

/* What is compiled: the table's columns. */
typedef enum uw_mode { UW_MODE_OPTIMISED, UW_MODE_O0, UW_MODE_CHECKED, UW_MODE_DEBUG } uw_mode;

typedef struct uw_pass_info {
  const char *name, *brief;
  unsigned when;        /* of uw_when */
  uw_pass *run;         /* ours, or */
  const char *pipeline; /* an upstream pipeline in MLIR's textual form */
  const char *source;   /* our file */
} uw_pass_info;

/* In the order in which they run by default. */
const uw_pass_info *uw_pass_table(size_t *count);

typedef struct uw_run_options {
  uw_mode mode;
  const char *const *skip;        /* names; null-terminated, or null */
  const char *const *print_after; /* the same */
  bool print_after_all, time_passes;
  bool
      verify_each; /* after each pass; else at the end of the table, and where something is printed, after each that changed something */
} uw_run_options;

/* Runs the passes named (null-terminated), or the whole table when names is null. False after messages on stderr. */
bool uw_run_passes(MlirModule module, const char *const *names, const uw_run_options *options);

#endif
