/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a while loop carries from iteration to iteration, and whether that can come to rest while memory stays as it is.
 */
#ifndef UW_CARRIED_H
#define UW_CARRIED_H

#include "../ir/ir.h"

/* Answers for a choice's condition whether what others write decides it. */
typedef bool uw_decided(void *context, MlirValue condition);

/* Whether all that the value depends on from the iteration before may stay what it was, as long as memory is the same.
 * What counts iterations does not; where others' writes decide a choice, one arm that stays is enough. turns: values that only change places count as such that stay. False, too,
 * where the loop is too large to tell. */
bool uw_may_rest(uw_arena *arena, MlirOperation loop, MlirValue value, uw_decided *decided, void *context, bool turns);

/* Whether the value depends on anything that the loop carries. */
bool uw_depends_on_carried(uw_arena *arena, MlirOperation loop, MlirValue value);

#endif
