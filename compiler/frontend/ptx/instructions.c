/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One PTX instruction. Those whose form depends on their operands are made here (the table at the end); every other is
 * a call of a function (functions.c). */
#include <string.h>

#include "ptx.h"

/* L2::cache_hint has an operand, the last: a policy that createpolicy made. */
static bool has_policy(const char *text) { return strstr(text, ".L2::cache_hint") != NULL; }

/* --- instructions whose form depends on their operands ------------------------------------------------------------ */

static bool expects(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s, size_t least,
                    size_t most) {
  return (s->count >= least && s->count <= most) ||
         uw_ptx_refuse(m, "the PTX instruction '%s' has %zu operands here", opcode->text, s->count);
}

static LLVMValueRef shifted(uw_ptx_maker *m, LLVMValueRef value, unsigned amount, bool left) {
  LLVMValueRef by = LLVMConstInt(LLVMTypeOf(value), amount, false);
  return left ? LLVMBuildShl(m->builder, value, by, "") : LLVMBuildLShr(m->builder, value, by, "");
}

/* mov d, a; mov {d, e}, a; mov d, {a, b}: the first part is the lowest. */
static bool make_mov(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (opcode->count != 2 || !opcode->type)
    return uw_ptx_unsupported(m, opcode);
  if (!expects(m, opcode, s, 2, 2))
    return false;
  const uw_ptx_operand *to = &s->operands[0], *from = &s->operands[1];
  unsigned bits = opcode->type->bits;
  LLVMTypeRef whole = uw_ptx_int(m, bits);
  LLVMValueRef value;
  if (from->kind == UW_PTX_VECTOR) {
    unsigned part = bits / (unsigned)from->count;
    value = LLVMConstInt(whole, 0, false);
    for (unsigned i = 0; i < from->count; i++) {
      LLVMValueRef piece = uw_ptx_value(m, &from->parts[i], uw_ptx_int(m, part));
      if (!piece)
        return false;
      piece = LLVMBuildZExtOrBitCast(m->builder, piece, whole, "");
      value = LLVMBuildOr(m->builder, value, shifted(m, piece, i * part, true), "");
    }
  } else {
    value = uw_ptx_value(m, from, from->kind == UW_PTX_DECIMAL ? uw_ptx_llvm_type(m, opcode->type) : whole);
  }
  if (!value)
    return false;
  if (to->kind != UW_PTX_VECTOR)
    return uw_ptx_store(m, to, value, false);
  unsigned part = bits / (unsigned)to->count;
  for (unsigned i = 0; i < to->count; i++) {
    LLVMValueRef piece = LLVMBuildTrunc(m->builder, shifted(m, value, i * part, false), uw_ptx_int(m, part), "");
    if (!uw_ptx_store(m, &to->parts[i], piece, false))
      return false;
  }
  return true;
}

static bool is_integer_type(const uw_ptx_type *type) {
  return type && (type->kind == UW_PTX_SIGNED || type->kind == UW_PTX_UNSIGNED);
}

