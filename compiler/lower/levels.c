/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels for several levels of x86-64 in one object, of which the program picks one when it starts. Passes ask for the
 * width of registers, so each level but the lowest is translated and optimised by itself, in a process of its own
 * (driver/level_jobs.c, level_part.c). Here is the side of the process that has the host's code, which is the lowest
 * level's too:
 *
 *   entry of a kernel               F, the lowest level's, F.v3 and F.v4, of which the runtime takes one when the object is registered
 *   host function that launches     F.v3, F.v4 and F.v1, the function as it was, whose launches go through the runtime; F jumps to one
 *   device function, outlined code  one for each, and no other
 *   variable                        one; constants that name functions (tables of virtual functions) one for each
 *
 *   F:  level = load __unwarp_level           which the runtime sets then (uwrt_register); 0 before
 *       switch level: 4: jump F.v4  3: jump F.v3  else: jump F.v1
 *
 * A jump (musttail) takes arguments of any kind along. Who takes F's address, in whatever level, gets that of F.
 * Replays (raise/launch.c) are there once.
 *
 * What other levels name, they know by the name that it has when the processes part; so that is its name, and it is
 * external, until their code is linked in. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "../ir/known_calls.h"
#include "../ir/stress.h"
#include "llvm-c/BitReader.h"
#include "llvm-c/Comdat.h"
#include "llvm-c/Linker.h"
#include "lower.h"

bool uw_is_too_much_for_all_levels(LLVMModuleRef device) {
  if (uw_stresses("levels"))
    return true;
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        count++;
  return count > UW_ALL_LEVELS_MOST_INSTRUCTIONS;
}

static LLVMValueRef find(LLVMModuleRef module, const char *name) {
  LLVMValueRef value = LLVMGetNamedFunction(module, name);
  return value ? value : LLVMGetNamedGlobal(module, name);
}

bool uw_was_local(LLVMValueRef value) {
  return uw_llvm_is_local(value) || strncmp(uw_llvm_name(value), UW_HIDDEN_HOST, strlen(UW_HIDDEN_HOST)) == 0;
}

bool uw_is_discardable(LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage;
}

static void push(uw_program *program, uw_shared_list *list, uw_shared shared) {
  list->items = uw_grow(program->arena, list->items, list->count, &list->room, sizeof *list->items);
  list->items[list->count++] = shared;
}

/* --- what levels share, said before the processes part ------------------------------------------------------------ */

static void share(uw_program *program, uw_level_plan *plan, LLVMValueRef value) {
  push(program, &plan->host,
       (uw_shared){.name = uw_arena_format(program->arena, "%s", uw_llvm_name(value)), .value = value});
}

static bool has_body_to_inline(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (++count > UW_LEVELS_MOST_INLINED || LLVMGetInstructionOpcode(op) == LLVMIndirectBr ||
          LLVMGetInstructionOpcode(op) == LLVMCallBr)
        return false;
  return !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

static bool is_only_called(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) || LLVMGetCalledValue(user) != function)
      return false;
    int arguments = LLVMGetNumArgOperands(user);
    for (int i = 0; i < arguments; i++)
      if (LLVMGetOperand(user, (unsigned)i) == function)
        return false;
  }
  return true;
}

