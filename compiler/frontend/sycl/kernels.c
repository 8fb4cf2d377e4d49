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
#include "llvm-c/Target.h"
#include "../../ir/remarks.h"
#include "sycl.h"

/* type, shape…, object, its size, whether accessors are distinct, the command group's specialization constants */
enum { SHAPE = 5, OBJECT = SHAPE + 1, SIZE = SHAPE + 2, OPERANDS = SHAPE + 5 };

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

/* The kernel's object is laid out once by each side. A program may make them differ, by what it captures under
 * __SYCL_DEVICE_ONLY__; then the kernel would read past what the host gave, or one value as another. Equal where
 *
 *   a) both have as many bytes, and
 *   b) the same scalars stand at the same places, where the variable of the host's is seen.
 *
 * Not seen: two captured pointers that change places, and bytes, which may be padding. */
typedef struct scalars {
  LLVMTargetDataRef layout;
  struct {
    uint64_t at;
    LLVMTypeKind kind;
    uint64_t bits;
  } of[256];
  size_t count;
  bool all;
} scalars;

static void list_scalars(scalars *list, LLVMTypeRef type, uint64_t at) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      list_scalars(list, LLVMStructGetTypeAtIndex(type, i), at + LLVMOffsetOfElement(list->layout, type, i));
    return;
  case LLVMArrayTypeKind: {
    LLVMTypeRef element = LLVMGetElementType(type);
    const uint64_t bytes = LLVMABISizeOfType(list->layout, element);
    for (uint64_t i = 0; i < LLVMGetArrayLength2(type) && list->all && bytes > 1; i++)
      list_scalars(list, element, at + i * bytes);
    return;
  }
  default:;
    const uint64_t bits = LLVMSizeOfTypeInBits(list->layout, type);
    if (bits == 8)
      return;
    list->all = list->all && list->count < sizeof list->of / sizeof *list->of;
    if (!list->all)
      return;
    list->of[list->count].at = at;
    list->of[list->count].kind = LLVMGetTypeKind(type);
    list->of[list->count++].bits = bits;
  }
}

static bool same_scalars(LLVMTargetDataRef layout, LLVMTypeRef a, LLVMTypeRef b) {
  scalars of_a = {.layout = layout, .all = true}, of_b = {.layout = layout, .all = true};
  list_scalars(&of_a, a, 0);
  list_scalars(&of_b, b, 0);
  if (!of_a.count || !of_b.count) /* bytes alone: a variable without its type */
    return true;
  if (of_a.all && of_b.all && of_a.count != of_b.count)
    return false;
  for (size_t i = 0; i < of_a.count && i < of_b.count; i++)
    if (of_a.of[i].at != of_b.of[i].at || of_a.of[i].kind != of_b.of[i].kind || of_a.of[i].bits != of_b.of[i].bits)
      return false;
  return true;
}

/* The variable that a reference is of, as unoptimised code hands it on: stored once, and loaded. Null if it is not seen. */
static LLVMValueRef referred(LLVMValueRef value) {
  for (int depth = 0; depth < 16 && LLVMIsALoadInst(value); depth++) {
    LLVMValueRef slot = LLVMGetOperand(value, 0), stored = NULL;
    if (!LLVMIsAAllocaInst(slot))
      return NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != slot)
        continue;
      if (stored)
        return NULL;
      stored = LLVMGetOperand(user, 0);
    }
    if (!stored)
      return NULL;
    value = stored;
  }
  return LLVMIsAAllocaInst(value) ? value : NULL;
}

static bool check_object(uw_program *program, LLVMValueRef call, LLVMValueRef kernel) {
  static const char reason[] = "does the kernel capture other things under __SYCL_DEVICE_ONLY__, or a class have other "
                               "members? Take the condition out of it, or capture both outside";
  unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  LLVMAttributeRef attribute = LLVMCountParams(kernel) == 1 ? LLVMGetEnumAttributeAtIndex(kernel, 1, byval) : NULL;
  if (!attribute)
    return true;
  LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute);
  LLVMTargetDataRef device = LLVMGetModuleDataLayout(program->device), host = LLVMGetModuleDataLayout(program->host);
  const uint64_t given = LLVMConstIntGetZExtValue(LLVMGetOperand(call, SIZE)), wanted = LLVMABISizeOfType(device, type);
  LLVMValueRef object = referred(LLVMGetOperand(call, OBJECT));
  LLVMTypeRef variable = object ? LLVMGetAllocatedType(object) : NULL;
  if (given == wanted &&
      (!variable || LLVMABISizeOfType(host, variable) != given || same_scalars(host, variable, type)))
    return true;
  const char *place = uw_place_in_program(program, call);
  if (given != wanted)
    fprintf(stderr, "%serror: the kernel's object has %llu bytes on the host and %llu on the device: %s\n", place,
            (unsigned long long)given, (unsigned long long)wanted, reason);
  else
    fprintf(stderr, "%serror: the kernel's object has other values on the host than on the device: %s\n", place,
            reason);
  return false;
}

static bool call_stub(uw_program *program, LLVMValueRef call) {
  const char *name = kernel_name(program, call);
  LLVMValueRef entry = name ? LLVMGetNamedFunction(program->device, name) : NULL;
  if (!entry) {
    const char *shown = name ? uw_sycl_kernel_shown(program, name) : NULL;
    fprintf(
        stderr,
        "%serror: the kernel '%s' of this launch is not in the device code: are it, its class or lambdas before it "
        "under a condition that differs there (__SYCL_DEVICE_ONLY__, __SPIR__)? Without one this is a bug in unwarp\n",
        uw_place_in_program(program, call),
        shown  ? shown
        : name ? name
               : "?");
    return false;
  }
  if (!check_object(program, call, entry))
    return false;
  uw_kernel *kernel = find_kernel(program, name);
  if (!kernel) {
    kernel = &program->kernels[program->kernel_count++];
    kernel->name = name;
    kernel->shown = uw_sycl_kernel_shown(program, name);
    if (kernel->shown)
      uw_remark_sycl_kernel(name, kernel->shown, uw_sycl_kernel_place(program, name));
    kernel->entry = uw_arena_format(program->arena, "__unwarp_entry_%s", name);
    kernel->flags = UWRT_KERNEL_SYCL;
    if (strstr(name, "10range_bodyI") || strstr(name, "17offset_range_bodyI"))
      kernel->flags |= UWRT_KERNEL_SYCL_RANGE;
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
