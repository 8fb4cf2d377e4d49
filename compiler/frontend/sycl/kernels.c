/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the launches of the host module. Our headers are inlined first, so that each stands in a function of the
 * user's:
 *
 *   __unwarp_sycl_launch(&typeid(K *), grid xy, z, group xy, z, bytes, object, size, distinct, constants)
 * ==>
 *   __unwarp_sycl_stub_K(grid xy, z, group xy, z, bytes, object, distinct, constants)
 *
 * with a stub for each kernel, as clang makes them for CUDA. It launches through the runtime. Where the launching
 * function comes along (launches.c) the stub is inlined and its call becomes the kernel's loops.
 *
 * The symbol of typeid(K *) is _ZTIP and the mangled K, the kernel's is _ZTS and the same.
 */
#include <stdio.h>
#include <string.h>

#include "../../../runtime/uwrt.h"
#include "llvm-c/DebugInfo.h"
#include "sycl.h"

/* type, shape…, object, its size, whether accessors are distinct, the command group's specialization constants */
enum { SHAPE = 5, SIZE = SHAPE + 2, OPERANDS = SHAPE + 5 };

/* What a stub gets: all but the type and the object's size. */
enum { PASSED = OPERANDS - 2 };
static unsigned operand_of(unsigned passed) { return passed <= SHAPE ? passed + 1 : passed + 2; }

static const char *kernel_name(uw_program *program, LLVMValueRef call) {
  static const char prefix[] = "_ZTIP";
  LLVMValueRef type = LLVMGetOperand(call, 0);
  if (!LLVMIsAGlobalVariable(type) || strncmp(uw_llvm_name(type), prefix, sizeof prefix - 1) != 0)
    return NULL;
  return uw_arena_format(program->arena, "_ZTS%s", uw_llvm_name(type) + sizeof prefix - 1);
}

static void copy_target(LLVMValueRef from, LLVMValueRef to) {
  static const char *const names[] = {"target-features", "target-cpu", "tune-cpu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i]));
    if (attribute)
      LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
  }
}

static void add_attribute(uw_program *program, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
}

/* void stub(shape…, object, distinct, constants)
 * { uwrt_launch_object(record, shape…, object, distinct, constants); } */
static LLVMValueRef make_stub(uw_program *program, const uw_kernel *kernel, LLVMValueRef call) {
  LLVMTypeRef nothing = LLVMVoidTypeInContext(program->context), ptr = LLVMPointerTypeInContext(program->context, 0);
  LLVMTypeRef types[PASSED + 1] = {ptr};
  for (unsigned i = 0; i < PASSED; i++)
    types[i + 1] = LLVMTypeOf(LLVMGetOperand(call, operand_of(i)));
  LLVMTypeRef stub_type = LLVMFunctionType(nothing, types + 1, PASSED, 0);
  LLVMTypeRef launch_type = LLVMFunctionType(nothing, types, PASSED + 1, 0);
  LLVMValueRef stub =
      LLVMAddFunction(program->host, uw_arena_format(program->arena, "__unwarp_sycl_stub_%s", kernel->name), stub_type);
  LLVMSetLinkage(stub, LLVMInternalLinkage);
  copy_target(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), stub);
  add_attribute(program, stub, "nounwind");
  add_attribute(program, stub, "noinline");
  LLVMValueRef launch = LLVMGetNamedFunction(program->host, UW_SYCL_LAUNCH_OBJECT);
  if (!launch) {
    launch = LLVMAddFunction(program->host, UW_SYCL_LAUNCH_OBJECT, launch_type);
    add_attribute(program, launch, "nounwind");
    add_attribute(program, launch, "noduplicate"); /* by jump threading: a kernel's body stands where it does */
  }
  LLVMValueRef record = LLVMAddGlobal(program->host, LLVMInt8TypeInContext(program->context),
                                      uw_arena_format(program->arena, UW_KERNEL_RECORD "%s", kernel->name));
  LLVMValueRef arguments[PASSED + 1] = {record};
  for (unsigned i = 0; i < PASSED; i++)
    arguments[i + 1] = LLVMGetParam(stub, i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(program->context, stub, ""));
  LLVMBuildCall2(builder, launch_type, launch, arguments, PASSED + 1, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return stub;
}

static uw_kernel *find_kernel(uw_program *program, const char *name) {
  for (size_t i = 0; i < program->kernel_count; i++)
    if (strcmp(program->kernels[i].name, name) == 0)
      return &program->kernels[i];
  return NULL;
}

static bool call_stub(uw_program *program, LLVMValueRef call) {
  const char *name = kernel_name(program, call);
  if (!name || !LLVMGetNamedFunction(program->device, name)) {
    uw_print_place(program, call, true);
    fprintf(stderr, "error: the kernel '%s' of this launch is not in the device code; this is a bug in unwarp\n",
            name ? name : "?");
    return false;
  }
  uw_kernel *kernel = find_kernel(program, name);
  if (!kernel) {
    kernel = &program->kernels[program->kernel_count++];
    kernel->name = name;
    kernel->shown = uw_sycl_kernel_shown(program, name);
    kernel->entry = uw_arena_format(program->arena, "__unwarp_entry_%s", name);
    kernel->flags = UWRT_KERNEL_SYCL;
    kernel->linkage = LLVMInternalLinkage; /* no other file launches it by this record */
    kernel->object_bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, SIZE));
    kernel->stub = make_stub(program, kernel, call);
  }
  LLVMValueRef arguments[PASSED];
  for (unsigned i = 0; i < PASSED; i++)
    arguments[i] = LLVMGetOperand(call, operand_of(i));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef fresh =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(kernel->stub), kernel->stub, arguments, PASSED, "");
  LLVMInstructionSetDebugLoc(fresh, LLVMInstructionGetDebugLoc(call));
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(call);
  return true;
}

bool uw_sycl_read_kernels(uw_program *program) {
  uw_sycl_free_variables(program->host);
  uw_sycl_free_variables(program->device);
  /* What was inlined and is called no more would stay behind as launching functions that nobody defines. */
  uw_run_llvm(program->host, "always-inline,globaldce", 0);
  LLVMValueRef launch = LLVMGetNamedFunction(program->host, UW_SYCL_LAUNCH);
  size_t count = 0;
  for (LLVMUseRef use = launch ? LLVMGetFirstUse(launch) : NULL; use; use = LLVMGetNextUse(use))
    count++;
  program->kernels = uw_alloc(program->arena, (count + 1) * sizeof *program->kernels);
  LLVMValueRef *calls = uw_alloc(program->arena, (count + 1) * sizeof *calls);
  size_t at = count; /* uses come last first */
  for (LLVMUseRef use = launch ? LLVMGetFirstUse(launch) : NULL; use; use = LLVMGetNextUse(use))
    calls[--at] = LLVMGetUser(use);
  bool ok = true;
  uw_sycl_read_variables(program);
  for (size_t i = 0; i < count; i++) {
    if (LLVMIsACallInst(calls[i]) && LLVMGetNumArgOperands(calls[i]) == OPERANDS)
      ok &= call_stub(program, calls[i]);
    else
      uw_fatal("bug in unwarp: %s is used in another way than by a call", UW_SYCL_LAUNCH);
  }
  return ok;
}
