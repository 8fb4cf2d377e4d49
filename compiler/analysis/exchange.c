/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where threads meet: see exchange.h. */
#include <string.h>

#include "exchange.h"
#include "../ir/parallel.h"

bool uw_is_exchange(MlirOperation op, const char *level) {
  if (!level)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_BARRIER:
  case UW_OP_REDUCE: return uw_attr_is_str(op, "level", level);
  case UW_OP_SHUFFLE:
  case UW_OP_COLLECTIVE:
  case UW_OP_MATCH: return strcmp(level, "warp") == 0;
  default: return false;
  }
}

bool uw_waits_for_blocks(MlirOperation op) {
  return uw_kind(op) == UW_OP_REDUCE && (uw_attr_is_str(op, "kind", "grid") || uw_attr_is_str(op, "kind", "cluster"));
}

bool uw_has_exchange(MlirOperation op, const char *level) {
  if (!level)
    return false;
  if (uw_is_exchange(op, level))
    return true;
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op (inner, block)
        if (uw_has_exchange(inner, level))
          return true;
  return false;
}

const char *uw_exchange_level(MlirOperation loop) {
  if (uw_kind(loop) != UW_OP_SCF_FORALL)
    return NULL;
  if (uw_is_over(loop, UW_OVER_THREADS))
    return "block";
  if (uw_is_over(loop, UW_OVER_LANES))
    return "warp";
  return NULL;
}
