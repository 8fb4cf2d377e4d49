/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A launch that came along, with its kernel's stub inlined:
 *
 *   uwrt_launch_object(record of K, grid xy, z, group xy, z, bytes, object, distinct, constants)
 * ==>
 *   if (distinct) __unwarp_launch_K(grid xy, z, group xy, z, bytes, null, values loaded from object…, specialization.c)
 *   else uwrt_launch_object(…, copy of object, distinct, null)
 *
 * The kernel's body in place may take accessors for pointers to memory of their own, its entry may not.
 * The runtime gets a copy, so that nothing but loads, stores and copies touches the object, and SROA makes values of it:
 * the launching function has just filled it. What is a constant there is one in the loops of the launch, and what is
 * equal is one value (ranges of accessors). */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "../../ir/shim.h"
#include "sycl.h"

enum { SHAPE = 5, FIXED = SHAPE + 1 }; /* and the stream */

static uw_kernel *kernel_of_record(uw_program *program, LLVMValueRef record) {
  size_t length;
  const char *name = LLVMGetValueName2(record, &length);
  for (size_t i = 0; i < program->kernel_count; i++)
    if (strncmp(name, UW_KERNEL_RECORD, strlen(UW_KERNEL_RECORD)) == 0 &&
        strcmp(name + strlen(UW_KERNEL_RECORD), program->kernels[i].name) == 0)
      return &program->kernels[i];
  return NULL;
}

static LLVMValueRef no_duplicate(uw_program *program, LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noduplicate", strlen("noduplicate"));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
  return function;
}

/* Puts the call where distinct is false, and gives the end of where it is true. */
static LLVMValueRef split_by(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef distinct) {
  LLVMValueRef ends[2];
  uw_shim_split_if(distinct, call, ends);
  LLVMInstructionRemoveFromParent(call);
  LLVMPositionBuilderBefore(builder, ends[1]);
  LLVMInsertIntoBuilder(builder, call);
  return ends[0];
}

/* The launch through the runtime reads a copy of the object. */
static void pass_copy(uw_program *program, LLVMBuilderRef builder, LLVMValueRef call, uint64_t bytes) {
  enum { LEAST_ALIGNMENT = 16 };
  LLVMValueRef object = LLVMGetOperand(call, FIXED);
  if (!LLVMIsAAllocaInst(object))
    return;
  unsigned own = LLVMGetAlignment(object), alignment = own > LEAST_ALIGNMENT ? own : LEAST_ALIGNMENT;
  LLVMTypeRef byte = LLVMInt8TypeInContext(program->context);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef copy = LLVMBuildAlloca(builder, LLVMArrayType2(byte, bytes), "");
  LLVMSetAlignment(copy, alignment);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(program->context), bytes, 0);
  LLVMBuildMemCpy(builder, copy, alignment, object, own, size);
  LLVMSetOperand(call, FIXED, copy);
}

static void make_site(uw_program *program, LLVMModuleRef part, LLVMValueRef call) {
  uw_kernel *kernel = kernel_of_record(program, LLVMGetOperand(call, 0));
  LLVMValueRef function = kernel ? LLVMGetNamedFunction(program->device, kernel->name) : NULL;
  if (!function)
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMValueRef distinct = LLVMGetOperand(call, FIXED + 1);
  LLVMValueRef object = LLVMGetOperand(call, FIXED), end = split_by(builder, call, distinct);
  if (program->launches.values)
    pass_copy(program, builder, call, kernel->object_bytes);
  LLVMPositionBuilderBefore(builder, end);
  uw_given given = {.builder = builder, .part = part, .list = LLVMGetOperand(call, FIXED + 2)};
  uw_sycl_find_given(program, function, &given);
  LLVMSetOperand(call, FIXED + 2, LLVMConstNull(LLVMTypeOf(given.list)));
  unsigned first = kernel->param_count + FIXED, count = first + (unsigned)given.count;
  LLVMTypeRef types[count];
  LLVMValueRef values[count];
  for (unsigned i = 0; i < SHAPE; i++)
    values[i] = LLVMGetOperand(call, i + 1);
  values[SHAPE] = LLVMConstNull(LLVMPointerTypeInContext(program->context, 0));
  for (unsigned i = 0; i < kernel->param_count; i++) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(program->context), kernel->param_offsets[i], 0);
    LLVMValueRef place =
        LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(program->context), object, &offset, 1, "");
    if (kernel->param_by_value[i]) {
      values[FIXED + i] = place;
      continue;
    }
    values[FIXED + i] = LLVMBuildLoad2(builder, LLVMTypeOf(LLVMGetParam(function, i)), place, "");
    LLVMSetAlignment(values[FIXED + i], 1); /* SROA finds the object's own */
  }
  memcpy(values + first, given.values, given.count * sizeof *given.values);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(values[i]);
  char *name = uw_arena_format(program->arena, "__unwarp_launch_%s", kernel->name);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(program->context), types, count, 0);
  LLVMValueRef callee = LLVMGetNamedFunction(part, name);
  if (!callee)
    callee = no_duplicate(program, LLVMAddFunction(part, name, type));
  LLVMValueRef site = LLVMBuildCall2(builder, type, callee, values, count, "");
  LLVMInstructionSetDebugLoc(site, LLVMInstructionGetDebugLoc(call));
  LLVMDisposeBuilder(builder);
}

void uw_sycl_make_sites(uw_program *program, LLVMModuleRef part) {
  LLVMValueRef launch = LLVMGetNamedFunction(part, UW_SYCL_LAUNCH_OBJECT);
  size_t count = 0, at = 0;
  if (launch && LLVMGetFirstUse(launch) && program->launches.values)
    uw_run_llvm(part, "function(sroa)", 0); /* objects go by their addresses, not by variables that hold those */
  for (LLVMUseRef use = launch ? LLVMGetFirstUse(launch) : NULL; use; use = LLVMGetNextUse(use))
    count++;
  LLVMValueRef *calls = uw_alloc(program->arena, (count + 1) * sizeof *calls);
  for (LLVMUseRef use = launch ? LLVMGetFirstUse(launch) : NULL; use; use = LLVMGetNextUse(use))
    calls[at++] = LLVMGetUser(use);
  for (size_t i = 0; i < count; i++)
    make_site(program, part, calls[i]);
}
