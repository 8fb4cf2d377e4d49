/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: tridiagonal systems; sums of two matrices in CSR; the values of a dense matrix, counted. (cuSPARSE
 * documentation, "gtsv2", "gtsv2StridedBatch", "gtsvInterleavedBatch", "csrgeam2", "nnz".) */
#include "internal.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* --- tridiagonal systems: elimination with pivots, which the functions without do too: it is at least as exact ---- */

/* System s begins s * of_system elements on, right side r of it r * of_right; neighbours are `step` apart. */
typedef struct tridiagonal_call {
  int m, systems, rights;
  int64_t step, of_system, of_right;
  const void *lower, *diagonal, *upper;
  void *x;
  cudaDataType type;
} tridiagonal_call;

#define ABS_s(x) __builtin_fabsf(x)
#define ABS_d(x) __builtin_fabs(x)
#define ABS_c(x) cabsf(x)
#define ABS_z(x) cabs(x)

/* `lower`, `diagonal`, `upper` become the factor: the diagonal, and two rows above it (`upper`, `lower`). */
#define TRIDIAGONAL(t, type)                                                                                           \
  static void eliminate_##t(const tridiagonal_call *call, type *lower, type *diagonal, type *upper, type *x) {         \
    const int m = call->m;                                                                                             \
    const int64_t step = call->step;                                                                                   \
    for (int i = 0; i + 1 < m; i++) {                                                                                  \
      const int swaps = ABS_##t(diagonal[i]) < ABS_##t(lower[i + 1]);                                                  \
      const type factor = swaps ? diagonal[i] / lower[i + 1] : lower[i + 1] / diagonal[i];                             \
      const type next = i + 2 < m ? upper[i + 1] : 0;                                                                  \
      if (swaps) {                                                                                                     \
        const type below = diagonal[i + 1];                                                                            \
        diagonal[i] = lower[i + 1];                                                                                    \
        diagonal[i + 1] = upper[i] - factor * below;                                                                   \
        upper[i] = below;                                                                                              \
        if (i + 2 < m)                                                                                                 \
          upper[i + 1] = -factor * next;                                                                               \
      } else {                                                                                                         \
        diagonal[i + 1] -= factor * upper[i];                                                                          \
      }                                                                                                                \
      lower[i] = swaps ? next : 0;                                                                                     \
      for (int right = 0; right < call->rights; right++) {                                                             \
        type *at = x + right * call->of_right + i * step;                                                              \
        const type this = at[0], below = at[step];                                                                     \
        at[0] = swaps ? below : this;                                                                                  \
        at[step] = (swaps ? this : below) - factor * at[0];                                                            \
      }                                                                                                                \
    }                                                                                                                  \
    for (int right = 0; right < call->rights; right++)                                                                 \
      for (int i = m - 1; i >= 0; i--) {                                                                               \
        type *at = x + right * call->of_right + i * step, sum = at[0];                                                 \
        if (i + 1 < m)                                                                                                 \
          sum -= upper[i] * at[step];                                                                                  \
        if (i + 2 < m)                                                                                                 \
          sum -= lower[i] * at[2 * step];                                                                              \
        at[0] = sum / diagonal[i];                                                                                     \
      }                                                                                                                \
  }                                                                                                                    \
  static void tridiagonal_##t(const tridiagonal_call *call) {                                                          \
    const type *from[] = {call->lower, call->diagonal, call->upper};                                                   \
    _Pragma("omp parallel if ((int64_t)call->systems * call->m > 1 << 13)") {                                          \
      type *own = uwl_scratch(UWL_SCRATCH_A, 3 * sizeof(type) * (size_t)call->m);                                      \
      if (!own)                                                                                                        \
        abort();                                                                                                       \
      _Pragma("omp for") for (int system = 0; system < call->systems; system++) {                                      \
        for (int k = 0; k < 3; k++)                                                                                    \
          for (int i = 0; i < call->m; i++)                                                                            \
            own[k * (int64_t)call->m + i] = from[k][system * call->of_system + i * call->step];                        \
        eliminate_##t(call, own, own + call->m, own + 2 * (int64_t)call->m,                                            \
                      (type *)call->x + system * call->of_system);                                                     \
      }                                                                                                                \
    }                                                                                                                  \
  }
EACH_TYPE(TRIDIAGONAL)
UWL_OPERATION(cusparse_gtsv, tridiagonal_call) { BY_TYPE(call->type, tridiagonal, call) }

