/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A row of as many bytes as a register has (a cache line at most) is one load, and so many of them are as many columns
 * after two to four steps of shuffles, each of which keeps to 128 bits or moves these whole, as processors do. */
#include "squares.h"

#include "../../analysis/cpu.h"
#include "address_growth.h"

enum { LANE = 16 }; /* bytes: of the parts of a register that shuffles keep to */

static MlirValue shuffle(uw_builder *b, MlirValue left, MlirValue right, const int32_t *mask, int64_t count) {
  return uw_build1(b, "llvm.shufflevector", .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(b->context, (intptr_t)count, mask)}));
}

/* The halves of two registers, piece by piece: of each part of so many elements the lower (upper) half of its pieces,
 * in turn from both. part = count: of whole registers. */
static MlirValue interleave(uw_builder *b, MlirValue left, MlirValue right, int64_t count, int64_t part, int64_t piece,
                            bool upper) {
  int32_t mask[UW_MOST_ITERATIONS];
  for (int64_t i = 0; i < count; i++) {
    int64_t in_part = i % part,
            which = in_part / piece; /* the piece that this element belongs to, in the result's part */
    int64_t from = i - in_part + (upper ? part / 2 : 0) + which / 2 * piece + in_part % piece;
    mask[i] = (int32_t)(which % 2 ? count + from : from);
  }
  return shuffle(b, left, right, mask, count);
}

/* Every second part of 128 bits of two registers, one register's after the other's. */
static MlirValue second_parts(uw_builder *b, MlirValue left, MlirValue right, int64_t count, int64_t part, bool odd) {
  int32_t mask[UW_MOST_ITERATIONS];
  int64_t half = count / 2;
  for (int64_t i = 0; i < count; i++) {
    int64_t from = i % half, taken = (from / part * 2 + odd) * part + from % part;
    mask[i] = (int32_t)(i < half ? taken : count + taken);
  }
  return shuffle(b, left, right, mask, count);
}

/* Columns of a square, from its rows. First within parts of 128 bits, where rows that are neighbours become columns of
 * as many rows as a part has elements; then those parts move as a whole. */
static void transpose(uw_builder *b, MlirValue *rows, int64_t count, int64_t element_bytes) {
  MlirValue next[UW_MOST_ITERATIONS];
  int64_t part = LANE / element_bytes < count ? LANE / element_bytes : count;
  for (int64_t piece = 1; piece < part; piece *= 2) { /* row i + piece is turned into row i */
    for (int64_t group = 0; group < count; group += 2 * piece)
      for (int64_t i = 0; i < piece; i++) {
        next[group + 2 * i] = interleave(b, rows[group + i], rows[group + piece + i], count, part, piece, false);
        next[group + 2 * i + 1] = interleave(b, rows[group + i], rows[group + piece + i], count, part, piece, true);
      }
    for (int64_t i = 0; i < count; i++)
      rows[i] = next[i];
  }
  /* Row part * g + c now has column part * q + c of group g's rows in its part q. */
  for (int64_t groups = count / part, size = 1; size < groups; size *= 2) {
    for (int64_t g = 0; g < groups; g += 2)
      for (int64_t c = 0; c < part; c++) {
        next[g / 2 * part + c] = second_parts(b, rows[g * part + c], rows[(g + 1) * part + c], count, part, false);
        next[(g / 2 + groups / 2) * part + c] =
            second_parts(b, rows[g * part + c], rows[(g + 1) * part + c], count, part, true);
      }
    for (int64_t i = 0; i < count; i++)
      rows[i] = next[i];
  }
}

MlirValue uw_slot_at_line(uw_builder *b, int64_t bytes) {
  return uw_build1(b, "unwarp.slot", .in = VALS(uw_const_int(b, 64, bytes)), .out = TYPES(uw_ptr_type(b->context)),
                   .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, UW_CACHE_LINE)}));
}

static uw_named aligned_to(uw_builder *b, int64_t bytes) {
  return (uw_named){"alignment", uw_int_attr(b->context, 64, bytes)};
}

