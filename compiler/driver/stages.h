/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The stages of a compile, in order. */
#ifndef UW_DRIVER_STAGES_H
#define UW_DRIVER_STAGES_H

#include "../ir/runner.h"

/* Ends with null. */
const uw_stage *const *uw_stages(void);

/* What stands for the row alone: its name, with {} where the pass has other rows, too. */
const char *uw_row_alone(uw_arena *arena, const uw_row *row);

#endif
