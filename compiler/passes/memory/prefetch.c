/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the parts of software-prefetch share: see prefetch.h. */
#include "prefetch.h"

#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"

#define DONE "unwarp.ahead"

uw_fetch uw_fetch_of(MlirOperation access) {
  bool writes = uw_kind(access) == UW_OP_LLVM_STORE;
  MlirType type = mlirValueGetType(writes ? uw_operand(access, 0) : uw_result(access, 0));
  MlirValue address = uw_operand(access, writes);
  return (uw_fetch){address, uw_address_of(address), (int64_t)uw_type_bytes(type), writes};
}

MlirValue uw_for_each_line(uw_builder *b, MlirValue from, MlirValue to, int64_t apart) {
  MlirValue step = uw_const_index(b, apart < UW_CACHE_LINE ? UW_CACHE_LINE / apart : 1);
  MlirBlock body = uw_block(uw_build_for(b, from, to, step, (uw_value_list){0}), 0);
  uw_yield(body, b->location, (uw_value_list){0});
  *b = uw_at_end(body, b->location);
  return mlirBlockGetArgument(body, 0);
}

bool uw_is_prefetched(MlirOperation loop) { return !mlirAttributeIsNull(uw_get_attr(loop, DONE)); }

void uw_set_prefetched(MlirOperation loop, const char *what) {
  MlirLocation location = mlirOperationGetLocation(loop);
  uw_remark(location, "software-prefetch", "%s", what);
  uw_set_attr(loop, DONE, mlirUnitAttrGet(mlirLocationGetContext(location)));
}
