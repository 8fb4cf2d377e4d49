/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Wins pointers back out of the integers that PTX computes addresses with, once its registers are values:
 *
 *     %a = add i64 (ptrtoint ptr %p), %o       ==>   %q = getelementptr i8, ptr %p, i64 %o
 *     load float, ptr (inttoptr i64 %a)              load float, ptr %q
 *
 * From each address that is accessed the way goes back through sums, phis and selects. What is found there is STRONG
 * where it comes from a pointer (a parameter that is one, a variable), WEAK where it is any number of 64 bits that no
 * arithmetic made (loaded, a parameter of a kernel), and NONE otherwise: an offset. A sum is of the kind of its one
 * STRONG term, or of its one WEAK term where the rest is offsets; two of a kind leave it an integer. A kernel's
 * parameter that is so found to be a pointer becomes one, and so does what is loaded.
 *
 * Legal, since an access must be within the object that its address comes from; a program that goes from one object to
 * another by the difference of their addresses has two STRONG terms, or none.
 *
 * Shared addresses of 32 bits are found the same way, below __ptx_shared_address, which is not inlined until then:
 * where the variable is known nothing has to be completed.
 *
 * Last, an offset that is a number of elements becomes an index of them: later passes then know that what is accessed
 * does not overlap by a part.
 */
#include <string.h>

#include "ptx.h"

typedef enum kind { UNKNOWN, NONE, WEAK, STRONG } kind;

typedef struct web {
  uw_arena *arena;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef complete; /* __ptx_shared_address */
  uw_table *kinds;       /* value -> kind + 1 */
  uw_table *pointers;    /* value -> its pointer */
  LLVMValueRef *values;  /* in the order in which they were met */
  size_t count, capacity;
} web;

static LLVMTypeRef pointer_type(const web *w) { return LLVMPointerTypeInContext(w->context, 0); }
static LLVMTypeRef int_type(const web *w, unsigned bits) { return LLVMIntTypeInContext(w->context, bits); }

static LLVMOpcode opcode_of(LLVMValueRef value) {
  return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value)
         : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value)
                                      : (LLVMOpcode)0;
}

static bool is_sum(LLVMValueRef value) {
  LLVMOpcode opcode = opcode_of(value);
  return opcode == LLVMAdd || opcode == LLVMSub ||
         (opcode == LLVMOr && LLVMIsAInstruction(value) && LLVMGetIsDisjoint(value));
}

/* The pointer that was made an integer, of whatever space: null if it is none. */
static LLVMValueRef source_pointer(LLVMValueRef value) {
  return opcode_of(value) == LLVMPtrToInt ? LLVMGetOperand(value, 0) : NULL;
}

static bool is_null(LLVMValueRef value) { return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0; }

static unsigned width(LLVMValueRef value) { return LLVMGetIntTypeWidth(LLVMTypeOf(value)); }

/* --- what is a pointer -------------------------------------------------------------------------------------------- */

/* The operands through which the way goes on. */
static unsigned list_operands(LLVMValueRef value, LLVMValueRef *operands, unsigned most) {
  LLVMOpcode opcode = opcode_of(value);
  unsigned count = 0;
  if (is_sum(value)) {
    operands[count++] = LLVMGetOperand(value, 0);
    operands[count++] = LLVMGetOperand(value, 1);
  } else if (opcode == LLVMPHI) {
    if (LLVMCountIncoming(value) > most)
      return 0;
    for (; count < LLVMCountIncoming(value); count++)
      operands[count] = LLVMGetIncomingValue(value, count);
  } else if (opcode == LLVMSelect) {
    operands[count++] = LLVMGetOperand(value, 1);
    operands[count++] = LLVMGetOperand(value, 2);
  } else if (opcode == LLVMFreeze || ((opcode == LLVMTrunc || opcode == LLVMZExt) && LLVMIsAInstruction(value))) {
    LLVMValueRef from = LLVMGetOperand(value, 0);
    bool shared = (width(from) == 32 && width(value) == 64) || (width(from) == 64 && width(value) == 32);
    if (opcode == LLVMFreeze || shared)
      operands[count++] = from;
  }
  return count;
}

enum { MOST_OPERANDS = 256 };

