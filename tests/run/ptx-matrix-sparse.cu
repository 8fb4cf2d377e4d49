// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: mma.sp in all shapes and types, with metadata for each selector, against a product of whole matrices on the host. What is
// no zero in A lies at random; values are small, so that every sum is exact in every type.
#include "check.h"

#include <cuda_fp16.h>

typedef unsigned u32;

enum { M = 16, N = 8, MOST_K = 128 };
enum kind { F16, BF16, TF32, E4M3, E5M2, U8, S8, U4, S4 };

static int each_of(kind k) { return k == TF32 ? 1 : k <= BF16 ? 2 : k >= U4 ? 8 : 4; }

static u32 bits_of(kind k, int value) {
  float real = (float)value;
  u32 bits;
  memcpy(&bits, &real, 4);
  unsigned short half = __half_as_ushort(__float2half(real));
  switch (k) {
  case F16: return half;
  case BF16: return bits >> 16;
  case TF32: return bits;
  case E5M2: return half >> 8;
  case E4M3: // of normal numbers between 1 and 16
    return value == 0 ? 0 : (value < 0 ? 0x80u : 0) | (((bits >> 20) & 0x7ff) - (120u << 3)) % 0x80;
  case U8:
  case S8: return value & 0xff;
  default: return value & 0xf;
  }
}

// Registers of all lanes, one after the other: A, B, C, metadata.
#define KERNEL(name, text, registers, c, result)                                                                       \
  __global__ void name(const u32 *in, u32 *out) {                                                                      \
    u32 x[13], d[4] = {0, 0, 0, 0};                                                                                    \
    for (int i = 0; i < 2 * registers + 5; i++)                                                                        \
      x[i] = in[i * 32 + threadIdx.x % 32];                                                                            \
    asm volatile("mma.sp" text : result);                                                                              \
    for (int i = 0; i < 4; i++)                                                                                        \
      out[threadIdx.x * 4 + i] = d[i];                                                                                 \
  }
