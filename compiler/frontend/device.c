/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the device module code for this CPU, still in the shape clang gave it: kernels keep their names and become the
 * only entry points, everything else is internal; NVIDIA's few library entry points are renamed to the runtime's; then
 * a light clean-up (inline, SROA, early CSE, instcombine, simplifycfg), which leaves values instead of memory and no
 * dead code. What nobody defines is refused here, by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/shim.h"
#include "llvm-c/Comdat.h"
#include "llvm-c/Target.h"
#include "frontends.h"

static void rename_function(LLVMModuleRef module, const char *from, const char *to) {
  LLVMValueRef function = LLVMGetNamedFunction(module, from);
  if (!function || !LLVMIsDeclaration(function))
    return;
  LLVMValueRef present = LLVMGetNamedFunction(module, to);
  if (present) {
    LLVMReplaceAllUsesWith(function, present);
    LLVMDeleteFunction(function);
  } else {
    LLVMSetValueName2(function, to, strlen(to));
  }
}

void uw_drop_notes(LLVMModuleRef module) {
  static const char *const names[] = {UW_NOTE_MBARRIER, UW_NOTE_TILE, UW_NOTE_SCOPE};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef note = LLVMGetNamedFunction(module, names[i]);
    if (!note)
      continue;
    for (LLVMUseRef use; (use = LLVMGetFirstUse(note));)
      LLVMInstructionEraseFromParent(LLVMGetUser(use));
    LLVMDeleteFunction(note);
  }
}

/* What an atomic operation of CUDA's says of its scope, clang leaves out for a CPU: the next ones on each way get it. */
static void set_scope(LLVMValueRef from, unsigned scope, uw_table *seen) {
  for (LLVMValueRef at = from; at; at = LLVMGetNextInstruction(at)) {
    if (LLVMIsAtomic(at)) {
      LLVMSetAtomicSyncScopeID(at, scope);
      return;
    }
    unsigned count = LLVMIsATerminatorInst(at) ? LLVMGetNumSuccessors(at) : 0;
    for (unsigned i = 0; i < count; i++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(at, i);
      if (uw_table_get(seen, next))
        continue;
      uw_table_set(seen, next, 1);
      set_scope(LLVMGetFirstInstruction(next), scope, seen);
    }
  }
}

static void take_scopes(uw_program *program, LLVMModuleRef module) {
  enum { BLOCK = 2, WARP, THREAD };
  LLVMValueRef note = LLVMGetNamedFunction(module, UW_NOTE_SCOPE);
  unsigned of_block = LLVMGetSyncScopeID(LLVMGetModuleContext(module), UW_SCOPE_OF_BLOCK, strlen(UW_SCOPE_OF_BLOCK));
  for (LLVMUseRef use; note && (use = LLVMGetFirstUse(note));) {
    LLVMValueRef call = LLVMGetUser(use), scope = LLVMGetOperand(call, 0);
    unsigned long long which = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : 0;
    if (which >= BLOCK && which <= THREAD)
      set_scope(LLVMGetNextInstruction(call), of_block, uw_table_create(program->arena));
    LLVMInstructionEraseFromParent(call);
  }
  if (note)
    LLVMDeleteFunction(note);
}

/* Gives a device function or virtual table the symbol under which other files know it. */
static void share(uw_program *program, LLVMValueRef thing) {
  const char *symbol = uw_arena_format(program->arena, "%s" UW_DEVICE_SYMBOL, uw_llvm_name(thing));
  LLVMSetValueName2(thing, symbol, strlen(symbol));
}

static bool is_weak(LLVMLinkage linkage) {
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakAnyLinkage ||
         linkage == LLVMWeakODRLinkage;
}

/* What other files may name and not have: other linkages are seen by one file alone, or are in every file that uses
 * the thing (inline functions, templates), but an explicit instantiation is there for files that only declare it. */
