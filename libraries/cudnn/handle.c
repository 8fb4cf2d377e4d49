/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: handles, their streams, versions and names of statuses. Frameworks ask for these when they start (XLA compiles
 * nothing without a handle), whether or not they compute anything by cuDNN later.
 */
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { CUDART_VERSION_OF_13 = 13000 };

const char uwdnn_handle_kind;

cudnnStatus_t uwdnn_status(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return CUDNN_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation: return CUDNN_STATUS_ALLOC_FAILED;
  default: return CUDNN_STATUS_EXECUTION_FAILED;
  }
}

cudnnStatus_t uwdnn_new(void *object, size_t bytes, const char *kind) {
  NEED(object);
  void *fresh = calloc(1, bytes);
  if (!fresh || !uwrt_handle_add(fresh, kind)) {
    free(fresh);
    return CUDNN_STATUS_ALLOC_FAILED;
  }
  *(void **)object = fresh;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_free(void *object, const char *kind) {
  NEED(uwrt_handle_remove(object, kind));
  free(object);
  return CUDNN_STATUS_SUCCESS;
}

void *uwdnn_memory(int slot, size_t bytes) {
  void *found = uwl_scratch(slot, bytes);
  if (!found)
    abort();
  return found;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) { return uwdnn_new(handle, sizeof **handle, &uwdnn_handle_kind); }

/* Work of the handle may be under way. */
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  HANDLE;
  if (!uwl_is_capturing(handle->stream))
    cudaStreamSynchronize(handle->stream);
  return uwdnn_free(handle, &uwdnn_handle_kind);
}

/* The stream's end comes with the handle's next work: a destroyed one is found then. */
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId) {
  HANDLE;
  handle->stream = streamId;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId) {
  HANDLE;
  NEED(streamId);
  *streamId = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

size_t cudnnGetVersion(void) { return (size_t)CUDNN_VERSION; }
size_t cudnnGetMaxDeviceVersion(void) { return cudnnGetVersion(); }
size_t cudnnGetCudartVersion(void) { return CUDART_VERSION_OF_13; }

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value) {
  static const int version[] = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};
  NEED(value && (unsigned)type <= PATCH_LEVEL);
  *value = version[type];
  return CUDNN_STATUS_SUCCESS;
}

#if CUDNN_MAJOR >= 9
cudnnStatus_t cudnnGraphVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnOpsVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCnnVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnAdvVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
#endif

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnOpsInferVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnOpsTrainVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCnnInferVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCnnTrainVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnAdvInferVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnAdvTrainVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
#endif

/* --- errors ------------------------------------------------------------------------------------------------------- */

#define NAME(name)                                                                                                     \
  case CUDNN_STATUS_##name: return "CUDNN_STATUS_" #name;

const char *cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
    NAME(SUCCESS)