/* cvt{.sat}.to.from among integers; with a floating point type it is a function. */
static bool make_cvt(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  const uw_ptx_type *from = opcode->type, *to = opcode->type_count == 2 ? opcode->types[0] : NULL;
  bool sat = uw_ptx_has(opcode, "sat");
  if (!is_integer_type(from) || !is_integer_type(to) || uw_ptx_has(opcode, "pack"))
    return uw_ptx_call_function(m, opcode, s);
  if (opcode->count != 3u + sat)
    return uw_ptx_unsupported(m, opcode);
  if (!expects(m, opcode, s, 2, 2))
    return false;
  LLVMValueRef value = uw_ptx_value(m, &s->operands[1], uw_ptx_int(m, from->bits));
  if (!value)
    return false;
  LLVMTypeRef wide = uw_ptx_int(m, 128), narrow = uw_ptx_int(m, to->bits);
  bool from_signed = from->kind == UW_PTX_SIGNED, to_signed = to->kind == UW_PTX_SIGNED;
  value = from_signed ? LLVMBuildSExt(m->builder, value, wide, "") : LLVMBuildZExt(m->builder, value, wide, "");
  if (sat) {
    LLVMValueRef ones = LLVMConstAllOnes(uw_ptx_int(m, to_signed ? to->bits - 1 : to->bits));
    LLVMValueRef most = LLVMBuildZExt(m->builder, ones, wide, "");
    LLVMValueRef least = to_signed ? LLVMBuildNot(m->builder, most, "") : LLVMConstInt(wide, 0, false);
    LLVMValueRef above = LLVMBuildICmp(m->builder, LLVMIntSGT, value, most, "");
    LLVMValueRef below = LLVMBuildICmp(m->builder, LLVMIntSLT, value, least, "");
    value = LLVMBuildSelect(m->builder, above, most, LLVMBuildSelect(m->builder, below, least, value, ""), "");
  }
  return uw_ptx_store(m, &s->operands[0], LLVMBuildTrunc(m->builder, value, narrow, ""), to_signed);
}

