/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Making operations, types and attributes. One generic call makes any operation; the structured ones, whose regions
 * need care, have a function each. */
#include <string.h>

#include "ir.h"

MlirStringRef uw_str(const char *text) { return mlirStringRefCreate(text, strlen(text)); }

MlirType uw_type(MlirContext context, const char *text) {
  MlirType type = mlirTypeParseGet(context, uw_str(text));
  if (mlirTypeIsNull(type))
    uw_fatal("bug in unwarp: bad type '%s'", text);
  return type;
}

MlirAttribute uw_attr(MlirContext context, const char *text) {
  MlirAttribute attribute = mlirAttributeParseGet(context, uw_str(text));
  if (mlirAttributeIsNull(attribute))
    uw_fatal("bug in unwarp: bad attribute '%s'", text);
  return attribute;
}

MlirType uw_ptr_type(MlirContext context) { return mlirLLVMPointerTypeGet(context, 0); }
MlirType uw_int_type(MlirContext context, unsigned bits) { return mlirIntegerTypeGet(context, bits); }
MlirType uw_index_type(MlirContext context) { return mlirIndexTypeGet(context); }

MlirAttribute uw_int_attr(MlirContext context, unsigned bits, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, bits), value);
}
MlirAttribute uw_str_attr(MlirContext context, const char *text) { return mlirStringAttrGet(context, uw_str(text)); }
MlirAttribute uw_symbol_attr(MlirContext context, const char *name) {
  return mlirFlatSymbolRefAttrGet(context, uw_str(name));
}

MlirAttribute uw_get_attr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, uw_str(name));
}
void uw_set_attr(MlirOperation op, const char *name, MlirAttribute attribute) {
  mlirOperationSetAttributeByName(op, uw_str(name), attribute);
}
void uw_remove_attr(MlirOperation op, const char *name) { mlirOperationRemoveAttributeByName(op, uw_str(name)); }

bool uw_string_is(MlirStringRef string, const char *text) {
  return string.length == strlen(text) && memcmp(string.data, text, string.length) == 0;
}

MlirStringRef uw_get_str_attr(MlirOperation op, const char *name) {
  MlirAttribute attribute = uw_get_attr(op, name);
  if (mlirAttributeIsNull(attribute))
    return (MlirStringRef){NULL, 0};
  if (mlirAttributeIsAString(attribute))
    return mlirStringAttrGetValue(attribute);
  if (mlirAttributeIsAFlatSymbolRef(attribute))
    return mlirFlatSymbolRefAttrGetValue(attribute);
  return (MlirStringRef){NULL, 0};
}

bool uw_attr_is_str(MlirOperation op, const char *name, const char *text) {
  MlirStringRef string = uw_get_str_attr(op, name);
  return string.data && uw_string_is(string, text);
}

