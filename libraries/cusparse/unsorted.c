/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: rows whose columns are in any order, sorted with their values in place, and brought back. (cuSPARSE documentation,
 * "cusparse<t>csru2csr".) The info keeps where each entry came from. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct csru2csrInfo {
  int capacity, count;
  int *came_from;
};
static const char kind;

cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *info) {
  NEED(info);
  csru2csrInfo_t fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_handle_add(fresh, &kind)) {
    free(fresh);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  *info = fresh;
  return CUSPARSE_STATUS_SUCCESS;
}

/* Work that uses it may still wait in a stream. */
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info) {
  NEED(uwrt_handle_remove(info, &kind));
  cudaDeviceSynchronize();
  free(info->came_from);
  free(info);
  return CUSPARSE_STATUS_SUCCESS;
}

typedef struct unsorted_call {
  int rows, count, base;
  size_t bytes; /* of a value */
  void *values;
  const int *offsets;
  int *columns, *came_from;
} unsorted_call;
typedef struct entry {
  int column, at;
} entry;

static int by_column(const void *a, const void *b) {
  const entry *x = a, *y = b;
  return x->column != y->column ? (x->column > y->column) - (x->column < y->column) : (x->at > y->at) - (x->at < y->at);
}

static void *room(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    abort();
  return memory;
}

UWL_OPERATION(cusparseXcsru2csr, unsorted_call) {
  char *values = room((size_t)call->count * call->bytes);
  entry *entries = room((size_t)call->count * sizeof *entries);
  memcpy(values, call->values, (size_t)call->count * call->bytes);
  for (int i = 0; i < call->count; i++)
    entries[i] = (entry){call->columns[i], i};
#pragma omp parallel for if (call->count > 1 << 14)
  for (int row = 0; row < call->rows; row++) {
    const int from = call->offsets[row] - call->base, to = call->offsets[row + 1] - call->base;
    qsort(entries + from, (size_t)(to - from), sizeof *entries, by_column);
    for (int i = from; i < to; i++) {
      call->columns[i] = entries[i].column;
      call->came_from[i] = entries[i].at;
      memcpy((char *)call->values + (size_t)i * call->bytes, values + (size_t)entries[i].at * call->bytes, call->bytes);
    }
  }
  free(entries);
  free(values);
}

UWL_OPERATION(cusparseXcsr2csru, unsorted_call) {
  char *values = room((size_t)call->count * call->bytes);
  int *columns = room((size_t)call->count * sizeof *columns);
  memcpy(values, call->values, (size_t)call->count * call->bytes);
  memcpy(columns, call->columns, (size_t)call->count * sizeof *columns);
  for (int i = 0; i < call->count; i++) {
    const int at = call->came_from[i];
    call->columns[at] = columns[i];
    memcpy((char *)call->values + (size_t)at * call->bytes, values + (size_t)i * call->bytes, call->bytes);
  }
  free(columns);
  free(values);
}

static int has_room(csru2csrInfo_t info, int count) {
  if (count > info->capacity) {
    cudaDeviceSynchronize();
    int *larger = realloc(info->came_from, (size_t)count * sizeof *larger);
    if (!larger)
      return 0;
    info->came_from = larger;
    info->capacity = count;
  }
  info->count = count;
  return 1;
}

#define CONVERT(name, type, sorts)                                                                                     \
  cusparseStatus_t cusparse##name(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,     \
                                  type *csrVal, const int *csrRowPtr, int *csrColInd, csru2csrInfo_t info,             \
                                  void *pBuffer) {                                                                     \
    (void)pBuffer;                                                                                                     \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnz >= 0 && csrRowPtr && ((csrVal && csrColInd) || nnz == 0) &&                           \
         uwrt_handle_is(descrA, &uwl_mat_descr_kind) && uwrt_handle_is(info, &kind));                                  \
    NEED((sorts) || info->count == nnz); /* of the matrix that was sorted */                                           \
    if (!has_room(info, nnz))                                                                                          \
      return CUSPARSE_STATUS_ALLOC_FAILED;                                                                             \
    unsorted_call call = {.rows = m,                                                                                   \
                          .count = nnz,                                                                                \
                          .base = (int)descrA->base,                                                                   \
                          .bytes = sizeof *csrVal,                                                                     \
                          .values = csrVal,                                                                            \
                          .offsets = csrRowPtr,                                                                        \
                          .columns = csrColInd,                                                                        \
                          .came_from = info->came_from};                                                               \
    if (sorts)                                                                                                         \
      GIVE(cusparseXcsru2csr, call);                                                                                   \
    GIVE(cusparseXcsr2csru, call);                                                                                     \
  }
#define FOR_TYPE(letter, type)                                                                                         \
  cusparseStatus_t cusparse##letter##csru2csr_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,            \
                                                            type *csrVal, const int *csrRowPtr, int *csrColInd,        \
                                                            csru2csrInfo_t info, size_t *pBufferSizeInBytes) {         \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && nnz >= 0 && csrRowPtr && ((csrVal && csrColInd) || nnz == 0) &&                           \
         uwrt_handle_is(info, &kind) && pBufferSizeInBytes);                                                           \
    *pBufferSizeInBytes = UWL_BUFFER_BYTES;                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  CONVERT(letter##csru2csr, type, 1)                                                                                   \
  CONVERT(letter##csr2csru, type, 0)
FOR_TYPE(S, float)
FOR_TYPE(D, double)
FOR_TYPE(C, cuComplex)
FOR_TYPE(Z, cuDoubleComplex)
