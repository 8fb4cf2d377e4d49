/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: handles, and descriptors of matrices and vectors. (cuSPARSE documentation, "cuSPARSE Management Function
 * Reference", "Generic APIs Objects".) */
#include "internal.h"
#include "../common/version.h"

#include <stdlib.h>
#include <string.h>

const char uwl_cusparse_kind, uwl_mat_descr_kind, uwl_sp_vec_kind, uwl_dn_vec_kind, uwl_sp_mat_kind, uwl_dn_mat_kind,
    uwl_solve_kind;

/* --- handles ------------------------------------------------------------------------------------------------------ */

static void *make(size_t bytes, const void *kind, const void *from) {
  void *fresh = malloc(bytes);
  if (!fresh || !uwrt_handle_add(fresh, kind)) {
    free(fresh);
    return NULL;
  }
  return memcpy(fresh, from, bytes);
}

#define MAKE(to, kind, ...)                                                                                            \
  do {                                                                                                                 \
    __typeof__(**(to)) *fresh_ = make(sizeof **(to), &(kind), &(__typeof__(**(to)))__VA_ARGS__);                       \
    if (!fresh_)                                                                                                       \
      return CUSPARSE_STATUS_ALLOC_FAILED;                                                                             \
    *(to) = fresh_;                                                                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  } while (0)

static cusparseStatus_t destroy(const void *what, const void *kind) {
  NEED(uwrt_handle_remove(what, kind));
  free((void *)what);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  NEED(handle);
  MAKE(handle, uwl_cusparse_kind, {0});
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  HANDLE;
  if (!uwl_is_capturing(handle->stream))
    cudaStreamSynchronize(handle->stream);
  return destroy(handle, &uwl_cusparse_kind);
}
#define TELL(suffix, of, cuda)                                                                                         \
  UWLIB_TELLS cusparseStatus_t cusparseGetVersion##suffix(cusparseHandle_t handle, int *version) {                     \
    HANDLE;                                                                                                            \
    NEED(version);                                                                                                     \
    *version = uwlib_version_number(of, 1000);                                                                         \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  UWLIB_TELLS cusparseStatus_t cusparseGetProperty##suffix(libraryPropertyType type, int *value) {                     \
    NEED(value && (unsigned int)type <= PATCH_LEVEL);                                                                  \
    *value = (of)[type];                                                                                               \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
UWLIB_FOR_EACH_VERSION(TELL, CUSPARSE)
static const char *const names[][2] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "texture mapping error"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};
static const char *name_of(cusparseStatus_t status, int which) {
  return (unsigned int)status <= CUSPARSE_STATUS_INSUFFICIENT_RESOURCES ? names[status][which]
                                                                        : "unrecognized error code";
}
const char *cusparseGetErrorName(cusparseStatus_t status) { return name_of(status, 0); }
const char *cusparseGetErrorString(cusparseStatus_t status) { return name_of(status, 1); }

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t streamId) {
  HANDLE;
  handle->stream = streamId;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *streamId) {
  HANDLE;
  NEED(streamId);
  *streamId = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  HANDLE;
  NEED((unsigned int)mode <= CUSPARSE_POINTER_MODE_DEVICE);
  handle->pointer_mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  HANDLE;
  NEED(mode);
  *mode = handle->pointer_mode;
  return CUSPARSE_STATUS_SUCCESS;
}

size_t uwl_value_bytes(cudaDataType type) {
  return type == CUDA_R_32F ? 4 : type == CUDA_R_64F || type == CUDA_C_32F ? 8 : type == CUDA_C_64F ? 16 : 0;
}
sparse_scalar uwl_sparse_scalar_of(cusparseHandle_t handle, const void *pointer, cudaDataType type) {
  sparse_scalar scalar = {0};
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
    scalar.device = pointer;
  else
    memcpy(scalar.value, pointer, uwl_value_bytes(type));
  return scalar;
}

