/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS for matrices of the host or of any device (cuBLAS documentation, "Using the cuBLASXt API"). Calls return when
 * their result is there. All devices of a process are this CPU, so that a product is one product: what chooses and
 * feeds devices is kept and changes nothing. */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cublasXtContext;
typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t CUBLASWINAPI cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t CUBLASWINAPI cublasXtDestroy(cublasXtHandle_t handle);
/* Devices by their indices; an index that there is not is CUBLAS_STATUS_INVALID_VALUE. */
cublasStatus_t CUBLASWINAPI cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
cublasStatus_t CUBLASWINAPI cublasXtGetNumBoards(int nbDevices, int deviceId[], int *nbBoards);
cublasStatus_t CUBLASWINAPI cublasXtMaxBoards(int *nbGpuBoards);
/* The order of the blocks that a GPU would be given, above 0. */
cublasStatus_t CUBLASWINAPI cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
cublasStatus_t CUBLASWINAPI cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t CUBLASWINAPI cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);
cublasStatus_t CUBLASWINAPI cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
/* The host's share of a product and the program's own function for it: the function is never called. */
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                                  cublasXtOpType_t type, void *blasFunctor);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
                                                float ratio);

/* Level 3 by the names and parameters of cuBLAS; alpha and beta are the host's. spmm is symm of a symmetric matrix that
 * is packed. */
#define __UW_XT_ALL(T, type)                                                                                           \
  cublasStatus_t CUBLASWINAPI cublasXt##T##gemm(                                                                       \
      cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, size_t m, size_t n, size_t k,       \
      const type *alpha, const type *A, size_t lda, const type *B, size_t ldb, const type *beta, type *C, size_t ldc); \
  cublasStatus_t CUBLASWINAPI cublasXt##T##syrk(cublasXtHandle_t handle, cublasFillMode_t uplo,                        \
                                                cublasOperation_t trans, size_t n, size_t k, const type *alpha,        \
                                                const type *A, size_t lda, const type *beta, type *C, size_t ldc);     \
  cublasStatus_t CUBLASWINAPI cublasXt##T##syr2k(                                                                      \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const type *alpha,  \
      const type *A, size_t lda, const type *B, size_t ldb, const type *beta, type *C, size_t ldc);                    \
  cublasStatus_t CUBLASWINAPI cublasXt##T##syrkx(                                                                      \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const type *alpha,  \
      const type *A, size_t lda, const type *B, size_t ldb, const type *beta, type *C, size_t ldc);                    \
  cublasStatus_t CUBLASWINAPI cublasXt##T##symm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                size_t m, size_t n, const type *alpha, const type *A, size_t lda,      \
                                                const type *B, size_t ldb, const type *beta, type *C, size_t ldc);     \
  cublasStatus_t CUBLASWINAPI cublasXt##T##spmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                size_t m, size_t n, const type *alpha, const type *AP, const type *B,  \
                                                size_t ldb, const type *beta, type *C, size_t ldc);                    \
  cublasStatus_t CUBLASWINAPI cublasXt##T##trsm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n,    \
                                                const type *alpha, const type *A, size_t lda, type *B, size_t ldb);    \
  cublasStatus_t CUBLASWINAPI cublasXt##T##trmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n,    \
                                                const type *alpha, const type *A, size_t lda, const type *B,           \
                                                size_t ldb, type *C, size_t ldc);
#define __UW_XT_HERMITIAN(T, type, real)                                                                               \
  cublasStatus_t CUBLASWINAPI cublasXt##T##herk(cublasXtHandle_t handle, cublasFillMode_t uplo,                        \
                                                cublasOperation_t trans, size_t n, size_t k, const real *alpha,        \
                                                const type *A, size_t lda, const real *beta, type *C, size_t ldc);     \
  cublasStatus_t CUBLASWINAPI cublasXt##T##her2k(                                                                      \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const type *alpha,  \
      const type *A, size_t lda, const type *B, size_t ldb, const real *beta, type *C, size_t ldc);                    \
  cublasStatus_t CUBLASWINAPI cublasXt##T##herkx(                                                                      \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const type *alpha,  \
      const type *A, size_t lda, const type *B, size_t ldb, const real *beta, type *C, size_t ldc);                    \
  cublasStatus_t CUBLASWINAPI cublasXt##T##hemm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                size_t m, size_t n, const type *alpha, const type *A, size_t lda,      \
                                                const type *B, size_t ldb, const type *beta, type *C, size_t ldc);
__UW_XT_ALL(S, float)
__UW_XT_ALL(D, double)
__UW_XT_ALL(C, cuComplex)
__UW_XT_ALL(Z, cuDoubleComplex)
__UW_XT_HERMITIAN(C, cuComplex, float)
__UW_XT_HERMITIAN(Z, cuDoubleComplex, double)
#undef __UW_XT_ALL
#undef __UW_XT_HERMITIAN

#ifdef __cplusplus
}
#endif
#endif
