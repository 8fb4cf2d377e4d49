/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kinds, walking, values, moving. Small wrappers that give the C API the questions a pass asks. */
#include <string.h>

#include "ir.h"
#include "shim.h"

bool uw_null(MlirOperation op) { return op.ptr == NULL; }
bool uw_same_op(MlirOperation a, MlirOperation b) { return a.ptr == b.ptr; }
bool uw_same(MlirValue a, MlirValue b) { return a.ptr == b.ptr; }

MlirStringRef uw_name(MlirOperation op) { return mlirIdentifierStr(mlirOperationGetName(op)); }

bool uw_name_starts(MlirOperation op, const char *prefix) {
  if (uw_null(op)) /* a block's argument comes from none */
    return false;
  MlirStringRef name = uw_name(op);
  size_t length = strlen(prefix);
  return name.length >= length && memcmp(name.data, prefix, length) == 0;
}

MlirBlock uw_block(MlirOperation op, unsigned region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}
MlirOperation uw_first(MlirBlock block) { return mlirBlockGetFirstOperation(block); }
MlirOperation uw_next(MlirOperation op) { return mlirOperationGetNextInBlock(op); }
MlirOperation uw_prev(MlirOperation op) { return uw_shim_previous(op); }
MlirOperation uw_last(MlirBlock block) { return mlirBlockGetTerminator(block); }
MlirOperation uw_parent(MlirOperation op) { return mlirOperationGetParentOperation(op); }

MlirOperation uw_ancestor_in(MlirBlock block, MlirOperation op) {
  while (!uw_null(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = uw_parent(op);
  return op;
}

MlirOperation uw_parent_of_kind(MlirOperation op, uw_kind_t kind) {
  do
    op = uw_parent(op);
  while (!uw_null(op) && uw_kind(op) != kind);
  return op;
}

bool uw_inside(MlirOperation op, MlirOperation ancestor) {
  while (!uw_null(op) && !uw_same_op(op, ancestor))
    op = uw_parent(op);
  return !uw_null(op);
}

typedef bool visitor(MlirOperation op, void *data); /* false stops the walk */

static bool walk(MlirOperation root, visitor *visit, void *data) {
  for (MlirRegion region = mlirOperationGetFirstRegion(root); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op (op, block)
        if (!visit(op, data) || !walk(op, visit, data))
          return false;
  return true;
}

typedef struct collection {
  uw_arena *arena;
  uw_ops ops;
  uw_kind_t kind; /* UW_OP_COUNT: any */
} collection;

static bool collect(MlirOperation op, void *data) {
  collection *c = data;
  if (c->kind == UW_OP_COUNT || uw_kind(op) == c->kind)
    uw_ops_push(c->arena, &c->ops, op);
  return true;
}

uw_ops uw_collect(uw_arena *arena, MlirOperation root) { return uw_collect_kind(arena, root, UW_OP_COUNT); }

uw_ops uw_collect_kind(uw_arena *arena, MlirOperation root, uw_kind_t kind) {
  collection c = {.arena = arena, .kind = kind};
  walk(root, collect, &c);
  return c.ops;
}

uw_ops uw_block_ops(uw_arena *arena, MlirBlock block) {
  uw_ops ops = {0};
  uw_foreach_op (op, block)
    uw_ops_push(arena, &ops, op);
  return ops;
}

MlirOperation uw_def(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}
MlirValue uw_operand(MlirOperation op, size_t index) { return mlirOperationGetOperand(op, (intptr_t)index); }
MlirValue uw_result(MlirOperation op, size_t index) { return mlirOperationGetResult(op, (intptr_t)index); }
size_t uw_operand_count(MlirOperation op) { return (size_t)mlirOperationGetNumOperands(op); }
intptr_t uw_region_count(MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_IN_PARALLEL ? 0 : mlirOperationGetNumRegions(op);
}
size_t uw_result_count(MlirOperation op) { return (size_t)mlirOperationGetNumResults(op); }

MlirBlock uw_value_block(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOperationGetBlock(mlirOpResultGetOwner(value))
                                     : mlirBlockArgumentGetOwner(value);
}

bool uw_defined_inside(MlirValue value, MlirOperation op) {
  return uw_inside(mlirBlockGetParentOperation(uw_value_block(value)), op);
}

bool uw_unused(MlirOperation op) {
  for (size_t i = 0; i < uw_result_count(op); i++)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(op, i))))
      return false;
  return true;
}

bool uw_used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

