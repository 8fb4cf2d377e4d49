/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Computes addresses along a row of threads in 64 bits. Programs compute indices in 32 bits and extend the sum; whether
 * neighbouring threads are at neighbouring addresses then depends on whether the sum wraps around, which LLVM asks
 * before each loop, or gives up on.
 *
 *   %i = addi %b, %t nsw : i32                  %b64 = extsi %b        (before the loop)
 *   %l = extsi %i : i64                  ==>    %t64 = index_cast %t
 *   getelementptr %p[%l]                        getelementptr %p[addi %b64, %t64 nsw]
 *
 * Holds when a) the index is an extension of a sum or product whose parts are the same for all threads (from before the
 * thread loop, counters of loops, what follows from them alone), thread indices, of strided ones as coalesce_strided.c leaves them
 * too, and such sums; b) each of them is said
 * not to wrap in the sense of the extension (with sign, or without; with sign is as good where no part can be
 * negative): by the program, or by no_wrap_versions.c, which asks at the launch; c) the threads of a row have a distance that is a
 * small constant (what is gathered is gathered faster by indices of 32 bits).
 *
 * Legal because an extension of a sum that does not wrap is the sum of the extensions; where it wraps its value is
 * poison.
 *
 * Requires: nothing. Preserves: addresses. Refuses: all else, silently. */
#include <stdio.h>

#include "../../analysis/thresholds.h"
#include "../../analysis/linear.h"
#include "../../ir/parallel.h"
#include "../../ir/slices.h"
#include "../passes.h"
#include "wide.h"
#include "widen_indices.h"

enum { MOST_DEPTH = 16, MOST_SUMS = 3 /* bound of a search */ };

/* How a value from inside the loop is extended. */
typedef enum manner { PARTS = 1, WHOLE, NEITHER } manner;

typedef struct widening {
  MlirOperation loop; /* over threads */
  bool is_signed;
  uw_table *known; /* value -> manner */
} widening;

static bool is_own_index(const widening *w, MlirValue value) {
  return mlirTypeIsAIndex(mlirValueGetType(value)) && uw_null(uw_def(value)) &&
         mlirBlockEqual(uw_value_block(value), uw_block(w->loop, 0));
}

/* The index of a thread, as a 32-bit integer. In a slice of a block it is counted from the slice's first thread. */
static bool is_thread(const widening *w, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_kind(op) != UW_OP_ARITH_INDEX_CASTUI && uw_kind(op) != UW_OP_ARITH_INDEX_CAST)
    return false;
  MlirValue index = uw_operand(op, 0);
  return is_own_index(w, index) || (uw_is_index_in_slice(index) && uw_same_op(uw_parent(uw_def(index)), w->loop));
}

/* An index that is said to fit, cut to 32 bits: coalesce_strided.c. */
static bool is_cut(const widening *w, MlirValue value) {
  MlirOperation op = uw_def(value);
  return is_thread(w, value) || (!uw_null(op) && uw_is_exact(op, w->is_signed));
}

static bool is_counter(MlirValue value) {
  if (!uw_null(uw_def(value)))
    return false;
  MlirBlock block = uw_value_block(value);
  return uw_kind(mlirBlockGetParentOperation(block)) == UW_OP_SCF_FOR && uw_same(value, mlirBlockGetArgument(block, 0));
}

static MlirValue own_index_in_row(const widening *w) {
  MlirBlock body = uw_block(w->loop, 0);
  return mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
}

/* Does it follow from what is the same for all threads of a row alone: a row of data that is clamped? Then it is
 * extended as a whole. A wrong answer costs time only: what differs in a row is gathered faster by 32 bits. */
static bool is_same_for_row(const widening *w, MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, w->loop) || is_counter(value))
    return true;
  if (is_own_index(w, value))
    return !uw_same(value, own_index_in_row(w));
  if (uw_null(op) || depth == MOST_DEPTH || uw_region_count(op) > 0 ||
      !(uw_effect_free(op) || (uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op))))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_same_for_row(w, uw_operand(op, i), depth + 1))
      return false;
  return true;
}

