/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Private arrays that only loops of known length index become registers: LLVM writes the loops out, and takes the
 * arrays apart.
 *
 *   float e[4];                                        float e0, e1, e2, e3;
 *   for (i = 0; i < 4; i++) e[i] = 0;            ==>   e0 = e1 = e2 = e3 = 0;
 *
 * As nvcc does, for which an array that stays in memory is a catastrophe. Here it is one too: a kernel whose threads
 * have arrays in memory gets no SIMD lanes. Other loops stay: passes find rows, tiles and trees by them.
 *
 * An array is taken if a) its address goes nowhere but into loads, stores and copies; b) every variable index of it
 * depends on nothing but counters of loops whose trips are known (UW_MOST_TRIPS at most), or will be once the loops
 * around are unrolled; c) with all these loops unrolled, the function grows by MOST_GROWTH instructions at most.
 * A loop of one trip is none.
 *
 * The object that a SYCL kernel is counts as one, if all of its uses are loads and copies out of it: an array that the
 * kernel captures becomes parameters (sycl/arguments.c), constants where the host says them. MOST_CAPTURED bytes at
 * most, as a launch hands over each one. Small arrays of functions that launch are taken too: C++ copies a captured
 * array by a loop. */
#include "device_loops.h"
#include "frontends.h"
#include "llvm-c/DebugInfo.h"
#include "llvm-c/Error.h"
#include "llvm-c/Target.h"
#include "llvm-c/Transforms/PassBuilder.h"

enum {
  MOST_BYTES = 4096,
  MOST_CAPTURED = 1024,
  MOST_BYTES_OF_HOST = 256,
  MOST_GROWTH = 6000,
  MOST_DEPTH = 12,
  MOST_TURNS = 4
};

typedef struct {
  uw_device_loops loops;
  bool *wanted;      /* by loop: to be unrolled */
  size_t most_bytes; /* of an array */
} uw_choice;

/* --- which loops an array's indices depend on --------------------------------------------------------------------- */

static bool depends_on_loops(uw_choice *choice, LLVMValueRef value, int depth);

/* A counter is a constant in each iteration if its loop is unrolled, and so is the counter of a loop inside whose
 * bounds are. */
static bool counts(uw_choice *choice, LLVMValueRef phi, int depth) {
  size_t at = uw_device_loop_at(&choice->loops, LLVMGetInstructionParent(phi));
  if (at == UW_NO_LOOP)
    return false;
  uw_device_loop *loop = &choice->loops.loops[at];
  if (loop->trips) {
    choice->wanted[at] = true;
    return true;
  }
  if (loop->counter != phi || !depends_on_loops(choice, loop->limit, depth))
    return false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef start = LLVMGetIncomingValue(phi, i);
    bool is_step =
        LLVMIsAInstruction(start) && LLVMGetInstructionOpcode(start) == LLVMAdd && LLVMGetOperand(start, 0) == phi;
    if (!is_step && !depends_on_loops(choice, start, depth))
      return false;
  }
  return true;
}

static bool depends_on_loops(uw_choice *choice, LLVMValueRef value, int depth) {
  if (LLVMIsAConstantInt(value))
    return true;
  if (depth == 0 || !LLVMIsAInstruction(value))
    return false;
  if (LLVMIsAPHINode(value))
    return counts(choice, value, depth - 1);
  if (!LLVMIsABinaryOperator(value) && !LLVMIsACastInst(value) && !LLVMIsASelectInst(value) && !LLVMIsAICmpInst(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (!depends_on_loops(choice, LLVMGetOperand(value, (unsigned)i), depth - 1))
      return false;
  return true;
}

static bool is_copy_or_lifetime(LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memset.", 12) == 0 ||
         strncmp(name, "llvm.lifetime.", 14) == 0;
}

/* Whether all uses of an array's address are such as LLVM takes apart once the indices are constants; `varies`: some
 * are none yet. */
static bool can_be_registers(uw_choice *choice, LLVMValueRef address, bool *varies, int depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == address && depth > 0) {
      for (int i = 1; i < LLVMGetNumOperands(user); i++) {
        LLVMValueRef index = LLVMGetOperand(user, (unsigned)i);
        if (!depends_on_loops(choice, index, MOST_DEPTH))
          return false;
        *varies = *varies || !LLVMIsAConstantInt(index);
      }
      if (!can_be_registers(choice, user, varies, depth - 1))
        return false;
    } else if (!(LLVMIsALoadInst(user) && !LLVMGetVolatile(user)) &&
               !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address && !LLVMGetVolatile(user)) &&
               !is_copy_or_lifetime(user)) {
      return false;
    }
  }
  return true;
}

/* --- what it costs ------------------------------------------------------------------------------------------------ */

/* Instructions of a loop with all that is wanted in it unrolled. */
static size_t unrolled(const uw_choice *choice, size_t at) {
  const uw_device_loop *loop = &choice->loops.loops[at];
  size_t size = loop->own_size;
  for (size_t i = at + 1; i < choice->loops.count; i++)
    if (choice->loops.loops[i].parent == at)
      size += unrolled(choice, i);
  return choice->wanted[at] ? size * loop->trips : size;
}

static bool fits(const uw_choice *choice) {
  size_t size = 0;
  for (size_t i = 0; i < choice->loops.count; i++)
    if (choice->loops.loops[i].parent == UW_NO_LOOP)
      size += unrolled(choice, i);
  return size <= MOST_GROWTH;
}

