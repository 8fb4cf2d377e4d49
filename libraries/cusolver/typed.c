/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER's dense functions that have the types of matrices as parameters and sizes of 64 bits (cusolverDnX…). All
 * matrices of a call and its computation have one type, as in cuSOLVER's tables; the function of that type (dense.c)
 * does the work. LAPACK's sizes have 32 bits here: beyond, CUSOLVER_STATUS_NOT_SUPPORTED. Pivots have 64 bits, so what
 * makes or reads them is an operation of its own. */
#include <limits.h>
#include <stdlib.h>

#pragma GCC visibility push(default)
#include "../../include/cusolverDn.h"
#pragma GCC visibility pop
#include "../common/library.h"
#include "../cublas/blas.h"

struct cusolverDnParams {
  cusolverAlgMode_t algorithm;
};
static const char params_kind;

#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUSOLVER_STATUS_INVALID_VALUE
/* The handle is looked at first, then the parameters that all functions have. */
#define COMMON                                                                                                         \
  cudaStream_t stream;                                                                                                 \
  if (cusolverDnGetStream(handle, &stream) != CUSOLVER_STATUS_SUCCESS)                                                 \
    return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                            \
  (void)stream
#define PARAMS NEED(!params || uwrt_handle_is(params, &params_kind))
#define SUPPORTED(condition)                                                                                           \
  if (!(condition))                                                                                                    \
  return CUSOLVER_STATUS_NOT_SUPPORTED
#define SMALL(size) ((size) <= INT_MAX)
/* The function of a matrix's type: those of real and of complex numbers may have different names. */
#define BY_TYPE(type, real, complex, ...)                                                                              \
  switch (type) {                                                                                                      \
  case CUDA_R_32F: return cusolverDnS##real(__VA_ARGS__);                                                              \
  case CUDA_R_64F: return cusolverDnD##real(__VA_ARGS__);                                                              \
  case CUDA_C_32F: return cusolverDnC##complex(__VA_ARGS__);                                                           \
  case CUDA_C_64F: return cusolverDnZ##complex(__VA_ARGS__);                                                           \
  default: return CUSOLVER_STATUS_NOT_SUPPORTED;                                                                       \
  }

static int is_type(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F;
}
/* The type of singular and eigenvalues. */
static cudaDataType real_of(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}
static char of_type(cudaDataType type) {
  return type == CUDA_R_32F ? 's' : type == CUDA_R_64F ? 'd' : type == CUDA_C_32F ? 'c' : 'z';
}
/* Neither workspace is needed; programs that allocate want a size above 0 on the device. */
static cusolverStatus_t tell_sizes(size_t *on_device, size_t *on_host) {
  NEED(on_device && on_host);
  *on_device = 16;
  *on_host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  NEED(params);
  cusolverDnParams_t fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_handle_add(fresh, &params_kind)) {
    free(fresh);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *params = fresh;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  NEED(uwrt_handle_remove(params, &params_kind));
  free(params);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo) {
  NEED(uwrt_handle_is(params, &params_kind));
  NEED((function == CUSOLVERDN_GETRF || function == CUSOLVERDN_POTRF) && (unsigned int)algo <= CUSOLVER_ALG_2);
  params->algorithm = algo;
  return CUSOLVER_STATUS_SUCCESS;
}

/* --- Cholesky ----------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A,
                                             int64_t lda, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  (void)A;
  COMMON;
  PARAMS;
  NEED((uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER) && n >= 0 && lda >= (n > 1 ? n : 1));
  SUPPORTED(is_type(dataTypeA) && computeType == dataTypeA && SMALL(lda));
  return tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *info) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  PARAMS;
  SUPPORTED(computeType == dataTypeA && SMALL(n) && SMALL(lda));
  BY_TYPE(dataTypeA, potrf, potrf, handle, uplo, (int)n, A, (int)lda, NULL, 0, info)
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                  cudaDataType dataTypeB, void *B, int64_t ldb, int *info) {
  COMMON;
  PARAMS;
  SUPPORTED(dataTypeB == dataTypeA && SMALL(n) && SMALL(nrhs) && SMALL(lda) && SMALL(ldb));
  BY_TYPE(dataTypeA, potrs, potrs, handle, uplo, (int)n, (int)nrhs, A, (int)lda, B, (int)ldb, info)
}

/* --- LU ----------------------------------------------------------------------------------------------------------- */

typedef struct typed_call {
  char type, uplo, diagonal, trans;
  int m, n, k, lda, ldb;
  void *a, *b;
  int64_t *pivots;
  int *info;
} typed_call;

#pragma GCC visibility push(default)
#define TRTRI(t) void t##trtri_(bf uplo, bf diag, bi n, by a, bi lda, int *info, size_t, size_t)
TRTRI(s);
TRTRI(d);
TRTRI(c);
TRTRI(z);
#pragma GCC visibility pop

