/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of cuBLAS's first release (cuBLAS documentation, appendix "Using the cuBLAS Legacy API"): no handle,
 * letters for options as in BLAS, scalars and results by value. Before the file is included these say what becomes of
 * each:
 *
 *   __UW_DO(name, parameters, arguments)           one without a result; the arguments are those of the second release's after its handle
 *   __UW_GET(type, name, parameters, arguments)    one with a result, a pointer to which is the second release's last argument
 *
 * Options stand among the arguments as __UW_SIDE(c), __UW_UPLO(c), __UW_TRANS(c) and __UW_DIAG(c). */

#define __UW_S4(F) F(S, float) F(D, double) F(C, cuComplex) F(Z, cuDoubleComplex)
#define __UW_S2(F) F(S, float) F(D, double)
#define __UW_C2(F) F(C, cuComplex, float) F(Z, cuDoubleComplex, double)
/* What is symmetric for real numbers and Hermitian for complex ones: the letter, the two names, the type, that of the
 * diagonal. */
#define __UW_SYHE(F)                                                                                                   \
  F(S, sy, float, float) F(D, sy, double, double) F(C, he, cuComplex, float) F(Z, he, cuDoubleComplex, double)
#define __UW_SPHP(F)                                                                                                   \
  F(S, sp, float, float) F(D, sp, double, double) F(C, hp, cuComplex, float) F(Z, hp, cuDoubleComplex, double)
#define __UW_SBHB(F) F(S, sb, float) F(D, sb, double) F(C, hb, cuComplex) F(Z, hb, cuDoubleComplex)

/* --- level 1 --- */

