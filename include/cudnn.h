/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN's classic API (cuDNN documentation, "API Reference"), for version 9 or the CUDNN_MAJOR that is defined before: what unwarp's
 * libcudnn does. Handles here; each other topic has its file in unwarp/cudnn. */
#ifndef CUDNN_H_
#define CUDNN_H_

#include <stddef.h>
#include <stdint.h>

#include "cudnn_version.h"
#include "driver_types.h"
#include "library_types.h"
#include "unwarp/cudnn/status.h"

#ifndef CUDNNWINAPI
#define CUDNNWINAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cudnnContext *cudnnHandle_t;

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle);
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle);
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId);
cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId);

size_t cudnnGetVersion(void);
size_t cudnnGetMaxDeviceVersion(void);
size_t cudnnGetCudartVersion(void);
cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value);
const char *cudnnGetErrorString(cudnnStatus_t status);
#if CUDNN_MAJOR >= 9
void cudnnGetLastErrorString(char *message, size_t max_size);
cudnnStatus_t cudnnGraphVersionCheck(void);
cudnnStatus_t cudnnOpsVersionCheck(void);
cudnnStatus_t cudnnCnnVersionCheck(void);
cudnnStatus_t cudnnAdvVersionCheck(void);
#endif

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnOpsInferVersionCheck(void);
cudnnStatus_t cudnnOpsTrainVersionCheck(void);
cudnnStatus_t cudnnCnnInferVersionCheck(void);
cudnnStatus_t cudnnCnnTrainVersionCheck(void);
cudnnStatus_t cudnnAdvInferVersionCheck(void);
cudnnStatus_t cudnnAdvTrainVersionCheck(void);
#endif

/* Errors that kernels find when they run: there are none. */
typedef enum cudnnErrQueryMode_t {
  CUDNN_ERRQUERY_RAWCODE = 0,
  CUDNN_ERRQUERY_NONBLOCKING = 1,
  CUDNN_ERRQUERY_BLOCKING = 2
} cudnnErrQueryMode_t;
typedef struct cudnnRuntimeTag_t cudnnRuntimeTag_t;
cudnnStatus_t cudnnQueryRuntimeError(cudnnHandle_t handle, cudnnStatus_t *rstatus, cudnnErrQueryMode_t mode,
                                     cudnnRuntimeTag_t *tag);

/* Logs: a callback is kept and never called. */
typedef enum cudnnSeverity_t {
  CUDNN_SEV_FATAL = 0,
  CUDNN_SEV_ERROR = 1,
  CUDNN_SEV_WARNING = 2,
  CUDNN_SEV_INFO = 3
} cudnnSeverity_t;
#define CUDNN_SEV_ERROR_EN (1u << CUDNN_SEV_ERROR)
#define CUDNN_SEV_WARNING_EN (1u << CUDNN_SEV_WARNING)
#define CUDNN_SEV_INFO_EN (1u << CUDNN_SEV_INFO)
typedef struct cudnnDebugStruct cudnnDebug_t;
typedef void (*cudnnCallback_t)(cudnnSeverity_t sev, void *udata, const cudnnDebug_t *dbg, const char *msg);
cudnnStatus_t cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr);
cudnnStatus_t cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr);

#ifdef __cplusplus
}
#endif

#include "unwarp/cudnn/algorithm.h"
#include "unwarp/cudnn/attention.h"
#include "unwarp/cudnn/backend.h"
#include "unwarp/cudnn/tensor.h"
#include "unwarp/cudnn/convolution.h"
#include "unwarp/cudnn/ctc.h"
#include "unwarp/cudnn/normalization.h"
#include "unwarp/cudnn/operations.h"
#include "unwarp/cudnn/pooling.h"
#include "unwarp/cudnn/rnn.h"
#include "unwarp/cudnn/spatial.h"

#endif