static void collect(web *w, LLVMValueRef value) {
  if (uw_table_get(w->kinds, value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
    return;
  uw_table_set(w->kinds, value, 1 + UNKNOWN);
  w->values = uw_grow(w->arena, w->values, w->count, &w->capacity, sizeof *w->values);
  w->values[w->count++] = value;
  LLVMValueRef operands[MOST_OPERANDS];
  unsigned count = list_operands(value, operands, MOST_OPERANDS);
  for (unsigned i = 0; i < count; i++)
    collect(w, operands[i]);
}

static kind known(const web *w, LLVMValueRef value) {
  intptr_t number = uw_table_get(w->kinds, value);
  return number ? (kind)(number - 1) : NONE;
}

static kind kind_of_sum(kind left, kind right, bool difference) {
  if (difference && right > NONE) /* the distance of two pointers, or nothing that is known */
    return NONE;
  if (left == UNKNOWN || right == UNKNOWN)
    return left == UNKNOWN && right == UNKNOWN ? UNKNOWN
           : left > right                      ? left == NONE ? UNKNOWN : left
           : right == NONE                     ? UNKNOWN
                                               : right;
  if (left == right)
    return NONE;
  return left > right ? left : right;
}

static kind find_kind(const web *w, LLVMValueRef value) {
  LLVMValueRef operands[MOST_OPERANDS];
  unsigned count = list_operands(value, operands, MOST_OPERANDS);
  LLVMOpcode opcode = opcode_of(value);
  if (source_pointer(value))
    return width(value) == 64 || width(value) == 32 ? STRONG : NONE;
  if (!count) {
    bool plain_load =
        opcode == LLVMLoad && !LLVMGetVolatile(value) && LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic;
    bool whole = width(value) == 64 &&
                 (plain_load || opcode == LLVMCall || opcode == LLVMExtractValue || LLVMIsAArgument(value));
    return whole ? WEAK : NONE;
  }
  if (is_sum(value))
    return LLVMIsConstant(value) && !LLVMIsAConstantInt(operands[0]) && !LLVMIsAConstantInt(operands[1])
               ? NONE
               : kind_of_sum(known(w, operands[0]), known(w, operands[1]), opcode == LLVMSub);
  if (opcode == LLVMZExt || opcode == LLVMTrunc) /* of integers alone a shared variable's address is one */
    return known(w, operands[0]) == STRONG || known(w, operands[0]) == UNKNOWN ? known(w, operands[0]) : NONE;
  kind all = UNKNOWN;
  for (unsigned i = 0; i < count; i++) {
    kind one = known(w, operands[i]);
    if (is_null(operands[i]) || LLVMIsUndef(operands[i]) || one == UNKNOWN || operands[i] == value)
      continue;
    all = all == UNKNOWN || one < all ? one : all;
  }
  return all;
}

static void find_kinds(web *w) {
  enum { MOST_ITERATIONS = 64 };
  bool more = true;
  for (int iteration = 0; more && iteration < MOST_ITERATIONS; iteration++) {
    more = false;
    for (size_t i = w->count; i-- > 0;) {
      kind is = find_kind(w, w->values[i]);
      if (is != known(w, w->values[i])) {
        uw_table_set(w->kinds, w->values[i], 1 + is);
        more = true;
      }
    }
  }
  for (size_t i = 0; more && i < w->count; i++) /* it did not come to rest: nothing is known */
    uw_table_set(w->kinds, w->values[i], 1 + NONE);
}

/* --- pointers in their place -------------------------------------------------------------------------------------- */

/* After the value, where its users can see it. */
static void position_after(web *w, LLVMValueRef value) {
  LLVMValueRef next;
  if (LLVMIsAInstruction(value)) {
    next = LLVMGetNextInstruction(value);
    while (next && LLVMIsAPHINode(next))
      next = LLVMGetNextInstruction(next);
  } else {
    LLVMValueRef function = LLVMGetParamParent(value);
    next = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  }
  LLVMPositionBuilderBefore(w->builder, next);
}

static LLVMValueRef generic(web *w, LLVMValueRef pointer) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0)
    return pointer;
  return LLVMIsConstant(pointer) ? LLVMConstAddrSpaceCast(pointer, pointer_type(w))
                                 : LLVMBuildAddrSpaceCast(w->builder, pointer, pointer_type(w), "");
}

static LLVMValueRef pointer_of(web *w, LLVMValueRef value);