static bool is_for_others(LLVMLinkage linkage) {
  return linkage == LLVMExternalLinkage || linkage == LLVMWeakODRLinkage || linkage == LLVMWeakAnyLinkage;
}

/* With relocatable device code some globals are one for all files: the virtual table (and what belongs to it, Itanium
 * C++ ABI, "Special Names") of a class whose first virtual function is in one file, or which is instantiated there;
 * inline and template variables, which are declared __device__ or __constant__ where they are initialised from outside;
 * static variables of inline functions, which the host has of its own under that name. */
static void settle_global(uw_program *program, LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  bool of_class = strncmp(uw_llvm_name(global), "_ZT", 3) == 0,
       of_function = strncmp(uw_llvm_name(global), "_ZZ", 3) == 0;
  bool defined = !LLVMIsDeclaration(global),
       variable = is_weak(linkage) && (!LLVMIsGlobalConstant(global) || LLVMIsExternallyInitialized(global));
  if (program->options.relocatable && of_class && is_for_others(linkage)) {
    share(program, global);
  } else if (program->options.relocatable && variable && defined) {
    LLVMSetLinkage(global, LLVMWeakAnyLinkage);
    LLVMSetGlobalConstant(global, 0); /* the host of another file may write it */
    if (of_function)
      share(program, global);
  } else if (defined) {
    LLVMSetLinkage(global, LLVMInternalLinkage);
  }
}

bool uw_is_shared_device_function(const uw_program *program, LLVMValueRef function) {
  return program->options.relocatable && is_for_others(LLVMGetLinkage(function)) &&
         LLVMGetFunctionCallConv(function) != LLVMPTXKernelCallConv && strncmp(uw_llvm_name(function), "__nv_", 5) != 0;
}

/* clang's device side holds a handle in the place of an old texture reference; here it is the host's object itself. */
static LLVMValueRef declare_reference(uw_program *program, LLVMValueRef handle, uint64_t bytes) {
  LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(program->context), bytes);
  LLVMValueRef object =
      LLVMAddGlobalInAddressSpace(program->device, type, "", LLVMGetPointerAddressSpace(LLVMTypeOf(handle)));
  LLVMSetInitializer(object, LLVMConstNull(type));
  LLVMSetAlignment(object, 8);
  LLVMReplaceAllUsesWith(handle, object);
  LLVMDeleteGlobal(handle);
  return object;
}

/* Variables that clang did not register, since no host code names them, and statics of device functions. Those that
 * files share keep the name that all know. */
static void mark_hidden_variables(uw_program *program) {
  enum { SHARED = 3 };
  uw_table *known = uw_table_create(program->arena);
  for (size_t i = 0; i < program->variable_count; i++) {
    LLVMValueRef global = LLVMGetNamedGlobal(program->device, program->variables[i].name);
    if (global)
      uw_table_set(known, global, 1);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) || LLVMIsGlobalConstant(g) || uw_table_get(known, g) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED)
      continue;
    if (is_weak(LLVMGetLinkage(g))) {
      uw_known_name *name = uw_alloc(program->arena, sizeof *name);
      *name = (uw_known_name){program->common_variables, uw_arena_format(program->arena, "%s", uw_llvm_name(g))};
      program->common_variables = name;
      continue;
    }
    const char *name = uw_arena_format(program->arena, UW_HIDDEN_VARIABLE "%s", uw_llvm_name(g));
    LLVMSetValueName2(g, name, strlen(name));
  }
}