int64_t uw_get_int_attr(MlirOperation op, const char *name, int64_t otherwise) {
  MlirAttribute attribute = uw_get_attr(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return otherwise;
  return mlirIntegerAttrGetValueInt(attribute);
}

uw_builder uw_at(MlirOperation op) {
  return (uw_builder){mlirOperationGetContext(op), mlirOperationGetLocation(op), mlirOperationGetBlock(op), op};
}

uw_builder uw_after(MlirOperation op) {
  uw_builder b = uw_at(op);
  b.before = uw_next(op);
  return b;
}

uw_builder uw_at_start(MlirBlock block, MlirLocation location) {
  return (uw_builder){mlirLocationGetContext(location), location, block, uw_first(block)};
}

uw_builder uw_at_end(MlirBlock block, MlirLocation location) {
  return (uw_builder){mlirLocationGetContext(location), location, block, mlirBlockGetTerminator(block)};
}

static size_t made;

size_t uw_operations_made(void) { return made; }

static void place(const uw_builder *b, MlirOperation op) {
  made++;
  if (uw_null(b->before))
    mlirBlockAppendOwnedOperation(b->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
}

MlirOperation uw_place_copy(uw_builder *b, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  place(b, copy);
  return copy;
}

MlirOperation uw_build_op(uw_builder *b, const char *name, uw_op_spec spec) {
  MlirOperationState state = mlirOperationStateGet(uw_str(name), b->location);
  mlirOperationStateAddOperands(&state, (intptr_t)spec.in.count, spec.in.at);
  mlirOperationStateAddResults(&state, (intptr_t)spec.out.count, spec.out.at);
  for (size_t i = 0; i < spec.attrs.count; i++) {
    MlirNamedAttribute named =
        mlirNamedAttributeGet(mlirIdentifierGet(b->context, uw_str(spec.attrs.at[i].name)), spec.attrs.at[i].attribute);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  if (spec.segments) {
    MlirNamedAttribute named =
        mlirNamedAttributeGet(mlirIdentifierGet(b->context, uw_str("operandSegmentSizes")),
                              mlirDenseI32ArrayGet(b->context, (intptr_t)spec.segment_count, spec.segments));
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  for (unsigned i = 0; i < spec.regions; i++) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation op = mlirOperationCreate(&state);
  if (mlirOperationIsNull(op))
    uw_fatal("bug in unwarp: cannot build '%s'", name);
  place(b, op);
  return op;
}

MlirValue uw_const_index(uw_builder *b, int64_t value) {
  MlirType type = uw_index_type(b->context);
  return uw_build1(b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

MlirValue uw_const_int(uw_builder *b, unsigned bits, int64_t value) {
  MlirType type = uw_int_type(b->context, bits);
  return uw_build1(b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

MlirValue uw_poison(uw_builder *b, MlirType type) { return uw_build1(b, "ub.poison", .out = TYPES(type)); }

uw_predicate uw_opposite(uw_predicate predicate) {
  static const uw_predicate of[] = {[UW_EQ] = UW_NE,   [UW_NE] = UW_EQ,   [UW_SLT] = UW_SGE, [UW_SLE] = UW_SGT,
                                    [UW_SGT] = UW_SLE, [UW_SGE] = UW_SLT, [UW_ULT] = UW_UGE, [UW_ULE] = UW_UGT,
                                    [UW_UGT] = UW_ULE, [UW_UGE] = UW_ULT};
  return of[predicate];
}

uw_predicate uw_swapped(uw_predicate predicate) {
  static const uw_predicate of[] = {[UW_EQ] = UW_EQ,   [UW_NE] = UW_NE,   [UW_SLT] = UW_SGT, [UW_SLE] = UW_SGE,
                                    [UW_SGT] = UW_SLT, [UW_SGE] = UW_SLE, [UW_ULT] = UW_UGT, [UW_ULE] = UW_UGE,
                                    [UW_UGT] = UW_ULT, [UW_UGE] = UW_ULE};
  return of[predicate];
}

MlirValue uw_compare(uw_builder *b, uw_predicate predicate, MlirValue left, MlirValue right) {
  MlirType type = mlirValueGetType(left), answer = uw_int_type(b->context, 1);
  if (mlirTypeIsAVector(type)) {
    int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
    answer = mlirVectorTypeGet(1, &lanes, answer);
  }
  return uw_build1(b, "arith.cmpi", .in = VALS(left, right), .out = TYPES(answer),
                   .attrs = ATTRS({"predicate", uw_int_attr(b->context, 64, predicate)}));
}

MlirValue uw_binary(uw_builder *b, const char *name, MlirValue left, MlirValue right) {
  return uw_build1(b, name, .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)));
}

MlirValue uw_select(uw_builder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  return uw_build1(b, "arith.select", .in = VALS(condition, yes, no), .out = TYPES(mlirValueGetType(yes)));
}

MlirValue uw_to_index(uw_builder *b, MlirValue value, bool is_signed) {
  if (mlirTypeIsAIndex(mlirValueGetType(value)))
    return value;
  return uw_build1(b, is_signed ? "arith.index_cast" : "arith.index_castui", .in = VALS(value),
                   .out = TYPES(uw_index_type(b->context)));
}

MlirValue uw_as_index(uw_builder *b, MlirValue value) { return uw_to_index(b, value, true); }

MlirValue uw_with(uw_builder *b, const char *name, MlirValue left, int64_t right) {
  return uw_binary(b, name, left, uw_const_index(b, right));
}

MlirValue uw_and(uw_builder *b, MlirValue left, MlirValue right) {
  return left.ptr ? uw_binary(b, "arith.andi", left, right) : right;
}

MlirValue uw_as_i64(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = mlirIntegerTypeGet(b->context, 64);
  if (mlirTypeEqual(type, i64))
    return value;
  return uw_build1(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", .in = VALS(value),
                   .out = TYPES(i64));
}

void uw_build_prefetch(uw_builder *b, MlirValue address, bool writes) {
  uw_build(b, "llvm.intr.prefetch", .in = VALS(address),
           .attrs = ATTRS({"rw", uw_int_attr(b->context, 32, writes)}, {"hint", uw_int_attr(b->context, 32, 3)},
                          {"cache", uw_int_attr(b->context, 32, 1)}));
}

MlirValue uw_splat(uw_builder *b, MlirValue scalar, int64_t lanes) {
  enum { MOST = 256 };
  if (lanes > MOST)
    uw_fatal("bug in unwarp: a vector of %lld lanes", (long long)lanes);
  MlirType type = mlirVectorTypeGet(1, &lanes, mlirValueGetType(scalar));
  const int32_t zeros[MOST] = {0};
  MlirValue none = uw_build1(b, "llvm.mlir.poison", .out = TYPES(type));
  MlirValue one =
      uw_build1(b, "llvm.insertelement", .in = VALS(none, scalar, uw_const_int(b, 32, 0)), .out = TYPES(type));
  return uw_build1(b, "llvm.shufflevector", .in = VALS(one, none), .out = TYPES(type),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(b->context, (intptr_t)lanes, zeros)}));
}

/* With one index; INT32_MIN: the second operand. */
static MlirValue build_address(uw_builder *b, uw_value_list in, int32_t index, MlirType element, MlirType type) {
  return uw_build1(b, "llvm.getelementptr", .in = in, .out = TYPES(type),
                   .attrs = ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, &index)},
                                  {"elem_type", mlirTypeAttrGet(element)}));
}

MlirValue uw_add_elements(uw_builder *b, MlirValue address, MlirType element, MlirValue count) {
  MlirType type = mlirValueGetType(address), counts = mlirValueGetType(count);
  if (mlirTypeIsAVector(counts) && !mlirTypeIsAVector(type)) {
    const int64_t lanes = mlirShapedTypeGetDimSize(counts, 0);
    type = mlirVectorTypeGet(1, &lanes, type);
  }
  return build_address(b, VALS(address, count), INT32_MIN, element, type);
}

MlirValue uw_add_bytes(uw_builder *b, MlirValue address, MlirValue bytes) {
  return uw_add_elements(b, address, uw_int_type(b->context, 8), bytes);
}

MlirValue uw_byte_address(uw_builder *b, MlirValue address, int64_t bytes) {
  if (bytes <= INT32_MIN || bytes > INT32_MAX)
    return uw_add_bytes(b, address, uw_const_int(b, 64, bytes));
  return build_address(b, VALS(address), (int32_t)bytes, uw_int_type(b->context, 8), mlirValueGetType(address));
}

/* Gives region `index` of op its only block, with arguments of these types. */
static MlirBlock add_block(MlirOperation op, unsigned index, uw_type_list types) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (size_t i = 0; i < types.count; i++)
    mlirBlockAddArgument(block, types.at[i], location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, index), block);
  return block;
}

