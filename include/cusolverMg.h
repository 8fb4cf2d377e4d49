/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER for matrices that several devices hold (cuSOLVER documentation, "cuSolverMG"). Here all devices are one
 * CPU, whose memory holds all parts.
 *
 * A grid is a row of devices, of which one may stand several times; a part is then in memory of its own. Of a matrix
 * the columns go around in blocks: columns j with j / colBlockSize % devices == d are in array[d], one after the
 * other, numRows apart. Row and column numbers (IA, JA) count from 1. IPIV is as one row of its matrix.
 *
 * Calls wait for what was given to the device, and end when the result is there. No workspace is needed: sizes of 1
 * are given. A, B, IPIV and the work are lists of device memory; W, lwork and info are the host's.
 */
#ifndef CUSOLVERMG_H_
#define CUSOLVERMG_H_

#include <stdint.h>

#include "cublas_v2.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverMgContext *cusolverMgHandle_t;
typedef enum { CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0, CUDALIBMG_GRID_MAPPING_ROW_MAJOR = 1 } cusolverMgGridMapping_t;
typedef void *cudaLibMgGrid_t;
typedef void *cudaLibMgMatrixDesc_t;

cusolverStatus_t CUSOLVERAPI cusolverMgCreate(cusolverMgHandle_t *handle);
cusolverStatus_t CUSOLVERAPI cusolverMgDestroy(cusolverMgHandle_t handle);
cusolverStatus_t CUSOLVERAPI cusolverMgDeviceSelect(cusolverMgHandle_t handle, int nbDevices, int deviceId[]);
/* One row of devices: numRowDevices is 1. */
cusolverStatus_t CUSOLVERAPI cusolverMgCreateDeviceGrid(cudaLibMgGrid_t *grid, int32_t numRowDevices,
                                                        int32_t numColDevices, const int32_t deviceId[],
                                                        cusolverMgGridMapping_t mapping);
cusolverStatus_t CUSOLVERAPI cusolverMgDestroyGrid(cudaLibMgGrid_t grid);
/* dataType: CUDA_R_32F, CUDA_R_64F, CUDA_C_32F or CUDA_C_64F; rowBlockSize: numRows. */
cusolverStatus_t CUSOLVERAPI cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t *desc, int64_t numRows, int64_t numCols,
                                                        int64_t rowBlockSize, int64_t colBlockSize,
                                                        cudaDataType dataType, const cudaLibMgGrid_t grid);
cusolverStatus_t CUSOLVERAPI cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t desc);

cusolverStatus_t CUSOLVERAPI cusolverMgSyevd_bufferSize(cusolverMgHandle_t handle, cusolverEigMode_t jobz,
                                                        cublasFillMode_t uplo, int N, void *array_d_A[], int IA, int JA,
                                                        cudaLibMgMatrixDesc_t descrA, void *W, cudaDataType dataTypeW,
                                                        cudaDataType computeType, int64_t *lwork);
cusolverStatus_t CUSOLVERAPI cusolverMgSyevd(cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int N, void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                             void *W, cudaDataType dataTypeW, cudaDataType computeType,
                                             void *array_d_work[], int64_t lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverMgGetrf_bufferSize(cusolverMgHandle_t handle, int M, int N, void *array_d_A[],
                                                        int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                                        int *array_d_IPIV[], cudaDataType computeType, int64_t *lwork);
cusolverStatus_t CUSOLVERAPI cusolverMgGetrf(cusolverMgHandle_t handle, int M, int N, void *array_d_A[], int IA, int JA,
                                             cudaLibMgMatrixDesc_t descrA, int *array_d_IPIV[],
                                             cudaDataType computeType, void *array_d_work[], int64_t lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverMgGetrs_bufferSize(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N,
                                                        int NRHS, void *array_d_A[], int IA, int JA,
                                                        cudaLibMgMatrixDesc_t descrA, int *array_d_IPIV[],
                                                        void *array_d_B[], int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                                                        cudaDataType computeType, int64_t *lwork);
cusolverStatus_t CUSOLVERAPI cusolverMgGetrs(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS,
                                             void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                             int *array_d_IPIV[], void *array_d_B[], int IB, int JB,
                                             cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                                             void *array_d_work[], int64_t lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverMgPotrf_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                                        void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                                        cudaDataType computeType, int64_t *lwork);
cusolverStatus_t CUSOLVERAPI cusolverMgPotrf(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void *array_d_A[],
                                             int IA, int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                             void *array_d_work[], int64_t lwork, int *h_info);
cusolverStatus_t CUSOLVERAPI cusolverMgPotrs_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n,
                                                        int nrhs, void *array_d_A[], int IA, int JA,
                                                        cudaLibMgMatrixDesc_t descrA, void *array_d_B[], int IB, int JB,
                                                        cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                                                        int64_t *lwork);
cusolverStatus_t CUSOLVERAPI cusolverMgPotrs(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                             void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                             void *array_d_B[], int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                                             cudaDataType computeType, void *array_d_work[], int64_t lwork,
                                             int *h_info);
cusolverStatus_t CUSOLVERAPI cusolverMgPotri_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                                        void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                                        cudaDataType computeType, int64_t *lwork);
cusolverStatus_t CUSOLVERAPI cusolverMgPotri(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void *array_d_A[],
                                             int IA, int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                             void *array_d_work[], int64_t lwork, int *h_info);

#ifdef __cplusplus
}
#endif

#endif
