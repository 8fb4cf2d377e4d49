/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Logic and Shift Instructions", the bit instructions of "Integer Arithmetic Instructions", and prmt.
 */
#include "ptx.h"

#define LOGIC(ptx, type, ...)                                                                                          \
  PTX(type, and_##ptx)(type a, type b) { return (type)(a & b); }                                                       \
  PTX(type, or_##ptx)(type a, type b) { return (type)(a | b); }                                                        \
  PTX(type, xor_##ptx)(type a, type b) { return (type)(a ^ b); }                                                       \
  PTX(type, cnot_##ptx)(type a) { return a == 0; }
EACH_B(LOGIC, )
LOGIC(pred, bool, )
#define NOT(ptx, type, ...)                                                                                            \
  PTX(type, not_##ptx)(type a) { return (type)~a; }
EACH_B(NOT, )
PTX(bool, not_pred)(bool a) { return !a; }

PTX(uint32_t, lop3_b32)(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (unsigned row = 0; row < 8; row++)
    if (table >> row & 1)
      result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

/* p: whether there is any bit, joined with another predicate. */
#define LOGIC_WITH(name, op)                                                                                           \
  PTX(uint32_t, lop3_##name##_b32_p)(uint32_t a, uint32_t b, uint32_t c, uint32_t table, bool q, bool *p) {            \
    uint32_t result = __ptx_lop3_b32(a, b, c, table);                                                                  \
    *p = (result != 0) op q;                                                                                           \
    return result;                                                                                                     \
  }
LOGIC_WITH(or, ||)
LOGIC_WITH(and, &&)

/* Amounts are clamped to the width. */
#define SHIFT_LEFT(ptx, type, ...)                                                                                     \
  PTX(type, shl_##ptx)(type a, uint32_t n) { return (type)(n < 8 * sizeof(type) ? (uint64_t)a << n : 0); }
EACH_B(SHIFT_LEFT, )
#define SHIFT_RIGHT(ptx, type, ...)                                                                                    \
  PTX(type, shr_##ptx)(type a, uint32_t n) { return (type)(n < 8 * sizeof(type) ? a >> n : 0); }
EACH_B(SHIFT_RIGHT, )
EACH_U(SHIFT_RIGHT, )
#define SHIFT_SIGNED(ptx, type, ...)                                                                                   \
  PTX(type, shr_##ptx)(type a, uint32_t n) { return (type)(a >> (n < 8 * sizeof(type) ? n : 8 * sizeof(type) - 1)); }
EACH_S(SHIFT_SIGNED, )

/* b:a as 64 bits. */
#define FUNNEL(mode, amount)                                                                                           \
  PTX(uint32_t, shf_l_##mode##_b32)(uint32_t a, uint32_t b, uint32_t n) {                                              \
    return (uint32_t)((((uint64_t)b << 32 | a) << (amount)) >> 32);                                                    \
  }                                                                                                                    \
  PTX(uint32_t, shf_r_##mode##_b32)(uint32_t a, uint32_t b, uint32_t n) {                                              \
    return (uint32_t)(((uint64_t)b << 32 | a) >> (amount));                                                            \
  }
FUNNEL(wrap, n & 31)
FUNNEL(clamp, n < 32 ? n : 32)

PTX(uint32_t, brev_b32)(uint32_t a) { return __builtin_bitreverse32(a); }
PTX(uint64_t, brev_b64)(uint64_t a) { return __builtin_bitreverse64(a); }
PTX(uint32_t, popc_b32)(uint32_t a) { return (uint32_t)__builtin_popcount(a); }
PTX(uint32_t, popc_b64)(uint64_t a) { return (uint32_t)__builtin_popcountll(a); }
PTX(uint32_t, clz_b32)(uint32_t a) { return (uint32_t)__builtin_clzg(a, 32); }
PTX(uint32_t, clz_b64)(uint64_t a) { return (uint32_t)__builtin_clzg((unsigned long long)a, 64); }

/* The highest bit that differs from the sign, from the bottom or (shiftamt) from the top; all ones if there is none. */
#define FIND(ptx, type, value)                                                                                         \
  PTX(uint32_t, bfind_shiftamt_##ptx)(type a) { return (uint32_t)__builtin_clzg(value, -1); }                          \
  PTX(uint32_t, bfind_##ptx)(type a) {                                                                                 \
    return (uint32_t)((int)(8 * sizeof(type)) - 1 - __builtin_clzg(value, (int)(8 * sizeof(type))));                   \
  }
FIND(u32, uint32_t, a)
FIND(u64, uint64_t, (unsigned long long)a)
FIND(s32, int32_t, (uint32_t)(a < 0 ? ~a : a))
FIND(s64, int64_t, (unsigned long long)(a < 0 ? ~a : a))

/* The n-th set bit from base on, upwards, or downwards for a negative n; base itself or nothing for 0. */
PTX(uint32_t, fns_b32)(uint32_t mask, uint32_t base, int32_t n) {
  if (n == 0)
    return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
  int step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
  for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0)
      return (uint32_t)bit;
  return 0xffffffffu;
}

/* Bit fields. Bits past the word read as its sign. Of position and length the lowest 8 bits count, as PTX says; in the
 * forms of 64 bits an H100 takes all bits. */
#define OF_32(amount) ((amount) & 255)
#define OF_64(amount) ((amount) < 64 ? (amount) : 64)
#define EXTRACT(ptx, type, word, top, limit)                                                                           \
  PTX(type, bfe_##ptx)(type a, uint32_t position, uint32_t length) {                                                   \
    position = limit(position), length = limit(length);                                                                \
    word field = position < top ? (word)a >> position : 0;                                                             \
    return (type)(length < top ? field & (((word)1 << length) - 1) : field);                                           \
  }
EXTRACT(u32, uint32_t, uint32_t, 32, OF_32)
EXTRACT(u64, uint64_t, uint64_t, 64, OF_64)
#define EXTRACT_SIGNED(ptx, type, word, top, limit)                                                                    \
  PTX(type, bfe_##ptx)(type a, uint32_t position, uint32_t length) {                                                   \
    position = limit(position), length = limit(length);                                                                \
    if (length == 0)                                                                                                   \
      return 0;                                                                                                        \
    type field = a >> (position < top ? position : top - 1);                                                           \
    uint32_t unused = position + length < top ? top - length : position < top ? position : top - 1;                    \
    return (type)((word)field << unused) >> unused;                                                                    \
  }
EXTRACT_SIGNED(s32, int32_t, uint32_t, 32, OF_32)
EXTRACT_SIGNED(s64, int64_t, uint64_t, 64, OF_64)
#define INSERT(ptx, type, top, limit)                                                                                  \
  PTX(type, bfi_##ptx)(type field, type word, uint32_t position, uint32_t length) {                                    \
    position = limit(position), length = limit(length);                                                                \
    type mask = length < top ? ((type)1 << length) - 1 : ~(type)0;                                                     \
    mask = position < top ? mask << position : 0;                                                                      \
    return position < top ? ((field << position) & mask) | (word & ~mask) : word;                                      \
  }
INSERT(b32, uint32_t, 32, OF_32)
INSERT(b64, uint64_t, 64, OF_64)

#define MASK(mode, limit)                                                                                              \
  PTX(uint32_t, bmsk_##mode##_b32)(uint32_t position, uint32_t length) {                                               \
    position = limit(position), length = limit(length);                                                                \
    uint64_t ones = ((uint64_t)1 << length) - 1;                                                                       \
    return (uint32_t)(ones << position);                                                                               \
  }                                                                                                                    \
  PTX(uint32_t, szext_##mode##_u32)(uint32_t a, uint32_t length) {                                                     \
    length = limit(length);                                                                                            \
    return (uint32_t)(a & (((uint64_t)1 << length) - 1));                                                              \
  }                                                                                                                    \
  PTX(int32_t, szext_##mode##_s32)(int32_t a, uint32_t length) {                                                       \
    length = limit(length);                                                                                            \
    return length == 0 ? 0 : (int32_t)((uint32_t)a << (32 - length)) >> (32 - length);                                 \
  }
#define CLAMPED(n) ((n) < 32 ? (n) : 32)
#define WRAPPED(n) ((n) & 31)
MASK(clamp, CLAMPED)
MASK(wrap, WRAPPED)

/* One byte of b:a; bit 3 of the selector spreads its sign. */
UW_LOCAL uint32_t select_byte(uint64_t bytes, uint32_t selector) {
  uint8_t byte = (uint8_t)(bytes >> 8 * (selector & 7));
  return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
UW_LOCAL uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++)
    result |= select_byte((uint64_t)b << 32 | a, selectors >> 4 * i & 15) << 8 * i;
  return result;
}
PTX(uint32_t, prmt_b32)(uint32_t a, uint32_t b, uint32_t c) { return permute(a, b, c); }
#define PERMUTE(mode, zero, one, two, three)                                                                           \
  PTX(uint32_t, prmt_b32_##mode)(uint32_t a, uint32_t b, uint32_t c) {                                                 \
    static const uint16_t selectors[] = {zero, one, two, three};                                                       \
    return permute(a, b, selectors[c & 3]);                                                                            \
  }
PERMUTE(f4e, 0x3210, 0x4321, 0x5432, 0x6543)
PERMUTE(b4e, 0x5670, 0x6701, 0x7012, 0x0123)
PERMUTE(rc8, 0x0000, 0x1111, 0x2222, 0x3333)
PERMUTE(ecl, 0x3210, 0x3211, 0x3222, 0x3333)
PERMUTE(ecr, 0x0000, 0x1110, 0x2210, 0x3210)
PERMUTE(rc16, 0x1010, 0x3232, 0x1010, 0x3232)