/* Comparisons: of unsigned, of signed, of floating point; 0 where there is none. */
static const struct {
  const char *name;
  int of_unsigned, of_signed, of_float;
} comparisons[] = {
    {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
    {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
    {"lt", LLVMIntULT, LLVMIntSLT, LLVMRealOLT},
    {"le", LLVMIntULE, LLVMIntSLE, LLVMRealOLE},
    {"gt", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT},
    {"ge", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE},
    {"lo", LLVMIntULT, 0, 0},
    {"ls", LLVMIntULE, 0, 0},
    {"hi", LLVMIntUGT, 0, 0},
    {"hs", LLVMIntUGE, 0, 0},
    {"equ", 0, 0, LLVMRealUEQ},
    {"neu", 0, 0, LLVMRealUNE},
    {"ltu", 0, 0, LLVMRealULT},
    {"leu", 0, 0, LLVMRealULE},
    {"gtu", 0, 0, LLVMRealUGT},
    {"geu", 0, 0, LLVMRealUGE},
    {"num", 0, 0, LLVMRealORD},
    {"nan", 0, 0, LLVMRealUNO},
};

static bool is_real_type(const uw_ptx_type *type) { return type->kind == UW_PTX_FLOAT || type->kind == UW_PTX_BFLOAT; }

/* Their predicate for this opcode and type; 0: none. */
static int predicate_of(const uw_ptx_opcode *opcode, const uw_ptx_type *type) {
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (uw_ptx_has(opcode, comparisons[i].name))
      return is_real_type(type)            ? comparisons[i].of_float
             : type->kind == UW_PTX_SIGNED ? comparisons[i].of_signed
                                           : comparisons[i].of_unsigned;
  return 0;
}

/* Pairs of halves are compared one by one: each[0] is the lower. The types: f16x2, bf16x2. */
static bool compare_pairs(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s,
                          LLVMValueRef each[2]) {
  const uw_ptx_type *half = strcmp(opcode->type->name, "f16x2") == 0    ? uw_ptx_type_named("f16")
                            : strcmp(opcode->type->name, "bf16x2") == 0 ? uw_ptx_type_named("bf16")
                                                                        : NULL;
  int predicate = half ? predicate_of(opcode, half) : 0;
  if (!predicate || s->count != 3)
    return uw_ptx_unsupported(m, opcode);
  LLVMValueRef pairs[2];
  for (size_t i = 0; i < 2; i++) {
    if (!(pairs[i] = uw_ptx_value(m, &s->operands[i + 1], uw_ptx_int(m, 32))))
      return false;
    pairs[i] = uw_ptx_flushed(m, opcode, pairs[i]);
  }
  for (unsigned part = 0; part < 2; part++) {
    LLVMValueRef sides[2];
    for (size_t i = 0; i < 2; i++) {
      LLVMValueRef bits = LLVMBuildTrunc(m->builder, shifted(m, pairs[i], 16 * part, false), uw_ptx_int(m, 16), "");
      sides[i] = LLVMBuildBitCast(m->builder, bits, uw_ptx_llvm_type(m, half), "");
    }
    each[part] = LLVMBuildFCmp(m->builder, (LLVMRealPredicate)predicate, sides[0], sides[1], "");
  }
  return true;
}

/* a CmpOp b {BoolOp c} of setp and set; *not_it is !(a CmpOp b) {BoolOp c}. */
static LLVMValueRef make_comparison(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s,
                                    const uw_ptx_type *type, LLVMValueRef *not_it) {
  static const char *const joins[] = {"and", "or", "xor"};
  LLVMTypeRef as = uw_ptx_llvm_type(m, type);
  LLVMValueRef left = uw_ptx_value(m, &s->operands[1], as), right = left ? uw_ptx_value(m, &s->operands[2], as) : NULL;
  if (!right)
    return NULL;
  bool real = is_real_type(type);
  int predicate = predicate_of(opcode, type);
  if (!predicate || type->kind == UW_PTX_PACKED) {
    uw_ptx_unsupported(m, opcode);
    return NULL;
  }
  left = uw_ptx_flushed(m, opcode, left), right = uw_ptx_flushed(m, opcode, right);
  LLVMValueRef it = real ? LLVMBuildFCmp(m->builder, (LLVMRealPredicate)predicate, left, right, "")
                         : LLVMBuildICmp(m->builder, (LLVMIntPredicate)predicate, left, right, "");
  *not_it = LLVMBuildNot(m->builder, it, "");
  if (s->count < 4)
    return it;
  LLVMValueRef other = uw_ptx_value(m, &s->operands[3], uw_ptx_int(m, 1));
  size_t join = 0;
  while (join < 3 && !uw_ptx_has(opcode, joins[join]))
    join++;
  if (!other || join == 3) {
    if (other)
      uw_ptx_unsupported(m, opcode);
    return NULL;
  }
  static const LLVMOpcode opcodes[] = {LLVMAnd, LLVMOr, LLVMXor};
  *not_it = LLVMBuildBinOp(m->builder, opcodes[join], *not_it, other, "");
  return LLVMBuildBinOp(m->builder, opcodes[join], it, other, "");
}

/* setp.CmpOp{.BoolOp}{.ftz}.type p|q, a, b, {!}c */
static bool make_setp(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!expects(m, opcode, s, 3, 4))
    return false;
  if (!opcode->type || opcode->count != s->count + uw_ptx_has(opcode, "ftz"))
    return uw_ptx_unsupported(m, opcode);
  LLVMValueRef not_it, it, each[2];
  if (opcode->type->kind == UW_PTX_PACKED) { /* p is of the lower, q of the upper */
    if (!compare_pairs(m, opcode, s, each))
      return false;
    it = each[0], not_it = each[1];
  } else {
    it = make_comparison(m, opcode, s, opcode->type, &not_it);
  }
  if (!it || !uw_ptx_store(m, &s->operands[0], it, false))
    return false;
  const char *second = s->operands[0].second;
  uw_ptx_operand other = {.kind = UW_PTX_NAME, .name = second};
  return !second || strcmp(second, "_") == 0 || uw_ptx_store(m, &other, not_it, false);
}

/* set of pairs: into a pair of the same type or an integer of 32 bits. */
static bool make_set_of_pairs(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s,
                              const uw_ptx_type *to) {
  LLVMValueRef each[2], pair = LLVMConstInt(uw_ptx_int(m, 32), 0, false);
  bool same = strcmp(to->name, opcode->type->name) == 0, brain = opcode->type->name[0] == 'b';
  if (!same && (to->bits != 32 || (to->kind != UW_PTX_UNSIGNED && to->kind != UW_PTX_SIGNED)))
    return uw_ptx_unsupported(m, opcode);
  if (!compare_pairs(m, opcode, s, each))
    return false;
  for (unsigned part = 0; part < 2; part++) {
    unsigned long long one = !same ? 0xffff : brain ? 0x3f80 : 0x3c00;
    LLVMValueRef yes = LLVMConstInt(uw_ptx_int(m, 32), one << 16 * part, false);
    LLVMValueRef chosen = LLVMBuildSelect(m->builder, each[part], yes, LLVMConstInt(uw_ptx_int(m, 32), 0, false), "");
    pair = LLVMBuildOr(m->builder, pair, chosen, "");
  }
  return uw_ptx_store(m, &s->operands[0], pair, false);
}

/* set.CmpOp{.BoolOp}{.ftz}.dtype.stype d, a, b, {!}c: all ones, or 1.0 */
static bool make_set(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!expects(m, opcode, s, 3, 4))
    return false;
  const uw_ptx_type *to = opcode->type_count == 2 ? opcode->types[0] : NULL;
  if (!to || opcode->count != s->count + 1 + uw_ptx_has(opcode, "ftz"))
    return uw_ptx_unsupported(m, opcode);
  if (opcode->type->kind == UW_PTX_PACKED)
    return make_set_of_pairs(m, opcode, s, to);
  LLVMValueRef not_it, it = make_comparison(m, opcode, s, opcode->type, &not_it);
  if (!it)
    return false;
  LLVMTypeRef bits = uw_ptx_int(m, to->bits); /* a choice of bits: what rounds to a bfloat is not in every libgcc */
  LLVMValueRef yes =
      is_real_type(to) ? LLVMConstBitCast(LLVMConstReal(uw_ptx_llvm_type(m, to), 1), bits) : LLVMConstAllOnes(bits);
  return uw_ptx_store(m, &s->operands[0], LLVMBuildSelect(m->builder, it, yes, LLVMConstNull(bits), ""), false);
}

