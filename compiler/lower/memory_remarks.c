/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks on how kernels go through memory, as loops stand when all passes are through: for each access of memory that
 * is not the block's own, how far one iteration of the loop around it (the next thread, or the next iteration of a
 * thread's loop) is from the one before. Told are those that take a cache line for each element:
 *
 *   a[i * n]                    neighbouring threads are n times 4 bytes apart
 *   a[(i * 4097) & (n - 1)]     neighbouring threads are 16388 bytes apart, up to where the index wraps around
 *   a[at[i]]                    … at addresses that are loaded: a gather
 */
#include <stdlib.h>

#include "../analysis/access_map.h"
#include "../analysis/uniformity.h"
#include "../ir/remarks.h"
#include "lower.h"

enum { LINE = 64, DEEPEST = 4 };

typedef struct steps {
  MlirOperation loop;
  MlirValue index;
  int64_t apart;         /* bytes, or of what `by` counts */
  bool wraps;            /* as far as that */
  MlirOperation unknown; /* what makes the rest of the address; null if nothing does */
  MlirValue by;          /* from outside of the loop; null if there is none */
} steps;

/* The loop whose iterations come one after the other at this operation; null if it has no index. */
static MlirOperation loop_around(MlirOperation op, MlirOperation outermost) {
  for (MlirOperation at = uw_parent(op); !uw_null(at); at = uw_parent(at)) {
    uw_kind_t kind = uw_kind(at);
    if (kind == UW_OP_SCF_WHILE)
      break;
    if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_FORALL || mlirOperationEqual(at, outermost))
      return at;
  }
  return (MlirOperation){NULL};
}

/* The same in all iterations, wherever it is computed? */
static bool is_fixed(MlirValue value, MlirOperation loop, int depth) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, loop))
    return true;
  if (uw_null(op) || depth == DEEPEST || uw_region_count(op) || !uw_speculatable(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_fixed(uw_operand(op, i), loop, depth + 1))
      return false;
  return true;
}

/* Adds what one iteration more makes of a sum. */
static void add_steps(steps *s, const uw_linear *sum, int64_t times, int depth) {
  for (size_t i = 0; i < sum->count; i++) {
    const uw_term *term = &sum->terms[i];
    bool scaled = term->scale.ptr != NULL, symbol_is = uw_same(term->symbol, s->index);
    if (symbol_is && !scaled) {
      s->apart += times * term->factor;
      continue;
    }
    if (scaled && (symbol_is || uw_same(term->scale, s->index))) {
      MlirValue other = symbol_is ? term->scale : term->symbol;
      if (uw_defined_inside(other, s->loop) || (s->by.ptr && !uw_same(s->by, other)))
        s->unknown = s->loop;
      s->by = other;
      s->apart += times * term->factor;
      continue;
    }
    if (scaled && uw_defined_inside(term->scale, s->loop))
      s->unknown = s->loop;
    if (is_fixed(term->symbol, s->loop, 0))
      continue;
    MlirOperation op = uw_def(term->symbol);
    uw_kind_t kind = uw_null(op) ? UW_OP_OTHER : uw_kind(op);
    bool is_rest = kind == UW_OP_ARITH_ANDI || kind == UW_OP_ARITH_REMSI || kind == UW_OP_ARITH_REMUI;
    if (!scaled && is_rest && depth < DEEPEST && !uw_defined_inside(uw_operand(op, 1), s->loop)) {
      uw_linear inner = uw_linear_of(uw_operand(op, 0));
      s->wraps = true;
      if (inner.known) {
        add_steps(s, &inner, times * term->factor, depth + 1);
        continue;
      }
    }
    int outside = kind != UW_OP_ARITH_MULI || scaled || s->by.ptr || depth == DEEPEST ? -1
                  : !uw_defined_inside(uw_operand(op, 1), s->loop)                    ? 1
                  : !uw_defined_inside(uw_operand(op, 0), s->loop)                    ? 0
                                                                                      : -1;
    if (outside >= 0) { /* a product of more than two values */
      uw_linear inner = uw_linear_of(uw_operand(op, (size_t)!outside));
      s->by = uw_operand(op, (size_t)outside);
      if (inner.known && !s->apart) {
        add_steps(s, &inner, times * term->factor, depth + 1);
        continue;
      }
    }
    s->unknown = uw_null(op) ? s->loop : op;
  }
}

