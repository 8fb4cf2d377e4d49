/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Levels 1 to 3 of cuBLAS in all four types and for both types of sizes, against plain loops in double. */
#include "../check.h"
#include <cublas_v2.h>

static cublasHandle_t handle;
#define GOOD(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

template <class T> struct blas;
#define COMMON(T, letter, lower, norm, real_type, dot_, dotc_, ger_, herm, rot_)                                       \
  template <> struct blas<T> {                                                                                         \
    using real = real_type;                                                                                            \
    static constexpr auto nrm2 = cublas##norm##nrm2, asum = cublas##norm##asum;                                        \
    static constexpr auto amax = cublasI##lower##amax, amin = cublasI##lower##amin;                                    \
    static constexpr auto scal = cublas##letter##scal;                                                                 \
    static constexpr auto axpy = cublas##letter##axpy;                                                                 \
    static constexpr auto axpy_64 = cublas##letter##axpy_64;                                                           \
    static constexpr auto copy = cublas##letter##copy;                                                                 \
    static constexpr auto swap = cublas##letter##swap;                                                                 \
    static constexpr auto rot = cublas##rot_;                                                                          \
    static constexpr auto dot = cublas##dot_, dotc = cublas##dotc_;                                                    \
    static constexpr auto gemv = cublas##letter##gemv;                                                                 \
    static constexpr auto gbmv = cublas##letter##gbmv;                                                                 \
    static constexpr auto trmv = cublas##letter##trmv, trsv = cublas##letter##trsv;                                    \
    static constexpr auto tbmv = cublas##letter##tbmv, tbsv = cublas##letter##tbsv;                                    \
    static constexpr auto tpmv = cublas##letter##tpmv, tpsv = cublas##letter##tpsv;                                    \
    static constexpr auto symv = cublas##letter##symv, hemv = cublas##letter##herm##mv;                                \
    static constexpr auto syr = cublas##letter##syr;                                                                   \
    static constexpr auto syr2 = cublas##letter##syr2;                                                                 \
    static constexpr auto gerc = cublas##ger_;                                                                         \
    static constexpr auto gemm = cublas##letter##gemm;                                                                 \
    static constexpr auto gemm_64 = cublas##letter##gemm_64;                                                           \
    static constexpr auto symm = cublas##letter##symm, hemm = cublas##letter##herm##mm;                                \
    static constexpr auto syrk = cublas##letter##syrk;                                                                 \
    static constexpr auto syr2k = cublas##letter##syr2k, syrkx = cublas##letter##syrkx;                                \
    static constexpr auto trsm = cublas##letter##trsm;                                                                 \
    static constexpr auto trmm = cublas##letter##trmm;                                                                 \
    static constexpr auto geam = cublas##letter##geam;                                                                 \
    static constexpr auto dgmm = cublas##letter##dgmm;                                                                 \
  };
COMMON(float, S, s, S, float, Sdot, Sdot, Sger, sy, Srot)
COMMON(double, D, d, D, double, Ddot, Ddot, Dger, sy, Drot)
COMMON(cuComplex, C, c, Sc, float, Cdotu, Cdotc, Cgerc, he, Csrot)
COMMON(cuDoubleComplex, Z, z, Dz, double, Zdotu, Zdotc, Zgerc, he, Zdrot)

static number op(number x, cublasOperation_t trans) { return trans == CUBLAS_OP_C ? std::conj(x) : x; }
/* Element (i, j) of op(A). */
template <class T> number at(const device<T> &a, int ld, cublasOperation_t trans, int i, int j) {
  return trans == CUBLAS_OP_N ? value(a[i + j * ld]) : op(value(a[j + i * ld]), trans);
}
static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

