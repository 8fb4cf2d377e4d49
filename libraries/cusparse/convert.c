/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: between dense and sparse, between formats, sorting, products of two sparse matrices, sparse vectors. (cuSPARSE documentation,
 * "cuSPARSE Reorderings", "cuSPARSE Format Conversion", "Generic APIs".) */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER = 16 };

static int64_t get(const void *array, cusparseIndexType_t type, int64_t i) {
  return type == CUSPARSE_INDEX_32I ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}
static void put(void *array, cusparseIndexType_t type, int64_t i, int64_t value) {
  if (type == CUSPARSE_INDEX_32I)
    ((int32_t *)array)[i] = (int32_t)value;
  else
    ((int64_t *)array)[i] = value;
}

/* --- dense and sparse ------------------------------------------------------------------------------------------------------------- */

typedef struct dense_call {
  struct cusparseSpMatDescr sparse;
  struct cusparseDnMatDescr dense;
  struct cusparseSpMatDescr *counted; /* where the number of entries goes */
} dense_call;

static char *dense_at(const struct cusparseDnMatDescr *m, int64_t i, int64_t j) {
  return (char *)m->values + (m->order == CUSPARSE_ORDER_COL ? i + j * m->ld : i * m->ld + j) * (int64_t)uwl_value_bytes(m->type);
}

UWL_OPERATION(cusparseSparseToDense, dense_call) {
  const size_t bytes = uwl_value_bytes(call->sparse.type);
  sparse_rows rows;
  if (!uwl_rows_of(&call->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &rows))
    abort();
#pragma omp parallel for if (rows.rows * rows.cols > 1 << 15)
  for (int64_t i = 0; i < rows.rows; i++) {
    for (int64_t j = 0; j < rows.cols; j++)
      memset(dense_at(&call->dense, i, j), 0, bytes);
    for (int k = rows.offsets[i] - rows.base; k < rows.offsets[i + 1] - rows.base; k++)
      memcpy(dense_at(&call->dense, i, rows.columns[k] - rows.base), (const char *)rows.values + (size_t)k * bytes, bytes);
  }
  free(rows.owned);
}

static int is_zero(const char *value, cudaDataType type) {
  switch (type) {
  case CUDA_R_32F:
    return *(const float *)value == 0;
  case CUDA_R_64F:
    return *(const double *)value == 0;
  case CUDA_C_32F:
    return ((const float *)value)[0] == 0 && ((const float *)value)[1] == 0;
  default:
    return ((const double *)value)[0] == 0 && ((const double *)value)[1] == 0;
  }
}

/* CSR and COO go by rows, CSC by columns. */
static char *element(const dense_call *call, int64_t outer, int64_t inner) {
  return call->sparse.format == CUSPARSE_FORMAT_CSC ? dense_at(&call->dense, inner, outer) : dense_at(&call->dense, outer, inner);
}
static int64_t outer_of(const dense_call *c) { return c->sparse.format == CUSPARSE_FORMAT_CSC ? c->dense.cols : c->dense.rows; }
static int64_t inner_of(const dense_call *c) { return c->sparse.format == CUSPARSE_FORMAT_CSC ? c->dense.rows : c->dense.cols; }

UWL_OPERATION(cusparseDenseToSparse_analysis, dense_call) {
  const struct cusparseSpMatDescr *m = &call->sparse;
  int64_t found = 0;
  for (int64_t o = 0; o < outer_of(call); o++) {
    if (m->format != CUSPARSE_FORMAT_COO)
      put(m->offsets, m->offsets_type, o, found + m->base);
    for (int64_t i = 0; i < inner_of(call); i++)
      found += !is_zero(element(call, o, i), m->type);
  }
  if (m->format != CUSPARSE_FORMAT_COO)
    put(m->offsets, m->offsets_type, outer_of(call), found + m->base);
  call->counted->nnz = found;
}

