/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device code that came without its host side: a module of PTX, or of NVVM IR as text or bitcode, or clang's. Beside it stands a
 * host module of its own, with what the registration of clang's would have said: for each kernel a symbol of the
 * kernel's name, by which cudaLaunchKernel knows it, and for each variable that others may see a shadow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/uwrt.h"
#include "frontend.h"
#include "llvm-c/IRReader.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Linker.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"

enum { GLOBAL = 1, CONSTANT = 4 };

static void set_text_attribute(uw_program *program, LLVMValueRef function, const char *name, const char *value) {
  LLVMAddAttributeAtIndex(
      function, LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(program->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

/* An empty module for this machine. Its one function, which nobody calls, carries the processor to compile for. */
static void make_host(uw_program *program, const char *cpu) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL, *own_cpu = LLVMGetHostCPUName(),
       *own = LLVMGetHostCPUFeatures();
  bool native = cpu && strcmp(cpu, "native") == 0;
  const char *name = native ? own_cpu : cpu ? cpu : "x86-64", *features = native ? own : "+cx16";
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    uw_fatal("error: no code generator for '%s': %s", triple, message);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, name, features, LLVMCodeGenLevelDefault,
                                                         LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *layout_text = LLVMCopyStringRepOfTargetData(layout);
  program->host = LLVMModuleCreateWithNameInContext("host", program->context);
  LLVMSetTarget(program->host, triple);
  LLVMSetDataLayout(program->host, layout_text);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(program->context), NULL, 0, false);
  LLVMValueRef carrier = LLVMAddFunction(program->host, "__unwarp_target", type);
  LLVMSetLinkage(carrier, LLVMInternalLinkage);
  set_text_attribute(program, carrier, "target-cpu", name);
  set_text_attribute(program, carrier, "target-features", features);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(program->context, carrier, ""));
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  LLVMDisposeMessage(layout_text);
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(own_cpu);
  LLVMDisposeMessage(own);
}

static LLVMMemoryBufferRef read_file(const char *path) {
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
    uw_fatal("error: cannot read '%s': %s", path, message);
  return buffer;
}

static bool has_end(const char *path, const char *end) {
  size_t length = strlen(path), of = strlen(end);
  return length >= of && strcmp(path + length - of, end) == 0;
}

/* By its name, or, since ptxas takes a file of any name, by what it begins with after comments. */
static bool is_ptx(const char *path) {
  if (has_end(path, ".ptx"))
    return true;
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    LLVMDisposeMessage(message);
    return false;
  }
  const char *at = LLVMGetBufferStart(buffer);
  for (;;) { /* a zero stands behind the text */
    at += strspn(at, " \t\r\n");
    const char *end = strncmp(at, "//", 2) == 0   ? strchr(at, '\n')
                      : strncmp(at, "/*", 2) == 0 ? strstr(at, "*/")
                                                  : NULL;
    if (!end)
      break;
    at = end + (*end == '\n' ? 1 : 2);
  }
  bool yes = strncmp(at, ".version", 8) == 0;
  LLVMDisposeMemoryBuffer(buffer);
  return yes;
}

static bool is_nvptx(LLVMModuleRef module) { return strncmp(LLVMGetTarget(module), "nvptx64", 7) == 0; }

/* libdevice, whoever wrote it: what kernels use of it is ours, which is linked in any case. */
static bool is_libdevice(LLVMModuleRef module) {
  size_t functions = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || uw_llvm_is_local(f))
      continue;
    if (strncmp(uw_llvm_name(f), "__nv_", 5) != 0)
      return false;
    functions++;
  }
  return functions > 0;
}

bool uw_is_device_module(const char *path) {
  if (is_ptx(path))
    return true;
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  bool yes = false;
  if (!LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) &&
      !LLVMParseIRInContext2(context, buffer, &module, &message))
    yes = is_nvptx(module) || is_libdevice(module);
  LLVMDisposeMessage(message);
  LLVMContextDispose(context);
  return yes;
}

bool uw_load_ptx_alone(uw_program *program, const char *text, size_t length, const char *file) {
  program->device = program->device ? program->device : LLVMModuleCreateWithNameInContext("ptx", program->context);
  LLVMSetTarget(program->device, LLVMGetTarget(program->host));
  LLVMSetDataLayout(program->device, LLVMGetDataLayoutStr(program->host));
  if (!uw_load_ptx(program, text, length, file))
    return false;
  uw_code code = {.program = program, .llvm = program->device};
  return uw_run_stage(&uw_stage_recover, &code, NULL, &program->options.run);
}