/* --- the older descriptor ----------------------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descrA) {
  NEED(descrA);
  MAKE(descrA, uwl_mat_descr_kind, {0});
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descrA) { return destroy(descrA, &uwl_mat_descr_kind); }
#define SETTING(Name, type_, field, most)                                                                              \
  cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t descrA, type_ value) {                                      \
    NEED(uwrt_handle_is(descrA, &uwl_mat_descr_kind) && (unsigned int)value <= most);                                  \
    descrA->field = value;                                                                                             \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  type_ cusparseGetMat##Name(const cusparseMatDescr_t descrA) {                                                        \
    return uwrt_handle_is(descrA, &uwl_mat_descr_kind) ? descrA->field : (type_)0;                                     \
  }
SETTING(Type, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
SETTING(FillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
SETTING(DiagType, cusparseDiagType_t, diag, CUSPARSE_DIAG_TYPE_UNIT)
SETTING(IndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)

/* --- vectors ------------------------------------------------------------------------------------------------------ */

static int is_index(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I; }
static int is_base(cusparseIndexBase_t base) { return (unsigned int)base <= CUSPARSE_INDEX_BASE_ONE; }
#define PUT(to, value) (void)((to) && (*(to) = (value), 1))

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *spVecDescr, int64_t size, int64_t nnz, void *indices,
                                     void *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                     cudaDataType valueType) {
  NEED(spVecDescr && size >= 0 && nnz >= 0 && nnz <= size && (nnz == 0 || (indices && values)) && is_index(idxType) &&
       is_base(idxBase));
  SUPPORTED(uwl_value_bytes(valueType));
  MAKE(spVecDescr, uwl_sp_vec_kind, {size, nnz, indices, values, idxType, idxBase, valueType});
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *spVecDescr, int64_t size, int64_t nnz,
                                          const void *indices, const void *values, cusparseIndexType_t idxType,
                                          cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return cusparseCreateSpVec((cusparseSpVecDescr_t *)spVecDescr, size, nnz, (void *)indices, (void *)values, idxType,
                             idxBase, valueType);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t spVecDescr) {
  return destroy(spVecDescr, &uwl_sp_vec_kind);
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t v, int64_t *size, int64_t *nnz, void **indices, void **values,
                                  cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase, cudaDataType *valueType) {
  IS_SP_VEC(v);
  PUT(size, v->size), PUT(nnz, v->nnz), PUT(indices, v->indices), PUT(values, v->values), PUT(idxType, v->index_type);
  PUT(idxBase, v->base), PUT(valueType, v->type);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t v, int64_t *size, int64_t *nnz, const void **indices,
                                       const void **values, cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
                                       cudaDataType *valueType) {
  return cusparseSpVecGet((cusparseSpVecDescr_t)v, size, nnz, (void **)indices, (void **)values, idxType, idxBase,
                          valueType);
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t v, cusparseIndexBase_t *idxBase) {
  IS_SP_VEC(v);
  NEED(idxBase);
  *idxBase = v->base;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *dnVecDescr, int64_t size, void *values,
                                     cudaDataType valueType) {
  NEED(dnVecDescr && size >= 0 && (size == 0 || values));
  SUPPORTED(uwl_value_bytes(valueType));
  MAKE(dnVecDescr, uwl_dn_vec_kind, {size, values, valueType});
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *dnVecDescr, int64_t size, const void *values,
                                          cudaDataType valueType) {
  return cusparseCreateDnVec((cusparseDnVecDescr_t *)dnVecDescr, size, (void *)values, valueType);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t dnVecDescr) {
  return destroy(dnVecDescr, &uwl_dn_vec_kind);
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t v, int64_t *size, void **values, cudaDataType *valueType) {
  IS_DN_VEC(v);
  PUT(size, v->size), PUT(values, v->values), PUT(valueType, v->type);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t v, int64_t *size, const void **values,
                                       cudaDataType *valueType) {
  return cusparseDnVecGet((cusparseDnVecDescr_t)v, size, (void **)values, valueType);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *dnMatDescr, int64_t rows, int64_t cols, int64_t ld,
                                     void *values, cudaDataType valueType, cusparseOrder_t order) {
  NEED(dnMatDescr && rows >= 0 && cols >= 0 && (order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW) &&
       ld >= (order == CUSPARSE_ORDER_COL ? rows : cols) && (rows * cols == 0 || values));
  SUPPORTED(uwl_value_bytes(valueType));
  MAKE(dnMatDescr, uwl_dn_mat_kind, {rows, cols, ld, values, valueType, order, 1, 0});
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *dnMatDescr, int64_t rows, int64_t cols, int64_t ld,
                                          const void *values, cudaDataType valueType, cusparseOrder_t order) {
  return cusparseCreateDnMat((cusparseDnMatDescr_t *)dnMatDescr, rows, cols, ld, (void *)values, valueType, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t dnMatDescr) {
  return destroy(dnMatDescr, &uwl_dn_mat_kind);
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t a, int64_t *rows, int64_t *cols, int64_t *ld, void **values,
                                  cudaDataType *type, cusparseOrder_t *order) {
  IS_DN_MAT(a);
  PUT(rows, a->rows), PUT(cols, a->cols), PUT(ld, a->ld), PUT(values, a->values), PUT(type, a->type),
      PUT(order, a->order);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t a, int64_t *rows, int64_t *cols, int64_t *ld,
                                       const void **values, cudaDataType *type, cusparseOrder_t *order) {
  return cusparseDnMatGet((cusparseDnMatDescr_t)a, rows, cols, ld, (void **)values, type, order);
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t a, int batchCount, int64_t batchStride) {
  IS_DN_MAT(a);
  NEED(batchCount > 0 &&
       (batchStride == 0 || batchStride >= a->ld * (a->order == CUSPARSE_ORDER_COL ? a->cols : a->rows)));
  a->batch = batchCount;
  a->batch_stride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t a, int *batchCount, int64_t *batchStride) {
  IS_DN_MAT(a);
  NEED(batchCount && batchStride);
  *batchCount = a->batch;
  *batchStride = a->batch_stride;
  return CUSPARSE_STATUS_SUCCESS;
}

/* The values' address of each kind of descriptor. */
#define VALUES(Kind, is)                                                                                               \
  cusparseStatus_t cusparse##Kind##GetValues(cusparse##Kind##Descr_t what, void **values) {                            \
    is(what);                                                                                                          \
    NEED(values);                                                                                                      \
    *values = what->values;                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusparseStatus_t cusparseConst##Kind##GetValues(cusparseConst##Kind##Descr_t what, const void **values) {            \
    is(what);                                                                                                          \
    NEED(values);                                                                                                      \
    *values = what->values;                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Kind##SetValues(cusparse##Kind##Descr_t what, void *values) {                             \
    is(what);                                                                                                          \
    NEED(values);                                                                                                      \
    what->values = values;                                                                                             \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
VALUES(SpVec, IS_SP_VEC)
VALUES(DnVec, IS_DN_VEC)
VALUES(DnMat, IS_DN_MAT)
VALUES(SpMat, IS_SP_MAT)

/* --- sparse matrices ---------------------------------------------------------------------------------------------- */

static cusparseStatus_t create(cusparseSpMatDescr_t *to, struct cusparseSpMatDescr m) {
  NEED(to && m.rows >= 0 && m.cols >= 0 && m.nnz >= 0 && is_index(m.index_type) && is_index(m.offsets_type) &&
       is_base(m.base));
  SUPPORTED(uwl_value_bytes(m.type));
  m.batch = 1;
  struct cusparseSpMatDescr *fresh = make(sizeof *fresh, &uwl_sp_mat_kind, &m);
  if (!fresh)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  *to = fresh;
  return CUSPARSE_STATUS_SUCCESS;
}
#define CREATE(Format, FORMAT, first, second)                                                                          \
  cusparseStatus_t cusparseCreate##Format(cusparseSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,   \
                                          void *first, void *second, void *values, cusparseIndexType_t offsetsType,    \
                                          cusparseIndexType_t indexType, cusparseIndexBase_t idxBase,                  \
                                          cudaDataType valueType) {                                                    \
    NEED(first && (nnz == 0 || (second && values) || (!second && !values)));                                           \
    return create(spMatDescr, (struct cusparseSpMatDescr){FORMAT, rows, cols, nnz, 1, 1, first, second, values,        \
                                                          offsetsType, indexType, idxBase, valueType});                \
  }                                                                                                                    \
  cusparseStatus_t cusparseCreateConst##Format(cusparseConstSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols,      \
                                               int64_t nnz, const void *first, const void *second, const void *values, \
                                               cusparseIndexType_t offsetsType, cusparseIndexType_t indexType,         \
                                               cusparseIndexBase_t idxBase, cudaDataType valueType) {                  \
    return cusparseCreate##Format((cusparseSpMatDescr_t *)spMatDescr, rows, cols, nnz, (void *)first, (void *)second,  \
                                  (void *)values, offsetsType, indexType, idxBase, valueType);                         \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Format##Get(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz,           \
                                         void **first, void **second, void **values, cusparseIndexType_t *offsetsType, \
                                         cusparseIndexType_t *indexType, cusparseIndexBase_t *idxBase,                 \
                                         cudaDataType *valueType) {                                                    \
    IS_SP_MAT(m);                                                                                                      \
    NEED(m->format == FORMAT);                                                                                         \
    PUT(rows, m->rows), PUT(cols, m->cols), PUT(nnz, m->nnz), PUT(first, m->offsets), PUT(second, m->indices);         \
    PUT(values, m->values), PUT(offsetsType, m->offsets_type), PUT(indexType, m->index_type), PUT(idxBase, m->base);   \
    PUT(valueType, m->type);                                                                                           \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusparseStatus_t cusparseConst##Format##Get(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz, \
                                              const void **first, const void **second, const void **values,            \
                                              cusparseIndexType_t *offsetsType, cusparseIndexType_t *indexType,        \
                                              cusparseIndexBase_t *idxBase, cudaDataType *valueType) {                 \
    return cusparse##Format##Get((cusparseSpMatDescr_t)m, rows, cols, nnz, (void **)first, (void **)second,            \
                                 (void **)values, offsetsType, indexType, idxBase, valueType);                         \
  }
