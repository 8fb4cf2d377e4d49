/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: matrices and vectors. (cuBLAS documentation, "cuBLAS Level-2 Function Reference".) */
#include "../common/product.h"
#include "internal.h"

#define ALPHA uwl_scalar(&call->alpha)
#define BETA uwl_scalar(&call->beta)
#define A call->a, &call->lda
#define CONST_X call->b, &call->incx
#define X call->c, &call->incx
#define Y call->d, &call->incy
#define TRIANGLE &call->uplo, &call->trans, &call->diag, &call->n

/* A vector's first element, where an increment below zero makes it the last one in memory. */
static const char *first_of(const void *x, int64_t n, int inc, size_t bytes) {
  return (const char *)x + (inc < 0 ? (1 - n) * inc : 0) * (int64_t)bytes;
}

#define LEVEL2(T, t, type)                                                                                             \
  UWL_OPERATION(cublas##T##gemv, blas_call) {                                                                          \
    t##gemv_(&call->trans, &call->m, &call->n, ALPHA, A, CONST_X, BETA, Y);                                            \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##gbmv, blas_call) {                                                                          \
    t##gbmv_(&call->trans, &call->m, &call->n, &call->kl, &call->ku, ALPHA, A, CONST_X, BETA, Y);                      \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##trmv, blas_call) { t##trmv_(TRIANGLE, A, X); }                                              \
  UWL_OPERATION(cublas##T##trsv, blas_call) { t##trsv_(TRIANGLE, A, X); }                                              \
  UWL_OPERATION(cublas##T##tbmv, blas_call) { t##tbmv_(TRIANGLE, &call->k, A, X); }                                    \
  UWL_OPERATION(cublas##T##tbsv, blas_call) { t##tbsv_(TRIANGLE, &call->k, A, X); }                                    \
  UWL_OPERATION(cublas##T##tpmv, blas_call) { t##tpmv_(TRIANGLE, call->a, X); }                                        \
  UWL_OPERATION(cublas##T##tpsv, blas_call) { t##tpsv_(TRIANGLE, call->a, X); }                                        \
  UWL_OPERATION(cublas##T##symv, blas_call) { t##symv_(&call->uplo, &call->n, ALPHA, A, CONST_X, BETA, Y); }           \
  UWL_OPERATION(cublas##T##syr, blas_call) { t##syr_(&call->uplo, &call->n, ALPHA, CONST_X, call->c, &call->lda); }    \
  static void gemv_number_##t(const blas_call *call, int listed, int i) {                                              \
    t##gemv_(&call->trans, &call->m, &call->n, ALPHA, uwl_nth(call->a, listed, call->stride_a, sizeof(type), i),       \
             &call->lda, uwl_nth(call->b, listed, call->stride_b, sizeof(type), i), &call->incx, BETA,                 \
             (void *)uwl_nth(call->d, listed, call->stride_c, sizeof(type), i), &call->incy);                          \
  }                                                                                                                    \
  static void gemv_batch_##t(const blas_call *call, int listed) {                                                      \
    int side_by_side = uwl_side_by_side(2.0 * call->m * call->n, call->batch);                                         \
    _Pragma("omp parallel for if (side_by_side)") for (int i = 0; i < call->batch; i++)                                \
        gemv_number_##t(call, listed, i);                                                                              \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##gemvBatched, blas_call) { gemv_batch_##t(call, 1); }                                        \
  UWL_OPERATION(cublas##T##gemvStridedBatched, blas_call) { gemv_batch_##t(call, 0); }
S4(LEVEL2)

#define REAL2(T, t, type)                                                                                              \
  UWL_OPERATION(cublas##T##sbmv, blas_call) { t##sbmv_(&call->uplo, &call->n, &call->k, ALPHA, A, CONST_X, BETA, Y); } \
  UWL_OPERATION(cublas##T##spmv, blas_call) { t##spmv_(&call->uplo, &call->n, ALPHA, call->a, CONST_X, BETA, Y); }     \
  UWL_OPERATION(cublas##T##spr, blas_call) { t##spr_(&call->uplo, &call->n, ALPHA, CONST_X, call->c); }                \
  UWL_OPERATION(cublas##T##spr2, blas_call) { t##spr2_(&call->uplo, &call->n, ALPHA, CONST_X, Y, call->c); }           \
  UWL_OPERATION(cublas##T##syr2, blas_call) {                                                                          \
    t##syr2_(&call->uplo, &call->n, ALPHA, CONST_X, Y, call->c, &call->lda);                                           \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##ger, blas_call) { t##ger_(&call->m, &call->n, ALPHA, CONST_X, Y, call->c, &call->lda); }
S2(REAL2)

#define HERMITIAN2(T, t, type, real)                                                                                   \
  UWL_OPERATION(cublas##T##hemv, blas_call) { t##hemv_(&call->uplo, &call->n, ALPHA, A, CONST_X, BETA, Y); }           \
  UWL_OPERATION(cublas##T##hbmv, blas_call) { t##hbmv_(&call->uplo, &call->n, &call->k, ALPHA, A, CONST_X, BETA, Y); } \
  UWL_OPERATION(cublas##T##hpmv, blas_call) { t##hpmv_(&call->uplo, &call->n, ALPHA, call->a, CONST_X, BETA, Y); }     \
  UWL_OPERATION(cublas##T##her, blas_call) { t##her_(&call->uplo, &call->n, ALPHA, CONST_X, call->c, &call->lda); }    \
  UWL_OPERATION(cublas##T##hpr, blas_call) { t##hpr_(&call->uplo, &call->n, ALPHA, CONST_X, call->c); }                \
  UWL_OPERATION(cublas##T##her2, blas_call) {                                                                          \
    t##her2_(&call->uplo, &call->n, ALPHA, CONST_X, Y, call->c, &call->lda);                                           \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##hpr2, blas_call) { t##hpr2_(&call->uplo, &call->n, ALPHA, CONST_X, Y, call->c); }           \
  UWL_OPERATION(cublas##T##geru, blas_call) { t##geru_(&call->m, &call->n, ALPHA, CONST_X, Y, call->c, &call->lda); }  \
  UWL_OPERATION(cublas##T##gerc, blas_call) { t##gerc_(&call->m, &call->n, ALPHA, CONST_X, Y, call->c, &call->lda); }  \
  /* BLAS has no syr2 of complex numbers: the columns of the triangle, one by one. */                                  \
  UWL_OPERATION(cublas##T##syr2, blas_call) {                                                                          \
    const int n = call->n, one = 1;                                                                                    \
    const type *x = (const type *)first_of(call->b, n, call->incx, sizeof(type)), alpha = *(const type *)ALPHA;        \
    const type *y = (const type *)first_of(call->d, n, call->incy, sizeof(type));                                      \
    for (int j = 0; j < n; j++) {                                                                                      \
      const int from = call->uplo == 'L' ? j : 0, count = call->uplo == 'L' ? n - j : j + 1;                           \
      const type xj = x[(int64_t)j * call->incx], yj = y[(int64_t)j * call->incy];                                     \
      const type by_y = {alpha.x * yj.x - alpha.y * yj.y, alpha.x * yj.y + alpha.y * yj.x};                            \
      const type by_x = {alpha.x * xj.x - alpha.y * xj.y, alpha.x * xj.y + alpha.y * xj.x};                            \
      type *column = (type *)call->c + (int64_t)j * call->lda + from;                                                  \
      const type *xs = call->incx > 0 ? x + (int64_t)from * call->incx : x + (int64_t)(from + count - 1) * call->incx; \
      const type *ys = call->incy > 0 ? y + (int64_t)from * call->incy : y + (int64_t)(from + count - 1) * call->incy; \
      t##axpy_(&count, &by_y, xs, &call->incx, column, &one);                                                          \
      t##axpy_(&count, &by_x, ys, &call->incy, column, &one);                                                          \
    }                                                                                                                  \
  }
C2(HERMITIAN2)

/* Half and bfloat16: y as the one row of a product, so that its increment is the distance of columns. */
static void half_gemv(const blas_call *call, int listed, cudaDataType type, cudaDataType result) {
  const int rows = call->trans == 'N' ? call->m : call->n, columns = call->trans == 'N' ? call->n : call->m;
  const size_t bytes = uwl_type_bytes(result);
  int side_by_side = uwl_side_by_side(2.0 * rows * columns, call->batch);
#pragma omp parallel for if (side_by_side)
  for (int i = 0; i < call->batch; i++) {
    const void *x = uwl_nth(call->b, listed, call->stride_b, 2, i);
    const void *y = uwl_nth(call->d, listed, call->stride_c, bytes, i);
    uwl_product product = {.type_a = type,
                           .type_b = type,
                           .type_c = result,
                           .scale = CUDA_R_32F,
                           .trans_a = 'N',
                           .trans_b = call->trans == 'N' ? 'T' : 'N',
                           .m = 1,
                           .n = rows,
                           .k = columns,
                           .alpha = ALPHA,
                           .beta = BETA,
                           .a = first_of(x, columns, call->incx, 2),
                           .lda = call->incx,
                           .b = uwl_nth(call->a, listed, call->stride_a, 2, i),
                           .ldb = call->lda,
                           .c = (void *)first_of(y, rows, call->incy, bytes),
                           .ldc = call->incy};
    uwl_multiply(&product);
  }
}
#define HALF_GEMV(letters, type, result)                                                                               \
  UWL_OPERATION(cublas##letters##gemvBatched, blas_call) { half_gemv(call, 1, type, result); }                         \
  UWL_OPERATION(cublas##letters##gemvStridedBatched, blas_call) { half_gemv(call, 0, type, result); }
HALF_GEMV(HSH, CUDA_R_16F, CUDA_R_16F)
HALF_GEMV(HSS, CUDA_R_16F, CUDA_R_32F)
HALF_GEMV(TST, CUDA_R_16BF, CUDA_R_16BF)
HALF_GEMV(TSS, CUDA_R_16BF, CUDA_R_32F)

#undef A
#undef X
#undef Y
#define INT int
#define V2(name) cublas##name##_v2
#define EX(name) cublas##name
#include "level2.def"
#define INT int64_t
#define V2(name) cublas##name##_v2_64
#define EX(name) cublas##name##_64
#include "level2.def"