/* Null and true: it is libdevice. */
static bool read_ir(uw_program *program, const char *path, LLVMModuleRef *module) {
  char *message = NULL;
  if (LLVMParseIRInContext2(program->context, read_file(path), module, &message)) {
    fprintf(stderr, "%s: error: %s\n", path, message);
    return false;
  }
  if (is_libdevice(*module)) {
    LLVMDisposeModule(*module);
    *module = NULL;
    return true;
  }
  if (is_nvptx(*module) && !LLVMVerifyModule(*module, LLVMReturnStatusAction, &message))
    return uw_settle_nvvm_intrinsics(*module, path);
  if (is_nvptx(*module)) {
    fprintf(stderr, "%s: error: %s\n", path, message);
    return false;
  }
  fprintf(stderr, "%s: error: this is no NVVM IR: its target triple is '%s'\n", path, LLVMGetTarget(*module));
  return false;
}

/* In NVVM IR an alloca of a constant size is a part of the function's local memory wherever it stands, as a GPU has no
 * stack that grows; in LLVM's own meaning one in a loop would ask for more in each iteration. */
static void settle_local_memory(LLVMValueRef function) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  for (LLVMBasicBlockRef block = LLVMGetNextBasicBlock(entry); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
      next = LLVMGetNextInstruction(op);
      if (!LLVMIsAAllocaInst(op) || !LLVMIsAConstantInt(LLVMGetOperand(op, 0)))
        continue;
      LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
      LLVMInstructionRemoveFromParent(op);
      LLVMInsertIntoBuilder(builder, op);
    }
  LLVMDisposeBuilder(builder);
}

/* Without libdevice, which is linked once all are together. */
static bool load_ir(uw_program *program, const char *path) {
  if (!read_ir(program, path, &program->device))
    return false;
  if (!program->device)
    return true;
  uw_complete_file_names(program, program->device);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      settle_local_memory(f);
  uw_define_arithmetic(program->device);
  uw_flush_denormals(program);
  LLVMSetTarget(program->device, LLVMGetTarget(program->host));
  LLVMSetDataLayout(program->device, LLVMGetDataLayoutStr(program->host));
  return true;
}

/* --- the device runtime's functions ------------------------------------------------------------------------------- */

/* cooperative_groups::grid_group as NVIDIA's headers and numba have it: a handle for the grid, and a barrier for a
 * handle. There is one grid on one device. A declaration of another form stays undefined, and is told by name. */
static void define_cooperative_groups(uw_program *program) {
  static const char *const names[] = {"cudaCGGetIntrinsicHandle", "cudaCGSynchronize"};
  LLVMTypeRef i32 = LLVMInt32TypeInContext(program->context), i64 = LLVMInt64TypeInContext(program->context);
  LLVMTypeRef none = LLVMFunctionType(LLVMVoidTypeInContext(program->context), NULL, 0, false);
  LLVMTypeRef handle = LLVMFunctionType(i64, &i32, 1, false),
              barrier = LLVMFunctionType(i32, (LLVMTypeRef[]){i64, i32}, 2, false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(program->device, names[i]);
    if (!function || !LLVMIsDeclaration(function) || LLVMGlobalGetValueType(function) != (i ? barrier : handle))
      continue;
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(program->context, function, ""));
    if (i) {
      LLVMValueRef sync = LLVMGetNamedFunction(program->device, "uwrt_grid_sync");
      if (!sync)
        sync = LLVMAddFunction(program->device, "uwrt_grid_sync", none);
      LLVMAddAttributeAtIndex(
          sync, LLVMAttributeFunctionIndex,
          LLVMCreateEnumAttribute(program->context, LLVMGetEnumAttributeKindForName("convergent", 10), 0));
      LLVMBuildCall2(builder, none, sync, NULL, 0, "");
      LLVMBuildRet(builder, LLVMConstInt(i32, 0, false));
    } else {
      LLVMBuildRet(builder, LLVMConstInt(i64, 1, false));
    }
    LLVMSetLinkage(function, LLVMInternalLinkage);
  }
  LLVMDisposeBuilder(builder);
}

static bool load_one(uw_program *program, const char *path) {
  if (!is_ptx(path))
    return load_ir(program, path);
  LLVMMemoryBufferRef text = read_file(path);
  return uw_load_ptx_alone(program, LLVMGetBufferStart(text), LLVMGetBufferSize(text), path);
}

