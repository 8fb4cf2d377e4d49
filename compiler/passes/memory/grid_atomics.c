/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What may tell others how far a block is: see grid_atomics.h. */
#include <string.h>

#include "../../analysis/bases.h"
#include "../../analysis/uniformity.h"
#include "../../analysis/vector_math.h"
#include "grid_atomics.h"

bool uw_is_of_block(MlirOperation access) {
  MlirOperation root = uw_address_root(uw_operand(access, uw_kind(access) == UW_OP_LLVM_STORE));
  return uw_is_made_inside(root) || uw_kind(root) == UW_OP_TALLY;
}

static bool starts(MlirStringRef name, const char *text) {
  return name.length >= strlen(text) && memcmp(name.data, text, strlen(text)) == 0;
}

bool uw_is_silent(MlirOperation op) {
  MlirStringRef callee = uw_get_str_attr(op, "callee");
  uw_kind_t kind = uw_kind(op);
  if (kind == UW_OP_QUEUE || kind == UW_OP_PUT || kind == UW_OP_APPEND)
    return true;
  uw_vector_form form;
  return (kind == UW_OP_LLVM_CALL && (uw_string_is(callee, "uwrt_enter_block") || uw_string_is(callee, "uwrt_slices") ||
                                      starts(callee, UW_VECTOR_CALLEE) || uw_is_math_function(op, &form))) ||
         uw_name_starts(op, "llvm.intr.prefetch");
}
