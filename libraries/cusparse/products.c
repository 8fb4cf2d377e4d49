/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: products with dense vectors and matrices, solutions of triangular systems, sampled products. (cuSPARSE
 * documentation, "cuSPARSE Generic APIs".) Threads take rows, or columns of a solution. */
#include "internal.h"

#include <stdlib.h>

/* A dense matrix, or a vector as one column: element (i, j) at i * row + j * column. */
typedef struct dense {
  void *values;
  int64_t row, column, batch_stride;
} dense;

typedef struct sparse_call {
  struct cusparseSpMatDescr a;
  cusparseOperation_t op;
  dense b, c;
  int64_t columns, depth; /* of C; depth: of a sampled product */
  int conjugates_b, batch;
  sparse_scalar alpha, beta;
} sparse_call;

enum { WORTH_SHARING = 1 << 13 };

static int64_t bytes_of(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_32I ? 4 : 8; }
static struct cusparseSpMatDescr nth(const struct cusparseSpMatDescr *of, int i) {
  struct cusparseSpMatDescr m = *of;
  const int64_t index_stride = m.values_stride * i;
  m.offsets = (char *)m.offsets + m.offsets_stride * i * bytes_of(m.offsets_type);
  m.indices = (char *)m.indices + index_stride * bytes_of(m.index_type);
  m.values = (char *)m.values + index_stride * (int64_t)uwl_value_bytes(m.type);
  return m;
}

static float conj_s(float x) { return x; }
static double conj_d(double x) { return x; }
static _Complex float conj_c(_Complex float x) { return __builtin_conjf(x); }
static _Complex double conj_z(_Complex double x) { return __builtin_conj(x); }