#if CUDNN_MAJOR >= 9
    NAME(NOT_INITIALIZED)
    NAME(SUBLIBRARY_VERSION_MISMATCH)
    NAME(SERIALIZATION_VERSION_MISMATCH)
    NAME(DEPRECATED)
    NAME(LICENSE_ERROR)
    NAME(RUNTIME_IN_PROGRESS)
    NAME(RUNTIME_FP_OVERFLOW)
    NAME(SUBLIBRARY_LOADING_FAILED)
    NAME(BAD_PARAM)
    NAME(BAD_PARAM_NULL_POINTER)
    NAME(BAD_PARAM_MISALIGNED_POINTER)
    NAME(BAD_PARAM_NOT_FINALIZED)
    NAME(BAD_PARAM_OUT_OF_BOUND)
    NAME(BAD_PARAM_SIZE_INSUFFICIENT)
    NAME(BAD_PARAM_STREAM_MISMATCH)
    NAME(BAD_PARAM_SHAPE_MISMATCH)
    NAME(BAD_PARAM_DUPLICATED_ENTRIES)
    NAME(BAD_PARAM_ATTRIBUTE_TYPE)
    NAME(BAD_PARAM_CUDA_GRAPH_MISMATCH)
    NAME(BAD_PARAM_DESCRIPTOR_TYPE)
    NAME(NOT_SUPPORTED)
    NAME(NOT_SUPPORTED_GRAPH_PATTERN)
    NAME(NOT_SUPPORTED_SHAPE)
    NAME(NOT_SUPPORTED_DATA_TYPE)
    NAME(NOT_SUPPORTED_LAYOUT)
    NAME(NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER)
    NAME(NOT_SUPPORTED_INCOMPATIBLE_CUDART)
    NAME(NOT_SUPPORTED_ARCH_MISMATCH)
    NAME(NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING)
    NAME(NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE)
    NAME(NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT)
    NAME(NOT_SUPPORTED_PADDING)
    NAME(NOT_SUPPORTED_BAD_LAUNCH_PARAM)
    NAME(NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API)
    NAME(INTERNAL_ERROR)
    NAME(INTERNAL_ERROR_COMPILATION_FAILED)
    NAME(INTERNAL_ERROR_UNEXPECTED_VALUE)
    NAME(INTERNAL_ERROR_HOST_ALLOCATION_FAILED)
    NAME(INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
    NAME(INTERNAL_ERROR_BAD_LAUNCH_PARAM)
    NAME(INTERNAL_ERROR_TEXTURE_CREATION_FAILED)
    NAME(EXECUTION_FAILED)
    NAME(EXECUTION_FAILED_CUDA_DRIVER)
    NAME(EXECUTION_FAILED_CUBLAS)
    NAME(EXECUTION_FAILED_CUDART)
    NAME(EXECUTION_FAILED_CURAND)
    NAME(INVALID_VALUE)
#else
    NAME(NOT_INITIALIZED)
    NAME(ALLOC_FAILED)
    NAME(BAD_PARAM)
    NAME(INTERNAL_ERROR)
    NAME(INVALID_VALUE)
    NAME(ARCH_MISMATCH)
    NAME(MAPPING_ERROR)
    NAME(EXECUTION_FAILED)
    NAME(NOT_SUPPORTED)
    NAME(LICENSE_ERROR)
    NAME(RUNTIME_PREREQUISITE_MISSING)
    NAME(RUNTIME_IN_PROGRESS)
    NAME(RUNTIME_FP_OVERFLOW)
#if CUDNN_MAJOR == 8
    NAME(VERSION_MISMATCH)
#endif
#endif
  }
  return "CUDNN_UNKNOWN_STATUS";
}

#if CUDNN_MAJOR >= 9
void cudnnGetLastErrorString(char *message, size_t max_size) {
  const char *name = uwdnn_last_refused();
  if (message && max_size)
    snprintf(message, max_size, name ? "unwarp's cuDNN has no %s" : "%s", name ? name : "");
}
#endif

/* Kernels of ours do not fail once they run: what is wrong is said by the call. */
cudnnStatus_t cudnnQueryRuntimeError(cudnnHandle_t handle, cudnnStatus_t *rstatus, cudnnErrQueryMode_t mode,
                                     cudnnRuntimeTag_t *tag) {
  (void)tag;
  HANDLE;
  NEED(rstatus && (unsigned)mode <= CUDNN_ERRQUERY_BLOCKING);
  if (mode == CUDNN_ERRQUERY_BLOCKING)
    TRY(uwdnn_status(cudaStreamSynchronize(handle->stream)));
  *rstatus = CUDNN_STATUS_SUCCESS;
  return CUDNN_STATUS_SUCCESS;
}

/* Who would be told of what is logged; nothing is. */
static pthread_mutex_t callback_lock = PTHREAD_MUTEX_INITIALIZER;
static struct callback {
  unsigned int mask;
  void *data;
  cudnnCallback_t function;
} callback;

cudnnStatus_t cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr) {
  pthread_mutex_lock(&callback_lock);
  callback = (struct callback){mask, udata, fptr};
  pthread_mutex_unlock(&callback_lock);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr) {
  pthread_mutex_lock(&callback_lock);
  const struct callback kept = callback;
  pthread_mutex_unlock(&callback_lock);
  PUT(mask, kept.mask);
  PUT(udata, kept.data);
  PUT(fptr, kept.function);
  return CUDNN_STATUS_SUCCESS;
}
