/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER's dense functions as of CUDA 12.4 (cuSOLVER documentation, "Dense LAPACK Function Reference"). Matrices are
 * column-major; devInfo is LAPACK's info. No workspace is needed: sizes of 1 are given. What is not done is
 * refused with CUSOLVER_STATUS_NOT_SUPPORTED.
 */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include <stdio.h>

#include "cublas_v2.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef enum {
  CUSOLVER_DETERMINISTIC_RESULTS = 1,
  CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS = 2
} cusolverDeterministicMode_t;
typedef void (*cusolverDnLoggerCallback_t)(int logLevel, const char *functionName, const char *message);
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

cusolverStatus_t CUSOLVERAPI cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t CUSOLVERAPI cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t CUSOLVERAPI cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId);
cusolverStatus_t CUSOLVERAPI cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *streamId);
cusolverStatus_t CUSOLVERAPI cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t CUSOLVERAPI cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info,
                                                       int *executed_sweeps);
cusolverStatus_t CUSOLVERAPI cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t CUSOLVERAPI cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                                          double *residual);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                                        int *executed_sweeps);

cusolverStatus_t CUSOLVERAPI cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         float *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *A,
                                              int lda, float *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                              const float *A, int lda, float *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         float *A, int lda, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *A,
                                              int lda, float *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                     float **Aarray, int lda, int *infoArray, int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                                     float **A, int lda, float **B, int ldb, int *d_info,
                                                     int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float *A, int lda,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n, float *A, int lda,
                                              float *Workspace, int *devIpiv, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                              const float *A, int lda, const int *devIpiv, float *B, int ldb,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float *A, int lda,
                                                         int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n, float *A, int lda, float *TAU,
                                              float *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const float *A,
                                                         int lda, const float *tau, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float *A, int lda,
                                              const float *tau, float *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                                         cublasOperation_t trans, int m, int n, int k, const float *A,
                                                         int lda, const float *tau, const float *C, int ldc,
                                                         int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                              int m, int n, int k, const float *A, int lda, const float *tau, float *C,
                                              int ldc, float *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,
                                              int n, float *A, int lda, float *S, float *U, int ldu, float *VT,
                                              int ldvt, float *work, int lwork, float *rwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const float *A, int lda,
                                                         const float *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, float *A, int lda, float *W, float *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const float *A, int lda,
                                                         const float *W, int *lwork, syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, float *A, int lda, float *W, float *work, int lwork, int *info,
                                              syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnSsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                                         const float *A, int lda, const float *B, int ldb,
                                                         const float *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSsygvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                              cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, float *A, int lda,
                                              float *B, int ldb, float *W, float *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                                          int m, int n, const float *A, int lda, const float *S,
                                                          const float *U, int ldu, const float *V, int ldv, int *lwork,
                                                          gesvdjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,
                                               int n, float *A, int lda, float *S, float *U, int ldu, float *V, int ldv,
                                               float *work, int lwork, int *info, gesvdjInfo_t params);

cusolverStatus_t CUSOLVERAPI cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         double *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *A,
                                              int lda, double *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                              const double *A, int lda, double *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         double *A, int lda, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *A,
                                              int lda, double *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                     double **Aarray, int lda, int *infoArray, int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                                     double **A, int lda, double **B, int ldb, int *d_info,
                                                     int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double *A, int lda,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, double *A, int lda,
                                              double *Workspace, int *devIpiv, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                              const double *A, int lda, const int *devIpiv, double *B, int ldb,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double *A, int lda,
                                                         int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, double *A, int lda, double *TAU,
                                              double *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                                         const double *A, int lda, const double *tau, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double *A, int lda,
                                              const double *tau, double *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                                         cublasOperation_t trans, int m, int n, int k, const double *A,
                                                         int lda, const double *tau, const double *C, int ldc,
                                                         int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                              int m, int n, int k, const double *A, int lda, const double *tau,
                                              double *C, int ldc, double *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,
                                              int n, double *A, int lda, double *S, double *U, int ldu, double *VT,
                                              int ldvt, double *work, int lwork, double *rwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const double *A, int lda,
                                                         const double *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, double *A, int lda, double *W, double *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const double *A, int lda,
                                                         const double *W, int *lwork, syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, double *A, int lda, double *W, double *work, int lwork, int *info,
                                              syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnDsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                                         const double *A, int lda, const double *B, int ldb,
                                                         const double *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDsygvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                              cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, double *A, int lda,
                                              double *B, int ldb, double *W, double *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                                          int m, int n, const double *A, int lda, const double *S,
                                                          const double *U, int ldu, const double *V, int ldv,
                                                          int *lwork, gesvdjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,
                                               int n, double *A, int lda, double *S, double *U, int ldu, double *V,
                                               int ldv, double *work, int lwork, int *info, gesvdjInfo_t params);

