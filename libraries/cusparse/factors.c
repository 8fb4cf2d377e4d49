/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: incomplete factors of matrices in CSR with no more values than the matrix has, in its place, and
 * triangular systems with them by the older functions. Columns of a row stand in their order, as cuSPARSE wants them.
 * (cuSPARSE documentation, "cuSPARSE Preconditioners Reference"; csrsv2: that of CUDA 11.) */
#include "internal.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* All three kinds of information are one: what the analysis and the factors found, and how small pivots are
 * replaced. */
typedef struct factor_info {
  int structural, numerical; /* rows with the base, or -1 */
  int boosts;
  const double *tolerance;
  const void *boost;
  double tolerance_value;
  _Alignas(16) unsigned char boost_value[16];
} factor_info;

typedef struct factor_call {
  int rows, base, unit;
  void *values;
  const int *offsets, *columns;
  factor_info *info;
  cudaDataType type;
} factor_call;

/* Where row `row` has column `column` between two positions, or -1. */
static int find_column(const factor_call *call, int from, int to, int column) {
  while (from < to) {
    int middle = from + (to - from) / 2, at = call->columns[middle] - call->base;
    if (at == column)
      return middle;
    if (at < column)
      from = middle + 1;
    else
      to = middle;
  }
  return -1;
}
static int row_start(const factor_call *call, int row) { return call->offsets[row] - call->base; }

static void note_first(int *position, int row, int base) {
  if (*position < 0 || row + base < *position)
    *position = row + base;
}

/* The first row without a value on the diagonal. */
UWL_OPERATION(cusparse_csrAnalysis, factor_call) {
  call->info->structural = call->info->numerical = -1;
  for (int row = 0; row < call->rows; row++)
    if (!call->unit && find_column(call, row_start(call, row), row_start(call, row + 1), row) < 0) {
      note_first(&call->info->structural, row, call->base);
      break;
    }
}

#define REAL_s(x) (x)
#define REAL_d(x) (x)
#define REAL_c(x) crealf(x)
#define REAL_z(x) creal(x)
#define CONJ_s(x) (x)
#define CONJ_d(x) (x)
#define CONJ_c(x) conjf(x)
#define CONJ_z(x) conj(x)
#define ABS_s(x) __builtin_fabsf(x)
#define ABS_d(x) __builtin_fabs(x)
#define ABS_c(x) cabsf(x)
#define ABS_z(x) cabs(x)

