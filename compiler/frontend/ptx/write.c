/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device code as PTX text, by clang's own back end for it, optimised as clang would. Calls of libdevice stay calls:
 * whoever reads the text has these functions for its own processor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm-c/Error.h"
#include "llvm-c/Support.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "ptx.h"

/* Variables that llvm.used names are the host's to find: visible in the text, as a variable of the text alone is
 * nobody's but the text's. */
static void show_used_variables(LLVMModuleRef module) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.used");
  LLVMValueRef values = list ? LLVMGetInitializer(list) : NULL;
  for (int i = 0; values && i < LLVMGetNumOperands(values); i++) {
    LLVMValueRef used = LLVMGetOperand(values, (unsigned)i);
    while (LLVMIsAConstantExpr(used)) /* casts between address spaces */
      used = LLVMGetOperand(used, 0);
    if (LLVMIsAGlobalVariable(used) && LLVMGetLinkage(used) == LLVMInternalLinkage)
      LLVMSetLinkage(used, LLVMExternalLinkage);
  }
}

/* LLVM's own names for what clang keeps for others; nothing of them belongs into the text. */
static void drop_lists(LLVMModuleRef module) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors",
                                      "llvm.global.annotations"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, names[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
}

/* What libnvvm's options say of arithmetic, as marks that bitcode keeps. */
void uw_shape_device_code(LLVMModuleRef module, const uw_ptx_form *form) {
  uw_drop_notes(module);
  static const char name[] = "denormal-fp-math-f32", value[] = "preserve-sign,preserve-sign";
  LLVMContextRef context = LLVMGetModuleContext(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && form->flush_denormals; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                              LLVMCreateStringAttribute(context, name, sizeof name - 1, value, sizeof value - 1));
}

/* The back end has switches for what it does not ask a function. */
static void set_switches(const uw_ptx_form *form) {
  const char *words[8] = {"unwarp"};
  int count = 1;
  if (form->fuses)
    words[count++] = "--nvptx-fma-level=2";
  if (form->fast_division)
    words[count++] = "--nvptx-prec-divf32=0";
  if (form->fast_root)
    words[count++] = "--nvptx-prec-sqrtf32=0";
  if (count > 1)
    LLVMParseCommandLineOptions(count, words, "");
}

/* --- clusters: the back end writes their directive for GPUs that have them only --- */

typedef struct text {
  char *at;
  size_t length;
} text;

static void insert(text *t, size_t position, const char *words) {
  size_t count = strlen(words);
  char *longer = malloc(t->length + count + 1);
  if (!longer)
    uw_fatal("error: out of memory");
  memcpy(longer, t->at, position);
  memcpy(longer + position, words, count);
  memcpy(longer + position + count, t->at + position, t->length - position + 1);
  free(t->at);
  *t = (text){longer, t->length + count};
}

/* Where the body of this kernel begins; null: it is not in the text. */
static char *body_of(const text *t, const char *kernel) {
  size_t length = strlen(kernel);
  for (char *at = t->at; (at = strstr(at, ".entry ")); at++) {
    char *name = at + strlen(".entry ");
    if (strncmp(name, kernel, length) == 0 && (name[length] == '(' || name[length] == '\n'))
      return strchr(name, '{');
  }
  return NULL;
}

static void add_cluster(text *t, const char *kernel, const char *extents) {
  char *body = body_of(t, kernel), words[128];
  if (!body)
    return;
  *body = '\0';
  char *name = body; /* back to where the kernel's head begins */
  while (name > t->at && strncmp(name, ".entry ", strlen(".entry ")) != 0)
    name--;
  bool said = strstr(name, ".reqnctapercluster") != NULL;
  *body = '{';
  snprintf(words, sizeof words, ".reqnctapercluster %s\n", extents);
  if (!said)
    insert(t, (size_t)(body - t->at), words);
}

/* The kernels' attributes (annotations.c), by name: the module is the back end's by the time the text is there. */
typedef struct clusters {
  struct {
    char *kernel, *extents;
  } *at;
  size_t count;
} clusters;

