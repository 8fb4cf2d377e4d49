/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What threads keep of what they look at (stream compaction: each thread that keeps its element counts those before it)
 * is scattered, though it goes side by side. Where that may be so, the positions are looked at before the store:
 *
 *                                            %kept = compress %places, %mask      the positions of the lanes that store
 *   masked.scatter %v,                       if (%kept[i] == %kept[0] + i for all i < popcount %mask)
 *     base[%places], %mask              ==>     masked.store (compress %v, %mask), base[%kept[0]], first popcount %mask
 *                                            else
 *                                              masked.scatter %v, base[%places], %mask
 *
 * Takes scatters of LLVM's vectoriser and of passes/lanes/vectors.c, so it runs after LLVM's optimiser. One of several
 * registers is taken apart, a test for each: x86's back end takes compressions of several registers apart wrongly (LLVM
 * 22; -march=x86-64-v4, which prefers registers of 32 bytes).
 *
 * Legal because under the test the same lanes store the same values to the same positions, and no position twice.
 * Positions of 32 bits must not wrap around on the way, which is part of the test. A mask is frozen: it is used more
 * than once. Without any lane the test holds and nothing is stored.
 *
 * Done a) for elements of 4 and 8 bytes in functions for CPUs with AVX-512, which compresses and scatters them; b)
 * under a mask that is computed; c) where the positions may count: what they add up has something that came from memory
 * or is a count of bits. Multiples of them leave gaps, and indices of lanes with what all lanes share are rows that are
 * stored as such, or strided. The test is some ten instructions, where a scatter of 16 elements takes several dozen: a
 * loop of such stores takes 7% longer if the test never holds, and is 2.4 times as fast if it always does. Compressing
 * straight to memory takes a fifth longer on Zen 5 than by way of a register. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "../ir/shim.h"
#include "llvm-c/Target.h"
#include "code.h"

enum { MOST_LANES = 64, DEEPEST = 8 };

typedef struct scatter {
  LLVMValueRef call, value, address, mask;
  LLVMValueRef array, places; /* the address's parts; places before they were extended */
  LLVMValueRef offset;        /* or null: a constant that is added to all addresses, in offset_type's */
  LLVMTypeRef element, offset_type;
  bool narrow, is_signed;      /* places have 32 bits */
  unsigned lanes, bytes, part; /* of a register: so many lanes */
  struct scatter *next;
} scatter;

/* Is this from memory, or a count of bits, or a sum with such a part? */
static bool may_count(LLVMValueRef value, int depth) {
  static const char *const sources[] = {"llvm.masked.load", "llvm.masked.gather", "llvm.ctpop"};
  if (!LLVMIsAInstruction(value) || depth == DEEPEST)
    return false;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    if (uw_calls_intrinsic(value, sources[i]))
      return true;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMLoad: return true;
  case LLVMAdd:
  case LLVMSub:
  case LLVMOr: return may_count(LLVMGetOperand(value, 0), depth + 1) || may_count(LLVMGetOperand(value, 1), depth + 1);
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc:
  case LLVMFreeze: return may_count(LLVMGetOperand(value, 0), depth + 1);
  case LLVMSelect:
    return may_count(LLVMGetOperand(value, 1), depth + 1) || may_count(LLVMGetOperand(value, 2), depth + 1);
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
      if (may_count(LLVMGetIncomingValue(value, i), depth + 1))
        return true;
    return false;
  default: return false;
  }
}

static unsigned bits_of(LLVMValueRef vector) { return LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(vector))); }

static bool is_sum(LLVMValueRef address) {
  return LLVMIsAGetElementPtrInst(address) && LLVMGetNumOperands(address) == 2;
}