enum { FEW = 512 }; /* values that one structured operation carries, at most */

static uw_type_list types_of(uw_value_list values, MlirType *room, const char *name) {
  if (values.count > FEW)
    uw_fatal("'%s' carries %zu values; unwarp handles %d", name, values.count, FEW);
  for (size_t i = 0; i < values.count; i++)
    room[i] = mlirValueGetType(values.at[i]);
  return (uw_type_list){room, values.count};
}

MlirValue uw_build_text(uw_builder *b, MlirModule module, const char *text) {
  uw_arena *arena = uw_arena_create();
  const char *name = uw_arena_format(arena, "__unwarp_text_%s", text);
  if (uw_null(uw_find_symbol(module, name))) {
    size_t bytes = strlen(text) + 1;
    uw_builder top = uw_at_start(mlirModuleGetBody(module), mlirLocationUnknownGet(b->context));
    uw_build(&top, "llvm.mlir.global", .regions = 1,
             .attrs =
                 ATTRS({"sym_name", uw_str_attr(b->context, name)},
                       {"global_type",
                        mlirTypeAttrGet(uw_type(b->context, uw_arena_format(arena, "!llvm.array<%zu x i8>", bytes)))},
                       {"value", mlirStringAttrGet(b->context, mlirStringRefCreate(text, bytes))},
                       {"constant", mlirUnitAttrGet(b->context)},
                       {"linkage", uw_attr(b->context, "#llvm.linkage<private>")}));
  }
  MlirValue address = uw_build1(b, "llvm.mlir.addressof", .out = TYPES(uw_ptr_type(b->context)),
                                .attrs = ATTRS({"global_name", uw_symbol_attr(b->context, name)}));
  uw_arena_destroy(arena);
  return address;
}

