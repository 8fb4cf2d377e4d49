/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS by the interface of its first release (cublas.h): the second one's functions, with a handle that the process
 * has, in host pointer mode. */
#include "internal.h"

#include <ctype.h>
#include <pthread.h>

#pragma GCC visibility push(default)
#include "../../include/cublas.h"
#pragma GCC visibility pop

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cublasHandle_t process_handle;
static cublasStatus_t first_error;

static cublasHandle_t the_handle(void) {
  pthread_mutex_lock(&lock);
  cublasHandle_t handle = process_handle;
  pthread_mutex_unlock(&lock);
  return handle;
}

static void note(cublasStatus_t status) {
  pthread_mutex_lock(&lock);
  if (first_error == CUBLAS_STATUS_SUCCESS)
    first_error = status;
  pthread_mutex_unlock(&lock);
}

cublasStatus cublasInit(void) {
  pthread_mutex_lock(&lock);
  cublasStatus_t status = process_handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&process_handle);
  pthread_mutex_unlock(&lock);
  return status;
}

cublasStatus cublasShutdown(void) {
  pthread_mutex_lock(&lock);
  cublasHandle_t handle = process_handle;
  process_handle = NULL;
  pthread_mutex_unlock(&lock);
  return handle ? cublasDestroy_v2(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus cublasGetError(void) {
  pthread_mutex_lock(&lock);
  cublasStatus_t error = first_error;
  first_error = CUBLAS_STATUS_SUCCESS;
  pthread_mutex_unlock(&lock);
  return error;
}

#define TELL(number)                                                                                                   \
  __attribute__((visibility("default"))) cublasStatus cublasGetVersion##number(int *version);                          \
  cublasStatus cublasGetVersion_v2##number(cublasHandle_t handle, int *version); /* handle.c */                        \
  cublasStatus cublasGetVersion##number(int *version) { return cublasGetVersion_v2##number(the_handle(), version); }
TELL()
TELL(_11080)
TELL(_12090)
TELL(_13000)
TELL(_13010)
cublasStatus cublasSetKernelStream(cudaStream_t stream) { return cublasSetStream_v2(the_handle(), stream); }

cublasStatus cublasAlloc(int n, int elemSize, void **devicePtr) {
  if (!the_handle())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  NEED(n > 0 && elemSize > 0 && devicePtr);
  return cudaMalloc(devicePtr, (size_t)n * (size_t)elemSize) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                            : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus cublasFree(void *devicePtr) {
  if (!the_handle())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

/* Letters of either case; what is none becomes a value that the second release's function refuses. */
enum { NONE = 99 };
static int option(char letter, const char *letters, const int *values) {
  const char *at = letter ? strchr(letters, toupper((unsigned char)letter)) : NULL;
  return at ? values[at - letters] : NONE;
}
#define OPTION(letter, letters, ...) option(letter, letters, (const int[]){__VA_ARGS__})
#define __UW_SIDE(c) (cublasSideMode_t) OPTION(c, "LR", CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT)
#define __UW_UPLO(c) (cublasFillMode_t) OPTION(c, "LU", CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER)
#define __UW_TRANS(c) (cublasOperation_t) OPTION(c, "NTC", CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C)
#define __UW_DIAG(c) (cublasDiagType_t) OPTION(c, "NU", CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT)

#define ALL(...) __VA_ARGS__
#define __UW_DO(name, parameters, arguments)                                                                           \
  void cublas##name parameters { note(cublas##name##_v2(the_handle(), ALL arguments)); }
#define __UW_GET(type, name, parameters, arguments)                                                                    \
  type cublas##name parameters {                                                                                       \
    type result;                                                                                                       \
    memset(&result, 0, sizeof result);                                                                                 \
    note(cublas##name##_v2(the_handle(), ALL arguments, &result));                                                     \
    return result;                                                                                                     \
  }
#include "../../include/unwarp/cublas_legacy_functions.h"
