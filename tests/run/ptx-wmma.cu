// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: wmma.load, wmma.mma and wmma.store of every type and shape, in several layouts, from global and shared
// memory, several warps a block. Inputs are small integers, whose products and sums every order gives exactly.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned u32;

// clang-format off
#define AT4(a, b, c, d) "{%" #a ", %" #b ", %" #c ", %" #d "}"
#define AT8(a, b, c, d, e, f, g, h) "{%" #a ", %" #b ", %" #c ", %" #d ", %" #e ", %" #f ", %" #g ", %" #h "}"
#define OUT4(k, x) "=" k(x[0]), "=" k(x[1]), "=" k(x[2]), "=" k(x[3])
#define OUT8(k, x) OUT4(k, x), OUT4(k, (x + 4))
#define IN4(k, x) k(x[0]), k(x[1]), k(x[2]), k(x[3])
#define IN8(k, x) IN4(k, x), IN4(k, (x + 4))
// clang-format on
#define FIRST8 AT8(0, 1, 2, 3, 4, 5, 6, 7)
#define FIRST4 AT4(0, 1, 2, 3)

#define LOAD8(text, k, x, p, stride) asm volatile(text " " FIRST8 ", [%8], %9;" : OUT8(k, x) : "l"(p), "r"(stride))
#define LOAD4(text, k, x, p, stride) asm volatile(text " " FIRST4 ", [%4], %5;" : OUT4(k, x) : "l"(p), "r"(stride))
#define LOAD2(text, k, x, p, stride)                                                                                   \
  asm volatile(text " {%0, %1}, [%2], %3;" : "=" k(x[0]), "=" k(x[1]) : "l"(p), "r"(stride))
#define LOAD1(text, k, x, p, stride) asm volatile(text " {%0}, [%1], %2;" : "=" k(x[0]) : "l"(p), "r"(stride))
#define STORE8(text, k, x, p, stride)                                                                                  \
  asm volatile(text " [%8], " FIRST8 ", %9;" ::IN8(k, x), "l"(p), "r"(stride) : "memory")
#define STORE4(text, k, x, p, stride)                                                                                  \
  asm volatile(text " [%4], " FIRST4 ", %5;" ::IN4(k, x), "l"(p), "r"(stride) : "memory")
#define STORE2(text, k, x, p, stride)                                                                                  \
  asm volatile(text " [%2], {%0, %1}, %3;" ::k(x[0]), k(x[1]), "l"(p), "r"(stride) : "memory")

// D over C: %0 to %7; then A, then B.
#define MMA_8_8_8(text, k, c, a, b)                                                                                    \
  asm volatile(                                                                                                        \
      text " " FIRST8 ", " AT8(8, 9, 10, 11, 12, 13, 14, 15) ", " AT8(16, 17, 18, 19, 20, 21, 22, 23) ", " FIRST8 ";"  \
      : "+" k(c[0]), "+" k(c[1]), "+" k(c[2]), "+" k(c[3]), "+" k(c[4]), "+" k(c[5]), "+" k(c[6]), "+" k(c[7])         \
      : IN8("r", a), IN8("r", b))
#define MMA_4_8_8(text, k, c, a, b)                                                                                    \
  asm volatile(text " " FIRST4 ", " AT8(4, 5, 6, 7, 8, 9, 10, 11) ", " AT8(12, 13, 14, 15, 16, 17, 18, 19) ", " FIRST4 \
                                                                                                           ";"         \
               : "+" k(c[0]), "+" k(c[1]), "+" k(c[2]), "+" k(c[3])                                                    \
               : IN8("r", a), IN8("r", b))
#define MMA_8_4_4(text, k, c, a, b)                                                                                    \
  asm volatile(text " " FIRST8 ", " AT4(8, 9, 10, 11) ", " AT4(12, 13, 14, 15) ", " FIRST8 ";"                         \
               : "+" k(c[0]), "+" k(c[1]), "+" k(c[2]), "+" k(c[3]), "+" k(c[4]), "+" k(c[5]), "+" k(c[6]),            \
                 "+" k(c[7])                                                                                           \
               : IN4("r", a), IN4("r", b))
#define MMA_8_2_2(text, k, c, a, b)                                                                                    \
  asm volatile(text " " FIRST8 ", {%8, %9}, {%10, %11}, " FIRST8 ";"                                                   \
               : "+" k(c[0]), "+" k(c[1]), "+" k(c[2]), "+" k(c[3]), "+" k(c[4]), "+" k(c[5]), "+" k(c[6]),            \
                 "+" k(c[7])                                                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]))
#define MMA_8_1_4(text, k, c, a, b)                                                                                    \
  asm volatile(text " " FIRST8 ", {%8}, " AT4(9, 10, 11, 12) ", " FIRST8 ";"                                           \
               : "+" k(c[0]), "+" k(c[1]), "+" k(c[2]), "+" k(c[3]), "+" k(c[4]), "+" k(c[5]), "+" k(c[6]),            \
                 "+" k(c[7])                                                                                           \
               : "r"(a[0]), IN4("r", b))
