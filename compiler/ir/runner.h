/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The stages of a compile, and what runs them. A stage is a table (NAME.def in the folder that it is about) of what
 * changes code there, row by row: each row has a name, which --skip, --print-after and --time-passes know, a file and
 * tests.
 *
 *   PTX ─▶ [recover] ─┐
 *   NVVM IR ──────────┴▶ [prepare] ─▶ [raise] ─▶ [passes] ─▶ [lower] ─▶ merge with the host's ─▶ [target] ─▶ object file
 *   LLVM's IR                    MLIR                                                       LLVM's IR
 *
 * driver/stages.c lists them. */
#ifndef UW_RUNNER_H
#define UW_RUNNER_H

#include "ir.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Types.h"

#include <string.h>

typedef enum uw_change { UW_SAME, UW_CHANGED, UW_FAILED } uw_change;

/* What a pass gets. The arena lives as long as the pass runs. */
typedef struct uw_pass_ctx {
  uw_arena *arena;
  MlirContext context;
  const char *options; /* the row's */
} uw_pass_ctx;

/* Has the row that runs this option: NAME{key=value}? */
bool uw_option_is(const uw_pass_ctx *ctx, const char *key, const char *value);

/* On functions that optional passes leave alone: kernels once more, whose threads are noted (raise/launch.c). */
#define UW_REPLAY "unwarp.replay"

/* A pass changes a module of MLIR and knows nothing but it. It tells whether it did what it is there for, or moved, set
 * or erased anything. What it built only to look, constants above all, and left there, the runner sees by itself. */
typedef uw_change uw_pass(MlirOperation root, uw_pass_ctx *ctx);

/* What most passes are: calls change, which tells whether it changed anything, for one operation after the other. */
uw_change uw_change_each(uw_arena *arena, uw_ops ops, bool change(uw_arena *arena, MlirOperation op));

/* What a step works on: one module, in MLIR or in LLVM's IR, and the compile that it belongs to. */
typedef struct uw_code {
  struct uw_program *program;
  MlirModule module;            /* null where it is LLVM's IR */
  LLVMModuleRef llvm;           /* null where it is MLIR */
  LLVMTargetMachineRef machine; /* what it is for, in the stage target alone */
  /* Where it is for several CPUs still: makes it for one of them, each in a process of its own (driver/compile_unit.c,
   * called by passes/multiversion.c alone). Else null. */
  void (*part)(struct uw_code *code);
  void *parting; /* for that */
} uw_code;

/* A step also knows the program (kernels, options). False after messages on stderr. */
typedef bool uw_step(uw_code *code);

/* In which compiles a row runs. One that is needed runs in all. */
typedef enum uw_when {
  UW_NEEDED = 0,
  UW_OPTIONAL = 1,     /* may be left out with --skip=NAME: the program still compiles and gives the same answer */
  UW_UNDER_CHECK = 2,  /* also with checks of -fcheck, which it neither moves nor drops */
  UW_UNDER_DEBUG = 4,  /* also where variables are kept for debuggers (-G), which it neither moves nor drops */
  UW_NOT_AT_O0 = 8,    /* takes the index of a thread apart, which a fault at -O0 tells */
  UW_FROM_O2 = 16,     /* needed or not, only from -O2 on */
  UW_SETS_PROGRAM = 32 /* what it changes is not in the module: it counts as a change (run_log.h) */
} uw_when;

/* What is compiled: the tables' columns. */
typedef enum uw_mode { UW_MODE_OPTIMISED, UW_MODE_O0, UW_MODE_CHECKED, UW_MODE_DEBUG } uw_mode;

/* A row is named for its pass, and where the pass has other rows too for what sets this one apart: NAME{key=value,…}.
 * Options are for the pass (coalesce-strided{scope=lanes}); "after" and "before" only say which place it is, and no
 * pass reads them. Users give NAME for all rows of a pass, NAME{key=value} for one, NAME{} for the one without options. */
typedef struct uw_row {
  const char *name, *brief;
  unsigned when; /* of uw_when */
  /* One of the three: */
  uw_pass *pass;        /* ours, in MLIR */
  const char *pipeline; /* of MLIR's own passes, in their textual form */
  uw_step *step;        /* ours, in either */
  const char *source;   /* our file, from compiler/ on; null for MLIR's own */
} uw_row;

/* A row of a table of steps, and what it calls, as a function:
 *   UW_STEP(identifier, "file, from compiler/ on", "name", when, call, "What it does.")
 * The call is a statement that knows `code`; it may return false. */
#define UW_STEP_FUNCTION(id, file, title, modes, call, what)                                                           \
  static bool step_##id(uw_code *code) {                                                                               \
    call;                                                                                                              \
    return true;                                                                                                       \
  }
#define UW_STEP_ROW(id, file, title, modes, call, what)                                                                \
  {.name = title, .brief = what, .when = modes, .step = step_##id, .source = file},

/* Does a name that a user gave stand for the row? */
static inline bool uw_names_row(const char *name, const uw_row *row) {
  size_t asked = strcspn(name, "{"), length = strcspn(row->name, "{");
  const char *options = row->name[length] ? row->name + length : "{}";
  return asked == length && strncmp(name, row->name, length) == 0 &&
         (!name[asked] || strcmp(name + asked, options) == 0);
}

typedef struct uw_stage {
  const char *name, *brief;
  const char *table; /* its file, from compiler/ on */
  const uw_row *rows;
  size_t count;
} uw_stage;

typedef struct uw_run_log uw_run_log;

typedef struct uw_run_options {
  uw_mode mode;
  int opt_level;                  /* 0 to 3 */
  const char *const *skip;        /* names; null-terminated, or null */
  const char *const *print_after; /* the same */
  bool print_after_all, time_passes;
  /* After each row; else at the end of a stage, and where something is printed, after each that changed something. */
  bool verify_each;
  uw_run_log *log; /* run_log.h; or null */
} uw_run_options;

/* Runs the rows named (null-terminated), or the whole stage when names is null. False after messages on stderr. */
bool uw_run_stage(const uw_stage *stage, uw_code *code, const char *const *names, const uw_run_options *options);

#endif