static cusparseStatus_t check_tridiagonal(cusparseHandle_t handle, const tridiagonal_call *call) {
  HANDLE;
  NEED(call->m >= 1 && call->systems >= 0 && call->rights >= 0 && call->of_right >= 0 && call->of_system >= 0 &&
       call->step >= 1);
  NEED((call->lower && call->diagonal && call->upper && call->x) || !call->systems || !call->rights);
  return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t size_of_tridiagonal(cusparseHandle_t handle, const tridiagonal_call *call, size_t *bytes) {
  NEED(bytes);
  *bytes = UWL_BUFFER_BYTES;
  return check_tridiagonal(handle, call);
}
static cusparseStatus_t solve_tridiagonal(cusparseHandle_t handle, const tridiagonal_call *call) {
  cusparseStatus_t status = check_tridiagonal(handle, call);
  if (status != CUSPARSE_STATUS_SUCCESS || !call->systems || !call->rights)
    return status;
  GIVE(cusparse_gtsv, *call);
}

#define MANY_RIGHTS(type)                                                                                              \
  NEED(m >= 3 && n >= 0 && ldb >= m);                                                                                  \
  const tridiagonal_call call = {m, 1, n, 1, 0, ldb, dl, d, du, (void *)B, type}
#define STRIDED(type)                                                                                                  \
  NEED(m >= 3 && batchCount >= 0 && batchStride >= m);                                                                 \
  const tridiagonal_call call = {m, batchCount, 1, 1, batchStride, 0, dl, d, du, (void *)x, type}
/* Algorithms 0 to 2 are three methods on a GPU. */
#define INTERLEAVED(type)                                                                                              \
  NEED((unsigned int)algo <= 2 && m >= 1 && batchCount >= 1);                                                          \
  const tridiagonal_call call = {m, batchCount, 1, batchCount, 1, 0, dl, d, du, (void *)x, type}
#define GTSV(letter, name, ctype, type)                                                                                \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n, const ctype *dl,      \
                                                          const ctype *d, const ctype *du, const ctype *B, int ldb,    \
                                                          size_t *bufferSizeInBytes) {                                 \
    MANY_RIGHTS(type);                                                                                                 \
    return size_of_tridiagonal(handle, &call, bufferSizeInBytes);                                                      \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##name(cusparseHandle_t handle, int m, int n, const ctype *dl, const ctype *d,      \
                                          const ctype *du, ctype *B, int ldb, void *pBuffer) {                         \
    (void)pBuffer;                                                                                                     \
    MANY_RIGHTS(type);                                                                                                 \
    return solve_tridiagonal(handle, &call);                                                                           \
  }
#define GTSV_BATCHES(letter, ctype, type)                                                                              \
  GTSV(letter, gtsv2, ctype, type)                                                                                     \
  GTSV(letter, gtsv2_nopivot, ctype, type)                                                                             \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch_bufferSizeExt(                                                  \
      cusparseHandle_t handle, int m, const ctype *dl, const ctype *d, const ctype *du, const ctype *x,                \
      int batchCount, int batchStride, size_t *bufferSizeInBytes) {                                                    \
    STRIDED(type);                                                                                                     \
    return size_of_tridiagonal(handle, &call, bufferSizeInBytes);                                                      \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch(cusparseHandle_t handle, int m, const ctype *dl,                \
                                                       const ctype *d, const ctype *du, ctype *x, int batchCount,      \
                                                       int batchStride, void *pBuffer) {                               \
    (void)pBuffer;                                                                                                     \
    STRIDED(type);                                                                                                     \
    return solve_tridiagonal(handle, &call);                                                                           \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##gtsvInterleavedBatch_bufferSizeExt(                                               \
      cusparseHandle_t handle, int algo, int m, const ctype *dl, const ctype *d, const ctype *du, const ctype *x,      \
      int batchCount, size_t *pBufferSizeInBytes) {                                                                    \
    INTERLEAVED(type);                                                                                                 \
    return size_of_tridiagonal(handle, &call, pBufferSizeInBytes);                                                     \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##gtsvInterleavedBatch(cusparseHandle_t handle, int algo, int m, ctype *dl,         \
                                                          ctype *d, ctype *du, ctype *x, int batchCount,               \
                                                          void *pBuffer) {                                             \
    (void)pBuffer;                                                                                                     \
    INTERLEAVED(type);                                                                                                 \
    return solve_tridiagonal(handle, &call);                                                                           \
  }
GTSV_BATCHES(S, float, CUDA_R_32F)
GTSV_BATCHES(D, double, CUDA_R_64F)
GTSV_BATCHES(C, cuComplex, CUDA_C_32F)
GTSV_BATCHES(Z, cuDoubleComplex, CUDA_C_64F)

/* --- sums --------------------------------------------------------------------------------------------------------- */

typedef struct csr_arrays {
  int base;
  const int *offsets, *columns;
  const void *values;
} csr_arrays;
typedef struct sum_call {
  int m;
  csr_arrays a, b, c;
  sparse_scalar alpha, beta;
  int *total;
  cudaDataType type;
} sum_call;

/* The columns of both matrices' rows in their order: which has the next one, and where the walk stands. */
typedef struct both_rows {
  int a, a_end, b, b_end, column, in_a, in_b;
} both_rows;
static both_rows begin_rows(const sum_call *call, int row) {
  return (both_rows){call->a.offsets[row] - call->a.base,
                     call->a.offsets[row + 1] - call->a.base,
                     call->b.offsets[row] - call->b.base,
                     call->b.offsets[row + 1] - call->b.base,
                     0,
                     0,
                     0};
}
static int next_column(const sum_call *call, both_rows *rows) {
  rows->a += rows->in_a, rows->b += rows->in_b;
  int a = rows->a < rows->a_end ? call->a.columns[rows->a] - call->a.base : INT32_MAX;
  int b = rows->b < rows->b_end ? call->b.columns[rows->b] - call->b.base : INT32_MAX;
  rows->column = a < b ? a : b;
  rows->in_a = a <= b, rows->in_b = b <= a;
  return rows->a < rows->a_end || rows->b < rows->b_end;
}

UWL_OPERATION(cusparseXcsrgeam2Nnz, sum_call) {
  int *offsets = (int *)call->c.offsets, at = 0;
  for (int row = 0; row < call->m; row++) {
    offsets[row] = at + call->c.base;
    for (both_rows rows = begin_rows(call, row); next_column(call, &rows);)
      at++;
  }
  offsets[call->m] = at + call->c.base;
  *call->total = at;
}
#define SUM(t, type)                                                                                                   \
  static void sum_##t(const sum_call *call) {                                                                          \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha),                                                 \
               beta = *(const type *)uwl_sparse_scalar(&call->beta);                                                   \
    const type *a = call->a.values, *b = call->b.values;                                                               \
    type *c = (type *)call->c.values;                                                                                  \
    int *columns = (int *)call->c.columns;                                                                             \
    for (int row = 0; row < call->m; row++) {                                                                          \
      int at = call->c.offsets[row] - call->c.base;                                                                    \
      for (both_rows rows = begin_rows(call, row); next_column(call, &rows); at++) {                                   \
        columns[at] = rows.column + call->c.base;                                                                      \
        c[at] = (rows.in_a ? alpha * a[rows.a] : 0) + (rows.in_b ? beta * b[rows.b] : 0);                              \
      }                                                                                                                \
    }                                                                                                                  \
  }