#define MMA_8_8_2(text, k, c, a, b)                                                                                    \
  asm volatile(text " " FIRST8 ", " AT8(8, 9, 10, 11, 12, 13, 14, 15) ", {%16, %17}, " FIRST8 ";"                      \
               : "+" k(c[0]), "+" k(c[1]), "+" k(c[2]), "+" k(c[3]), "+" k(c[4]), "+" k(c[5]), "+" k(c[6]),            \
                 "+" k(c[7])                                                                                           \
               : IN8("r", a), "r"(b[0]), "r"(b[1]))
#define MMA_2_1_1(text, k, of, c, a, b)                                                                                \
  asm volatile(text " {%0, %1}, {%2}, {%3}, {%0, %1};" : "+" k(c[0]), "+" k(c[1]) : of(a[0]), of(b[0]))

// One tile a warp: c of its own in memory, d = a b + c.
#define KERNEL(name, T, S, letter, sum_type, factor_type, shape, la, lb, lc, M, N, K, per, sizes_a, sizes_b, sizes_c,  \
               mma, type, of)                                                                                          \
  __global__ void name(const T *a, const T *b, const S *c, S *d, int tiles) {                                          \
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;                                                           \
    if (warp >= tiles)                                                                                                 \
      return;                                                                                                          \
    a += warp * M * K / per, b += warp * N * K / per, c += warp * M * N, d += warp * M * N;                            \
    factor_type left[8], right[8];                                                                                     \
    sum_type sum[8];                                                                                                   \
    LOAD##sizes_a("wmma.load.a.sync.aligned." #la "." #shape ".global." #type, of, left, a, #la[0] == 'r' ? K : M);    \
    LOAD##sizes_b("wmma.load.b.sync.aligned." #lb "." #shape "." #type, of, right, b, #lb[0] == 'r' ? N : K);          \
    LOAD##sizes_c("wmma.load.c.sync.aligned." #lc "." #shape ".global." letter, of_##sum_type, sum, c,                 \
                  #lc[0] == 'r' ? N : M);                                                                              \
    mma;                                                                                                               \
    STORE##sizes_c("wmma.store.d.sync.aligned." #lc "." #shape ".global." letter, of_##sum_type, sum, d,               \
                   #lc[0] == 'r' ? N : M);                                                                             \
  }
#define of_float "f"
#define of_u32 "r"
#define of_double "d"