CREATE(Csr, CUSPARSE_FORMAT_CSR, offsets, indices)
CREATE(Csc, CUSPARSE_FORMAT_CSC, offsets, indices)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,
                                   void *cooRowInd, void *cooColInd, void *cooValues, cusparseIndexType_t cooIdxType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType) {
  NEED(nnz == 0 || (cooRowInd && cooColInd && cooValues));
  return create(spMatDescr,
                (struct cusparseSpMatDescr){CUSPARSE_FORMAT_COO, rows, cols, nnz, 1, 1, cooRowInd, cooColInd, cooValues,
                                            cooIdxType, cooIdxType, idxBase, valueType});
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *cooRowInd, const void *cooColInd, const void *cooValues,
                                        cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType) {
  return cusparseCreateCoo((cusparseSpMatDescr_t *)spMatDescr, rows, cols, nnz, (void *)cooRowInd, (void *)cooColInd,
                           (void *)cooValues, cooIdxType, idxBase, valueType);
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz, void **cooRowInd,
                                void **cooColInd, void **cooValues, cusparseIndexType_t *idxType,
                                cusparseIndexBase_t *idxBase, cudaDataType *valueType) {
  IS_SP_MAT(m);
  NEED(m->format == CUSPARSE_FORMAT_COO);
  PUT(rows, m->rows), PUT(cols, m->cols), PUT(nnz, m->nnz), PUT(cooRowInd, m->offsets), PUT(cooColInd, m->indices);
  PUT(cooValues, m->values), PUT(idxType, m->index_type), PUT(idxBase, m->base), PUT(valueType, m->type);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz,
                                     const void **cooRowInd, const void **cooColInd, const void **cooValues,
                                     cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
                                     cudaDataType *valueType) {
  return cusparseCooGet((cusparseSpMatDescr_t)m, rows, cols, nnz, (void **)cooRowInd, (void **)cooColInd,
                        (void **)cooValues, idxType, idxBase, valueType);
}
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *spMatDescr, int64_t brows, int64_t bcols, int64_t bnnz,
                                   int64_t rowBlockSize, int64_t colBlockSize, void *bsrRowOffsets, void *bsrColInd,
                                   void *bsrValues, cusparseIndexType_t bsrRowOffsetsType,
                                   cusparseIndexType_t bsrColIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType, cusparseOrder_t order) {
  NEED(rowBlockSize > 0 && colBlockSize > 0 && bsrRowOffsets && (bnnz == 0 || (bsrColInd && bsrValues)) &&
       (order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW));
  return create(spMatDescr, (struct cusparseSpMatDescr){CUSPARSE_FORMAT_BSR, brows, bcols, bnnz, rowBlockSize,
                                                        colBlockSize, bsrRowOffsets, bsrColInd, bsrValues,
                                                        bsrRowOffsetsType, bsrColIndType, idxBase, valueType, order});
}
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *spMatDescr, int64_t brows, int64_t bcols,
                                        int64_t bnnz, int64_t rowBlockDim, int64_t colBlockDim,
                                        const void *bsrRowOffsets, const void *bsrColInd, const void *bsrValues,
                                        cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order) {
  return cusparseCreateBsr((cusparseSpMatDescr_t *)spMatDescr, brows, bcols, bnnz, rowBlockDim, colBlockDim,
                           (void *)bsrRowOffsets, (void *)bsrColInd, (void *)bsrValues, bsrRowOffsetsType,
                           bsrColIndType, idxBase, valueType, order);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t spMatDescr) {
  return destroy(spMatDescr, &uwl_sp_mat_kind);
}