bool uw_names_globals(LLVMValueRef value, bool functions_only) {
  if (LLVMIsAFunction(value) || LLVMIsAGlobalAlias(value) || LLVMIsABlockAddress(value))
    return true;
  if (LLVMIsAGlobalValue(value))
    return !functions_only;
  if (!LLVMIsAConstant(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (uw_names_globals(LLVMGetOperand(value, (unsigned)i), functions_only))
      return true;
  return false;
}

typedef struct reach {
  uw_program *program;
  uw_level_plan *plan;
  uw_table *seen;
  LLVMValueRef *work;
  size_t count, room;
} reach;

static void reach_global(reach *r, LLVMValueRef global) {
  if (uw_table_get(r->seen, global))
    return;
  uw_table_set(r->seen, global, 1);
  r->work = uw_grow(r->program->arena, r->work, r->count, &r->room, sizeof *r->work);
  r->work[r->count++] = global;
}

static void reach_constant(reach *r, LLVMValueRef value) {
  if (LLVMIsAGlobalValue(value)) {
    reach_global(r, LLVMIsAGlobalAlias(value) ? LLVMAliasGetAliasee(value) : value);
    return;
  }
  if (!LLVMIsAConstant(value) || LLVMIsABlockAddress(value))
    return;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    reach_constant(r, LLVMGetOperand(value, (unsigned)i));
}

static void reach_body(reach *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      for (int i = 0; i < LLVMGetNumOperands(op); i++)
        reach_constant(r, LLVMGetOperand(op, (unsigned)i));
  if (LLVMHasPersonalityFn(function))
    reach_constant(r, LLVMGetPersonalityFn(function));
}

/* Host code that other levels have along: to inline it, or as small as a string. All else of the host's they name. */
static bool goes_along(LLVMValueRef value, uw_table *sizes) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  if (uw_is_discardable(value))
    return !LLVMIsAFunction(value) || uw_is_worth_inlining(value, sizes);
  if (linkage == LLVMWeakAnyLinkage || linkage == LLVMCommonLinkage)
    return false;
  bool local = uw_was_local(value);
  if (LLVMIsAFunction(value))
    return has_body_to_inline(value) && (!local || is_only_called(value));
  if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value) || LLVMIsThreadLocal(value))
    return false;
  return !local ||
         (LLVMGetUnnamedAddress(value) == LLVMGlobalUnnamedAddr && !uw_names_globals(LLVMGetInitializer(value), false));
}

static void plan_host(uw_program *program, uw_level_plan *plan, LLVMModuleRef part) {
  reach r = {program, plan, uw_table_create(program->arena), NULL, 0, 0};
  uw_table *shadows = uw_table_create(program->arena), *sizes = uw_table_create(program->arena);
  for (size_t i = 0; i < program->variable_count; i++)
    uw_table_set(shadows, program->variables[i].shadow, 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(part); f; f = LLVMGetNextFunction(f))
    if (find(program->host, uw_llvm_name(f)))
      reach_global(&r, find(program->host, uw_llvm_name(f)));
  for (LLVMValueRef g = LLVMGetFirstGlobal(part); g; g = LLVMGetNextGlobal(g))
    if (find(program->host, uw_llvm_name(g)))
      reach_global(&r, find(program->host, uw_llvm_name(g)));
  while (r.count) {
    LLVMValueRef value = r.work[--r.count];
    if (LLVMIsDeclaration(value))
      continue;
    if (uw_table_get(program->launches.launchers, value) || uw_table_get(shadows, value))
      continue; /* it is picked, or shared with the device's */
    if (!goes_along(value, sizes)) {
      share(program, plan, value);
      continue;
    }
    uw_table_set(plan->along, value, 1);
    if (LLVMIsAFunction(value))
      reach_body(&r, value);
    else
      reach_constant(&r, LLVMGetInitializer(value));
  }
}

/* Constants have names in clang's numbering, which host code has too. */
static void plan_device(uw_program *program, uw_level_plan *plan) {
  enum { SHARED = 3 }; /* no variables any more when this is lowered */
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) || LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED ||
        strncmp(uw_llvm_name(g), "llvm.", 5) == 0)
      continue;
    if (uw_llvm_is_local(g) && LLVMIsGlobalConstant(g))
      uw_llvm_rename(g, uw_arena_format(program->arena, "__unwarp_shared_%zu.%s", plan->device.count, uw_llvm_name(g)));
    push(program, &plan->device, (uw_shared){.name = uw_arena_format(program->arena, "%s", uw_llvm_name(g))});
  }
}

uw_level_plan *uw_plan_levels(uw_program *program, LLVMModuleRef part) {
  uw_level_plan *plan = uw_alloc(program->arena, sizeof *plan);
  *plan = (uw_level_plan){.along = uw_table_create(program->arena)};
  if (part)
    plan_host(program, plan, part);
  for (size_t i = 0; i < program->variable_count; i++)
    push(program, &plan->variables,
         (uw_shared){.name = uw_arena_format(program->arena, "%s", uw_llvm_name(program->variables[i].shadow))});
  plan_device(program, plan);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f && part; f = LLVMGetNextFunction(f))
    if (uw_table_get(program->launches.launchers, f))
      push(program, &plan->picked,
           (uw_shared){.name = uw_arena_format(program->arena, "%s", uw_llvm_name(f)), .is_host = true});
  for (size_t i = 0; i < program->kernel_count; i++)
    push(program, &plan->picked, (uw_shared){.name = program->kernels[i].entry});
  return plan;
}