MlirValue uw_list_of(uw_builder *b, uw_builder *outside, MlirValue vector) {
  MlirType type = mlirValueGetType(vector);
  int64_t bytes = (int64_t)uw_type_bytes(uw_element_of(type));
  MlirValue list = uw_slot_at_line(outside, mlirShapedTypeGetDimSize(type, 0) * bytes);
  uw_build(b, "llvm.store", .in = VALS(vector, list), .attrs = ATTRS(aligned_to(b, bytes)));
  return list;
}

/* Of so many elements, those below count. */
static MlirValue first_ones(uw_builder *b, MlirValue count, int64_t elements) {
  MlirType type = mlirVectorTypeGet(1, &elements, uw_int_type(b->context, 32));
  int32_t numbers[UW_MOST_ITERATIONS];
  for (int32_t i = 0; i < elements; i++)
    numbers[i] = i;
  MlirValue places =
      uw_build1(b, "arith.constant", .out = TYPES(type),
                .attrs = ATTRS({"value", mlirDenseElementsAttrInt32Get(type, (intptr_t)elements, numbers)}));
  return uw_compare(b, UW_ULT, places, uw_splat(b, count, elements));
}

static MlirValue load_row(uw_builder *b, const uw_row_loads *rows, MlirValue address, MlirValue lane) {
  MlirType type = mlirVectorTypeGet(1, &rows->iterations, rows->element);
  if (!rows->counts.ptr)
    return uw_build1(b, "llvm.load", .in = VALS(address), .out = TYPES(type),
                     .attrs = ATTRS(aligned_to(b, rows->alignment)));
  MlirType count_type = uw_int_type(b->context, 32);
  MlirValue count = uw_build1(b, "llvm.load", .in = VALS(uw_add_elements(b, rows->counts, count_type, lane)),
                              .out = TYPES(count_type));
  MlirValue none = uw_build1(b, "ub.poison", .out = TYPES(type));
  return uw_build1(b, "llvm.intr.masked.load", .in = VALS(address, first_ones(b, count, rows->iterations), none),
                   .out = TYPES(type), .attrs = ATTRS({"alignment", uw_int_attr(b->context, 32, rows->alignment)}));
}

void uw_load_squares(uw_builder *b, const uw_row_loads *rows) {
  MlirType pointer = uw_ptr_type(b->context);
  int64_t bytes = (int64_t)uw_type_bytes(rows->element);
  MlirOperation squares = uw_build_for(b, uw_const_int(b, 64, 0), uw_const_int(b, 64, rows->lanes),
                                       uw_const_int(b, 64, rows->iterations), (uw_value_list){0});
  uw_builder in = {b->context, b->location, uw_block(squares, 0), {NULL}};
  MlirValue first = mlirBlockGetArgument(uw_block(squares, 0), 0), turned[UW_MOST_ITERATIONS];
  MlirValue of_square = uw_add_elements(&in, rows->starts, pointer, first),
            to = uw_add_elements(&in, rows->room, rows->element, first);
  for (int64_t i = 0; i < rows->iterations; i++) {
    MlirValue place = uw_const_int(&in, 64, i);
    MlirValue address =
        uw_build1(&in, "llvm.load", .in = VALS(uw_add_elements(&in, of_square, pointer, place)), .out = TYPES(pointer));
    if (rows->done.ptr)
      address = uw_add_elements(&in, address, rows->element, rows->done);
    turned[i] = load_row(&in, rows, address, rows->counts.ptr ? uw_binary(&in, "arith.addi", first, place) : first);
  }
  transpose(&in, turned, rows->iterations, bytes);
  for (int64_t i = 0; i < rows->iterations; i++)
    uw_build(&in, "llvm.store",
             .in = VALS(turned[i], uw_add_elements(&in, to, rows->element, uw_const_int(&in, 64, i * rows->lanes))),
             .attrs = ATTRS(aligned_to(&in, bytes)));
  uw_yield(uw_block(squares, 0), b->location, (uw_value_list){0});
}