template <class T> void level1() {
  using B = blas<T>;
  using R = typename B::real;
  const int n = 77, incx = 2, incy = -3;
  device<T> x(n * 2), y(n * 3), x0(x), y0(y);
  const T alpha = make<T>({0.75, is_complex<T> ? -0.5 : 0});
  auto xi = [&](int i) { return value(x0[i * incx]); };
  auto place = [&](int i) { return (n - 1 - i) * 3; };
  number dot = 0, dotc = 0;
  double squares = 0, sum = 0, most = -1, least = 1e9;
  int at_most = 0, at_least = 0;
  for (int i = 0; i < n; i++) {
    double size = std::abs(xi(i).real()) + std::abs(xi(i).imag());
    dot += xi(i) * value(y0[place(i)]), dotc += std::conj(xi(i)) * value(y0[place(i)]);
    squares += std::norm(xi(i)), sum += size;
    if (size > most + 1e-9)
      most = size, at_most = i + 1;
    if (size < least - 1e-9)
      least = size, at_least = i + 1;
  }
  R real;
  T result;
  int index;
  GOOD(B::nrm2(handle, n, x, incx, &real));
  CHECK(near(real, std::sqrt(squares)));
  GOOD(B::asum(handle, n, x, incx, &real));
  CHECK(near(real, sum));
  GOOD(B::amax(handle, n, x, incx, &index));
  CHECK(index == at_most);
  GOOD(B::amin(handle, n, x, incx, &index));
  CHECK(index == at_least);
  GOOD(B::amax(handle, 0, x, incx, &index));
  CHECK(index == 0);
  GOOD(B::dot(handle, n, x, incx, y, incy, &result));
  CHECK(near(result, dot, 10));
  GOOD(B::dotc(handle, n, x, incx, y, incy, &result));
  CHECK(near(result, dotc, 10));
  GOOD(B::axpy(handle, n, &alpha, x, incx, y, incy));
  for (int i = 0; i < n; i++)
    CHECK(near(y[place(i)], value(alpha) * xi(i) + value(y0[place(i)])));
  GOOD(B::axpy_64(handle, (int64_t)n, &alpha, x, (int64_t)incx, y, (int64_t)incy));
  CHECK(near(y[place(5)], 2.0 * value(alpha) * xi(5) + value(y0[place(5)])));
  GOOD(B::copy(handle, n, x, incx, y, incy));
  CHECK(near(y[place(3)], xi(3)));
  GOOD(B::scal(handle, n, &alpha, x, incx));
  CHECK(near(x[4 * incx], value(alpha) * xi(4)));
  CHECK(value(x[1]) == value(x0[1]));
  GOOD(B::swap(handle, n, x, incx, y, incy));
  CHECK(near(y[place(4)], value(alpha) * xi(4)));
  CHECK(near(x[4 * incx], xi(4)));
  R c = 0.6f, s = 0.8f;
  device<T> x1(x), y1(y);
  GOOD(B::rot(handle, n, x, incx, y, incy, &c, &s));
  for (int i = 0; i < n; i++) {
    CHECK(near(x[i * incx], (double)c * value(x1[i * incx]) + (double)s * value(y1[place(i)])));
    CHECK(near(y[place(i)], (double)c * value(y1[place(i)]) - (double)s * value(x1[i * incx])));
  }
  /* A result and a scalar in device memory. */
  device<T> scalar(1), where(1);
  scalar[0] = alpha;
  GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  GOOD(B::dot(handle, n, x0, incx, y0, incy, where));
  GOOD(B::scal(handle, n, scalar, y1, 1));
  cudaDeviceSynchronize();
  CHECK(near(where[0], dot, 10));
  GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <class T> void level2() {
  using B = blas<T>;
  const T alpha = make<T>({0.5, is_complex<T> ? 1 : 0}), beta = make<T>({-1.25, is_complex<T> ? 0.25 : 0}),
          zero = make<T>(0);
  const int m = 23, n = 17, lda = 29;
  for (cublasOperation_t trans : ops) {
    const int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;
    device<T> a(lda * n), x(columns), y(rows * 2), y0(y);
    GOOD(B::gemv(handle, trans, m, n, &alpha, a, lda, x, 1, &beta, y, 2));
    for (int i = 0; i < rows; i++) {
      number sum = 0;
      for (int j = 0; j < columns; j++)
        sum += at(a, lda, trans, i, j) * value(x[j]);
      CHECK(near(y[2 * i], value(alpha) * sum + value(beta) * value(y0[2 * i]), 10));
    }
    set(y[0], NAN); /* not read */
    GOOD(B::gemv(handle, trans, m, n, &alpha, a, lda, x, 1, &zero, y, 2));
    CHECK(std::isfinite(value(y[0]).real()));

    const int kl = 2, ku = 3;
    device<T> z(y0);
    GOOD(B::gbmv(handle, trans, m, n, kl, ku, &alpha, a, lda, x, 1, &beta, z, 2));
    for (int i = 0; i < rows; i++) {
      number sum = 0;
      for (int j = 0; j < columns; j++) {
        int row = trans == CUBLAS_OP_N ? i : j, column = trans == CUBLAS_OP_N ? j : i;
        if (row - column <= kl && column - row <= ku)
          sum += op(value(a[ku + row - column + column * lda]), trans) * value(x[j]);
      }
      CHECK(near(z[2 * i], value(alpha) * sum + value(beta) * value(y0[2 * i]), 10));
    }
    for (cublasFillMode_t fill : fills)
      for (cublasDiagType_t diag : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
        device<T> t(lda * n), packed(n * (n + 1) / 2), band(lda * n), v(n), w(v), p(v), b(v);
        const int k = 2;
        int next = 0;
        for (int j = 0; j < n; j++)
          set(t[j + j * lda], 3.0 + value(t[j + j * lda]));
        for (int j = 0; j < n; j++)
          for (int i = fill == CUBLAS_FILL_MODE_LOWER ? j : 0; i <= (fill == CUBLAS_FILL_MODE_LOWER ? n - 1 : j); i++)
            packed[next++] = t[i + j * lda];
        auto lies_in = [&](int i, int j) { return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j; };
        auto element = [&](int i, int j, bool in_band) {
          int row = trans == CUBLAS_OP_N ? i : j, column = trans == CUBLAS_OP_N ? j : i;
          if (!lies_in(row, column) || (in_band && std::abs(row - column) > k))
            return number(0);
          return row == column && diag == CUBLAS_DIAG_UNIT ? number(1) : op(value(t[row + column * lda]), trans);
        };
        for (int j = 0; j < n; j++)
          for (int i = 0; i < n; i++)
            if (lies_in(i, j) && std::abs(i - j) <= k)
              band[(fill == CUBLAS_FILL_MODE_LOWER ? i - j : k + i - j) + j * lda] = t[i + j * lda];
        GOOD(B::trmv(handle, fill, trans, diag, n, t, lda, w, 1));
        GOOD(B::tpmv(handle, fill, trans, diag, n, packed, p, 1));
        GOOD(B::tbmv(handle, fill, trans, diag, n, k, band, lda, b, 1));
        for (int i = 0; i < n; i++) {
          number sum = 0, banded = 0;
          for (int j = 0; j < n; j++)
            sum += element(i, j, false) * value(v[j]), banded += element(i, j, true) * value(v[j]);
          CHECK(near(w[i], sum, 10));
          CHECK(near(p[i], sum, 10));
          CHECK(near(b[i], banded, 10));
        }
        GOOD(B::tbsv(handle, fill, trans, diag, n, k, band, lda, b, 1));
        if (diag == CUBLAS_DIAG_NON_UNIT) {
          GOOD(B::trsv(handle, fill, trans, diag, n, t, lda, w, 1));
          GOOD(B::tpsv(handle, fill, trans, diag, n, packed, p, 1));
          for (int i = 0; i < n; i++) {
            CHECK(near(w[i], value(v[i]), 1000));
            CHECK(near(p[i], value(v[i]), 1000));
            CHECK(near(b[i], value(v[i]), 1000));
          }
        }
      }
  }
  for (cublasFillMode_t fill : fills) {
    auto lies_in = [&](int i, int j) { return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j; };
    device<T> a(lda * n), a0(a), x(n), y(n), z(y), y0(y);
    GOOD(B::symv(handle, fill, n, &alpha, a, lda, x, 1, &beta, y, 1));
    GOOD(B::hemv(handle, fill, n, &alpha, a, lda, x, 1, &beta, z, 1));
    for (int i = 0; i < n; i++) {
      number sum = 0, hermitian = 0;
      for (int j = 0; j < n; j++) {
        number element = value(lies_in(i, j) ? a[i + j * lda] : a[j + i * lda]);
        sum += element * value(x[j]);
        hermitian += (i == j ? element.real() : lies_in(i, j) ? element : std::conj(element)) * value(x[j]);
      }
      CHECK(near(y[i], value(alpha) * sum + value(beta) * value(y0[i]), 10));
      CHECK(near(z[i], value(alpha) * hermitian + value(beta) * value(y0[i]), 10));
    }
    GOOD(B::syr(handle, fill, n, &alpha, x, 1, a, lda));
    GOOD(B::syr2(handle, fill, n, &alpha, x, 1, y0, -1, a, lda));
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        number more = value(alpha) * (value(x[i]) * value(x[j]) + value(x[i]) * value(y0[n - 1 - j]) +
                                      value(y0[n - 1 - i]) * value(x[j]));
        CHECK(near(a[i + j * lda], value(a0[i + j * lda]) + (lies_in(i, j) ? more : 0), 10));
      }
  }
  device<T> a(lda * n), a0(a), x(m), y(n);
  GOOD(B::gerc(handle, m, n, &alpha, x, 1, y, 1, a, lda));
  CHECK(near(a[3 + 4 * lda], value(a0[3 + 4 * lda]) + value(alpha) * value(x[3]) * std::conj(value(y[4]))));
}

