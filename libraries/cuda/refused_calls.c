/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is refused of the functions that are given a stream. Compiled twice (internal.h). */
#include "internal.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSE(name, ...)                                                                                              \
  CUresult name(__VA_ARGS__) { RUN(CUDA_ERROR_NOT_SUPPORTED); }

REFUSE(cuSignalExternalSemaphoresAsync, const CUexternalSemaphore *s, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *p,
       unsigned int n, CUstream t)
REFUSE(cuWaitExternalSemaphoresAsync, const CUexternalSemaphore *s, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *p,
       unsigned int n, CUstream t)
REFUSE(cuGraphicsMapResources, unsigned int count, CUgraphicsResource *resources, CUstream s)
REFUSE(cuGraphicsUnmapResources, unsigned int count, CUgraphicsResource *resources, CUstream s)
REFUSE(cuMemBatchDecompressAsync, CUmemDecompressParams *list, size_t count, unsigned int flags, size_t *error,
       CUstream s)
REFUSE(cuMemMapArrayAsync, CUarrayMapInfo *list, unsigned int count, CUstream s)
