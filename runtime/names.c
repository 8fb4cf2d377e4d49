/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names that NVIDIA's headers of CUDA 12 give functions which have their plain ones here: what was compiled with those
 * headers asks for them.
 */
#include "internal.h"

#pragma GCC visibility push(default)
#include "../include/cuda_runtime_api.h"

cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                             unsigned long long *id, cudaGraph_t *graph,
                                             const cudaGraphNode_t **dependencies, size_t *count);
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                          unsigned long long *id, cudaGraph_t *graph,
                                          const cudaGraphNode_t **dependencies, size_t *count);

cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(ms, start, end);
}

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device) {
  return cudaGetDeviceProperties(prop, device);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies, size_t *count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}

cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                             unsigned long long *id, cudaGraph_t *graph,
                                             const cudaGraphNode_t **dependencies, size_t *count) {
  return cudaStreamGetCaptureInfo_ptsz(stream, status, id, graph, dependencies, count);
}

#pragma GCC visibility pop
