/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which device functions reach a barrier, a warp operation or a shared variable. Such a thing belongs to all threads of
 * a block or warp, so its function must become part of the kernel's body: it is marked alwaysinline, whatever the
 * program said. Where that is impossible (it calls itself, or it is called through a pointer) the program is refused
 * with the path to it. Inlined too, where that is possible, is what reads and writes memory that it is handed, volatile
 * or in a small function: lanes of a warp may exchange values there (passes/barriers/sync_warps.c). So is what looks at
 * memory that others write, in a loop or for its caller: that may be a wait for other threads (raise/waiting_blocks.c), which
 * nothing is known of in a function of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend.h"

bool uw_is_collective(const char *name) {
  static const char *const prefixes[] = {"llvm.nvvm.barrier",
                                         "llvm.nvvm.bar.",
                                         "llvm.nvvm.shfl.",
                                         "llvm.nvvm.vote.",
                                         "llvm.nvvm.match.",
                                         "llvm.nvvm.redux.",
                                         "llvm.nvvm.activemask",
                                         "llvm.nvvm.exit",
                                         "llvm.nvvm.read.ptx.sreg.dynamic_smem",
                                         "llvm.nvvm.read.ptx.sreg.total_smem",
                                         "llvm.nvvm.read.ptx.sreg.aggr_smem",
                                         "uwrt_cluster_sync",
                                         "uwrt_cluster_map",
                                         "uwrt_cluster_rank",
                                         "uwrt_grid_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

typedef struct function_facts {
  LLVMValueRef function;
  bool collective; /* reaches one */
  bool hands_over; /* reads and writes volatile memory that is not its own, may wait, or calls one that does */
  bool on_stack, done;
  LLVMValueRef next; /* the call or operation through which it reaches it */
} function_facts;

typedef struct collector {
  uw_program *program;
  function_facts *facts;
  size_t count;
  uw_table *index; /* function -> position + 1 */
  bool ok;
} collector;

static function_facts *facts_of(collector *c, LLVMValueRef function) {
  intptr_t at = uw_table_get(c->index, function);
  return at ? &c->facts[at - 1] : NULL;
}

/* The user's name for a function, and what CUDA calls an intrinsic. */
static const char *shown_name(collector *c, LLVMValueRef callee) {
  const char *name = uw_llvm_name(callee);
  if (strncmp(name, "llvm.nvvm.barrier", 17) == 0)
    return "__syncthreads";
  if (strncmp(name, "uwrt_grid_", 10) == 0)
    return "a barrier of the whole grid";
  if (strncmp(name, "uwrt_cluster_", 13) == 0)
    return "its cluster";
  if (uw_is_collective(name))
    return uw_arena_format(c->program->arena, "warp operation %s", name + strlen("llvm.nvvm."));
  return uw_shown_name(c->program, name);
}

/* error: … and a line for each call from `function` down to the operation. */
static void refuse(collector *c, LLVMValueRef function, const char *why) {
  function_facts *facts = facts_of(c, function);
  uw_print_place(c->program, facts->next, false);
  fprintf(stderr, "error: %s\n", why);
  for (size_t steps = 0; facts && facts->next && steps < c->count + 1; steps++) {
    LLVMValueRef callee = LLVMIsACallInst(facts->next) ? LLVMGetCalledValue(facts->next) : NULL;
    uw_print_place(c->program, facts->next, false);
    fprintf(stderr, "note: '%s' reaches '%s'\n", shown_name(c, facts->function),
            callee ? shown_name(c, callee) : "a shared variable");
    facts = callee ? facts_of(c, callee) : NULL;
  }
  c->ok = false;
}

/* What the function reaches in the end. */
static const char *reached(collector *c, const function_facts *facts) {
  LLVMValueRef callee = NULL;
  for (size_t steps = 0; facts && facts->next && steps < c->count + 1; steps++) {
    callee = LLVMIsACallInst(facts->next) ? LLVMGetCalledValue(facts->next) : NULL;
    facts = callee ? facts_of(c, callee) : NULL;
  }
  return callee ? shown_name(c, callee) : "a shared variable";
}

/* Marks the functions that use a shared variable, through constant expressions too. */
static void mark_users(collector *c, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user)) {
      function_facts *facts = facts_of(c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
      facts->collective = true;
      facts->next = user;
    } else if (LLVMIsAConstantExpr(user)) {
      mark_users(c, user);
    }
  }
}