#define WITH_TYPE(which, ...)                                                                                          \
  switch (call->type) {                                                                                                \
  case 's': s##which(__VA_ARGS__); break;                                                                              \
  case 'd': d##which(__VA_ARGS__); break;                                                                              \
  case 'c': c##which(__VA_ARGS__); break;                                                                              \
  default: z##which(__VA_ARGS__);                                                                                      \
  }

static int *room_for_pivots(int count) {
  int *pivots = malloc(((size_t)count + 1) * sizeof *pivots);
  if (!pivots)
    abort();
  return pivots;
}
static void note(const typed_call *call, int info) {
  if (call->info)
    *call->info = info;
}
UWL_OPERATION(cusolverDnXgetrf, typed_call) {
  const int count = call->m < call->n ? call->m : call->n;
  int info = 0, *pivots = room_for_pivots(count);
  WITH_TYPE(getrf_, &call->m, &call->n, call->a, &call->lda, pivots, &info);
  for (int i = 0; i < count; i++)
    call->pivots[i] = pivots[i];
  free(pivots);
  note(call, info);
}
UWL_OPERATION(cusolverDnXgetrs, typed_call) {
  int info = 0, *pivots = room_for_pivots(call->n);
  for (int i = 0; i < call->n; i++)
    pivots[i] = (int)call->pivots[i];
  WITH_TYPE(getrs_, &call->trans, &call->n, &call->k, call->a, &call->lda, pivots, call->b, &call->ldb, &info);
  free(pivots);
  note(call, info);
}
UWL_OPERATION(cusolverDnXtrtri, typed_call) {
  int info = 0;
  WITH_TYPE(trtri_, &call->uplo, &call->diagonal, &call->n, call->a, &call->lda, &info, 1, 1);
  note(call, info);
}

#define GIVE(which, record)                                                                                            \
  return uwl_launch(UWL_STUB(which), stream, &(record)) == cudaSuccess ? CUSOLVER_STATUS_SUCCESS                       \
                                                                       : CUSOLVER_STATUS_EXECUTION_FAILED

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  (void)A;
  COMMON;
  PARAMS;
  NEED(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1));
  SUPPORTED(is_type(dataTypeA) && computeType == dataTypeA && SMALL(n) && SMALL(lda));
  return tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, int64_t *ipiv, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *info) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  PARAMS;
  NEED(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && (A || m == 0 || n == 0));
  SUPPORTED(is_type(dataTypeA) && computeType == dataTypeA && ipiv && SMALL(n) && SMALL(lda));
  typed_call call = {
      .type = of_type(dataTypeA), .m = (int)m, .n = (int)n, .lda = (int)lda, .a = A, .pivots = ipiv, .info = info};
  GIVE(cusolverDnXgetrf, call);
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                  const int64_t *ipiv, cudaDataType dataTypeB, void *B, int64_t ldb, int *info) {
  COMMON;
  PARAMS;
  NEED(trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C);
  NEED(n >= 0 && nrhs >= 0 && lda >= (n > 1 ? n : 1) && ldb >= (n > 1 ? n : 1) && ((A && B) || n == 0));
  SUPPORTED(is_type(dataTypeA) && dataTypeB == dataTypeA && ipiv && SMALL(nrhs) && SMALL(lda) && SMALL(ldb));
  typed_call call = {.type = of_type(dataTypeA),
                     .trans = trans == CUBLAS_OP_N   ? 'N'
                              : trans == CUBLAS_OP_T ? 'T'
                                                     : 'C',
                     .n = (int)n,
                     .k = (int)nrhs,
                     .lda = (int)lda,
                     .ldb = (int)ldb,
                     .a = (void *)A,
                     .b = B,
                     .pivots = (int64_t *)ipiv,
                     .info = info};
  GIVE(cusolverDnXgetrs, call);
}

/* --- QR ----------------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType dataTypeTau, const void *tau, cudaDataType computeType,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  (void)A, (void)tau;
  COMMON;
  PARAMS;
  NEED(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1));
  SUPPORTED(is_type(dataTypeA) && dataTypeTau == dataTypeA && computeType == dataTypeA && SMALL(n) && SMALL(lda));
  return tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeTau, void *tau,
                                  cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  PARAMS;
  SUPPORTED(dataTypeTau == dataTypeA && computeType == dataTypeA && SMALL(m) && SMALL(n) && SMALL(lda));
  BY_TYPE(dataTypeA, geqrf, geqrf, handle, (int)m, (int)n, A, (int)lda, tau, NULL, 0, info)
}

/* --- eigenvalues and singular values ------------------------------------------------------------------------------ */

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW,
                                             const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  (void)A, (void)W;
  COMMON;
  PARAMS;
  NEED(jobz == CUSOLVER_EIG_MODE_NOVECTOR || jobz == CUSOLVER_EIG_MODE_VECTOR);
  NEED((uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER) && n >= 0 && lda >= (n > 1 ? n : 1));
  SUPPORTED(is_type(dataTypeA) && dataTypeW == real_of(dataTypeA) && computeType == dataTypeA && SMALL(lda));
  return tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                  cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                  int *info) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  PARAMS;
  SUPPORTED(dataTypeW == real_of(dataTypeA) && computeType == dataTypeA && SMALL(n) && SMALL(lda));
  BY_TYPE(dataTypeA, syevd, heevd, handle, jobz, uplo, (int)n, A, (int)lda, W, NULL, 0, info)
}

