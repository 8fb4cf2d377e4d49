// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++20 in kernels: concepts, consteval, <=>, designated initialisers, templated lambdas, bit_cast, pack expansion, structured
// bindings, if constexpr, ranges of for with an initialiser.
// flags: -std=c++20 --expt-relaxed-constexpr
#include "check.h"

#include <bit>
#include <compare>
#include <concepts>

template <std::integral T> __device__ T half(T x) { return x / 2; }
template <std::floating_point T> __device__ T half(T x) { return x * T(0.5); }

struct version {
  int major, minor;
  auto operator<=>(const version &) const = default;
};
struct settings {
  int width = 3;
  int height = 4;
  float scale = 0.5f;
};
consteval int cube(int x) { return x * x * x; }

template <typename... T> __device__ auto sum(T... values) { return (values + ... + 0); }
template <typename... Visitors> struct overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename T>
concept has_area = requires(T t) {
  { t.area() } -> std::convertible_to<int>;
};
struct square {
  int side;
  __device__ int area() const { return side * side; }
};
template <typename T> __device__ int measure(const T &t) {
  if constexpr (has_area<T>)
    return t.area();
  else
    return -1;
}

__global__ void run(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *o = out + 10 * i;
  o[0] = half(i) + (int)half(float(i));
  version a{i % 3, i % 5}, b{.major = 1, .minor = 2};
  o[1] = (a < b) + 10 * (a == b) + 100 * (a > b);
  settings s{.height = i};
  o[2] = int(s.width * s.height * s.scale);
  o[3] = cube(4) + sum(i, 2, 3);
  o[4] = std::bit_cast<int>(float(i)) >> 23;
  o[5] = std::popcount(unsigned(i)) + std::countl_zero(unsigned(i) | 1);
  auto twice = []<typename T>(T x) { return x + x; };
  o[6] = twice(i) + int(twice(0.25));
  overloaded visit{[](int x) { return x; }, [](double x) { return int(x * 10); }};
  o[7] = visit(i) + visit(0.5);
  auto [major, minor] = a;
  int total = 0;
  for (int step = major; int x : {1, 2, 3})
    total += x * step;
  o[8] = total + minor;
  o[9] = measure(square{i}) + measure(i);
}

int main(int argc, char **argv) {
  const int n = 200;
  int block = block_size(argc, argv);
  buffer<int> out(10 * n);
  run<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    int *o = &out[10 * i], major = i % 3, minor = i % 5, order = major != 1 ? major - 1 : minor - 2;
    expect(i, o[0], i / 2 + i / 2);
    expect(i, o[1], order < 0 ? 1 : order == 0 ? 10 : 100);
    expect(i, o[2], 3 * i / 2);
    expect(i, o[3], 64 + i + 5);
    int exponent = 0, bits = 0, top = 0;
    for (int k = 0; k < 31; k++)
      if (i >> k & 1)
        bits++, top = k;
    exponent = i ? 127 + top : 0;
    // The exponent's field of a float: 8 bits of it.
    float f = (float)i;
    int pattern;
    memcpy(&pattern, &f, 4);
    expect(i, o[4], pattern >> 23);
    expect(i, o[4], exponent);
    expect(i, o[5], bits + 31 - (i ? top : 0));
    expect(i, o[6], 2 * i);
    expect(i, o[7], i + 5);
    expect(i, o[8], 6 * major + minor);
    expect(i, o[9], i * i - 1);
  }
  return passed();
}
