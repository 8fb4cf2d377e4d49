/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the host functions that launch kernels along into MLIR, so that a launch and its kernel are one function to the
 * optimiser. Only those functions go; they leave the host module as declarations and come back in uw_merge.
 *
 * In each of them the stubs are inlined, which brings cudaLaunchKernel(stub, dims, args, …) to the launch; then
 *
 *   r = __cudaPushCallConfiguration(grid, block, bytes, stream)     r = 0
 *   if (r == 0) {                                                    if (r == 0) {
 *     __cudaPopCallConfiguration(&g, &b, &n, &s)               ==>     g = grid; b = block; n = bytes; s = stream
 *     cudaLaunchKernel(stub, g, b, args, n, s)                         __unwarp_launch_K(g, b, n, s, *args[0], *args[1], …)
 *   }                                                                }
 *
 * (cudaLaunchKernel_ptsz under --default-stream per-thread, where stream 0 is the thread's own) and SROA turns all of
 * it into values. raise/launch.c puts the loops where __unwarp_launch_K stands. A launch that does not fit (its result
 * is used, the pair cannot be matched) stays as it is and goes through the runtime: same meaning.
 *
 * Small functions of the program's are inlined there too: what they return is seen to be an allocation of its own, or
 * the size of the grid.
 *
 * Names: the part and the host module refer to each other's internal symbols, so these are external between
 * uw_copy_launchers and uw_merge, under names of their own; program->launches.hidden remembers what they were.
 */
#include <stdio.h>
#include <string.h>

#include "frontend.h"
#include "llvm-c/Comdat.h"
#include "llvm-c/DebugInfo.h"
#include "llvm-c/Linker.h"
#include "frontends.h"
#include "sycl/sycl.h"

/* Launches that get a copy of their kernel's body: of one kernel, and in a file. More would only cost compile time. */
enum { MAX_SITES = 4, MAX_SITES_OF_FILE = 40 };

static bool is_call(LLVMValueRef value) { return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value); }

static bool calls_function(LLVMValueRef instruction, const char *name) {
  return LLVMIsACallInst(instruction) && LLVMIsAFunction(LLVMGetCalledValue(instruction)) &&
         strcmp(uw_llvm_name(LLVMGetCalledValue(instruction)), name) == 0;
}

static uw_kernel *kernel_of_stub(uw_program *program, const char *stub) {
  for (size_t i = 0; i < program->kernel_count; i++)
    if (strcmp(uw_llvm_name(program->kernels[i].stub), stub) == 0)
      return &program->kernels[i];
  return NULL;
}

static void add_attribute(uw_program *program, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
}

static void drop_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                 LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* --- which functions ---------------------------------------------------------------------------------------------- */

static bool has_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

/* Values that only the code generator of the whole function understands: of exceptions on other systems, of coroutines,
 * of matrix registers. */
static bool is_plain_value(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind != LLVMTokenTypeKind && kind != LLVMX86_AMXTypeKind;
}

static bool returns_twice(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
  return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
         (LLVMIsAFunction(callee) && has_attribute(callee, "returns_twice"));
}

static bool call_can_travel(LLVMValueRef call) {
  /* What is computed before, and where, is theirs to say. */
  static const char *const refused[] = {"llvm.coro.",
                                        "llvm.eh.",
                                        "llvm.local",
                                        "llvm.seh.",
                                        "llvm.read_register",
                                        "llvm.read_volatile_register",
                                        "llvm.write_register",
                                        "llvm.gc",
                                        "llvm.call.preallocated",
                                        "llvm.init.trampoline",
                                        "llvm.experimental.constrained"};
  static const char *const carried[] = {"llvm.eh.typeid.for"};
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee) || returns_twice(call) ||
      (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail))
    return false;
  const char *name = LLVMIsAFunction(callee) ? uw_llvm_name(callee) : "";
  if (LLVMGetNumOperandBundles(call) && strcmp(name, "llvm.assume") != 0)
    return false;
  for (size_t i = 0; i < sizeof carried / sizeof *carried; i++)
    if (strncmp(name, carried[i], strlen(carried[i])) == 0)
      return true;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (strncmp(name, refused[i], strlen(refused[i])) == 0)
      return false;
  return true;
}

static bool is_label(LLVMBasicBlockRef block) {
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
    if (LLVMIsABlockAddress(LLVMGetUser(use)))
      return true;
  return false;
}