/* --- functions that pick ------------------------------------------------------------------------------------------ */

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index) {
  unsigned count = LLVMGetAttributeCountAtIndex(from, index);
  LLVMAttributeRef all[count + 1];
  LLVMGetAttributesAtIndex(from, index, all);
  for (unsigned i = 0; i < count; i++) {
    if (LLVMIsAFunction(to))
      LLVMAddAttributeAtIndex(to, index, all[i]);
    else
      LLVMAddCallSiteAttribute(to, index, all[i]);
  }
}

static void jump(LLVMBuilderRef b, LLVMValueRef picker, LLVMValueRef body) {
  LLVMTypeRef type = LLVMGlobalGetValueType(picker), result = LLVMGetReturnType(type);
  unsigned count = LLVMCountParams(picker);
  LLVMValueRef arguments[count + 1];
  LLVMGetParams(picker, arguments);
  LLVMValueRef call = LLVMBuildCall2(b, type, body, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(picker));
  for (LLVMAttributeIndex i = LLVMAttributeReturnIndex; i <= count; i++)
    copy_attributes(picker, call, i);
  LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
  if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, call);
}

static LLVMValueRef declare_like(LLVMModuleRef module, LLVMValueRef function, const char *name) {
  LLVMValueRef other = LLVMAddFunction(module, name, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(other, LLVMGetFunctionCallConv(function));
  for (LLVMAttributeIndex i = LLVMAttributeReturnIndex; i <= LLVMCountParams(function); i++)
    copy_attributes(function, other, i);
  return other;
}

LLVMValueRef uw_declare_form(const uw_program *program, LLVMModuleRef module, LLVMValueRef like, const char *name,
                             int number) {
  return declare_like(module, like, uw_arena_format(program->arena, "%s%s", name, uw_level_of_number(number)->suffix));
}

LLVMValueRef uw_declare_entry(const uw_program *program, LLVMModuleRef module, LLVMValueRef like,
                              const uw_kernel *kernel, int number) {
  int runs = uw_level_of_entry(program, kernel, number);
  LLVMValueRef there = LLVMGetNamedFunction(
      module, uw_arena_format(program->arena, "%s%s", kernel->entry, uw_level_of_number(runs)->suffix));
  return there ? there : uw_declare_form(program, module, like, kernel->entry, runs);
}

/* F's body, the lowest level's, becomes F.v1, and F picks. */
static LLVMValueRef pick(uw_program *program, LLVMValueRef level, LLVMValueRef body) {
  LLVMModuleRef module = LLVMGetGlobalParent(body);
  const char *name = uw_arena_format(program->arena, "%s", uw_llvm_name(body));
  LLVMComdatRef comdat = LLVMGetComdat(body);
  uw_llvm_rename(body, uw_arena_format(program->arena, "%s.v1", name));
  LLVMValueRef picker = declare_like(module, body, name);
  copy_attributes(body, picker, LLVMAttributeFunctionIndex);
  LLVMReplaceAllUsesWith(body, picker);
  LLVMSetLinkage(picker, LLVMGetLinkage(body));
  LLVMSetVisibility(picker, LLVMGetVisibility(body));
  LLVMSetUnnamedAddress(picker, LLVMGetUnnamedAddress(body));
  if (comdat)
    LLVMSetComdat(picker, comdat);
  LLVMSetComdat(body, NULL);
  LLVMSetVisibility(body, LLVMDefaultVisibility);
  LLVMSetLinkage(body, LLVMInternalLinkage);

  LLVMTypeRef i32 = LLVMInt32TypeInContext(program->context);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(program->context);
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(program->context, picker, "");
  LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(program->context, picker, "");
  LLVMPositionBuilderAtEnd(b, start);
  LLVMValueRef choice = LLVMBuildSwitch(b, LLVMBuildLoad2(b, i32, level, ""), other, UW_HIGHEST_LEVEL);
  LLVMPositionBuilderAtEnd(b, other);
  jump(b, picker, body);
  for (int number = UW_HIGHEST_LEVEL; number > 0; number--) {
    if (!uw_is_level_apart(program, number))
      continue;
    LLVMValueRef of_level = uw_declare_form(program, module, body, name, number);
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(program->context, picker, "");
    LLVMPositionBuilderAtEnd(b, block);
    jump(b, picker, of_level);
    LLVMAddCase(choice, LLVMConstInt(i32, (unsigned)number, 0), block);
  }
  LLVMDisposeBuilder(b);
  return picker;
}

/* --- from one optimiser to the link ------------------------------------------------------------------------------- */

static void show(uw_shared *shared) {
  LLVMValueRef value = shared->value;
  if (!value || LLVMIsDeclaration(value))
    return;
  shared->restored = uw_arena_format(shared->arena, "%s", uw_llvm_name(value));
  shared->linkage = LLVMGetLinkage(value);
  if (strcmp(shared->name, shared->restored) != 0)
    uw_llvm_rename(value, shared->name);
  if (uw_llvm_is_local(value))
    LLVMSetLinkage(value, LLVMExternalLinkage);
  else if (uw_is_discardable(value)) /* until then it is kept for who names it */
    LLVMSetLinkage(value, shared->linkage == LLVMLinkOnceODRLinkage ? LLVMWeakODRLinkage : LLVMWeakAnyLinkage);
}

static void show_all(uw_program *program, uw_shared_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    list->items[i].arena = program->arena;
    show(&list->items[i]);
  }
}

