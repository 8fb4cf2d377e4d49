// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that CUDA leaves to the program, although a header might be tempted: vector arithmetic, small math helpers,
// a timer read with PTX, an atomicAdd of one's own type.
#include "check.h"

#include <algorithm>

inline __host__ __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
inline __host__ __device__ float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
inline __host__ __device__ void operator+=(float2 &a, float2 b) { a = a + b; }
inline __host__ __device__ float2 make_float2(float s) { return make_float2(s, s); }
inline __host__ __device__ float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fminf(a.y, b.y)); }
inline __host__ __device__ int2 min(int2 a, int2 b) { return make_int2(min(a.x, b.x), min(a.y, b.y)); }
inline __host__ __device__ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
inline __host__ __device__ float length(float2 v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ int divup(int a, int b) { return (a + b - 1) / b; }

__device__ __forceinline__ unsigned long long __globaltimer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
__device__ void atomicAdd(float2 *to, double value) {
  atomicAdd(&to->x, (float)value);
  atomicAdd(&to->y, -(float)value);
}
/* Templates of two types, which a `using namespace` brings beside CUDA's own: they are meant. */
namespace numbers {
template <typename A, typename B> __host__ __device__ constexpr auto max(A const &a, B const &b) {
  return (a < b ? b : a) + 1000;
}
template <typename A, typename B> __host__ __device__ constexpr auto min(A const &a, B const &b) {
  return (b < a ? b : a) - 1000;
}
} // namespace numbers
namespace tiles {
using namespace numbers;
__host__ __device__ inline int between(unsigned i, long most) { return (int)(max(i, 3u) + min(most, 9)); }
} // namespace tiles
struct warpSizeOf {
  int lane_id, warp_id;
};

__global__ void use(float2 *out, float2 *sum, int *times, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long before = __globaltimer();
  float2 v = make_float2((float)i) * 0.5f;
  v += make_float2(1.0f, 2.0f);
  v = fminf(v, make_float2(lerp(0, 100, 0.5f)));
  int2 both = min(make_int2(i, 7), make_int2(5, i));
  out[i] = make_float2(clamp(length(v), 0.0f, 40.0f), (float)(both.x + both.y + divup(i, 4) + tiles::between(i, i)));
  warpSizeOf place = {i % warpSize, i / warpSize};
  atomicAdd(sum, (double)(place.lane_id + 1));
  times[i] = __globaltimer() >= before;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 150;
  buffer<float2> out(n), sum(1);
  buffer<int> times(n);
  sum.upload();
  use<<<divup(n, block), block>>>(out.device, sum.device, times.device, n);
  out.download();
  sum.download();
  times.download();
  float total = 0;
  for (int i = 0; i < n; i++) {
    float x = std::fmin(i * 0.5f + 1, 50.0f), y = std::fmin(i * 0.5f + 2, 50.0f);
    expect_near(i, out[i].x, std::fmin(std::sqrt(x * x + y * y), 40.0f), 1e-6);
    expect(i, out[i].y, (float)(std::min(i, 5) + std::min(7, i) + (i + 3) / 4 + std::max(i, 3) + std::min(i, 9)));
    expect(i, times[i], 1);
    total += i % 32 + 1;
  }
  expect(0, sum[0].x, total);
  expect(0, sum[0].y, -total);
  return passed();
}
