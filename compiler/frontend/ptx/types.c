/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registers of .b32 hold floats as well, so that floats travel through PTX as integers:
 *
 *     %a = phi i32 [ 0, … ], [ bitcast float %s, … ]          ==>   %a = phi float [ 0.0, … ], [ %s, … ]
 *     %v = load i32, ptr %p;  bitcast i32 %v to float               %v = load float, ptr %p
 *
 * Phis, selects and loads of integers that lead to each other are a web. It becomes one of floats where more of what it
 * takes and gives is a float's bits than an integer; the others are bitcast at its border. An address whose elements
 * are all accessed as floats is one of floats.
 */
#include <string.h>

#include "ptx.h"

typedef struct retyper {
  uw_arena *arena;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  uw_table *webs;  /* member -> 1 + its index in members */
  uw_table *bases; /* variable or parameter -> the float that is there */
  uw_table *fresh; /* member -> what it became */
  LLVMValueRef *members;
  size_t count, capacity;
  size_t *parents; /* of members: which web */
} retyper;

static bool is_int(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 16 &&
         LLVMGetIntTypeWidth(type) <= 64;
}

static bool is_member(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || !is_int(value))
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze: return true;
  case LLVMLoad: return !LLVMGetVolatile(value) && LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic;
  default: return false;
  }
}

/* The float whose bits this is, or null. */
static LLVMValueRef float_of(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMBitCast)
    return NULL;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0)));
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind ? LLVMGetOperand(value, 0)
                                                                                             : NULL;
}

/* Does this make a float of the bits? */
static bool makes_float(LLVMValueRef user) {
  if (!LLVMIsAInstruction(user) || LLVMGetInstructionOpcode(user) != LLVMBitCast)
    return false;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(user));
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind;
}

static void list_sources(LLVMValueRef value, LLVMValueRef **sources, uw_arena *arena, unsigned *count) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  *count = opcode == LLVMPHI ? LLVMCountIncoming(value) : opcode == LLVMSelect ? 2 : opcode == LLVMFreeze ? 1 : 0;
  *sources = uw_alloc(arena, (*count + 1) * sizeof **sources);
  for (unsigned i = 0; i < *count; i++)
    (*sources)[i] = opcode == LLVMPHI      ? LLVMGetIncomingValue(value, i)
                    : opcode == LLVMSelect ? LLVMGetOperand(value, i + 1)
                                           : LLVMGetOperand(value, 0);
}

static size_t root_of(retyper *r, size_t at) {
  while (r->parents[at] != at)
    at = r->parents[at] = r->parents[r->parents[at]];
  return at;
}

static void find_members(retyper *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (is_member(op)) {
        r->members = uw_grow(r->arena, r->members, r->count, &r->capacity, sizeof *r->members);
        r->members[r->count++] = op;
        uw_table_set(r->webs, op, (intptr_t)r->count);
      }
  r->parents = uw_alloc(r->arena, (r->count + 1) * sizeof *r->parents);
  for (size_t i = 0; i < r->count; i++)
    r->parents[i] = i;
}

/* The variable or parameter that an address leads to, with its name for what all accesses to it are. */
static LLVMValueRef base_of(LLVMValueRef address) {
  for (int steps = 0; steps < 32; steps++) {
    LLVMOpcode opcode = LLVMIsAInstruction(address)    ? LLVMGetInstructionOpcode(address)
                        : LLVMIsAConstantExpr(address) ? LLVMGetConstOpcode(address)
                                                       : (LLVMOpcode)0;
    if (opcode != LLVMGetElementPtr && opcode != LLVMAddrSpaceCast)
      break;
    address = LLVMGetOperand(address, 0);
  }
  return LLVMIsAArgument(address) || LLVMIsAGlobalVariable(address) ? address : NULL;
}

static bool is_real(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind;
}

/* What is loaded or stored as a float somewhere is a float where it is only copied, too. */
static void note_bases(retyper *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      bool load = LLVMIsALoadInst(op), store = LLVMIsAStoreInst(op);
      LLVMTypeRef type = load ? LLVMTypeOf(op) : store ? LLVMTypeOf(LLVMGetOperand(op, 0)) : NULL;
      LLVMValueRef base = type && is_real(type) ? base_of(LLVMGetOperand(op, store)) : NULL;
      if (base)
        uw_table_set(r->bases, base, (intptr_t)type);
    }
}