// clang-format off
#define __UW_F(T, type)                                                                                                 \
  __UW_DO(T##swap, (int n, type *x, int incx, type *y, int incy), (n, x, incx, y, incy))                                 \
  __UW_DO(T##copy, (int n, const type *x, int incx, type *y, int incy), (n, x, incx, y, incy))                           \
  __UW_DO(T##scal, (int n, type alpha, type *x, int incx), (n, &alpha, x, incx))                                         \
  __UW_DO(T##axpy, (int n, type alpha, const type *x, int incx, type *y, int incy), (n, &alpha, x, incx, y, incy))
// clang-format on
__UW_S4(__UW_F)
#undef __UW_F
__UW_DO(Csscal, (int n, float alpha, cuComplex *x, int incx), (n, &alpha, x, incx))
__UW_DO(Zdscal, (int n, double alpha, cuDoubleComplex *x, int incx), (n, &alpha, x, incx))

#define __UW_F(name, type, result) __UW_GET(result, name, (int n, const type *x, int incx), (n, x, incx))
__UW_F(Snrm2, float, float)
__UW_F(Dnrm2, double, double)
__UW_F(Scnrm2, cuComplex, float)
__UW_F(Dznrm2, cuDoubleComplex, double)
__UW_F(Sasum, float, float)
__UW_F(Dasum, double, double)
__UW_F(Scasum, cuComplex, float)
__UW_F(Dzasum, cuDoubleComplex, double)
__UW_F(Isamax, float, int)
__UW_F(Idamax, double, int)
__UW_F(Icamax, cuComplex, int)
__UW_F(Izamax, cuDoubleComplex, int)
__UW_F(Isamin, float, int)
__UW_F(Idamin, double, int)
__UW_F(Icamin, cuComplex, int)
__UW_F(Izamin, cuDoubleComplex, int)
#undef __UW_F

#define __UW_F(name, type)                                                                                             \
  __UW_GET(type, name, (int n, const type *x, int incx, const type *y, int incy), (n, x, incx, y, incy))
__UW_F(Sdot, float)
__UW_F(Ddot, double)
__UW_F(Cdotu, cuComplex)
__UW_F(Cdotc, cuComplex)
__UW_F(Zdotu, cuDoubleComplex)
__UW_F(Zdotc, cuDoubleComplex)
#undef __UW_F

#define __UW_F(name, type, real, sine)                                                                                 \
  __UW_DO(name, (int n, type *x, int incx, type *y, int incy, real c, sine s), (n, x, incx, y, incy, &c, &s))
__UW_F(Srot, float, float, float)
__UW_F(Drot, double, double, double)
__UW_F(Crot, cuComplex, float, cuComplex)
__UW_F(Zrot, cuDoubleComplex, double, cuDoubleComplex)
__UW_F(Csrot, cuComplex, float, float)
__UW_F(Zdrot, cuDoubleComplex, double, double)
#undef __UW_F
// clang-format off
#define __UW_F(T, type)                                                                                                 \
  __UW_DO(T##rotg, (type *a, type *b, type *c, type *s), (a, b, c, s))                                                   \
  __UW_DO(T##rotm, (int n, type *x, int incx, type *y, int incy, const type *param), (n, x, incx, y, incy, param))       \
  __UW_DO(T##rotmg, (type *d1, type *d2, type *x1, const type *y1, type *param), (d1, d2, x1, y1, param))
// clang-format on
__UW_S2(__UW_F)
#undef __UW_F
#define __UW_F(T, type, real) __UW_DO(T##rotg, (type * a, type b, real * c, type * s), (a, &b, c, s))
__UW_C2(__UW_F)
#undef __UW_F

/* --- level 2 --- */

#define __UW_TRIANGLE char uplo, char trans, char diag, int n
#define __UW_TRIANGLE_ARGUMENTS __UW_UPLO(uplo), __UW_TRANS(trans), __UW_DIAG(diag), n
#define __UW_F(T, type)                                                                                                \
  __UW_DO(T##gemv,                                                                                                     \
          (char trans, int m, int n, type alpha, const type *A, int lda, const type *x, int incx, type beta, type *y,  \
           int incy),                                                                                                  \
          (__UW_TRANS(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy))                                          \
  __UW_DO(T##gbmv,                                                                                                     \
          (char trans, int m, int n, int kl, int ku, type alpha, const type *A, int lda, const type *x, int incx,      \
           type beta, type *y, int incy),                                                                              \
          (__UW_TRANS(trans), m, n, kl, ku, &alpha, A, lda, x, incx, &beta, y, incy))                                  \
  __UW_DO(T##trmv, (__UW_TRIANGLE, const type *A, int lda, type *x, int incx),                                         \
          (__UW_TRIANGLE_ARGUMENTS, A, lda, x, incx))                                                                  \
  __UW_DO(T##trsv, (__UW_TRIANGLE, const type *A, int lda, type *x, int incx),                                         \
          (__UW_TRIANGLE_ARGUMENTS, A, lda, x, incx))                                                                  \
  __UW_DO(T##tbmv, (__UW_TRIANGLE, int k, const type *A, int lda, type *x, int incx),                                  \
          (__UW_TRIANGLE_ARGUMENTS, k, A, lda, x, incx))                                                               \
  __UW_DO(T##tbsv, (__UW_TRIANGLE, int k, const type *A, int lda, type *x, int incx),                                  \
          (__UW_TRIANGLE_ARGUMENTS, k, A, lda, x, incx))                                                               \
  __UW_DO(T##tpmv, (__UW_TRIANGLE, const type *AP, type *x, int incx), (__UW_TRIANGLE_ARGUMENTS, AP, x, incx))         \
  __UW_DO(T##tpsv, (__UW_TRIANGLE, const type *AP, type *x, int incx), (__UW_TRIANGLE_ARGUMENTS, AP, x, incx))
__UW_S4(__UW_F)
#undef __UW_F
#undef __UW_TRIANGLE
#undef __UW_TRIANGLE_ARGUMENTS

#define __UW_F(T, sy, type, real)                                                                                      \
  __UW_DO(                                                                                                             \
      T##sy##mv,                                                                                                       \
      (char uplo, int n, type alpha, const type *A, int lda, const type *x, int incx, type beta, type *y, int incy),   \
      (__UW_UPLO(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy))                                                   \
  __UW_DO(T##sy##r, (char uplo, int n, real alpha, const type *x, int incx, type *A, int lda),                         \
          (__UW_UPLO(uplo), n, &alpha, x, incx, A, lda))                                                               \
  __UW_DO(T##sy##r2,                                                                                                   \
          (char uplo, int n, type alpha, const type *x, int incx, const type *y, int incy, type *A, int lda),          \
          (__UW_UPLO(uplo), n, &alpha, x, incx, y, incy, A, lda))
__UW_SYHE(__UW_F)
#undef __UW_F
#define __UW_F(T, sp, type, real)                                                                                      \
  __UW_DO(T##sp##mv,                                                                                                   \
          (char uplo, int n, type alpha, const type *AP, const type *x, int incx, type beta, type *y, int incy),       \
          (__UW_UPLO(uplo), n, &alpha, AP, x, incx, &beta, y, incy))                                                   \
  __UW_DO(T##sp##r, (char uplo, int n, real alpha, const type *x, int incx, type *AP),                                 \
          (__UW_UPLO(uplo), n, &alpha, x, incx, AP))                                                                   \
  __UW_DO(T##sp##r2, (char uplo, int n, type alpha, const type *x, int incx, const type *y, int incy, type *AP),       \
          (__UW_UPLO(uplo), n, &alpha, x, incx, y, incy, AP))
__UW_SPHP(__UW_F)
#undef __UW_F
#define __UW_F(T, sb, type)                                                                                            \
  __UW_DO(T##sb##mv,                                                                                                   \
          (char uplo, int n, int k, type alpha, const type *A, int lda, const type *x, int incx, type beta, type *y,   \
           int incy),                                                                                                  \
          (__UW_UPLO(uplo), n, k, &alpha, A, lda, x, incx, &beta, y, incy))
__UW_SBHB(__UW_F)
#undef __UW_F
#define __UW_F(name, type)                                                                                             \
  __UW_DO(name, (int m, int n, type alpha, const type *x, int incx, const type *y, int incy, type *A, int lda),        \
          (m, n, &alpha, x, incx, y, incy, A, lda))
__UW_F(Sger, float)
__UW_F(Dger, double)
__UW_F(Cgeru, cuComplex)
__UW_F(Cgerc, cuComplex)
__UW_F(Zgeru, cuDoubleComplex)
__UW_F(Zgerc, cuDoubleComplex)
#undef __UW_F

/* --- level 3 --- */

#define __UW_RANK(name, type, scalar)                                                                                  \
  __UW_DO(name,                                                                                                        \
          (char uplo, char trans, int n, int k, scalar alpha, const type *A, int lda, scalar beta, type *C, int ldc),  \
          (__UW_UPLO(uplo), __UW_TRANS(trans), n, k, &alpha, A, lda, &beta, C, ldc))
#define __UW_RANK2(name, type, scalar)                                                                                 \
  __UW_DO(name,                                                                                                        \
          (char uplo, char trans, int n, int k, type alpha, const type *A, int lda, const type *B, int ldb,            \
           scalar beta, type *C, int ldc),                                                                             \
          (__UW_UPLO(uplo), __UW_TRANS(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc))
#define __UW_SIDED(name, type)                                                                                         \
  __UW_DO(name,                                                                                                        \
          (char side, char uplo, int m, int n, type alpha, const type *A, int lda, const type *B, int ldb, type beta,  \
           type *C, int ldc),                                                                                          \
          (__UW_SIDE(side), __UW_UPLO(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc))
/* The first release's trmm works in place. */
#define __UW_F(T, type)                                                                                                \
  __UW_DO(T##gemm,                                                                                                     \
          (char transa, char transb, int m, int n, int k, type alpha, const type *A, int lda, const type *B, int ldb,  \
           type beta, type *C, int ldc),                                                                               \
          (__UW_TRANS(transa), __UW_TRANS(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc))                    \
  __UW_RANK(T##syrk, type, type)                                                                                       \
  __UW_RANK2(T##syr2k, type, type)                                                                                     \
  __UW_SIDED(T##symm, type)                                                                                            \
  __UW_DO(T##trsm,                                                                                                     \
          (char side, char uplo, char transa, char diag, int m, int n, type alpha, const type *A, int lda, type *B,    \
           int ldb),                                                                                                   \
          (__UW_SIDE(side), __UW_UPLO(uplo), __UW_TRANS(transa), __UW_DIAG(diag), m, n, &alpha, A, lda, B, ldb))       \
  __UW_DO(                                                                                                             \
      T##trmm,                                                                                                         \
      (char side, char uplo, char transa, char diag, int m, int n, type alpha, const type *A, int lda, type *B,        \
       int ldb),                                                                                                       \
      (__UW_SIDE(side), __UW_UPLO(uplo), __UW_TRANS(transa), __UW_DIAG(diag), m, n, &alpha, A, lda, B, ldb, B, ldb))
__UW_S4(__UW_F)
#undef __UW_F
// clang-format off
#define __UW_F(T, type, real)                                                                                           \
  __UW_RANK(T##herk, type, real)                                                                                        \
  __UW_RANK2(T##her2k, type, real)                                                                                      \
  __UW_SIDED(T##hemm, type)
// clang-format on
__UW_C2(__UW_F)
#undef __UW_F
#undef __UW_RANK
#undef __UW_RANK2
#undef __UW_SIDED

#undef __UW_S4
#undef __UW_S2
#undef __UW_C2
#undef __UW_SYHE
#undef __UW_SPHP
#undef __UW_SBHB