/* A scatter to elements of one array that might be compressed? */
static bool read_scatter(LLVMValueRef op, LLVMTargetDataRef layout, unsigned register_bytes, scatter *s) {
  if (!uw_calls_intrinsic(op, "llvm.masked.scatter"))
    return false;
  *s = (scatter){
      .call = op, .value = LLVMGetOperand(op, 0), .address = LLVMGetOperand(op, 1), .mask = LLVMGetOperand(op, 2)};
  LLVMTypeRef type = LLVMTypeOf(s->value), pointers = LLVMTypeOf(s->address);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetElementType(type));
  bool is_number = kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !is_number ||
      LLVMGetPointerAddressSpace(LLVMGetElementType(pointers)) != 0 || LLVMIsConstant(s->mask) || !is_sum(s->address))
    return false;
  s->array = s->address;
  if (is_sum(LLVMGetOperand(s->array, 0)) && LLVMIsAConstantInt(LLVMGetOperand(s->array, 1))) {
    s->offset = LLVMGetOperand(s->array, 1);
    s->offset_type = LLVMGetGEPSourceElementType(s->array);
    s->array = LLVMGetOperand(s->array, 0);
  }
  s->lanes = LLVMGetVectorSize(type);
  s->element = LLVMGetGEPSourceElementType(s->array);
  s->bytes = (unsigned)LLVMABISizeOfType(layout, LLVMGetElementType(type));
  s->places = LLVMGetOperand(s->array, 1);
  s->array = LLVMGetOperand(s->array, 0);
  if ((s->bytes != 4 && s->bytes != 8) || LLVMSizeOfTypeInBits(layout, LLVMGetElementType(type)) != 8 * s->bytes ||
      LLVMABISizeOfType(layout, s->element) != s->bytes || s->lanes < UW_COMPRESS_FEWEST || s->lanes > MOST_LANES ||
      (s->lanes & (s->lanes - 1)) != 0 || LLVMGetTypeKind(LLVMTypeOf(s->array)) != LLVMPointerTypeKind ||
      LLVMGetTypeKind(LLVMTypeOf(s->places)) != LLVMVectorTypeKind || bits_of(s->places) != 64 ||
      !may_count(s->places, 0))
    return false;
  LLVMValueRef from = LLVMIsASExtInst(s->places) || LLVMIsAZExtInst(s->places) ? LLVMGetOperand(s->places, 0) : NULL;
  if (from && bits_of(from) == 32) {
    s->narrow = true;
    s->is_signed = LLVMIsASExtInst(s->places);
    s->places = from;
  }
  unsigned most = register_bytes / (s->narrow && s->bytes == 4 ? 4 : 8);
  s->part = s->lanes < most ? s->lanes : most;
  return true;
}

/* --- building ----------------------------------------------------------------------------------------------------- */

typedef struct part {
  LLVMValueRef value, places, mask;
  unsigned lanes;
} part;

/* 0, 1, 2, … of that type of integer */
static LLVMValueRef numbers(LLVMTypeRef type, unsigned lanes) {
  LLVMValueRef all[MOST_LANES];
  for (unsigned i = 0; i < lanes; i++)
    all[i] = LLVMConstInt(type, i, 0);
  return LLVMConstVector(all, lanes);
}

static LLVMValueRef compressed(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef vector, LLVMValueRef mask,
                               LLVMValueRef rest) {
  LLVMTypeRef type = LLVMTypeOf(vector);
  return uw_call_intrinsic(module, b, "llvm.experimental.vector.compress", &type, 1,
                           (LLVMValueRef[]){vector, mask, rest}, 3);
}

static LLVMValueRef extended(LLVMBuilderRef b, const scatter *s, LLVMValueRef places) {
  LLVMTypeRef wide = LLVMInt64TypeInContext(LLVMGetTypeContext(s->element)), type = LLVMTypeOf(places);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    wide = LLVMVectorType(wide, LLVMGetVectorSize(type));
  return !s->narrow ? places : s->is_signed ? LLVMBuildSExt(b, places, wide, "") : LLVMBuildZExt(b, places, wide, "");
}

