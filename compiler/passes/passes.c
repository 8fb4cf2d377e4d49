/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * passes.def as a stage; parts.def in the same form. */
#include "../ir/attributes.h"
#include "passes.h"

#define UW_PASS(folder, id, title, modes, what)
#define UW_PASS_IN(file, id, title, modes, what)
#define UW_UPSTREAM(id, title, modes, passes, what)
#define UW_STEP UW_STEP_FUNCTION
#include "passes.def"

static const uw_row rows[] = {
#define UW_PASS_IN(file, id, title, modes, what)                                                                       \
  {.name = title, .brief = what, .when = modes, .pass = uw_pass_##id, .source = file},
#define UW_PASS(folder, id, title, modes, what) UW_PASS_IN("passes/" #folder "/" #id ".c", id, title, modes, what)
#define UW_UPSTREAM(id, title, modes, passes, what) {.name = title, .brief = what, .when = modes, .pipeline = passes},
#define UW_STEP UW_STEP_ROW
#include "passes.def"
};

static const uw_row parts[] = {
#define UW_PASS_IN(file, id, title, modes, what)                                                                       \
  {.name = title, .brief = what, .when = modes, .pass = uw_pass_##id, .source = file},
#define UW_PASS(folder, id, title, modes, what) UW_PASS_IN("passes/" #folder "/" #id ".c", id, title, modes, what)
#include "parts.def"
};

const uw_stage uw_stage_passes = {"passes", "MLIR, from raised loops to loops without barriers, rows and vectors",
                                  "passes/passes.def", rows, sizeof rows / sizeof *rows};
const uw_stage uw_parts_of_passes = {"parts", "Parts of rows that unwarp-opt runs alone, and no compile",
                                     "passes/parts.def", parts, sizeof parts / sizeof *parts};
