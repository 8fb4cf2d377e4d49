/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses further on (uw_add_elements and its kin in ir/build.c): of one and of many lanes, by a constant or a value,
 * and by constants that an index of 32 bits does not hold.
 *
 * Objects: ir
 */
#include <stdio.h>

#include "../../compiler/ir/ir.h"

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static const char text[] = "func.func @f(%p: !llvm.ptr, %n: i64, %lanes: vector<8xi64>) {\n"
                           "  return\n"
                           "}\n";

static int32_t index_of(MlirValue address) {
  return mlirDenseI32ArrayGetElement(uw_get_attr(uw_def(address), "rawConstantIndices"), 0);
}

static void check_constants(uw_builder *b, MlirValue pointer) {
  const int64_t near[] = {0, 4, -8, INT32_MAX, INT32_MIN + INT64_C(1)};
  for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
    MlirValue address = uw_byte_address(b, pointer, near[i]);
    CHECK(uw_operand_count(uw_def(address)) == 1 && index_of(address) == near[i]);
  }
  const int64_t far[] = {INT32_MIN, INT64_C(1) << 31, -(INT64_C(1) << 40)};
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    MlirValue address = uw_byte_address(b, pointer, far[i]);
    int64_t number = 0;
    CHECK(uw_operand_count(uw_def(address)) == 2 && uw_const_value(uw_operand(uw_def(address), 1), &number) &&
          number == far[i]);
  }
}

static void check_values(uw_builder *b, MlirBlock body) {
  MlirValue pointer = mlirBlockGetArgument(body, 0), many = mlirBlockGetArgument(body, 2);
  MlirType wide = uw_type(b->context, "vector<8x!llvm.ptr>");
  MlirValue one = uw_add_elements(b, pointer, uw_int_type(b->context, 32), mlirBlockGetArgument(body, 1));
  CHECK(index_of(one) == INT32_MIN && mlirTypeEqual(mlirValueGetType(one), uw_ptr_type(b->context)));
  MlirValue lanes = uw_add_bytes(b, pointer, many);
  CHECK(mlirTypeEqual(mlirValueGetType(lanes), wide));
  CHECK(mlirTypeEqual(mlirValueGetType(uw_add_bytes(b, lanes, many)), wide));
  CHECK(mlirTypeEqual(mlirValueGetType(uw_byte_address(b, lanes, 16)), wide));
}

int main(void) {
  MlirContext context = uw_context_create();
  MlirModule module = mlirModuleCreateParse(context, uw_str(text));
  MlirBlock body = uw_block(uw_find_symbol(module, "f"), 0);
  uw_builder b = uw_at(uw_first(body));
  check_constants(&b, mlirBlockGetArgument(body, 0));
  check_values(&b, body);
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
  return failures != 0;
}