MlirOperation uw_build_if(uw_builder *b, MlirValue condition, uw_type_list results) {
  MlirOperation op = uw_build(b, "scf.if", .in = VALS(condition), .out = results, .regions = 2);
  add_block(op, 0, (uw_type_list){0});
  add_block(op, 1, (uw_type_list){0});
  return op;
}

MlirOperation uw_build_branch(uw_builder *b, MlirValue condition) {
  MlirOperation op = uw_build_if(b, condition, (uw_type_list){0});
  for (unsigned arm = 0; arm < 2; arm++)
    uw_yield(uw_block(op, arm), b->location, (uw_value_list){0});
  return op;
}

MlirOperation uw_build_for(uw_builder *b, MlirValue lower, MlirValue upper, MlirValue step, uw_value_list inits) {
  MlirType types[FEW + 1];
  MlirValue operands[FEW + 3] = {lower, upper, step};
  uw_type_list results = types_of(inits, types + 1, "scf.for");
  if (inits.count)
    memcpy(operands + 3, inits.at, inits.count * sizeof *inits.at);
  MlirOperation op = uw_build(b, "scf.for", .in = {operands, inits.count + 3}, .out = results, .regions = 1);
  types[0] = mlirValueGetType(lower);
  add_block(op, 0, (uw_type_list){types, inits.count + 1});
  return op;
}

MlirOperation uw_build_while(uw_builder *b, uw_value_list inits, uw_type_list results) {
  MlirType types[FEW];
  uw_type_list carried = types_of(inits, types, "scf.while");
  MlirOperation op = uw_build(b, "scf.while", .in = inits, .out = results, .regions = 2);
  add_block(op, 0, carried);
  add_block(op, 1, results);
  return op;
}

void uw_yield(MlirBlock block, MlirLocation location, uw_value_list values) {
  uw_builder b = {mlirLocationGetContext(location), location, block, {NULL}};
  uw_build(&b, "scf.yield", .in = values);
}

/* --- functions of the module -------------------------------------------------------------------------------------- */

MlirOperation uw_find_symbol(MlirModule module, const char *name) {
  uw_foreach_op (op, mlirModuleGetBody(module))
    if (uw_attr_is_str(op, "sym_name", name))
      return op;
  return (MlirOperation){NULL};
}

static MlirOperation declare(MlirModule module, const char *name, MlirType type) {
  MlirContext context = mlirModuleGetContext(module);
  uw_builder b = uw_at_start(mlirModuleGetBody(module), mlirLocationUnknownGet(context));
  return uw_build(&b, "llvm.func", .regions = 1,
                  .attrs = ATTRS({"sym_name", uw_str_attr(context, name)}, {"function_type", mlirTypeAttrGet(type)},
                                 {"linkage", uw_attr(context, "#llvm.linkage<external>")}));
}

void uw_declare(MlirModule module, const char *name, const char *type) {
  if (uw_null(uw_find_symbol(module, name)))
    declare(module, name, uw_type(mlirModuleGetContext(module), type));
}

void uw_declare_pure(MlirModule module, const char *name, MlirType type) {
  if (!uw_null(uw_find_symbol(module, name)))
    return;
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation function = declare(module, name, type);
  uw_set_attr(function, "memory_effects",
              uw_attr(context, "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, "
                               "errnoMem = none, targetMem0 = none, targetMem1 = none>"));
  uw_set_attr(function, "no_unwind", mlirUnitAttrGet(context));
  uw_set_attr(function, "will_return", mlirUnitAttrGet(context));
}

MlirOperation uw_call(uw_builder *b, const char *name, uw_value_list arguments, MlirType result) {
  const int32_t segments[] = {(int32_t)arguments.count, 0};
  return uw_build(b, "llvm.call", .in = arguments, .out = mlirTypeIsNull(result) ? (uw_type_list){0} : TYPES(result),
                  .attrs = ATTRS({"callee", uw_symbol_attr(b->context, name)},
                                 {"op_bundle_sizes", mlirDenseI32ArrayGet(b->context, 0, NULL)}),
                  .segments = segments, .segment_count = 2);
}