#define D4 "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
#define D2 "=r"(d[0]), "=r"(d[1])
#define IN9 "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(x[8])
#define IN13 IN9, "r"(x[9]), "r"(x[10]), "r"(x[11]), "r"(x[12])
#define SMALL(name, form, selector)                                                                                    \
  KERNEL(name, form " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, " #selector ";", 2, 4, D4 : IN9)
#define LARGE(name, form, selector)                                                                                    \
  KERNEL(name, form " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, " #selector ";", 4, 4,    \
         D4 : IN13)
#define SMALL_HALVES(name, form, selector)                                                                             \
  KERNEL(name, form " {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %10, " #selector ";", 2, 2, D2 : IN9)
#define LARGE_HALVES(name, form, selector)                                                                             \
  KERNEL(name, form " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %14, " #selector ";", 4, 2, D2 : IN13)

struct shape {
  void (*kernel)(const u32 *, u32 *);
  kind left, right;
  int registers, selector;
  bool halves, at_limits;
};

// make(name, form, kinds, selector, halves, at limits)
#define SYNC "::ordered_metadata.sync.aligned."
#define SHAPES(small, large, small_halves, large_halves)                                                               \
  small(f16_2, SYNC "m16n8k16.row.col.f32.f16.f16.f32", F16, F16, 0,                                                   \
        false) small(f16_2_1, ".sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", F16, F16, 1,                           \
                     false) small(f16_2_3, SYNC "m16n8k16.row.col.f32.f16.f16.f32", F16, F16, 3, false)                \
      small(bf16_2, SYNC "m16n8k16.row.col.f32.bf16.bf16.f32", BF16, BF16, 2,                                          \
            false) small(tf32_2, SYNC "m16n8k8.row.col.f32.tf32.tf32.f32", TF32, TF32, 3,                              \
                         false) small(u8_2, SYNC "m16n8k32.row.col.s32.u8.s8.s32", U8, S8, 0, false)                   \
          small(s8_2, SYNC "m16n8k32.row.col.s32.s8.u8.s32.satfinite", S8, U8, 1,                                      \
                true) small(u4_2, SYNC "m16n8k64.row.col.satfinite.s32.u4.s4.s32", U4, S4, 0, true)                    \
              small(s4_2, SYNC "m16n8k64.row.col.s32.s4.u4.s32", S4, U4, 1, false)                                     \
                  large(f16_4, SYNC "m16n8k32.row.col.f32.f16.f16.f32", F16, F16, 0, false)                            \
                      large(bf16_4, SYNC "m16n8k32.row.col.f32.bf16.bf16.f32", BF16, BF16, 1, false)                   \
                          large(tf32_4, SYNC "m16n8k16.row.col.f32.tf32.tf32.f32", TF32, TF32, 1, false)               \
                              large(s8_4, SYNC "m16n8k64.row.col.s32.s8.s8.s32", S8, S8, 0, false)                     \
                                  large(u8_4, SYNC "m16n8k64.row.col.satfinite.s32.u8.u8.s32", U8, U8, 0, true)        \
                                      large(s4_4, SYNC "m16n8k128.row.col.s32.s4.s4.s32", S4, S4, 0, false)            \
                                          large(u4_4, SYNC "m16n8k128.row.col.s32.u4.u4.s32", U4, U4, 0, false)        \
                                              large(e4m3_4, SYNC "m16n8k64.row.col.f32.e4m3.e5m2.f32", E4M3, E5M2, 0,  \
                                                    false) large(e5m2_4, SYNC "m16n8k64.row.col.f32.e5m2.e4m3.f32",    \
                                                                 E5M2, E4M3, 0, false)                                 \
                                                  small_halves(half_2, SYNC "m16n8k16.row.col.f16.f16.f16.f16", F16,   \
                                                               F16, 2, false)                                          \
                                                      large_halves(half_4, SYNC "m16n8k32.row.col.f16.f16.f16.f16",    \
                                                                   F16, F16, 1, false)

#define MAKE_SMALL(name, form, left, right, selector, limits) SMALL(name, form, selector)
#define MAKE_LARGE(name, form, left, right, selector, limits) LARGE(name, form, selector)
#define MAKE_SMALL_HALVES(name, form, left, right, selector, limits) SMALL_HALVES(name, form, selector)
#define MAKE_LARGE_HALVES(name, form, left, right, selector, limits) LARGE_HALVES(name, form, selector)
SHAPES(MAKE_SMALL, MAKE_LARGE, MAKE_SMALL_HALVES, MAKE_LARGE_HALVES)

#define ROW_2(name, form, left, right, selector, limits) {name, left, right, 2, selector, false, limits},
#define ROW_4(name, form, left, right, selector, limits) {name, left, right, 4, selector, false, limits},
#define ROW_2H(name, form, left, right, selector, limits) {name, left, right, 2, selector, true, limits},
#define ROW_4H(name, form, left, right, selector, limits) {name, left, right, 4, selector, true, limits},
static const shape shapes[] = {SHAPES(ROW_2, ROW_4, ROW_2H, ROW_4H)};

// Which of the elements of a chunk are there: two of four, two pairs of eight, or one of two.
static const int choices[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

int main(int argc, char **argv) {
  int warps = (block_size(argc, argv) + 31) / 32;
  unsigned state = 11;
  for (const shape &s : shapes) {
    int each = each_of(s.left), k = 4 * each * s.registers, at = (int)(&s - shapes) * 10000;
    bool integer = s.left >= U8, has_minus = s.left != U8 && s.left != U4;
    static int a[M][MOST_K], b[MOST_K][N], c[M][N];
    memset(a, 0, sizeof a);
    buffer<u32> in(13 * 32), out((size_t)warps * 128);
    u32 *left = in.host, *right = left + s.registers * 32, *sums = right + s.registers * 32, *metadata = sums + 128;
    for (int lane = 0; lane < 32; lane++) // lanes that are not asked have something else
      metadata[lane] = 0xe4e4e4e4u;
    for (int i = 0; i < s.registers; i++)
      for (int lane = 0; lane < 32; lane++) {
        int group = lane / 4, place = lane % 4, row = group + i % 2 * 8, from = 2 * each * place + 8 * each * (i / 2);
        u32 bits = 0, fields = 0;
        for (int chunk = 0; chunk < (each <= 2 ? 1 : 2); chunk++) {
          const int *choice = choices[next_random(state) % 6];
          int first = choice[0], second = choice[1];
          if (each == 1)
            first = next_random(state) % 2 * 2, second = first + 1;
          fields |= (u32)(first | second << 2) << 4 * chunk;
          int elements = each == 1 ? 1 : each == 8 ? 4 : 2, width = each == 8 ? 8 : each == 1 ? 2 : 4;
          for (int j = 0; j < elements; j++) {
            int value = 1 + (int)(next_random(state) % 3), index = each == 8   ? (j / 2 ? second : first) * 2 + j % 2
                                                                   : each == 1 ? first / 2
                                                                   : j         ? second
                                                                               : first;
            if (has_minus && next_random(state) % 2)
              value = -value;
            a[row][from + chunk * width + index] = value;
            bits |= bits_of(s.left, value) << (chunk * elements + j) * (32 / each) % 32;
          }
        }
        left[i * 32 + lane] = bits;
        int half = i % 2, piece = i / 2, owner, shift;
        if (each <= 2) {
          owner = s.registers == 2 ? s.selector : 2 * s.selector + piece;
          shift = half * 16 + place * 4;
          metadata[group * 4 + owner] = (metadata[group * 4 + owner] & ~(15u << shift)) | fields << shift;
        } else {
          owner = s.registers == 2 ? 2 * s.selector + half : 2 * piece + half;
          shift = place * 8;
          metadata[group * 4 + owner] = (metadata[group * 4 + owner] & ~(255u << shift)) | fields << shift;
        }
      }
    for (int i = 0; i < s.registers; i++)
      for (int lane = 0; lane < 32; lane++) {
        u32 bits = 0;
        for (int j = 0; j < each; j++) {
          int value = (int)(next_random(state) % 4);
          if (s.right != U8 && s.right != U4)
            value -= 2;
          b[i * 4 * each + lane % 4 * each + j][lane / 4] = value;
          bits |= bits_of(s.right, value) << j * (32 / each) % 32;
        }
        right[i * 32 + lane] = bits;
      }
    for (int i = 0; i < 4; i++)
      for (int lane = 0; lane < 32; lane++) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        int value = integer ? (next_random(state) % 2 ? 2147483640 : -2147483640) : (int)(next_random(state) % 9) - 4;
        float real = (float)value;
        c[row][column] = value;
        if (s.halves)
          sums[i / 2 * 32 + lane] |= (u32)__half_as_ushort(__float2half(real)) << 16 * (i % 2);
        else if (integer)
          sums[i * 32 + lane] = (u32)value;
        else
          memcpy(&sums[i * 32 + lane], &real, 4);
      }
    in.upload();
    s.kernel<<<1, 32 * warps>>>(in.device, out.device);
    out.download();
    for (int thread = 0; thread < 32 * warps; thread++)
      for (int i = 0; i < 4; i++) {
        int lane = thread % 32, row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        long long sum = c[row][column];
        for (int p = 0; p < k; p++)
          sum += a[row][p] * b[p][column];
        if (integer) {
          long long ends = sum > 2147483647 ? 2147483647 : sum < -2147483648ll ? -2147483648ll : sum;
          expect(at + thread * 4 + i, (int)out[thread * 4 + i], (int)(s.at_limits ? ends : (long long)(int)(u32)sum));
        } else if (s.halves) {
          unsigned short half = (unsigned short)(out[thread * 4 + i / 2] >> 16 * (i % 2));
          expect(at + thread * 4 + i, __half2float(__ushort_as_half(half)), (float)sum);
        } else {
          float real;
          memcpy(&real, &out[thread * 4 + i], 4);
          expect(at + thread * 4 + i, real, (float)sum);
        }
      }
  }
  return passed();
}
