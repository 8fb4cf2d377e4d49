/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * wmma.load, wmma.store, wmma.mma: calls of libdevice/ptx/wmma.c with the shape as constants. (PTX ISA, "Warp Level
 * Matrix Instructions Using wmma".)
 *
 *     wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {…8 registers}, [p], stride;
 *     wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 {d…}, {a…}, {b…}, {c…};
 *
 * Fragments lie in our own order, which their layout in memory does not change: .row and .col of wmma.mma are read over.
 */
#include <stdio.h>
#include <string.h>

#include "ptx.h"

typedef struct shape {
  unsigned m, n, k;
} shape;

/* A type of A or B: of its elements, and the shapes that it has. */
typedef struct factor {
  const char *name;
  unsigned bits;
  shape shapes[3];
} factor;

static const factor factors[] = {
    {"f16", 16, {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}},
    {"bf16", 16, {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}},
    {"s8", 8, {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}},
    {"u8", 8, {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}},
    {"tf32", 32, {{16, 16, 8}}},
    {"f64", 64, {{8, 8, 4}}},
    {"s4", 4, {{8, 8, 32}}},
    {"u4", 4, {{8, 8, 32}}},
    {"b1", 1, {{8, 8, 128}}},
};

/* A matrix of an instruction, as libdevice sees it: B as its transpose, and elements of less than a byte by words. */
typedef struct matrix {
  unsigned rows, columns, bytes, registers; /* of 32 bits; of f64 of 64 */
  unsigned elements;                        /* that one of its elements stands for */
  bool by_rows;                             /* in memory */
} matrix;

typedef struct wmma {
  const uw_ptx_opcode *opcode;
  const char *parts[UW_PTX_PARTS]; /* in their usual order, without sync and aligned */
  size_t count;
  shape shape;
} wmma;

static bool unsupported(uw_ptx_maker *m, const wmma *w) { return uw_ptx_unsupported(m, w->opcode); }

static bool refuse_operands(uw_ptx_maker *m, const wmma *w) {
  return uw_ptx_refuse(m, "the PTX instruction '%s' is not supported with these operands", w->opcode->text);
}

/* --- the opcode --------------------------------------------------------------------------------------------------- */

static const char *part(const wmma *w, size_t i) { return i < w->count ? w->parts[i] : ""; }

static bool says(const wmma *w, size_t i, const char *text) { return strcmp(part(w, i), text) == 0; }

static bool is_layout(const wmma *w, size_t i) { return says(w, i, "row") || says(w, i, "col"); }

static bool read_shape(wmma *w, size_t i) {
  return sscanf(part(w, i), "m%un%uk%u", &w->shape.m, &w->shape.n, &w->shape.k) == 3;
}

static const factor *factor_named(const char *name) {
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    if (strcmp(factors[i].name, name) == 0)
      return &factors[i];
  return NULL;
}

static bool has_shape(const factor *f, shape s) {
  for (size_t i = 0; f && i < 3; i++)
    if (f->shapes[i].m == s.m && f->shapes[i].n == s.n && f->shapes[i].k == s.k)
      return true;
  return false;
}

/* Whether an accumulator of this type belongs to matrices of that one. */
static bool adds_up(const char *type, const char *of) {
  bool half = strcmp(of, "f16") == 0, single = half || strcmp(of, "bf16") == 0 || strcmp(of, "tf32") == 0;
  if (strcmp(type, "f16") == 0)
    return half;
  if (strcmp(type, "f32") == 0)
    return single;
  return strcmp(of, "f64") == 0 ? strcmp(type, "f64") == 0 : !single && strcmp(type, "s32") == 0;
}

/* C or D. */
static bool read_sum(const wmma *w, const char *type, matrix *x) {
  bool known = false;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    known |= adds_up(type, factors[i].name) && has_shape(&factors[i], w->shape);
  unsigned bytes = strcmp(type, "f64") == 0 ? 8 : strcmp(type, "f16") == 0 ? 2 : 4;
  unsigned each = w->shape.m * w->shape.n / 32;
  *x = (matrix){w->shape.m, w->shape.n, bytes, bytes == 2 ? each / 2 : each, 1, true};
  return known;
}

static bool read_factor(const wmma *w, bool right, const char *type, matrix *x) {
  const factor *f = factor_named(type);
  if (!has_shape(f, w->shape))
    return false;
  unsigned rows = right ? w->shape.n : w->shape.m, elements = f->bits < 8 ? 32 / f->bits : 1;
  unsigned bits = f->bits < 8 ? 32 : f->bits, columns = w->shape.k / elements;
  unsigned words = bits == 64 ? 1 : rows * columns * bits / 32 / 32;
  *x = (matrix){rows, columns, bits / 8, strcmp(type, "f16") ? words : 8, elements, !right};
  return true;
}

/* Where a part usually stands. */
static unsigned place_of(const char *part) {
  static const struct {
    const char *name;
    unsigned place;
  } known[] = {{"load", 0},   {"store", 0},  {"mma", 0}, {"a", 1},        {"b", 1},   {"c", 1},
               {"d", 1},      {"xor", 2},    {"and", 2}, {"popc", 3},     {"row", 4}, {"col", 4},
               {"global", 6}, {"shared", 6}, {"rn", 7},  {"satfinite", 9}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, part) == 0)
      return known[i].place;
  return uw_ptx_type_named(part) ? 8 : part[0] == 'm' ? 5 : 10;
}