/* Is it not negative, as a signed integer? */
static bool is_natural(const widening *w, MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  int64_t number;
  if (uw_const_value(value, &number))
    return number >= 0;
  if (is_counter(value)) {
    MlirOperation loop = mlirBlockGetParentOperation(uw_value_block(value));
    return mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")) && uw_const_value(uw_operand(loop, 0), &number) &&
           number >= 0;
  }
  if (is_thread(w, value))
    return true;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_MULI:
    return depth < MOST_DEPTH && uw_no_wrap(op, true) && is_natural(w, uw_operand(op, 0), depth + 1) &&
           is_natural(w, uw_operand(op, 1), depth + 1);
  case UW_OP_ARITH_SHLI:
    return depth < MOST_DEPTH && uw_no_wrap(op, true) && is_natural(w, uw_operand(op, 0), depth + 1);
  default: return false;
  }
}

/* Where no value is negative, what does not wrap with sign does not without either. */
static bool does_not_wrap(const widening *w, MlirOperation op) {
  return uw_no_wrap(op, w->is_signed) || (uw_kind(op) != UW_OP_ARITH_SUBI && is_natural(w, uw_result(op, 0), 0));
}

static bool can_widen(const widening *w, MlirValue value, int depth);

/* Is the extension the same operation on the extended parts? */
static bool has_parts(const widening *w, MlirOperation op, int depth) {
  if (depth == MOST_DEPTH)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_CONSTANT: return true;
  case UW_OP_ARITH_TRUNCI: /* of such a sum: induction.c */
    return w->is_signed && uw_no_wrap(op, true) && uw_type_bytes(mlirValueGetType(uw_operand(op, 0))) == 8;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
    return does_not_wrap(w, op) && can_widen(w, uw_operand(op, 0), depth + 1) &&
           can_widen(w, uw_operand(op, 1), depth + 1);
  case UW_OP_ARITH_SHLI: {
    int64_t amount;
    return does_not_wrap(w, op) && uw_const_value(uw_operand(op, 1), &amount) &&
           can_widen(w, uw_operand(op, 0), depth + 1);
  }
  default: return false;
  }
}

/* Can value be extended part by part? */
static bool can_widen(const widening *w, MlirValue value, int depth) {
  if (!uw_defined_inside(value, w->loop) || is_cut(w, value) || is_counter(value))
    return true;
  intptr_t known = uw_table_get(w->known, value.ptr);
  if (!known) {
    known = has_parts(w, uw_def(value), depth) ? PARTS : is_same_for_row(w, value, 0) ? WHOLE : NEITHER;
    uw_table_set(w->known, value.ptr, known);
  }
  return known != NEITHER;
}

static MlirValue widen(uw_builder *b, const widening *w, MlirValue value, uw_map *done) {
  MlirOperation op = uw_def(value);
  MlirType i64 = uw_int_type(b->context, 64);
  MlirValue wide = uw_map_get(done, value);
  if (wide.ptr)
    return wide;
  int64_t number;
  bool leaf = !uw_defined_inside(value, w->loop) || is_counter(value) || uw_table_get(w->known, value.ptr) == WHOLE;
  if (is_cut(w, value)) {
    wide = uw_build1(b, "arith.index_cast", .in = VALS(uw_operand(op, 0)), .out = TYPES(i64));
  } else if (uw_const_value(value, &number)) {
    wide = uw_const_int(b, 64, w->is_signed ? number : (int64_t)(uint32_t)number);
  } else if (leaf) {
    uw_builder place = uw_null(op) ? *b : uw_after(op);
    wide = uw_build1(&place, w->is_signed ? "arith.extsi" : "arith.extui", .in = VALS(value), .out = TYPES(i64));
  } else if (uw_kind(op) == UW_OP_ARITH_TRUNCI) {
    wide = uw_operand(op, 0);
  } else {
    const char *flag = w->is_signed ? "#arith.overflow<nsw>" : "#arith.overflow<nsw, nuw>";
    MlirValue left = widen(b, w, uw_operand(op, 0), done), right = widen(b, w, uw_operand(op, 1), done);
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)uw_name(op).length, uw_name(op).data);
    wide = uw_build1(b, name, .in = VALS(left, right), .out = TYPES(i64),
                     .attrs = ATTRS({"overflowFlags", uw_attr(b->context, flag)}));
  }
  uw_map_set(done, value, wide);
  return wide;
}

