// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: mma of all element types and ldmatrix, by fragments that are loaded as PTX draws them. The values are small
// integers, so that every sum is exact in every type.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { M = 16, N = 8, K = 32 };

__device__ unsigned pack(__half low, __half high) {
  return (unsigned)__half_as_ushort(high) << 16 | __half_as_ushort(low);
}
__device__ unsigned pack_bytes(const signed char *at) {
  return (unsigned char)at[0] | (unsigned char)at[1] << 8 | (unsigned char)at[2] << 16 |
         (unsigned)(unsigned char)at[3] << 24;
}

// Each warp: D = A B + C with A of its index added. a is row by row, b column by column, c row by row.
__global__ void products(const signed char *a, const signed char *b, const signed char *c, float *halves,
                         float *to_half, float *bfloats, float *tf32s, int *bytes, int *unsigned_bytes,
                         double *doubles) {
  __shared__ __half tile_a[8][M][16], tile_b[8][N][16]; // of each warp, the first 16 of k; b by columns
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, place = lane % 4;
  for (int i = lane; i < M * 16; i += 32)
    tile_a[warp][i / 16][i % 16] = __float2half(a[i / 16 * K + i % 16] + warp);
  for (int i = lane; i < N * 16; i += 32)
    tile_b[warp][i / 16][i % 16] = __float2half(b[i / 16 * K + i % 16]);
  __syncwarp();

  // A by ldmatrix, B by hand.
  unsigned ra[4], rb[2], rh[2];
  unsigned address = (unsigned)__cvta_generic_to_shared(&tile_a[warp][lane % 16][lane / 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(address));
  const __half *column = tile_b[warp][group];
  rb[0] = pack(column[2 * place], column[2 * place + 1]);
  rb[1] = pack(column[2 * place + 8], column[2 * place + 9]);
  float d[4], start[4];
  for (int i = 0; i < 4; i++)
    start[i] = c[(group + i / 2 * 8) * N + 2 * place + i % 2];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "f"(start[0]), "f"(start[1]),
        "f"(start[2]), "f"(start[3]));
  int base = warp * M * N;
  for (int i = 0; i < 4; i++)
    halves[base + (group + i / 2 * 8) * N + 2 * place + i % 2] = d[i];

  // The same transposed: B from rows of k by ldmatrix.trans; only the first 8 of k, into half.
  __shared__ __half by_rows[8][8][N];
  for (int i = lane; i < 8 * N; i += 32)
    by_rows[warp][i / N][i % N] = __float2half(b[i % N * K + i / N]);
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(rb[0])
               : "l"(__cvta_generic_to_shared(by_rows[warp][lane % 8])));
  unsigned sh[2] = {pack(__float2half(start[0]), __float2half(start[1])),
                    pack(__float2half(start[2]), __float2half(start[3]))};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%5,%6};"
               : "=r"(rh[0]), "=r"(rh[1])
               : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(sh[0]), "r"(sh[1]));
  for (int i = 0; i < 4; i++)
    to_half[base + (group + i / 2 * 8) * N + 2 * place + i % 2] =
        __half2float(__ushort_as_half((unsigned short)(rh[i / 2] >> i % 2 * 16)));

  // bfloat16 and tf32, a fragment's registers straight from memory: k of 8.
  unsigned fa[4], fb[2];
  for (int i = 0; i < 2; i++) {
    const signed char *row = a + (group + 8 * i) * K;
    __nv_bfloat162 two = __floats2bfloat162_rn(row[2 * place] + warp, row[2 * place + 1] + warp);
    fa[i] = *(unsigned *)&two;
  }
  __nv_bfloat162 two = __floats2bfloat162_rn(b[group * K + 2 * place], b[group * K + 2 * place + 1]);
  fb[0] = *(unsigned *)&two;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fb[0]), "f"(start[0]), "f"(start[1]), "f"(start[2]), "f"(start[3]));
  for (int i = 0; i < 4; i++)
    bfloats[base + (group + i / 2 * 8) * N + 2 * place + i % 2] = d[i];
  for (int i = 0; i < 4; i++)
    fa[i] = __float_as_uint(a[(group + i % 2 * 8) * K + place + i / 2 * 4] + warp);
  for (int i = 0; i < 2; i++)
    fb[i] = __float_as_uint(b[group * K + place + i * 4]);
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "f"(start[0]), "f"(start[1]),
        "f"(start[2]), "f"(start[3]));
  for (int i = 0; i < 4; i++)
    tf32s[base + (group + i / 2 * 8) * N + 2 * place + i % 2] = d[i];

  // Bytes, all 32 of k; without the warp's index.
  int e[4], is[4];
  for (int i = 0; i < 4; i++)
    fa[i] = pack_bytes(a + (group + i % 2 * 8) * K + 4 * place + i / 2 * 16);
  for (int i = 0; i < 2; i++)
    fb[i] = pack_bytes(b + group * K + 4 * place + i * 16);
  for (int i = 0; i < 4; i++)
    is[i] = (int)start[i];