static bool is_own(MlirValue address) {
  MlirOperation root = uw_address_root(address);
  return !uw_null(root) && (uw_kind(root) == UW_OP_SHARED || uw_kind(root) == UW_OP_LLVM_ALLOCA);
}

static bool threads_are_near(const uw_access *access, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue index = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  int64_t apart = uw_constant_stride(uw_stride_in(&access->address.offset, index));
  return apart && llabs(apart) < LINE;
}

/* What a kernel begins with, its parameters, has no column. */
static bool has_place(MlirOperation op) {
  char file[UW_FILE_ROOM];
  int line, column;
  return uw_find_place(mlirOperationGetLocation(op), file, sizeof file, &line, &column) && column > 0;
}

static void remark_access(const uw_access *access, MlirOperation outermost, uw_arena *arena) {
  uw_kind_t kind = uw_kind(access->op);
  bool stores = kind == UW_OP_LLVM_STORE;
  MlirOperation loop = loop_around(access->op, outermost);
  if (access->anywhere || !has_place(access->op) || (kind != UW_OP_LLVM_LOAD && !stores) || uw_null(loop) ||
      !access->address.offset.known || !access->bytes || access->bytes >= LINE ||
      is_own(uw_operand(access->op, stores)))
    return;
  MlirBlock body = uw_block(loop, 0);
  bool threads = uw_kind(loop) == UW_OP_SCF_FORALL;
  steps s = {.loop = loop, .index = mlirBlockGetArgument(body, threads ? mlirBlockGetNumArguments(body) - 1 : 0)};
  if (uw_defined_inside(access->address.base,
                        loop)) { /* a pointer that is loaded, or (chosen, computed) of which nothing is known */
    if (uw_kind(uw_def(access->address.base)) != UW_OP_LLVM_LOAD)
      return;
    s.unknown = uw_def(access->address.base);
  }
  add_steps(&s, &access->address.offset, 1, 0);
  const char *what = stores ? "store" : "load",
             *who = threads ? "neighbouring threads" : "one iteration of the loop and the next";
  MlirLocation here = mlirOperationGetLocation(access->op);
  if (!threads &&
      threads_are_near(access, outermost)) /* where lanes are vectors, this is for the threads that are left over */
    return;
  if (!uw_null(s.unknown) && uw_kind(s.unknown) == UW_OP_LLVM_LOAD)
    uw_remark(here, "memory",
              "%s at addresses that are loaded (%s): a %s, which may take a cache line for each element", what,
              uw_remark_line(arena, here, mlirOperationGetLocation(s.unknown)), stores ? "scatter" : "gather");
  else if (!uw_null(s.unknown)) /* clamped, chosen, of several loops: most are near, and nobody could act on it */
    return;
  else if (s.by.ptr && s.apart)
    uw_remark(here, "memory",
              "%s: %s are %lld bytes times a value of the launch's apart: where that is large, each element takes a "
              "cache line of its own",
              what, who, llabs((long long)s.apart));
  else if (llabs(s.apart) >= LINE)
    uw_remark(here, "memory", "%s: %s are %lld bytes apart%s: each element takes a cache line of its own", what, who,
              llabs((long long)s.apart), s.wraps ? ", up to where the index wraps around" : "");
}

void uw_remark_memory(MlirOperation loop, uw_arena *arena) {
  uw_accesses list = {0};
  uw_accesses_inside(arena, loop, &list);
  for (size_t i = 0; i < list.count; i++)
    remark_access(&list.at[i], loop, arena);
}