/* Neighbours in a row are at the same address, or at addresses a small constant apart. */
static bool is_dense(const widening *w, MlirValue value) {
  uw_linear sum = uw_linear_of(value);
  MlirValue row = own_index_in_row(w);
  for (size_t i = 0; i < sum.count; i++) {
    const uw_term *term = &sum.terms[i];
    bool own = uw_same(term->symbol, row) || (term->scale.ptr && uw_same(term->scale, row));
    if (own && (term->scale.ptr || term->factor > UW_WIDEN_MOST_STRIDE || term->factor < -UW_WIDEN_MOST_STRIDE))
      return false;
  }
  return sum.known;
}

/* Is the value, or a sum with it, an index of an address? */
static bool is_index(MlirValue number, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(number); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_sum = uw_kind(user) == UW_OP_ARITH_ADDI || uw_kind(user) == UW_OP_ARITH_SUBI;
    if (uw_kind(user) == UW_OP_LLVM_GEP || (is_sum && depth > 0 && is_index(uw_result(user, 0), depth - 1)))
      return true;
  }
  return false;
}

static bool widen_index(uw_arena *arena, MlirOperation extension) {
  widening w = {uw_parent_of_kind(extension, UW_OP_SCF_FORALL), uw_kind(extension) == UW_OP_ARITH_EXTSI,
                uw_table_create(arena)};
  MlirValue narrow = uw_operand(extension, 0);
  if (uw_null(w.loop) || !uw_is_over(w.loop, UW_OVER_THREADS))
    return false;
  uw_kind_t kind = uw_kind(uw_def(narrow));
  bool is_sum = kind == UW_OP_ARITH_ADDI || kind == UW_OP_ARITH_SUBI || kind == UW_OP_ARITH_MULI ||
                kind == UW_OP_ARITH_SHLI || kind == UW_OP_ARITH_TRUNCI || is_cut(&w, narrow);
  if (!is_sum || !uw_defined_inside(narrow, w.loop) || uw_type_bytes(mlirValueGetType(narrow)) != 4 ||
      uw_type_bytes(mlirValueGetType(uw_result(extension, 0))) != 8 || !is_index(uw_result(extension, 0), MOST_SUMS) ||
      !can_widen(&w, narrow, 0) || uw_table_get(w.known, narrow.ptr) == WHOLE || !is_dense(&w, narrow))
    return false;
  uw_builder b = uw_at(extension);
  uw_replace_uses(uw_result(extension, 0), widen(&b, &w, narrow, uw_map_create(arena)));
  uw_erase(extension);
  return true;
}

static bool widen_all(uw_arena *arena, MlirOperation root) {
  bool changed = false;
  static const uw_kind_t kinds[] = {UW_OP_ARITH_EXTSI, UW_OP_ARITH_EXTUI};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    uw_ops extensions = uw_collect_kind(arena, root, kinds[k]);
    for (size_t i = 0; i < extensions.count; i++)
      changed = widen_index(arena, extensions.at[i]) || changed;
  }
  return changed;
}

bool uw_widen_indices(uw_arena *arena, MlirOperation root) {
  bool changed = false;
  while (widen_all(arena, root)) /* what stood behind a truncation has become part of an index */
    changed = true;
  return changed;
}

uw_change uw_pass_widen_indices(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_widen_indices(ctx->arena, root) ? UW_CHANGED : UW_SAME;
}