/* An offset as a number of elements of 1 << shift bytes, as it is written in source: x of x << 2. */
static LLVMValueRef elements(web *w, LLVMValueRef offset, unsigned *shift) {
  LLVMOpcode extension = opcode_of(offset);
  bool extended = LLVMIsAInstruction(offset) && (extension == LLVMZExt || extension == LLVMSExt);
  LLVMValueRef inner = extended ? LLVMGetOperand(offset, 0) : offset;
  if (opcode_of(inner) != LLVMShl || !LLVMIsAInstruction(inner) || !LLVMIsAConstantInt(LLVMGetOperand(inner, 1)))
    return offset;
  if (extended && !(extension == LLVMSExt ? LLVMGetNSW(inner) : LLVMGetNUW(inner)))
    return offset;
  uint64_t by = LLVMConstIntGetZExtValue(LLVMGetOperand(inner, 1));
  if (by > 3)
    return offset;
  *shift = (unsigned)by;
  LLVMValueRef index = LLVMGetOperand(inner, 0);
  return extended ? LLVMBuildCast(w->builder, extension, index, LLVMTypeOf(offset), "") : index;
}

static LLVMValueRef sum_pointer(web *w, LLVMValueRef value) {
  LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
  bool from_left = known(w, left) > known(w, right);
  LLVMValueRef base = pointer_of(w, from_left ? left : right), offset = from_left ? right : left;
  if (LLVMIsConstant(value)) {
    int64_t bytes = LLVMConstIntGetSExtValue(offset);
    offset = LLVMConstInt(int_type(w, 64), (uint64_t)(opcode_of(value) == LLVMSub ? -bytes : bytes), true);
    return LLVMConstGEP2(int_type(w, 8), base, &offset, 1);
  }
  position_after(w, value);
  if (opcode_of(value) == LLVMSub)
    offset = LLVMBuildNeg(w->builder, offset, "");
  unsigned shift = 0;
  LLVMValueRef index = elements(w, LLVMBuildSExtOrBitCast(w->builder, offset, int_type(w, 64), ""), &shift);
  return LLVMBuildGEP2(w->builder, int_type(w, 8u << shift), base, &index, 1, "");
}

static LLVMValueRef phi_pointer(web *w, LLVMValueRef value) {
  LLVMPositionBuilderBefore(w->builder, value);
  LLVMValueRef phi = LLVMBuildPhi(w->builder, pointer_type(w), "");
  uw_table_set(w->pointers, value, (intptr_t)phi);
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
    LLVMValueRef from = pointer_of(w, LLVMGetIncomingValue(value, i));
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(value, i);
    LLVMAddIncoming(phi, &from, &block, 1);
  }
  return phi;
}

/* What is loaded is loaded as a pointer. */
static LLVMValueRef load_pointer(web *w, LLVMValueRef load) {
  LLVMPositionBuilderBefore(w->builder, load);
  LLVMValueRef fresh = LLVMBuildLoad2(w->builder, pointer_type(w), LLVMGetOperand(load, 0), "");
  LLVMSetAlignment(fresh, LLVMGetAlignment(load));
  return fresh;
}

static LLVMValueRef pointer_of(web *w, LLVMValueRef value) {
  LLVMValueRef made = (LLVMValueRef)uw_table_get(w->pointers, value), source = source_pointer(value);
  LLVMOpcode opcode = opcode_of(value);
  if (made)
    return made;
  if (is_null(value))
    return LLVMConstNull(pointer_type(w));
  if (LLVMIsUndef(value))
    return LLVMGetUndef(pointer_type(w));
  if (source) {
    if (LLVMIsAInstruction(value))
      position_after(w, value);
    made = generic(w, source);
  } else if (is_sum(value)) {
    made = sum_pointer(w, value);
  } else if (opcode == LLVMPHI) {
    return phi_pointer(w, value);
  } else if (opcode == LLVMSelect) {
    LLVMValueRef yes = pointer_of(w, LLVMGetOperand(value, 1)), no = pointer_of(w, LLVMGetOperand(value, 2));
    position_after(w, value);
    made = LLVMBuildSelect(w->builder, LLVMGetOperand(value, 0), yes, no, "");
  } else if (opcode == LLVMFreeze || opcode == LLVMZExt || opcode == LLVMTrunc) {
    made = pointer_of(w, LLVMGetOperand(value, 0));
  } else if (opcode == LLVMLoad) {
    made = load_pointer(w, value);
  } else {
    position_after(w, value);
    made = LLVMBuildIntToPtr(w->builder, value, pointer_type(w), "");
  }
  uw_table_set(w->pointers, value, (intptr_t)made);
  return made;
}

