/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of cuSPARSE share: descriptors, and the one form in which all work reads a matrix. */
#ifndef UWL_CUSPARSE_INTERNAL_H
#define UWL_CUSPARSE_INTERNAL_H

#pragma GCC visibility push(default)
#include "../../include/cusparse.h"
#pragma GCC visibility pop
#include "../common/library.h"

struct cusparseContext {
  cudaStream_t stream;
  cusparsePointerMode_t pointer_mode;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diag;
  cusparseIndexBase_t base;
};
struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, cols, ld;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batch;
  int64_t batch_stride;
};
/* CSR: offsets of rows and columns; CSC: of columns and rows; COO: offsets are the rows. BSR: all in blocks. */
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, cols, nnz, block_rows, block_cols;
  void *offsets, *indices, *values;
  cusparseIndexType_t offsets_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseOrder_t block_order;
  cusparseFillMode_t fill;
  cusparseDiagType_t diag;
  int batch;
  int64_t offsets_stride, values_stride;
};
extern const char uwl_cusparse_kind, uwl_mat_descr_kind, uwl_sp_vec_kind, uwl_dn_vec_kind, uwl_sp_mat_kind,
    uwl_dn_mat_kind, uwl_solve_kind;

#define HANDLE                                                                                                         \
  if (!uwrt_handle_is(handle, &uwl_cusparse_kind))                                                                     \
  return CUSPARSE_STATUS_NOT_INITIALIZED
#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUSPARSE_STATUS_INVALID_VALUE
#define SUPPORTED(condition)                                                                                           \
  if (!(condition))                                                                                                    \
  return CUSPARSE_STATUS_NOT_SUPPORTED
#define IS_SP_MAT(a) NEED(uwrt_handle_is(a, &uwl_sp_mat_kind))
#define IS_DN_MAT(a) NEED(uwrt_handle_is(a, &uwl_dn_mat_kind))
#define IS_DN_VEC(a) NEED(uwrt_handle_is(a, &uwl_dn_vec_kind))
#define IS_SP_VEC(a) NEED(uwrt_handle_is(a, &uwl_sp_vec_kind))
#define IS_OP(op) NEED((unsigned int)(op) <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)

static inline cusparseStatus_t uwl_cusparse_status(cudaError_t error) {
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
#define GIVE(which, record) return uwl_cusparse_status(uwl_launch(UWL_STUB(which), handle->stream, &(record)))

/* Scalars as in cuBLAS: a value, or where it is when the work runs. */
typedef struct sparse_scalar {
  const void *device;
  _Alignas(16) unsigned char value[16];
} sparse_scalar;
static inline const void *uwl_sparse_scalar(const sparse_scalar *s) { return s->device ? s->device : s->value; }
sparse_scalar uwl_sparse_scalar_of(cusparseHandle_t handle, const void *pointer, cudaDataType type);

/* float, double and the complex numbers of both. */
size_t uwl_value_bytes(cudaDataType type); /* 0: not one of them */

/* op(A) by rows: CSR with 32 bits and base 0 or 1. What has that form already is not copied; `owned` is to be freed. */
typedef struct sparse_rows {
  int64_t rows, cols;
  const int *offsets, *columns;
  const void *values;
  int base;
  void *owned;
} sparse_rows;
int uwl_rows_of(const struct cusparseSpMatDescr *matrix, cusparseOperation_t op, sparse_rows *rows); /* 0: no memory */
int uwl_has_rows(const struct cusparseSpMatDescr *matrix); /* are its formats, types and sizes known to that? */

/* Indices of either width. */
static inline int64_t uwl_index_at(const void *array, cusparseIndexType_t type, int64_t i) {
  return type == CUSPARSE_INDEX_32I ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}
static inline void uwl_set_index(void *array, cusparseIndexType_t type, int64_t i, int64_t value) {
  if (type == CUSPARSE_INDEX_32I)
    ((int32_t *)array)[i] = (int32_t)value;
  else
    ((int64_t *)array)[i] = value;
}

enum { UWL_BUFFER_BYTES = 16 }; /* that work asks for which needs none: some programs take 0 for a failure */

/* F(letter, C type) for each type of values. */
#define EACH_TYPE(F) F(s, float) F(d, double) F(c, _Complex float) F(z, _Complex double)
#define BY_TYPE(type, name, ...)                                                                                       \
  switch (type) {                                                                                                      \
  case CUDA_R_32F: name##_s(__VA_ARGS__); break;                                                                       \
  case CUDA_R_64F: name##_d(__VA_ARGS__); break;                                                                       \
  case CUDA_C_32F: name##_c(__VA_ARGS__); break;                                                                       \
  default: name##_z(__VA_ARGS__);                                                                                      \
  }

#endif
