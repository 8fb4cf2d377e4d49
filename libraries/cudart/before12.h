/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What CUDA 10 and 11 have alike and in another form than CUDA 12. Included once in each version's file. */
#ifndef UWRT_BEFORE12_H
#define UWRT_BEFORE12_H

#pragma GCC visibility push(default)
#include "../../include/cuda_runtime_api.h"
#pragma GCC visibility pop

#include <stddef.h>
#include <string.h>

/* Functions of CUDA 12 whose names are those of functions below. */
#define OF_12(name, parameters)                                                                                        \
  extern cudaError_t name##_in_12 parameters __asm__(#name "_in_12");                                                  \
  __asm__(".symver " #name "_in_12, " #name "@libcudart.so.12")
OF_12(cudaGetDeviceProperties, (struct cudaDeviceProp *, int));
OF_12(cudaChooseDevice, (int *, const struct cudaDeviceProp *));
OF_12(cudaFuncGetAttributes, (struct cudaFuncAttributes *, const void *));
OF_12(cudaGraphInstantiate, (cudaGraphExec_t *, cudaGraph_t, unsigned long long));
OF_12(cudaGraphExecUpdate, (cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *));
OF_12(cudaStreamGetCaptureInfo, (cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *, cudaGraph_t *,
                                 const cudaGraphNode_t **, size_t *));
OF_12(cudaStreamGetCaptureInfo_ptsz, (cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *, cudaGraph_t *,
                                      const cudaGraphNode_t **, size_t *));

enum { ATTRIBUTES_BYTES = (offsetof(struct cudaFuncAttributes, clusterDimMustBeSet) + 7) / 8 * 8 };
_Static_assert(ATTRIBUTES_BYTES == 56, "as CUDA 10 and 11 have them");

#define NAMED(name) __asm__(#name)
#pragma GCC visibility push(default)
cudaError_t properties(void *prop, int device) NAMED(cudaGetDeviceProperties);
cudaError_t choose(int *device, const void *prop) NAMED(cudaChooseDevice);
cudaError_t attributes(void *attr, const void *func) NAMED(cudaFuncGetAttributes);
cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log, size_t room)
    NAMED(cudaGraphInstantiate);
cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                   enum cudaGraphExecUpdateResult *result) NAMED(cudaGraphExecUpdate);
cudaError_t capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id)
    NAMED(cudaStreamGetCaptureInfo);
cudaError_t capture_info_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id)
    NAMED(cudaStreamGetCaptureInfo_ptsz);
cudaError_t runtime_version(int *version) NAMED(cudaRuntimeGetVersion);

cudaError_t attributes(void *attr, const void *func) {
  struct cudaFuncAttributes all;
  cudaError_t error = cudaFuncGetAttributes_in_12(attr ? &all : NULL, func);
  if (error == cudaSuccess)
    memcpy(attr, &all, ATTRIBUTES_BYTES);
  return error;
}

cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log, size_t room) {
  if (error_node)
    *error_node = NULL;
  if (log && room)
    *log = 0;
  return cudaGraphInstantiate_in_12(exec, graph, 0);
}

cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                   enum cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {0};
  cudaError_t error = cudaGraphExecUpdate_in_12(exec, graph, &info);
  if (error_node)
    *error_node = info.errorNode;
  if (result)
    *result = info.result;
  return error;
}

cudaError_t capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id) {
  return cudaStreamGetCaptureInfo_in_12(stream, status, id, NULL, NULL, NULL);
}

cudaError_t capture_info_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id) {
  return cudaStreamGetCaptureInfo_ptsz_in_12(stream, status, id, NULL, NULL, NULL);
}
#pragma GCC visibility pop

#endif
