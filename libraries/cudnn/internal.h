/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN 9 by its soname alone: no header of it comes with unwarp. What of its types is needed, as its documentation has them. */
#ifndef UWDNN_INTERNAL_H
#define UWDNN_INTERNAL_H

#include <stddef.h>

#include "../../include/library_types.h"
#include "../common/library.h"

#define OURS __attribute__((visibility("default")))

typedef enum {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1001,
  CUDNN_STATUS_BAD_PARAM = 2000,
  CUDNN_STATUS_NOT_SUPPORTED = 3000,
  CUDNN_STATUS_INTERNAL_ERROR = 4000,
  CUDNN_STATUS_EXECUTION_FAILED = 5000,
} cudnnStatus_t;

typedef struct cudnnContext {
  cudaStream_t stream;
} *cudnnHandle_t;

/* The function that the calling thread was refused last, or null. */
const char *uwdnn_last_refused(void);

#endif
