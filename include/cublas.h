/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS by the interface of its first release, which old programs use (cuBLAS documentation, "Using the cuBLAS Legacy
 * API"). The process has one handle, made by cublasInit; the functions of BLAS keep the first error, which
 * cublasGetError gives and forgets. */
#ifndef CUBLAS_H_
#define CUBLAS_H_
#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif

#include "cublas_api.h"

typedef cublasStatus_t cublasStatus;

#ifdef __cplusplus
extern "C" {
#endif

CUBLASAPI cublasStatus CUBLASWINAPI cublasInit(void);
CUBLASAPI cublasStatus CUBLASWINAPI cublasShutdown(void);
CUBLASAPI cublasStatus CUBLASWINAPI cublasGetError(void);
CUBLASAPI cublasStatus CUBLASWINAPI cublasGetVersion(int *version) UNWARP_VERSIONED(cublasGetVersion);
/* Room for n elements of elemSize bytes on the device; cublasFree gives it back. */
CUBLASAPI cublasStatus CUBLASWINAPI cublasAlloc(int n, int elemSize, void **devicePtr);
CUBLASAPI cublasStatus CUBLASWINAPI cublasFree(void *devicePtr);
CUBLASAPI cublasStatus CUBLASWINAPI cublasSetKernelStream(cudaStream_t stream);

#define __UW_DO(name, parameters, arguments) CUBLASAPI void CUBLASWINAPI cublas##name parameters;
#define __UW_GET(type, name, parameters, arguments) CUBLASAPI type CUBLASWINAPI cublas##name parameters;
#include "unwarp/cublas_legacy_functions.h"
#undef __UW_DO
#undef __UW_GET

#ifdef __cplusplus
}
#endif

#endif
