// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: mma.m8n8k4 of halves (four products in a warp) in all layouts, mma of doubles with 16 rows, mma of floats of 8 bits, stmatrix.
// Values are small, so that every sum is exact.
#include "check.h"

#include <cuda_fp16.h>

typedef unsigned u32;
typedef unsigned short u16;

__host__ __device__ static inline int left_at(int which, int row, int k) {
  return (which * 5 + row * 3 + k * 7) % 9 - 4;
}
__host__ __device__ static inline int right_at(int which, int k, int column) {
  return (which * 3 + k * 5 + column * 2) % 7 - 3;
}
__host__ __device__ static inline int start_at(int which, int row, int column) {
  return (which + row * 8 + column) % 11 - 5;
}

__device__ static u32 pack(int low, int high) {
  return __half_as_ushort(__float2half((float)low)) | (u32)__half_as_ushort(__float2half((float)high)) << 16;
}

// --- four products of 8 by 8 by 4 ---------------------------------------------------------------------------------

enum { QUARTERS = 4, LAYOUTS = 4, FORMS = 3 };

#define F8 "{%0,%1,%2,%3,%4,%5,%6,%7}, "
#define OUT8 "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
#define IN4 "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1])
#define C8 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7])
#define C4 "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3])
#define QUARTERS_OF(layouts, arows, bcolumns)                                                                          \
  {                                                                                                                    \
    u32 a[2], b[2];                                                                                                    \
    for (int i = 0; i < 2; i++) {                                                                                      \
      a[i] = arows ? pack(left_at(quarter, row, 2 * i), left_at(quarter, row, 2 * i + 1))                              \
                   : pack(left_at(quarter, upper + 2 * i, turn), left_at(quarter, upper + 2 * i + 1, turn));           \
      b[i] = bcolumns ? pack(right_at(quarter, 2 * i, row), right_at(quarter, 2 * i + 1, row))                         \
                      : pack(right_at(quarter, turn, upper + 2 * i), right_at(quarter, turn, upper + 2 * i + 1));      \
    }                                                                                                                  \
    float d[8];                                                                                                        \
    asm volatile("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f32 " F8 "{%8,%9}, {%10,%11}, "                      \
                 "{%12,%13,%14,%15,%16,%17,%18,%19};"                                                                  \
                 : OUT8                                                                                                \
                 : IN4, C8);                                                                                           \
    for (int i = 0; i < 8; i++)                                                                                        \
      *to++ = d[i];                                                                                                    \
    asm volatile("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f16 " F8 "{%8,%9}, {%10,%11}, {%12,%13,%14,%15};"    \
                 : OUT8                                                                                                \
                 : IN4, C4);                                                                                           \
    for (int i = 0; i < 8; i++)                                                                                        \
      *to++ = d[i];                                                                                                    \
    u32 e[4];                                                                                                          \
    asm volatile("mma.sync.aligned.m8n8k4." layouts                                                                    \
                 ".f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};"                                  \
                 : "=r"(e[0]), "=r"(e[1]), "=r"(e[2]), "=r"(e[3])                                                      \
                 : IN4, C4);                                                                                           \
    for (int i = 0; i < 8; i++)                                                                                        \
      *to++ = __half2float(__ushort_as_half((u16)(e[i / 2] >> i % 2 * 16)));                                           \
  }

__global__ void quarters(float *to) {
  int lane = threadIdx.x % 32, turn = lane % 4, quarter = lane / 4 % 4, upper = lane / 16 * 4, row = turn + upper;
  float c[8];
  u32 h[4];
  for (int i = 0; i < 8; i++)
    c[i] = (float)start_at(quarter, turn % 2 + (i & 2) + upper, (i & 4) + (turn & 2) + i % 2);
  for (int i = 0; i < 4; i++)
    h[i] = pack(start_at(quarter, row, 2 * i), start_at(quarter, row, 2 * i + 1));
  to += threadIdx.x * LAYOUTS * FORMS * 8;
  QUARTERS_OF("row.col", true, true)
  QUARTERS_OF("row.row", true, false)
  QUARTERS_OF("col.col", false, true)
  QUARTERS_OF("col.row", false, false)
}

// --- doubles ------------------------------------------------------------------------------------------------------

__global__ void doubles(double *to) {
  int lane = threadIdx.x % 32, group = lane / 4, place = lane % 4;
  double a[8], b[4], c[4], d[4];
  for (int i = 0; i < 8; i++)
    a[i] = left_at(0, group + i % 2 * 8, place + i / 2 * 4) * 0.5;
  for (int i = 0; i < 4; i++) {
    b[i] = right_at(0, place + i * 4, group) * 0.25;
    c[i] = start_at(0, group + i / 2 * 8, place * 2 + i % 2);
  }
  to += threadIdx.x * 12;
#define OUT "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
#define C "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3])
#define KEEP                                                                                                           \
  for (int i = 0; i < 4; i++)                                                                                          \
    *to++ = d[i];
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
               : OUT
               : "d"(a[0]), "d"(a[1]), "d"(b[0]), C);
  KEEP asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                    "{%10,%11,%12,%13};" : OUT : "d"(a[0]),
                    "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]), C);
  KEEP asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
                    "{%12,%13,%14,%15}, {%16,%17,%18,%19};" : OUT : "d"(a[0]),
                    "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
                    "d"(b[2]), "d"(b[3]), C);
  KEEP
}

