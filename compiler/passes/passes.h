/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The passes. A pass is one file (few share one) and one function; passes.def is the table; ir/runner.h says what runs
 * it. */
#ifndef UW_PASSES_H
#define UW_PASSES_H

#include "../ir/ir.h"
#include "../ir/runner.h"

#define UW_PASS(folder, id, name, when, brief) uw_pass uw_pass_##id;
#define UW_PASS_IN(file, id, name, when, brief) UW_PASS(file, id, name, when, brief)
#include "parts.def"
#define UW_PASS(folder, id, name, when, brief) uw_pass uw_pass_##id;
#define UW_PASS_IN(file, id, name, when, brief) UW_PASS(file, id, name, when, brief)
#define UW_UPSTREAM(id, name, when, pipeline, brief)
#define UW_STEP(id, file, name, when, call, brief)
#include "passes.def"

/* Parts of rows that have files of their own. */
uw_change uw_narrow_reductions(uw_arena *arena, MlirOperation root); /* lanes/narrow_reductions.c, of reductions */
bool uw_join_pairs(uw_arena *arena, MlirOperation threads);       /* memory/join_pairs.c, of join-loads */

/* multiversion.c */
bool uw_part_levels(uw_code *code);
bool uw_part_levels_of_lanes(uw_code *code);

/* The stage "passes": in the order in which they run by default. */
extern const uw_stage uw_stage_passes;
/* parts.def: no stage of a compile, for unwarp-opt alone. */
extern const uw_stage uw_parts_of_passes;

#endif
