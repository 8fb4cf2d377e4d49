// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: the words after an instruction's name in any order, as ptxas takes them: only types, state spaces and layouts count in the
// order in which they stand. ldmatrix with a generic address, too.
#include "check.h"

#include <climits>

typedef unsigned u32;

// Instruction (a, b are %1, %2, p a predicate that holds for odd a; c is %3) and what it gives.
#define INTEGERS(is)                                                                                                   \
  is("bfind.u32.shiftamt %0, %1;", a ? __builtin_clz(a) : 0xffffffffu)                                                 \
      is("prmt.f4e.b32 %0, %1, %2, 1;", a >> 8 | b << 24) is("prmt.b32.f4e %0, %1, %2, 1;", a >> 8 | b << 24)          \
          is("{ .reg .pred q; setp.u32.lt q, %1, %2; selp.u32 %0, 1, 0, q; }",                                         \
             a < b) is("{ .reg .pred q; setp.and.lt.u32 q, %1, %2, p; selp.u32 %0, 1, 0, q; }", a < b && (a & 1))      \
              is("{ .reg .pred q; setp.s32.xor.ge q, %1, %2, p; selp.u32 %0, 1, 0, q; }",                              \
                 ((int)a >= (int)b) != (a & 1)) is("set.u32.lt.s32 %0, %1, %2;", (int)a < (int)b ? 0xffffffffu : 0)    \
                  is("cvt.u32.sat.s32 %0, %1;", (int)a < 0 ? 0 : a) is("vadd.sat.s32.u32.s32.min %0, %1, %2, %3;",     \
                                                                       least(limited((long long)a + (int)b), (int)c))  \
                      is("vset.ge.u32.s32 %0, %1, %2;",                                                                \
                         (long long)a >= (int)b) is("vadd4.sat.u32.u32.u32 %0, %1, %2, %3;", four(a, b))               \
                          is("{ .reg .pred q; lop3.or.b32 %0|q, %1, %2, %3, 0x80, p; selp.u32 %0, 1, 0, q; }",         \
                             (a & b & c) != 0 || (a & 1))                                                              \
                              is("{ .reg .pred q; lop3.and.b32 _|q, %1, %2, %3, 0x96, p; selp.u32 %0, 1, 0, q; }",     \
                                 (a ^ b ^ c) != 0 && (a & 1))                                                          \
                                  is("dp2a.lo.u32.u32 %0, %1, %2, %3;",                                                \
                                     (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff) + c)                      \
                                      is("mov.u32 t, %%laneid; shfl.idx.sync.b32 %0, %1, t, 31, 0xffffffff;", a)       \
                                          is("mov.u32 t, %%laneid; match.sync.any.b32 %0, t, 0xffffffff;", 1u << lane) \
                                              is("vote.ballot.sync.b32 %0, p, 0xffffffff;", everyone)                  \
                                                  is("sub.u32%0,%1,%2;", a - b) /* no space after the name */          \
      is("mov.u32 t, %%laneid; redux.max.sync.u32 %0, t, 0xffffffff;", 31)

#define FLOATS(is)                                                                                                     \
  is("add.f32.rn.ftz %0, %1, %2;", x + y) is("add.sat.rz.f32 %0, %1, %2;", clamped(x + y))                             \
      is("div.f32.rn %0, %1, %2;", x / y) is("fma.f32.rn.sat %0, %1, %2, %1;", clamped(x *y + x))                      \
          is("cvt.f32.rzi.f32 %0, %1;", truncf(x)) is("slct.f32.s32 %0, %1, %2, -1;", y)                               \
              is("max.f32.NaN %0, %1, %2;", x > y ? x : y)

__host__ __device__ static inline u32 limited(long long value) {
  return (u32)(int)(value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : value);
}
__host__ __device__ static inline u32 least(u32 a, int b) { return (int)a < b ? a : (u32)b; }
__host__ __device__ static inline float clamped(float value) { return value > 0 ? value < 1 ? value : 1 : 0; }
__host__ __device__ static inline u32 four(u32 a, u32 b) {
  u32 result = 0;
  for (int i = 0; i < 32; i += 8) {
    u32 sum = (a >> i & 255) + (b >> i & 255);
    result |= (sum > 255 ? 255 : sum) << i;
  }
  return result;
}

#define COUNT(...) +1
enum { INTEGER_RESULTS = INTEGERS(COUNT), FLOAT_RESULTS = FLOATS(COUNT), ATOMICS = 4, ROWS = 5 };

// Whole warps: a warp's instructions name all its lanes.
__global__ void integers(const u32 *in, u32 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], *to = out + i;
#define RUN(text, value)                                                                                               \
  asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, 1; setp.ne.u32 p, t, 0;\n" text " }"                       \
               : "=r"(*to)                                                                                             \
               : "r"(a), "r"(b), "r"(c));                                                                              \
  to += n;
  INTEGERS(RUN)
#undef RUN
}

