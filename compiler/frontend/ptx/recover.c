/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * recover.def as a stage. */
#include "ptx.h"

/* Where a variable of the module has become one of each function. */
#define CLEAN_UP "function(sroa,early-cse,instcombine<no-verify-fixpoint>)"

#define UW_STAGE_TABLE "frontend/ptx/recover.def"
#include "../../ir/stage.inc"

const uw_stage uw_stage_recover = {"recover", "LLVM's IR of a module of PTX: what its text has lost",
                                   "frontend/ptx/recover.def", rows, sizeof rows / sizeof *rows};
