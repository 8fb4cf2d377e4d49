/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows of threads at distant addresses: see far_row.h. */
#include "far_row.h"

#include "../../analysis/effects.h"
#include "../../analysis/linear.h"
#include "../passes.h"

enum { DIMS = 3, FAR_APART = 1024 };

MlirValue uw_row_index(MlirOperation loop, size_t d) {
  MlirBlock body = uw_block(loop, 0);
  if (mlirBlockGetNumArguments(body) == DIMS)
    return mlirBlockGetArgument(body, (intptr_t)d);
  return d == DIMS - 1 ? mlirBlockGetArgument(body, 0)
                       : mlirBlockGetArgument(uw_block(uw_parent(loop), 0), (intptr_t)d);
}

bool uw_is_far_row(MlirOperation loop, MlirValue address, int64_t bytes) {
  uw_address at = uw_address_of(address);
  uw_kind_t base = uw_kind(uw_address_root(address));
  bool along = false, across = false;
  if (!at.offset.known || base == UW_OP_SLOT || base == UW_OP_SHARED || base == UW_OP_LLVM_ALLOCA ||
      base == UW_OP_LLVM_ADDRESSOF)
    return false;
  for (size_t i = 0; i < at.offset.count; i++) {
    const uw_term *term = &at.offset.terms[i];
    MlirValue x = uw_row_index(loop, DIMS - 1);
    if (uw_same(term->symbol, x) || (term->scale.ptr && uw_same(term->scale, x))) {
      if (term->scale.ptr || term->factor != bytes)
        return false;
      along = true;
      continue;
    }
    for (size_t d = 0; d < DIMS - 1; d++)
      if (uw_same(term->symbol, uw_row_index(loop, d)) ||
          (term->scale.ptr && uw_same(term->scale, uw_row_index(loop, d))))
        across = across || term->scale.ptr || term->factor >= FAR_APART || term->factor <= -FAR_APART;
  }
  return along && across;
}