/* The kernels that the host names stay visible, under their own names; all else is internal and may go. */
static void internalize(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) {
      if (program->frontend->is_shared(program, f))
        share(program, f);
      else
        LLVMSetLinkage(f, LLVMInternalLinkage);
      LLVMSetVisibility(f, LLVMDefaultVisibility);
      LLVMSetDLLStorageClass(f, LLVMDefaultStorageClass);
      LLVMSetComdat(f, NULL);
    }
  for (size_t i = 0; i < program->kernel_count; i++) {
    LLVMValueRef kernel = LLVMGetNamedFunction(program->device, program->kernels[i].name);
    if (kernel)
      LLVMSetLinkage(kernel, LLVMExternalLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (strncmp(uw_llvm_name(g), "llvm.", 5) == 0) { /* llvm.used and the like keep nothing alive here */
      LLVMDeleteGlobal(g);
      continue;
    }
    LLVMSetComdat(g, NULL);
    settle_global(program, g);
    LLVMSetExternallyInitialized(g, 0);
  }
  mark_hidden_variables(program);
  for (size_t i = 0; i < program->variable_count; i++) {
    uw_variable *variable = &program->variables[i];
    LLVMValueRef global = LLVMGetNamedGlobal(program->device, variable->name);
    if (!global)
      continue;
    if (variable->is_reference)
      global = declare_reference(program, global, variable->bytes);
    if (!LLVMIsDeclaration(global)) {
      variable->is_weak = is_weak(LLVMGetLinkage(global));
      LLVMSetLinkage(global, LLVMExternalLinkage); /* the host may write it: not a constant, whatever is stored now */
      LLVMSetGlobalConstant(global, 0);
    }
    LLVMSetValueName2(global, variable->device, strlen(variable->device));
  }
}

/* "x", "x,y" or "x,y,z" of a kernel's attribute; what is not said is 1. False: it has none. */
static bool read_shape(LLVMValueRef function, const char *name, uint32_t shape[3]) {
  LLVMAttributeRef attribute =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
  if (!attribute)
    return false;
  unsigned length, d = 0;
  const char *text = LLVMGetStringAttributeValue(attribute, &length);
  uint32_t extents[3] = {0, 1, 1};
  for (unsigned c = 0; c < length && d < 3; c++)
    if (text[c] == ',' && ++d < 3)
      extents[d] = 0;
    else if (text[c] != ',')
      extents[d] = extents[d] * 10 + (uint32_t)(text[c] - '0');
  memcpy(shape, extents, sizeof extents);
  return true;
}

void uw_read_parameters(uw_program *program) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(program->device);
  unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
  unsigned aligned = LLVMGetEnumAttributeKindForName("align", 5);
  for (size_t i = 0; i < program->kernel_count; i++) {
    uw_kernel *kernel = &program->kernels[i];
    LLVMValueRef function = LLVMGetNamedFunction(program->device, kernel->name);
    if (!function)
      continue;
    kernel->param_count = LLVMCountParams(function);
    kernel->param_sizes = uw_alloc(program->arena, kernel->param_count * sizeof *kernel->param_sizes);
    kernel->param_offsets = uw_alloc(program->arena, kernel->param_count * sizeof *kernel->param_offsets);
    kernel->param_by_value = uw_alloc(program->arena, kernel->param_count * sizeof *kernel->param_by_value);
    uint32_t end = 0;
    for (unsigned p = 0; p < kernel->param_count; p++) {
      LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, p + 1, by_value);
      LLVMTypeRef type = attribute ? LLVMGetTypeAttributeValue(attribute) : LLVMTypeOf(LLVMGetParam(function, p));
      kernel->param_by_value[p] = attribute != NULL;
      kernel->param_sizes[p] = (uint32_t)LLVMABISizeOfType(layout, type);
      LLVMAttributeRef align = attribute ? LLVMGetEnumAttributeAtIndex(function, p + 1, aligned) : NULL;
      uint32_t alignment = align ? (uint32_t)LLVMGetEnumAttributeValue(align) : LLVMABIAlignmentOfType(layout, type);
      kernel->param_offsets[p] = (end + alignment - 1) / alignment * alignment;
      end = kernel->param_offsets[p] + kernel->param_sizes[p];
    }
    uint32_t most[3];
    if (read_shape(function, "nvvm.reqntid", kernel->shape))
      kernel->max_threads = kernel->shape[0] * kernel->shape[1] * kernel->shape[2];
    else if (read_shape(function, "nvvm.maxntid", most))
      kernel->max_threads = most[0] * most[1] * most[2];
    read_shape(function, UW_CLUSTER_DIMS, kernel->cluster);
  }
}

