/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: handles and their settings, names of statuses, the log. (cuBLAS documentation, "cuBLAS Helper Function
 * Reference".) */
#include "internal.h"
#include "../common/version.h"

#include <stdio.h>
#include <stdlib.h>

cublasStatus_t uwl_cublas_status(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return CUBLAS_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation: return CUBLAS_STATUS_ALLOC_FAILED;
  default: return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

cublasStatus_t uwl_cublas_result(cublasHandle_t handle, const void *stub, const void *record) {
  cublasStatus_t status = uwl_cublas_give(handle, stub, record);
  if (status != CUBLAS_STATUS_SUCCESS || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    return status;
  return uwl_cublas_status(cudaStreamSynchronize(handle->stream));
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  NEED(handle);
  struct cublasContext *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_handle_add(fresh, &uwrt_blas_handle)) {
    free(fresh);
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  *handle = fresh;
  return CUBLAS_STATUS_SUCCESS;
}

/* Work of the handle may be under way. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  HANDLE;
  if (!uwl_is_capturing(handle->stream))
    cudaStreamSynchronize(handle->stream);
  if (!uwrt_handle_remove(handle, &uwrt_blas_handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

/* JAX asks without a handle. */
#define TELL(suffix, of, cuda)                                                                                         \
  UWLIB_TELLS cublasStatus_t cublasGetVersion_v2##suffix(cublasHandle_t handle, int *version) {                        \
    (void)handle;                                                                                                      \
    NEED(version);                                                                                                     \
    *version = uwlib_version_number(of, 10000);                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  UWLIB_TELLS cublasStatus_t cublasGetProperty##suffix(libraryPropertyType type, int *value) {                         \
    NEED(value && (unsigned int)type <= PATCH_LEVEL);                                                                  \
    *value = (of)[type];                                                                                               \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  UWLIB_TELLS size_t cublasGetCudartVersion##suffix(void) { return cuda; }
UWLIB_FOR_EACH_VERSION(TELL, CUBLAS)

/* Kept, as nothing here needs one: the memory stays the program's. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes) {
  HANDLE;
  NEED((uintptr_t)workspace % 256 == 0);
  handle->workspace = workspace;
  handle->workspace_bytes = workspaceSizeInBytes;
  return CUBLAS_STATUS_SUCCESS;
}

/* The stream's end comes with the handle's next work: a destroyed one is found then. A new stream takes the workspace
 * away. */
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId) {
  HANDLE;
  handle->stream = streamId;
  handle->workspace = NULL;
  handle->workspace_bytes = 0;
  return CUBLAS_STATUS_SUCCESS;
}

#define SETTING(Name, type, field, parameter, is_good)                                                                 \
  cublasStatus_t cublasGet##Name(cublasHandle_t handle, type *parameter) {                                             \
    HANDLE;                                                                                                            \
    NEED(parameter);                                                                                                   \
    *parameter = handle->field;                                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  cublasStatus_t cublasSet##Name(cublasHandle_t handle, type parameter) {                                              \
    HANDLE;                                                                                                            \
    NEED(is_good);                                                                                                     \
    handle->field = parameter;                                                                                         \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }
static int is_math_mode(unsigned int mode) {
  return (mode & ~(unsigned int)CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) <= CUBLAS_TF32_TENSOR_OP_MATH;
}
static int is_sm_count(int count) {
  int device = 0, most = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMultiProcessorCount, device);
  return count >= 0 && count <= most;
}
SETTING(PointerMode_v2, cublasPointerMode_t, pointer_mode, mode, (unsigned int)mode <= CUBLAS_POINTER_MODE_DEVICE)
SETTING(AtomicsMode, cublasAtomicsMode_t, atomics_mode, mode, (unsigned int)mode <= CUBLAS_ATOMICS_ALLOWED)
SETTING(MathMode, cublasMath_t, math_mode, mode, is_math_mode((unsigned int)mode))
SETTING(SmCountTarget, int, sm_count_target, smCountTarget, is_sm_count(smCountTarget))

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId) {
  HANDLE;
  NEED(streamId);
  *streamId = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

static const struct {
  cublasStatus_t status;
  const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires some license and an error was detected"},
};

const char *cublasGetStatusName(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status)
      return statuses[i].name;
  return "unknown status";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status)
      return statuses[i].text;
  return "unknown status";
}

/* Nothing is logged: the settings are taken and given back. */
static cublasLogCallback log_callback;

cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr, const char *logFileName) {
  (void)logIsOn, (void)logToStdOut, (void)logToStdErr, (void)logFileName;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback) {
  log_callback = userCallback;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback) {
  NEED(userCallback);
  *userCallback = log_callback;
  return CUBLAS_STATUS_SUCCESS;
}

void cublasXerbla(const char *srName, int info) {
  if (srName)
    fprintf(stderr, "On entry to %s, parameter number %d had an illegal value\n", srName, info);
}

cublasStatus_t cublasUint8gemmBias(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   cublasOperation_t transc, int m, int n, int k, const unsigned char *A, int A_bias,
                                   int lda, const unsigned char *B, int B_bias, int ldb, unsigned char *C, int C_bias,
                                   int ldc, int C_mult, int C_shift) {
  (void)transa, (void)transb, (void)transc, (void)m, (void)n, (void)k, (void)A, (void)A_bias, (void)lda, (void)B,
      (void)B_bias;
  (void)ldb, (void)C, (void)C_bias, (void)ldc, (void)C_mult, (void)C_shift;
  HANDLE;
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
