/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: products that went with CUDA 11, for programs that were built before; no header has them. (cuSPARSE 10.1
 * documentation, "cusparse<t>csrmm()", "cusparse<t>csrmm2()".) They are cusparseSpMM of CSR with dense columns. */
#include "internal.h"

typedef struct old_product {
  cusparseOperation_t op_a, op_b;
  int m, n, k, nnz;
  const void *alpha;
  cusparseMatDescr_t description;
  const void *values;
  const int *offsets, *columns;
  const void *b;
  int ldb;
  const void *beta;
  void *c;
  int ldc;
  cudaDataType type;
} old_product;

/* m and k are of A as it is stored, n is of op(B). */
static cusparseStatus_t multiply(cusparseHandle_t handle, const old_product *p) {
  HANDLE;
  IS_OP(p->op_a);
  IS_OP(p->op_b);
  NEED(uwrt_handle_is(p->description, &uwl_mat_descr_kind) && p->m >= 0 && p->n >= 0 && p->k >= 0 && p->nnz >= 0);
  SUPPORTED(p->description->type == CUSPARSE_MATRIX_TYPE_GENERAL &&
            (p->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE || p->op_b == CUSPARSE_OPERATION_NON_TRANSPOSE));
  const int plain_a = p->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE,
            plain_b = p->op_b == CUSPARSE_OPERATION_NON_TRANSPOSE, inner = plain_a ? p->k : p->m;
  cusparseConstSpMatDescr_t a = NULL;
  cusparseConstDnMatDescr_t b = NULL;
  cusparseDnMatDescr_t c = NULL;
  cusparseStatus_t status =
      cusparseCreateConstCsr(&a, p->m, p->k, p->nnz, p->offsets, p->columns, p->values, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, p->description->base, p->type);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = cusparseCreateConstDnMat(&b, plain_b ? inner : p->n, plain_b ? p->n : inner, p->ldb, p->b, p->type,
                                      CUSPARSE_ORDER_COL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = cusparseCreateDnMat(&c, plain_a ? p->m : p->k, p->n, p->ldc, p->c, p->type, CUSPARSE_ORDER_COL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status =
        cusparseSpMM(handle, p->op_a, p->op_b, p->alpha, a, b, p->beta, c, p->type, CUSPARSE_SPMM_ALG_DEFAULT, NULL);
  if (c)
    cusparseDestroyDnMat(c);
  if (b)
    cusparseDestroyDnMat(b);
  if (a)
    cusparseDestroySpMat(a);
  return status;
}

#pragma GCC visibility push(default)
#define SHAPE int m, int n, int k, int nnz
#define OLD(letter, type_of, T)                                                                                        \
  cusparseStatus_t cusparse##letter##csrmm2(cusparseHandle_t handle, cusparseOperation_t op_a,                         \
                                            cusparseOperation_t op_b, SHAPE, const T *alpha,                           \
                                            const cusparseMatDescr_t description, const T *values, const int *offsets, \
                                            const int *columns, const T *b, int ldb, const T *beta, T *c, int ldc);    \
  cusparseStatus_t cusparse##letter##csrmm2(cusparseHandle_t handle, cusparseOperation_t op_a,                         \
                                            cusparseOperation_t op_b, SHAPE, const T *alpha,                           \
                                            const cusparseMatDescr_t description, const T *values, const int *offsets, \
                                            const int *columns, const T *b, int ldb, const T *beta, T *c, int ldc) {   \
    return multiply(handle, &(old_product){op_a, op_b, m, n, k, nnz, alpha, description, values, offsets, columns, b,  \
                                           ldb, beta, c, ldc, type_of});                                               \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##csrmm(cusparseHandle_t handle, cusparseOperation_t op, SHAPE, const T *alpha,     \
                                           const cusparseMatDescr_t description, const T *values, const int *offsets,  \
                                           const int *columns, const T *b, int ldb, const T *beta, T *c, int ldc);     \
  cusparseStatus_t cusparse##letter##csrmm(cusparseHandle_t handle, cusparseOperation_t op, SHAPE, const T *alpha,     \
                                           const cusparseMatDescr_t description, const T *values, const int *offsets,  \
                                           const int *columns, const T *b, int ldb, const T *beta, T *c, int ldc) {    \
    return cusparse##letter##csrmm2(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, m, n, k, nnz, alpha, description,    \
                                    values, offsets, columns, b, ldb, beta, c, ldc);                                   \
  }
OLD(S, CUDA_R_32F, float)
OLD(D, CUDA_R_64F, double)
OLD(C, CUDA_C_32F, cuComplex)
OLD(Z, CUDA_C_64F, cuDoubleComplex)
#pragma GCC visibility pop