/* ilu: row i takes those above it off, by columns from the left. ic: L from rows, the rest of the row is left alone. */
#define FACTORS(t, type)                                                                                               \
  static void ilu_##t(const factor_call *call) {                                                                       \
    type *values = call->values;                                                                                       \
    for (int row = 0; row < call->rows; row++) {                                                                       \
      int start = row_start(call, row), end = row_start(call, row + 1), at = start;                                    \
      for (; at < end && call->columns[at] - call->base < row; at++) {                                                 \
        int above = call->columns[at] - call->base, above_end = row_start(call, above + 1), mine = at + 1;             \
        int diagonal = find_column(call, row_start(call, above), above_end, above);                                    \
        if (diagonal < 0)                                                                                              \
          continue;                                                                                                    \
        values[at] /= values[diagonal];                                                                                \
        for (int theirs = diagonal + 1; theirs < above_end; theirs++) {                                                \
          while (mine < end && call->columns[mine] < call->columns[theirs])                                            \
            mine++;                                                                                                    \
          if (mine < end && call->columns[mine] == call->columns[theirs])                                              \
            values[mine] -= values[at] * values[theirs];                                                               \
        }                                                                                                              \
      }                                                                                                                \
      int diagonal = at < end && call->columns[at] - call->base == row ? at : -1;                                      \
      if (diagonal >= 0 && call->info->boosts && (double)ABS_##t(values[diagonal]) <= *call->info->tolerance)          \
        values[diagonal] = *(const type *)call->info->boost;                                                           \
      if (diagonal < 0 || values[diagonal] == 0)                                                                       \
        note_first(&call->info->numerical, row, call->base);                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  static void ic_##t(const factor_call *call) {                                                                        \
    type *values = call->values;                                                                                       \
    for (int row = 0; row < call->rows; row++) {                                                                       \
      int start = row_start(call, row), end = row_start(call, row + 1), found = 0;                                     \
      for (int at = start; at < end && call->columns[at] - call->base <= row; at++) {                                  \
        int column = call->columns[at] - call->base, mine = start, theirs = row_start(call, column);                   \
        int theirs_end = row_start(call, column + 1);                                                                  \
        type sum = values[at];                                                                                         \
        while (mine < at && theirs < theirs_end && call->columns[theirs] - call->base < column)                        \
          if (call->columns[mine] == call->columns[theirs])                                                            \
            sum -= values[mine++] * CONJ_##t(values[theirs++]);                                                        \
          else if (call->columns[mine] < call->columns[theirs])                                                        \
            mine++;                                                                                                    \
          else                                                                                                         \
            theirs++;                                                                                                  \
        if (column < row) {                                                                                            \
          int diagonal = find_column(call, theirs, theirs_end, column);                                                \
          values[at] = diagonal < 0 ? sum : sum / values[diagonal];                                                    \
        } else {                                                                                                       \
          found = REAL_##t(sum) > 0;                                                                                   \
          values[at] = __builtin_sqrt((double)REAL_##t(sum));                                                          \
        }                                                                                                              \
      }                                                                                                                \
      if (!found)                                                                                                      \
        note_first(&call->info->numerical, row, call->base);                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  static void pivots_##t(const factor_call *call) {                                                                    \
    const type *values = call->values;                                                                                 \
    call->info->numerical = -1;                                                                                        \
    for (int row = 0; row < call->rows && !call->unit && call->info->numerical < 0; row++) {                           \
      int diagonal = find_column(call, row_start(call, row), row_start(call, row + 1), row);                           \
      if (diagonal < 0 || values[diagonal] == 0)                                                                       \
        note_first(&call->info->numerical, row, call->base);                                                           \
    }                                                                                                                  \
  }
EACH_TYPE(FACTORS)
UWL_OPERATION(cusparse_csrilu02, factor_call) {
  call->info->numerical = -1;
  BY_TYPE(call->type, ilu, call)
}
UWL_OPERATION(cusparse_csric02, factor_call) {
  call->info->numerical = -1;
  BY_TYPE(call->type, ic, call)
}
UWL_OPERATION(cusparse_csrsv2_pivots, factor_call) { BY_TYPE(call->type, pivots, call) }

/* --- information -------------------------------------------------------------------------------------------------- */

struct csrilu02Info {
  factor_info info;
};
struct csric02Info {
  factor_info info;
};
struct csrsv2Info {
  factor_info info;
};
static const char ilu_kind, ic_kind, sv_kind;

static cusparseStatus_t create_info(factor_info **info, const void *kind) {
  factor_info *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_handle_add(fresh, kind)) {
    free(fresh);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  fresh->structural = fresh->numerical = -1;
  *info = fresh;
  return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t destroy_info(factor_info *info, const void *kind) {
  NEED(uwrt_handle_remove(info, kind));
  free(info);
  return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t zero_pivot(cusparseHandle_t handle, const factor_info *info, const void *kind, int *position) {
  HANDLE;
  NEED(uwrt_handle_is(info, kind) && position);
  cudaError_t error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess)
    return uwl_cusparse_status(error);
  *position = info->structural >= 0 && (info->numerical < 0 || info->structural < info->numerical) ? info->structural
                                                                                                   : info->numerical;
  return *position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}
#define INFO(name, Name, kind)                                                                                         \
  cusparseStatus_t cusparseCreate##Name##Info(name##Info_t *info) {                                                    \
    NEED(info);                                                                                                        \
    return create_info((factor_info **)info, &kind);                                                                   \
  }                                                                                                                    \
  cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info) { return destroy_info((factor_info *)info, &kind); } \
  cusparseStatus_t cusparseX##name##_zeroPivot(cusparseHandle_t handle, name##Info_t info, int *position) {            \
    return zero_pivot(handle, (const factor_info *)info, &kind, position);                                             \
  }
INFO(csrilu02, Csrilu02, ilu_kind)
INFO(csric02, Csric02, ic_kind)
INFO(csrsv2, Csrsv2, sv_kind)

/* --- the calls ---------------------------------------------------------------------------------------------------- */

static cusparseStatus_t describe(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
                                 const void *values, const int *offsets, const int *columns, const void *info,
                                 const void *kind, cudaDataType type, factor_call *call) {
  HANDLE;
  NEED(m >= 0 && nnz >= 0 && uwrt_handle_is(descrA, &uwl_mat_descr_kind) && uwrt_handle_is(info, kind));
  NEED((offsets || m == 0) && ((columns && values) || nnz == 0));
  *call = (factor_call){m, (int)descrA->base, 0, (void *)values, offsets, columns, (factor_info *)info, type};
  return CUSPARSE_STATUS_SUCCESS;
}
#define DESCRIBE(values, kind, type)                                                                                   \
  factor_call call;                                                                                                    \
  cusparseStatus_t status =                                                                                            \
      describe(handle, m, nnz, descrA, values, csrSortedRowPtrA, csrSortedColIndA, info, &kind, type, &call);          \
  if (status != CUSPARSE_STATUS_SUCCESS)                                                                               \
  return status

/* Matrices that their descriptor calls symmetric are refused: cuSPARSE takes general ones alone, too. */
#define FACTOR(letter, name, kind, ctype, type_)                                                                       \
  cusparseStatus_t cusparse##letter##name##_bufferSize(                                                                \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, ctype *csrSortedValA,                  \
      const int *csrSortedRowPtrA, const int *csrSortedColIndA, name##Info_t info, int *pBufferSizeInBytes) {          \
    DESCRIBE(csrSortedValA, kind, type_);                                                                              \
    NEED(pBufferSizeInBytes);                                                                                          \
    *pBufferSizeInBytes = UWL_BUFFER_BYTES;                                                                            \
    return status;                                                                                                     \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(                                                             \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, ctype *csrSortedVal,                   \
      const int *csrSortedRowPtrA, const int *csrSortedColIndA, name##Info_t info, size_t *pBufferSize) {              \
    DESCRIBE(csrSortedVal, kind, type_);                                                                               \
    NEED(pBufferSize);                                                                                                 \
    *pBufferSize = UWL_BUFFER_BYTES;                                                                                   \
    return status;                                                                                                     \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##name##_analysis(cusparseHandle_t handle, int m, int nnz,                          \
                                                     const cusparseMatDescr_t descrA, const ctype *csrSortedValA,      \
                                                     const int *csrSortedRowPtrA, const int *csrSortedColIndA,         \
                                                     name##Info_t info, cusparseSolvePolicy_t policy, void *pBuffer) { \
    (void)policy, (void)pBuffer;                                                                                       \
    DESCRIBE(csrSortedValA, kind, type_);                                                                              \
    SUPPORTED(descrA->type == CUSPARSE_MATRIX_TYPE_GENERAL);                                                           \
    GIVE(cusparse_csrAnalysis, call);                                                                                  \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##name(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,    \
                                          ctype *csrSortedValA_valM, const int *csrSortedRowPtrA,                      \
                                          const int *csrSortedColIndA, name##Info_t info,                              \
                                          cusparseSolvePolicy_t policy, void *pBuffer) {                               \
    (void)policy, (void)pBuffer;                                                                                       \
    DESCRIBE(csrSortedValA_valM, kind, type_);                                                                         \
    SUPPORTED(descrA->type == CUSPARSE_MATRIX_TYPE_GENERAL);                                                           \
    GIVE(cusparse_##name, call);                                                                                       \
  }

static cusparseStatus_t set_boost(cusparseHandle_t handle, factor_info *info, int enable, const double *tolerance,
                                  const void *boost, cudaDataType type) {
  HANDLE;
  NEED(uwrt_handle_is(info, &ilu_kind) && (!enable || (tolerance && boost)));
  info->boosts = enable != 0;
  if (!enable)
    return CUSPARSE_STATUS_SUCCESS;
  info->tolerance = tolerance, info->boost = boost;
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST) {
    info->tolerance_value = *tolerance;
    memcpy(info->boost_value, boost, uwl_value_bytes(type));
    info->tolerance = &info->tolerance_value, info->boost = info->boost_value;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t solve(cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz, const void *alpha,
                              const cusparseMatDescr_t descr, const void *values, const int *offsets,
                              const int *columns, const void *f, void *x, cudaDataType type) {
  cusparseSpMatDescr_t matrix = NULL;
  cusparseDnVecDescr_t right = NULL, left = NULL;
  cusparseSpSVDescr_t solving = NULL;
  cusparseStatus_t status = cusparseCreateCsr(&matrix, m, m, nnz, (void *)offsets, (void *)columns, (void *)values,
                                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, descr->base, type);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = cusparseCreateDnVec(&right, m, (void *)f, type);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = cusparseCreateDnVec(&left, m, x, type);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = cusparseSpSV_createDescr(&solving);
  if (status == CUSPARSE_STATUS_SUCCESS) {
    matrix->fill = descr->fill, matrix->diag = descr->diag;
    status = cusparseSpSV_solve(handle, op, alpha, matrix, right, left, type, CUSPARSE_SPSV_ALG_DEFAULT, solving);
  }
  cusparseSpSV_destroyDescr(solving);
  cusparseDestroyDnVec(left);
  cusparseDestroyDnVec(right);
  cusparseDestroySpMat(matrix);
  return status;
}

#define SOLVE(letter, ctype, type_)                                                                                    \
  cusparseStatus_t cusparse##letter##csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info,               \
                                                           int enable_boost, double *tol, ctype *boost_val) {          \
    return set_boost(handle, (factor_info *)info, enable_boost, tol, boost_val, type_);                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##csrsv2_bufferSize(cusparseHandle_t handle, cusparseOperation_t transA, int m,     \
                                                       int nnz, const cusparseMatDescr_t descrA, ctype *csrSortedValA, \
                                                       const int *csrSortedRowPtrA, const int *csrSortedColIndA,       \
                                                       csrsv2Info_t info, int *pBufferSizeInBytes) {                   \
    DESCRIBE(csrSortedValA, sv_kind, type_);                                                                           \
    IS_OP(transA);                                                                                                     \
    NEED(pBufferSizeInBytes);                                                                                          \
    *pBufferSizeInBytes = UWL_BUFFER_BYTES;                                                                            \
    return status;                                                                                                     \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##csrsv2_bufferSizeExt(                                                             \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz, const cusparseMatDescr_t descrA,            \
      ctype *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, csrsv2Info_t info,               \
      size_t *pBufferSize) {                                                                                           \
    DESCRIBE(csrSortedValA, sv_kind, type_);                                                                           \
    IS_OP(transA);                                                                                                     \
    NEED(pBufferSize);                                                                                                 \
    *pBufferSize = UWL_BUFFER_BYTES;                                                                                   \
    return status;                                                                                                     \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##csrsv2_analysis(                                                                  \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz, const cusparseMatDescr_t descrA,            \
      const ctype *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, csrsv2Info_t info,         \
      cusparseSolvePolicy_t policy, void *pBuffer) {                                                                   \
    (void)policy, (void)pBuffer;                                                                                       \
    DESCRIBE(csrSortedValA, sv_kind, type_);                                                                           \
    IS_OP(transA);                                                                                                     \
    call.unit = descrA->diag == CUSPARSE_DIAG_TYPE_UNIT;                                                               \
    GIVE(cusparse_csrAnalysis, call);                                                                                  \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##csrsv2_solve(cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz, \
                                                  const ctype *alpha, const cusparseMatDescr_t descrA,                 \
                                                  const ctype *csrSortedValA, const int *csrSortedRowPtrA,             \
                                                  const int *csrSortedColIndA, csrsv2Info_t info, const ctype *f,      \
                                                  ctype *x, cusparseSolvePolicy_t policy, void *pBuffer) {             \
    (void)policy, (void)pBuffer;                                                                                       \
    DESCRIBE(csrSortedValA, sv_kind, type_);                                                                           \
    IS_OP(transA);                                                                                                     \
    NEED(alpha && ((f && x) || m == 0));                                                                               \
    call.unit = descrA->diag == CUSPARSE_DIAG_TYPE_UNIT;                                                               \
    cudaError_t error = uwl_launch(UWL_STUB(cusparse_csrsv2_pivots), handle->stream, &call);                           \
    if (error != cudaSuccess || m == 0)                                                                                \
      return uwl_cusparse_status(error);                                                                               \
    return solve(handle, transA, m, nnz, alpha, descrA, csrSortedValA, csrSortedRowPtrA, csrSortedColIndA, f, x,       \
                 type_);                                                                                               \
  }
#define ALL_OF(letter, ctype, type)                                                                                    \
  FACTOR(letter, csrilu02, ilu_kind, ctype, type)                                                                      \
  FACTOR(letter, csric02, ic_kind, ctype, type) SOLVE(letter, ctype, type)
ALL_OF(S, float, CUDA_R_32F)
ALL_OF(D, double, CUDA_R_64F)
ALL_OF(C, cuComplex, CUDA_C_32F)
ALL_OF(Z, cuDoubleComplex, CUDA_C_64F)
