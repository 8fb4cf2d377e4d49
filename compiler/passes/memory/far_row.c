/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows of threads at distant addresses: see far_row.h. */
#include "far_row.h"

#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bases.h"
#include "../passes.h"

enum { DIMS = 3 };

MlirValue uw_row_index(MlirOperation loop, size_t d) {
  MlirBlock body = uw_block(loop, 0);
  if (mlirBlockGetNumArguments(body) == DIMS)
    return mlirBlockGetArgument(body, (intptr_t)d);
  return d == DIMS - 1 ? mlirBlockGetArgument(body, 0)
                       : mlirBlockGetArgument(uw_block(uw_parent(loop), 0), (intptr_t)d);
}

bool uw_is_far_row(MlirOperation loop, MlirValue address, int64_t bytes) {
  uw_address at = uw_address_of(address);
  if (!uw_leads_to_array(address) || !uw_is_stride(uw_stride_along(&at.offset, uw_row_index(loop, DIMS - 1)), bytes))
    return false;
  bool across = false;
  for (size_t d = 0; d < DIMS - 1; d++) {
    uw_stride stride = uw_stride_in(&at.offset, uw_row_index(loop, d));
    across = across || !stride.known || stride.factor || stride.bytes >= UW_FAR_APART || stride.bytes <= -UW_FAR_APART;
  }
  return across;
}
