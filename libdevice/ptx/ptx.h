/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of libdevice/ptx share. Each function is one instruction of inline PTX: its name is __ptx_ and the
 * opcode with _ for each dot, its parameters are the source operands in order, its result is the destination. The
 * compiler (frontend/ptx/) finds it by that name, so a function here is all that an instruction needs. (PTX ISA,
 * "Instruction Set".)
 *
 *   d|p      the name ends in _p, and the last parameter points to p
 *   {d, e}   the last parameter points to all of them; sources in braces are parameters one by one
 *   [a]      is a pointer
 *   .ftz     and .sat of floating point the compiler does around the function, with __ptx_flush_* and __ptx_clamp_*
 *   .f16x2   and .bf16x2 are the 32 bits of both; .bf16 is its 16 bits
 *
 * The files are bitcode only, linked into device code that has inline PTX.
 */
#ifndef UW_PTX_H
#define UW_PTX_H

#include <stdbool.h>

#include "../libdevice.h"

/* An instruction, and one whose opcode is made up from parts. */
#define PTX(result, name) UW_SHORT result __ptx_##name

/* For each type of operand: bits, C type, letter and the types of twice the width. */
#define EACH_U(define, ...)                                                                                            \
  define(u16, uint16_t, __VA_ARGS__) define(u32, uint32_t, __VA_ARGS__) define(u64, uint64_t, __VA_ARGS__)
#define EACH_S(define, ...)                                                                                            \
  define(s16, int16_t, __VA_ARGS__) define(s32, int32_t, __VA_ARGS__) define(s64, int64_t, __VA_ARGS__)
#define EACH_B(define, ...)                                                                                            \
  define(b16, uint16_t, __VA_ARGS__) define(b32, uint32_t, __VA_ARGS__) define(b64, uint64_t, __VA_ARGS__)
#define EACH_INTEGER(define, ...) EACH_U(define, __VA_ARGS__) EACH_S(define, __VA_ARGS__)
#define EACH_FLOAT(define, ...) define(f32, float, __VA_ARGS__) define(f64, double, __VA_ARGS__)

/* Halves of 32 bits. */
UW_LOCAL uint32_t both(uint16_t low, uint16_t high) { return (uint32_t)high << 16 | low; }
UW_LOCAL uint16_t half_bits(_Float16 value) { return __builtin_bit_cast(uint16_t, value); }
UW_LOCAL _Float16 half_of_bits(uint32_t bits) { return __builtin_bit_cast(_Float16, (uint16_t)bits); }
UW_LOCAL float bfloat_of_bits(uint32_t bits) { return float_of_bits(bits << 16); }

#endif
