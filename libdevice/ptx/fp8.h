/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Floats of 8 bits as halves, which hold all their values: an e5m2 is the upper byte of one; an e4m3 has its exponent 8
 * lower, and a NaN where all bits but the sign are set.
 */
#ifndef UW_PTX_FP8_H
#define UW_PTX_FP8_H

#include "ptx.h"

UW_LOCAL uint16_t half_of_e5m2(uint32_t bits) { return (uint16_t)((bits & 0xff) << 8); }
UW_LOCAL uint16_t half_of_e4m3(uint32_t bits) {
  if ((bits & 0x7f) == 0x7f)
    return 0x7fff;
  return half_bits((_Float16)((float)half_of_bits((bits & 0x80) << 8 | (bits & 0x7f) << 7) * 256.0f));
}
#define HALVES_OF(type)                                                                                                \
  UW_LOCAL uint32_t halves_of_##type(uint32_t bits) { return both(half_of_##type(bits), half_of_##type(bits >> 8)); }
HALVES_OF(e5m2)
HALVES_OF(e4m3)

#endif
