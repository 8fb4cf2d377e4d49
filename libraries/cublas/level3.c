/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: matrices and matrices, and what cuBLAS has beyond BLAS: sums and scalings of matrices, batches. (cuBLAS
 * documentation, "cuBLAS Level-3 Function Reference", "BLAS-like Extension".) */
#include "internal.h"

#include <stdlib.h>

#define ALPHA uwl_scalar(&call->alpha)
#define BETA uwl_scalar(&call->beta)
#define A call->a, &call->lda
#define B call->b, &call->ldb
#define C call->c, &call->ldc

enum { STRIP = 128 }; /* columns of a triangle that are done as one */

static char other(char trans, char transposed) { return trans == 'N' ? transposed : 'N'; }

/* C = alpha * op(A) * op(B)^T + beta * C, one triangle: strips of columns, whose square on the diagonal goes by way of
 * a copy. The letter of op(B)^T is transposed or N; hermitian: the diagonal of C has no imaginary part. */
#define RANK_KX(name, t, type, real, transposed, hermitian)                                                            \
  UWL_OPERATION(name, blas_call) {                                                                                     \
    const int lower = call->uplo == 'L';                                                                               \
    const char trans_b = other(call->trans, transposed);                                                               \
    const type *alpha = ALPHA;                                                                                         \
    type beta = {0}, *square = uwl_scratch(UWL_SCRATCH_WORK, sizeof(type) * STRIP * STRIP);                            \
    if (!square)                                                                                                       \
      abort();                                                                                                         \
    memcpy(&beta, BETA, sizeof(real)); /* a real beta is the real part */                                              \
    if (sizeof(real) == sizeof(type))                                                                                  \
      beta = *(const type *)BETA;                                                                                      \
    for (int from = 0; from < call->n; from += STRIP) {                                                                \
      const int width = call->n - from < STRIP ? call->n - from : STRIP, strip = STRIP;                                \
      const int first = lower ? from + width : 0, rows = lower ? call->n - first : from;                               \
      const int64_t step_a = call->trans == 'N' ? 1 : call->lda, step_b = call->trans == 'N' ? 1 : call->ldb;          \
      const type *a = call->a, *b = (const type *)call->b + from * step_b;                                             \
      type *c = (type *)call->c + (int64_t)from * call->ldc;                                                           \
      if (rows)                                                                                                        \
        t##gemm_(&call->trans, &trans_b, &rows, &width, &call->k, alpha, a + first * step_a, &call->lda, b,            \
                 &call->ldb, &beta, c + first, &call->ldc);                                                            \
      for (int j = 0; j < width; j++)                                                                                  \
        for (int i = lower ? j : 0; i <= (lower ? width - 1 : j); i++)                                                 \
          square[i + j * STRIP] = c[from + i + (int64_t)j * call->ldc];                                                \
      t##gemm_(&call->trans, &trans_b, &width, &width, &call->k, alpha, a + from * step_a, &call->lda, b, &call->ldb,  \
               &beta, square, &strip);                                                                                 \
      for (int j = 0; j < width; j++)                                                                                  \
        for (int i = lower ? j : 0; i <= (lower ? width - 1 : j); i++) {                                               \
          type *to = &c[from + i + (int64_t)j * call->ldc];                                                            \
          *to = square[i + j * STRIP];                                                                                 \
          if (hermitian && i == j)                                                                                     \
            memset((real *)to + 1, 0, sizeof(type) - sizeof(real));                                                    \
        }                                                                                                              \
    }                                                                                                                  \
  }
RANK_KX(cublasSsyrkx, s, float, float, 'T', 0)
RANK_KX(cublasDsyrkx, d, double, double, 'T', 0)
RANK_KX(cublasCsyrkx, c, cuComplex, cuComplex, 'T', 0)
RANK_KX(cublasZsyrkx, z, cuDoubleComplex, cuDoubleComplex, 'T', 0)
RANK_KX(cublasCherkx, c, cuComplex, float, 'C', 1)
RANK_KX(cublasZherkx, z, cuDoubleComplex, double, 'C', 1)