UWL_OPERATION(cusparseDenseToSparse_convert, dense_call) {
  const struct cusparseSpMatDescr *m = &call->sparse;
  const size_t bytes = uwl_value_bytes(m->type);
  int64_t at = 0;
  for (int64_t o = 0; o < outer_of(call); o++)
    for (int64_t i = 0; i < inner_of(call); i++) {
      const char *value = element(call, o, i);
      if (is_zero(value, m->type))
        continue;
      if (m->format == CUSPARSE_FORMAT_COO)
        put(m->offsets, m->offsets_type, at, o + m->base);
      put(m->indices, m->index_type, at, i + m->base);
      memcpy((char *)m->values + (size_t)at++ * bytes, value, bytes);
    }
}

static cusparseStatus_t check_dense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense,
                                    int to_sparse) {
  HANDLE;
  IS_SP_MAT(sparse);
  IS_DN_MAT(dense);
  NEED(sparse->rows * sparse->block_rows == dense->rows && sparse->cols * sparse->block_cols == dense->cols);
  SUPPORTED(sparse->type == dense->type && (to_sparse ? sparse->format != CUSPARSE_FORMAT_BSR : uwl_has_rows(sparse)));
  return CUSPARSE_STATUS_SUCCESS;
}
#define CHECK_DENSE(sparse, dense, to_sparse)                                                                          \
  cusparseStatus_t status = check_dense(handle, sparse, dense, to_sparse);                                             \
  if (status != CUSPARSE_STATUS_SUCCESS)                                                                               \
  return status

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                                  size_t *bufferSize) {
  (void)alg;
  CHECK_DENSE(matA, matB, 0);
  NEED(bufferSize);
  *bufferSize = BUFFER;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA, cusparseDnMatDescr_t matB,
                                       cusparseSparseToDenseAlg_t alg, void *externalBuffer) {
  (void)alg, (void)externalBuffer;
  CHECK_DENSE(matA, matB, 0);
  dense_call call = {*matA, *matB, NULL};
  GIVE(cusparseSparseToDense, call);
}
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                                  size_t *bufferSize) {
  (void)alg;
  CHECK_DENSE(matB, matA, 1);
  NEED(bufferSize);
  *bufferSize = BUFFER;
  return CUSPARSE_STATUS_SUCCESS;
}
/* The host asks for the number of entries next. */
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                                void *externalBuffer) {
  (void)alg, (void)externalBuffer;
  CHECK_DENSE(matB, matA, 1);
  dense_call call = {*matB, *matA, matB};
  cudaError_t error = uwl_launch(UWL_STUB(cusparseDenseToSparse_analysis), handle->stream, &call);
  return uwl_cusparse_status(error == cudaSuccess ? cudaStreamSynchronize(handle->stream) : error);
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                               void *externalBuffer) {
  (void)alg, (void)externalBuffer;
  CHECK_DENSE(matB, matA, 1);
  NEED(matB->nnz == 0 || (matB->indices && matB->values));
  dense_call call = {*matB, *matA, matB};
  GIVE(cusparseDenseToSparse_convert, call);
}

/* --- sparse times sparse (Gustavson, 1978): a row of C is a sum of rows of B ------------------------------------------------------------ */

struct cusparseSpGEMMDescr {
  int64_t products;
};
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  NEED(descr);
  struct cusparseSpGEMMDescr *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwl_handle_add(fresh, &uwl_solve_kind)) {
    free(fresh);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  *descr = fresh;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  NEED(uwl_handle_remove(descr, &uwl_solve_kind));
  free(descr);
  return CUSPARSE_STATUS_SUCCESS;
}

typedef struct product_call {
  struct cusparseSpMatDescr a, b, c;
  struct cusparseSpMatDescr *counted;
  struct cusparseSpGEMMDescr *descr;
  sparse_scalar alpha, beta;
} product_call;

static int by_number(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }

