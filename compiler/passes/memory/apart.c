/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two accesses of a launch: see apart.h. */
#include "apart.h"

enum { MOST_BYTES = 1 << 16 /* bound: of an element */ };

typedef struct extent {
  MlirValue from, to; /* index, as signed integers: addresses have 48 bits */
} extent;

static MlirValue sum(uw_question *q, MlirValue left, MlirValue right, int64_t factor) {
  return uw_binary(&q->b, "arith.addi", left, uw_binary(&q->b, "arith.muli", right, uw_const_index(&q->b, factor)));
}

/* Adds the bytes that a getelementptr goes on by, at least and at most. */
static bool add_offset(uw_question *q, MlirOperation gep, extent *all) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
  if (mlirAttributeIsNull(constants) || mlirAttributeIsNull(element))
    return false;
  MlirType type = mlirTypeAttrGetValue(element);
  size_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(constants); i++) {
    int32_t raw = mlirDenseI32ArrayGetElement(constants, i);
    uw_between range = {uw_const_index(&q->b, raw), uw_const_index(&q->b, raw), raw >= 0};
    if (i > 0 && !uw_type_is_array(type))
      return false;
    type = i > 0 ? mlirLLVMArrayTypeGetElementType(type) : type;
    if (uw_type_bytes(type) > MOST_BYTES ||
        (raw == INT32_MIN &&
         (!uw_find_between(q, uw_operand(gep, operand++), true, &range) || !uw_add_fits(q, &range, !range.natural))))
      return false;
    all->from = sum(q, all->from, range.low, (int64_t)uw_type_bytes(type));
    all->to = sum(q, all->to, range.high, (int64_t)uw_type_bytes(type));
  }
  return true;
}

static MlirValue base_of(MlirValue pointer) {
  while (uw_kind(uw_def(pointer)) == UW_OP_LLVM_GEP)
    pointer = uw_operand(uw_def(pointer), 0);
  return pointer;
}

static bool find_extent(uw_question *q, const uw_access *access, extent *all) {
  MlirValue pointer = uw_operand(access->op, uw_kind(access->op) == UW_OP_LLVM_STORE), base = base_of(pointer);
  if (!uw_plain_access(access->op) || access->bytes == 0 || access->bytes > MOST_BYTES ||
      uw_defined_inside(base, q->branch))
    return false;
  MlirValue address = uw_build1(&q->b, "llvm.ptrtoint", .in = VALS(base), .out = TYPES(uw_int_type(q->b.context, 64)));
  all->from = uw_build1(&q->b, "arith.index_cast", .in = VALS(address), .out = TYPES(uw_index_type(q->b.context)));
  all->to = uw_binary(&q->b, "arith.addi", all->from, uw_const_index(&q->b, (int64_t)access->bytes));
  for (; uw_kind(uw_def(pointer)) == UW_OP_LLVM_GEP; pointer = uw_operand(uw_def(pointer), 0))
    if (!add_offset(q, uw_def(pointer), all))
      return false;
  return true;
}

bool uw_ask_apart(uw_question *q, const uw_access *a, const uw_access *b) {
  extent first, second;
  if (a->anywhere || b->anywhere || uw_same(a->address.base, b->address.base) || !find_extent(q, a, &first) ||
      !find_extent(q, b, &second))
    return false;
  MlirValue before = uw_compare(&q->b, UW_SLE, first.to, second.from),
            after = uw_compare(&q->b, UW_SLE, second.to, first.from);
  return uw_add_condition(q, uw_binary(&q->b, "arith.ori", before, after));
}
