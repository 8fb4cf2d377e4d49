/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The stages of a compile: their names, for options, help and docs/passes.md. */
#include "stages.h"

#include "../frontend/frontend.h"
#include "../target/code.h"
#include "../passes/passes.h"
#include "../raise/raise.h"

const uw_stage *const *uw_stages(void) {
  static const uw_stage *const all[] = {&uw_stage_recover,
                                        &uw_stage_prepare,
                                        &uw_stage_raise,
                                        &uw_stage_passes,
                                        &uw_stage_lower,
                                        &uw_stage_finish,
                                        &uw_stage_target,
                                        NULL};
  return all;
}