static void find_clusters(LLVMModuleRef module, clusters *all) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, UW_CLUSTER_DIMS,
                                                               (unsigned)strlen(UW_CLUSTER_DIMS));
    unsigned length;
    if (!attribute || LLVMIsDeclaration(f))
      continue;
    const char *extents = LLVMGetStringAttributeValue(attribute, &length);
    all->at = realloc(all->at, (all->count + 1) * sizeof *all->at);
    if (!all->at)
      uw_fatal("error: out of memory");
    all->at[all->count].kernel = strdup(uw_llvm_name(f));
    all->at[all->count++].extents = strndup(extents, length);
  }
}

static LLVMMemoryBufferRef with_clusters(LLVMMemoryBufferRef plain, clusters *all) {
  if (!all->count)
    return plain;
  text t = {strndup(LLVMGetBufferStart(plain), LLVMGetBufferSize(plain)), LLVMGetBufferSize(plain)};
  for (size_t i = 0; i < all->count; i++) {
    add_cluster(&t, all->at[i].kernel, all->at[i].extents);
    free(all->at[i].kernel);
    free(all->at[i].extents);
  }
  free(all->at);
  LLVMMemoryBufferRef made = LLVMCreateMemoryBufferWithMemoryRangeCopy(t.at, t.length, "ptx");
  free(t.at);
  LLVMDisposeMemoryBuffer(plain);
  return made;
}

/* The back end knows no store to constant memory, which PTX has not, and ends the process. What is one shows when the
 * optimiser has followed addresses to their variables. */
static bool refuse_constant_stores(uw_program *program, LLVMModuleRef module) {
  enum { CONSTANT = 4 };
  bool good = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
        LLVMOpcode code = LLVMGetInstructionOpcode(op);
        bool stores = code == LLVMStore || code == LLVMAtomicRMW || code == LLVMAtomicCmpXchg;
        LLVMValueRef address = stores ? LLVMGetOperand(op, code == LLVMStore ? 1 : 0) : NULL;
        if (!stores || LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != CONSTANT)
          continue;
        fprintf(stderr,
                "%serror: %s constant memory: no GPU does that, and there is no PTX for it. Make the variable "
                "__device__, or set it by cudaMemcpyToSymbol\n",
                uw_place_in_program(program, op), code == LLVMStore ? "a store to" : "an atomic operation on");
        good = false;
      }
  return good;
}

LLVMMemoryBufferRef uw_write_ptx(uw_program *program, LLVMModuleRef module, const uw_ptx_form *form) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef target;
  char *message = NULL;
  const char *triple = LLVMGetTarget(module);
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    uw_fatal("error: no code generator for '%s': %s", triple, message);
  const char *gpu = form->gpu ? form->gpu : "sm_80";
  bool newest =
      strlen(gpu) > strlen("sm_90") && gpu[strlen("sm_")] == '1'; /* which older versions of PTX do not know */
  set_switches(form);
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(target, triple, gpu, newest ? "+ptx88" : "+ptx83", LLVMCodeGenLevelAggressive,
                              LLVMRelocDefault, LLVMCodeModelDefault);
  clusters of_kernels = {0};
  uw_read_clusters(module);
  find_clusters(module, &of_kernels);
  show_used_variables(module);
  drop_lists(module);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  /* Also ahead of the optimiser, which drops such stores. */
  static const char *const parts[] = {"function(infer-address-spaces)", "default<O3>,function(infer-address-spaces)"};
  bool good = true;
  for (size_t i = 0; good && i < sizeof parts / sizeof *parts; i++) {
    LLVMErrorRef error = LLVMRunPasses(module, parts[i], machine, options);
    if (error)
      uw_fatal("bug in unwarp: LLVM's optimiser failed: %s", LLVMGetErrorMessage(error));
    good = refuse_constant_stores(program, module);
  }
  LLVMDisposePassBuilderOptions(options);
  LLVMMemoryBufferRef written = NULL;
  if (!good) {
    LLVMDisposeTargetMachine(machine);
    return NULL;
  }
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &written))
    uw_fatal("error: no PTX of this device code: %s", message);
  LLVMDisposeTargetMachine(machine);
  return with_clusters(written, &of_kernels);
}
