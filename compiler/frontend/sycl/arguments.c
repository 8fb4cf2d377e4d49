/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A SYCL kernel has one parameter, its object, in memory. Each value that the kernel loads from a constant offset in it
 * becomes a parameter of its own:
 *
 *   void @K(ptr byval(T) %object)                   void @K(ptr %2, i64 %3)
 *     %a = gep i8, %object, 8
 *     %p = load ptr, %a                       ==>     %2 in %p's place
 *     %n = load i64, %object                          %3 in %n's place
 *
 * so that ranges, offsets, accessors' pointers and captured values stand as values at the launch, and what the kernel
 * does not use is no parameter. uw_kernel's param_offsets say where each one lies in the object.
 *
 * A pointer that the kernel only uses as an accessor's memory is marked noalias: what is written through it is reached
 * through no other accessor, where the launch says so (launch_sites.c).
 *
 * Holds when the kernel only reads its object: loads, and copies out of it. Where it does more with some of it (an
 * index that is not constant, a copy), the object in memory is a parameter too, the first. Where the kernel writes
 * there, or a function may, it is the only one.
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "llvm-c/Target.h"
#include "sycl.h"

typedef struct value {
  uint64_t offset;
  LLVMTypeRef type;
  LLVMValueRef load;
  uint32_t parameter;
  bool accessor; /* only reached as an accessor's memory */
} value;

/* What our headers reach an accessor's memory by (include/sycl/accessor.hpp). */
#define ACCESSOR_MEMORY "__unwarp_sycl_accessor_memory"

typedef struct object {
  uw_program *program;
  LLVMTargetDataRef layout;
  uint64_t bytes;
  value *values;
  size_t count, room;
  bool in_memory; /* something needs its address */
  bool written;
} object;

static bool is_marker(LLVMValueRef user) {
  size_t length;
  LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
  return callee && strcmp(LLVMGetValueName2(callee, &length), ACCESSOR_MEMORY) == 0;
}

static bool is_accessor(LLVMValueRef load) {
  bool any = false;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    if (!is_marker(LLVMGetUser(use)))
      return false;
    any = true;
  }
  return any;
}

static void add_value(object *o, uint64_t offset, LLVMValueRef load) {
  o->values = uw_grow(o->program->arena, o->values, o->count, &o->room, sizeof *o->values);
  o->values[o->count++] = (value){offset, LLVMTypeOf(load), load, 0, is_accessor(load)};
}

/* By how many bytes a gep moves; false if that is not constant. The clean-up has left bytes (or an element of any type)
 * times a constant. */
static bool constant_step(const object *o, LLVMValueRef gep, int64_t *bytes) {
  if (LLVMGetNumOperands(gep) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(gep, 1)))
    return false;
  *bytes = LLVMConstIntGetSExtValue(LLVMGetOperand(gep, 1)) *
           (int64_t)LLVMABISizeOfType(o->layout, LLVMGetGEPSourceElementType(gep));
  return true;
}

static bool is_scalar(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind;
}

static bool is_copy_out(LLVMValueRef user, LLVMValueRef address) {
  size_t length;
  if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user)))
    return false;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(user), &length);
  return strncmp(name, "llvm.memcpy", 11) == 0 && LLVMGetOperand(user, 0) != address;
}

/* known: the address is `offset` bytes into the object. */
static void look_at_uses(object *o, LLVMValueRef address, bool known, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    int64_t step = 0;
    if (LLVMIsALoadInst(user)) {
      bool inside =
          known && offset >= 0 && (uint64_t)offset + LLVMStoreSizeOfType(o->layout, LLVMTypeOf(user)) <= o->bytes;
      if (inside && is_scalar(LLVMTypeOf(user)) && !LLVMGetVolatile(user))
        add_value(o, (uint64_t)offset, user);
      else
        o->in_memory = true;
    } else if (LLVMIsAGetElementPtrInst(user)) {
      bool still = known && constant_step(o, user, &step);
      o->in_memory |= !still;
      look_at_uses(o, user, still, offset + step);
    } else if (is_copy_out(user, address)) {
      o->in_memory = true;
    } else {
      o->in_memory = o->written = true;
    }
  }
}

