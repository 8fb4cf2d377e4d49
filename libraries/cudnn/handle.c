/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: handles, their streams, versions and names of statuses. Frameworks ask for these when they start (XLA compiles nothing without a
 * handle), whether or not they compute anything by cuDNN later.
 */
#include "internal.h"
#include "../common/version.h"

#include <stdio.h>
#include <stdlib.h>

enum { CUDART_VERSION_OF_13 = 13000 };

static const char handle_kind;

static int is_handle(cudnnHandle_t handle) { return uwl_handle_is(handle, &handle_kind); }

OURS cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  struct cudnnContext *fresh = handle ? calloc(1, sizeof *fresh) : NULL;
  if (!handle)
    return CUDNN_STATUS_BAD_PARAM;
  if (!fresh || !uwl_handle_add(fresh, &handle_kind)) {
    free(fresh);
    return CUDNN_STATUS_INTERNAL_ERROR;
  }
  *handle = fresh;
  return CUDNN_STATUS_SUCCESS;
}

OURS cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  if (!uwl_handle_remove(handle, &handle_kind))
    return CUDNN_STATUS_BAD_PARAM;
  free(handle);
  return CUDNN_STATUS_SUCCESS;
}

OURS cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (!is_handle(handle))
    return CUDNN_STATUS_BAD_PARAM;
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

OURS cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *stream) {
  if (!is_handle(handle) || !stream)
    return CUDNN_STATUS_BAD_PARAM;
  *stream = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

OURS size_t cudnnGetVersion(void) { return (size_t)uwlib_version_number(10000); }
OURS size_t cudnnGetMaxDeviceVersion(void) { return cudnnGetVersion(); }
OURS size_t cudnnGetCudartVersion(void) { return CUDART_VERSION_OF_13; }

OURS cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value) {
  if (!value || (unsigned)type >= sizeof uwlib_version / sizeof *uwlib_version)
    return CUDNN_STATUS_BAD_PARAM;
  *value = uwlib_version[type];
  return CUDNN_STATUS_SUCCESS;
}

OURS cudnnStatus_t cudnnGraphVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
OURS cudnnStatus_t cudnnOpsVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
OURS cudnnStatus_t cudnnCnnVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
OURS cudnnStatus_t cudnnAdvVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }

/* --- errors ------------------------------------------------------------------------------------------------------- */

OURS const char *cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
  case CUDNN_STATUS_SUCCESS: return "CUDNN_STATUS_SUCCESS";
  case CUDNN_STATUS_NOT_INITIALIZED: return "CUDNN_STATUS_NOT_INITIALIZED";
  case CUDNN_STATUS_BAD_PARAM: return "CUDNN_STATUS_BAD_PARAM";
  case CUDNN_STATUS_NOT_SUPPORTED: return "CUDNN_STATUS_NOT_SUPPORTED";
  case CUDNN_STATUS_INTERNAL_ERROR: return "CUDNN_STATUS_INTERNAL_ERROR";
  case CUDNN_STATUS_EXECUTION_FAILED: return "CUDNN_STATUS_EXECUTION_FAILED";
  }
  return "CUDNN_UNKNOWN_STATUS";
}

OURS void cudnnGetLastErrorString(char *message, size_t room) {
  const char *name = uwdnn_last_refused();
  if (message && room)
    snprintf(message, room, name ? "unwarp's cuDNN has no %s" : "%s", name ? name : "");
}