#define KERNELS(t, type)                                                                                               \
  static void multiply_##t(const sparse_rows *a, const sparse_call *call, int number) {                                \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha),                                                 \
               beta = *(const type *)uwl_sparse_scalar(&call->beta);                                                   \
    const type *values = (const type *)a->values - a->base,                                                            \
               *b = (const type *)call->b.values + number * call->b.batch_stride;                                      \
    type *c = (type *)call->c.values + number * call->c.batch_stride;                                                  \
    const int *columns = a->columns - a->base;                                                                         \
    const int64_t br = call->b.row, bc = call->b.column, cr = call->c.row, cc = call->c.column;                        \
    const int64_t work = a->offsets[a->rows] * call->columns;                                                          \
    b -= a->base * br;                                                                                                 \
    _Pragma("omp parallel for schedule(dynamic, 256) if (work > WORTH_SHARING)") for (int64_t i = 0; i < a->rows;      \
                                                                                      i++) {                           \
      const int from = a->offsets[i], to = a->offsets[i + 1];                                                          \
      for (int64_t j = 0; j < call->columns; j++) {                                                                    \
        type sum = 0;                                                                                                  \
        if (call->conjugates_b)                                                                                        \
          for (int k = from; k < to; k++)                                                                              \
            sum += values[k] * conj_##t(b[columns[k] * br + j * bc]);                                                  \
        else                                                                                                           \
          for (int k = from; k < to; k++)                                                                              \
            sum += values[k] * b[columns[k] * br + j * bc];                                                            \
        type *place = &c[i * cr + j * cc];                                                                             \
        *place = beta == 0 ? alpha * sum : alpha * sum + beta * *place;                                                \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Entries of the other triangle are not looked at; without a diagonal, as on a GPU, values are infinite. */         \
  static void solve_##t(const sparse_rows *a, const sparse_call *call, int upper, int unit) {                          \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha);                                                 \
    const type *values = a->values, *b = call->b.values;                                                               \
    type *c = call->c.values;                                                                                          \
    _Pragma("omp parallel for if (call->columns > 1)") for (int64_t j = 0; j < call->columns;                          \
                                                            j++) for (int64_t step = 0; step < a->rows; step++) {      \
      const int64_t i = upper ? a->rows - 1 - step : step;                                                             \
      type given = b[i * call->b.row + j * call->b.column], diagonal = unit;                                           \
      type sum = alpha * (call->conjugates_b ? conj_##t(given) : given);                                               \
      for (int k = a->offsets[i] - a->base; k < a->offsets[i + 1] - a->base; k++) {                                    \
        const int64_t column = a->columns[k] - a->base;                                                                \
        if (upper ? column > i : column < i)                                                                           \
          sum -= values[k] * c[column * call->c.row + j * call->c.column];                                             \
        else if (column == i && !unit)                                                                                 \
          diagonal = values[k];                                                                                        \
      }                                                                                                                \
      c[i * call->c.row + j * call->c.column] = sum / diagonal;                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Value k of the sparse matrix: its row of B times its column of C, both dense. */                                  \
  static void sample_##t(const sparse_call *call, int64_t k, int64_t i, int64_t j) {                                   \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha),                                                 \
               beta = *(const type *)uwl_sparse_scalar(&call->beta);                                                   \
    const type *b = call->b.values, *c = call->c.values;                                                               \
    type sum = 0, *to = (type *)call->a.values + k;                                                                    \
    for (int64_t l = 0; l < call->depth; l++)                                                                          \
      sum += b[i * call->b.row + l * call->b.column] * c[l * call->c.row + j * call->c.column];                        \
    *to = beta == 0 ? alpha * sum : alpha * sum + beta * *to;                                                          \
  }
EACH_TYPE(KERNELS)

static void multiply(const sparse_call *call) {
  for (int i = 0; i < call->batch; i++) {
    const struct cusparseSpMatDescr a = nth(&call->a, i);
    sparse_rows rows;
    if (!uwl_rows_of(&a, call->op, &rows))
      abort();
    BY_TYPE(a.type, multiply, &rows, call, i)
    free(rows.owned);
  }
}
UWL_OPERATION(cusparseSpMV, sparse_call) { multiply(call); }
UWL_OPERATION(cusparseSpMM, sparse_call) { multiply(call); }

static void solve(const sparse_call *call) {
  sparse_rows rows;
  if (!uwl_rows_of(&call->a, call->op, &rows))
    abort();
  const int upper = (call->a.fill == CUSPARSE_FILL_MODE_UPPER) != (call->op != CUSPARSE_OPERATION_NON_TRANSPOSE);
  const int unit = call->a.diag == CUSPARSE_DIAG_TYPE_UNIT;
  BY_TYPE(call->a.type, solve, &rows, call, upper, unit)
  free(rows.owned);
}
UWL_OPERATION(cusparseSpSV, sparse_call) { solve(call); }
UWL_OPERATION(cusparseSpSM, sparse_call) { solve(call); }

static int64_t index_of(const void *array, cusparseIndexType_t type, int64_t i) {
  return type == CUSPARSE_INDEX_32I ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}
UWL_OPERATION(cusparseSDDMM, sparse_call) {
  const struct cusparseSpMatDescr *m = &call->a;
  const int by_entries = m->format == CUSPARSE_FORMAT_COO;
#pragma omp parallel for schedule(dynamic, 64) if (m->nnz * call->depth > WORTH_SHARING)
  for (int64_t i = 0; i < (by_entries ? m->nnz : m->rows); i++) {
    const int64_t from = by_entries ? i : index_of(m->offsets, m->offsets_type, i) - m->base;
    const int64_t to = by_entries ? i + 1 : index_of(m->offsets, m->offsets_type, i + 1) - m->base;
    const int64_t row = by_entries ? index_of(m->offsets, m->offsets_type, i) - m->base : i;
    for (int64_t k = from; k < to; k++) {
      const int64_t column = index_of(m->indices, m->index_type, k) - m->base;
      BY_TYPE(m->type, sample, call, k, row, column)
    }
  }
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static dense of_vector(const struct cusparseDnVecDescr *v) { return (dense){v->values, 1, 0, 0}; }
static dense of_matrix(const struct cusparseDnMatDescr *m, int transposed) {
  const int by_columns = (m->order == CUSPARSE_ORDER_COL) != transposed;
  return (dense){m->values, by_columns ? 1 : m->ld, by_columns ? m->ld : 1, m->batch_stride};
}
static int64_t rows_of_op(const struct cusparseSpMatDescr *m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m->rows * m->block_rows : m->cols * m->block_cols;
}
static int64_t columns_of_op(const struct cusparseSpMatDescr *m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m->cols * m->block_cols : m->rows * m->block_rows;
}
static cusparseStatus_t check_mv(cusparseHandle_t handle, cusparseOperation_t opA, cusparseConstSpMatDescr_t matA,
                                 cusparseConstDnVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                 cudaDataType computeType) {
  HANDLE;
  IS_OP(opA);
  IS_SP_MAT(matA);
  IS_DN_VEC(vecX);
  IS_DN_VEC(vecY);
  NEED(vecX->size == columns_of_op(matA, opA) && vecY->size == rows_of_op(matA, opA));
  SUPPORTED(uwl_has_rows(matA) && vecX->type == matA->type && vecY->type == matA->type && computeType == matA->type);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t *bufferSize) {
  (void)alg;
  cusparseStatus_t status = check_mv(handle, opA, matA, vecX, vecY, computeType);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(alpha && beta && bufferSize);
  *bufferSize = UWL_BUFFER_BYTES;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *externalBuffer) {
  (void)alpha, (void)beta, (void)alg, (void)externalBuffer;
  return check_mv(handle, opA, matA, vecX, vecY, computeType);
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,
                              cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg,
                              void *externalBuffer) {
  (void)alg, (void)externalBuffer;
  cusparseStatus_t status = check_mv(handle, opA, matA, vecX, vecY, computeType);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(alpha && beta);
  sparse_call call = {.a = *matA,
                      .op = opA,
                      .b = of_vector(vecX),
                      .c = of_vector(vecY),
                      .columns = 1,
                      .batch = 1,
                      .alpha = uwl_sparse_scalar_of(handle, alpha, computeType),
                      .beta = uwl_sparse_scalar_of(handle, beta, computeType)};
  GIVE(cusparseSpMV, call);
}

static int64_t dense_rows(const struct cusparseDnMatDescr *m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m->rows : m->cols;
}
static int64_t dense_columns(const struct cusparseDnMatDescr *m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m->cols : m->rows;
}
static cusparseStatus_t check_mm(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                 cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                 cusparseConstDnMatDescr_t matC, cudaDataType computeType) {
  HANDLE;
  IS_OP(opA);
  IS_OP(opB);
  IS_SP_MAT(matA);
  IS_DN_MAT(matB);
  IS_DN_MAT(matC);
  NEED(dense_rows(matB, opB) == columns_of_op(matA, opA) && matC->rows == rows_of_op(matA, opA) &&
       matC->cols == dense_columns(matB, opB));
  SUPPORTED(uwl_has_rows(matA) && matB->type == matA->type && matC->type == matA->type && computeType == matA->type);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, size_t *bufferSize) {
  (void)alg;
  cusparseStatus_t status = check_mm(handle, opA, opB, matA, matB, matC, computeType);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(alpha && beta && bufferSize);
  *bufferSize = UWL_BUFFER_BYTES;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, void *externalBuffer) {
  (void)alpha, (void)beta, (void)alg, (void)externalBuffer;
  return check_mm(handle, opA, opB, matA, matB, matC, computeType);
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void *beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void *externalBuffer) {
  (void)alg, (void)externalBuffer;
  cusparseStatus_t status = check_mm(handle, opA, opB, matA, matB, matC, computeType);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(alpha && beta);
  sparse_call call = {.a = *matA,
                      .op = opA,
                      .b = of_matrix(matB, opB != CUSPARSE_OPERATION_NON_TRANSPOSE),
                      .c = of_matrix(matC, 0),
                      .columns = matC->cols,
                      .batch = matC->batch,
                      .conjugates_b = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                      .alpha = uwl_sparse_scalar_of(handle, alpha, computeType),
                      .beta = uwl_sparse_scalar_of(handle, beta, computeType)};
  GIVE(cusparseSpMM, call);
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, size_t *bufferSize) {
  (void)opA, (void)opB, (void)alpha, (void)matA, (void)matB, (void)beta, (void)matC, (void)computeType, (void)alg;
  HANDLE;
  NEED(bufferSize);
  *bufferSize = UWL_BUFFER_BYTES;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, void *externalBuffer) {
  (void)opA, (void)opB, (void)alpha, (void)matA, (void)matB, (void)beta, (void)matC, (void)computeType, (void)alg;
  (void)externalBuffer;
  HANDLE;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                               cusparseSDDMMAlg_t alg, void *externalBuffer) {
  (void)alg, (void)externalBuffer;
  HANDLE;
  IS_OP(opA);
  IS_OP(opB);
  IS_DN_MAT(matA);
  IS_DN_MAT(matB);
  IS_SP_MAT(matC);
  NEED(alpha && beta && dense_rows(matA, opA) == matC->rows && dense_columns(matB, opB) == matC->cols &&
       dense_columns(matA, opA) == dense_rows(matB, opB));
  SUPPORTED((matC->format == CUSPARSE_FORMAT_CSR || matC->format == CUSPARSE_FORMAT_COO) && matA->type == matC->type &&
            matB->type == matC->type && computeType == matC->type && opA != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE &&
            opB != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  sparse_call call = {.a = *matC,
                      .b = of_matrix(matA, opA != CUSPARSE_OPERATION_NON_TRANSPOSE),
                      .c = of_matrix(matB, opB != CUSPARSE_OPERATION_NON_TRANSPOSE),
                      .depth = dense_columns(matA, opA),
                      .alpha = uwl_sparse_scalar_of(handle, alpha, computeType),
                      .beta = uwl_sparse_scalar_of(handle, beta, computeType)};
  GIVE(cusparseSDDMM, call);
}

/* --- triangular systems: nothing is analysed ahead ---------------------------------------------------------------- */

struct cusparseSpSVDescr {
  struct cusparseSpMatDescr *last; /* the matrix of the last analysis, whose values may be set anew */
};
struct cusparseSpSMDescr {
  int unused;
};
#define DESCRIPTORS(Which)                                                                                             \
  cusparseStatus_t cusparse##Which##_createDescr(cusparse##Which##Descr_t *descr) {                                    \
    NEED(descr);                                                                                                       \
    struct cusparse##Which##Descr *fresh = calloc(1, sizeof *fresh);                                                   \
    if (!fresh || !uwrt_handle_add(fresh, &uwl_solve_kind)) {                                                          \
      free(fresh);                                                                                                     \
      return CUSPARSE_STATUS_ALLOC_FAILED;                                                                             \
    }                                                                                                                  \
    *descr = fresh;                                                                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Which##_destroyDescr(cusparse##Which##Descr_t descr) {                                    \
    NEED(uwrt_handle_remove(descr, &uwl_solve_kind));                                                                  \
    free(descr);                                                                                                       \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
DESCRIPTORS(SpSV)
DESCRIPTORS(SpSM)

static cusparseStatus_t check_sv(cusparseHandle_t handle, cusparseOperation_t opA, cusparseConstSpMatDescr_t matA,
                                 cusparseConstDnVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                 cudaDataType computeType, cusparseSpSVDescr_t descr) {
  cusparseStatus_t status = check_mv(handle, opA, matA, vecX, vecY, computeType);
  NEED(status != CUSPARSE_STATUS_SUCCESS || (uwrt_handle_is(descr, &uwl_solve_kind) && vecX->size == vecY->size));
  return status;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t spsvDescr, size_t *bufferSize) {
  (void)alpha, (void)alg;
  NEED(bufferSize);
  *bufferSize = UWL_BUFFER_BYTES;
  return check_sv(handle, opA, matA, vecX, vecY, computeType, spsvDescr);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                       cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                       cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t spsvDescr, void *externalBuffer) {
  (void)alpha, (void)alg, (void)externalBuffer;
  cusparseStatus_t status = check_sv(handle, opA, matA, vecX, vecY, computeType, spsvDescr);
  if (status == CUSPARSE_STATUS_SUCCESS)
    spsvDescr->last = (struct cusparseSpMatDescr *)matA;
  return status;
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                    cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t spsvDescr) {
  (void)alg;
  cusparseStatus_t status = check_sv(handle, opA, matA, vecX, vecY, computeType, spsvDescr);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(alpha);
  sparse_call call = {.a = *matA,
                      .op = opA,
                      .b = of_vector(vecX),
                      .c = of_vector(vecY),
                      .columns = 1,
                      .alpha = uwl_sparse_scalar_of(handle, alpha, computeType)};
  GIVE(cusparseSpSV, call);
}
/* The solve reads the matrix' own values: new ones are written there by the program, or named by
 * cusparseSpMatSetValues. */
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t spsvDescr, void *newValues,
                                           cusparseSpSVUpdate_t updatePart) {
  HANDLE;
  NEED(uwrt_handle_is(spsvDescr, &uwl_solve_kind) && newValues);
  SUPPORTED(updatePart == CUSPARSE_SPSV_UPDATE_GENERAL && uwrt_handle_is(spsvDescr->last, &uwl_sp_mat_kind));
  spsvDescr->last->values = newValues;
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t check_sm(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                 cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                 cusparseConstDnMatDescr_t matC, cudaDataType computeType, cusparseSpSMDescr_t descr) {
  cusparseStatus_t status = check_mm(handle, opA, opB, matA, matB, matC, computeType);
  NEED(status != CUSPARSE_STATUS_SUCCESS ||
       (uwrt_handle_is(descr, &uwl_solve_kind) && rows_of_op(matA, opA) == columns_of_op(matA, opA)));
  return status;
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsmDescr,
                                         size_t *bufferSize) {
  (void)alpha, (void)alg;
  NEED(bufferSize);
  *bufferSize = UWL_BUFFER_BYTES;
  return check_sm(handle, opA, opB, matA, matB, matC, computeType, spsmDescr);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                       const void *alpha, cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsmDescr,
                                       void *externalBuffer) {
  (void)alpha, (void)alg, (void)externalBuffer;
  return check_sm(handle, opA, opB, matA, matB, matC, computeType, spsmDescr);
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                    const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpSMAlg_t alg,
                                    cusparseSpSMDescr_t spsmDescr) {
  (void)alg;
  cusparseStatus_t status = check_sm(handle, opA, opB, matA, matB, matC, computeType, spsmDescr);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(alpha);
  sparse_call call = {.a = *matA,
                      .op = opA,
                      .b = of_matrix(matB, opB != CUSPARSE_OPERATION_NON_TRANSPOSE),
                      .c = of_matrix(matC, 0),
                      .columns = matC->cols,
                      .conjugates_b = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                      .alpha = uwl_sparse_scalar_of(handle, alpha, computeType)};
  GIVE(cusparseSpSM, call);
}