cusolverStatus_t CUSOLVERAPI cusolverDnCpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         cuComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *A,
                                              int lda, cuComplex *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                              const cuComplex *A, int lda, cuComplex *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         cuComplex *A, int lda, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *A,
                                              int lda, cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                     cuComplex **Aarray, int lda, int *infoArray, int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                                     cuComplex **A, int lda, cuComplex **B, int ldb, int *d_info,
                                                     int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnCgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex *A, int lda,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCgetrf(cusolverDnHandle_t handle, int m, int n, cuComplex *A, int lda,
                                              cuComplex *Workspace, int *devIpiv, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                              const cuComplex *A, int lda, const int *devIpiv, cuComplex *B, int ldb,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex *A, int lda,
                                                         int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCgeqrf(cusolverDnHandle_t handle, int m, int n, cuComplex *A, int lda,
                                              cuComplex *TAU, cuComplex *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                                         const cuComplex *A, int lda, const cuComplex *tau, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k, cuComplex *A, int lda,
                                              const cuComplex *tau, cuComplex *work, int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnCunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                                         cublasOperation_t trans, int m, int n, int k,
                                                         const cuComplex *A, int lda, const cuComplex *tau,
                                                         const cuComplex *C, int ldc, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                              int m, int n, int k, const cuComplex *A, int lda, const cuComplex *tau,
                                              cuComplex *C, int ldc, cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,
                                              int n, cuComplex *A, int lda, float *S, cuComplex *U, int ldu,
                                              cuComplex *VT, int ldvt, cuComplex *work, int lwork, float *rwork,
                                              int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const cuComplex *A, int lda,
                                                         const float *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, cuComplex *A, int lda, float *W, cuComplex *work, int lwork,
                                              int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnCheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const cuComplex *A, int lda,
                                                         const float *W, int *lwork, syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnCheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, cuComplex *A, int lda, float *W, cuComplex *work, int lwork,
                                              int *info, syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnChegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                                         const cuComplex *A, int lda, const cuComplex *B, int ldb,
                                                         const float *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnChegvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                              cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, cuComplex *A,
                                              int lda, cuComplex *B, int ldb, float *W, cuComplex *work, int lwork,
                                              int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                                          int m, int n, const cuComplex *A, int lda, const float *S,
                                                          const cuComplex *U, int ldu, const cuComplex *V, int ldv,
                                                          int *lwork, gesvdjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnCgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,
                                               int n, cuComplex *A, int lda, float *S, cuComplex *U, int ldu,
                                               cuComplex *V, int ldv, cuComplex *work, int lwork, int *info,
                                               gesvdjInfo_t params);

cusolverStatus_t CUSOLVERAPI cusolverDnZpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         cuDoubleComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                              cuDoubleComplex *A, int lda, cuDoubleComplex *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                              const cuDoubleComplex *A, int lda, cuDoubleComplex *B, int ldb,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                         cuDoubleComplex *A, int lda, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                              cuDoubleComplex *A, int lda, cuDoubleComplex *work, int lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                                     cuDoubleComplex **Aarray, int lda, int *infoArray, int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                                     cuDoubleComplex **A, int lda, cuDoubleComplex **B, int ldb,
                                                     int *d_info, int batchSize);
cusolverStatus_t CUSOLVERAPI cusolverDnZgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *A,
                                                         int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZgetrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *A, int lda,
                                              cuDoubleComplex *Workspace, int *devIpiv, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                              const cuDoubleComplex *A, int lda, const int *devIpiv, cuDoubleComplex *B,
                                              int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *A,
                                                         int lda, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZgeqrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *A, int lda,
                                              cuDoubleComplex *TAU, cuDoubleComplex *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                                         const cuDoubleComplex *A, int lda, const cuDoubleComplex *tau,
                                                         int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k, cuDoubleComplex *A,
                                              int lda, const cuDoubleComplex *tau, cuDoubleComplex *work, int lwork,
                                              int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnZunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                                         cublasOperation_t trans, int m, int n, int k,
                                                         const cuDoubleComplex *A, int lda, const cuDoubleComplex *tau,
                                                         const cuDoubleComplex *C, int ldc, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                              int m, int n, int k, const cuDoubleComplex *A, int lda,
                                              const cuDoubleComplex *tau, cuDoubleComplex *C, int ldc,
                                              cuDoubleComplex *work, int lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,
                                              int n, cuDoubleComplex *A, int lda, double *S, cuDoubleComplex *U,
                                              int ldu, cuDoubleComplex *VT, int ldvt, cuDoubleComplex *work, int lwork,
                                              double *rwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const cuDoubleComplex *A,
                                                         int lda, const double *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, cuDoubleComplex *A, int lda, double *W, cuDoubleComplex *work,
                                              int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnZheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n, const cuDoubleComplex *A,
                                                         int lda, const double *W, int *lwork, syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnZheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                              int n, cuDoubleComplex *A, int lda, double *W, cuDoubleComplex *work,
                                              int lwork, int *info, syevjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnZhegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                                         const cuDoubleComplex *A, int lda, const cuDoubleComplex *B,
                                                         int ldb, const double *W, int *lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZhegvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                              cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, cuDoubleComplex *A,
                                              int lda, cuDoubleComplex *B, int ldb, double *W, cuDoubleComplex *work,
                                              int lwork, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                                          int m, int n, const cuDoubleComplex *A, int lda,
                                                          const double *S, const cuDoubleComplex *U, int ldu,
                                                          const cuDoubleComplex *V, int ldv, int *lwork,
                                                          gesvdjInfo_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnZgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,
                                               int n, cuDoubleComplex *A, int lda, double *S, cuDoubleComplex *U,
                                               int ldu, cuDoubleComplex *V, int ldv, cuDoubleComplex *work, int lwork,
                                               int *info, gesvdjInfo_t params);