// --- floats of 8 bits ---------------------------------------------------------------------------------------------

// -4 to 4 as an e4m3 and as an e5m2.
__device__ static u32 e4m3(int value) {
  const unsigned char known[] = {0, 0x38, 0x40, 0x44, 0x48};
  return value < 0 ? known[-value] | 0x80u : known[value];
}
__device__ static u32 e5m2(int value) { return __half_as_ushort(__float2half((float)value)) >> 8; }

__global__ void bytes(float *to) {
  int lane = threadIdx.x % 32, group = lane / 4, place = lane % 4;
  u32 a[4] = {0, 0, 0, 0}, b[2] = {0, 0}, b5[2] = {0, 0};
  float c[4], d[4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      a[i] |= e4m3(left_at(0, group + i % 2 * 8, place * 4 + j + i / 2 * 16)) << 8 * j;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) {
      b[i] |= e4m3(right_at(0, place * 4 + j + 16 * i, group)) << 8 * j;
      b5[i] |= e5m2(right_at(0, place * 4 + j + 16 * i, group)) << 8 * j;
    }
  for (int i = 0; i < 4; i++)
    c[i] = (float)start_at(0, group + i / 2 * 8, place * 2 + i % 2);
  u32 h[2] = {pack((int)c[0], (int)c[1]), pack((int)c[2], (int)c[3])}, e[2];
  to += threadIdx.x * 16;
#undef OUT
#undef C
#define OUT "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
#define C "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
               "{%10,%11,%12,%13};"
               : OUT
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), C);
  KEEP asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                    "{%10,%11,%12,%13};" : OUT : "r"(a[0]),
                    "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b5[0]), "r"(b5[1]), C);
  KEEP asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" : OUT : "r"(
          a[0]),
      "r"(a[1]), "r"(b5[0]), C);
  KEEP asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" : "=r"(e[0]),
      "=r"(e[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(h[0]), "r"(h[1]));
  for (int i = 0; i < 4; i++)
    *to++ = __half2float(__ushort_as_half((u16)(e[i / 2] >> i % 2 * 16)));
}

static int product(int which, int row, int column, int k) {
  int sum = 0;
  for (int p = 0; p < k; p++)
    sum += left_at(which, row, p) * right_at(which, p, column);
  return sum;
}

// --- stmatrix -----------------------------------------------------------------------------------------------------

// Four matrices as they lie in lanes to memory: by rows, turned, two of them, one of them turned.
enum { STORED = (4 + 4 + 2 + 1) * 64 };
__global__ void stores(u16 *to) {
  __shared__ alignas(16) u16 tile[STORED];
  int lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
  u32 r[4];
  for (int m = 0; m < 4; m++)
    r[m] = (u32)(m * 64 + row * 8 + column) | (u32)(m * 64 + row * 8 + column + 1) << 16;
  u32 at = (u32)__cvta_generic_to_shared(tile);
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at + lane * 16), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at + 512 + lane * 16),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("stmatrix.sync.aligned.x2.m8n8.b16 [%0], {%1,%2};" ::"l"(tile + 512 + lane % 16 * 8), "r"(r[0]),
               "r"(r[1])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.b16 [%0], {%1};" ::"l"(tile + 640 + lane % 8 * 8), "r"(r[0])
               : "memory");
  __syncwarp();
  for (int i = lane; i < STORED; i += 32)
    to[i] = tile[i];
}

int main(int argc, char **argv) {
  int warps = (block_size(argc, argv) + 31) / 32, threads = 32 * warps;
  buffer<float> fours((size_t)threads * LAYOUTS * FORMS * 8), eights((size_t)threads * 16);
  buffer<double> wide((size_t)threads * 12);
  quarters<<<1, threads>>>(fours.device);
  fours.download();
  for (int i = 0; i < threads * LAYOUTS * FORMS * 8; i++) {
    int lane = i / (LAYOUTS * FORMS * 8) % 32, form = i / 8 % FORMS, e = i % 8, turn = lane % 4, upper = lane / 16 * 4;
    int row = form == 2 ? turn + upper : turn % 2 + (e & 2) + upper;
    int column = form == 2 ? e : (e & 4) + (turn & 2) + e % 2, which = lane / 4 % 4;
    expect(i, fours[i], (float)(start_at(which, row, column) + product(which, row, column, 4)));
  }
  doubles<<<1, threads>>>(wide.device);
  wide.download();
  bytes<<<1, threads>>>(eights.device);
  eights.download();
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < 16; i++) {
      int lane = t % 32, e = i % 4, row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
      if (i < 12)
        expect(t * 12 + i, wide[t * 12 + i], start_at(0, row, column) + product(0, row, column, 4 << i / 4) * 0.125);
      expect(t * 16 + i, eights[t * 16 + i],
             (float)(start_at(0, row, column) + product(0, row, column, i / 4 == 2 ? 16 : 32)));
    }
  buffer<u16> stored(STORED);
  stores<<<1, 32>>>(stored.device);
  stored.download();
  for (int i = 0; i < STORED; i++) {
    int m = i / 64, row = i / 8 % 8, column = i % 8;
    bool turned = (m >= 4 && m < 8) || m == 10;
    int number = m < 8 ? m % 4 : m == 10 ? 0 : m - 8;
    expect(i, (u32)stored[i], (u32)(number * 64 + (turned ? column * 8 + row : row * 8 + column)));
  }
  return passed();
}