static bool visit(collector *c, function_facts *facts) {
  if (facts->done || facts->on_stack)
    return facts->collective;
  facts->on_stack = true;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(facts->function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call)) {
      if (!LLVMIsACallInst(call))
        continue;
      LLVMValueRef callee = LLVMGetCalledValue(call);
      function_facts *below = facts_of(c, callee);
      bool reaches = below ? visit(c, below) : LLVMIsAFunction(callee) && uw_is_collective(uw_llvm_name(callee));
      if (reaches && !facts->collective) {
        facts->collective = true;
        facts->next = call;
      }
    }
  facts->on_stack = false;
  facts->done = true;
  return facts->collective;
}

/* Whether `from` can call `target` again. Small graphs: a depth-first search for each collective function is cheap. */
static bool calls(collector *c, LLVMValueRef from, LLVMValueRef target, bool *seen) {
  intptr_t at = uw_table_get(c->index, from);
  if (!at || seen[at - 1])
    return false;
  seen[at - 1] = true;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(from); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call))
      if (LLVMIsACallInst(call)) {
        LLVMValueRef callee = LLVMGetCalledValue(call);
        if (callee == target || calls(c, callee, target, seen))
          return true;
      }
  return false;
}

/* Used other than as the callee of a direct call. */
static bool address_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
      return true;
  }
  return false;
}

static void set_attribute(LLVMContextRef context, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
}

static void drop_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                 LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void tell_linkers(collector *c, const function_facts *facts) {
  uw_program *program = c->program;
  const char *symbol = uw_llvm_name(facts->function), *shown = shown_name(c, facts->function),
             *what = reached(c, facts);
  uw_note_for_link(program, "defines", facts->next, symbol, shown, what);
  uw_warn_at_link(program, symbol,
                  uw_arena_format(program->arena,
                                  "%s'%s' reaches %s and so must be part of the kernel that calls it; define it in the "
                                  "kernel's file, or in a header that it includes",
                                  uw_place_of(program, facts->next, false), shown, what));
}

/* Reads what other threads may have written since it looked last. */
static bool looks(LLVMValueRef i) {
  if (LLVMIsALoadInst(i))
    return (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) &&
           !LLVMIsAAllocaInst(LLVMGetOperand(i, 0));
  return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef target, uw_table *seen) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
    if (next == target)
      return true;
    if (uw_table_get(seen, next))
      continue;
    uw_table_set(seen, next, 1);
    if (leads_to(next, target, seen))
      return true;
  }
  return false;
}

/* In a loop; or for a caller, which may do it in a loop of its own. */
static bool may_wait(collector *c, LLVMValueRef function) {
  bool answers = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != LLVMVoidTypeKind;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (looks(i) && (answers || leads_to(block, block, uw_table_create(c->program->arena))))
        return true;
  return false;
}

/* The argument of its function that an address starts from, through arithmetic, loops and a variable that keeps it; null
 * if it is none. */
static LLVMValueRef argument_under(LLVMValueRef address) {
  enum { DEEPEST = 32 /* bound: of a chain; variables may be kept in a circle */ };
  for (size_t depth = 0; depth < DEEPEST; depth++) {
    if (LLVMIsAArgument(address))
      return address;
    if (LLVMIsAPHINode(address)) {
      address = LLVMGetIncomingValue(address, 0);
    } else if (LLVMIsAGetElementPtrInst(address) || LLVMIsACastInst(address)) {
      address = LLVMGetOperand(address, 0);
    } else if (LLVMIsALoadInst(address) && LLVMIsAAllocaInst(LLVMGetOperand(address, 0))) {
      LLVMValueRef kept = NULL;
      for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(address, 0)); use && !kept; use = LLVMGetNextUse(use))
        if (LLVMIsAStoreInst(LLVMGetUser(use)) && LLVMIsAArgument(LLVMGetOperand(LLVMGetUser(use), 0)))
          kept = LLVMGetOperand(LLVMGetUser(use), 0);
      address = kept ? kept : LLVMGetOperand(address, 0);
    } else {
      return NULL;
    }
  }
  return NULL;
}

/* Is it handed memory there, by some call, that is not a variable of the caller's? */
static bool is_handed_others(LLVMValueRef function, LLVMValueRef argument) {
  unsigned number = 0;
  while (LLVMGetParam(function, number) != argument)
    number++;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function)
      continue;
    LLVMValueRef handed = LLVMGetOperand(call, number);
    while (LLVMIsAGetElementPtrInst(handed) || LLVMIsACastInst(handed))
      handed = LLVMGetOperand(handed, 0);
    if (!LLVMIsAAllocaInst(handed))
      return true;
  }
  return false;
}