/* Things that MLIR's importer or our lowering does not carry: such a function keeps its launches out of line. */
static bool can_travel(LLVMValueRef function) {
  static const char *const refused[] = {"presplitcoroutine", "naked", "strictfp", "returns_twice"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (has_attribute(function, refused[i]))
      return false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (LLVMIsAGlobalAlias(LLVMGetUser(use))) /* an alias wants a definition beside it */
      return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    if (is_label(block))
      return false;
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      switch (LLVMGetInstructionOpcode(op)) {
      case LLVMCallBr:
      case LLVMIndirectBr:
      case LLVMVAArg: return false;
      default: break;
      }
      if (!is_plain_value(op) || (is_call(op) && !call_can_travel(op)))
        return false;
    }
  }
  return !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

static size_t count_sites(LLVMValueRef stub) {
  size_t sites = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(stub); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    sites += is_call(user) && LLVMGetCalledValue(user) == stub;
  }
  return sites;
}

static bool mark_launchers(uw_program *program, uw_table *launchers) {
  bool any = false;
  size_t sites_of_file = 0;
  for (size_t i = 0; i < program->kernel_count; i++)
    sites_of_file += count_sites(program->kernels[i].stub);
  if (sites_of_file > MAX_SITES_OF_FILE)
    return false;
  for (size_t i = 0; i < program->kernel_count; i++) {
    size_t sites = count_sites(program->kernels[i].stub);
    if (sites == 0 || sites > MAX_SITES)
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(program->kernels[i].stub); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!is_call(user) || LLVMGetCalledValue(user) != program->kernels[i].stub)
        continue;
      LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
      if (function != program->kernels[i].stub && can_travel(function)) {
        uw_table_set(launchers, function, 1);
        any = true;
      }
    }
  }
  return any;
}

static bool is_named_one_of(LLVMValueRef op, const char *const *names) {
  for (; *names; names++)
    if (calls_function(op, *names))
      return true;
  return false;
}

/* Does it call one of the program's functions that is not inlined? */
static bool calls_own(LLVMValueRef op, const uw_table *inlined) {
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  return callee && !(LLVMIsAFunction(callee) && (LLVMIsDeclaration(callee) || uw_table_get(inlined, callee)));
}

/* Was it compiled for the same instructions as the rest of the file? */
static bool has_usual_target(const uw_program *program, LLVMValueRef function) {
  static const char *const names[] = {"target-features", "target-cpu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned length = (unsigned)strlen(names[i]);
    if (LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, names[i], length) !=
        LLVMGetStringAttributeAtIndex(program->kernels[0].stub, LLVMAttributeFunctionIndex, names[i],
                                      length)) /* they are unique */
      return false;
  }
  return true;
}

/* A small function that allocates device memory, as programs wrap cudaMalloc, or that calls no others of the program's,
 * as those that compute the number of blocks or look at errors. Inlined where a launcher calls it, it shows that its
 * results are allocations of their own, what the grid is, and that workers may stay together across it
 * (passes/host/merge_parallel_regions.c). */
static bool is_worth_inlining(const uw_program *program, LLVMValueRef function, const uw_table *inlined) {
  static const char *const allocators[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", NULL};
  enum { MOST_OF_WRAPPER = 100, MOST = 50 };
  LLVMLinkage linkage = LLVMGetLinkage(function);
  size_t count = 0;
  bool allocates = false, calls = false;
  unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
  if ((linkage != LLVMInternalLinkage && linkage != LLVMLinkOnceODRLinkage) || !can_travel(function) ||
      LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, noinline) ||
      !has_usual_target(program, function))
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      if (++count > MOST_OF_WRAPPER || LLVMIsAInvokeInst(op) ||
          (LLVMIsACallInst(op) && LLVMGetCalledValue(op) == function))
        return false;
      allocates = allocates || is_named_one_of(op, allocators);
      calls = calls || calls_own(op, inlined);
    }
  return allocates || (!calls && count <= MOST);
}

/* Callers after what they call. */
static uw_table *find_inlined(uw_program *program) {
  uw_table *inlined = uw_table_create(program->arena);
  for (bool more = true; more;) {
    more = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f))
      if (!LLVMIsDeclaration(f) && !uw_table_get(inlined, f) && !kernel_of_stub(program, uw_llvm_name(f)) &&
          is_worth_inlining(program, f, inlined)) {
        uw_table_set(inlined, f, 1);
        more = true;
      }
  }
  return inlined;
}

/* --- the two halves ----------------------------------------------------------------------------------------------- */

static void hide(uw_program *program, LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  if (LLVMIsDeclaration(value) || (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage))
    return;
  uw_hidden *hidden = uw_alloc(program->arena, sizeof *hidden);
  const char *original = uw_arena_format(program->arena, "%s", uw_llvm_name(value));
  *hidden = (uw_hidden){program->launches.hidden, NULL, original, linkage, false};
  hidden->name = uw_arena_format(program->arena, UW_HIDDEN_HOST "%zu.%s", program->launches.hidden_count++, original);
  program->launches.hidden = hidden;
  LLVMSetValueName2(value, hidden->name, strlen(hidden->name));
  LLVMSetLinkage(value, LLVMExternalLinkage);
}

