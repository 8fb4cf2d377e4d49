/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums: see linear.h. */
#include "linear.h"

static const uw_linear unknown = {.known = false};

static uw_linear constant(int64_t number) { return (uw_linear){.known = true, .exact = true, .constant = number}; }

static uw_linear symbol(MlirValue value) {
  return (uw_linear){.known = true, .exact = true, .count = 1, .terms = {{value, {NULL}, 1}}};
}

static bool same_product(const uw_term *a, const uw_term *b) {
  return (uw_same(a->symbol, b->symbol) && uw_same(a->scale, b->scale)) ||
         (uw_same(a->symbol, b->scale) && uw_same(a->scale, b->symbol));
}

/* Adds one term; false if it does not fit. */
static bool add_term(uw_linear *sum, uw_term term) {
  for (size_t i = 0; i < sum->count; i++)
    if (same_product(&sum->terms[i], &term)) {
      if (__builtin_add_overflow(sum->terms[i].factor, term.factor, &sum->terms[i].factor))
        return false;
      if (sum->terms[i].factor == 0)
        sum->terms[i] = sum->terms[--sum->count];
      return true;
    }
  if (sum->count == UW_MAX_TERMS)
    return false;
  sum->terms[sum->count++] = term;
  return true;
}

uw_linear uw_linear_sum(const uw_linear *left, const uw_linear *right, int64_t factor) {
  if (!left->known || !right->known)
    return unknown;
  if (factor == 0)
    return *left;
  uw_linear sum = *left;
  int64_t product;
  sum.exact = left->exact && right->exact;
  if (__builtin_mul_overflow(right->constant, factor, &product) ||
      __builtin_add_overflow(sum.constant, product, &sum.constant))
    return unknown;
  for (size_t i = 0; i < right->count; i++) {
    uw_term term = right->terms[i];
    if (__builtin_mul_overflow(term.factor, factor, &term.factor) || !add_term(&sum, term))
      return unknown;
  }
  return sum;
}

bool uw_linear_equal(const uw_linear *left, const uw_linear *right) {
  uw_linear gap = uw_linear_sum(left, right, -1);
  return gap.known && gap.constant == 0 && gap.count == 0;
}

/* Each plain term of sum times a value, and the constant too. */
static uw_linear times_value(const uw_linear *sum, MlirValue value) {
  uw_linear product = constant(0);
  product.exact = sum->exact;
  if (sum->constant && !add_term(&product, (uw_term){value, {NULL}, sum->constant}))
    return unknown;
  for (size_t i = 0; i < sum->count; i++) {
    uw_term term = sum->terms[i];
    if (term.scale.ptr)
      return unknown;
    term.scale = value;
    if (!add_term(&product, term))
      return unknown;
  }
  return product;
}

static bool is_plain_symbol(const uw_linear *sum) {
  return sum->count == 1 && sum->constant == 0 && sum->terms[0].factor == 1 && !sum->terms[0].scale.ptr;
}

/* How sums are taken apart. A value that others share is come by once for each way to it: after so many steps what is
 * left stands as it is, which is always right. */
typedef struct reading {
  bool wide; /* only what comes out the same in 64 bits */
  int steps;
} reading;
enum { MOST_STEPS = 500 };

static uw_linear sum_of(MlirValue integer, reading *r);

static uw_linear multiply(MlirValue left, MlirValue right, reading *r) {
  uw_linear a = sum_of(left, r), b = sum_of(right, r), zero = constant(0);
  if (!a.known || !b.known)
    return unknown;
  uw_linear product = unknown;
  if (b.count == 0)
    product = uw_linear_sum(&zero, &a, b.constant);
  else if (a.count == 0)
    product = uw_linear_sum(&zero, &b, a.constant);
  else if (is_plain_symbol(&b))
    product = times_value(&a, b.terms[0].symbol);
  else if (is_plain_symbol(&a))
    product = times_value(&b, a.terms[0].symbol);
  product.exact = product.exact && a.exact && b.exact;
  return product;
}

/* May the arithmetic wrap within its type? Index arithmetic is ours and does not. */
static bool may_wrap(MlirOperation op) { return !mlirTypeIsAIndex(mlirValueGetType(uw_result(op, 0))) && uw_wraps(op); }