/* Does it read and write an array that it is handed, of a caller's threads? What is large stays a call: an access of
 * its own kind (analysis/lane_pairs.c). */
static bool may_exchange(collector *c, LLVMValueRef function) {
  enum { SMALL = 300 /* bound: instructions that each call is worth, for accesses that are in step one by one */ };
  uw_table *reads = uw_table_create(c->program->arena), *writes = uw_table_create(c->program->arena);
  size_t size = 0;
  bool both = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i), size++) {
      if (LLVMIsAAllocaInst(i) && block != LLVMGetEntryBasicBlock(function))
        return false; /* where it is inlined, that may be in a loop */
      bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
      LLVMValueRef argument = load || store ? argument_under(LLVMGetOperand(i, store)) : NULL;
      if (!argument)
        continue;
      uw_table_set(load ? reads : writes, argument, 1);
      both = both ||
             (uw_table_get(reads, argument) && uw_table_get(writes, argument) && is_handed_others(function, argument));
    }
  return both && size <= SMALL;
}

static bool hands_over(collector *c, LLVMValueRef function) {
  bool reads = false, writes = false;
  if (may_wait(c, function))
    return true;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      const function_facts *below = LLVMIsACallInst(i) ? facts_of(c, LLVMGetCalledValue(i)) : NULL;
      if (below && below->hands_over)
        return true;
      bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
      if ((load || store) && LLVMGetVolatile(i) && !LLVMIsAAllocaInst(LLVMGetOperand(i, store))) {
        reads = reads || load;
        writes = writes || store;
      }
    }
  return reads && writes;
}

/* The others become part of their callers in any case, if they are small. */
static bool is_kept_a_call(LLVMValueRef function) {
  static const char name[] = "noinline";
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                     LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
}

/* What the user wanted out of line for the sake of code size, or a debugger, gives other answers there. */
static void inline_exchanges(collector *c, bool *seen) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < c->count; i++)
      if (!c->facts[i].hands_over && hands_over(c, c->facts[i].function))
        changed = c->facts[i].hands_over = true;
  }
  for (size_t i = 0; i < c->count; i++) {
    LLVMValueRef function = c->facts[i].function;
    memset(seen, 0, c->count);
    bool exchanges = c->facts[i].hands_over || (is_kept_a_call(function) && may_exchange(c, function));
    if (!exchanges || c->facts[i].collective || LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv ||
        calls(c, function, function, seen))
      continue;
    drop_attribute(function, "noinline");
    drop_attribute(function, "optnone");
    set_attribute(c->program->context, function, "alwaysinline");
  }
}

bool uw_inline_collectives(uw_program *program) {
  collector c = {.program = program, .index = uw_table_create(program->arena), .ok = true};
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    c.count += !LLVMIsDeclaration(f);
  c.facts = uw_alloc(program->arena, (c.count + 1) * sizeof *c.facts);
  size_t at = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) {
      c.facts[at].function = f;
      uw_table_set(c.index, f, (intptr_t)++at);
    }
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3)
      mark_users(&c, g);
  for (size_t i = 0; i < c.count; i++)
    visit(&c, &c.facts[i]);
  /* A cycle may have been entered before its collective part was known: repeat until nothing changes. */
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < c.count; i++) {
      if (c.facts[i].collective)
        continue;
      c.facts[i].done = false;
      changed |= visit(&c, &c.facts[i]);
    }
  }
  bool *seen = uw_alloc(program->arena, c.count + 1);
  for (size_t i = 0; i < c.count; i++) {
    LLVMValueRef function = c.facts[i].function;
    if (!c.facts[i].collective || LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv)
      continue;
    memset(seen, 0, c.count);
    if (calls(&c, function, function, seen))
      refuse(&c, function,
             "a barrier, warp operation or shared variable in a recursive function is not supported; "
             "move it out of the recursion, into the kernel");
    else if (address_taken(function))
      refuse(&c, function,
             "a barrier, warp operation or shared variable in a function whose address is taken is not "
             "supported; call the function directly");
    drop_attribute(function, "noinline");
    drop_attribute(function, "optnone");
    set_attribute(program->context, function, "alwaysinline");
    /* No other file can call it: its threads are not all there. */
    if (LLVMGetLinkage(function) == LLVMExternalLinkage)
      tell_linkers(&c, &c.facts[i]);
    LLVMSetLinkage(function, LLVMInternalLinkage);
  }
  inline_exchanges(&c, seen);
  return c.ok;
}