static wmma take_apart(const uw_ptx_opcode *opcode) {
  enum { PLACES = 11 };
  wmma w = {.opcode = opcode};
  for (unsigned place = 0; place < PLACES; place++)
    for (size_t i = 1; i < opcode->count; i++)
      if (strcmp(opcode->parts[i], "sync") && strcmp(opcode->parts[i], "aligned") &&
          place_of(opcode->parts[i]) == place)
        w.parts[w.count++] = opcode->parts[i];
  return w;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static LLVMTypeRef register_type(uw_ptx_maker *m, const matrix *x) { return uw_ptx_int(m, x->bytes == 8 ? 64 : 32); }

static LLVMValueRef room_for(uw_ptx_maker *m, const matrix *x) {
  return uw_ptx_stack_room(m, LLVMArrayType2(register_type(m, x), x->registers));
}

static LLVMValueRef element(uw_ptx_maker *m, const matrix *x, LLVMValueRef room, unsigned i) {
  LLVMValueRef index = LLVMConstInt(uw_ptx_int(m, 64), i, false);
  return LLVMBuildGEP2(m->builder, register_type(m, x), room, &index, 1, "");
}

static bool fits(const uw_ptx_operand *list, const matrix *x) {
  return list->kind == UW_PTX_VECTOR ? list->count == x->registers : x->registers == 1;
}

static const uw_ptx_operand *register_of(const uw_ptx_operand *list, unsigned i) {
  return list->kind == UW_PTX_VECTOR ? &list->parts[i] : list;
}

/* The registers as an array; null: refused. */
static LLVMValueRef array_of(uw_ptx_maker *m, const wmma *w, const matrix *x, const uw_ptx_operand *list) {
  if (!fits(list, x)) {
    refuse_operands(m, w);
    return NULL;
  }
  LLVMValueRef room = room_for(m, x);
  for (unsigned i = 0; i < x->registers; i++) {
    LLVMValueRef value = uw_ptx_value(m, register_of(list, i), register_type(m, x));
    if (!value)
      return NULL;
    LLVMBuildStore(m->builder, value, element(m, x, room, i));
  }
  return room;
}

static bool store_array(uw_ptx_maker *m, const wmma *w, const matrix *x, const uw_ptx_operand *list,
                        LLVMValueRef room) {
  if (!fits(list, x))
    return refuse_operands(m, w);
  for (unsigned i = 0; i < x->registers; i++) {
    LLVMValueRef value = LLVMBuildLoad2(m->builder, register_type(m, x), element(m, x, room, i), "");
    if (!uw_ptx_store(m, register_of(list, i), value, false))
      return false;
  }
  return true;
}

/* --- the instructions --------------------------------------------------------------------------------------------- */

static LLVMValueRef number(uw_ptx_maker *m, unsigned bits, unsigned value) {
  return LLVMConstInt(uw_ptx_int(m, bits), value, false);
}

/* Of elements as libdevice sees them. Null: refused. */
static LLVMValueRef stride_of(uw_ptx_maker *m, const uw_ptx_statement *s, const matrix *x) {
  if (s->count < 3)
    return number(m, 32, x->by_rows ? x->columns : x->rows);
  LLVMValueRef stride = uw_ptx_value(m, &s->operands[2], uw_ptx_int(m, 32));
  return stride ? LLVMBuildUDiv(m->builder, stride, number(m, 32, x->elements), "") : NULL;
}

/* {load.a, store.d}.layout.shape{.space}.type; elements of less than a byte lie along k. */
static bool read_access(wmma *w, matrix *x) {
  static const char *const spaces[] = {"global", "shared"};
  const char *which = part(w, 1);
  size_t type = 4;
  for (size_t i = 0; i < 2; i++)
    type += says(w, 4, spaces[i]);
  if (!is_layout(w, 2) || !read_shape(w, 3) || w->count != type + 1 || !which[0] || which[1])
    return false;
  bool load = says(w, 0, "load"), right = which[0] == 'b', sum = which[0] == (load ? 'c' : 'd');
  if (!sum && (!load || (which[0] != 'a' && !right)))
    return false;
  if (!(sum ? read_sum(w, part(w, type), x) : read_factor(w, right, part(w, type), x)))
    return false;
  x->by_rows = says(w, 2, "row") != right;
  return x->elements == 1 || x->by_rows;
}

static bool make_access(uw_ptx_maker *m, wmma *w, const uw_ptx_statement *s) {
  matrix x;
  bool load = says(w, 0, "load");
  if (!read_access(w, &x))
    return unsupported(m, w);
  if (s->count < 2 || s->count > 3)
    return refuse_operands(m, w);
  LLVMValueRef address =
      uw_ptx_address(m, &s->operands[load], uw_ptx_has(w->opcode, "shared") ? UW_PTX_SHARED : UW_PTX_GENERIC);
  LLVMValueRef stride = address ? stride_of(m, s, &x) : NULL;
  LLVMValueRef room = !stride ? NULL : load ? room_for(m, &x) : array_of(m, w, &x, &s->operands[1]);
  if (!room)
    return false;
  LLVMValueRef arguments[8] = {address,
                               stride,
                               number(m, 32, x.rows),
                               number(m, 32, x.columns),
                               number(m, 32, x.bytes),
                               number(m, 1, x.by_rows)};
  unsigned count = 6;
  if (load)
    arguments[count++] = number(m, 32, x.bytes == 8 ? x.registers * 2 : x.registers);
  arguments[count++] = room;
  uw_ptx_call(m, uw_library_function(m->program, UW_LIBPTX, load ? "__ptx_wmma_load" : "__ptx_wmma_store"), arguments,
              count);
  return !load || store_array(m, w, &x, &s->operands[0], room);
}

/* mma{.xor.popc}.layout.layout.shape{.rn}.d{.a.b}.c{.satfinite}: the matrices, and what libdevice calls the product. */
static bool read_product(wmma *w, matrix of[4], const char **name, bool *limits) {
  size_t at = 1;
  bool bits = (says(w, 1, "xor") || says(w, 1, "and")) && says(w, 2, "popc");
  const char *operation = bits ? part(w, 1) : NULL;
  at += bits ? 2 : 0;
  if (!is_layout(w, at) || !is_layout(w, at + 1) || !read_shape(w, at + 2))
    return false;
  at += 3;
  at += says(w, at, "rn");
  *limits = says(w, w->count - 1, "satfinite");
  size_t types = w->count - at - *limits;
  if (types != 2 && types != 4)
    return false;
  const char *d = part(w, at), *a = types == 4 ? part(w, at + 1) : "f16", *b = types == 4 ? part(w, at + 2) : a;
  const char *c = part(w, at + types - 1);
  bool one_bit = strcmp(a, "b1") == 0, integer = strcmp(c, "s32") == 0;
  *name = one_bit ? operation : a;
  return strcmp(a, b) == 0 && one_bit == bits && adds_up(d, a) && adds_up(c, a) && read_factor(w, false, a, &of[1]) &&
         read_factor(w, true, b, &of[2]) && read_sum(w, d, &of[0]) && read_sum(w, c, &of[3]) &&
         (!integer || one_bit || a[0] == 's' || a[0] == 'u');
}

static LLVMValueRef product_named(uw_ptx_maker *m, const char *type) {
  bool integer = (type[0] == 's' || type[0] == 'u') && type[2] == '\0';
  const char *name =
      uw_arena_format(m->program->arena, "__ptx_wmma_multiply_%s%s%s", type, integer ? "_" : "", integer ? type : "");
  return uw_library_function(m->program, UW_LIBPTX, name);
}

static bool make_product(uw_ptx_maker *m, wmma *w, const uw_ptx_statement *s) {
  matrix of[4];
  const char *name;
  bool limits;
  LLVMValueRef function = read_product(w, of, &name, &limits) ? product_named(m, name) : NULL;
  if (!function)
    return unsupported(m, w);
  if (s->count != 4)
    return refuse_operands(m, w);
  LLVMValueRef rooms[4] = {room_for(m, &of[0])};
  for (size_t i = 1; i < 4; i++)
    if (!(rooms[i] = array_of(m, w, &of[i], &s->operands[i])))
      return false;
  LLVMValueRef arguments[] = {number(m, 32, w->shape.m),
                              number(m, 32, w->shape.n),
                              number(m, 32, of[1].columns * of[1].bytes / 4),
                              number(m, 1, of[3].bytes == 2),
                              number(m, 1, of[0].bytes == 2),
                              number(m, 1, limits),
                              rooms[1],
                              rooms[2],
                              rooms[3],
                              rooms[0]};
  uw_ptx_call(m, function, arguments, sizeof arguments / sizeof *arguments);
  return store_array(m, w, &of[0], &s->operands[0], rooms[0]);
}

bool uw_ptx_wmma(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  wmma w = take_apart(opcode);
  if (says(&w, 0, "load") || says(&w, 0, "store"))
    return make_access(m, &w, s);
  return says(&w, 0, "mma") ? make_product(m, &w, s) : unsupported(m, &w);
}