static unsigned width(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) ? 64 : mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

static uw_linear explained(MlirOperation op, reading *r) {
  uw_linear a, b;
  int64_t number;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    a = sum_of(uw_operand(op, 0), r);
    b = sum_of(uw_operand(op, 1), r);
    return uw_linear_sum(&a, &b, uw_kind(op) == UW_OP_ARITH_ADDI ? 1 : -1);
  case UW_OP_ARITH_MULI: return multiply(uw_operand(op, 0), uw_operand(op, 1), r);
  case UW_OP_ARITH_SHLI:
    if (!uw_const_value(uw_operand(op, 1), &number) || number < 0 || number > 30)
      return unknown;
    a = constant(0);
    b = sum_of(uw_operand(op, 0), r);
    return uw_linear_sum(&a, &b, (int64_t)1 << number);
  default: return unknown;
  }
}

/* Is the value, with its sign, what its operands' values make, modulo 2^64? */
static bool is_same_in_64(MlirOperation op) {
  bool shrinks = width(uw_result(op, 0)) < 64;
  int64_t number;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI: return true;
  case UW_OP_ARITH_INDEX_CAST: return !shrinks;
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI: return uw_const_value(uw_operand(op, 0), &number) && number >= 0;
  default: return !shrinks || uw_no_wrap(op, true);
  }
}

/* Made of indices of threads, blocks and iterations without a minus: such a sum has no sign to lose. */
static bool has_no_sign(const uw_linear *sum) {
  bool none = sum->constant >= 0;
  for (size_t i = 0; i < sum->count; i++)
    none = none && sum->terms[i].factor > 0 && mlirTypeIsAIndex(mlirValueGetType(sum->terms[i].symbol)) &&
           (!sum->terms[i].scale.ptr || mlirTypeIsAIndex(mlirValueGetType(sum->terms[i].scale)));
  return none;
}

/* Does a cast to more bits keep the value, with its sign? (One to fewer bits, of an index, does: it is small.) */
static bool keeps_number(MlirOperation cast, const uw_linear *sum) {
  bool drops_sign = uw_kind(cast) == UW_OP_ARITH_EXTUI || (uw_kind(cast) == UW_OP_ARITH_INDEX_CASTUI &&
                                                           !mlirTypeIsAIndex(mlirValueGetType(uw_operand(cast, 0))));
  return uw_kind(cast) != UW_OP_ARITH_TRUNCI && (!drops_sign || has_no_sign(sum));
}

static uw_linear sum_of(MlirValue integer, reading *r) {
  int64_t number;
  if (uw_const_value(integer, &number))
    return constant(number);
  MlirOperation op = uw_def(integer);
  if (width(integer) < 32 || r->steps-- <= 0 || (r->wide && !uw_null(op) && !is_same_in_64(op)))
    return symbol(integer);
  uw_linear sum = unknown;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
    if (width(uw_operand(op, 0)) < 32)
      return symbol(integer);
    sum = sum_of(uw_operand(op, 0), r);
    sum.exact = sum.exact && keeps_number(op, &sum);
    return sum;
  default: sum = explained(op, r);
  }
  if (!sum.known)
    return symbol(integer);
  /* A sum of 64 bits does not wrap within the 2^32 bytes that matter more often than one of 32 bits does; one rule for
   * both. */
  sum.exact = sum.exact && !may_wrap(op);
  return sum;
}

static uw_linear read_sum(MlirValue integer, bool wide) { return sum_of(integer, &(reading){wide, MOST_STEPS}); }

uw_linear uw_linear_of(MlirValue integer) { return read_sum(integer, false); }

uw_linear uw_linear_in_64(MlirValue integer) { return read_sum(integer, true); }

/* --- addresses ---------------------------------------------------------------------------------------------------- */

uint64_t uw_field_offset(MlirType type, intptr_t field) {
  uint64_t bytes = 0;
  bool packed = mlirLLVMStructTypeIsPacked(type);
  for (intptr_t i = 0; i <= field; i++) {
    MlirType element = mlirLLVMStructTypeGetElementType(type, i);
    uint64_t align = packed ? 1 : uw_type_align(element);
    bytes = (bytes + align - 1) / align * align;
    if (i < field)
      bytes += uw_type_bytes(element);
  }
  return bytes;
}

