/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: between dense and sparse, between formats, sorting. (cuSPARSE documentation, "cuSPARSE Reorderings",
 * "cuSPARSE Format Conversion", "Generic APIs".) */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* --- dense and sparse --------------------------------------------------------------------------------------------- */

typedef struct dense_call {
  struct cusparseSpMatDescr sparse;
  struct cusparseDnMatDescr dense;
  struct cusparseSpMatDescr *counted; /* where the number of entries goes */
} dense_call;

static char *dense_at(const struct cusparseDnMatDescr *m, int64_t i, int64_t j) {
  return (char *)m->values +
         (m->order == CUSPARSE_ORDER_COL ? i + j * m->ld : i * m->ld + j) * (int64_t)uwl_value_bytes(m->type);
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
      memcpy(dense_at(&call->dense, i, rows.columns[k] - rows.base), (const char *)rows.values + (size_t)k * bytes,
             bytes);
  }
  free(rows.owned);
}

static int is_zero(const char *value, cudaDataType type) {
  switch (type) {
  case CUDA_R_32F: return *(const float *)value == 0;
  case CUDA_R_64F: return *(const double *)value == 0;
  case CUDA_C_32F: return ((const float *)value)[0] == 0 && ((const float *)value)[1] == 0;
  default: return ((const double *)value)[0] == 0 && ((const double *)value)[1] == 0;
  }
}

/* CSR and COO go by rows, CSC by columns. */
static char *element(const dense_call *call, int64_t outer, int64_t inner) {
  return call->sparse.format == CUSPARSE_FORMAT_CSC ? dense_at(&call->dense, inner, outer)
                                                    : dense_at(&call->dense, outer, inner);
}
static int64_t outer_of(const dense_call *c) {
  return c->sparse.format == CUSPARSE_FORMAT_CSC ? c->dense.cols : c->dense.rows;
}
static int64_t inner_of(const dense_call *c) {
  return c->sparse.format == CUSPARSE_FORMAT_CSC ? c->dense.rows : c->dense.cols;
}

UWL_OPERATION(cusparseDenseToSparse_analysis, dense_call) {
  const struct cusparseSpMatDescr *m = &call->sparse;
  int64_t found = 0;
  for (int64_t o = 0; o < outer_of(call); o++) {
    if (m->format != CUSPARSE_FORMAT_COO)
      uwl_set_index(m->offsets, m->offsets_type, o, found + m->base);
    for (int64_t i = 0; i < inner_of(call); i++)
      found += !is_zero(element(call, o, i), m->type);
  }
  if (m->format != CUSPARSE_FORMAT_COO)
    uwl_set_index(m->offsets, m->offsets_type, outer_of(call), found + m->base);
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
        uwl_set_index(m->offsets, m->offsets_type, at, o + m->base);
      uwl_set_index(m->indices, m->index_type, at, i + m->base);
      memcpy((char *)m->values + (size_t)at++ * bytes, value, bytes);
    }
}

static cusparseStatus_t check_dense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                    cusparseConstDnMatDescr_t dense, int to_sparse) {
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
  *bufferSize = UWL_BUFFER_BYTES;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                       void *externalBuffer) {
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
  *bufferSize = UWL_BUFFER_BYTES;
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

/* --- formats and orders of plain arrays --------------------------------------------------------------------------- */

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
    *pBufferSizeInBytes = UWL_BUFFER_BYTES;                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
SORT_BUFFER(Xcoosort, cooRowsA, cooColsA)
SORT_BUFFER(Xcsrsort, csrRowPtrA, csrColIndA)
SORT_BUFFER(Xcscsort, cscColPtrA, cscRowIndA)
#define COO_SORT(name, by_column_)                                                                                     \
  cusparseStatus_t cusparse##name(cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA,        \
                                  int *P, void *pBuffer) {                                                             \
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
         uwrt_handle_is(descrA, &uwl_mat_descr_kind));                                                                 \
    arrays_call call = {                                                                                               \
        .m = outer, .nnz = nnz, .base = (int)descrA->base, .from = offsets, .other = indices, .permutation = P};       \
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
  *bufferSize = UWL_BUFFER_BYTES;
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
                         cscVal,
                         cscColPtr,
                         cscRowInd,
                         (int)idxBase,
                         numeric};
  GIVE(cusparseCsr2cscEx2, call);
}
