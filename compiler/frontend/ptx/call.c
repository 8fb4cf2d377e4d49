/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * call, ret, brx. (PTX ISA, "Control Flow Instructions", "Function Declarations and Definitions".)
 *
 *     { .param .b64 a; .param .align 8 .b8 r[16];
 *       st.param.b64 [a], %rd1;
 *       call (r), f, (a);                         ==>   call void @f(ptr %r, i64 (load of a))
 *       ld.param.b64 %rd2, [r+8]; }
 *
 * A scalar travels as a value, and an array as the address of the caller's: nobody writes to it during the call. An
 * array as result is written by the function where its caller has it. What clang compiled (the runtime, libdevice) has
 * types of its own: a scalar is taken for what is wanted there.
 */
#include <string.h>

#include "ptx.h"

bool uw_ptx_by_address(const uw_ptx_variable *v) { return v->dimensions != 0 || v->lanes > 1; }

LLVMTypeRef uw_ptx_function_type(uw_ptx_maker *m, const uw_ptx_variable *results, const uw_ptx_variable *parameters) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(m->program->context, 0);
  unsigned count = 0;
  for (const uw_ptx_variable *v = parameters; v; v = v->next)
    count++;
  LLVMTypeRef *types = uw_alloc(m->program->arena, (count + 1) * sizeof *types);
  bool in_memory = results && uw_ptx_by_address(results);
  count = 0;
  if (in_memory)
    types[count++] = pointer;
  for (const uw_ptx_variable *v = parameters; v; v = v->next)
    types[count++] = uw_ptx_by_address(v) ? pointer : uw_ptx_llvm_type(m, v->type);
  LLVMTypeRef result =
      results && !in_memory ? uw_ptx_llvm_type(m, results->type) : LLVMVoidTypeInContext(m->program->context);
  return LLVMFunctionType(result, types, count, false);
}

/* --- arguments and results ---------------------------------------------------------------------------------------- */

/* A number of memory, or of a register or constant, as the type that the function has there. */
static LLVMValueRef argument(uw_ptx_maker *m, const uw_ptx_operand *operand, LLVMTypeRef type, bool by_address) {
  LLVMValueRef address = operand->kind == UW_PTX_NAME ? uw_ptx_address_of(m, operand->name) : NULL;
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind, truth = type == uw_ptx_int(m, 1);
  if (by_address && pointer) {
    if (!address)
      uw_ptx_refuse(m, "a parameter that is an array needs one");
    return address;
  }
  LLVMTypeRef as = pointer ? uw_ptx_int(m, 64) : truth ? uw_ptx_int(m, 8) : type;
  LLVMValueRef value;
  if (address && LLVMIsAAllocaInst(address))
    value = LLVMBuildLoad2(m->builder, as, address, "");
  else
    value = uw_ptx_value(m, operand, as);
  if (value && pointer)
    value = LLVMBuildIntToPtr(m->builder, value, type, "");
  return value && truth ? LLVMBuildTrunc(m->builder, value, type, "") : value;
}

static bool take_result(uw_ptx_maker *m, const uw_ptx_operand *to, const uw_ptx_variable *declared,
                        LLVMValueRef value) {
  LLVMValueRef room = to->kind == UW_PTX_NAME ? uw_ptx_address_of(m, to->name) : NULL;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    value = LLVMBuildPtrToInt(m->builder, value, uw_ptx_int(m, 64), "");
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
      LLVMGetIntTypeWidth(LLVMTypeOf(value)) < declared->type->bits)
    value = LLVMBuildZExt(m->builder, value, uw_ptx_int(m, declared->type->bits), "");
  if (!room)
    return uw_ptx_store(m, to, value, false);
  LLVMBuildStore(m->builder, value, room);
  return true;
}

/* --- call --------------------------------------------------------------------------------------------------------- */

/* The function of that name, or what the last operand says that a pointer leads to. */
static const uw_ptx_callee *find_callee(uw_ptx_maker *m, const uw_ptx_operand *name, const uw_ptx_operand *last) {
  const uw_ptx_callee *callee = (const uw_ptx_callee *)uw_table_get(m->callees, name->name);
  if (callee)
    return callee;
  if (!uw_ptx_find(m, name->name)) {
    uw_ptx_refuse(m, "there is no function '%s'", name->name);
    return NULL;
  }
  const uw_ptx_statement *table =
      last->kind == UW_PTX_NAME ? (const uw_ptx_statement *)uw_table_get(m->tables, last->name) : NULL;
  if (table && table->kind == UW_PTX_PROTOTYPE) {
    uw_ptx_callee *through = uw_alloc(m->program->arena, sizeof *through);
    const uw_ptx_prototype *p = table->prototype;
    *through = (uw_ptx_callee){NULL, uw_ptx_function_type(m, p->results, p->parameters), p->results, p->parameters};
    return through;
  }
  callee = table ? (const uw_ptx_callee *)uw_table_get(m->callees, table->operands[0].name) : NULL;
  if (!callee) {
    uw_ptx_refuse(m, "a call through a pointer needs a .callprototype or .calltargets");
    return NULL;
  }
  uw_ptx_callee *through = uw_alloc(m->program->arena, sizeof *through);
  *through = *callee;
  through->function = NULL;
  return through;
}

