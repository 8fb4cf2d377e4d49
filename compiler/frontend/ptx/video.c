/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The scalar video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset. (PTX ISA, "Scalar Video
 * Instructions".) Their forms are too many for a function each:
 *
 *     vadd.s32.u32.s32.sat.add  d, a.b0, b.h1, c;     d = limited(a.b0 + b.h1) + c
 *     vadd.u32.u32.u32          d.b2, a, b, c;        d = c, but for its byte 2
 *
 * All is computed in an integer that holds every value exactly; the lower 32 bits of it are the result.
 */
#include <string.h>

#include "ptx.h"

typedef LLVMValueRef (*combiner)(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b);

/* What stands beside the types of an opcode, and what follows from it. */
typedef struct video {
  const uw_ptx_opcode *opcode;
  LLVMTypeRef wide;
  bool is_signed[3]; /* of d, a, b */
  bool sat, wrap, clamp;
  bool plus_one;          /* of vmad: .po */
  unsigned scale;         /* of vmad: 7 or 15 bits */
  const char *second;     /* add, min or max; null: none */
  const char *comparison; /* of vset */
} video;

/* r.b2: where in the 32 bits of r, and how many. */
typedef struct part {
  uw_ptx_operand whole;
  unsigned from, bits;
} part;

static bool unsupported(uw_ptx_maker *m, const uw_ptx_opcode *opcode) { return uw_ptx_unsupported(m, opcode); }

static bool is(const video *v, const char *base) { return strcmp(v->opcode->parts[0], base) == 0; }

static LLVMValueRef number(const video *v, long long value) {
  return LLVMConstInt(v->wide, (unsigned long long)value, true);
}

/* --- the opcode --------------------------------------------------------------------------------------------------- */

static bool read_types(video *v) {
  const uw_ptx_opcode *opcode = v->opcode;
  size_t types = is(v, "vset") ? 2 : 3;
  if (opcode->type_count != types)
    return false;
  for (size_t i = 0; i < types; i++) {
    const char *name = opcode->types[i]->name;
    if (strcmp(name, "u32") && strcmp(name, "s32"))
      return false;
    v->is_signed[i + 3 - types] = name[0] == 's';
  }
  return (!is(v, "vshl") && !is(v, "vshr")) || !v->is_signed[2];
}

static bool read_modifier(video *v, const char *name) {
  bool shift = is(v, "vshl") || is(v, "vshr"), mad = is(v, "vmad"), set = is(v, "vset");
  if (strcmp(name, "sat") == 0)
    return !set && (v->sat = true);
  if (shift && (strcmp(name, "wrap") == 0 || strcmp(name, "clamp") == 0))
    return *(name[0] == 'w' ? &v->wrap : &v->clamp) = true;
  if (mad && strcmp(name, "po") == 0)
    return v->plus_one = true;
  if (mad && (strcmp(name, "shr7") == 0 || strcmp(name, "shr15") == 0))
    return v->scale = name[3] == '7' ? 7 : 15;
  if (!mad && (strcmp(name, "add") == 0 || strcmp(name, "min") == 0 || strcmp(name, "max") == 0))
    return v->second = name;
  if (!set || v->comparison)
    return false;
  v->comparison = name;
  return true;
}

static bool read_opcode(uw_ptx_maker *m, video *v) {
  bool wider = is(v, "vmad") || is(v, "vshl"); /* products and shifted integers of 65 bits */
  v->wide = uw_ptx_int(m, wider ? 128 : 64);
  bool ok = read_types(v);
  for (size_t i = 1; ok && i < v->opcode->count; i++)
    ok = uw_ptx_type_named(v->opcode->parts[i]) || read_modifier(v, v->opcode->parts[i]);
  bool shift = is(v, "vshl") || is(v, "vshr");
  if (!ok || (shift && v->wrap == v->clamp) || (is(v, "vset") && !v->comparison))
    return unsupported(m, v->opcode);
  return true;
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* A register of a vector may be named so, too: that one is whole. */
static part part_of(uw_ptx_maker *m, const uw_ptx_operand *operand) {
  static const struct {
    const char *name;
    unsigned from, bits;
  } known[] = {{"b0", 0, 8}, {"b1", 8, 8}, {"b2", 16, 8}, {"b3", 24, 8}, {"h0", 0, 16}, {"h1", 16, 16}};
  part p = {*operand, 0, 32};
  p.whole.minus = false;
  const char *dot = operand->kind == UW_PTX_NAME ? strrchr(operand->name, '.') : NULL;
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
    if (strcmp(dot + 1, known[i].name) == 0 && !uw_ptx_find(m, operand->name)) {
      p.whole.name = uw_ptx_intern(m->names, operand->name, (size_t)(dot - operand->name));
      p.from = known[i].from, p.bits = known[i].bits;
    }
  return p;
}

static LLVMValueRef widened(uw_ptx_maker *m, const video *v, LLVMValueRef value, bool is_signed) {
  return is_signed ? LLVMBuildSExt(m->builder, value, v->wide, "") : LLVMBuildZExt(m->builder, value, v->wide, "");
}

/* Null: refused. */
static LLVMValueRef source(uw_ptx_maker *m, const video *v, const uw_ptx_operand *operand, bool is_signed) {
  part p = part_of(m, operand);
  LLVMTypeRef word = uw_ptx_int(m, 32);
  LLVMValueRef value = uw_ptx_value(m, &p.whole, word);
  if (!value)
    return NULL;
  value = LLVMBuildLShr(m->builder, value, LLVMConstInt(word, p.from, false), "");
  if (p.bits < 32)
    value = LLVMBuildTrunc(m->builder, value, uw_ptx_int(m, p.bits), "");
  return widened(m, v, value, is_signed);
}

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

static LLVMValueRef chosen(uw_ptx_maker *m, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(m->builder, LLVMBuildICmp(m->builder, predicate, a, b, ""), a, b, "");
}

static LLVMValueRef sum(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) { return LLVMBuildAdd(m->builder, a, b, ""); }

static LLVMValueRef difference(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSub(m->builder, a, b, "");
}

static LLVMValueRef least(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) { return chosen(m, LLVMIntSLT, a, b); }

static LLVMValueRef greatest(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) { return chosen(m, LLVMIntSGT, a, b); }

static LLVMValueRef distance(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) {
  return greatest(m, difference(m, a, b), difference(m, b, a));
}

static LLVMValueRef shift_left(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildShl(m->builder, a, b, "");
}

static LLVMValueRef shift_right(uw_ptx_maker *m, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAShr(m->builder, a, b, ""); /* what has no sign was extended with zeros */
}

static const struct {
  const char *name;
  combiner combine;
} combiners[] = {{"vadd", sum},      {"vsub", difference}, {"vabsdiff", distance}, {"vmin", least},
                 {"vmax", greatest}, {"vshl", shift_left}, {"vshr", shift_right},  {"add", sum},
                 {"min", least},     {"max", greatest}};

static combiner combiner_named(const char *name) {
  for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
    if (strcmp(combiners[i].name, name) == 0)
      return combiners[i].combine;
  return NULL;
}

/* Null: there is no such comparison. */
static LLVMValueRef compared(uw_ptx_maker *m, const video *v, LLVMValueRef a, LLVMValueRef b) {
  static const struct {
    const char *name;
    LLVMIntPredicate predicate;
  } known[] = {{"eq", LLVMIntEQ},  {"ne", LLVMIntNE},  {"lt", LLVMIntSLT},
               {"le", LLVMIntSLE}, {"gt", LLVMIntSGT}, {"ge", LLVMIntSGE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, v->comparison) == 0)
      return widened(m, v, LLVMBuildICmp(m->builder, known[i].predicate, a, b, ""), false);
  return NULL;
}

/* Null: refused. */
static LLVMValueRef first_result(uw_ptx_maker *m, const video *v, LLVMValueRef a, LLVMValueRef b) {
  if (v->clamp)
    b = chosen(m, LLVMIntULT, b, number(v, 32));
  if (v->wrap)
    b = LLVMBuildAnd(m->builder, b, number(v, 31), "");
  combiner combine = v->comparison ? NULL : combiner_named(v->opcode->parts[0]);
  LLVMValueRef result = combine ? combine(m, a, b) : compared(m, v, a, b);
  if (!result)
    unsupported(m, v->opcode);
  return result;
}

static LLVMValueRef limited(uw_ptx_maker *m, const video *v, LLVMValueRef value, unsigned bits, bool is_signed) {
  long long most = (1LL << (is_signed ? bits - 1 : bits)) - 1;
  value = least(m, value, number(v, most));
  return greatest(m, value, number(v, is_signed ? -most - 1 : 0));
}

/* --- the instructions --------------------------------------------------------------------------------------------- */

static bool store(uw_ptx_maker *m, const uw_ptx_operand *to, LLVMValueRef value) {
  return uw_ptx_store(m, to, LLVMBuildTrunc(m->builder, value, uw_ptx_int(m, 32), ""), false);
}

/* The value's lower bits in the place of a part of c. */
static LLVMValueRef merged(uw_ptx_maker *m, const video *v, const part *to, LLVMValueRef value, LLVMValueRef c) {
  long long mask = (1LL << to->bits) - 1;
  value = LLVMBuildAnd(m->builder, value, number(v, mask), "");
  value = LLVMBuildShl(m->builder, value, number(v, to->from), "");
  return LLVMBuildOr(m->builder, LLVMBuildAnd(m->builder, c, number(v, ~(mask << to->from)), ""), value, "");
}

static bool refuse_operands(uw_ptx_maker *m, const video *v) {
  return uw_ptx_refuse(m, "the PTX instruction '%s' is not supported with these operands", v->opcode->text);
}

bool uw_ptx_video(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  video v = {.opcode = opcode};
  if (!read_opcode(m, &v))
    return false;
  if (s->count < 3 || s->operands[0].minus || s->operands[1].minus || s->operands[2].minus)
    return refuse_operands(m, &v);
  part to = part_of(m, &s->operands[0]);
  bool merges = to.bits < 32, third = merges || v.second;
  if ((merges && v.second) || s->count != 3u + third || (third && s->operands[3].minus))
    return refuse_operands(m, &v);
  LLVMValueRef a = source(m, &v, &s->operands[1], v.is_signed[1]);
  LLVMValueRef b = a ? source(m, &v, &s->operands[2], v.is_signed[2]) : NULL;
  LLVMValueRef c = b && third ? uw_ptx_value(m, &s->operands[3], uw_ptx_int(m, 32)) : NULL;
  LLVMValueRef value = b && (c || !third) ? first_result(m, &v, a, b) : NULL;
  if (!value)
    return false;
  if (v.sat)
    value = limited(m, &v, value, to.bits, v.is_signed[0]);
  c = c ? widened(m, &v, c, v.is_signed[0]) : NULL;
  if (v.second)
    value = combiner_named(v.second)(m, value, c);
  return store(m, &to.whole, merges ? merged(m, &v, &to, value, c) : value);
}

/* vmad.dtype.atype.btype{.po}{.sat}{.shr7 or .shr15} d, {-}a, {-}b, {-}c: a minus before a or b is the product's. The
 * result has a sign where a, b or a minus has one. */
bool uw_ptx_video_mad(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  video v = {.opcode = opcode};
  if (!read_opcode(m, &v))
    return false;
  bool minus_product = s->count == 4 && s->operands[1].minus != s->operands[2].minus;
  bool minus_c = s->count == 4 && s->operands[3].minus, negates = minus_product || minus_c;
  if (s->count != 4 || s->operands[0].minus || (minus_product && minus_c) || (v.plus_one && negates))
    return refuse_operands(m, &v);
  uw_ptx_operand last = s->operands[3];
  last.minus = false;
  bool is_signed = v.is_signed[1] || v.is_signed[2] || negates;
  LLVMValueRef a = source(m, &v, &s->operands[1], v.is_signed[1]);
  LLVMValueRef b = a ? source(m, &v, &s->operands[2], v.is_signed[2]) : NULL;
  LLVMValueRef c = b ? uw_ptx_value(m, &last, uw_ptx_int(m, 32)) : NULL;
  if (!c)
    return false;
  LLVMValueRef value = LLVMBuildMul(m->builder, a, b, "");
  if (minus_product)
    value = LLVMBuildNeg(m->builder, value, "");
  if (minus_c) /* its bits are turned around before they are extended, and the one is added to the sum */
    c = LLVMBuildNot(m->builder, c, "");
  value = sum(m, value, widened(m, &v, c, is_signed));
  value = sum(m, value, number(&v, v.plus_one || minus_c));
  value = shift_right(m, value, number(&v, v.scale));
  return store(m, &s->operands[0], v.sat ? limited(m, &v, value, 32, is_signed) : value);
}
