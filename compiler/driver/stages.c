/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The stages of a compile: their names, for options, help and docs/passes.md. */
#include "stages.h"

#include "../frontend/frontend.h"
#include "../target/code.h"
#include "../passes/passes.h"
#include "../raise/raise.h"

/* In the order in which a compile runs them, each with the function that does: compile_unit.c calls these, and what is
 * between. */
const uw_stage *const *uw_stages(void) {
  static const uw_stage *const all[] = {
      &uw_stage_recover, /* frontend/alone.c: uw_load_ptx_alone, for each module of PTX that is loaded */
      &uw_stage_prepare, /* frontend/device.c: uw_prepare_device */
      &uw_stage_raise,   /* raise/raise.c: uw_raise, after the import into MLIR */
      &uw_stage_passes,  /* driver/compile_unit.c: translate; levels of x86-64 part in it */
      &uw_stage_lower,   /* lower/lower.c: uw_lower; then LLVM's IR again */
      &uw_stage_finish,  /* lower/finish.c: uw_finish_device, before the device's code joins the host's */
      &uw_stage_target,  /* target/target.c: uw_optimise, of both */
      NULL};
  return all;
}

static bool has_siblings(const uw_row *row) {
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++)
    for (size_t i = 0; i < (*stage)->count; i++)
      if (&(*stage)->rows[i] != row && uw_names_row(row->name, &(*stage)->rows[i]))
        return true;
  return false;
}

const char *uw_row_alone(uw_arena *arena, const uw_row *row) {
  return has_siblings(row) ? uw_arena_format(arena, "%s{}", row->name) : row->name;
}
