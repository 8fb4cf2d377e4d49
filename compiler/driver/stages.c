/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The stages of a compile: their names, for options, help and docs/passes.md. */
#include "stages.h"

#include "../frontend/frontend.h"
#include "../target/code.h"
#include "../passes/passes.h"
#include "../raise/raise.h"

const uw_stage *const *uw_stages(void) {
  static const uw_stage *const all[] = {&uw_stage_recover, &uw_stage_prepare, &uw_stage_raise,  &uw_stage_passes,
                                        &uw_stage_lower,   &uw_stage_finish,  &uw_stage_target, NULL};
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