/* selp.type d, a, b, p */
static bool make_selp(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!opcode->type || opcode->count != 2)
    return uw_ptx_unsupported(m, opcode);
  if (!expects(m, opcode, s, 4, 4))
    return false;
  LLVMTypeRef type = uw_ptx_llvm_type(m, opcode->type);
  LLVMValueRef a = uw_ptx_value(m, &s->operands[1], type), b = a ? uw_ptx_value(m, &s->operands[2], type) : NULL;
  LLVMValueRef p = b ? uw_ptx_value(m, &s->operands[3], uw_ptx_int(m, 1)) : NULL;
  return p && uw_ptx_store(m, &s->operands[0], LLVMBuildSelect(m->builder, p, a, b, ""), false);
}

/* slct{.ftz}.dtype.ctype d, a, b, c: c >= 0 ? a : b */
static bool make_slct(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  const uw_ptx_type *by = opcode->type, *type = opcode->type_count == 2 ? opcode->types[0] : NULL;
  if (!by || !type || by->bits != 32 || (by->kind != UW_PTX_SIGNED && by->kind != UW_PTX_FLOAT))
    return uw_ptx_unsupported(m, opcode);
  if (!expects(m, opcode, s, 4, 4))
    return false;
  LLVMTypeRef as = uw_ptx_llvm_type(m, type), by_type = uw_ptx_llvm_type(m, by);
  LLVMValueRef a = uw_ptx_value(m, &s->operands[1], as), b = a ? uw_ptx_value(m, &s->operands[2], as) : NULL;
  LLVMValueRef c = b ? uw_ptx_value(m, &s->operands[3], by_type) : NULL;
  if (!c)
    return false;
  c = uw_ptx_flushed(m, opcode, c);
  LLVMValueRef zero = LLVMConstNull(by_type);
  LLVMValueRef first = by->kind == UW_PTX_FLOAT ? LLVMBuildFCmp(m->builder, LLVMRealOGE, c, zero, "")
                                                : LLVMBuildICmp(m->builder, LLVMIntSGE, c, zero, "");
  return uw_ptx_store(m, &s->operands[0], LLVMBuildSelect(m->builder, first, a, b, ""), false);
}