/* call (r), f, (a, b), prototype; the lists may be missing. */
bool uw_ptx_call_statement(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  (void)opcode;
  static const uw_ptx_operand none = {.kind = UW_PTX_LIST};
  if (!m->of)
    return uw_ptx_refuse(m, "calls within an asm are not supported");
  size_t at = s->count && s->operands[0].kind == UW_PTX_LIST;
  const uw_ptx_operand *results = at ? &s->operands[0] : &none;
  if (at >= s->count || s->operands[at].kind != UW_PTX_NAME)
    return uw_ptx_refuse(m, "the name of a function is expected");
  const uw_ptx_operand *name = &s->operands[at++];
  const uw_ptx_operand *sources = at < s->count && s->operands[at].kind == UW_PTX_LIST ? &s->operands[at] : &none;
  const uw_ptx_callee *callee = find_callee(m, name, &s->operands[s->count - 1]);
  if (!callee)
    return false;
  bool in_memory = callee->results && uw_ptx_by_address(callee->results);
  LLVMTypeRef result = LLVMGetReturnType(callee->type);
  bool own_form = in_memory && LLVMGetTypeKind(result) == LLVMVoidTypeKind; /* the result's address comes first */
  size_t count = LLVMCountParamTypes(callee->type), expected = own_form;
  for (const uw_ptx_variable *v = callee->parameters; v; v = v->next)
    expected++;
  if (count != expected || sources->count + own_form != count || results->count != (callee->results != NULL) ||
      (callee->results && callee->results->next))
    return uw_ptx_refuse(m, "the call of '%s' does not fit its declaration", name->name);
  LLVMTypeRef *types = uw_alloc(m->program->arena, (count + 1) * sizeof *types);
  LLVMValueRef *values = uw_alloc(m->program->arena, (count + 1) * sizeof *values);
  LLVMGetParamTypes(callee->type, types);
  if (own_form && !(values[0] = argument(m, &results->parts[0], types[0], true)))
    return false;
  const uw_ptx_variable *v = callee->parameters;
  for (size_t i = 0; i < sources->count; i++, v = v->next)
    if (!(values[own_form + i] = argument(m, &sources->parts[i], types[own_form + i], uw_ptx_by_address(v))))
      return false;
  LLVMValueRef function = callee->function;
  if (!function) {
    LLVMValueRef address = uw_ptx_value(m, name, uw_ptx_int(m, 64));
    function = LLVMBuildIntToPtr(m->builder, address, LLVMPointerTypeInContext(m->program->context, 0), "");
  }
  LLVMValueRef call = LLVMBuildCall2(m->builder, callee->type, function, values, (unsigned)count, "");
  if (LLVMIsAFunction(function))
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  if (LLVMGetTypeKind(result) == LLVMVoidTypeKind || !callee->results)
    return true;
  return take_result(m, &results->parts[0], callee->results, call);
}

/* --- ret, brx ----------------------------------------------------------------------------------------------------- */

void uw_ptx_return(uw_ptx_maker *m) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(m->function));
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(m->builder);
  else
    LLVMBuildRet(m->builder, LLVMBuildLoad2(m->builder, type, m->result, ""));
}

/* brx.idx i, table */
bool uw_ptx_branch_indexed(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  const uw_ptx_statement *table = m->tables && s->count == 2 && s->operands[1].kind == UW_PTX_NAME
                                      ? (const uw_ptx_statement *)uw_table_get(m->tables, s->operands[1].name)
                                      : NULL;
  if (!table || table->kind != UW_PTX_TARGETS || !uw_ptx_has(opcode, "idx"))
    return uw_ptx_refuse(m, "'%s' needs an index and .branchtargets", opcode->text);
  LLVMTypeRef i32 = uw_ptx_int(m, 32);
  LLVMValueRef index = uw_ptx_value(m, &s->operands[0], i32);
  if (!index)
    return false;
  LLVMBasicBlockRef nowhere = uw_ptx_block(m);
  LLVMValueRef branch = LLVMBuildSwitch(m->builder, index, nowhere, (unsigned)table->count);
  for (size_t i = 0; i < table->count; i++) {
    LLVMBasicBlockRef target =
        table->operands[i].kind == UW_PTX_NAME ? uw_ptx_label_at(m, table->operands[i].name) : NULL;
    if (!target)
      return uw_ptx_refuse(m, "a target of '%s' is no label", table->opcode);
    LLVMAddCase(branch, LLVMConstInt(i32, i, false), target);
  }
  LLVMPositionBuilderAtEnd(m->builder, nowhere);
  LLVMBuildUnreachable(m->builder);
  LLVMPositionBuilderAtEnd(m->builder, uw_ptx_block(m));
  return true;
}