unsigned uw_int_width(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) ? 64 : mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

bool uw_is_loop(MlirOperation op) { return uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_WHILE; }

bool uw_is_zero(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number) && number == 0;
}

bool uw_const_value(MlirValue value, int64_t *number) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || (uw_kind(op) != UW_OP_ARITH_CONSTANT && uw_kind(op) != UW_OP_LLVM_CONSTANT))
    return false;
  MlirAttribute attribute = uw_get_attr(op, "value");
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    return false;
  *number = mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type) ? mlirIntegerAttrGetValueSInt(attribute)
            : mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type)
                ? (int64_t)mlirIntegerAttrGetValueUInt(attribute)
                : mlirIntegerAttrGetValueInt(attribute);
  return true;
}

void uw_replace_uses(MlirValue from, MlirValue to) { mlirValueReplaceAllUsesOfWith(from, to); }

void uw_replace_uses_inside(MlirValue from, MlirValue to, MlirOperation root) {
  for (MlirOpOperand use = mlirValueGetFirstUse(from); !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_inside(user, root))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), to);
    use = next;
  }
}

static uint64_t round_up(uint64_t bytes, uint64_t align) { return (bytes + align - 1) / align * align; }

static uint64_t power_of_two(uint64_t bytes) {
  uint64_t power = 1;
  while (power < bytes)
    power *= 2;
  return power;
}

static uint64_t scalar_bits(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type);
  return 64; /* index, pointers */
}

/* The identity of a kind of types is the same in all contexts. */
bool uw_type_is_array(MlirType type) {
  static const void *of_arrays;
  if (!of_arrays)
    of_arrays = mlirTypeGetTypeID(mlirLLVMArrayTypeGet(uw_int_type(mlirTypeGetContext(type), 8), 1)).ptr;
  return mlirTypeGetTypeID(type).ptr == of_arrays;
}

uint64_t uw_type_align(MlirType type) {
  if (mlirTypeIsALLVMStructType(type)) {
    uint64_t align = 1;
    if (mlirLLVMStructTypeIsPacked(type))
      return 1;
    for (intptr_t i = 0; i < mlirLLVMStructTypeGetNumElementTypes(type); i++) {
      uint64_t of = uw_type_align(mlirLLVMStructTypeGetElementType(type, i));
      align = of > align ? of : align;
    }
    return align;
  }
  if (uw_type_is_array(type))
    return uw_type_align(mlirLLVMArrayTypeGetElementType(type));
  if (mlirTypeIsAVector(type))
    return uw_type_bytes(type);
  uint64_t bytes = power_of_two((scalar_bits(type) + 7) / 8);
  return bytes > 16 ? 16 : bytes;
}

uint64_t uw_type_bytes(MlirType type) {
  if (mlirTypeIsALLVMStructType(type)) {
    uint64_t bytes = 0;
    bool packed = mlirLLVMStructTypeIsPacked(type);
    for (intptr_t i = 0; i < mlirLLVMStructTypeGetNumElementTypes(type); i++) {
      MlirType element = mlirLLVMStructTypeGetElementType(type, i);
      bytes = round_up(bytes, packed ? 1 : uw_type_align(element)) + uw_type_bytes(element);
    }
    return round_up(bytes, uw_type_align(type));
  }
  if (uw_type_is_array(type))
    return uw_shim_array_length(type) * uw_type_bytes(mlirLLVMArrayTypeGetElementType(type));
  if (mlirTypeIsAVector(type)) {
    uint64_t bits = scalar_bits(mlirShapedTypeGetElementType(type));
    for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
      bits *= (uint64_t)mlirShapedTypeGetDimSize(type, i);
    return power_of_two((bits + 7) / 8);
  }
  return round_up((scalar_bits(type) + 7) / 8, uw_type_align(type));
}

/* An unsigned division by max(x, 1). */
static bool divides_by_some(MlirOperation op) {
  if (!uw_name_starts(op, "arith.divui") && !uw_name_starts(op, "arith.remui"))
    return false;
  MlirOperation divisor = uw_def(uw_operand(op, 1));
  int64_t least;
  return (uw_name_starts(divisor, "arith.maxsi") || uw_name_starts(divisor, "arith.maxui")) &&
         uw_const_value(uw_operand(divisor, 1), &least) && least > 0;
}

bool uw_speculatable(MlirOperation op) { return uw_shim_is_pure(op) || divides_by_some(op); }
bool uw_effect_free(MlirOperation op) { return uw_shim_is_effect_free(op); }