template <class T> void level3() {
  using B = blas<T>;
  const T alpha = make<T>({0.5, is_complex<T> ? 1 : 0}), beta = make<T>({-1.25, is_complex<T> ? 0.25 : 0}),
          zero = make<T>(0);
  const int m = 37, n = 21, k = 29, ld = 41;
  for (cublasOperation_t ta : ops)
    for (cublasOperation_t tb : ops) {
      device<T> a(ld * ld), b(ld * ld), c(ld * n), c0(c), d(c), e(c);
      GOOD(B::gemm(handle, ta, tb, m, n, k, &alpha, a, ld, b, ld, &beta, c, ld));
      GOOD(B::gemm_64(handle, ta, tb, (int64_t)m, (int64_t)n, (int64_t)k, &alpha, a, (int64_t)ld, b, (int64_t)ld, &beta,
                      d, (int64_t)ld));
      GOOD(B::geam(handle, ta, tb, m, n, &alpha, a, ld, &beta, b, ld, e, ld));
      for (int j = 0; j < n; j++)
        for (int i = 0; i < ld; i++) {
          number sum = 0, expected = value(c0[i + j * ld]);
          for (int l = 0; i < m && l < k; l++)
            sum += at(a, ld, ta, i, l) * at(b, ld, tb, l, j);
          if (i < m)
            expected = value(alpha) * sum + value(beta) * expected;
          CHECK(near(c[i + j * ld], expected, 10));
          CHECK(value(d[i + j * ld]) == value(c[i + j * ld]));
          if (i < m)
            CHECK(near(e[i + j * ld], value(alpha) * at(a, ld, ta, i, j) + value(beta) * at(b, ld, tb, i, j)));
        }
      set(c[0], NAN);
      GOOD(B::gemm(handle, ta, tb, m, n, k, &alpha, a, ld, b, ld, &zero, c, ld));
      CHECK(std::isfinite(value(c[0]).real()));
      GOOD(B::gemm(handle, ta, tb, m, n, 0, &alpha, a, ld, b, ld, &zero, c, ld));
      CHECK(value(c[0]) == 0.0);
    }
  for (cublasFillMode_t fill : fills) {
    auto lies_in = [&](int i, int j) { return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j; };
    for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      const int order = side == CUBLAS_SIDE_LEFT ? m : n;
      device<T> a(ld * ld), b(ld * n), c(ld * n), c0(c), h(c);
      GOOD(B::symm(handle, side, fill, m, n, &alpha, a, ld, b, ld, &beta, c, ld));
      GOOD(B::hemm(handle, side, fill, m, n, &alpha, a, ld, b, ld, &beta, h, ld));
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
          number sum = 0, hermitian = 0;
          for (int l = 0; l < order; l++) {
            int row = side == CUBLAS_SIDE_LEFT ? i : l, column = side == CUBLAS_SIDE_LEFT ? l : j;
            number element = value(lies_in(row, column) ? a[row + column * ld] : a[column + row * ld]);
            number other = value(side == CUBLAS_SIDE_LEFT ? b[l + j * ld] : b[i + l * ld]);
            sum += element * other;
            hermitian += (row == column ? element.real() : lies_in(row, column) ? element : std::conj(element)) * other;
          }
          CHECK(near(c[i + j * ld], value(alpha) * sum + value(beta) * value(c0[i + j * ld]), 10));
          CHECK(near(h[i + j * ld], value(alpha) * hermitian + value(beta) * value(c0[i + j * ld]), 10));
        }
      for (cublasOperation_t trans : ops) {
        for (int i = 0; i < ld; i++)
          set(a[i + i * ld], 4);
        GOOD(B::trmm(handle, side, fill, trans, CUBLAS_DIAG_NON_UNIT, m, n, &alpha, a, ld, b, ld, c, ld));
        for (int j = 0; j < n; j++)
          for (int i = 0; i < m; i++) {
            number sum = 0;
            for (int l = 0; l < order; l++) {
              int row = side == CUBLAS_SIDE_LEFT ? i : l, column = side == CUBLAS_SIDE_LEFT ? l : j;
              bool in = trans == CUBLAS_OP_N ? lies_in(row, column) : lies_in(column, row);
              if (in)
                sum += at(a, ld, trans, row, column) * value(side == CUBLAS_SIDE_LEFT ? b[l + j * ld] : b[i + l * ld]);
            }
            CHECK(near(c[i + j * ld], value(alpha) * sum, 10));
          }
        const T one = make<T>(1);
        GOOD(B::trsm(handle, side, fill, trans, CUBLAS_DIAG_NON_UNIT, m, n, &one, a, ld, c, ld));
        CHECK(near(c[3 + 2 * ld], value(alpha) * value(b[3 + 2 * ld]), 1e4));
      }
    }
    for (cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const int big = 150, wide = 151; /* more than a strip of syrkx */
      device<T> a(wide * wide), b(wide * wide), c(wide * big), c0(c), d(c), e(c);
      GOOD(B::syrk(handle, fill, trans, big, k, &alpha, a, wide, &beta, c, wide));
      GOOD(B::syr2k(handle, fill, trans, big, k, &alpha, a, wide, b, wide, &beta, d, wide));
      GOOD(B::syrkx(handle, fill, trans, big, k, &alpha, a, wide, b, wide, &beta, e, wide));
      for (int j = 0; j < big; j += 3)
        for (int i = 0; i < big; i++) {
          number own = 0, ab = 0, ba = 0, before = value(c0[i + j * wide]);
          for (int l = 0; l < k; l++) {
            number ai = at(a, wide, trans, i, l), aj = at(a, wide, trans, j, l), bi = at(b, wide, trans, i, l),
                   bj = at(b, wide, trans, j, l);
            own += ai * aj, ab += ai * bj, ba += bi * aj;
          }
          bool in = lies_in(i, j);
          CHECK(near(c[i + j * wide], in ? value(alpha) * own + value(beta) * before : before, 10));
          CHECK(near(d[i + j * wide], in ? value(alpha) * (ab + ba) + value(beta) * before : before, 10));
          CHECK(near(e[i + j * wide], in ? value(alpha) * ab + value(beta) * before : before, 10));
        }
    }
  }
  device<T> a(ld * n), x(m + n), c(ld * n);
  GOOD(B::dgmm(handle, CUBLAS_SIDE_LEFT, m, n, a, ld, x, 1, c, ld));
  CHECK(near(c[3 + 2 * ld], value(a[3 + 2 * ld]) * value(x[3])));
  GOOD(B::dgmm(handle, CUBLAS_SIDE_RIGHT, m, n, a, ld, x, 1, c, ld));
  CHECK(near(c[3 + 2 * ld], value(a[3 + 2 * ld]) * value(x[2])));
}

