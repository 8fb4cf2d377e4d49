/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounding to odd: what is no float gives the neighbour whose last bit is set, so that a second rounding to fewer bits
 * is that of the exact value.
 */
#ifndef UW_PTX_ODD_H
#define UW_PTX_ODD_H

#include "ptx.h"

float __nv_double2float_rz(double);
UW_LOCAL float odd_float(double value) {
  float part = __nv_double2float_rz(value);
  return (double)part == value || value != value ? part : float_of_bits(float_bits(part) | 1);
}
UW_LOCAL double odd_sum(double left, double right) {
  double sum = left + right, rest = sum - left, lost = (left - (sum - rest)) + (right - rest);
  if (lost == 0 || !is_finite(sum))
    return sum;
  return double_of_bits(((lost > 0) == (sum > 0) ? double_bits(sum) : double_bits(sum) - 1) | 1);
}

#endif