/* The columns of row i of the product, in order; mark[column] is i + 1 for those that were seen. Gives how many. */
static int row_pattern(const sparse_rows *a, const sparse_rows *b, int64_t i, int *mark, int *columns, int64_t *products) {
  int count = 0;
  for (int k = a->offsets[i] - a->base; k < a->offsets[i + 1] - a->base; k++) {
    const int row = a->columns[k] - a->base;
    *products += b->offsets[row + 1] - b->offsets[row];
    for (int l = b->offsets[row] - b->base; l < b->offsets[row + 1] - b->base; l++) {
      const int column = b->columns[l] - b->base;
      if (mark[column] != i + 1) {
        mark[column] = (int)i + 1;
        columns[count++] = column;
      }
    }
  }
  qsort(columns, (size_t)count, sizeof *columns, by_number);
  return count;
}

#define ROW_VALUES(t, type)                                                                                            \
  static void row_values_##t(const sparse_rows *a, const sparse_rows *b, int64_t i, void *sums_, const int *columns,   \
                             int count, const product_call *call, int64_t to) {                                        \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha), beta = *(const type *)uwl_sparse_scalar(&call->beta); \
    const type *av = a->values, *bv = b->values;                                                                       \
    type *sums = sums_, *c = (type *)call->c.values + to;                                                              \
    for (int k = 0; k < count; k++)                                                                                    \
      sums[columns[k]] = 0;                                                                                            \
    for (int k = a->offsets[i] - a->base; k < a->offsets[i + 1] - a->base; k++) {                                      \
      const int row = a->columns[k] - a->base;                                                                         \
      for (int l = b->offsets[row] - b->base; l < b->offsets[row + 1] - b->base; l++)                                  \
        sums[b->columns[l] - b->base] += av[k] * bv[l];                                                                \
    }                                                                                                                  \
    for (int k = 0; k < count; k++)                                                                                    \
      c[k] = beta == 0 ? alpha * sums[columns[k]] : alpha * sums[columns[k]] + beta * c[k];                            \
  }
EACH_TYPE(ROW_VALUES)

/* The pattern alone counts entries; with values, all of C is written. */
static void multiply(const product_call *call, int with_values) {
  sparse_rows a, b;
  if (!uwl_rows_of(&call->a, CUSPARSE_OPERATION_NON_TRANSPOSE, &a) || !uwl_rows_of(&call->b, CUSPARSE_OPERATION_NON_TRANSPOSE, &b))
    abort();
  const struct cusparseSpMatDescr *c = &call->c;
  int *mark = calloc((size_t)b.cols + 1, sizeof *mark), *columns = malloc(((size_t)b.cols + 1) * sizeof *columns);
  void *sums = malloc(((size_t)b.cols + 1) * uwl_value_bytes(c->type));
  if (!mark || !columns || !sums)
    abort();
  int64_t total = 0, products = 0;
  for (int64_t i = 0; i < a.rows; i++) {
    const int count = row_pattern(&a, &b, i, mark, columns, &products);
    if (with_values) {
      put(c->offsets, c->offsets_type, i, total + c->base);
      for (int k = 0; k < count; k++)
        put(c->indices, c->index_type, total + k, columns[k] + c->base);
      BY_TYPE(c->type, row_values, &a, &b, i, sums, columns, count, call, total)
    }
    total += count;
  }
  if (with_values)
    put(c->offsets, c->offsets_type, a.rows, total + c->base);
  else
    call->counted->nnz = total;
  call->descr->products = products;
  free(mark);
  free(columns);
  free(sums);
  free(a.owned);
  free(b.owned);
}
UWL_OPERATION(cusparseSpGEMM_compute, product_call) { multiply(call, 0); }
UWL_OPERATION(cusparseSpGEMM_copy, product_call) { multiply(call, 1); }

