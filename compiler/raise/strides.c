/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses that go along the threads by a stride that the launch gives, which most launches give as the one that makes
 * threads neighbours (incx of BLAS; the bytes of an element in PyTorch's element by element kernels):
 *
 *   load %x[muli %incx, %thread]        if (%incx == 1 && …)    loops with 1 in the place of %incx, …
 *                                  ==>  else                    loops as they were
 *
 * A stride is an integer that is a parameter or a field of one, times what depends on threadIdx.x, alone the index of
 * an address that is loaded from or stored to (what is added to it is a row or a plane: such strides are seldom 1).
 * Asked is about all strides of a kernel together.
 *
 * Not done where a) there are more strides, or more operations, than is reasonable twice; b) one stride would have to
 * be two numbers; c) the block shares memory: then the loops are about tiles.
 *
 * Beside analysis/access_map.h, which knows how far an address goes for one step of a loop around it. A kernel that is
 * raised has no loops over threads yet, and %incx * (block * size + thread) is a product of three, which is no term of
 * such a sum (linear.h): here only the shape of the product counts. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "../ir/remarks.h"
#include "raise.h"

enum { DEEPEST = 12 };

/* --- what depends on the thread ----------------------------------------------------------------------------------- */

static bool is_widening(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  return kind == UW_OP_ARITH_EXTSI || kind == UW_OP_ARITH_EXTUI || kind == UW_OP_ARITH_INDEX_CAST ||
         kind == UW_OP_ARITH_INDEX_CASTUI;
}

static bool depends_on_thread(MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || depth == 0 || uw_region_count(op))
    return false;
  if (uw_string_is(uw_name(op), "nvvm.read.ptx.sreg.tid.x"))
    return true;
  uw_kind_t kind = uw_kind(op);
  if (kind != UW_OP_ARITH_ADDI && kind != UW_OP_ARITH_MULI && kind != UW_OP_ARITH_SHLI && !is_widening(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (depends_on_thread(uw_operand(op, i), depth - 1))
      return true;
  return false;
}

/* --- what the launch gives ---------------------------------------------------------------------------------------- */

static bool is_parameter(MlirValue value, MlirOperation func, uw_given_stride *stride) {
  if (!mlirValueIsABlockArgument(value) || !mlirBlockEqual(uw_value_block(value), uw_block(func, 0)))
    return false;
  stride->parameter = (uint32_t)mlirBlockArgumentGetArgNumber(value);
  return true;
}

/* Is it an integer parameter, or a field of one? */
static bool is_given(MlirValue value, MlirOperation func, const uw_kernel *kernel, uw_given_stride *stride) {
  stride->value = value;
  stride->offset = -1;
  if (!mlirTypeIsAInteger(mlirValueGetType(value)))
    return false;
  if (is_parameter(value, func, stride))
    return true;
  MlirOperation load = uw_def(value);
  if (uw_kind(load) != UW_OP_LLVM_LOAD || !uw_plain_access(load))
    return false;
  return uw_field_of_parameter(uw_operand(load, 0), &stride->offset, &value) && is_parameter(value, func, stride) &&
         kernel->param_by_value[stride->parameter] && uw_parameter_is_only_read(value);
}

/* --- strides ------------------------------------------------------------------------------------------------------ */

/* Of an address that is element + %index alone: the index. */
static bool only_index(MlirOperation gep, MlirValue *index, int64_t *element) {
  if (uw_kind(gep) != UW_OP_LLVM_GEP || uw_operand_count(gep) != 2 ||
      mlirDenseArrayGetNumElements(uw_get_attr(gep, "rawConstantIndices")) != 1)
    return false;
  *index = uw_operand(gep, 1);
  *element = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(gep, "elem_type")));
  return *element > 0;
}

static bool find_stride(MlirOperation access, MlirOperation func, const uw_kernel *kernel, uw_given_stride *stride) {
  bool stores = uw_kind(access) == UW_OP_LLVM_STORE;
  if ((!stores && uw_kind(access) != UW_OP_LLVM_LOAD) || !uw_plain_access(access))
    return false;
  MlirValue index, value = stores ? uw_operand(access, 0) : uw_result(access, 0);
  int64_t element, bytes = (int64_t)uw_type_bytes(mlirValueGetType(value));
  if (!only_index(uw_def(uw_operand(access, stores)), &index, &element) || bytes < element || bytes % element)
    return false;
  while (!uw_null(uw_def(index)) && is_widening(uw_def(index)))
    index = uw_operand(uw_def(index), 0);
  stride->wanted = bytes / element;
  if (uw_null(uw_def(index)) || uw_kind(uw_def(index)) != UW_OP_ARITH_MULI)
    return false;
  for (size_t i = 0; i < 2; i++)
    if (is_given(uw_operand(uw_def(index), i), func, kernel, stride) &&
        depends_on_thread(uw_operand(uw_def(index), 1 - i), DEEPEST))
      return true;
  return false;
}

static bool is_same_place(const uw_given_stride *a, const uw_given_stride *b) {
  return a->parameter == b->parameter && a->offset == b->offset;
}

/* False: it would have to be two numbers, or there are too many. */
static bool add(uw_given_strides *all, const uw_given_stride *stride) {
  for (size_t i = 0; i < all->count; i++)
    if (is_same_place(&all->at[i], stride) && all->at[i].wanted != stride->wanted)
      return false;
  for (size_t i = 0; i < all->count; i++)
    if (uw_same(all->at[i].value, stride->value))
      return true;
  if (all->count == UW_MOST_STRIDES)
    return false;
  all->at[all->count++] = *stride;
  return true;
}

void uw_find_strides(uw_arena *arena, MlirOperation func, const uw_kernel *kernel, uw_given_strides *all) {
  uw_ops ops = uw_collect(arena, func);
  uw_given_stride stride;
  all->count = 0;
  for (size_t i = 0; i < ops.count && ops.count <= UW_MOST_COPIED; i++)
    if (uw_kind(ops.at[i]) == UW_OP_SHARED || (find_stride(ops.at[i], func, kernel, &stride) && !add(all, &stride))) {
      all->count = 0;
      return;
    }
}

MlirValue uw_strides_make_neighbours(uw_builder *b, const uw_given_strides *all, const MlirValue *parameters) {
  MlirValue result = {NULL};
  for (size_t i = 0; i < all->count; i++) {
    const uw_given_stride *stride = &all->at[i];
    MlirType type = mlirValueGetType(stride->value);
    MlirValue given = parameters[stride->parameter];
    if (stride->offset >= 0)
      given = uw_load_readonly(b, given, (size_t)stride->offset, type);
    MlirValue wanted = uw_const_int(b, mlirIntegerTypeGetWidth(type), stride->wanted);
    MlirValue is = uw_compare(b, UW_EQ, given, wanted);
    result = result.ptr ? uw_binary(b, "arith.andi", result, is) : is;
  }
  uw_remark(b->location, "launch",
            "threads are neighbours where %zu stride%s that the launch gives say%s so: asked at the launch, with loops "
            "for both answers",
            all->count, all->count == 1 ? "" : "s", all->count == 1 ? "s" : "");
  return result;
}

void uw_set_strides(MlirOperation func, const uw_given_strides *all) {
  for (size_t i = 0; i < all->count; i++) {
    const uw_given_stride *stride = &all->at[i];
    uw_builder b = uw_at_start(uw_block(func, 0), mlirOperationGetLocation(func));
    uw_replace_uses(stride->value,
                    uw_const_int(&b, mlirIntegerTypeGetWidth(mlirValueGetType(stride->value)), stride->wanted));
  }
}
