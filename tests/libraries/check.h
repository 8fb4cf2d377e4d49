/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the tests of libraries share: counting what is wrong, values of any type as complex doubles, vectors in device memory, folders for files. */
#pragma once
#include <array>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <functional>
#include <stdlib.h>
#include <string>
#include <vector>

static int wrong, checked;
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    checked++;                                                                                                         \
    if (!(condition) && wrong++ < 20)                                                                                  \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                           \
  } while (0)

/* Where temporary files go, as the compiler sees it, and a new folder there. */
inline std::string temporary_root() {
  const char *named = getenv("TMPDIR");
  return named && *named ? named : P_tmpdir;
}
inline std::string new_folder(const char *of) {
  std::string path = temporary_root() + "/unwarp-" + of + "-XXXXXX";
  CHECK(mkdtemp(&path[0]) != nullptr);
  return path;
}

using number = std::complex<double>;
inline number value(float x) { return x; }
inline number value(double x) { return x; }
inline number value(int x) { return x; }
inline number value(long long x) { return (double)x; }
inline number value(__half x) { return (double)__half2float(x); }
inline number value(__nv_bfloat16 x) { return (double)__bfloat162float(x); }
inline number value(cuComplex x) { return {x.x, x.y}; }
inline number value(cuDoubleComplex x) { return {x.x, x.y}; }
inline void set(float &to, number x) { to = (float)x.real(); }
inline void set(double &to, number x) { to = x.real(); }
inline void set(int &to, number x) { to = (int)x.real(); }
inline void set(long long &to, number x) { to = (long long)x.real(); }
inline void set(signed char &to, number x) { to = (signed char)x.real(); }
inline void set(__half &to, number x) { to = __float2half((float)x.real()); }
inline void set(__nv_bfloat16 &to, number x) { to = __float2bfloat16((float)x.real()); }
inline void set(cuComplex &to, number x) { to = {(float)x.real(), (float)x.imag()}; }
inline void set(cuDoubleComplex &to, number x) { to = {x.real(), x.imag()}; }
inline number value(signed char x) { return x; }
inline void set(unsigned char &to, number x) { to = (unsigned char)x.real(); }
inline number value(unsigned char x) { return x; }
template <class T> T make(number x) {
  T to;
  set(to, x);
  return to;
}
template <class T> constexpr bool is_complex = false;
template <> constexpr bool is_complex<cuComplex> = true;
template <> constexpr bool is_complex<cuDoubleComplex> = true;
template <class T> constexpr double precision = 1e-5;
template <> constexpr double precision<double> = 1e-13;
template <> constexpr double precision<cuDoubleComplex> = 1e-13;
template <> constexpr double precision<__half> = 2e-3;
template <> constexpr double precision<__nv_bfloat16> = 1.6e-2;

/* Small values that differ, the same in each run. */
inline double next_number() {
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state % 2001) / 1000 - 1;
}

/* An array in managed memory: the host looks at it, and it is device memory. */
template <class T> struct device {
  T *at;
  size_t count;
  explicit device(size_t count) : count(count) {
    if (cudaMallocManaged(&at, (count ? count : 1) * sizeof(T)) != cudaSuccess)
      abort();
    for (size_t i = 0; i < count; i++)
      at[i] = make<T>(is_complex<T> ? number(next_number(), next_number()) : number(next_number()));
  }
  device(const device &of) : device(of.count) {
    for (size_t i = 0; i < count; i++)
      at[i] = of.at[i];
  }
  ~device() { cudaFree(at); }
  T &operator[](size_t i) { return at[i]; }
  const T &operator[](size_t i) const { return at[i]; }
  operator T *() { return at; }
  operator const T *() const { return at; }
};

template <class T> bool near(T found, number expected, double size = 1) {
  return std::abs(value(found) - expected) <= precision<T> * (size + std::abs(expected));
}

inline int report(const char *what) {
  if (!checked)
    wrong = 1;
  printf("%s: %d checks, %d wrong\n", what, checked, wrong);
  return wrong != 0;
}
