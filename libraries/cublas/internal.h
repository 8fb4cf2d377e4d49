/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of cuBLAS share: the handle, the record of a call of BLAS and how it is checked and given to the
 * handle's stream. The functions stand in *.def files, which are included for sizes of int and of int64_t
 * (include/unwarp/cublas_functions.h). */
#ifndef UWL_CUBLAS_INTERNAL_H
#define UWL_CUBLAS_INTERNAL_H

#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/cublas_api.h"
#pragma GCC visibility pop
#include "../common/library.h"
#include "blas.h"

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  cublasAtomicsMode_t atomics_mode;
  cublasMath_t math_mode;
  int sm_count_target;
  void *workspace;
  size_t workspace_bytes;
};

/* A scalar, or the address where it is when the work runs. */
typedef struct blas_scalar {
  const void *device;
  _Alignas(16) unsigned char value[16];
} blas_scalar;
static inline const void *uwl_scalar(const blas_scalar *scalar) {
  return scalar->device ? scalar->device : scalar->value;
}
static inline blas_scalar uwl_scalar_of(cublasHandle_t handle, const void *pointer, size_t bytes) {
  blas_scalar scalar = {0};
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    scalar.device = pointer;
  else
    memcpy(scalar.value, pointer, bytes);
  return scalar;
}

/* A call of BLAS; each has a use for some of the fields. */
typedef struct blas_call {
  char side, uplo, trans, transb, diag;
  int m, n, k, kl, ku, lda, ldb, ldc, incx, incy, batch;
  int wide; /* the result is an index of 64 bits */
  long long stride_a, stride_b, stride_c;
  blas_scalar alpha, beta;
  const void *a, *b;
  void *c, *d;
} blas_call;

/* A letter, or 0 where the value is none of the enumeration's. */
static inline char uwl_trans(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : op == CUBLAS_OP_C ? 'C' : 0;
}
static inline char uwl_uplo(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? 'L' : fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}
static inline char uwl_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : side == CUBLAS_SIDE_RIGHT ? 'R' : 0;
}
static inline char uwl_diag(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_UNIT ? 'U' : diag == CUBLAS_DIAG_NON_UNIT ? 'N' : 0;
}
static inline int uwl_fits(int64_t size) { return size >= INT32_MIN && size <= INT32_MAX; }
static inline int64_t uwl_at_least_1(int64_t size) { return size > 1 ? size : 1; }

/* A function begins with HANDLE, then what must hold; sizes that BLAS has no room for are not supported. */
#define HANDLE                                                                                                         \
  if (!uwrt_handle_is(handle, &uwrt_blas_handle))                                                                      \
  return CUBLAS_STATUS_NOT_INITIALIZED
#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUBLAS_STATUS_INVALID_VALUE
#define NOTHING_IF(condition)                                                                                          \
  if (condition)                                                                                                       \
  return CUBLAS_STATUS_SUCCESS
#define FITS(size)                                                                                                     \
  if (!uwl_fits(size))                                                                                                 \
  return CUBLAS_STATUS_NOT_SUPPORTED
#define LD(ld, rows) NEED((ld) >= uwl_at_least_1(rows))
#define SCALAR(pointer, type) uwl_scalar_of(handle, pointer, sizeof(type))

cublasStatus_t uwl_cublas_status(cudaError_t error);
static inline cublasStatus_t uwl_cublas_give(cublasHandle_t handle, const void *stub, const void *record) {
  return uwl_cublas_status(uwl_launch(stub, handle->stream, record));
}
/* A call whose result lies on the host: it is there when the call returns. */
cublasStatus_t uwl_cublas_result(cublasHandle_t handle, const void *stub, const void *record);
#define GIVE(name, record) return uwl_cublas_give(handle, UWL_STUB(name), &(record))
#define GIVE_RESULT(name, record) return uwl_cublas_result(handle, UWL_STUB(name), &(record))

/* The address of matrix or vector i of a batch: in a list of pointers, or a stride of elements on. */
static inline const void *uwl_nth(const void *first, int listed, long long stride, size_t bytes, int64_t i) {
  return listed ? ((const void *const *)first)[i] : (const char *)first + stride * i * (long long)bytes;
}
/* Is one of these products too small to be worth all threads, so that each thread rather takes some? */
static inline int uwl_side_by_side(double operations, int batch) {
  return batch > 1 && uwl_threads() > 1 && (batch >= 4 * uwl_threads() || operations < 2e7);
}

#define S4(F) F(S, s, float) F(D, d, double) F(C, c, cuComplex) F(Z, z, cuDoubleComplex)
#define S2(F) F(S, s, float) F(D, d, double)
#define C2(F) F(C, c, cuComplex, float) F(Z, z, cuDoubleComplex, double)

#endif