EACH_TYPE(SUM)
UWL_OPERATION(cusparse_csrgeam2, sum_call) { BY_TYPE(call->type, sum, call) }

static int is_descr(const cusparseMatDescr_t descr) {
  return uwrt_handle_is(descr, &uwl_mat_descr_kind) && descr->type == CUSPARSE_MATRIX_TYPE_GENERAL;
}
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, int nnzA,
                                      const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                                      const cusparseMatDescr_t descrB, int nnzB, const int *csrSortedRowPtrB,
                                      const int *csrSortedColIndB, const cusparseMatDescr_t descrC,
                                      int *csrSortedRowPtrC, int *nnzTotalDevHostPtr, void *workspace) {
  (void)workspace;
  HANDLE;
  NEED(m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && is_descr(descrA) && is_descr(descrB) && is_descr(descrC) &&
       csrSortedRowPtrC && nnzTotalDevHostPtr);
  NEED((csrSortedRowPtrA && csrSortedRowPtrB) || m == 0);
  NEED((csrSortedColIndA || nnzA == 0) && (csrSortedColIndB || nnzB == 0));
  sum_call call = {.m = m,
                   .a = {(int)descrA->base, csrSortedRowPtrA, csrSortedColIndA, NULL},
                   .b = {(int)descrB->base, csrSortedRowPtrB, csrSortedColIndB, NULL},
                   .c = {(int)descrC->base, csrSortedRowPtrC, NULL, NULL},
                   .total = nnzTotalDevHostPtr};
  cudaError_t error = uwl_launch(UWL_STUB(cusparseXcsrgeam2Nnz), handle->stream, &call);
  if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(handle->stream);
  return uwl_cusparse_status(error);
}
#define GEAM_MATRICES(ctype)                                                                                           \
  cusparseHandle_t handle, int m, int n, const ctype *alpha, const cusparseMatDescr_t descrA, int nnzA,                \
      const ctype *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, const ctype *beta,         \
      const cusparseMatDescr_t descrB, int nnzB, const ctype *csrSortedValB, const int *csrSortedRowPtrB,              \
      const int *csrSortedColIndB, const cusparseMatDescr_t descrC