#define TIMES_float(x, y) ((x) * (y))
#define TIMES_double(x, y) ((x) * (y))
#define TIMES_cuComplex(a, b) ((cuComplex){(a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x})
#define TIMES_cuDoubleComplex(a, b) ((cuDoubleComplex){(a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x})
#define PLUS_float(x, y) ((x) + (y))
#define PLUS_double(x, y) ((x) + (y))
#define PLUS_cuComplex(a, b) ((cuComplex){(a).x + (b).x, (a).y + (b).y})
#define PLUS_cuDoubleComplex(a, b) ((cuDoubleComplex){(a).x + (b).x, (a).y + (b).y})
#define CONJUGATE_float(x) (x)
#define CONJUGATE_double(x) (x)
#define CONJUGATE_cuComplex(a) ((cuComplex){(a).x, -(a).y})
#define CONJUGATE_cuDoubleComplex(a) ((cuDoubleComplex){(a).x, -(a).y})
#define IS_0_float(x) ((x) == 0)
#define IS_0_double(x) ((x) == 0)
#define IS_0_cuComplex(a) ((a).x == 0 && (a).y == 0)
#define IS_0_cuDoubleComplex(a) ((a).x == 0 && (a).y == 0)

enum { TILE = 32, WORTH_SHARING = 1 << 14 };

