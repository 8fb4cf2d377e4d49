/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of OpenBLAS that are used, by their Fortran names: all arguments go by address, scalars too, so that
 * one in device memory is read when the work runs; and the four types differ by a letter. (www.netlib.org/blas,
 * OpenBLAS's extensions.) */
#ifndef UWL_BLAS_H
#define UWL_BLAS_H

typedef const char *bf; /* a letter */
typedef const int *bi;  /* a size */
typedef const void *bx;
typedef void *by;

#define UWL_BLAS_TYPES(F) F(s) F(d) F(c) F(z)
#pragma GCC visibility push(default)
#define DECLARE(t)                                                                                                     \
  void t##scal_(bi n, bx alpha, by x, bi incx);                                                                        \
  void t##axpy_(bi n, bx alpha, bx x, bi incx, by y, bi incy);                                                         \
  void t##copy_(bi n, bx x, bi incx, by y, bi incy);                                                                   \
  void t##swap_(bi n, by x, bi incx, by y, bi incy);                                                                   \
  int i##t##amax_(bi n, bx x, bi incx);                                                                                \
  int i##t##amin_(bi n, bx x, bi incx);                                                                                \
  void t##rot_(bi n, by x, bi incx, by y, bi incy, bx c, bx s);                                                        \
  void t##rotg_(by a, by b, by c, by s);                                                                               \
  void t##gemv_(bf trans, bi m, bi n, bx alpha, bx a, bi lda, bx x, bi incx, bx beta, by y, bi incy);                  \
  void t##gbmv_(bf trans, bi m, bi n, bi kl, bi ku, bx alpha, bx a, bi lda, bx x, bi incx, bx beta, by y, bi incy);    \
  void t##trmv_(bf uplo, bf trans, bf diag, bi n, bx a, bi lda, by x, bi incx);                                        \
  void t##trsv_(bf uplo, bf trans, bf diag, bi n, bx a, bi lda, by x, bi incx);                                        \
  void t##tbmv_(bf uplo, bf trans, bf diag, bi n, bi k, bx a, bi lda, by x, bi incx);                                  \
  void t##tbsv_(bf uplo, bf trans, bf diag, bi n, bi k, bx a, bi lda, by x, bi incx);                                  \
  void t##tpmv_(bf uplo, bf trans, bf diag, bi n, bx ap, by x, bi incx);                                               \
  void t##tpsv_(bf uplo, bf trans, bf diag, bi n, bx ap, by x, bi incx);                                               \
  void t##symv_(bf uplo, bi n, bx alpha, bx a, bi lda, bx x, bi incx, bx beta, by y, bi incy);                         \
  void t##syr_(bf uplo, bi n, bx alpha, bx x, bi incx, by a, bi lda);                                                  \
  void t##gemm_(bf transa, bf transb, bi m, bi n, bi k, bx alpha, bx a, bi lda, bx b, bi ldb, bx beta, by c, bi ldc);  \
  void t##symm_(bf side, bf uplo, bi m, bi n, bx alpha, bx a, bi lda, bx b, bi ldb, bx beta, by c, bi ldc);            \
  void t##syrk_(bf uplo, bf trans, bi n, bi k, bx alpha, bx a, bi lda, bx beta, by c, bi ldc);                         \
  void t##syr2k_(bf uplo, bf trans, bi n, bi k, bx alpha, bx a, bi lda, bx b, bi ldb, bx beta, by c, bi ldc);          \
  void t##trmm_(bf side, bf uplo, bf trans, bf diag, bi m, bi n, bx alpha, bx a, bi lda, by b, bi ldb);                \
  void t##trsm_(bf side, bf uplo, bf trans, bf diag, bi m, bi n, bx alpha, bx a, bi lda, by b, bi ldb);                \
  /* LAPACK */                                                                                                         \
  void t##getrf_(bi m, bi n, by a, bi lda, int *pivots, int *info);                                                    \
  void t##getri_(bi n, by a, bi lda, bi pivots, by work, bi lwork, int *info);                                         \
  void t##getrs_(bf trans, bi n, bi nrhs, bx a, bi lda, bi pivots, by b, bi ldb, int *info);                           \
  void t##geqrf_(bi m, bi n, by a, bi lda, by tau, by work, bi lwork, int *info);                                      \
  void t##gels_(bf trans, bi m, bi n, bi nrhs, by a, bi lda, by b, bi ldb, by work, bi lwork, int *info);
UWL_BLAS_TYPES(DECLARE)
#undef DECLARE
float snrm2_(bi n, bx x, bi incx);
double dnrm2_(bi n, bx x, bi incx);
float scnrm2_(bi n, bx x, bi incx);
double dznrm2_(bi n, bx x, bi incx);
float sasum_(bi n, bx x, bi incx);
double dasum_(bi n, bx x, bi incx);
float scasum_(bi n, bx x, bi incx);
double dzasum_(bi n, bx x, bi incx);
float sdot_(bi n, bx x, bi incx, bx y, bi incy);
double ddot_(bi n, bx x, bi incx, bx y, bi incy);
void cblas_cdotu_sub(int n, bx x, int incx, bx y, int incy, by result);
void cblas_cdotc_sub(int n, bx x, int incx, bx y, int incy, by result);
void cblas_zdotu_sub(int n, bx x, int incx, bx y, int incy, by result);
void cblas_zdotc_sub(int n, bx x, int incx, bx y, int incy, by result);
#define DECLARE(t, mixed)                                                                                              \
  void mixed##scal_(bi n, bx alpha, by x, bi incx);                                                                    \
  void mixed##rot_(bi n, by x, bi incx, by y, bi incy, bx c, bx s);                                                    \
  void t##hemv_(bf uplo, bi n, bx alpha, bx a, bi lda, bx x, bi incx, bx beta, by y, bi incy);                         \
  void t##hbmv_(bf uplo, bi n, bi k, bx alpha, bx a, bi lda, bx x, bi incx, bx beta, by y, bi incy);                   \
  void t##hpmv_(bf uplo, bi n, bx alpha, bx ap, bx x, bi incx, bx beta, by y, bi incy);                                \
  void t##her_(bf uplo, bi n, bx alpha, bx x, bi incx, by a, bi lda);                                                  \
  void t##hpr_(bf uplo, bi n, bx alpha, bx x, bi incx, by ap);                                                         \
  void t##her2_(bf uplo, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by a, bi lda);                                  \
  void t##hpr2_(bf uplo, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by ap);                                         \
  void t##geru_(bi m, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by a, bi lda);                                     \
  void t##gerc_(bi m, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by a, bi lda);                                     \
  void t##hemm_(bf side, bf uplo, bi m, bi n, bx alpha, bx a, bi lda, bx b, bi ldb, bx beta, by c, bi ldc);            \
  void t##herk_(bf uplo, bf trans, bi n, bi k, bx alpha, bx a, bi lda, bx beta, by c, bi ldc);                         \
  void t##her2k_(bf uplo, bf trans, bi n, bi k, bx alpha, bx a, bi lda, bx b, bi ldb, bx beta, by c, bi ldc);
DECLARE(c, cs)
DECLARE(z, zd)
#undef DECLARE
#define DECLARE(t)                                                                                                     \
  void t##rotm_(bi n, by x, bi incx, by y, bi incy, bx param);                                                         \
  void t##rotmg_(by d1, by d2, by x1, bx y1, by param);                                                                \
  void t##sbmv_(bf uplo, bi n, bi k, bx alpha, bx a, bi lda, bx x, bi incx, bx beta, by y, bi incy);                   \
  void t##spmv_(bf uplo, bi n, bx alpha, bx ap, bx x, bi incx, bx beta, by y, bi incy);                                \
  void t##spr_(bf uplo, bi n, bx alpha, bx x, bi incx, by ap);                                                         \
  void t##syr2_(bf uplo, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by a, bi lda);                                  \
  void t##spr2_(bf uplo, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by ap);                                         \
  void t##ger_(bi m, bi n, bx alpha, bx x, bi incx, bx y, bi incy, by a, bi lda);
DECLARE(s)
DECLARE(d)
#undef DECLARE
#pragma GCC visibility pop

#endif