static cusparseStatus_t check_gemm(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                   const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                   const void *beta, cusparseConstSpMatDescr_t matC, cudaDataType computeType,
                                   cusparseSpGEMMDescr_t descr) {
  HANDLE;
  IS_OP(opA);
  IS_OP(opB);
  IS_SP_MAT(matA);
  IS_SP_MAT(matB);
  IS_SP_MAT(matC);
  NEED(alpha && beta && uwl_handle_is(descr, &uwl_solve_kind) && matA->cols == matB->rows && matC->rows == matA->rows &&
       matC->cols == matB->cols);
  SUPPORTED(opA == CUSPARSE_OPERATION_NON_TRANSPOSE && opB == CUSPARSE_OPERATION_NON_TRANSPOSE && uwl_has_rows(matA) &&
            uwl_has_rows(matB) && matA->format == CUSPARSE_FORMAT_CSR && matB->format == CUSPARSE_FORMAT_CSR &&
            matC->format == CUSPARSE_FORMAT_CSR && matA->type == computeType && matB->type == computeType &&
            matC->type == computeType);
  return CUSPARSE_STATUS_SUCCESS;
}
#define CHECK_GEMM                                                                                                     \
  cusparseStatus_t status = check_gemm(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, spgemmDescr);     \
  (void)alg;                                                                                                           \
  if (status != CUSPARSE_STATUS_SUCCESS)                                                                               \
  return status
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                               const void *alpha, cusparseConstSpMatDescr_t matA,
                                               cusparseConstSpMatDescr_t matB, const void *beta,
                                               cusparseSpMatDescr_t matC, cudaDataType computeType,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                               size_t *bufferSize1, void *externalBuffer1) {
  (void)externalBuffer1;
  CHECK_GEMM;
  NEED(bufferSize1);
  *bufferSize1 = BUFFER;
  return CUSPARSE_STATUS_SUCCESS;
}
/* Without a buffer it says how large that should be; with one it counts the product's entries, which the host asks for next. */
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                        const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                        const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                        cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize2,
                                        void *externalBuffer2) {
  CHECK_GEMM;
  NEED(bufferSize2);
  *bufferSize2 = BUFFER;
  if (!externalBuffer2)
    return CUSPARSE_STATUS_SUCCESS;
  product_call call = {.a = *matA, .b = *matB, .c = *matC, .counted = matC, .descr = spgemmDescr};
  cudaError_t error = uwl_launch(UWL_STUB(cusparseSpGEMM_compute), handle->stream, &call);
  return uwl_cusparse_status(error == cudaSuccess ? cudaStreamSynchronize(handle->stream) : error);
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                     const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                     cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr) {
  CHECK_GEMM;
  NEED(matC->nnz == 0 || (matC->indices && matC->values));
  product_call call = {.a = *matA, .b = *matB, .c = *matC, .counted = matC, .descr = spgemmDescr,
                       .alpha = uwl_sparse_scalar_of(handle, alpha, computeType),
                       .beta = uwl_sparse_scalar_of(handle, beta, computeType)};
  GIVE(cusparseSpGEMM_copy, call);
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr, int64_t *num_prods) {
  NEED(uwl_handle_is(spgemmDescr, &uwl_solve_kind) && num_prods);
  *num_prods = spgemmDescr->products;
  return CUSPARSE_STATUS_SUCCESS;
}

/* --- sparse vectors ------------------------------------------------------------------------------------------------------------------- */

typedef struct vector_call {
  struct cusparseSpVecDescr x;
  struct cusparseDnVecDescr y;
  cusparseOperation_t op;
  sparse_scalar alpha, beta;
  void *result;
} vector_call;