/* --- what LLVM is told -------------------------------------------------------------------------------------------- */

/* The node that ends a loop: itself, and one property. */
static LLVMValueRef loop_node(LLVMContextRef context, const char *property) {
  LLVMMetadataRef text = LLVMMDStringInContext2(context, property, strlen(property));
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0),
                  parts[] = {self, LLVMMDNodeInContext2(context, &text, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  return LLVMMetadataAsValue(context, node);
}

/* Says of each loop whether it is to be unrolled. What was said before is kept, by what is said now. */
static uw_table *tell(uw_arena *arena, LLVMContextRef context, unsigned kind, const uw_choice *choice) {
  uw_table *before = uw_table_create(arena);
  for (size_t i = 0; i < choice->loops.count; i++)
    for (size_t k = 0; k < choice->loops.loops[i].latch_count; k++) {
      LLVMValueRef latch = choice->loops.loops[i].latches[k];
      LLVMValueRef said = LLVMGetMetadata(latch, kind),
                   node = loop_node(context, choice->wanted[i] ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable");
      LLVMSetMetadata(latch, kind, node);
      uw_table_set(before, LLVMValueAsMetadata(LLVMGetMetadata(latch, kind)), (intptr_t)said);
    }
  return before;
}

static void take_back(LLVMValueRef function, unsigned kind, const uw_table *before) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), said = LLVMGetMetadata(end, kind);
    if (said)
      LLVMSetMetadata(end, kind, (LLVMValueRef)uw_table_get(before, LLVMValueAsMetadata(said)));
  }
}

/* --- all together ------------------------------------------------------------------------------------------------- */

static bool is_array(LLVMModuleRef module, LLVMValueRef i, size_t most_bytes) {
  if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
      LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) != 1)
    return false;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(i));
  return (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) &&
         LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(i)) <= most_bytes;
}

static void choose_for(uw_arena *arena, uw_choice *choice, LLVMValueRef array) {
  bool varies = false;
  uw_choice tried = *choice;
  tried.wanted = uw_alloc(arena, tried.loops.count * sizeof *tried.wanted);
  memcpy(tried.wanted, choice->wanted, tried.loops.count * sizeof *tried.wanted);
  if (can_be_registers(&tried, array, &varies, MOST_DEPTH) && varies && fits(&tried))
    *choice = tried;
}

static bool is_read_only(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool copied_out = is_copy_or_lifetime(user) && LLVMGetOperand(user, 0) != address;
    if (!LLVMIsALoadInst(user) && !copied_out && !(LLVMIsAGetElementPtrInst(user) && is_read_only(user)))
      return false;
  }
  return true;
}

/* The object whose members become the kernel's parameters; null if the function is no kernel that has one. */
static LLVMValueRef captured(const uw_program *program, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; program->frontend->take_parameters_apart && i < program->kernel_count; i++)
    if (strcmp(program->kernels[i].name, name) == 0 && program->kernels[i].object_bytes <= MOST_CAPTURED &&
        LLVMCountParams(function) == 1 && is_read_only(LLVMGetParam(function, 0)))
      return LLVMGetParam(function, 0);
  return NULL;
}

/* Whether there is a loop to be unrolled. */
static bool choose(uw_program *program, LLVMValueRef function, uw_choice *choice) {
  uw_arena *arena = program->arena;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  *choice = (uw_choice){.loops = uw_find_device_loops(arena, function), .most_bytes = choice->most_bytes};
  choice->wanted = uw_alloc(arena, choice->loops.count * sizeof *choice->wanted);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && choice->loops.count; i = LLVMGetNextInstruction(i))
    if (is_array(program->device, i, choice->most_bytes))
      choose_for(arena, choice, i);
  LLVMValueRef object = choice->loops.count ? captured(program, function) : NULL;
  if (object)
    choose_for(arena, choice, object);
  bool any = false;
  for (size_t i = 0; i < choice->loops.count; i++) {
    choice->wanted[i] = choice->wanted[i] || choice->loops.loops[i].trips == 1;
    any = any || choice->wanted[i];
  }
  return any;
}

static void run(LLVMValueRef function, const char *pipeline) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPassesOnFunction(function, pipeline, NULL, options);
  if (error)
    uw_fatal("bug in unwarp: LLVM refuses the pipeline '%s': %s", pipeline, LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
}

static void take_arrays(uw_program *program, LLVMValueRef function, size_t most_bytes) {
  unsigned kind = LLVMGetMDKindIDInContext(program->context, "llvm.loop", strlen("llvm.loop"));
  uw_choice choice = {.most_bytes = most_bytes};
  for (int turn = 0; turn < MOST_TURNS && choose(program, function, &choice); turn++) {
    uw_table *before = tell(program->arena, program->context, kind, &choice);
    run(function, "loop-simplify,lcssa,loop(loop-unroll-full),early-cse,simplifycfg,sroa,early-cse,instcombine<no-"
                  "verify-fixpoint>,simplifycfg");
    take_back(function, kind, before);
  }
}

void uw_registers_of_arrays(uw_program *program) {
  program->launches.arrays = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      take_arrays(program, f, MOST_BYTES);
}

void uw_registers_of_host_arrays(uw_program *program, LLVMModuleRef part) {
  for (LLVMValueRef f = LLVMGetFirstFunction(part); f && program->launches.arrays; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      take_arrays(program, f, MOST_BYTES_OF_HOST);
}