// clang-format off
KERNEL(halves, __half, float, "f32", float, u32, m16n16k16, row, col, row, 16, 16, 16, 1, 8, 8, 8,
       MMA_8_8_8("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "f", sum, left, right), f16, "r")
KERNEL(halves_wide, __half, float, "f32", float, u32, m8n32k16, col, row, col, 8, 32, 16, 1, 8, 8, 8,
       MMA_8_8_8("wmma.mma.sync.aligned.col.row.m8n32k16.f32.f32", "f", sum, left, right), f16, "r")
KERNEL(halves_high, __half, __half, "f16", u32, u32, m32n8k16, row, row, row, 32, 8, 16, 1, 8, 8, 4,
       MMA_4_8_8("wmma.mma.sync.aligned.row.row.m32n8k16.f16.f16.satfinite", "r", sum, left, right), f16, "r")
KERNEL(brains, __nv_bfloat16, float, "f32", float, u32, m16n16k16, col, col, row, 16, 16, 16, 1, 4, 4, 8,
       MMA_8_4_4("wmma.mma.sync.aligned.col.col.m16n16k16.f32.bf16.bf16.f32", "f", sum, left, right), bf16, "r")
KERNEL(brains_high, __nv_bfloat16, float, "f32", float, u32, m32n8k16, row, col, row, 32, 8, 16, 1, 8, 2, 8,
       MMA_8_8_2("wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32", "f", sum, left, right), bf16, "r")
KERNEL(singles, float, float, "f32", float, u32, m16n16k8, row, row, col, 16, 16, 8, 1, 4, 4, 8,
       MMA_8_4_4("wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32", "f", sum, left, right), tf32, "r")
KERNEL(signed_bytes, signed char, int, "s32", u32, u32, m16n16k16, row, col, row, 16, 16, 16, 1, 2, 2, 8,
       MMA_8_2_2("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", "r", sum, left, right), s8, "r")
KERNEL(bytes, unsigned char, int, "s32", u32, u32, m8n32k16, col, row, row, 8, 32, 16, 1, 1, 4, 8,
       MMA_8_1_4("wmma.mma.sync.aligned.col.row.m8n32k16.s32.u8.u8.s32.satfinite", "r", sum, left, right), u8, "r")
KERNEL(doubles, double, double, "f64", double, double, m8n8k4, col, row, row, 8, 8, 4, 1, 1, 1, 2,
       MMA_2_1_1("wmma.mma.sync.aligned.col.row.m8n8k4.rn.f64.f64.f64.f64", "d", "d", sum, left, right), f64, "d")
KERNEL(nibbles, unsigned char, int, "s32", u32, u32, m8n8k32, row, col, col, 8, 8, 32, 2, 1, 1, 2,
       MMA_2_1_1("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32", "r", "r", sum, left, right), s4, "r")
KERNEL(bits, unsigned char, int, "s32", u32, u32, m8n8k128, row, col, row, 8, 8, 128, 8, 1, 1, 2,
       MMA_2_1_1("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "r", "r", sum, left, right), b1, "r")
// clang-format on

struct form {
  int m, n, k, per;
  bool a_rows, b_rows, c_rows, xors;
};

template <typename T> static double number(const T *at, int i, int per) {
  if (per == 1)
    return (double)(float)at[i];
  int byte = ((const unsigned char *)at)[i / per], bits = 8 / per;
  int field = byte >> i % per * bits & ((1 << bits) - 1);
  return bits == 4 && field > 7 ? field - 16 : field;
}

template <typename T, typename S>
static void check(void (*kernel)(const T *, const T *, const S *, S *, int), form f, int block) {
  const int tiles = 5;
  buffer<T> a(tiles * f.m * f.k / f.per), b(tiles * f.n * f.k / f.per);
  buffer<S> c(tiles * f.m * f.n), d(tiles * f.m * f.n);
  unsigned state = f.m + 3 * f.n + f.k;
  const int least = std::is_same<T, unsigned char>::value ? 0 : -3;
  auto fill = [&](T &x) {
    x = f.per > 1 ? (T)(float)(next_random(state) % 256) : (T)(float)((int)(next_random(state) % 7) + least);
  };
  for (size_t i = 0; i < a.count; i++)
    fill(a[i]);
  for (size_t i = 0; i < b.count; i++)
    fill(b[i]);
  for (size_t i = 0; i < c.count; i++)
    c[i] = (S)(float)((int)(next_random(state) % 100) - 50);
  a.upload(), b.upload(), c.upload();
  kernel<<<blocks_for(tiles * 32, block), block>>>(a.device, b.device, c.device, d.device, tiles);
  d.download();
  for (int tile = 0; tile < tiles; tile++)
    for (int i = 0; i < f.m; i++)
      for (int j = 0; j < f.n; j++) {
        int at = tile * f.m * f.n + (f.c_rows ? i * f.n + j : j * f.m + i);
        double sum = (double)(float)c[at];
        for (int k = 0; k < f.k; k++) {
          double x = number(&a[0], tile * f.m * f.k + (f.a_rows ? i * f.k + k : k * f.m + i), f.per);
          double y = number(&b[0], tile * f.n * f.k + (f.b_rows ? k * f.n + j : j * f.k + k), f.per);
          sum += f.xors ? (double)((int)x ^ (int)y) : x * y;
        }
        expect(at, (double)(float)d[at], sum);
      }
}

// A product with a tile in shared memory, without a stride, and limits.
__global__ void limits(float *out) {
  __shared__ __half tile[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    tile[i] = 200.0f;
  __syncthreads();
  u32 left[8], right[8], sum[4] = {};
  u32 address = (u32)__cvta_generic_to_shared(tile);
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " FIRST8 ", [%8];" : OUT8("r", left) : "r"(address));
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 " FIRST8 ", [%8], 16;"
               : OUT8("r", right)
               : "r"(address));
  MMA_4_8_8("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite", "r", sum, left, right);
  out[threadIdx.x] = __half2float(__ushort_as_half((unsigned short)(sum[threadIdx.x % 4] >> 16)));
}

int main(int argc, char **argv) {
  int block = (block_size(argc, argv) + 31) / 32 * 32;
  check(halves, {16, 16, 16, 1, true, false, true}, block);
  check(halves_wide, {8, 32, 16, 1, false, true, false}, block);
  check(halves_high, {32, 8, 16, 1, true, true, true}, block);
  check(brains, {16, 16, 16, 1, false, false, true}, block);
  check(brains_high, {32, 8, 16, 1, true, false, true}, block);
  check(singles, {16, 16, 8, 1, true, true, false}, block);
  check(signed_bytes, {16, 16, 16, 1, true, false, true}, block);
  check(bytes, {8, 32, 16, 1, false, true, true}, block);
  check(doubles, {8, 8, 4, 1, false, true, true}, block);
  check(nibbles, {8, 8, 32, 2, true, false, false}, block);
  check(bits, {8, 8, 128, 8, true, false, true, true}, block);
  buffer<float> out(32);
  limits<<<1, 32>>>(out.device);
  out.download();
  for (int i = 0; i < 32; i++)
    expect(i, out[i], 65504.0f);
  return passed();
}