void uw_ptx_set_block_scope(uw_ptx_maker *m, LLVMValueRef op) {
  static const char name[] = UW_SCOPE_OF_BLOCK;
  if (m->program->options.checks)
    LLVMSetAtomicSyncScopeID(op, LLVMGetSyncScopeID(LLVMGetTypeContext(LLVMTypeOf(op)), name, sizeof name - 1));
}

static bool make_fence(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!expects(m, opcode, s, 0, 0))
    return false;
  static const char *const known[] = {"sc",
                                      "acq_rel",
                                      "acquire",
                                      "release",
                                      "cta",
                                      "cluster",
                                      "gpu",
                                      "gl",
                                      "sys",
                                      "proxy",
                                      "async",
                                      "alias",
                                      "global",
                                      "shared",
                                      "shared::cluster",
                                      "mbarrier_init",
                                      "async::generic",
                                      "sync_restrict::shared",
                                      "sync_restrict::shared::cluster"};
  for (size_t i = 1, k; i < opcode->count; i++) {
    for (k = 0; k < sizeof known / sizeof *known && strcmp(known[k], opcode->parts[i]); k++)
      ;
    if (k == sizeof known / sizeof *known)
      return uw_ptx_unsupported(m, opcode);
  }
  LLVMAtomicOrdering order = uw_ptx_has(opcode, "acquire")   ? LLVMAtomicOrderingAcquire
                             : uw_ptx_has(opcode, "release") ? LLVMAtomicOrderingRelease
                                                             : LLVMAtomicOrderingSequentiallyConsistent;
  LLVMValueRef fence = LLVMBuildFence(m->builder, order, false, "");
  if (uw_ptx_has(opcode, "cta"))
    uw_ptx_set_block_scope(m, fence);
  return true;
}

/* createpolicy makes what only hints read. */
static bool make_policy(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  return expects(m, opcode, s, 1, 4) &&
         uw_ptx_store(m, &s->operands[0], LLVMConstInt(uw_ptx_int(m, 64), 0, false), false);
}

/* A prefetch, or what the caches need not write back. */
static bool make_nothing(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  return expects(m, opcode, s, 1, 2) && (!uw_ptx_has(opcode, "tensormap") || uw_ptx_unsupported(m, opcode));
}

static bool make_bra(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!expects(m, opcode, s, 1, 1))
    return false;
  LLVMBasicBlockRef target = s->operands[0].kind == UW_PTX_NAME ? uw_ptx_label_at(m, s->operands[0].name) : NULL;
  if (!target)
    return m->of
               ? uw_ptx_refuse(m, "there is no label of this name in these braces")
               : uw_ptx_refuse(m,
                               "a branch to a label outside of the asm is not supported: '%s' is not in this one, and "
                               "the code between two is the compiler's; put both into one asm",
                               s->operands[0].name ? s->operands[0].name : "");
  LLVMBuildBr(m->builder, target);
  LLVMPositionBuilderAtEnd(m->builder, uw_ptx_block(m));
  return true;
}

/* The thread ends: raise/ takes the unreachable after it for that. */
static bool make_exit(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!expects(m, opcode, s, 0, 0))
    return false;
  unsigned id = LLVMLookupIntrinsicID("llvm.nvvm.exit", strlen("llvm.nvvm.exit"));
  uw_ptx_call(m, LLVMGetIntrinsicDeclaration(m->program->device, id, NULL, 0), NULL, 0);
  LLVMBuildUnreachable(m->builder);
  LLVMPositionBuilderAtEnd(m->builder, uw_ptx_block(m));
  return true;
}

static bool make_ret(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!m->of)
    return uw_ptx_unsupported(m, opcode);
  if (!expects(m, opcode, s, 0, 0))
    return false;
  uw_ptx_return(m);
  LLVMPositionBuilderAtEnd(m->builder, uw_ptx_block(m));
  return true;
}