static void hide_all(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f))
    hide(program, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->host); g; g = LLVMGetNextGlobal(g))
    if (strncmp(uw_llvm_name(g), "llvm.", 5) != 0)
      hide(program, g);
}

/* A launcher of the host module becomes a declaration; the part's definition comes back under the same name. A hidden
 * one has two records: uw_merge applies the newer one first, so that the older, with the true linkage, wins. */
static void remember_definition(uw_program *program, LLVMValueRef function) {
  uw_hidden *hidden = uw_alloc(program->arena, sizeof *hidden);
  const char *name = uw_arena_format(program->arena, "%s", uw_llvm_name(function));
  *hidden =
      (uw_hidden){program->launches.hidden, name, name, LLVMGetLinkage(function), LLVMGetComdat(function) != NULL};
  program->launches.hidden = hidden;
}

/* Aliases of the part mean what they name, and go. */
static void resolve_aliases(LLVMModuleRef part) {
  for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(part); alias; alias = LLVMGetNextGlobalAlias(alias)) {
    LLVMReplaceAllUsesWith(alias, LLVMAliasGetAliasee(alias));
    LLVMSetLinkage(alias, LLVMInternalLinkage);
  }
  uw_run_llvm(part, "globaldce", 0);
}

/* A constant that the linker puts no other one in the place of: loads of it are what it was initialised with, as of an
 * array that a kernel captures. */
static bool keeps_value(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  bool own = linkage == LLVMExternalLinkage || linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage;
  return !LLVMIsDeclaration(global) && LLVMIsGlobalConstant(global) && own && !LLVMIsThreadLocal(global);
}

static LLVMModuleRef split_off(uw_program *program, uw_table *launchers) {
  const uw_table *inlined = find_inlined(program);
  hide_all(program);
  LLVMModuleRef part = LLVMCloneModule(program->host);
  LLVMSetModuleInlineAsm2(part, "", 0); /* the host module has it */
  resolve_aliases(part);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef in_part = LLVMGetNamedFunction(part, uw_llvm_name(f));
    if (LLVMIsDeclaration(f) || !in_part)
      continue;
    bool launcher = uw_table_get(launchers, f) != 0;
    if (launcher)
      drop_attribute(in_part, "optnone");
    LLVMSetComdat(in_part, NULL);
    LLVMSetLinkage(in_part, launcher ? LLVMExternalLinkage : LLVMAvailableExternallyLinkage);
    if (kernel_of_stub(program, uw_llvm_name(f))) {
      drop_attribute(in_part, "noinline");
      drop_attribute(in_part, "optnone");
      add_attribute(program, in_part, "alwaysinline");
    } else if (!launcher && uw_table_get(inlined, f)) {
      add_attribute(program, in_part, "alwaysinline");
    } else if (!can_travel(f)) {
      drop_attribute(in_part, "alwaysinline");
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(part), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (strncmp(uw_llvm_name(g), "llvm.", 5) == 0) {
      LLVMDeleteGlobal(g);
      continue;
    }
    bool known = program->launches.values && keeps_value(g);
    LLVMSetComdat(g, NULL);
    if (!LLVMIsDeclaration(g) && !known)
      LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
  }
  return part;
}

/* Constants of the part were values of it long enough; the host module has them. What LLVM made since, as the text of a
 * puts in a printf's place, is local, and stays. */
static void drop_constants(LLVMModuleRef part) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(part); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !uw_llvm_is_local(g))
      LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
  uw_run_llvm(part, "elim-avail-extern,globaldce", 0);
}

/* --- the launches of the part ------------------------------------------------------------------------------------- */

typedef struct search {
  LLVMValueRef push;
  uw_table *seen; /* blocks */
  size_t steps;
} search;

/* Do all ways back from `op`, the last instruction that is looked at in its block, lead to one push, and to no pop
 * before it? */
static bool finds_push(search *s, LLVMBasicBlockRef block, LLVMValueRef op) {
  enum { MOST_STEPS = 64 };
  for (; op; op = LLVMGetPreviousInstruction(op)) {
    if (calls_function(op, "__cudaPushCallConfiguration")) {
      bool same = !s->push || s->push == op;
      s->push = op;
      return same;
    }
    if (calls_function(op, "__cudaPopCallConfiguration"))
      return false;
  }
  if (++s->steps > MOST_STEPS || block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user))
      return false;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
    if (uw_table_get(s->seen, from))
      continue;
    uw_table_set(s->seen, from, 1);
    if (!finds_push(s, from, LLVMGetLastInstruction(from)))
      return false;
  }
  return true;
}

