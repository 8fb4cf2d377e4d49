// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that host and device share have one size, one alignment and the same offsets of their members on both sides: long double
// among them, in structures that kernels take and pass on without computing with it.
#include "check.h"

#include <complex>
#include <cstddef>
#include <iostream>
#include <limits>
#include <sstream>

struct outer {
  int first;
  long double number;
  int last;
};
template <typename T> struct after_char {
  char c;
  T value;
};
struct bits {
  int a : 3;
  long long b : 40;
  char c : 5;
  unsigned short d : 9;
  bool e : 1;
  int : 0;
  unsigned f : 31;
};
enum small : unsigned char { ONE };
enum large { FAR = 1ll << 40 };
struct empty {};
struct also_empty {};
struct of_empty : empty, also_empty {
  char c;
};
struct repeated : empty {
  empty first;
  char c;
};
struct over_aligned {
  char c;
  alignas(32) int value;
};
struct with_virtual {
  virtual void f() {}
  char c;
};
struct derived : with_virtual {
  char d;
};
struct virtual_base : virtual empty {
  char d;
  int *p;
};
struct __align__(16) packed_end {
  char c[17];
};
struct __attribute__((packed)) packed {
  char c;
  long double number;
};

// clang-format off
#define TYPES(X)                                                                                                       \
  X(outer) X(after_char<long double>) X(after_char<__int128>) X(after_char<double>) X(after_char<long long>)       \
  X(after_char<long double *>) X(after_char<std::nullptr_t>) X(after_char<std::complex<float>>) X(bits) X(small)    \
  X(large) X(of_empty) X(repeated) X(over_aligned) X(with_virtual) X(derived) X(virtual_base) X(packed_end) X(packed)  \
  X(wchar_t) X(char16_t) X(bool) X(long) X(std::max_align_t) X(std::complex<long double>) X(long double[3])            \
  X(int outer::*) X(void (with_virtual::*)()) X(float4) X(after_char<double4>) X(after_char<short3>) X(dim3)
// clang-format on
#define LAYOUT(T) to[count++] = (int)(sizeof(T) * 1000 + alignof(T));
#define ONE_MORE(T) +1
static const int types = 0 TYPES(ONE_MORE) + 4;

__host__ __device__ inline void layouts(int *to) {
  int count = 0;
  TYPES(LAYOUT)
  to[count++] = (int)offsetof(outer, number);
  to[count++] = (int)offsetof(outer, last);
  to[count++] = (int)offsetof(over_aligned, value);
  to[count++] = (int)offsetof(after_char<__int128>, value);
}

__device__ outer kept;

__global__ void tell(int *to) { layouts(to); }

__global__ void take(outer by_value, const outer *array, after_char<long double> second, int *out, outer *copies,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = by_value.first + by_value.last * 10 + array[i].last * 100 + second.c + kept.last;
  copies[i] = i % 2 ? array[i] : by_value;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 300;
  buffer<int> seen(types), out(n);
  int expected[types];
  layouts(expected);
  tell<<<1, 1>>>(seen.device);
  seen.download();
  for (int i = 0; i < types; i++)
    expect(i, seen[i], expected[i]);

  outer one = {1, 2.5L, 3};
  buffer<outer> array(n), copies(n);
  for (int i = 0; i < n; i++)
    array[i] = {i, i + std::numeric_limits<long double>::epsilon(), i + 2};
  array.upload();
  CHECK(cudaMemcpyToSymbol(kept, &one, sizeof one));
  take<<<blocks_for(n, block), block>>>(one, array.device, {5, 1.0L}, out.device, copies.device, n);
  out.download(), copies.download();
  for (int i = 0; i < n; i++) {
    expect(i, out[i], 1 + 30 + (i + 2) * 100 + 5 + 3);
    expect(i, copies[i].first, i % 2 ? i : 1);
    if (copies[i].number != (i % 2 ? array[i].number : 2.5L))
      fail_at(i, (double)copies[i].number, (double)array[i].number);
  }

  // What only the host does with it is no business of the device.
  std::ostringstream text;
  text << strtold("1.25", nullptr) * 2 << " " << sqrtl(6.25L) << " " << (std::complex<long double>(1, 2) * 2.0L).imag();
  if (text.str() != "2.5 2.5 4")
    return printf("'%s'\n", text.str().c_str()), 1;
  return passed();
}