bool uw_load_alone(uw_program *program, const char *const *paths, size_t count, const char *cpu) {
  program->context = LLVMContextCreate();
  make_host(program, cpu);
  for (size_t i = 0; i < count; i++) {
    uw_program part = *program;
    part.device = NULL;
    if (!load_one(&part, paths[i]) || (part.device && !uw_link_device(program, part.device, paths[i])))
      return false;
    program->flushes_denormals |= part.flushes_denormals;
  }
  bool ir = false;
  for (size_t i = 0; i < count; i++)
    ir |= !is_ptx(paths[i]);
  if (!program->device) {
    fprintf(stderr, "%s: error: this is libdevice alone\n", paths[0]);
    return false;
  }
  if (ir)
    uw_link_needed(program, UW_LIBDEVICE);
  define_cooperative_groups(program);
  return true;
}

bool uw_load_clang_alone(uw_program *program, const char *path, const char *cpu) {
  program->context = LLVMContextCreate();
  make_host(program, cpu);
  return uw_load_clang_device(program, path);
}

LLVMModuleRef uw_load_nvvm(uw_program *program, const char *const *paths, size_t count) {
  program->context = LLVMContextCreate();
  for (size_t i = 0; i < count; i++) {
    LLVMModuleRef module;
    if (is_ptx(paths[i])) {
      fprintf(stderr, "%s: error: PTX is not made into NVVM IR again\n", paths[i]);
      return NULL;
    }
    if (!read_ir(program, paths[i], &module))
      return NULL;
    if (!module)
      continue;
    if (program->device) { /* versions of LLVM write them differently */
      LLVMSetTarget(module, LLVMGetTarget(program->device));
      LLVMSetDataLayout(module, LLVMGetDataLayoutStr(program->device));
    }
    if (!uw_link_device(program, module, paths[i]))
      return NULL;
  }
  if (!program->device)
    fprintf(stderr, "unwarp: error: there is no module but libdevice\n");
  return program->device;
}

/* --- what clang's registration would say -------------------------------------------------------------------------- */

static const char *name_of(uw_program *program, LLVMValueRef value) {
  size_t length;
  return uw_arena_format(program->arena, "%s", LLVMGetValueName2(value, &length));
}

static bool is_kernel(LLVMValueRef function) {
  return !LLVMIsDeclaration(function) && LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
}

/* A variable that others may see by its name. */
static bool is_variable(LLVMValueRef global) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  LLVMLinkage linkage = LLVMGetLinkage(global);
  size_t length;
  return !LLVMIsDeclaration(global) && (space == GLOBAL || space == CONSTANT) && linkage != LLVMInternalLinkage &&
         linkage != LLVMPrivateLinkage && strncmp(LLVMGetValueName2(global, &length), "llvm.", 5) != 0;
}

static LLVMLinkage linkage_of(LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return linkage == LLVMInternalLinkage || linkage == LLVMExternalLinkage ? LLVMExternalLinkage : LLVMWeakAnyLinkage;
}

static void add_kernel(uw_program *program, LLVMValueRef function) {
  uw_kernel *kernel = &program->kernels[program->kernel_count++];
  kernel->flags |= UWRT_KERNEL_ALONE;
  LLVMTypeRef byte = LLVMInt8TypeInContext(program->context);
  kernel->name = name_of(program, function);
  kernel->entry = uw_arena_format(program->arena, "__unwarp_entry_%s", kernel->name);
  kernel->stub = LLVMAddGlobal(program->host, byte, kernel->name);
  LLVMSetInitializer(kernel->stub, LLVMConstNull(byte));
  LLVMSetLinkage(kernel->stub, linkage_of(function));
}

static void add_variable(uw_program *program, LLVMValueRef global) {
  uw_variable *variable = &program->variables[program->variable_count++];
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  variable->name = name_of(program, global);
  variable->device = uw_arena_format(program->arena, "__unwarp_device_%s", variable->name);
  variable->bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(program->host), type);
  variable->flags = LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == CONSTANT ? UWRT_VARIABLE_CONSTANT : 0;
  const char *section = LLVMGetSection(global);
  if (section && strcmp(section, UW_MANAGED_SECTION) == 0) {
    variable->flags |= UWRT_VARIABLE_MANAGED;
    LLVMSetSection(global, "");
  }
  variable->shadow = LLVMAddGlobal(program->host, type, variable->name);
  LLVMSetInitializer(variable->shadow, LLVMConstNull(type));
  LLVMSetLinkage(variable->shadow, linkage_of(global));
}

bool uw_register_alone(uw_program *program) {
  size_t kernels = 0, variables = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    kernels += is_kernel(f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g))
    variables += is_variable(g);
  program->kernels = uw_alloc(program->arena, (kernels + 1) * sizeof *program->kernels);
  program->variables = uw_alloc(program->arena, (variables + 1) * sizeof *program->variables);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (is_kernel(f))
      add_kernel(program, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g))
    if (is_variable(g))
      add_variable(program, g);
  return true;
}