#define LEVEL3(T, t, type)                                                                                             \
  UWL_OPERATION(cublas##T##gemm, blas_call) {                                                                          \
    t##gemm_(&call->trans, &call->transb, &call->m, &call->n, &call->k, ALPHA, A, B, BETA, C);                         \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##syrk, blas_call) {                                                                          \
    t##syrk_(&call->uplo, &call->trans, &call->n, &call->k, ALPHA, A, BETA, C);                                        \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##syr2k, blas_call) {                                                                         \
    t##syr2k_(&call->uplo, &call->trans, &call->n, &call->k, ALPHA, A, B, BETA, C);                                    \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##symm, blas_call) {                                                                          \
    t##symm_(&call->side, &call->uplo, &call->m, &call->n, ALPHA, A, B, BETA, C);                                      \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##trsm, blas_call) {                                                                          \
    t##trsm_(&call->side, &call->uplo, &call->trans, &call->diag, &call->m, &call->n, ALPHA, A, C);                    \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##trmm, blas_call) {                                                                          \
    if (call->b != call->c)                                                                                            \
      for (int64_t j = 0; j < call->n; j++)                                                                            \
        memcpy((type *)call->c + j * call->ldc, (const type *)call->b + j * call->ldb,                                 \
               sizeof(type) * (size_t)call->m);                                                                        \
    t##trmm_(&call->side, &call->uplo, &call->trans, &call->diag, &call->m, &call->n, ALPHA, A, C);                    \
  }                                                                                                                    \
  static void gemm_batch_##t(const blas_call *call, int listed) {                                                      \
    int side_by_side = uwl_side_by_side(2.0 * call->m * call->n * call->k, call->batch);                               \
    _Pragma("omp parallel for if (side_by_side)") for (int i = 0; i < call->batch; i++)                                \
        t##gemm_(&call->trans, &call->transb, &call->m, &call->n, &call->k, ALPHA,                                     \
                 uwl_nth(call->a, listed, call->stride_a, sizeof(type), i), &call->lda,                                \
                 uwl_nth(call->b, listed, call->stride_b, sizeof(type), i), &call->ldb, BETA,                          \
                 (void *)uwl_nth(call->c, listed, call->stride_c, sizeof(type), i), &call->ldc);                       \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##gemmBatched, blas_call) { gemm_batch_##t(call, 1); }                                        \
  UWL_OPERATION(cublas##T##gemmStridedBatched, blas_call) { gemm_batch_##t(call, 0); }                                 \
  UWL_OPERATION(cublas##T##trsmBatched, blas_call) {                                                                   \
    int side_by_side = uwl_side_by_side((double)call->m * call->m * call->n, call->batch);                             \
    _Pragma("omp parallel for if (side_by_side)") for (int i = 0; i < call->batch; i++)                                \
        t##trsm_(&call->side, &call->uplo, &call->trans, &call->diag, &call->m, &call->n, ALPHA,                       \
                 ((const void *const *)call->a)[i], &call->lda, ((void *const *)call->c)[i], &call->ldc);              \
  }                                                                                                                    \
  /* In tiles, so that a transposed matrix is read by whole lines; what has the factor 0 is not read. */               \
  UWL_OPERATION(cublas##T##geam, blas_call) {                                                                          \
    const type alpha = *(const type *)ALPHA, beta = *(const type *)BETA, *a = call->a, *b = call->b;                   \
    const int64_t lda = call->lda, ldb = call->ldb, m = call->m, n = call->n;                                          \
    const int reads_a = !IS_0_##type(alpha), reads_b = !IS_0_##type(beta);                                             \
    const int64_t ai = call->trans == 'N' ? 1 : lda, aj = call->trans == 'N' ? lda : 1;                                \
    const int64_t bi = call->transb == 'N' ? 1 : ldb, bj = call->transb == 'N' ? ldb : 1;                              \
    _Pragma("omp parallel for if (m * n >= WORTH_SHARING)") for (int64_t from = 0; from < n;                           \
                                                                 from +=                                               \
                                                                 TILE) for (int64_t row = 0; row < m;                  \
                                                                            row +=                                     \
                                                                            TILE) for (int64_t j = from;               \
                                                                                       j < n && j < from + TILE;       \
                                                                                       j++) for (int64_t i = row;      \
                                                                                                 i < m &&              \
                                                                                                 i < row + TILE;       \
                                                                                                 i++) {                \
      type sum = {0};                                                                                                  \
      if (reads_a) {                                                                                                   \
        type x = a[i * ai + j * aj];                                                                                   \
        x = call->trans == 'C' ? CONJUGATE_##type(x) : x;                                                              \
        sum = TIMES_##type(alpha, x);                                                                                  \
      }                                                                                                                \
      if (reads_b) {                                                                                                   \
        type y = b[i * bi + j * bj];                                                                                   \
        y = call->transb == 'C' ? CONJUGATE_##type(y) : y;                                                             \
        y = TIMES_##type(beta, y);                                                                                     \
        sum = reads_a ? PLUS_##type(sum, y) : y;                                                                       \
      }                                                                                                                \
      ((type *)call->c)[i + j * call->ldc] = sum;                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##dgmm, blas_call) {                                                                          \
    const int by_rows = call->side == 'L';                                                                             \
    const int64_t count = by_rows ? call->m : call->n, inc = call->incx, m = call->m, n = call->n;                     \
    const type *x = (const type *)call->b + (inc < 0 ? (1 - count) * inc : 0);                                         \
    _Pragma("omp parallel for if (m * n >= WORTH_SHARING)") for (int64_t j = 0; j < n; j++) for (int64_t i = 0; i < m; \
                                                                                                 i++) {                \
      const type factor = x[(by_rows ? i : j) * inc], from = ((const type *)call->a)[i + j * call->lda];               \
      ((type *)call->c)[i + j * call->ldc] = TIMES_##type(from, factor);                                               \
    }                                                                                                                  \
  }
S4(LEVEL3)

#define HERMITIAN3(T, t, type, real)                                                                                   \
  UWL_OPERATION(cublas##T##herk, blas_call) {                                                                          \
    t##herk_(&call->uplo, &call->trans, &call->n, &call->k, ALPHA, A, BETA, C);                                        \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##her2k, blas_call) {                                                                         \
    t##her2k_(&call->uplo, &call->trans, &call->n, &call->k, ALPHA, A, B, BETA, C);                                    \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##hemm, blas_call) {                                                                          \
    t##hemm_(&call->side, &call->uplo, &call->m, &call->n, ALPHA, A, B, BETA, C);                                      \
  }
C2(HERMITIAN3)

/* syrkx and herkx are made above for each type alike. */
#undef A
#undef B
#undef C
#define INT int
#define V2(name) cublas##name##_v2
#define EX(name) cublas##name
#include "level3.def"
#define INT int64_t
#define V2(name) cublas##name##_v2_64
#define EX(name) cublas##name##_64
#include "level3.def"