#define SAME_TYPES                                                                                                     \
  (is_type(dataTypeA) && dataTypeS == real_of(dataTypeA) && dataTypeU == dataTypeA && computeType == dataTypeA &&      \
   SMALL(m) && SMALL(n) && SMALL(lda) && SMALL(ldu))
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                             signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,
                                             cudaDataType dataTypeU, const void *U, int64_t ldu,
                                             cudaDataType dataTypeVT, const void *VT, int64_t ldvt,
                                             cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  (void)A, (void)S, (void)U, (void)VT, (void)jobu, (void)jobvt;
  COMMON;
  PARAMS;
  NEED(n >= 0 && m >= n && lda >= (m > 1 ? m : 1) && ldu >= 1 && ldvt >= 1);
  SUPPORTED(SAME_TYPES && dataTypeVT == dataTypeA && SMALL(ldvt));
  return tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                  cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
                                  cudaDataType dataTypeVT, void *VT, int64_t ldvt, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *info) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  PARAMS;
  SUPPORTED(SAME_TYPES && dataTypeVT == dataTypeA && SMALL(ldvt));
  BY_TYPE(dataTypeA, gesvd, gesvd, handle, jobu, jobvt, (int)m, (int)n, A, (int)lda, S, U, (int)ldu, VT, (int)ldvt,
          NULL, 0, NULL, info)
}

/* By polar decomposition in cuSOLVER: what differs from gesvd is that V is given, not its transpose, and an estimate of
 * the error. */
cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                              cudaDataType dataTypeA, const void *A, int64_t lda,
                                              cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU,
                                              const void *U, int64_t ldu, cudaDataType dataTypeV, const void *V,
                                              int64_t ldv, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                              size_t *workspaceInBytesOnHost) {
  (void)A, (void)S, (void)U, (void)V, (void)econ;
  COMMON;
  PARAMS;
  NEED(jobz == CUSOLVER_EIG_MODE_NOVECTOR || jobz == CUSOLVER_EIG_MODE_VECTOR);
  NEED(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && ldu >= 1 && ldv >= 1);
  SUPPORTED(SAME_TYPES && dataTypeV == dataTypeA && SMALL(ldv));
  return tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost);
}
#define GESVDP(T)                                                                                                      \
  status = cusolverDn##T##gesvdj(handle, jobz, econ, (int)m, (int)n, A, (int)lda, S, U, (int)ldu, V, (int)ldv, NULL,   \
                                 0, d_info, jacobi)
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                   int econ, int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                   cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
                                   cudaDataType dataTypeV, void *V, int64_t ldv, cudaDataType computeType,
                                   void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                   size_t workspaceInBytesOnHost, int *d_info, double *h_err_sigma) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  PARAMS;
  SUPPORTED(SAME_TYPES && dataTypeV == dataTypeA && SMALL(ldv));
  gesvdjInfo_t jacobi;
  cusolverStatus_t status = cusolverDnCreateGesvdjInfo(&jacobi);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  switch (of_type(dataTypeA)) {
  case 's': GESVDP(S); break;
  case 'd': GESVDP(D); break;
  case 'c': GESVDP(C); break;
  default: GESVDP(Z);
  }
  cusolverDnDestroyGesvdjInfo(jacobi);
  if (status == CUSOLVER_STATUS_SUCCESS && h_err_sigma)
    *h_err_sigma = 0; /* no polar decomposition, so nothing was perturbed */
  return status;
}

/* --- inverses of triangles ---------------------------------------------------------------------------------------- */

static cusolverStatus_t looks_like_triangle(cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType type,
                                            int64_t lda) {
  NEED(uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER);
  NEED(diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT);
  NEED(n >= 0 && lda >= (n > 1 ? n : 1));
  SUPPORTED(is_type(type) && SMALL(lda));
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
                                             int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  (void)A;
  COMMON;
  const cusolverStatus_t looks = looks_like_triangle(uplo, diag, n, dataTypeA, lda);
  return looks == CUSOLVER_STATUS_SUCCESS ? tell_sizes(workspaceInBytesOnDevice, workspaceInBytesOnHost) : looks;
}
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                  int *devInfo) {
  (void)bufferOnDevice, (void)workspaceInBytesOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  COMMON;
  const cusolverStatus_t looks = looks_like_triangle(uplo, diag, n, dataTypeA, lda);
  if (looks != CUSOLVER_STATUS_SUCCESS)
    return looks;
  NEED(A || n == 0);
  typed_call call = {.type = of_type(dataTypeA),
                     .uplo = uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U',
                     .diagonal = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N',
                     .n = (int)n,
                     .lda = (int)lda,
                     .a = A,
                     .info = devInfo};
  GIVE(cusolverDnXtrtri, call);
}