/* The push whose configuration this pop takes. Between the two stands what computes the kernel's arguments, branches
 * and loops too. */
static LLVMValueRef matching_push(uw_program *program, LLVMValueRef pop) {
  search s = {.seen = uw_table_create(program->arena)};
  bool found = finds_push(&s, LLVMGetInstructionParent(pop), LLVMGetPreviousInstruction(pop));
  return found ? s.push : NULL;
}

static void store_at(LLVMBuilderRef builder, LLVMContextRef context, LLVMValueRef value, LLVMValueRef base,
                     uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), base, &index, 1, "");
  LLVMSetAlignment(LLVMBuildStore(builder, value, address), 4);
}

static void join_configuration(uw_program *program, LLVMValueRef pop) {
  LLVMValueRef push = matching_push(program, pop);
  if (!push)
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderBefore(builder, pop);
  for (unsigned i = 0; i < 2; i++) { /* grid, block: {x, y} in one i64, z */
    store_at(builder, program->context, LLVMGetOperand(push, 2 * i), LLVMGetOperand(pop, i), 0);
    store_at(builder, program->context, LLVMGetOperand(push, 2 * i + 1), LLVMGetOperand(pop, i), 8);
  }
  store_at(builder, program->context, LLVMGetOperand(push, 4), LLVMGetOperand(pop, 2), 0);
  store_at(builder, program->context, LLVMGetOperand(push, 5), LLVMGetOperand(pop, 3), 0);
  LLVMDisposeBuilder(builder);
  LLVMReplaceAllUsesWith(pop, LLVMConstNull(LLVMTypeOf(pop)));
  LLVMInstructionEraseFromParent(pop);
  LLVMReplaceAllUsesWith(push, LLVMConstNull(LLVMTypeOf(push)));
  LLVMInstructionEraseFromParent(push);
}

static bool launches_per_thread(LLVMValueRef call) { return calls_function(call, "cudaLaunchKernel_ptsz"); }

/* stream ? stream : cudaStreamPerThread */
static LLVMValueRef own_stream(uw_program *program, LLVMBuilderRef builder, LLVMValueRef stream) {
  LLVMTypeRef word = LLVMInt64TypeInContext(program->context);
  LLVMValueRef per_thread = LLVMConstIntToPtr(LLVMConstInt(word, 2, 0), LLVMTypeOf(stream));
  return LLVMBuildSelect(builder, LLVMBuildIsNull(builder, stream, ""), per_thread, stream, "");
}

/* cudaLaunchKernel(stub, grid xy, z, block xy, z, args, bytes, stream) with a stub of ours and no use of its result. */
static void make_site(uw_program *program, LLVMModuleRef part, LLVMValueRef call) {
  LLVMValueRef stub = LLVMGetOperand(call, 0);
  uw_kernel *kernel = LLVMIsAFunction(stub) ? kernel_of_stub(program, uw_llvm_name(stub)) : NULL;
  LLVMValueRef function = kernel ? LLVMGetNamedFunction(program->device, kernel->name) : NULL;
  if (!function || LLVMGetFirstUse(call))
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(program->context, 0);
  unsigned count = kernel->param_count + 6;
  LLVMTypeRef types[count];
  LLVMValueRef values[count];
  static const unsigned fixed[] = {1, 2, 3, 4, 6, 7};
  for (unsigned i = 0; i < 6; i++)
    values[i] = LLVMGetOperand(call, fixed[i]);
  if (launches_per_thread(call))
    values[5] = own_stream(program, builder, values[5]);
  for (unsigned i = 0; i < kernel->param_count; i++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(program->context), i, 0);
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(builder, ptr, LLVMGetOperand(call, 5), &index, 1, "");
    LLVMValueRef address = LLVMBuildLoad2(builder, ptr, slot, "");
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
    values[6 + i] = kernel->param_by_value[i] ? address : LLVMBuildLoad2(builder, type, address, "");
  }
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(values[i]);
  char *name = uw_arena_format(program->arena, "__unwarp_launch_%s", kernel->name);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(program->context), types, count, 0);
  LLVMValueRef callee = LLVMGetNamedFunction(part, name);
  if (!callee)
    callee = LLVMAddFunction(part, name, type);
  LLVMValueRef site = LLVMBuildCall2(builder, type, callee, values, count, "");
  LLVMInstructionSetDebugLoc(site, LLVMInstructionGetDebugLoc(call));
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(call);
}

