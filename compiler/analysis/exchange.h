/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where threads meet. An exchange is an operation at which the threads of a level wait for each other: a barrier, or an
 * operation that combines or passes on their values (which implies the barrier).
 *
 *   level      its exchanges                                       the loop that they split
 *   "block"    barrier, reduce                                     over threads (ir/parallel.h)
 *   "warp"     barrier, reduce, shuffle, match                     over lanes  */
#ifndef UW_EXCHANGE_H
#define UW_EXCHANGE_H

#include "../ir/ir.h"

bool uw_is_exchange(MlirOperation op, const char *level);
/* An exchange of a block after which it also waits for other ones, of its grid or cluster. */
bool uw_waits_for_blocks(MlirOperation op);
/* op is an exchange of that level, or holds one. A null level has no exchanges. */
bool uw_has_exchange(MlirOperation op, const char *level);
/* The level whose exchanges split this loop: "block", "warp", or null if it is no loop over threads. */
const char *uw_exchange_level(MlirOperation loop);

#endif