__global__ void floats(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[2 * i], y = in[2 * i + 1], *to = out + i;
#define RUN(text, value)                                                                                               \
  asm volatile(text : "=f"(*to) : "f"(x), "f"(y));                                                                     \
  to += n;
  FLOATS(RUN)
#undef RUN
}

__global__ void atomics(u32 *at, u32 *out) {
  u32 value;
  asm volatile("atom.u32.add.global %0, [%1], 1;" : "=r"(value) : "l"(at) : "memory");
  asm volatile("red.max.gpu.relaxed.global.u32 [%0], %1;" ::"l"(at + 1), "r"(value) : "memory");
  asm volatile("ld.gpu.relaxed.u32.global %0, [%1];" : "=r"(value) : "l"(at + 2) : "memory");
  asm volatile("st.u32.global.release.gpu [%0], %1;" ::"l"(at + 3), "r"(value + 1) : "memory");
}

// Each lane's part of four matrices, by four spellings of one instruction; and of one that is turned.
__global__ void rows(u32 *out) {
  __shared__ alignas(16) unsigned short tile[32][8];
  int lane = threadIdx.x;
  for (int i = 0; i < 8; i++)
    tile[lane][i] = (unsigned short)(lane * 8 + i);
  __syncwarp();
  u32 near = (u32)__cvta_generic_to_shared(tile[lane]), d[4];
#define RUN(at, name, constraint, address)                                                                             \
  asm volatile(name " {%0, %1, %2, %3}, [%4];"                                                                         \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                        \
               : constraint(address));                                                                                 \
  for (int m = 0; m < 4; m++)                                                                                          \
    out[(at * 4 + m) * 32 + lane] = d[m];
  RUN(0, "ldmatrix.sync.aligned.x4.m8n8.shared.b16", "r", near)
  RUN(1, "ldmatrix.b16.shared.aligned.sync.m8n8.x4", "r", near)
  RUN(2, "ldmatrix.sync.aligned.m8n8.x4.b16", "l", tile[lane])
  RUN(3, "ldmatrix.sync.aligned.x4.m8n8.shared::cta.b16", "r", near)
  RUN(4, "ldmatrix.sync.aligned.trans.x4.b16.m8n8", "l", tile[lane])
#undef RUN
}

int main(int argc, char **argv) {
  int block = (block_size(argc, argv) + 31) / 32 * 32, n = 8 * block;
  static const u32 corners[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x80ff017f, 12345, 0xfffe0001};
  unsigned state = 7;
  buffer<u32> in(3 * (size_t)n), out((size_t)INTEGER_RESULTS * n);
  for (int i = 0; i < 3 * n; i++)
    in[i] = next_random(state) % 3 ? corners[next_random(state) % 8] : next_random(state) * 257;
  in.upload();
  integers<<<8, block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    u32 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], everyone = 0, lane = i % 32;
    for (int k = 0; k < 32; k++)
      everyone |= (in[3 * (i / 32 * 32 + k)] & 1) << k;
    const u32 wanted[] = {
#define VALUE(text, value) (u32)(value),
        INTEGERS(VALUE)};
    for (int k = 0; k < INTEGER_RESULTS; k++)
      expect(k * 100000 + i, out[(size_t)k * n + i], wanted[k]);
  }
  buffer<float> numbers(2 * (size_t)n), results((size_t)FLOAT_RESULTS * n);
  for (int i = 0; i < 2 * n; i++)
    numbers[i] = (float)((int)(next_random(state) % 257) - 128) / 64 + (i % 2 ? 4.0f : 0.0f);
  numbers.upload();
  floats<<<8, block>>>(numbers.device, results.device, n);
  results.download();
  for (int i = 0; i < n; i++) {
    float x = numbers[2 * i], y = numbers[2 * i + 1];
    const float wanted[] = {
#define NUMBER(text, value) value,
        FLOATS(NUMBER)};
    for (int k = 0; k < FLOAT_RESULTS; k++)
      expect_near(k * 100000 + i, results[(size_t)k * n + i], wanted[k], 0);
  }
  buffer<u32> at(ATOMICS), unused(1);
  at[2] = 41;
  at.upload();
  atomics<<<1, block>>>(at.device, unused.device);
  at.download();
  const u32 wanted[ATOMICS] = {(u32)block, (u32)block - 1, 41, 42};
  for (int i = 0; i < ATOMICS; i++)
    expect(i, at[i], wanted[i]);
  buffer<u32> matrices(ROWS * 4 * 32);
  rows<<<1, 32>>>(matrices.device);
  matrices.download();
  for (int i = 0; i < ROWS * 4 * 32; i++) {
    u32 lane = i % 32, m = i / 32 % 4, row = lane / 4, column = lane % 4 * 2, turned = i / 128 == 4;
    u32 low = turned ? column * 8 + row : row * 8 + column, next = turned ? 8 : 1;
    expect(i, matrices[i], (m * 64 + low) | (m * 64 + low + next) << 16);
  }
  return passed();
}