/* Users of the integer get that of the pointer, so that the two are not carried side by side. */
static void replace_number(web *w, LLVMValueRef value) {
  LLVMValueRef pointer = (LLVMValueRef)uw_table_get(w->pointers, value);
  if (!pointer || !LLVMIsAInstruction(value) || source_pointer(value) || width(value) != 64 ||
      LLVMIsAConstant(pointer) || opcode_of(value) == LLVMCall || opcode_of(value) == LLVMExtractValue)
    return;
  LLVMValueRef after = LLVMIsAInstruction(pointer) ? pointer : NULL;
  if (!after)
    return;
  position_after(w, LLVMIsAPHINode(value) || opcode_of(value) == LLVMFreeze || opcode_of(value) == LLVMZExt ? value
                                                                                                            : after);
  LLVMValueRef number = LLVMBuildPtrToInt(w->builder, pointer, int_type(w, 64), "");
  LLVMReplaceAllUsesWith(value, number);
}

/* --- where addresses are used ------------------------------------------------------------------------------------- */

static bool completes(const web *w, LLVMValueRef op) {
  return w->complete && LLVMIsACallInst(op) && LLVMGetCalledValue(op) == w->complete;
}

static LLVMValueRef address_operand(const web *w, LLVMValueRef op) {
  if (LLVMIsAIntToPtrInst(op) || completes(w, op))
    return LLVMGetOperand(op, 0);
  return NULL;
}

static void recover_in(web *w, LLVMValueRef function) {
  w->kinds = uw_table_create(w->arena);
  w->pointers = uw_table_create(w->arena);
  w->count = 0;
  LLVMValueRef *uses = NULL;
  size_t count = 0, capacity = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (address_operand(w, op) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(op, 0))) == LLVMIntegerTypeKind) {
        uses = uw_grow(w->arena, uses, count, &capacity, sizeof *uses);
        uses[count++] = op;
        collect(w, address_operand(w, op));
      }
  find_kinds(w);
  for (size_t i = 0; i < count; i++) {
    LLVMValueRef address = address_operand(w, uses[i]);
    kind is = known(w, address);
    if (is != STRONG && (is != WEAK || completes(w, uses[i])))
      continue;
    LLVMReplaceAllUsesWith(uses[i], pointer_of(w, address));
  }
  size_t values = w->count;
  for (size_t i = 0; i < values; i++)
    replace_number(w, w->values[i]);
}

/* --- parameters of kernels ---------------------------------------------------------------------------------------- */

static bool is_pointer_parameter(LLVMValueRef parameter) {
  if (LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMIntegerTypeKind || width(parameter) != 64)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use))
    if (LLVMIsAIntToPtrInst(LLVMGetUser(use))) /* as recover_in leaves it */
      return true;
  return false;
}