/* Functions of complex numbers, which std::complex is made of: __mulsc3, cexpf, cabs, … */
static bool is_complex(const char *name) {
  static const char *const names[] = {"cabs",  "carg",   "cexp",   "clog",   "csqrt", "cpow",  "csin",
                                      "ccos",  "ctan",   "csinh",  "ccosh",  "ctanh", "casin", "cacos",
                                      "catan", "casinh", "cacosh", "catanh", "cproj", "__mul", "__div"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(name, names[i], length))
      continue;
    const char *rest = name + length;
    if (name[0] == '_' ? rest[0] && strchr("sdx", rest[0]) && strcmp(rest + 1, "c3") == 0
                       : !rest[0] || (strchr("fl", rest[0]) && !rest[1]))
      return true;
  }
  return false;
}

/* Functions of the C library and of the runtime (the headers mark those of the runtime API) that device code may
 * call. */
static bool is_provided(const char *name) {
  static const char *const names[] = {
      "malloc", "free", "memcpy", "memmove", "memset", "memcmp", "abort", "__cxa_pure_virtual", "__cxa_deleted_virtual",
      /* what libdevice leaves to the C library's math */
      "acosh", "acoshf", "asinh", "asinhf", "atanh", "atanhf", "cbrt", "cbrtf", "erf", "erff", "erfc", "erfcf", "expm1",
      "expm1f", "log1p", "log1pf", "lgamma", "lgammaf", "lgamma_r", "lgammaf_r", "tgamma", "tgammaf", "hypot", "hypotf",
      "j0", "j0f", "j1", "j1f", "jn", "jnf", "y0", "y0f", "y1", "y1f", "yn", "ynf", "fmod", "fmodf", "remainder",
      "remainderf", "remquo", "remquof", "nextafter", "nextafterf", "ilogb", "ilogbf", "logb", "logbf", "scalbn",
      "scalbnf", "ldexp", "ldexpf", "frexp", "frexpf", "modf", "modff", "sincos", "sincosf", "acos", "acosf", "asin",
      "asinf", "atan", "atanf", "atan2", "atan2f", "cosh", "coshf", "sinh", "sinhf", "tan", "tanf", "tanh", "tanhf",
      "exp10", "exp10f", "pow", "powf", "fdim", "fdimf", "rint", "nearbyint", "sqrtl", "expl", "logl", "log10l", "powl",
      "sinl", "cosl", "erfl", "erfcl", "tgammal", "lgammal", "fmal", "cbrtl", "hypotl", "sin", "sinf", "cos", "cosf",
      "exp", "expf", "exp2", "exp2f", "log", "logf", "log2", "log2f", "log10", "log10f", "fma", "fmaf"};
  if (strcmp(name, UW_DECLARE_VARIABLE) == 0 || strncmp(name, UW_SET_VARIABLE, strlen(UW_SET_VARIABLE)) == 0)
    return true;
  if (strncmp(name, "uwrt_", 5) == 0 || strncmp(name, "llvm.", 5) == 0 || strncmp(name, "cuda", 4) == 0)
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return is_complex(name);
}

/* An error at the first use of a thing, with the location if the module knows it. */
static void refuse(uw_program *program, LLVMValueRef thing, const char *why) {
  LLVMUseRef use = LLVMGetFirstUse(thing);
  uw_print_place(program, use ? LLVMGetUser(use) : NULL, strncmp(uw_llvm_name(thing), "uwrt_", 5) == 0);
  fprintf(stderr, "error: %s\n", why);
}