/* What only real or only complex types have. */
static void real_and_complex() {
  const int n = 13;
  const float alpha = 0.5f, beta = 2;
  device<float> a(n * n), x(n), y(n), y0(y), packed(n * (n + 1) / 2);
  int next = 0;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      packed[next++] = a[i + j * n];
  device<float> z(y);
  GOOD(cublasSspmv(handle, CUBLAS_FILL_MODE_LOWER, n, &alpha, packed, x, 1, &beta, y, 1));
  GOOD(cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, n, &alpha, a, n, x, 1, &beta, z, 1));
  for (int i = 0; i < n; i++)
    CHECK(near(y[i], value(z[i])));
  GOOD(cublasSspr(handle, CUBLAS_FILL_MODE_LOWER, n, &alpha, x, 1, packed));
  CHECK(near(packed[1], a[1] + 0.5 * x[1] * x[0]));
  GOOD(cublasSspr2(handle, CUBLAS_FILL_MODE_LOWER, n, &alpha, x, 1, y0, 1, packed));
  CHECK(near(packed[1], a[1] + 0.5 * x[1] * x[0] + 0.5 * (x[1] * y0[0] + y0[1] * x[0])));
  const int k = 1;
  device<float> band(2 * n);
  for (int j = 0; j < n; j++)
    band[2 * j] = a[j + j * n], band[2 * j + 1] = j + 1 < n ? a[j + 1 + j * n] : 0;
  z[0] = 0;
  const float zero = 0;
  GOOD(cublasSsbmv(handle, CUBLAS_FILL_MODE_LOWER, n, k, &alpha, band, 2, x, 1, &zero, z, 1));
  CHECK(near(z[2], 0.5 * (a[2 + n] * x[1] + a[2 + 2 * n] * x[2] + a[3 + 2 * n] * x[3])));

  using C = cuComplex;
  device<C> ca(n * n), ca0(ca), cx(n), cy(n);
  const C calpha = {0.5f, -1};
  GOOD(cublasCher(handle, CUBLAS_FILL_MODE_UPPER, n, &alpha, cx, 1, ca, n));
  CHECK(near(ca[1 + 2 * n], value(ca0[1 + 2 * n]) + 0.5 * value(cx[1]) * std::conj(value(cx[2]))));
  CHECK(ca[1 + n].y == 0);
  GOOD(cublasCher2(handle, CUBLAS_FILL_MODE_LOWER, n, &calpha, cx, 1, cy, 1, ca, n));
  CHECK(near(ca[5 + 2 * n], value(ca0[5 + 2 * n]) + value(calpha) * value(cx[5]) * std::conj(value(cy[2])) +
                                std::conj(value(calpha)) * value(cy[5]) * std::conj(value(cx[2]))));
  device<C> c(n * n), c0(c);
  for (int i = 0; i < n; i++)
    c[i + i * n].y = c0[i + i * n].y = 0;
  GOOD(cublasCherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, n, n, &alpha, ca, n, &beta, c, n));
  number sum = 0, both = 0;
  for (int l = 0; l < n; l++) {
    sum += std::conj(value(ca[l + 4 * n])) * value(ca[l + 3 * n]);
    both += std::conj(value(ca[l + 4 * n])) * value(ca0[l + 3 * n]);
  }
  CHECK(near(c[4 + 3 * n], 0.5 * sum + 2.0 * value(c0[4 + 3 * n]), 20));
  device<C> d(c0);
  GOOD(cublasCherkx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, n, n, &calpha, ca, n, ca0, n, &beta, d, n));
  CHECK(near(d[4 + 3 * n], value(calpha) * both + 2.0 * value(c0[4 + 3 * n]), 20));
  CHECK(d[4 + 4 * n].y == 0);
  GOOD(cublasCgeru(handle, n, n, &calpha, cx, 1, cy, 1, c0, n));
  GOOD(cublasCsscal(handle, n, &alpha, cx, 1));
  C aa = {3, 1}, bb = {1, 2}, sine;
  float cosine;
  GOOD(cublasCrotg(handle, &aa, &bb, &cosine, &sine));
  CHECK(near((float)(cosine * cosine + sine.x * sine.x + sine.y * sine.y), 1));
  GOOD(cublasCrot(handle, n, cx, 1, cy, 1, &cosine, &sine));
  float p[5], d1 = 1, d2 = 2, x1 = 3, y1 = 4;
  GOOD(cublasSrotmg(handle, &d1, &d2, &x1, &y1, p));
  device<float> rx(4), ry(4), rx0(rx), ry0(ry);
  GOOD(cublasSrotm(handle, 4, rx, 1, ry, 1, p));
  float h11 = p[0] == 0 ? 1 : p[1], h21 = p[0] == 1 ? -1 : p[2], h12 = p[0] == 1 ? 1 : p[3], h22 = p[0] == 0 ? 1 : p[4];
  CHECK(near(rx[2], h11 * rx0[2] + h12 * ry0[2]));
  CHECK(near(ry[2], h21 * rx0[2] + h22 * ry0[2]));
}

int main() {
  GOOD(cublasCreate(&handle));
  level1<float>(), level1<double>(), level1<cuComplex>(), level1<cuDoubleComplex>();
  level2<float>(), level2<double>(), level2<cuComplex>(), level2<cuDoubleComplex>();
  level3<float>(), level3<double>(), level3<cuComplex>(), level3<cuDoubleComplex>();
  real_and_complex();
  GOOD(cublasDestroy(handle));
  return report("levels");
}
