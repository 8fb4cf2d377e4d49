/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums in index arithmetic: see wide.h. */
#include "wide.h"

#include "../../analysis/bounds.h"
#include "../../ir/slices.h"

enum { DEEPEST = 24, LARGEST = 1 << 24 /* bound: 64 bits hold the products */ };

/* What a value was taken apart to. */
typedef struct entry {
  uw_wide sum;
  MlirBlock block; /* that holds what was built of it */
  int depth;       /* at which it was met; 0 if nothing in it was left whole for its depth */
} entry;

struct uw_wides {
  uw_arena *arena;
  MlirOperation loop;
  bool modular;
  uw_table *entries[2]; /* value -> entry; read without a sign and with one */
  const uw_map *as;     /* or null */
};

typedef struct frame {
  uw_wides *known; /* null in uw_wide_value */
  uw_builder *b;
  MlirValue x;
  bool modular;
  size_t cut; /* how many values were left whole for their depth */
} frame;

static uw_wide take_apart(frame *f, MlirValue value, bool is_signed, int depth);

bool uw_is_exact(MlirOperation cast, bool is_signed) {
  return uw_attr_is_str(cast, UW_EXACT, is_signed ? "signed" : "unsigned");
}

static MlirValue thread_index(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  return mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
}

static MlirValue number(const frame *f, int64_t value) { return uw_const_index(f->b, value); }

static MlirValue sum(const frame *f, MlirValue left, MlirValue right) {
  return !left.ptr ? right : !right.ptr ? left : uw_binary(f->b, "arith.addi", left, right);
}

static MlirValue times(const frame *f, MlirValue value, int64_t factor) {
  return !value.ptr || factor == 1 ? value
         : factor == 0             ? (MlirValue){NULL}
                                   : uw_binary(f->b, "arith.muli", value, number(f, factor));
}

static MlirValue whole(const frame *f, const uw_wide *w) {
  MlirValue value = w->factor ? sum(f, w->rest, times(f, f->x, w->factor)) : w->rest;
  return value.ptr ? value : number(f, 0);
}

/* A constant for which `factor` is small enough to be multiplied. */
static bool is_number(const uw_wide *w, int64_t *value) {
  *value = 0;
  return w->factor == 0 && (!w->rest.ptr || uw_const_value(w->rest, value)) && *value > -LARGEST && *value < LARGEST;
}

static uw_wide constant(const frame *f, int64_t value) {
  return (uw_wide){0, value ? number(f, value) : (MlirValue){NULL}};
}

static const int64_t FAR = INT64_C(1) << 60;

int64_t uw_near_number(int64_t number, unsigned width, bool is_signed) {
  if (width < 64 && !is_signed)
    return number & ((INT64_C(1) << width) - 1);
  if (number > FAR || (number < 0 && !is_signed))
    return FAR;
  return number < -FAR ? -FAR : number;
}

MlirValue uw_near_index(uw_builder *b, MlirValue integer, bool is_signed) {
  uw_kind_t kind = uw_kind(uw_def(integer));
  MlirValue index = uw_build1(b, is_signed ? "arith.index_cast" : "arith.index_castui", .in = VALS(integer),
                              .out = TYPES(uw_index_type(b->context)));
  bool is_near =
      kind == UW_OP_ARITH_EXTUI || (kind == UW_OP_ARITH_EXTSI && is_signed); /* without sign (size_t)-1 is far */
  if (uw_int_width(integer) < 64 || is_near)
    return index;
  index = uw_binary(b, is_signed ? "arith.minsi" : "arith.minui", index, uw_const_index(b, FAR));
  return is_signed ? uw_binary(b, "arith.maxsi", index, uw_const_index(b, -FAR)) : index;
}