/* In the device's module, which is gone when its code is the host's. */
static void show_device(uw_program *program, uw_level_plan *plan) {
  for (size_t i = 0; i < plan->device.count; i++) {
    uw_shared *shared = &plan->device.items[i];
    LLVMValueRef value = LLVMGetNamedGlobal(program->device, shared->name);
    shared->value = value;
    shared->arena = program->arena;
    if (value)
      show(shared);
  }
}

static bool is_replay(const uw_program *program, LLVMValueRef function) {
  for (size_t i = 0; i < program->kernel_count; i++)
    if (program->kernels[i].replay && strcmp(program->kernels[i].replay, uw_llvm_name(function)) == 0)
      return true;
  return false;
}

/* --- the lowest level's kernels ----------------------------------------------------------------------------------- */

static unsigned kind_of(const char *attribute) { return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)); }

static void add(const uw_program *program, LLVMValueRef function, const char *attribute) {
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(program->context, kind_of(attribute), 0));
}

static void drop(LLVMValueRef function, const char *attribute) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind_of(attribute));
}

#define IS_DONE "unwarp-is-done" /* on a function: LLVM's optimiser passes it by, not the code generator */

/* Hardly any processor runs the lowest level: LLVM spends neither time nor room on its loops. A few passes make it; the
 * optimiser of the whole module, which the host's code needs, is kept from it. In replays they move no load from thread
 * to thread, for the one that faults is known by what it has noted. */
static void optimise_lowest(const uw_program *program) {
  bool replays = program->levels.plain; /* run here; elsewhere they are not optimised at all: finish.c */
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && (replays || !is_replay(program, f)))
      add(program, f, "optsize");
  uw_run_llvm(
      program->device,
      replays ? "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate),"
                "simplifycfg,gvn<no-pre;no-load-pre>,adce,simplifycfg)"
              : "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
                "loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,gvn,dse,adce,simplifycfg)",
      0);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || (is_replay(program, f) && !replays) ||
        LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("alwaysinline")))
      continue;
    drop(f, "optsize");
    add(program, f, "noinline");
    add(program, f, "optnone");
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(program->context, IS_DONE, sizeof IS_DONE - 1, "", 0));
  }
}

void uw_end_optimising(const uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, IS_DONE, sizeof IS_DONE - 1))
      continue;
    drop(f, "optnone");
    add(program, f, "optsize");
  }
}

/* --- picking ------------------------------------------------------------------------------------------------------ */

void uw_pick_levels(uw_program *program, uw_level_plan *plan) {
  optimise_lowest(program);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(program->context);
  show_device(program, plan);
  LLVMValueRef level = LLVMAddGlobal(program->host, i32, UW_LEVEL);
  LLVMSetInitializer(level, LLVMConstNull(i32));
  for (size_t i = 0; i < plan->picked.count; i++) {
    uw_shared *picked = &plan->picked.items[i];
    LLVMValueRef body = picked->is_host ? LLVMGetNamedFunction(program->host, picked->name) : NULL;
    if (body && !LLVMIsDeclaration(body))
      picked->value = pick(program, level, body);
  }
}

void uw_show_shared(uw_program *program, uw_level_plan *plan) {
  for (size_t i = 0; i < program->variable_count && i < plan->variables.count; i++)
    plan->variables.items[i].value = program->variables[i].shadow;
  show_all(program, &plan->host);
  show_all(program, &plan->variables);
  show_all(program, &plan->picked);
}

