// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of type long double count as double in device code and keep their type on the host: literals, literals of the program's own,
// constants in namespaces and classes; in kernels, members, templates and functions for both sides.
#include "check.h"

typedef double real;
namespace units {
constexpr long double third = 1.0L / 3;
__host__ __device__ constexpr real operator""_rt(long double x) { return real(x); }
struct limits {
  static constexpr long double most{2.75};
};
} // namespace units
using units::operator""_rt;
#define ASIDE 1

extern "C" __global__ void kernel(const real *in, real *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = 0.5_rt * in[i] + 2.5e+1_rt; // 1.5L stays here
  out[i] += in[i] * 1.5L - (i & 1 ? 4.L : 1e-1L) * ASIDE;
  out[i] += double(units::third) * units::limits::most;
}
template <typename T> struct scaled {
  T value;
  __host__ __device__ T by_ten() const { return value * 10.0L; }
  __host__ __device__ static T half(T x) { return 0.5_rt * x; }
};
__global__ void members(const real *in, real *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scaled<real>{in[i]}.by_ten() + scaled<real>::half(in[i]);
}
/* On the host one bit more than a double has. */
__host__ __device__ bool is_long() { return 1 + 0x1p-60L != 1; }
__global__ void ask(real *out) { *out = is_long(); }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  buffer<real> in(n), out(n), more(n), answer(1);
  for (int i = 0; i < n; i++)
    in[i] = i * 0.25;
  in.upload();
  kernel<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  members<<<blocks_for(n, block), block>>>(in.device, more.device, n);
  ask<<<1, 1>>>(answer.device);
  out.download(), more.download(), answer.download();
  for (int i = 0; i < n; i++) {
    real expected = 0.5 * in[i] + 25 + (in[i] * 1.5 - (i & 1 ? 4 : 0.1)) + 2.75 / 3;
    expect(i, std::fabs(out[i] - expected) < 1e-12 * expected + 1e-12, true);
    expect(i, more[i], in[i] * 10.5);
  }
  expect(-1, is_long(), sizeof(long double) > sizeof(double));
  expect(-1, answer[0], 0.0);
  return passed();
}