/* isspacep.space p, a: memory_kinds.c answers */
static bool make_isspacep(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!expects(m, opcode, s, 2, 2))
    return false;
  const char *name =
      uw_arena_format(m->program->arena, "llvm.nvvm.isspacep.%s", opcode->count == 2 ? opcode->parts[1] : "");
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef address = uw_ptx_value(m, &s->operands[1], uw_ptx_int(m, 64));
  if (!address)
    return false;
  if (!id)
    return uw_ptx_unsupported(m, opcode);
  LLVMValueRef pointer = LLVMBuildIntToPtr(m->builder, address, LLVMPointerTypeInContext(m->program->context, 0), "");
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(m->program->device, id, NULL, 0);
  return uw_ptx_store(m, &s->operands[0], uw_ptx_call(m, function, &pointer, 1), false);
}

/* Addresses are the same in each space, but for what is left of one in 32 bits. */
static bool make_cvta(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  if (!m->frame || s->count != 2 || opcode->count != 3 || strcmp(opcode->parts[1], "local") || opcode->type->bits != 64)
    return uw_ptx_call_function(m, opcode, s);
  LLVMValueRef address = uw_ptx_value(m, &s->operands[1], uw_ptx_int(m, 64));
  return address && uw_ptx_store(m, &s->operands[0], uw_ptx_local_address(m, address), false);
}

static const struct {
  const char *name;
  bool (*make)(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
} made_here[] = {
    {"mov", make_mov},
    {"cvta", make_cvta},
    {"cvt", make_cvt},
    {"setp", make_setp},
    {"set", make_set},
    {"selp", make_selp},
    {"slct", make_slct},
    {"ld", uw_ptx_load},
    {"ldu", uw_ptx_load},
    {"st", uw_ptx_store_memory},
    {"atom", uw_ptx_atomic},
    {"red", uw_ptx_atomic},
    {"vadd", uw_ptx_video},
    {"vsub", uw_ptx_video},
    {"vabsdiff", uw_ptx_video},
    {"vmin", uw_ptx_video},
    {"vmax", uw_ptx_video},
    {"vshl", uw_ptx_video},
    {"vshr", uw_ptx_video},
    {"vset", uw_ptx_video},
    {"vmad", uw_ptx_video_mad},
    {"wmma", uw_ptx_wmma},
    {"membar", make_fence},
    {"fence", make_fence},
    {"bra", make_bra},
    {"brx", uw_ptx_branch_indexed},
    {"call", uw_ptx_call_statement},
    {"ret", make_ret},
    {"exit", make_exit},
    {"isspacep", make_isspacep},
    {"createpolicy", make_policy},
    {"prefetch", make_nothing},
    {"prefetchu", make_nothing},
    {"pmevent", make_nothing},
    {"applypriority", make_nothing},
    {"discard", make_nothing},
};

bool uw_ptx_instruction(uw_ptx_maker *m, const uw_ptx_statement *s) {
  uw_ptx_opcode opcode;
  if (!uw_ptx_take_apart(m, s->opcode, &opcode))
    return false;
  uw_ptx_statement without;
  if (has_policy(s->opcode) && s->count) {
    without = *s;
    without.count--;
    s = &without;
  }
  LLVMBasicBlockRef after = NULL;
  if (s->guard) {
    uw_ptx_operand guard = {.kind = UW_PTX_NAME, .name = s->guard, .negated = s->guard_negated};
    LLVMValueRef holds = uw_ptx_value(m, &guard, uw_ptx_int(m, 1));
    if (!holds)
      return false;
    LLVMBasicBlockRef then = uw_ptx_block(m);
    after = uw_ptx_block(m);
    LLVMBuildCondBr(m->builder, holds, then, after);
    LLVMPositionBuilderAtEnd(m->builder, then);
  }
  size_t at = 0;
  while (at < sizeof made_here / sizeof *made_here && strcmp(made_here[at].name, opcode.parts[0]))
    at++;
  bool ok = at < sizeof made_here / sizeof *made_here ? made_here[at].make(m, &opcode, s)
                                                      : uw_ptx_call_function(m, &opcode, s);
  if (ok && after) {
    LLVMBuildBr(m->builder, after);
    LLVMPositionBuilderAtEnd(m->builder, after);
  }
  return ok;
}