static float conj_s(float x) { return x; }
static double conj_d(double x) { return x; }
static _Complex float conj_c(_Complex float x) { return __builtin_conjf(x); }
static _Complex double conj_z(_Complex double x) { return __builtin_conj(x); }
#define AT(i) y[get(call->x.indices, call->x.index_type, i) - call->x.base]
#define VECTORS(t, type)                                                                                               \
  static void add_##t(const vector_call *call) {                                                                       \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha), beta = *(const type *)uwl_sparse_scalar(&call->beta); \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->y.size; i++)                                                                         \
      y[i] = beta == 0 ? 0 : beta * y[i];                                                                              \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      AT(i) += alpha * x[i];                                                                                           \
  }                                                                                                                    \
  static void gather_##t(const vector_call *call) {                                                                    \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      x[i] = AT(i);                                                                                                    \
  }                                                                                                                    \
  static void scatter_##t(const vector_call *call) {                                                                   \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      AT(i) = x[i];                                                                                                    \
  }                                                                                                                    \
  static void rotate_##t(const vector_call *call) {                                                                    \
    const type c = *(const type *)uwl_sparse_scalar(&call->alpha), s = *(const type *)uwl_sparse_scalar(&call->beta);   \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->x.nnz; i++) {                                                                        \
      const type before = x[i], other = AT(i);                                                                         \
      x[i] = c * before + s * other;                                                                                   \
      AT(i) = c * other - s * before;                                                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  static void dot_##t(const vector_call *call) {                                                                       \
    type *x = call->x.values, *y = call->y.values, sum = 0;                                                            \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      sum += (call->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj_##t(x[i]) : x[i]) * AT(i);                     \
    *(type *)call->result = sum;                                                                                       \
  }
EACH_TYPE(VECTORS)
UWL_OPERATION(cusparseAxpby, vector_call) { BY_TYPE(call->x.type, add, call) }
UWL_OPERATION(cusparseGather, vector_call) { BY_TYPE(call->x.type, gather, call) }
UWL_OPERATION(cusparseScatter, vector_call) { BY_TYPE(call->x.type, scatter, call) }
UWL_OPERATION(cusparseRot, vector_call) { BY_TYPE(call->x.type, rotate, call) }
UWL_OPERATION(cusparseSpVV, vector_call) { BY_TYPE(call->x.type, dot, call) }

#define CHECK_VECTORS(vecX, vecY)                                                                                      \
  HANDLE;                                                                                                              \
  IS_SP_VEC(vecX);                                                                                                     \
  IS_DN_VEC(vecY);                                                                                                     \
  NEED(vecX->size == vecY->size);                                                                                      \
  SUPPORTED(vecX->type == vecY->type)
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t vecX,
                               const void *beta, cusparseDnVecDescr_t vecY) {
  CHECK_VECTORS(vecX, vecY);
  NEED(alpha && beta);
  vector_call call = {.x = *vecX, .y = *vecY, .alpha = uwl_sparse_scalar_of(handle, alpha, vecX->type),
                      .beta = uwl_sparse_scalar_of(handle, beta, vecX->type)};
  GIVE(cusparseAxpby, call);
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY, cusparseSpVecDescr_t vecX) {
  CHECK_VECTORS(vecX, vecY);
  vector_call call = {.x = *vecX, .y = *vecY};
  GIVE(cusparseGather, call);
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  CHECK_VECTORS(vecX, vecY);
  vector_call call = {.x = *vecX, .y = *vecY};
  GIVE(cusparseScatter, call);
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff, cusparseSpVecDescr_t vecX,
                             cusparseDnVecDescr_t vecY) {
  CHECK_VECTORS(vecX, vecY);
  NEED(c_coeff && s_coeff);
  vector_call call = {.x = *vecX, .y = *vecY, .alpha = uwl_sparse_scalar_of(handle, c_coeff, vecX->type),
                      .beta = uwl_sparse_scalar_of(handle, s_coeff, vecX->type)};
  GIVE(cusparseRot, call);
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, const void *result, cudaDataType computeType,
                                         size_t *bufferSize) {
  CHECK_VECTORS(vecX, vecY);
  IS_OP(opX);
  NEED(result && bufferSize);
  SUPPORTED(computeType == vecX->type);
  *bufferSize = BUFFER;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
                              cusparseConstDnVecDescr_t vecY, void *result, cudaDataType computeType,
                              void *externalBuffer) {
  (void)externalBuffer;
  CHECK_VECTORS(vecX, vecY);
  IS_OP(opX);
  NEED(result);
  SUPPORTED(computeType == vecX->type);
  vector_call call = {.x = *vecX, .y = *vecY, .op = opX, .result = result};
  cudaError_t error = uwl_launch(UWL_STUB(cusparseSpVV), handle->stream, &call);
  if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(handle->stream);
  return uwl_cusparse_status(error);
}

/* --- formats and orders of plain arrays ------------------------------------------------------------------------------------------------- */

typedef struct arrays_call {
  int m, n, nnz, base, by_column;
  const int *from;
  int *to, *other, *permutation;
} arrays_call;