#define GEAM(letter, ctype, type_)                                                                                     \
  cusparseStatus_t cusparse##letter##csrgeam2_bufferSizeExt(GEAM_MATRICES(ctype), const ctype *csrSortedValC,          \
                                                            const int *csrSortedRowPtrC, const int *csrSortedColIndC,  \
                                                            size_t *pBufferSizeInBytes) {                              \
    (void)csrSortedValA, (void)csrSortedRowPtrA, (void)csrSortedColIndA, (void)csrSortedValB, (void)csrSortedRowPtrB;  \
    (void)csrSortedColIndB, (void)csrSortedValC, (void)csrSortedRowPtrC, (void)csrSortedColIndC, (void)alpha,          \
        (void)beta;                                                                                                    \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && is_descr(descrA) && is_descr(descrB) && is_descr(descrC) &&     \
         pBufferSizeInBytes);                                                                                          \
    *pBufferSizeInBytes = UWL_BUFFER_BYTES;                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusparseStatus_t cusparse##letter##csrgeam2(GEAM_MATRICES(ctype), ctype *csrSortedValC, int *csrSortedRowPtrC,       \
                                              int *csrSortedColIndC, void *pBuffer) {                                  \
    (void)pBuffer;                                                                                                     \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && is_descr(descrA) && is_descr(descrB) && is_descr(descrC));      \
    NEED(alpha && beta && ((csrSortedRowPtrA && csrSortedRowPtrB && csrSortedRowPtrC) || m == 0));                     \
    NEED(((csrSortedColIndA && csrSortedValA) || nnzA == 0) && ((csrSortedColIndB && csrSortedValB) || nnzB == 0));    \
    NEED((csrSortedColIndC && csrSortedValC) || nnzA + nnzB == 0);                                                     \
    sum_call call = {m,                                                                                                \
                     {(int)descrA->base, csrSortedRowPtrA, csrSortedColIndA, csrSortedValA},                           \
                     {(int)descrB->base, csrSortedRowPtrB, csrSortedColIndB, csrSortedValB},                           \
                     {(int)descrC->base, csrSortedRowPtrC, csrSortedColIndC, csrSortedValC},                           \
                     uwl_sparse_scalar_of(handle, alpha, type_),                                                       \
                     uwl_sparse_scalar_of(handle, beta, type_),                                                        \
                     NULL,                                                                                             \
                     type_};                                                                                           \
    GIVE(cusparse_csrgeam2, call);                                                                                     \
  }

/* --- counts ------------------------------------------------------------------------------------------------------- */

typedef struct count_call {
  int m, n, lda, by_row;
  const void *a;
  int *counts, *total;
  cudaDataType type;
} count_call;
#define COUNT(t, type)                                                                                                 \
  static void count_##t(const count_call *call) {                                                                      \
    const type *a = call->a;                                                                                           \
    memset(call->counts, 0, sizeof(int) * (size_t)(call->by_row ? call->m : call->n));                                 \
    int total = 0;                                                                                                     \
    for (int j = 0; j < call->n; j++)                                                                                  \
      for (int i = 0; i < call->m; i++)                                                                                \
        if (a[i + (int64_t)j * call->lda] != 0)                                                                        \
          call->counts[call->by_row ? i : j]++, total++;                                                               \
    *call->total = total;                                                                                              \
  }
EACH_TYPE(COUNT)
UWL_OPERATION(cusparse_nnz, count_call){BY_TYPE(call->type, count, call)}
#define NNZ(letter, ctype, type)                                                                                       \
  cusparseStatus_t cusparse##letter##nnz(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,              \
                                         const cusparseMatDescr_t descrA, const ctype *A, int lda, int *nnzPerRowCol,  \
                                         int *nnzTotalDevHostPtr) {                                                    \
    HANDLE;                                                                                                            \
    NEED((unsigned int)dirA <= CUSPARSE_DIRECTION_COLUMN && m >= 0 && n >= 0 && is_descr(descrA) &&                    \
         nnzTotalDevHostPtr && lda >= (m > 1 ? m : 1));                                                                \
    NEED((A || m == 0 || n == 0) && (nnzPerRowCol || (dirA == CUSPARSE_DIRECTION_ROW ? m : n) == 0));                  \
    count_call call = {m, n, lda, dirA == CUSPARSE_DIRECTION_ROW, A, nnzPerRowCol, nnzTotalDevHostPtr, type};          \
    cudaError_t error = uwl_launch(UWL_STUB(cusparse_nnz), handle->stream, &call);                                     \
    if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)                                    \
      error = cudaStreamSynchronize(handle->stream);                                                                   \
    return uwl_cusparse_status(error);                                                                                 \
  }
#define SUMS_AND_COUNTS(letter, ctype, type) GEAM(letter, ctype, type) NNZ(letter, ctype, type)
SUMS_AND_COUNTS(S, float, CUDA_R_32F) SUMS_AND_COUNTS(D, double, CUDA_R_64F) SUMS_AND_COUNTS(C, cuComplex, CUDA_C_32F)
    SUMS_AND_COUNTS(Z, cuDoubleComplex, CUDA_C_64F)