/* The float of as many bits that is elsewhere at that address; null if none is known. */
static LLVMTypeRef type_at(retyper *r, LLVMValueRef address, LLVMValueRef value) {
  LLVMValueRef base = base_of(address);
  LLVMTypeRef type = base ? (LLVMTypeRef)uw_table_get(r->bases, base) : NULL;
  LLVMTypeKind kind = type ? LLVMGetTypeKind(type) : LLVMVoidTypeKind;
  unsigned bits = kind == LLVMDoubleTypeKind ? 64 : kind == LLVMFloatTypeKind ? 32 : 16;
  return type && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == bits ? type : NULL;
}

/* For each web how many of its neighbours are a float's bits, less those that are integers; and the float's type. */
static void weigh(retyper *r, long *scores, LLVMTypeRef *types) {
  for (size_t i = 0; i < r->count; i++) {
    LLVMValueRef *sources;
    unsigned count;
    list_sources(r->members[i], &sources, r->arena, &count);
    for (unsigned k = 0; k < count; k++) {
      intptr_t other = uw_table_get(r->webs, sources[k]);
      if (other)
        r->parents[root_of(r, i)] = root_of(r, (size_t)other - 1);
    }
  }
  for (size_t i = 0; i < r->count; i++) {
    size_t root = root_of(r, i);
    LLVMValueRef *sources;
    unsigned count;
    list_sources(r->members[i], &sources, r->arena, &count);
    for (unsigned k = 0; k < count; k++)
      if (float_of(sources[k])) {
        scores[root]++;
        types[root] = LLVMTypeOf(float_of(sources[k]));
      } else if (!uw_table_get(r->webs, sources[k]) && !LLVMIsConstant(sources[k])) {
        scores[root]--;
      }
    LLVMTypeRef there =
        LLVMIsALoadInst(r->members[i]) ? type_at(r, LLVMGetOperand(r->members[i], 0), r->members[i]) : NULL;
    if (there) {
      scores[root]++;
      types[root] = there;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(r->members[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == r->members[i];
      if (stored && (there = type_at(r, LLVMGetOperand(user, 1), r->members[i]))) {
        scores[root]++;
        types[root] = there;
      } else if (makes_float(user)) {
        scores[root]++;
        types[root] = LLVMTypeOf(user);
      } else if (!uw_table_get(r->webs, user) && !LLVMIsAStoreInst(user)) {
        scores[root]--;
      }
    }
  }
}

/* Bits as a float, in front of where they are wanted. */
static LLVMValueRef as_float(retyper *r, LLVMValueRef value, LLVMTypeRef type) {
  LLVMValueRef fresh = (LLVMValueRef)uw_table_get(r->fresh, value);
  if (fresh)
    return fresh;
  if (float_of(value) && LLVMTypeOf(float_of(value)) == type)
    return float_of(value);
  if (LLVMIsAConstantInt(value))
    return LLVMConstBitCast(value, type);
  if (LLVMIsPoison(value))
    return LLVMGetPoison(type);
  return LLVMIsUndef(value) ? LLVMGetUndef(type) : LLVMBuildBitCast(r->builder, value, type, "");
}

/* The member as a float; phis get their values later. */
static void make_fresh(retyper *r, LLVMValueRef member, LLVMTypeRef type) {
  LLVMPositionBuilderBefore(r->builder, member);
  LLVMValueRef fresh = NULL;
  switch (LLVMGetInstructionOpcode(member)) {
  case LLVMPHI: fresh = LLVMBuildPhi(r->builder, type, ""); break;
  case LLVMLoad:
    fresh = LLVMBuildLoad2(r->builder, type, LLVMGetOperand(member, 0), "");
    LLVMSetAlignment(fresh, LLVMGetAlignment(member));
    break;
  default: break;
  }
  if (fresh)
    uw_table_set(r->fresh, member, (intptr_t)fresh);
}

static void fill(retyper *r, LLVMValueRef member, LLVMTypeRef type) {
  LLVMValueRef fresh = (LLVMValueRef)uw_table_get(r->fresh, member);
  if (LLVMGetInstructionOpcode(member) != LLVMPHI)
    return;
  for (unsigned i = 0; i < LLVMCountIncoming(member); i++) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(member, i);
    LLVMPositionBuilderBefore(r->builder, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef value = as_float(r, LLVMGetIncomingValue(member, i), type);
    LLVMAddIncoming(fresh, &value, &block, 1);
  }
}

/* After phis. */
static void position_after(retyper *r, LLVMValueRef value) {
  LLVMValueRef next = LLVMGetNextInstruction(value);
  while (LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(r->builder, next);
}

/* Users of the integer take the float, or its bits. */
static void replace(retyper *r, LLVMValueRef member) {
  LLVMValueRef fresh = (LLVMValueRef)uw_table_get(r->fresh, member);
  position_after(r, fresh);
  LLVMValueRef bits = LLVMBuildBitCast(r->builder, fresh, LLVMTypeOf(member), "");
  for (LLVMUseRef use = LLVMGetFirstUse(member), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (makes_float(user) && LLVMTypeOf(user) == LLVMTypeOf(fresh))
      LLVMReplaceAllUsesWith(user, fresh);
    else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == member)
      LLVMSetOperand(user, 0, fresh); /* of bits LLVM would make the load one of an integer again */
  }
  LLVMReplaceAllUsesWith(member, bits);
}

static void retype(retyper *r, LLVMValueRef function) {
  r->webs = uw_table_create(r->arena);
  r->fresh = uw_table_create(r->arena);
  r->count = 0;
  find_members(r, function);
  long *scores = uw_alloc(r->arena, (r->count + 1) * sizeof *scores);
  LLVMTypeRef *types = uw_alloc(r->arena, (r->count + 1) * sizeof *types);
  weigh(r, scores, types);
  /* Selects and freezes of bits are LLVM's to turn once what they choose from are floats. */
  for (size_t i = 0; i < r->count; i++) {
    size_t root = root_of(r, i);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(r->members[i]);
    if (scores[root] > 0 && (opcode == LLVMPHI || opcode == LLVMLoad))
      make_fresh(r, r->members[i], types[root]);
  }
  for (size_t i = 0; i < r->count; i++)
    if (uw_table_get(r->fresh, r->members[i]))
      fill(r, r->members[i], types[root_of(r, i)]);
  for (size_t i = 0; i < r->count; i++)
    if (uw_table_get(r->fresh, r->members[i]))
      replace(r, r->members[i]);
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* The type as which all accesses see what this leads to, if it is a float's of the element's size. */
static LLVMTypeRef accessed_type(LLVMValueRef address, unsigned bits) {
  LLVMTypeRef found = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMTypeRef type = LLVMIsALoadInst(user) ? LLVMTypeOf(user)
                       : LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address
                           ? LLVMTypeOf(LLVMGetOperand(user, 0))
                           : NULL;
    LLVMTypeKind kind = type ? LLVMGetTypeKind(type) : LLVMVoidTypeKind;
    bool fits = (kind == LLVMFloatTypeKind && bits == 32) || (kind == LLVMDoubleTypeKind && bits == 64);
    if (!fits || (found && found != type))
      return NULL;
    found = type;
  }
  return found;
}

static void retype_addresses(retyper *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      if (!LLVMIsAGetElementPtrInst(op) || LLVMGetNumOperands(op) != 2)
        continue;
      LLVMTypeRef element = LLVMGetGEPSourceElementType(op);
      if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetTypeKind(LLVMTypeOf(op)) != LLVMPointerTypeKind)
        continue;
      LLVMTypeRef type = accessed_type(op, LLVMGetIntTypeWidth(element));
      if (!type)
        continue;
      LLVMPositionBuilderBefore(r->builder, op);
      LLVMValueRef index = LLVMGetOperand(op, 1);
      LLVMReplaceAllUsesWith(op, LLVMBuildGEP2(r->builder, type, LLVMGetOperand(op, 0), &index, 1, ""));
    }
}

/* Twice: what is loaded as a float by then makes floats of what is only copied there. */
void uw_ptx_recover_types(uw_program *program) {
  enum { ITERATIONS = 2 };
  retyper r = {
      .arena = program->arena, .context = program->context, .builder = LLVMCreateBuilderInContext(program->context)};
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    r.bases = uw_table_create(program->arena);
    for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
      note_bases(&r, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
      if (!LLVMIsDeclaration(f)) {
        retype(&r, f);
        retype_addresses(&r, f);
      }
    uw_run_llvm(program->device, "function(instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
  }
  LLVMDisposeBuilder(r.builder);
}