UWL_OPERATION(cusparseXcoo2csr, arrays_call) {
  int at = 0;
  for (int row = 0; row <= call->m; row++) {
    while (at < call->nnz && call->from[at] - call->base < row)
      at++;
    call->to[row] = at + call->base;
  }
}
UWL_OPERATION(cusparseXcsr2coo, arrays_call) {
#pragma omp parallel for if (call->nnz > 1 << 15)
  for (int row = 0; row < call->m; row++)
    for (int i = call->from[row] - call->base; i < call->from[row + 1] - call->base; i++)
      call->to[i] = row + call->base;
}
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m, int *csrSortedRowPtr,
                                  cusparseIndexBase_t idxBase) {
  HANDLE;
  NEED(nnz >= 0 && m >= 0 && csrSortedRowPtr && (cooRowInd || nnz == 0) && (unsigned int)idxBase <= 1);
  arrays_call call = {.m = m, .nnz = nnz, .base = (int)idxBase, .from = cooRowInd, .to = csrSortedRowPtr};
  GIVE(cusparseXcoo2csr, call);
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrSortedRowPtr, int nnz, int m, int *cooRowInd,
                                  cusparseIndexBase_t idxBase) {
  HANDLE;
  NEED(nnz >= 0 && m >= 0 && csrSortedRowPtr && (cooRowInd || nnz == 0) && (unsigned int)idxBase <= 1);
  arrays_call call = {.m = m, .nnz = nnz, .base = (int)idxBase, .from = csrSortedRowPtr, .to = cooRowInd};
  GIVE(cusparseXcsr2coo, call);
}
UWL_OPERATION(cusparseCreateIdentityPermutation, arrays_call) {
  for (int i = 0; i < call->n; i++)
    call->to[i] = i;
}
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p) {
  HANDLE;
  NEED(n >= 0 && (p || n == 0));
  arrays_call call = {.n = n, .to = p};
  GIVE(cusparseCreateIdentityPermutation, call);
}

typedef struct sorted {
  int first, second, permutation, at;
} sorted;
static int by_place(const void *a, const void *b) {
  const sorted *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->second != y->second)
    return x->second < y->second ? -1 : 1;
  return x->at < y->at ? -1 : 1; /* equal ones keep their order */
}
/* The entries of a COO matrix: `to` holds rows, `other` columns. With offsets in `from`, each of its rows. */
static void sort_range(const arrays_call *call, int from, int to) {
  sorted *all = malloc((size_t)(to - from + 1) * sizeof *all);
  if (!all)
    abort();
  for (int i = from; i < to; i++) {
    const int row = call->to ? call->to[i] : 0, column = call->other[i];
    all[i - from] = (sorted){call->by_column ? column : row, call->by_column ? row : column,
                             call->permutation ? call->permutation[i] : 0, i};
  }
  qsort(all, (size_t)(to - from), sizeof *all, by_place);
  for (int i = from; i < to; i++) {
    const sorted *one = &all[i - from];
    if (call->to)
      call->to[i] = call->by_column ? one->second : one->first;
    call->other[i] = call->by_column ? one->first : one->second;
    if (call->permutation)
      call->permutation[i] = one->permutation;
  }
  free(all);
}
UWL_OPERATION(cusparseXsort, arrays_call) {
  if (!call->from)
    sort_range(call, 0, call->nnz);
  for (int row = 0; call->from && row < call->m; row++)
    sort_range(call, call->from[row] - call->base, call->from[row + 1] - call->base);
}
#define SORT_BUFFER(name, first, second)                                                                               \
  cusparseStatus_t cusparse##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *first,    \
                                                  const int *second, size_t *pBufferSizeInBytes) {                     \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnz >= 0 && ((first && second) || nnz == 0) && pBufferSizeInBytes);                       \
    *pBufferSizeInBytes = BUFFER;                                                                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