#define BYTES(types, to)                                                                                               \
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." types ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9},"            \
               " {%10,%11,%12,%13};"                                                                                   \
               : "=r"(e[0]), "=r"(e[1]), "=r"(e[2]), "=r"(e[3])                                                        \
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "r"(is[0]), "r"(is[1]),       \
                 "r"(is[2]), "r"(is[3]));                                                                              \
  for (int i = 0; i < 4; i++)                                                                                          \
    to[base + (group + i / 2 * 8) * N + 2 * place + i % 2] = e[i];
  BYTES("s8.s8", bytes)
  BYTES("u8.s8", unsigned_bytes)

  // Doubles: 8 by 8 by 4.
  double f[2];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=d"(f[0]), "=d"(f[1])
               : "d"((double)a[group * K + place] + warp), "d"((double)b[group * K + place]), "d"((double)start[0]),
                 "d"((double)start[1]));
  for (int i = 0; i < 2; i++)
    doubles[base + group * N + 2 * place + i] = f[i];
}

int main(int argc, char **argv) {
  int warps = (block_size(argc, argv) + 31) / 32;
  buffer<signed char> a(M * K), b(N * K), c(M * N);
  size_t count = (size_t)warps * M * N;
  buffer<float> halves(count), to_half(count), bfloats(count), tf32s(count);
  buffer<int> bytes(count), unsigned_bytes(count);
  buffer<double> doubles(count);
  unsigned state = 21;
  for (int i = 0; i < M * K; i++)
    a[i] = (signed char)(next_random(state) % 15) - 7;
  for (int i = 0; i < N * K; i++)
    b[i] = (signed char)(next_random(state) % 9) - 4;
  for (int i = 0; i < M * N; i++)
    c[i] = (signed char)(next_random(state) % 100) - 50;
  a.upload(), b.upload(), c.upload();
  products<<<1, 32 * warps>>>(a.device, b.device, c.device, halves.device, to_half.device, bfloats.device, tf32s.device,
                              bytes.device, unsigned_bytes.device, doubles.device);
  halves.download(), to_half.download(), bfloats.download(), tf32s.download(), bytes.download();
  unsigned_bytes.download(), doubles.download();
  for (int w = 0; w < warps; w++)
    for (int row = 0; row < M; row++)
      for (int column = 0; column < N; column++) {
        int at = (w * M + row) * N + column, sums[33] = {c[row * N + column]}, exact = sums[0], mixed = sums[0];
        for (int k = 0; k < K; k++) {
          int left = a[row * K + k], right = b[column * K + k];
          sums[k + 1] = sums[k] + (left + w) * right;
          exact += left * right;
          mixed += (unsigned char)left * right;
        }
        expect(at, halves[at], sums[16]);
        expect(at, to_half[at], sums[8]);
        expect(at, bfloats[at], sums[8]);
        expect(at, tf32s[at], sums[8]);
        expect(at, bytes[at], exact);
        expect(at, unsigned_bytes[at], mixed);
        if (row < 8)
          expect(at, doubles[at], sums[4]);
      }
  return passed();
}