static void store_part(LLVMModuleRef module, const scatter *s, part p) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, s->call);
  LLVMTypeRef type = LLVMTypeOf(p.value), places_type = LLVMTypeOf(p.places),
              place_type = LLVMGetElementType(places_type);
  LLVMTypeRef bits = LLVMIntTypeInContext(context, p.lanes), count_type = LLVMInt32TypeInContext(context);
  LLVMValueRef offset = s->offset, zero = LLVMConstInt(count_type, 0, 0);
  LLVMValueRef base = offset ? LLVMBuildGEP2(b, s->offset_type, s->array, &offset, 1, "") : s->array;

  LLVMValueRef kept = compressed(module, b, p.places, p.mask, LLVMConstNull(places_type));
  LLVMValueRef first = LLVMBuildExtractElement(b, kept, zero, "");
  LLVMValueRef count = LLVMBuildZExt(b, LLVMBuildBitCast(b, p.mask, bits, ""), count_type, "");
  count = uw_call_intrinsic(module, b, "llvm.ctpop", &count_type, 1, &count, 1);
  LLVMValueRef stores =
      LLVMBuildICmp(b, LLVMIntULT, numbers(count_type, p.lanes), uw_in_each_lane(b, count, p.lanes), "");
  LLVMValueRef row = LLVMBuildAdd(b, uw_in_each_lane(b, first, p.lanes), numbers(place_type, p.lanes), "");
  LLVMValueRef off = LLVMBuildAnd(b, stores, LLVMBuildICmp(b, LLVMIntNE, kept, row, ""), "");
  LLVMValueRef side_by_side = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildBitCast(b, off, bits, ""), LLVMConstNull(bits), "");
  if (s->narrow) {
    unsigned long long most = (s->is_signed ? INT32_MAX : UINT32_MAX) - (p.lanes - 1);
    LLVMValueRef stays =
        LLVMBuildICmp(b, s->is_signed ? LLVMIntSLE : LLVMIntULE, first, LLVMConstInt(place_type, most, 0), "");
    side_by_side = LLVMBuildAnd(b, side_by_side, stays, "");
  }

  LLVMValueRef ends[2];
  uw_shim_split_if(side_by_side, s->call, ends);
  LLVMPositionBuilderBefore(b, ends[0]);
  LLVMValueRef place = extended(b, s, first), to = LLVMBuildGEP2(b, s->element, base, &place, 1, "");
  LLVMValueRef values = compressed(module, b, p.value, p.mask, LLVMGetPoison(type));
  const unsigned alignment = uw_alignment_of_masked(s->call);
  uw_build_masked(module, b, "llvm.masked.store", values, to, stores, alignment);

  LLVMPositionBuilderBefore(b, ends[1]);
  LLVMValueRef places = extended(b, s, p.places), addresses = LLVMBuildGEP2(b, s->element, base, &places, 1, "");
  uw_build_masked(module, b, "llvm.masked.scatter", p.value, addresses, p.mask, alignment);
  LLVMDisposeBuilder(b);
}

static void rewrite(LLVMModuleRef module, const scatter *s) {
  const unsigned lanes = s->part;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(b, s->call);
  LLVMValueRef mask = LLVMBuildFreeze(b, s->mask, "");
  for (unsigned first = 0; first < s->lanes; first += lanes) {
    LLVMPositionBuilderBefore(b, s->call);
    store_part(module, s,
               (part){uw_some_lanes(b, s->value, first, lanes), uw_some_lanes(b, s->places, first, lanes),
                      uw_some_lanes(b, mask, first, lanes), lanes});
  }
  LLVMDisposeBuilder(b);
  LLVMInstructionEraseFromParent(s->call);
  if (!LLVMGetFirstUse(s->address))
    LLVMInstructionEraseFromParent(s->address);
}

void uw_compress_stores(LLVMModuleRef module, LLVMTargetMachineRef machine, uw_arena *arena) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  scatter found, *all = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !uw_has_feature(f, "+avx512f") || !uw_has_feature(f, "+avx512vl"))
      continue;
    const unsigned bytes = uw_shim_register_bytes(machine, f);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (read_scatter(op, layout, bytes, &found)) {
          scatter *mine = uw_alloc(arena, sizeof *mine);
          *mine = found;
          mine->next = all;
          all = mine;
        }
  }
  for (; all; all = all->next) /* not before: what remains after the tests are scatters, too */
    rewrite(module, all);
}