/* The same kernel with pointers where its integers are used as such. */
static void retype_kernel(web *w, LLVMValueRef kernel) {
  unsigned count = LLVMCountParams(kernel), pointers = 0;
  LLVMTypeRef *types = uw_alloc(w->arena, (count + 1) * sizeof *types);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(kernel, i);
    bool pointer = is_pointer_parameter(parameter);
    types[i] = pointer ? pointer_type(w) : LLVMTypeOf(parameter);
    pointers += pointer;
  }
  if (!pointers)
    return;
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(w->context), types, count, false);
  LLVMValueRef fresh = LLVMAddFunction(w->module, "", type);
  LLVMSetFunctionCallConv(fresh, LLVMGetFunctionCallConv(kernel));
  LLVMSetLinkage(fresh, LLVMGetLinkage(kernel));
  for (unsigned i = 0; i <= count + 1; i++) { /* the function's own, the result's, the parameters' */
    LLVMAttributeIndex index = i ? (LLVMAttributeIndex)(i - 1) : LLVMAttributeFunctionIndex;
    unsigned of = LLVMGetAttributeCountAtIndex(kernel, index);
    LLVMAttributeRef *list = uw_alloc(w->arena, (of + 1) * sizeof *list);
    LLVMGetAttributesAtIndex(kernel, index, list);
    bool changed = i > 1 && types[i - 2] != LLVMTypeOf(LLVMGetParam(kernel, i - 2));
    for (unsigned k = 0; k < of && !changed; k++)
      LLVMAddAttributeAtIndex(fresh, index, list[k]);
  }
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(w->context, fresh, ""), last = entry;
  for (LLVMBasicBlockRef block; (block = LLVMGetFirstBasicBlock(kernel)); last = block)
    LLVMMoveBasicBlockAfter(block, last);
  LLVMPositionBuilderAtEnd(w->builder, entry);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef old = LLVMGetParam(kernel, i), parameter = LLVMGetParam(fresh, i);
    size_t length;
    const char *name = LLVMGetValueName2(old, &length);
    LLVMSetValueName2(parameter, name, length);
    if (types[i] != LLVMTypeOf(old))
      parameter = LLVMBuildPtrToInt(w->builder, parameter, LLVMTypeOf(old), "");
    LLVMReplaceAllUsesWith(old, parameter);
  }
  LLVMBuildBr(w->builder, LLVMGetNextBasicBlock(entry));
  size_t length;
  const char *name = uw_arena_format(w->arena, "%s", LLVMGetValueName2(kernel, &length));
  LLVMReplaceAllUsesWith(kernel, fresh);
  LLVMDeleteFunction(kernel);
  LLVMSetValueName2(fresh, name, strlen(name));
}

static void set_inlined(LLVMContextRef context, LLVMValueRef function, bool inlined) {
  unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12),
           never = LLVMGetEnumAttributeKindForName("noinline", 8);
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, inlined ? never : always);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, inlined ? always : never, 0));
}

/* After what else computes offsets: elements where bytes are counted still. */
void uw_ptx_recover_elements(uw_program *program) {
  web w = {.context = program->context, .builder = LLVMCreateBuilderInContext(program->context)};
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef value = LLVMGetFirstInstruction(block), next; value; value = next) {
        next = LLVMGetNextInstruction(value);
        if (!LLVMIsAGetElementPtrInst(value) || LLVMGetNumOperands(value) != 2 ||
            LLVMGetGEPSourceElementType(value) != int_type(&w, 8) ||
            LLVMTypeOf(LLVMGetOperand(value, 1)) != int_type(&w, 64))
          continue;
        unsigned shift = 0;
        LLVMPositionBuilderBefore(w.builder, value);
        LLVMValueRef index = elements(&w, LLVMGetOperand(value, 1), &shift);
        if (!shift)
          continue;
        LLVMReplaceAllUsesWith(
            value, LLVMBuildGEP2(w.builder, int_type(&w, 8u << shift), LLVMGetOperand(value, 0), &index, 1, ""));
        LLVMInstructionEraseFromParent(value);
      }
  LLVMDisposeBuilder(w.builder);
}

void uw_ptx_recover_pointers(uw_program *program) {
  LLVMModuleRef module = program->device;
  enum { INLINE_THRESHOLD = 4000 };
  web w = {.arena = program->arena,
           .module = module,
           .context = program->context,
           .builder = LLVMCreateBuilderInContext(program->context),
           .complete = LLVMGetNamedFunction(module, "__ptx_shared_address")};
  if (w.complete)
    set_inlined(w.context, w.complete, false);
  uw_run_llvm(
      module,
      "globaldce,function(sroa,early-cse),always-inline,"
      "cgscc(inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)),globaldce",
      INLINE_THRESHOLD);
  for (int iteration = 0; iteration < 2; iteration++) { /* a parameter that is a pointer makes sums with it known */
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
      next = LLVMGetNextFunction(f);
      if (LLVMIsDeclaration(f))
        continue;
      recover_in(&w, f);
      if (LLVMGetFunctionCallConv(f) == LLVMPTXKernelCallConv)
        retype_kernel(&w, f);
    }
    uw_run_llvm(module, "function(instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
  }
  w.complete = LLVMGetNamedFunction(module, "__ptx_shared_address");
  if (w.complete)
    set_inlined(w.context, w.complete, true);
  LLVMDisposeBuilder(w.builder);
}
