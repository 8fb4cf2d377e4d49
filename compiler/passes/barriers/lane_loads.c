/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads of neighbouring elements, each by lanes that are known at compile time, as one load of a vector:
 *
 *   parallel %l in 32 { %v = load %p[%l & 3] }      ==>      %a = load %p : vector<4>; shufflevector %a [0, 1, 2, 3, 0, …]
 *
 * as where each warp adds up again what the warps of its block found. Legal because all elements are loaded by some
 * lane anyway, and nothing is written between there and where the vector is loaded: what other lanes write before
 * it in the same stretch would race with this load. Called by lower_exchange.c. */
#include "lane_loads.h"

#include "../../analysis/linear.h"

static bool nothing_written(MlirOperation from, MlirOperation to) {
  for (MlirOperation op = from; !uw_same_op(op, to); op = uw_next(op))
    if (!uw_effect_free(op) && !uw_only_reads(op))
      return false;
  return true;
}

/* The bytes from base that each lane's address has. */
static bool offsets_of(MlirOperation loop, const uw_address *address, int64_t bytes[UW_LANES]) {
  if (!address->offset.known)
    return false;
  for (size_t l = 0; l < UW_LANES; l++)
    bytes[l] = address->offset.constant;
  for (size_t i = 0; i < address->offset.count; i++) {
    const uw_term *term = &address->offset.terms[i];
    MlirType type = mlirValueGetType(term->symbol);
    unsigned width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
    uint64_t lanes[UW_LANES];
    if (term->scale.ptr || !uw_lane_function(loop, term->symbol, lanes))
      return false;
    for (size_t l = 0; l < UW_LANES; l++)
      bytes[l] +=
          term->factor * (width >= 64 ? (int64_t)lanes[l] : (int64_t)(lanes[l] << (64 - width)) >> (64 - width));
  }
  return true;
}

static int64_t least_of(const int64_t bytes[UW_LANES]) {
  int64_t least = bytes[0];
  for (size_t l = 1; l < UW_LANES; l++)
    least = bytes[l] < least ? bytes[l] : least;
  return least;
}

/* Whole elements next to each other, each of some lane? */
static bool fill(uw_lane_load *load, const int64_t bytes[UW_LANES]) {
  int64_t size = (int64_t)uw_type_bytes(load->element);
  uint32_t hit = 0;
  load->offset = least_of(bytes);
  for (size_t l = 0; l < UW_LANES; l++) {
    int64_t distance = bytes[l] - load->offset;
    if (distance % size != 0 || distance / size >= UW_LANES)
      return false;
    load->from[l] = (int32_t)(distance / size);
    hit |= UINT32_C(1) << load->from[l];
  }
  load->count = 32 - __builtin_clz(hit);
  return (hit & (hit + 1)) == 0;
}

bool uw_find_lane_load(MlirOperation loop, MlirValue value, MlirOperation before, uw_lane_load *load) {
  MlirOperation op = uw_def(value);
  int64_t bytes[UW_LANES];
  if (uw_kind(op) != UW_OP_LLVM_LOAD || !uw_plain_access(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), uw_block(loop, 0)) || !nothing_written(op, before))
    return false;
  uw_address address = uw_address_in_64(uw_operand(op, 0));
  *load = (uw_lane_load){.base = address.base, .element = mlirValueGetType(value)};
  return !uw_defined_inside(address.base, loop) && offsets_of(loop, &address, bytes) && fill(load, bytes);
}

MlirValue uw_load_for_lanes(uw_builder *b, const uw_lane_load *load) {
  const int64_t shape[] = {load->count}, all[] = {UW_LANES};
  MlirType few = mlirVectorTypeGet(1, shape, load->element), lanes = mlirVectorTypeGet(1, all, load->element);
  MlirValue address = uw_add_bytes(b, load->base, uw_const_int(b, 64, load->offset));
  MlirValue elements =
      uw_build1(b, "llvm.load", .in = VALS(address), .out = TYPES(few),
                .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, (int64_t)uw_type_align(load->element))}));
  return uw_build1(b, "llvm.shufflevector", .in = VALS(elements, elements), .out = TYPES(lanes),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(b->context, UW_LANES, load->from)}));
}