SORT_BUFFER(Xcoosort, cooRowsA, cooColsA)
SORT_BUFFER(Xcsrsort, csrRowPtrA, csrColIndA)
SORT_BUFFER(Xcscsort, cscColPtrA, cscRowIndA)
#define COO_SORT(name, by_column_)                                                                                     \
  cusparseStatus_t cusparse##name(cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA, int *P, \
                                  void *pBuffer) {                                                                     \
    (void)pBuffer;                                                                                                     \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnz >= 0 && ((cooRowsA && cooColsA) || nnz == 0));                                        \
    arrays_call call = {.nnz = nnz, .by_column = by_column_, .to = cooRowsA, .other = cooColsA, .permutation = P};     \
    GIVE(cusparseXsort, call);                                                                                         \
  }
COO_SORT(XcoosortByRow, 0)
COO_SORT(XcoosortByColumn, 1)
#define CSR_SORT(name, outer)                                                                                          \
  cusparseStatus_t cusparse##name(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,     \
                                  const int *offsets, int *indices, int *P, void *pBuffer) {                           \
    (void)pBuffer;                                                                                                     \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnz >= 0 && offsets && (indices || nnz == 0) &&                                           \
         uwl_handle_is(descrA, &uwl_mat_descr_kind));                                                                  \
    arrays_call call = {.m = outer, .nnz = nnz, .base = (int)descrA->base, .from = offsets, .other = indices,          \
                        .permutation = P};                                                                             \
    GIVE(cusparseXsort, call);                                                                                         \
  }
CSR_SORT(Xcsrsort, m)
CSR_SORT(Xcscsort, n)

typedef struct transpose_call {
  struct cusparseSpMatDescr a;
  void *values;
  int *offsets, *indices, base, numeric;
} transpose_call;
UWL_OPERATION(cusparseCsr2cscEx2, transpose_call) {
  sparse_rows rows;
  if (!uwl_rows_of(&call->a, CUSPARSE_OPERATION_TRANSPOSE, &rows))
    abort();
  const int nnz = rows.offsets[rows.rows];
  for (int64_t i = 0; i <= rows.rows; i++)
    call->offsets[i] = rows.offsets[i] + call->base;
  for (int i = 0; i < nnz; i++)
    call->indices[i] = rows.columns[i] + call->base;
  if (call->numeric)
    memcpy(call->values, rows.values, (size_t)nnz * uwl_value_bytes(call->a.type));
  free(rows.owned);
}
static cusparseStatus_t check_transpose(cusparseHandle_t handle, int m, int n, int nnz, cudaDataType valType,
                                        cusparseAction_t copyValues, cusparseIndexBase_t idxBase) {
  HANDLE;
  NEED(m >= 0 && n >= 0 && nnz >= 0 && (unsigned int)copyValues <= 1 && (unsigned int)idxBase <= 1);
  SUPPORTED(uwl_value_bytes(valType));
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                               const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                               int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
                                               size_t *bufferSize) {
  (void)csrVal, (void)csrRowPtr, (void)csrColInd, (void)cscVal, (void)cscColPtr, (void)cscRowInd, (void)alg;
  cusparseStatus_t status = check_transpose(handle, m, n, nnz, valType, copyValues, idxBase);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  NEED(bufferSize);
  *bufferSize = BUFFER;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, void *buffer) {
  (void)alg, (void)buffer;
  cusparseStatus_t status = check_transpose(handle, m, n, nnz, valType, copyValues, idxBase);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  const int numeric = copyValues == CUSPARSE_ACTION_NUMERIC;
  NEED(csrRowPtr && cscColPtr && (nnz == 0 || (csrColInd && cscRowInd && (!numeric || (csrVal && cscVal)))));
  /* Values that are not asked for are still moved: any readable ones do. */
  transpose_call call = {{CUSPARSE_FORMAT_CSR, m, n, nnz, 1, 1, (void *)csrRowPtr, (void *)csrColInd,
                          numeric ? (void *)csrVal : (void *)csrColInd, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, idxBase,
                          numeric ? valType : CUDA_R_32F},
                         cscVal, cscColPtr, cscRowInd, (int)idxBase, numeric};
  GIVE(cusparseCsr2cscEx2, call);
}