bool uw_no_wrap(MlirOperation op, bool is_signed) {
  return (uw_shim_no_wrap_flags(op) & (is_signed ? UW_NSW : UW_NUW)) != 0;
}
bool uw_wraps(MlirOperation op) { return uw_shim_no_wrap_flags(op) == UW_WRAPS; }

bool uw_same_attributes(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute own = mlirOperationGetAttribute(a, i);
    MlirAttribute other = mlirOperationGetAttributeByName(b, mlirIdentifierStr(own.name));
    if (mlirAttributeIsNull(other) || !mlirAttributeEqual(own.attribute, other))
      return false;
  }
  return count == mlirOperationGetNumAttributes(b);
}

bool uw_plain_access(MlirOperation op) {
  return (uw_kind(op) == UW_OP_LLVM_LOAD || uw_kind(op) == UW_OP_LLVM_STORE) &&
         mlirAttributeIsNull(uw_get_attr(op, "volatile_")) && uw_get_int_attr(op, "ordering", 0) == 0;
}

bool uw_only_reads(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_GATHER:
  case UW_OP_LLVM_MASKED_LOAD:
  case UW_OP_SCF_YIELD:
  case UW_OP_SCF_CONDITION: return true;
  case UW_OP_LLVM_LOAD: return uw_plain_access(op);
  case UW_OP_SCF_IF:
  case UW_OP_SCF_FOR:
  case UW_OP_SCF_WHILE: break;
  default: return uw_region_count(op) == 0 && uw_effect_free(op);
  }
  for (unsigned i = 0; i < (unsigned)uw_region_count(op); i++) {
    MlirBlock block = uw_block(op, i);
    if (mlirBlockIsNull(block))
      continue;
    uw_foreach_op (inner, block)
      if (!uw_only_reads(inner))
        return false;
  }
  return true;
}

bool uw_used_only_inside(MlirOperation op, MlirBlock block) {
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(op, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    while (!uw_null(user) && !mlirBlockEqual(mlirOperationGetBlock(user), block))
      user = uw_parent(user);
    if (uw_null(user))
      return false;
  }
  return true;
}

bool uw_is_empty(MlirBlock block) { return mlirBlockIsNull(block) || uw_same_op(uw_first(block), uw_last(block)); }

void uw_move_before(MlirOperation op, MlirOperation where) { mlirOperationMoveBefore(op, where); }

void uw_move_to_end(MlirOperation op, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (!uw_null(terminator)) {
    mlirOperationMoveBefore(op, terminator);
    return;
  }
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(block, op);
}

void uw_erase(MlirOperation op) {
  uw_assert(op, uw_unused(op));
  mlirOperationDestroy(op);
}

bool uw_drop_unused(uw_arena *arena, MlirOperation root) {
  bool any = false;
  uw_ops ops = uw_collect(arena, root);
  for (size_t i = ops.count; i-- > 0;) { /* users before what they use, inner before outer */
    MlirOperation op = ops.at[i];
    bool is_branch = uw_kind(op) == UW_OP_SCF_IF && uw_is_empty(uw_block(op, 0)) && uw_is_empty(uw_block(op, 1));
    bool computes = uw_result_count(op) > 0 && uw_region_count(op) == 0 && uw_speculatable(op);
    bool loads = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op);
    if ((is_branch || computes || loads) && uw_unused(op)) {
      uw_erase(op);
      any = true;
    }
  }
  return any;
}

void uw_take_arm(MlirOperation branch, unsigned arm) {
  MlirBlock block = uw_block(branch, arm);
  if (!mlirBlockIsNull(block)) { /* an else that is there */
    MlirOperation yield = uw_last(block);
    for (size_t i = 0; i < uw_result_count(branch); i++)
      uw_replace_uses(uw_result(branch, i), uw_operand(yield, i));
    uw_foreach_op_safe (op, block)
      if (!uw_same_op(op, yield))
        uw_move_before(op, branch);
  }
  uw_erase(branch);
}

void uw_drop_lifetimes(uw_arena *arena, MlirValue memory) {
  uw_ops marks = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    uw_kind_t kind = uw_kind(mlirOpOperandGetOwner(use));
    if (kind == UW_OP_LLVM_LIFETIME_START || kind == UW_OP_LLVM_LIFETIME_END)
      uw_ops_push(arena, &marks, mlirOpOperandGetOwner(use));
  }
  for (size_t i = 0; i < marks.count; i++)
    uw_erase(marks.at[i]);
}
