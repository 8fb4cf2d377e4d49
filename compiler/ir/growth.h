/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many operations there are, and which function has become several times as many in one step. */
#ifndef UW_GROWTH_H
#define UW_GROWTH_H

#include "runner.h"

size_t uw_operations_in(const uw_code *code);

/* The operations of each function, as they are now, in the arena; null unless UW_STRESS is `growth`. */
typedef struct uw_sizes uw_sizes;
uw_sizes *uw_sizes_of(uw_arena *arena, const uw_code *code);

/* How many instructions a step may add to a function: it has at most four times as many afterwards, of few ones more. */
size_t uw_room_to_grow(LLVMValueRef function);

/* Says of each function, and of all of them together, where the step made more than that of it: that is a bug in unwarp,
 * and the compile goes on. Functions that are new count among all alone. `before` may be null. */
void uw_report_growth(const uw_sizes *before, const uw_code *code, const char *step);

#endif
