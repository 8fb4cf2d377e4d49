/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS as of CUDA 12.4 (cuBLAS documentation, "Using the cuBLAS API"). Programs include cublas_v2.h, which has the
 * short names. Every function gives a status; bad arguments are CUBLAS_STATUS_INVALID_VALUE and nothing is done. Work
 * goes to the handle's stream.
 */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"
#include "unwarp/library_versions.h"
#include "unwarp/half_names.h"

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 5
#define CUBLAS_VER_BUILD 8
#if UNWARP_CUDA_VERSION != 12040
#undef CUBLAS_VER_MAJOR
#define CUBLAS_VER_MAJOR UNWARP_VERSION_MAJOR(CUBLAS)
#undef CUBLAS_VER_MINOR
#define CUBLAS_VER_MINOR UNWARP_VERSION_MINOR(CUBLAS)
#undef CUBLAS_VER_PATCH
#define CUBLAS_VER_PATCH UNWARP_VERSION_PATCH(CUBLAS)
#undef CUBLAS_VER_BUILD
#define CUBLAS_VER_BUILD UNWARP_VERSION_BUILD(CUBLAS)
#endif
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3 /* conjugated, not transposed: cuSPARSE and cuBLASLt's transforms know it */
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

/* All are the same here. */
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1,
  CUBLAS_GEMM_ALGO2,
  CUBLAS_GEMM_ALGO3,
  CUBLAS_GEMM_ALGO4,
  CUBLAS_GEMM_ALGO5,
  CUBLAS_GEMM_ALGO6,
  CUBLAS_GEMM_ALGO7,
  CUBLAS_GEMM_ALGO8,
  CUBLAS_GEMM_ALGO9,
  CUBLAS_GEMM_ALGO10,
  CUBLAS_GEMM_ALGO11,
  CUBLAS_GEMM_ALGO12,
  CUBLAS_GEMM_ALGO13,
  CUBLAS_GEMM_ALGO14,
  CUBLAS_GEMM_ALGO15,
  CUBLAS_GEMM_ALGO16,
  CUBLAS_GEMM_ALGO17,
  CUBLAS_GEMM_ALGO18,
  CUBLAS_GEMM_ALGO19,
  CUBLAS_GEMM_ALGO20,
  CUBLAS_GEMM_ALGO21,
  CUBLAS_GEMM_ALGO22,
  CUBLAS_GEMM_ALGO23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP,
  CUBLAS_GEMM_ALGO2_TENSOR_OP,
  CUBLAS_GEMM_ALGO3_TENSOR_OP,
  CUBLAS_GEMM_ALGO4_TENSOR_OP,
  CUBLAS_GEMM_ALGO5_TENSOR_OP,
  CUBLAS_GEMM_ALGO6_TENSOR_OP,
  CUBLAS_GEMM_ALGO7_TENSOR_OP,
  CUBLAS_GEMM_ALGO8_TENSOR_OP,
  CUBLAS_GEMM_ALGO9_TENSOR_OP,
  CUBLAS_GEMM_ALGO10_TENSOR_OP,
  CUBLAS_GEMM_ALGO11_TENSOR_OP,
  CUBLAS_GEMM_ALGO12_TENSOR_OP,
  CUBLAS_GEMM_ALGO13_TENSOR_OP,
  CUBLAS_GEMM_ALGO14_TENSOR_OP,
  CUBLAS_GEMM_ALGO15_TENSOR_OP,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
  CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
  CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

/* What may be less exact on a GPU; here sums of float are sums of float in all modes. */
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef cudaDataType cublasDataType_t;

typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *msg);

/* Helper functions. */
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasCreate_v2(cublasHandle_t *handle);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasDestroy_v2(cublasHandle_t handle);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetVersion_v2(cublasHandle_t handle, int *version) UNWARP_VERSIONED(cublasGetVersion_v2);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetProperty(libraryPropertyType type, int *value) UNWARP_VERSIONED(cublasGetProperty);
CUBLASAPI size_t CUBLASWINAPI cublasGetCudartVersion(void) UNWARP_VERSIONED(cublasGetCudartVersion);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                                            size_t workspaceSizeInBytes);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetSmCountTarget(cublasHandle_t handle, int *smCountTarget);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);
CUBLASAPI const char *CUBLASWINAPI cublasGetStatusName(cublasStatus_t status);
CUBLASAPI const char *CUBLASWINAPI cublasGetStatusString(cublasStatus_t status);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr,
                                                            const char *logFileName);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetLoggerCallback(cublasLogCallback userCallback);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetLoggerCallback(cublasLogCallback *userCallback);
CUBLASAPI void CUBLASWINAPI cublasXerbla(const char *srName, int info);

/* Refused. */
#define UW_REFUSED(name, parameters) CUBLASAPI cublasStatus_t CUBLASWINAPI name parameters;
#include "unwarp/refused/cublas.def"

/* Functions whose sizes are int or, with names that end in _64, int64_t. */
#define __UW_INT int
#define __UW_V2(name) cublas##name##_v2
#define __UW_EX(name) cublas##name
#include "unwarp/cublas_functions.h"
#define __UW_INT int64_t
#define __UW_V2(name) cublas##name##_v2_64
#define __UW_EX(name) cublas##name##_64
#include "unwarp/cublas_functions.h"