/* The value as it is, extended. */
static uw_wide leaf(const frame *f, MlirValue value, bool is_signed) {
  if (mlirTypeIsAIndex(mlirValueGetType(value)))
    return (uw_wide){0, value};
  if (f->modular && uw_int_width(value) == 64)
    return (uw_wide){
        0, uw_build1(f->b, "arith.index_cast", .in = VALS(value), .out = TYPES(uw_index_type(f->b->context)))};
  return (uw_wide){0, uw_near_index(f->b, value, is_signed)};
}

static bool does_not_wrap(const frame *f, MlirOperation op, bool is_signed) {
  MlirType type = mlirValueGetType(uw_result(op, 0));
  return mlirTypeIsAIndex(type) || (f->modular && mlirIntegerTypeGetWidth(type) == 64) || uw_no_wrap(op, is_signed);
}

static uw_wide product(const frame *f, const uw_wide *left, const uw_wide *right) {
  int64_t by;
  bool small = left->factor > -LARGEST && left->factor < LARGEST && right->factor > -LARGEST && right->factor < LARGEST;
  if (small && is_number(right, &by))
    return (uw_wide){left->factor * by, times(f, left->rest, by)};
  if (small && is_number(left, &by))
    return (uw_wide){right->factor * by, times(f, right->rest, by)};
  return (uw_wide){0, uw_binary(f->b, "arith.muli", whole(f, left), whole(f, right))};
}

static uw_wide choice(frame *f, MlirOperation op, bool is_signed, int depth) {
  int64_t known;
  if (uw_const_value(uw_operand(op, 0), &known))
    return take_apart(f, uw_operand(op, known & 1 ? 1 : 2), is_signed, depth);
  uw_wide yes = take_apart(f, uw_operand(op, 1), is_signed, depth),
          no = take_apart(f, uw_operand(op, 2), is_signed, depth);
  int64_t factor = yes.factor == no.factor ? yes.factor : 0;
  yes.factor -= factor;
  no.factor -= factor;
  return (uw_wide){factor, uw_select(f->b, uw_operand(op, 0), whole(f, &yes), whole(f, &no))};
}

/* The index of a thread in its block is small, also where it is counted from the first thread of a slice. */
static bool is_small_index(MlirValue index) {
  return uw_most_of_count(index) <= LARGEST || uw_is_index_in_slice(index);
}

static uw_wide take_apart_op(frame *f, MlirValue value, bool is_signed, int depth) {
  MlirOperation op = uw_def(value); /* which may have other results */
  int64_t known;
  bool from_index = false, subtracts = false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: {
    MlirValue from = uw_operand(op, 0);
    from_index = mlirTypeIsAIndex(mlirValueGetType(from));
    if (from_index ? uw_int_width(value) == 64 || uw_is_exact(op, is_signed) ||
                         (uw_int_width(value) == 32 && is_small_index(from))
                   : uw_int_width(from) >= 32)
      return take_apart(f, from, from_index ? is_signed : uw_kind(op) == UW_OP_ARITH_INDEX_CAST, depth + 1);
    break;
  }
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
    if (uw_int_width(uw_operand(op, 0)) == 32)
      return take_apart(f, uw_operand(op, 0), uw_kind(op) == UW_OP_ARITH_EXTSI, depth + 1);
    if (uw_const_value(uw_operand(op, 0), &known) && uw_int_width(uw_operand(op, 0)) == 1)
      return constant(f, known & 1 ? (uw_kind(op) == UW_OP_ARITH_EXTSI ? -1 : 1) : 0);
    break;
  case UW_OP_ARITH_SUBI: subtracts = true; /* fall through */
  case UW_OP_ARITH_ADDI:
    if (does_not_wrap(f, op, is_signed)) {
      uw_wide left = take_apart(f, uw_operand(op, 0), is_signed, depth + 1),
              right = take_apart(f, uw_operand(op, 1), is_signed, depth + 1);
      return (uw_wide){left.factor + (subtracts ? -right.factor : right.factor),
                       sum(f, left.rest, times(f, right.rest, subtracts ? -1 : 1))};
    }
    break;
  case UW_OP_ARITH_MULI:
    if (does_not_wrap(f, op, is_signed)) {
      uw_wide left = take_apart(f, uw_operand(op, 0), is_signed, depth + 1),
              right = take_apart(f, uw_operand(op, 1), is_signed, depth + 1);
      return product(f, &left, &right);
    }
    break;
  case UW_OP_ARITH_SHLI:
    if (does_not_wrap(f, op, is_signed) && uw_const_value(uw_operand(op, 1), &known) && known >= 0 && known < 20) {
      uw_wide left = take_apart(f, uw_operand(op, 0), is_signed, depth + 1), right = constant(f, (int64_t)1 << known);
      return product(f, &left, &right);
    }
    break;
  case UW_OP_ARITH_SELECT: return choice(f, op, is_signed, depth + 1);
  default: break;
  }
  return leaf(f, value, is_signed);
}