/* The bytes that a getelementptr adds. */
static uw_linear gep_offset(MlirOperation gep, bool wide) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
  if (mlirAttributeIsNull(constants) || mlirAttributeIsNull(element))
    return unknown;
  uw_linear sum = constant(0);
  MlirType type = mlirTypeAttrGetValue(element);
  size_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(constants); i++) {
    int32_t raw = mlirDenseI32ArrayGetElement(constants, i);
    bool dynamic = raw == INT32_MIN;
    uw_linear index = dynamic ? read_sum(uw_operand(gep, operand++), wide) : constant(raw);
    if (i == 0) {
      sum = uw_linear_sum(&sum, &index, (int64_t)uw_type_bytes(type));
    } else if (mlirTypeIsALLVMStructType(type)) {
      if (dynamic)
        return unknown;
      uw_linear offset = constant((int64_t)uw_field_offset(type, raw));
      sum = uw_linear_sum(&sum, &offset, 1);
      type = mlirLLVMStructTypeGetElementType(type, raw);
    } else if (uw_type_is_array(type)) {
      type = mlirLLVMArrayTypeGetElementType(type);
      sum = uw_linear_sum(&sum, &index, (int64_t)uw_type_bytes(type));
    } else {
      return unknown;
    }
  }
  return sum;
}

static uw_address address_of(MlirValue pointer, bool wide) {
  uw_address address = {pointer, constant(0)};
  for (;;) {
    MlirOperation op = uw_def(address.base);
    if (uw_kind(op) == UW_OP_LLVM_GEP) {
      uw_linear offset = gep_offset(op, wide);
      address.offset = uw_linear_sum(&address.offset, &offset, 1);
    } else if (uw_kind(op) != UW_OP_LLVM_BITCAST && uw_kind(op) != UW_OP_LLVM_ADDRSPACECAST) {
      return address;
    }
    address.base = uw_operand(op, 0);
  }
}

uw_address uw_address_of(MlirValue pointer) { return address_of(pointer, false); }

uw_address uw_address_in_64(MlirValue pointer) { return address_of(pointer, true); }

static bool sum_never_wraps(MlirValue integer, MlirOperation inside, bool is_signed, int *steps) {
  MlirOperation op = uw_def(integer);
  if (uw_null(op) || !uw_defined_inside(integer, inside))
    return true;
  if ((*steps)-- <= 0)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI: return sum_never_wraps(uw_operand(op, 0), inside, uw_kind(op) == UW_OP_ARITH_EXTSI, steps);
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
    return sum_never_wraps(uw_operand(op, 0), inside, uw_kind(op) == UW_OP_ARITH_INDEX_CAST, steps);
  case UW_OP_ARITH_TRUNCI:
    return width(uw_operand(op, 0)) == 64 && uw_no_wrap(op, is_signed) &&
           sum_never_wraps(uw_operand(op, 0), inside, is_signed, steps);
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    if (width(integer) < 64 && !uw_no_wrap(op, is_signed))
      return false;
    return sum_never_wraps(uw_operand(op, 0), inside, is_signed, steps) &&
           sum_never_wraps(uw_operand(op, 1), inside, is_signed, steps);
  default: return true;
  }
}

bool uw_never_wraps(MlirValue pointer, MlirOperation inside) {
  int steps = MOST_STEPS;
  for (MlirOperation op = uw_def(pointer); uw_kind(op) == UW_OP_LLVM_GEP; op = uw_def(uw_operand(op, 0)))
    for (size_t i = 1; i < uw_operand_count(op); i++)
      if (!sum_never_wraps(uw_operand(op, i), inside, true, &steps))
        return false;
  return true;
}

bool uw_gap_between(const uw_address *first, const uw_address *second, int64_t *bytes) {
  if (!uw_same(first->base, second->base))
    return false;
  uw_linear gap = uw_linear_sum(&second->offset, &first->offset, -1);
  if (!gap.known || gap.count != 0)
    return false;
  *bytes = gap.constant;
  return true;
}

bool uw_is_near(const uw_address *left, const uw_address *right, int64_t bytes) {
  int64_t gap;
  return uw_gap_between(left, right, &gap) && gap < bytes && gap > -bytes;
}