/* Types as parameters, sizes of 64 bits. */
cusolverStatus_t CUSOLVERAPI cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t CUSOLVERAPI cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t CUSOLVERAPI cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                                     cusolverAlgMode_t algo);
cusolverStatus_t CUSOLVERAPI cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                                         const void *A, int64_t lda, cudaDataType computeType,
                                                         size_t *workspaceInBytesOnDevice,
                                                         size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A,
                                              int64_t lda, cudaDataType computeType, void *bufferOnDevice,
                                              size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                              size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType dataTypeA,
                                              const void *A, int64_t lda, cudaDataType dataTypeB, void *B, int64_t ldb,
                                              int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         int64_t m, int64_t n, cudaDataType dataTypeA, const void *A,
                                                         int64_t lda, cudaDataType computeType,
                                                         size_t *workspaceInBytesOnDevice,
                                                         size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                              int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, int64_t *ipiv,
                                              cudaDataType computeType, void *bufferOnDevice,
                                              size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                              size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cublasOperation_t trans, int64_t n, int64_t nrhs, cudaDataType dataTypeA,
                                              const void *A, int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB,
                                              void *B, int64_t ldb, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         int64_t m, int64_t n, cudaDataType dataTypeA, const void *A,
                                                         int64_t lda, cudaDataType dataTypeTau, const void *tau,
                                                         cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                                         size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                              int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                              cudaDataType dataTypeTau, void *tau, cudaDataType computeType,
                                              void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                              size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                         cudaDataType dataTypeA, const void *A, int64_t lda,
                                                         cudaDataType dataTypeW, const void *W,
                                                         cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                                         size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                              cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeW,
                                              void *W, cudaDataType computeType, void *bufferOnDevice,
                                              size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                              size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU,
    const void *U, int64_t ldu, cudaDataType dataTypeVT, const void *VT, int64_t ldvt, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                              signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void *A,
                                              int64_t lda, cudaDataType dataTypeS, void *S, cudaDataType dataTypeU,
                                              void *U, int64_t ldu, cudaDataType dataTypeVT, void *VT, int64_t ldvt,
                                              cudaDataType computeType, void *bufferOnDevice,
                                              size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                              size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU,
    const void *U, int64_t ldu, cudaDataType dataTypeV, const void *V, int64_t ldv, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                               cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                               cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeS,
                                               void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
                                               cudaDataType dataTypeV, void *V, int64_t ldv, cudaDataType computeType,
                                               void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                               void *bufferOnHost, size_t workspaceInBytesOnHost, int *d_info,
                                               double *h_err_sigma);
cusolverStatus_t CUSOLVERAPI cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                                         cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA,
                                                         void *A, int64_t lda, size_t *workspaceInBytesOnDevice,
                                                         size_t *workspaceInBytesOnHost);
cusolverStatus_t CUSOLVERAPI cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
                                              int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                              void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                              size_t workspaceInBytesOnHost, int *devInfo);

/* Nothing is logged. */
cusolverStatus_t CUSOLVERAPI cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback);
cusolverStatus_t CUSOLVERAPI cusolverDnLoggerSetFile(FILE *file);
cusolverStatus_t CUSOLVERAPI cusolverDnLoggerOpenFile(const char *logFile);
cusolverStatus_t CUSOLVERAPI cusolverDnLoggerSetLevel(int level);
cusolverStatus_t CUSOLVERAPI cusolverDnLoggerSetMask(int mask);
cusolverStatus_t CUSOLVERAPI cusolverDnLoggerForceDisable(void);

/* Refused, whatever else they are given. */
#define UW_REFUSED(name, first) cusolverStatus_t CUSOLVERAPI name(first, ...);
#include "unwarp/refused/cusolverDn.def"
#ifdef __cplusplus
}
#endif
#endif