static void rewrite_launches(uw_program *program, LLVMModuleRef part) {
  static const char *const quiet[] = {"__cudaPushCallConfiguration", "__cudaPopCallConfiguration", "cudaLaunchKernel",
                                      "cudaLaunchKernel_ptsz", UW_SYCL_LAUNCH_OBJECT};
  for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(part, quiet[i]);
    if (function)
      add_attribute(program, function, "nounwind");
  }
  for (size_t i = 0; i < program->kernel_count; i++) {
    LLVMValueRef stub = LLVMGetNamedFunction(part, uw_llvm_name(program->kernels[i].stub));
    if (stub)
      add_attribute(program, stub, "nounwind");
  }
  uw_run_llvm(part, "always-inline,elim-avail-extern,function(simplifycfg)", 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(part); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        if (calls_function(op, "__cudaPopCallConfiguration"))
          join_configuration(program, op);
        else if (calls_function(op, "cudaLaunchKernel") || launches_per_thread(op))
          make_site(program, part, op);
      }
  uw_sycl_make_sites(program, part);
  uw_run_llvm(
      part,
      "function(instcombine<no-verify-fixpoint>,sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg),globaldce",
      0);
  uw_registers_of_host_arrays(program, part);
  drop_constants(part);
}

LLVMModuleRef uw_copy_launchers(uw_program *program) {
  program->launches.launchers = uw_table_create(program->arena);
  if (!mark_launchers(program, program->launches.launchers))
    return NULL;
  LLVMModuleRef part = split_off(program, program->launches.launchers);
  rewrite_launches(program, part);
  return part;
}

/* Not by an address, nor by a function that stays outside. */
static bool only_launchers_call(uw_program *program, LLVMValueRef stub) {
  for (LLVMUseRef use = LLVMGetFirstUse(stub); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use),
                 function = LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
    if (function != stub &&
        !(is_call(user) && LLVMGetCalledValue(user) == stub && uw_table_get(program->launches.launchers, function)))
      return false;
  }
  return true;
}

static bool is_used(LLVMModuleRef module, const char *name) {
  LLVMValueRef value = LLVMGetNamedFunction(module, name);
  return value && LLVMGetFirstUse(value);
}

void uw_note_in_place(uw_program *program, LLVMModuleRef part) {
  for (size_t i = 0; i < program->kernel_count; i++) {
    uw_kernel *kernel = &program->kernels[i];
    kernel->launched_in_place = program->frontend->has_stubs && !program->options.relocatable &&
                                is_used(part, uw_arena_format(program->arena, "__unwarp_launch_%s", kernel->name)) &&
                                !is_used(part, uw_llvm_name(kernel->stub)) &&
                                only_launchers_call(program, kernel->stub);
  }
}

/* Leaves a declaration of the function, and nothing else that the program itself made available_externally. */
static void drop_body(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMValueRef declaration = LLVMAddFunction(module, "", LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(declaration, LLVMGetFunctionCallConv(function));
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  char copy[length + 1];
  memcpy(copy, name, length + 1);
  LLVMReplaceAllUsesWith(function, declaration);
  LLVMDeleteFunction(function);
  LLVMSetValueName2(declaration, copy, length);
}

static void note_along(uw_program *program, LLVMValueRef value) {
  const char *name = uw_llvm_name(value);
  if (LLVMGetNamedFunction(program->device, name) || LLVMGetNamedGlobal(program->device, name))
    return;
  uw_known_name *known = uw_alloc(program->arena, sizeof *known);
  *known = (uw_known_name){program->launches.came_along, uw_arena_format(program->arena, "%s", name)};
  program->launches.came_along = known;
}

void uw_take_launchers_along(uw_program *program, LLVMModuleRef owned_part) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f))
    if (uw_table_get(program->launches.launchers, f))
      remember_definition(program, f);
  for (LLVMValueRef f = LLVMGetFirstFunction(owned_part); f; f = LLVMGetNextFunction(f))
    note_along(program, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(owned_part); g; g = LLVMGetNextGlobal(g))
    note_along(program, g);
  if (LLVMLinkModules2(program->device, owned_part))
    uw_fatal("bug in unwarp: launching functions and device code do not link");
}

void uw_drop_launchers(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    /* A declaration that was made on the way may have the address of a function that is gone. */
    if (!LLVMIsDeclaration(f) && uw_table_get(program->launches.launchers, f))
      drop_body(f);
  }
}

void uw_join_launchers(uw_program *program, LLVMModuleRef owned_part) {
  uw_take_launchers_along(program, owned_part);
  uw_drop_launchers(program);
}