void uw_link_level(uw_program *program, LLVMMemoryBufferRef owned_bitcode) {
  LLVMModuleRef module;
  if (LLVMParseBitcodeInContext2(program->context, owned_bitcode, &module))
    uw_fatal("bug in unwarp: a level's code cannot be read");
  LLVMDisposeMemoryBuffer(owned_bitcode);
  if (LLVMLinkModules2(program->host, module))
    uw_fatal("bug in unwarp: the levels' code does not link");
}

/* The value may be another one by now: LLVM's linker makes new ones. */
static void restore(uw_program *program, const uw_shared_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    const uw_shared *shared = &list->items[i];
    LLVMValueRef value = find(program->host, shared->name);
    if (value && LLVMIsDeclaration(value) && LLVMGetFirstUse(value) && shared->restored)
      uw_fatal("bug in unwarp: '%s', which a level shares, is gone", shared->name);
    if (!value || LLVMIsDeclaration(value) || !shared->restored)
      continue;
    LLVMSetLinkage(value, shared->linkage);
    if (strcmp(shared->name, shared->restored) != 0)
      uw_llvm_rename(value, shared->restored);
  }
}

/* Kernels' records, by which launches name them, other than those that other files know. */
static void hide_records(uw_program *program) {
  for (size_t i = 0; i < program->kernel_count; i++) {
    const uw_kernel *kernel = &program->kernels[i];
    const char *name = uw_arena_format(program->arena, UW_KERNEL_RECORD "%s", kernel->name);
    LLVMValueRef alias = LLVMGetNamedGlobalAlias(program->host, name, strlen(name));
    if (alias && !uw_is_kernel_of_program(program, kernel))
      LLVMSetLinkage(alias, LLVMInternalLinkage);
  }
}

/* Of functions that only this file knows. */
static void unhide_forms(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f))
    if (strncmp(uw_llvm_name(f), UW_HIDDEN_HOST, strlen(UW_HIDDEN_HOST)) == 0 && !LLVMIsDeclaration(f))
      uw_llvm_rename(f, uw_arena_format(program->arena, "%s", strchr(uw_llvm_name(f), '.') + 1));
}

static bool hands_on(LLVMModuleRef module, const char *entry) {
  LLVMValueRef callee = LLVMGetNamedFunction(module, UW_LAUNCH_PLAIN);
  for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user))
      return true;
    const char *name = uw_llvm_name(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    size_t length = strlen(entry);
    if (strncmp(name, entry, length) == 0 && (name[length] == 0 || strncmp(name + length, ".v", 2) == 0))
      return true;
  }
  return false;
}

/* Where nobody asks which thread faulted, a replay is there for what its kernel's entry hands to it, at whatever
 * level. */
static void drop_replays(uw_program *program) {
  for (size_t i = 0; i < program->kernel_count && !program->options.replays; i++) {
    const uw_kernel *kernel = &program->kernels[i];
    LLVMValueRef replay = kernel->replay ? LLVMGetNamedFunction(program->host, kernel->replay) : NULL;
    if (!replay || hands_on(program->host, kernel->entry))
      continue;
    LLVMReplaceAllUsesWith(replay, LLVMConstNull(LLVMTypeOf(replay)));
    LLVMDeleteFunction(replay);
  }
}

void uw_finish_levels(uw_program *program, const uw_level_plan *plan) {
  restore(program, &plan->host);
  restore(program, &plan->variables);
  restore(program, &plan->device);
  restore(program, &plan->picked);
  unhide_forms(program);
  drop_replays(program);
  hide_records(program);
  for (int number = UW_HIGHEST_LEVEL; number > 0; number--)
    for (size_t i = 0; i < plan->picked.count && uw_is_level_apart(program, number); i++) {
      const char *name =
          uw_arena_format(program->arena, "%s%s", plan->picked.items[i].name, uw_level_of_number(number)->suffix);
      LLVMValueRef body = LLVMGetNamedFunction(program->host, name);
      if (body && LLVMIsDeclaration(body) && LLVMGetFirstUse(body))
        uw_fatal("bug in unwarp: '%s' is not there at all levels", name);
      if (body && !LLVMIsDeclaration(body))
        LLVMSetLinkage(body, LLVMInternalLinkage);
    }
  LLVMValueRef level = LLVMGetNamedGlobal(program->host, UW_LEVEL);
  LLVMSetLinkage(level, LLVMInternalLinkage);
  uw_run_llvm(program->host, "globaldce,constmerge", 0);
}