static void refuse_missing(uw_program *program, LLVMValueRef thing, const char *what, const char *way_out) {
  const char *format = "%s '%s' is used in device code but not defined in this file; %s";
  const char *name = uw_shown_name(program, uw_llvm_name(thing));
  refuse(program, thing, uw_arena_format(program->arena, format, what, name, way_out));
}

/* Whether another file may have this function, the device link knows. */
static void note_calls(uw_program *program, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call))
      continue;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    const char *name = uw_llvm_name(caller), *shown = uw_shown_name(program, name);
    for (size_t i = 0; i < program->kernel_count; i++)
      if (program->kernels[i].shown && strcmp(program->kernels[i].name, name) == 0)
        shown = program->kernels[i].shown;
    uw_note_for_link(program, "calls", call, uw_llvm_name(function), shown, "");
  }
}

static bool is_record(const char *name) { return strncmp(name, UW_KERNEL_RECORD, strlen(UW_KERNEL_RECORD)) == 0; }

static bool check_undefined(uw_program *program) {
  const uw_frontend *frontend = program->frontend;
  bool ok = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f) || is_provided(uw_llvm_name(f)) ||
        (frontend->is_provided && frontend->is_provided(uw_llvm_name(f))))
      continue;
    if (program->options.relocatable || frontend->any_may_be_shared) {
      share(program, f);
      note_calls(program, f);
      continue;
    }
    refuse_missing(program, f, "the function", "define it here, or compile both files with -rdc=true");
    ok = false;
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    if (!LLVMIsDeclaration(g) || !LLVMGetFirstUse(g) || space == 3 || is_record(uw_llvm_name(g)) ||
        LLVMGetLinkage(g) == LLVMExternalWeakLinkage)
      continue;
    if (program->options.relocatable)
      continue;
    refuse_missing(program, g, "the variable", "define it here, or compile both files with -rdc=true");
    ok = false;
  }
  return ok;
}

/* The runtime's reports return, but the thread that made one is at its end. While LLVM cleans up they count as
 * noreturn, so that it puts an unreachable after each; raise/ ends the thread there. */
static void set_noreturn(uw_program *program, bool set) {
  static const char *const names[] = {"uwrt_assert_fail", "llvm.trap", "llvm.nvvm.exit"};
  unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(program->device, names[i]);
    if (!function)
      continue;
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
    if (set)
      LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && !set; use = LLVMGetNextUse(use))
      if (LLVMIsACallInst(LLVMGetUser(use)))
        LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), LLVMAttributeFunctionIndex, kind);
  }
}

static void name_runtime(LLVMModuleRef device) {
  rename_function(device, "vprintf", "uwrt_vprintf");
  rename_function(device, "__assertfail", "uwrt_assert_fail");
  rename_function(device, "__assert_fail", "uwrt_assert_fail");
}

#define CLEAN_UP "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg"

static void inline_functions(uw_program *program) {
  enum { INLINE_THRESHOLD = 4000 };
  set_noreturn(program, true);
  uw_run_llvm(program->device,
              "function(sroa,early-cse),always-inline,cgscc(inline,function(" CLEAN_UP ")),function(" CLEAN_UP
              "),globaldce",
              INLINE_THRESHOLD);
  set_noreturn(program, false);
  if (program->options.checks && uw_drop_unused_private_loads(program))
    uw_run_llvm(program->device, "function(" CLEAN_UP ")", INLINE_THRESHOLD);
}

#define UW_STAGE_TABLE "frontend/prepare.def"
#include "../ir/stage.inc"

const uw_stage uw_stage_prepare = {"prepare",
                                   "LLVM's IR of device code, from what clang or PTX gives to what is raised",
                                   "frontend/prepare.def", rows, sizeof rows / sizeof *rows};

bool uw_prepare_device(uw_program *program) {
  uw_code code = {.program = program, .llvm = program->device};
  return uw_run_stage(&uw_stage_prepare, &code, NULL, &program->options.run) && check_undefined(program);
}