/* Two loads of one offset and type are one parameter. */
static uint32_t number_values(object *o, uint32_t first) {
  uint32_t next = first;
  for (size_t i = 0; i < o->count; i++) {
    size_t same = 0;
    while (same < i && (o->values[same].offset != o->values[i].offset || o->values[same].type != o->values[i].type))
      same++;
    o->values[i].parameter = same < i ? o->values[same].parameter : next++;
    for (size_t k = 0; k < i; k++)
      if (o->values[k].parameter == o->values[i].parameter)
        o->values[k].accessor = o->values[i].accessor &= o->values[k].accessor;
  }
  return next;
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index) {
  unsigned count = LLVMGetAttributeCountAtIndex(from, index);
  LLVMAttributeRef attributes[count + 1];
  LLVMGetAttributesAtIndex(from, index, attributes);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(to, index, attributes[i]);
}

/* A function with these parameters and the body of `old`, under its name. */
static LLVMValueRef with_parameters(uw_program *program, LLVMValueRef old, LLVMTypeRef *types, uint32_t count) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(program->context), types, count, 0);
  LLVMValueRef fresh = LLVMAddFunction(program->device, "", type);
  LLVMSetFunctionCallConv(fresh, LLVMGetFunctionCallConv(old));
  LLVMSetLinkage(fresh, LLVMGetLinkage(old));
  copy_attributes(old, fresh, LLVMAttributeFunctionIndex);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(old);
  if (subprogram) {
    LLVMSetSubprogram(old, NULL);
    LLVMSetSubprogram(fresh, subprogram);
  }
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(old), next; block; block = next) {
    next = LLVMGetNextBasicBlock(block);
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(fresh, block);
  }
  return fresh;
}

static void take_apart(uw_program *program, uw_kernel *kernel, LLVMValueRef function) {
  object o = {.program = program, .layout = LLVMGetModuleDataLayout(program->device)};
  LLVMValueRef whole = LLVMGetParam(function, 0);
  o.bytes = kernel->object_bytes;
  look_at_uses(&o, whole, true, 0);
  if (o.written)
    o.count = 0;
  uint32_t first = o.in_memory ? 1 : 0, count = number_values(&o, first);
  LLVMTypeRef types[count + 1];
  kernel->param_count = count;
  kernel->param_sizes = uw_alloc(program->arena, (count + 1) * sizeof *kernel->param_sizes);
  kernel->param_offsets = uw_alloc(program->arena, (count + 1) * sizeof *kernel->param_offsets);
  kernel->param_by_value = uw_alloc(program->arena, (count + 1) * sizeof *kernel->param_by_value);
  if (o.in_memory) {
    types[0] = LLVMTypeOf(whole);
    kernel->param_sizes[0] = (uint32_t)o.bytes;
    kernel->param_by_value[0] = true;
  }
  for (size_t i = 0; i < o.count; i++) {
    uint32_t at = o.values[i].parameter;
    types[at] = o.values[i].type;
    kernel->param_sizes[at] = (uint32_t)LLVMABISizeOfType(o.layout, types[at]);
    kernel->param_offsets[at] = (uint32_t)o.values[i].offset;
  }
  size_t length;
  const char *name = uw_arena_format(program->arena, "%s", LLVMGetValueName2(function, &length));
  LLVMValueRef fresh = with_parameters(program, function, types, count);
  unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
  for (size_t i = 0; i < o.count; i++)
    if (o.values[i].accessor)
      LLVMAddAttributeAtIndex(fresh, o.values[i].parameter + 1, LLVMCreateEnumAttribute(program->context, noalias, 0));
  for (size_t i = 0; i < o.count; i++) {
    LLVMReplaceAllUsesWith(o.values[i].load, LLVMGetParam(fresh, o.values[i].parameter));
    LLVMInstructionEraseFromParent(o.values[i].load);
  }
  if (o.in_memory)
    copy_attributes(function, fresh, 1);
  LLVMReplaceAllUsesWith(whole, o.in_memory ? LLVMGetParam(fresh, 0) : LLVMGetPoison(LLVMTypeOf(whole)));
  LLVMDeleteFunction(function);
  LLVMSetValueName2(fresh, name, strlen(name));
}

static void drop_markers(uw_program *program) {
  LLVMValueRef marker = LLVMGetNamedFunction(program->device, ACCESSOR_MEMORY);
  for (LLVMUseRef use = marker ? LLVMGetFirstUse(marker) : NULL, next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
    LLVMInstructionEraseFromParent(call);
  }
  if (marker)
    LLVMDeleteFunction(marker);
}

void uw_sycl_take_arguments_apart(uw_program *program) {
  for (size_t i = 0; i < program->kernel_count; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(program->device, program->kernels[i].name);
    if (function)
      take_apart(program, &program->kernels[i], function);
  }
  drop_markers(program);
  uw_run_llvm(program->device, "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)", 0);
}
