/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLASXt: cuBLAS' own functions with sizes of 64 bits, waited for. A handle has a stream of its own, which waits for
 * the legacy default stream and is waited for by it, as other streams do. Matrices may be the host's or a device's:
 * both are memory here. */
#include <stdlib.h>

#pragma GCC visibility push(default)
#include "../../include/cublasXt.h"
#pragma GCC visibility pop
#include "../common/library.h"

enum { USUAL_BLOCK = 1024 };

struct cublasXtContext {
  cublasHandle_t blas;
  cudaStream_t stream;
  int block;
  cublasXtPinnedMemMode_t pinning;
};
static const char kind;

#define XT                                                                                                             \
  if (!uwrt_handle_is(handle, &kind))                                                                                  \
  return CUBLAS_STATUS_NOT_INITIALIZED
#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUBLAS_STATUS_INVALID_VALUE

static void discard(cublasXtHandle_t handle) {
  if (handle && handle->blas)
    cublasDestroy(handle->blas);
  if (handle && handle->stream)
    cudaStreamDestroy(handle->stream);
  free(handle);
}

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
  NEED(handle);
  cublasXtHandle_t fresh = calloc(1, sizeof *fresh);
  if (!fresh || cudaStreamCreate(&fresh->stream) != cudaSuccess ||
      cublasCreate(&fresh->blas) != CUBLAS_STATUS_SUCCESS ||
      cublasSetStream(fresh->blas, fresh->stream) != CUBLAS_STATUS_SUCCESS || !uwrt_handle_add(fresh, &kind)) {
    discard(fresh);
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  fresh->block = USUAL_BLOCK;
  *handle = fresh;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (!uwrt_handle_remove(handle, &kind))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  discard(handle);
  return CUBLAS_STATUS_SUCCESS;
}

static int are_devices(int count, const int *devices) {
  int there = 0;
  if (count < 1 || !devices || cudaGetDeviceCount(&there) != cudaSuccess)
    return 0;
  for (int i = 0; i < count; i++)
    if (devices[i] < 0 || devices[i] >= there)
      return 0;
  return 1;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]) {
  XT;
  NEED(are_devices(nbDevices, deviceId));
  return CUBLAS_STATUS_SUCCESS;
}
/* A device is a board of its own. */
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int *nbBoards) {
  NEED(are_devices(nbDevices, deviceId) && nbBoards);
  *nbBoards = nbDevices;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtMaxBoards(int *nbGpuBoards) {
  NEED(nbGpuBoards);
  return cudaGetDeviceCount(nbGpuBoards) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

#define SETTING(Name, type, field, parameter, is_good)                                                                 \
  cublasStatus_t cublasXtGet##Name(cublasXtHandle_t handle, type *parameter) {                                         \
    XT;                                                                                                                \
    NEED(parameter);                                                                                                   \
    *parameter = handle->field;                                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  cublasStatus_t cublasXtSet##Name(cublasXtHandle_t handle, type parameter) {                                          \
    XT;                                                                                                                \
    NEED(is_good);                                                                                                     \
    handle->field = parameter;                                                                                         \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }
SETTING(BlockDim, int, block, blockDim, blockDim > 0)
SETTING(PinningMemMode, cublasXtPinnedMemMode_t, pinning, mode, (unsigned int)mode <= CUBLASXT_PINNING_ENABLED)

static int is_routine(cublasXtBlasOp_t of, cublasXtOpType_t type) {
  return (unsigned int)of < CUBLASXT_ROUTINE_MAX && (unsigned int)type <= CUBLASXT_DOUBLECOMPLEX;
}
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
                                     void *blasFunctor) {
  XT;
  NEED(is_routine(blasOp, type) && blasFunctor);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
                                   float ratio) {
  XT;
  NEED(is_routine(blasOp, type) && ratio >= 0 && ratio <= 1);
  return CUBLAS_STATUS_SUCCESS;
}

/* A size beyond what a signed integer holds becomes the largest: more than cuBLAS here takes, which says so. */
static int64_t size_of(size_t size) { return size > INT64_MAX ? INT64_MAX : (int64_t)size; }