/* Givens rotations. */
#define __UW_ROTG(T, type, real)                                                                                       \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##rotg_v2(cublasHandle_t handle, type *a, type *b, real *c, type *s);
__UW_ROTG(S, float, float)
__UW_ROTG(D, double, double)
__UW_ROTG(C, cuComplex, float)
__UW_ROTG(Z, cuDoubleComplex, double)
#undef __UW_ROTG
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasRotgEx(cublasHandle_t handle, void *a, void *b, cudaDataType abType,
                                                   void *c, void *s, cudaDataType csType, cudaDataType executiontype);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSrotmg_v2(cublasHandle_t handle, float *d1, float *d2, float *x1,
                                                      const float *y1, float *param);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasDrotmg_v2(cublasHandle_t handle, double *d1, double *d2, double *x1,
                                                      const double *y1, double *param);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasRotmgEx(cublasHandle_t handle, void *d1, cudaDataType d1Type, void *d2,
                                                    cudaDataType d2Type, void *x1, cudaDataType x1Type, const void *y1,
                                                    cudaDataType y1Type, void *param, cudaDataType paramType,
                                                    cudaDataType executiontype);

/* Factorisations of many small matrices; arrays of pointers, pivots (from 1) and info are the device's, but for info of
 * getrs, geqrf and gels, which is the host's. */
#define __UW_BATCHED(T, type)                                                                                          \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##getrfBatched(cublasHandle_t handle, int n, type *const A[],         \
                                                                int lda, int *P, int *info, int batchSize);            \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##getriBatched(cublasHandle_t handle, int n, const type *const A[],   \
                                                                int lda, const int *P, type *const C[], int ldc,       \
                                                                int *info, int batchSize);                             \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##getrsBatched(                                                       \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const type *const Aarray[], int lda,            \
      const int *devIpiv, type *const Barray[], int ldb, int *info, int batchSize);                                    \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##matinvBatched(cublasHandle_t handle, int n, const type *const A[],  \
                                                                 int lda, type *const Ainv[], int lda_inv, int *info,  \
                                                                 int batchSize);                                       \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##geqrfBatched(cublasHandle_t handle, int m, int n,                   \
                                                                type *const Aarray[], int lda, type *const TauArray[], \
                                                                int *info, int batchSize);                             \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##gelsBatched(                                                        \
      cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, type *const Aarray[], int lda,           \
      type *const Carray[], int ldc, int *info, int *devInfoArray, int batchSize);                                     \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n,          \
                                                         const type *AP, type *A, int lda);                            \
  CUBLASAPI cublasStatus_t CUBLASWINAPI cublas##T##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n,          \
                                                         const type *A, int lda, type *AP);
__UW_BATCHED(S, float)
__UW_BATCHED(D, double)
__UW_BATCHED(C, cuComplex)
__UW_BATCHED(Z, cuDoubleComplex)
#undef __UW_BATCHED

/* Refused: CUBLAS_STATUS_NOT_SUPPORTED. */
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasUint8gemmBias(cublasHandle_t handle, cublasOperation_t transa,
                                                          cublasOperation_t transb, cublasOperation_t transc, int m,
                                                          int n, int k, const unsigned char *A, int A_bias, int lda,
                                                          const unsigned char *B, int B_bias, int ldb, unsigned char *C,
                                                          int C_bias, int ldc, int C_mult, int C_shift);
#ifdef __cplusplus
}
#endif

/* Sources of CUDA 10 give a type of elements where there is a type of computation since. */
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType_t dataType,
                                                      cublasComputeType_t *computeType) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  cublasStatus_t status = cublasGetMathMode(handle, &mode);
  int pedantic = (mode & 0xf) == CUBLAS_PEDANTIC_MATH;
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  switch (dataType) {
  case CUDA_R_32F:
  case CUDA_C_32F:
    *computeType = pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_64F:
  case CUDA_C_64F:
    *computeType = pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_16F:
    *computeType = pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_32I:
    *computeType = pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
    return CUBLAS_STATUS_SUCCESS;
  default: return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

#ifdef __cplusplus
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, const void *B, cudaDataType Btype, int ldb, const void *beta,
                                          void *C, cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &compute);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype,
                                                        ldb, beta, C, Ctype, ldc, compute, algo);
}
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                                 const void *const Aarray[], cudaDataType Atype, int lda,
                                                 const void *const Barray[], cudaDataType Btype, int ldb,
                                                 const void *beta, void *const Carray[], cudaDataType Ctype, int ldc,
                                                 int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray, Btype, ldb, beta,
                                   Carray, Ctype, ldc, batchCount, compute, algo);
}
static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const void *alpha, const void *A, cudaDataType Atype, int lda, long long int strideA,
                           const void *B, cudaDataType Btype, int ldb, long long int strideB, const void *beta, void *C,
                           cudaDataType Ctype, int ldc, long long int strideC, int batchCount, cudaDataType computeType,
                           cublasGemmAlgo_t algo) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                          strideB, beta, C, Ctype, ldc, strideC, batchCount, compute, algo);
}
#endif

#endif
