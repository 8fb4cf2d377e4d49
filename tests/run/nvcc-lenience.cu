// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc takes and clang alone would not: min and max without std:: in host code, constexpr host functions in kernels,
// shared variables of classes with constructors, extended lambdas, register, a missing return, spaces in launch brackets,
// __grid_constant__, cached loads and stores of any type, names of <cmath> and <ctime> that nobody included.
// flags: --expt-relaxed-constexpr --extended-lambda
#include "check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>

struct point {
  float x, y;
  __device__ point() {}
  __device__ point(float a, float b) : x(a), y(b) {}
};
template <typename T> struct storage {
  T at[256];
  __device__ storage() {}
};
struct parameters {
  int table[20];
};

constexpr int square(int x) { return x * x; }
__device__ int sign(int x) {
  if (x > 0)
    return 1;
  if (x <= 0)
    return -1;
}

__global__ void run(const __grid_constant__ parameters p, int *out, float4 *vectors, int n) {
  __shared__ point points[256];
  __shared__ storage<point> more;
  register int i = blockIdx.x * blockDim.x + threadIdx.x;
  points[threadIdx.x] = point(i, 2);
  more.at[threadIdx.x] = point(3, i);
  __syncthreads();
  if (i >= n)
    return;
  const parameters *address = &p;
  std::array<int, 3> array = {i, 5, 7};
  auto pair = std::make_pair(i, 2);
  std::tuple<int, char> tuple(i, 'a');
  out[4 * i] = std::max(square(i % 10), address->table[i % 20]) + std::min(i, 3);
  out[4 * i + 1] = (int)points[threadIdx.x].x + (int)more.at[threadIdx.x].y + sign(i - 50);
  out[4 * i + 2] =
      array[i % 3] + (int)array.size() + pair.second + std::get<1>(tuple) + std::numeric_limits<short>::max();
  out[4 * i + 3] = isnan((float)i) + isfinite(1.0f * i) * 2 + __nv_atomic_load_n(&out[4 * i], __NV_ATOMIC_RELAXED);
  float4 v = __ldcs(vectors + i);
  v.x += 1;
  __stcs(vectors + i, v);
}

template <typename F> __global__ void apply(F f, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = f(i);
}

int main(int argc, char **argv) {
  const int n = 300;
  int block = block_size(argc, argv), blocks = blocks_for(n, block);
  buffer<int> out(4 * n), applied(n);
  buffer<float4> vectors(n);
  parameters p;
  for (int i = 0; i < 20; i++)
    p.table[i] = 3 * i;
  for (int i = 0; i < n; i++)
    vectors[i] = make_float4(i, 0, 0, 0);
  vectors.upload();
  time_t now = time(0);
  run<<<blocks, block>>>(p, out.device, vectors.device, n);
  out.download(), vectors.download();
  for (int i = 0; i < n; i++) {
    int first = max(i % 10 * (i % 10), 3 * (i % 20)) + min(i, 3);
    expect(i, out[4 * i], first);
    expect(i, out[4 * i + 1], 2 * i + (i > 50 ? 1 : -1));
    int element = i % 3 == 0 ? i : i % 3 == 1 ? 5 : 7;
    expect(i, out[4 * i + 2], element + 3 + 2 + 'a' + 32767);
    expect(i, out[4 * i + 3], 2 + first);
    expect(i, vectors[i].x, i + 1.0f);
  }
  int factor = now ? 3 : 0;
  apply<<<blocks, block>>>([=] __device__(int i) { return factor * i; }, applied.device, n);
  applied.download();
  for (int i = 0; i < n; i++)
    expect(i, applied[i], 3 * i);
  auto both = [factor] __host__ __device__(int i) { return factor + i; };
  apply<<<blocks, block>>>(both, applied.device, n);
  applied.download();
  for (int i = 0; i < n; i++)
    expect(i, applied[i], both(i));
  return passed();
}
