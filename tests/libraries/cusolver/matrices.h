/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the tests of cuSOLVER share: small matrices, and how near results are to be. */
#ifndef TESTS_CUSOLVER_MATRICES_H
#define TESTS_CUSOLVER_MATRICES_H

#include "../check.h"
#include <cusolverDn.h>

#define GOOD(call) CHECK((call) == CUSOLVER_STATUS_SUCCESS)
static cusolverDnHandle_t handle;
enum { n = 7, m = 10, ld = 12 };
template <class T> using matrix = device<T>;

template <class T> number at(const matrix<T> &a, int i, int j) { return value(a[i + j * ld]); }
/* Sum over k of f(k). */
template <class F> number sum(int count, F f) {
  number all = 0;
  for (int k = 0; k < count; k++)
    all += f(k);
  return all;
}
template <class T> matrix<T> positive() {
  matrix<T> a(ld * n), made(ld * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      set(made[i + j * ld], sum(n, [&](int k) { return at(a, i, k) * std::conj(at(a, j, k)); }) + (i == j ? 3.0 : 0.0));
  return made;
}
template <class T> void is_near(number found, number expected) {
  CHECK(std::abs(found - expected) < 300 * precision<T>);
}

#endif
