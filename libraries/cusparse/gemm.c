/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: products of two sparse matrices (Gustavson, 1978): a row of C is a sum of rows of B. (cuSPARSE
 * documentation, "cusparseSpGEMM".) */
#include "internal.h"

#include <stdlib.h>

struct cusparseSpGEMMDescr {
  int64_t products;
};
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  NEED(descr);
  struct cusparseSpGEMMDescr *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_handle_add(fresh, &uwl_solve_kind)) {
    free(fresh);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  *descr = fresh;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  NEED(uwrt_handle_remove(descr, &uwl_solve_kind));
  free(descr);
  return CUSPARSE_STATUS_SUCCESS;
}

typedef struct product_call {
  struct cusparseSpMatDescr a, b, c;
  struct cusparseSpMatDescr *counted;
  struct cusparseSpGEMMDescr *descr;
  sparse_scalar alpha, beta;
} product_call;

static int by_number(const void *a, const void *b) {
  return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* The columns of row i of the product, in order; mark[column] is i + 1 for those that were seen. Gives how many. */
static int row_pattern(const sparse_rows *a, const sparse_rows *b, int64_t i, int *mark, int *columns,
                       int64_t *products) {
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
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha),                                                 \
               beta = *(const type *)uwl_sparse_scalar(&call->beta);                                                   \
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
  if (!uwl_rows_of(&call->a, CUSPARSE_OPERATION_NON_TRANSPOSE, &a) ||
      !uwl_rows_of(&call->b, CUSPARSE_OPERATION_NON_TRANSPOSE, &b))
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
      uwl_set_index(c->offsets, c->offsets_type, i, total + c->base);
      for (int k = 0; k < count; k++)
        uwl_set_index(c->indices, c->index_type, total + k, columns[k] + c->base);
      BY_TYPE(c->type, row_values, &a, &b, i, sums, columns, count, call, total)
    }
    total += count;
  }
  if (with_values)
    uwl_set_index(c->offsets, c->offsets_type, a.rows, total + c->base);
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
  NEED(alpha && beta && uwrt_handle_is(descr, &uwl_solve_kind) && matA->cols == matB->rows &&
       matC->rows == matA->rows && matC->cols == matB->cols);
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
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                               size_t *bufferSize1, void *externalBuffer1) {
  (void)externalBuffer1;
  CHECK_GEMM;
  NEED(bufferSize1);
  *bufferSize1 = UWL_BUFFER_BYTES;
  return CUSPARSE_STATUS_SUCCESS;
}
/* Without a buffer it says how large that should be; with one it counts the product's entries, which the host asks for
 * next. */
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                        const void *alpha, cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                        cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                        cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize2, void *externalBuffer2) {
  CHECK_GEMM;
  NEED(bufferSize2);
  *bufferSize2 = UWL_BUFFER_BYTES;
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
  product_call call = {.a = *matA,
                       .b = *matB,
                       .c = *matC,
                       .counted = matC,
                       .descr = spgemmDescr,
                       .alpha = uwl_sparse_scalar_of(handle, alpha, computeType),
                       .beta = uwl_sparse_scalar_of(handle, beta, computeType)};
  GIVE(cusparseSpGEMM_copy, call);
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr, int64_t *num_prods) {
  NEED(uwrt_handle_is(spgemmDescr, &uwl_solve_kind) && num_prods);
  *num_prods = spgemmDescr->products;
  return CUSPARSE_STATUS_SUCCESS;
}
