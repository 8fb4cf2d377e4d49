/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The x and y of a grid or of a block, which the host hands to a launch as one integer of 64 bits. */
#ifndef UW_RAISE_PACKED_H
#define UW_RAISE_PACKED_H

#include "../ir/ir.h"

/* x, or y (high), of 32 bits: as it was before, where that is seen, so that a block of n threads is known to have one
 * row; else taken out of the pair. */
MlirValue uw_half_of(uw_builder *b, MlirValue pair, bool high);

#endif
