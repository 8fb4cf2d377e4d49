/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shapes of what is computed from bits of values that are a step apart: t & 15, t >> 4, t * 4 | 1, where t starts in
 * each packet at a multiple of the number of lanes. */
#ifndef UW_LANE_BITS_H
#define UW_LANE_BITS_H

#include "lane_shapes.h"

/* The bits in which the lanes' values may differ, shape.step apart from each to the next; 0 if a carry could reach
 * other bits. */
uint64_t uw_lane_bits(MlirOperation lanes, MlirValue value, uw_shape shape);

/* The shape of op, an operation on bits, a remainder or a quotient, if its first operand has the shape and its second
 * one is the same for all lanes. */
uw_shape uw_shape_of_bits(MlirOperation lanes, MlirOperation op, uw_shape shape);

#endif