#define POINTERS(Format, FORMAT)                                                                                       \
  cusparseStatus_t cusparse##Format##SetPointers(cusparseSpMatDescr_t m, void *first, void *second, void *values) {    \
    IS_SP_MAT(m);                                                                                                      \
    NEED(m->format == FORMAT && first && second && values);                                                            \
    m->offsets = first;                                                                                                \
    m->indices = second;                                                                                               \
    m->values = values;                                                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
POINTERS(Csr, CUSPARSE_FORMAT_CSR)
POINTERS(Csc, CUSPARSE_FORMAT_CSC)
POINTERS(Coo, CUSPARSE_FORMAT_COO)

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t m, cusparseFormat_t *format) {
  IS_SP_MAT(m);
  NEED(format);
  *format = m->format;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t m, cusparseIndexBase_t *idxBase) {
  IS_SP_MAT(m);
  NEED(idxBase);
  *idxBase = m->base;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz) {
  IS_SP_MAT(m);
  NEED(rows && cols && nnz);
  *rows = m->rows * m->block_rows;
  *cols = m->cols * m->block_cols;
  *nnz = m->nnz * m->block_rows * m->block_cols;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t m, int *batchCount) {
  IS_SP_MAT(m);
  NEED(batchCount);
  *batchCount = m->batch;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t m, int batchCount, int64_t batchStride) {
  IS_SP_MAT(m);
  NEED(m->format == CUSPARSE_FORMAT_COO && batchCount > 0 && (batchStride == 0 || batchStride >= m->nnz));
  m->batch = batchCount;
  m->offsets_stride = m->values_stride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t m, int batchCount, int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride) {
  IS_SP_MAT(m);
  NEED(m->format == CUSPARSE_FORMAT_CSR && batchCount > 0 && offsetsBatchStride >= 0 && columnsValuesBatchStride >= 0);
  m->batch = batchCount;
  m->offsets_stride = offsetsBatchStride;
  m->values_stride = columnsValuesBatchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data,
                                           size_t dataSize) {
  IS_SP_MAT(m);
  NEED(data && (unsigned int)attribute <= CUSPARSE_SPMAT_DIAG_TYPE && dataSize == sizeof(int));
  *(int *)data = attribute == CUSPARSE_SPMAT_FILL_MODE ? (int)m->fill : (int)m->diag;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data,
                                           size_t dataSize) {
  IS_SP_MAT(m);
  NEED(data && (unsigned int)attribute <= CUSPARSE_SPMAT_DIAG_TYPE && dataSize == sizeof(int) &&
       *(unsigned int *)data <= 1);
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    m->fill = *(cusparseFillMode_t *)data;
  else
    m->diag = *(cusparseDiagType_t *)data;
  return CUSPARSE_STATUS_SUCCESS;
}