static cublasStatus_t finish(cublasXtHandle_t handle, cublasStatus_t given) {
  if (given == CUBLAS_STATUS_SUCCESS && cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return given;
}
#define CALL(function, ...)                                                                                            \
  XT;                                                                                                                  \
  return finish(handle, function##_v2_64(handle->blas, __VA_ARGS__))
#define CALL_OTHER(function, ...)                                                                                      \
  XT;                                                                                                                  \
  return finish(handle, function##_64(handle->blas, __VA_ARGS__))

#define FILL_AND_TRANS cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k
#define SIDE_AND_FILL cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo
#define RANK_K(T, name, type, scalar)                                                                                  \
  cublasStatus_t cublasXt##T##name(FILL_AND_TRANS, const scalar *alpha, const type *A, size_t lda, const scalar *beta, \
                                   type *C, size_t ldc) {                                                              \
    CALL(cublas##T##name, uplo, trans, size_of(n), size_of(k), alpha, A, size_of(lda), beta, C, size_of(ldc));         \
  }
#define RANK_2K(T, name, type, real, call)                                                                             \
  cublasStatus_t cublasXt##T##name(FILL_AND_TRANS, const type *alpha, const type *A, size_t lda, const type *B,        \
                                   size_t ldb, const real *beta, type *C, size_t ldc) {                                \
    call(cublas##T##name, uplo, trans, size_of(n), size_of(k), alpha, A, size_of(lda), B, size_of(ldb), beta, C,       \
         size_of(ldc));                                                                                                \
  }
#define SIDED(T, name, type)                                                                                           \
  cublasStatus_t cublasXt##T##name(SIDE_AND_FILL, size_t m, size_t n, const type *alpha, const type *A, size_t lda,    \
                                   const type *B, size_t ldb, const type *beta, type *C, size_t ldc) {                 \
    CALL(cublas##T##name, side, uplo, size_of(m), size_of(n), alpha, A, size_of(lda), B, size_of(ldb), beta, C,        \
         size_of(ldc));                                                                                                \
  }

/* The packed matrix is unpacked into one of its own for the time of the call. */
#define PACKED(T, type)                                                                                                \
  cublasStatus_t cublasXt##T##spmm(SIDE_AND_FILL, size_t m, size_t n, const type *alpha, const type *AP,               \
                                   const type *B, size_t ldb, const type *beta, type *C, size_t ldc) {                 \
    XT;                                                                                                                \
    size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                                                   \
    NEED(AP || order == 0);                                                                                            \
    if (order > INT32_MAX)                                                                                             \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                                                              \
    type *whole = malloc((order ? order * order : 1) * sizeof *whole);                                                 \
    if (!whole)                                                                                                        \
      return CUBLAS_STATUS_ALLOC_FAILED;                                                                               \
    int lda = order ? (int)order : 1;                                                                                  \
    cublasStatus_t status = cublas##T##tpttr(handle->blas, uplo, (int)order, AP, whole, lda);                          \
    if (status == CUBLAS_STATUS_SUCCESS)                                                                               \
      status = cublas##T##symm_v2_64(handle->blas, side, uplo, size_of(m), size_of(n), alpha, whole, lda, B,           \
                                     size_of(ldb), beta, C, size_of(ldc));                                             \
    cudaStreamSynchronize(handle->stream);                                                                             \
    free(whole);                                                                                                       \
    return finish(handle, status);                                                                                     \
  }

#define ALL(T, type)                                                                                                   \
  cublasStatus_t cublasXt##T##gemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,        \
                                   size_t m, size_t n, size_t k, const type *alpha, const type *A, size_t lda,         \
                                   const type *B, size_t ldb, const type *beta, type *C, size_t ldc) {                 \
    CALL(cublas##T##gemm, transa, transb, size_of(m), size_of(n), size_of(k), alpha, A, size_of(lda), B, size_of(ldb), \
         beta, C, size_of(ldc));                                                                                       \
  }                                                                                                                    \
  cublasStatus_t cublasXt##T##trsm(SIDE_AND_FILL, cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n,  \
                                   const type *alpha, const type *A, size_t lda, type *B, size_t ldb) {                \
    CALL(cublas##T##trsm, side, uplo, trans, diag, size_of(m), size_of(n), alpha, A, size_of(lda), B, size_of(ldb));   \
  }                                                                                                                    \
  cublasStatus_t cublasXt##T##trmm(SIDE_AND_FILL, cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n,  \
                                   const type *alpha, const type *A, size_t lda, const type *B, size_t ldb, type *C,   \
                                   size_t ldc) {                                                                       \
    CALL(cublas##T##trmm, side, uplo, trans, diag, size_of(m), size_of(n), alpha, A, size_of(lda), B, size_of(ldb), C, \
         size_of(ldc));                                                                                                \
  }                                                                                                                    \
  RANK_K(T, syrk, type, type)                                                                                          \
  RANK_2K(T, syr2k, type, type, CALL)                                                                                  \
  RANK_2K(T, syrkx, type, type, CALL_OTHER)                                                                            \
  SIDED(T, symm, type)                                                                                                 \
  PACKED(T, type)
// clang-format off
#define HERMITIAN(T, type, real)                                                                                       \
  RANK_K(T, herk, type, real)                                                                                          \
  RANK_2K(T, her2k, type, real, CALL)                                                                                  \
  RANK_2K(T, herkx, type, real, CALL_OTHER)                                                                            \
  SIDED(T, hemm, type)
// clang-format on
ALL(S, float)
ALL(D, double)
ALL(C, cuComplex)
ALL(Z, cuDoubleComplex)
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)