static bool is_around(MlirBlock block, MlirBlock inner) {
  while (!mlirBlockIsNull(inner) && !mlirBlockEqual(inner, block)) {
    MlirOperation around = mlirBlockGetParentOperation(inner);
    inner = uw_null(around) ? (MlirBlock){NULL} : mlirOperationGetBlock(around);
  }
  return !mlirBlockIsNull(inner);
}

/* Was it taken apart before, as far as it would be now, where that can be used? */
static const entry *find_entry(const frame *f, MlirValue value, bool is_signed, int depth) {
  const entry *known = (const entry *)uw_table_get(f->known->entries[is_signed], value.ptr);
  bool is_there = known && is_around(known->block, f->b->block);
  return is_there && known->depth <= depth ? known : NULL;
}

/* Each value once: it may be asked for along as many ways as there are choices before it, to the power of two. */
static uw_wide take_apart(frame *f, MlirValue value, bool is_signed, int depth) {
  int64_t number;
  for (MlirValue same = value; f->known->as && same.ptr; same = uw_map_get(f->known->as, value))
    value = same;
  if (uw_same(value, f->x))
    return (uw_wide){1, {NULL}};
  if (uw_const_value(value, &number))
    return constant(
        f, f->modular && uw_int_width(value) == 64 ? number : uw_near_number(number, uw_int_width(value), is_signed));
  MlirOperation op = uw_def(value);
  const entry *known = find_entry(f, value, is_signed, depth);
  if (known) {
    f->cut += known->depth > 0;
    return known->sum;
  }
  bool is_cut = depth == DEEPEST;
  size_t before = f->cut;
  f->cut += is_cut;
  uw_wide sum = uw_null(op) || is_cut || uw_int_width(value) < 32 ? leaf(f, value, is_signed)
                                                                  : take_apart_op(f, value, is_signed, depth);
  entry *made = uw_alloc(f->known->arena, sizeof *made);
  *made = (entry){sum, f->b->block, f->cut > before ? depth : 0};
  uw_table_set(f->known->entries[is_signed], value.ptr, (intptr_t)made);
  return sum;
}

uw_wides *uw_wides_create(uw_arena *arena, MlirOperation loop, bool modular) {
  uw_wides *known = uw_alloc(arena, sizeof *known);
  *known = (uw_wides){arena, loop, modular, {uw_table_create(arena), uw_table_create(arena)}, NULL};
  return known;
}

void uw_wides_read_as(uw_wides *known, const uw_map *as) { known->as = as; }

uw_wide uw_wide_of(uw_wides *known, uw_builder *b, MlirValue value, bool is_signed) {
  frame f = {known, b, thread_index(known->loop), known->modular, 0};
  return take_apart(&f, value, is_signed, 0);
}

MlirValue uw_wide_value(uw_builder *b, MlirOperation loop, const uw_wide *w) {
  frame f = {NULL, b, thread_index(loop), true, 0};
  return whole(&f, w);
}
