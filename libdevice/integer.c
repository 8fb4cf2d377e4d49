/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integer and bit functions, and casts between the bits of integers and floating point numbers.
 */
#include "libdevice.h"

UW_SHORT int __nv_abs(int value) { return value < 0 ? (int)(0u - (unsigned)value) : value; }
UW_SHORT long long __nv_llabs(long long value) {
  return value < 0 ? (long long)(0ull - (unsigned long long)value) : value;
}

#define MIN_MAX(prefix, type)                                                                                          \
  UW_SHORT type __nv_##prefix##min(type left, type right) { return right < left ? right : left; }                      \
  UW_SHORT type __nv_##prefix##max(type left, type right) { return left < right ? right : left; }
MIN_MAX(, int)
MIN_MAX(u, unsigned)
MIN_MAX(ll, long long)
MIN_MAX(ull, unsigned long long)

UW_SHORT int __nv_brev(int value) { return (int)__builtin_bitreverse32((unsigned)value); }
UW_SHORT long long __nv_brevll(long long value) { return (long long)__builtin_bitreverse64((uint64_t)value); }
UW_SHORT int __nv_clz(int value) { return __builtin_clzg((unsigned)value, 32); }
UW_SHORT int __nv_clzll(long long value) { return __builtin_clzg((unsigned long long)value, 64); }
UW_SHORT int __nv_ffs(int value) { return __builtin_ctzg((unsigned)value, -1) + 1; }
UW_SHORT int __nv_ffsll(long long value) { return __builtin_ctzg((unsigned long long)value, -1) + 1; }
UW_SHORT int __nv_popc(unsigned value) { return __builtin_popcount(value); }
UW_SHORT int __nv_popcll(unsigned long long value) { return __builtin_popcountll(value); }

/* Four bytes chosen from the eight of high:low by the low three bits of each nibble of the selector. */
UW_SHORT int __nv_byte_perm(int low, int high, int selector) {
  uint64_t bytes = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
  uint32_t nibbles = (uint32_t)selector;
  uint32_t byte0 = (uint32_t)(bytes >> (nibbles & 7) * 8) & 0xff;
  uint32_t byte1 = (uint32_t)(bytes >> (nibbles >> 4 & 7) * 8) & 0xff;
  uint32_t byte2 = (uint32_t)(bytes >> (nibbles >> 8 & 7) * 8) & 0xff;
  uint32_t byte3 = (uint32_t)(bytes >> (nibbles >> 12 & 7) * 8) & 0xff;
  return (int)(byte0 | byte1 << 8 | byte2 << 16 | byte3 << 24);
}

/* Products of the low 24 bits; high halves of full products. */
UW_SHORT int __nv_mul24(int left, int right) {
  int left24 = (int)((unsigned)left << 8) >> 8, right24 = (int)((unsigned)right << 8) >> 8;
  return (int)((unsigned)left24 * (unsigned)right24);
}
UW_SHORT unsigned __nv_umul24(unsigned left, unsigned right) { return (left & 0xffffff) * (right & 0xffffff); }
UW_SHORT int __nv_mulhi(int left, int right) { return (int)((long long)left * right >> 32); }
UW_SHORT unsigned __nv_umulhi(unsigned left, unsigned right) {
  return (unsigned)((unsigned long long)left * right >> 32);
}
UW_SHORT long long __nv_mul64hi(long long left, long long right) { return (long long)((__int128)left * right >> 64); }
UW_SHORT unsigned long long __nv_umul64hi(unsigned long long left, unsigned long long right) {
  return (unsigned long long)((unsigned __int128)left * right >> 64);
}

/* |left - right| + sum, modulo 2^32. */
UW_SHORT int __nv_sad(int left, int right, int sum) {
  unsigned distance = left > right ? (unsigned)left - (unsigned)right : (unsigned)right - (unsigned)left;
  return (int)(distance + (unsigned)sum);
}
UW_SHORT unsigned __nv_usad(unsigned left, unsigned right, unsigned sum) {
  return (left > right ? left - right : right - left) + sum;
}

/* Averages without overflow, rounded down and up. */
UW_SHORT int __nv_hadd(int left, int right) { return (int)(((long long)left + right) >> 1); }
UW_SHORT int __nv_rhadd(int left, int right) { return (int)(((long long)left + right + 1) >> 1); }
UW_SHORT int __nv_uhadd(unsigned left, unsigned right) {
  return (int)(unsigned)(((unsigned long long)left + right) >> 1);
}
UW_SHORT unsigned __nv_urhadd(unsigned left, unsigned right) {
  return (unsigned)(((unsigned long long)left + right + 1) >> 1);
}

UW_SHORT int __nv_float_as_int(float value) { return (int)float_bits(value); }
UW_SHORT unsigned __nv_float_as_uint(float value) { return float_bits(value); }
UW_SHORT float __nv_int_as_float(int bits) { return float_of_bits((uint32_t)bits); }
UW_SHORT float __nv_uint_as_float(unsigned bits) { return float_of_bits(bits); }
UW_SHORT unsigned long long __nv_double_as_longlong(double value) { return double_bits(value); }
UW_SHORT double __nv_longlong_as_double(long long bits) { return double_of_bits((uint64_t)bits); }
UW_SHORT int __nv_double2hiint(double value) { return (int)(uint32_t)(double_bits(value) >> 32); }
UW_SHORT int __nv_double2loint(double value) { return (int)(uint32_t)double_bits(value); }
UW_SHORT double __nv_hiloint2double(int high, int low) {
  return double_of_bits((uint64_t)(uint32_t)high << 32 | (uint32_t)low);
}
