/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN before 9: algorithms as objects, and what was measured of them. */
#include <string.h>

#include "algorithm.h"
#include "rnn.h"

#if CUDNN_MAJOR < 9

const char uwdnn_algorithm_kind, uwdnn_performance_kind;

cudnnStatus_t cudnnCreateAlgorithmDescriptor(cudnnAlgorithmDescriptor_t *algoDesc) {
  return uwdnn_new(algoDesc, sizeof **algoDesc, &uwdnn_algorithm_kind);
}
cudnnStatus_t cudnnDestroyAlgorithmDescriptor(cudnnAlgorithmDescriptor_t algoDesc) {
  return uwdnn_free(algoDesc, &uwdnn_algorithm_kind);
}
cudnnStatus_t cudnnSetAlgorithmDescriptor(cudnnAlgorithmDescriptor_t algoDesc, cudnnAlgorithm_t algorithm) {
  IS(algorithm, algoDesc);
  algoDesc->algorithm = algorithm;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetAlgorithmDescriptor(const cudnnAlgorithmDescriptor_t algoDesc, cudnnAlgorithm_t *algorithm) {
  IS(algorithm, algoDesc);
  NEED(algorithm);
  *algorithm = algoDesc->algorithm;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCopyAlgorithmDescriptor(const cudnnAlgorithmDescriptor_t src, cudnnAlgorithmDescriptor_t dest) {
  IS(algorithm, src);
  return cudnnSetAlgorithmDescriptor(dest, src->algorithm);
}

/* --- to memory and back ------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnGetAlgorithmSpaceSize(cudnnHandle_t handle, cudnnAlgorithmDescriptor_t algoDesc,
                                         size_t *algoSpaceSizeInBytes) {
  HANDLE;
  IS(algorithm, algoDesc);
  NEED(algoSpaceSizeInBytes);
  *algoSpaceSizeInBytes = sizeof algoDesc->algorithm;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSaveAlgorithm(cudnnHandle_t handle, cudnnAlgorithmDescriptor_t algoDesc, void *algoSpace,
                                 size_t algoSpaceSizeInBytes) {
  HANDLE;
  IS(algorithm, algoDesc);
  NEED(algoSpace && algoSpaceSizeInBytes >= sizeof algoDesc->algorithm);
  memcpy(algoSpace, &algoDesc->algorithm, sizeof algoDesc->algorithm);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnRestoreAlgorithm(cudnnHandle_t handle, void *algoSpace, size_t algoSpaceSizeInBytes,
                                    cudnnAlgorithmDescriptor_t algoDesc) {
  HANDLE;
  IS(algorithm, algoDesc);
  NEED(algoSpace && algoSpaceSizeInBytes >= sizeof algoDesc->algorithm);
  memcpy(&algoDesc->algorithm, algoSpace, sizeof algoDesc->algorithm);
  return CUDNN_STATUS_SUCCESS;
}

/* --- performance -------------------------------------------------------------------------------------------------- */

static cudnnStatus_t make(cudnnAlgorithmPerformance_t *performance) {
  TRY(uwdnn_new(performance, sizeof **performance, &uwdnn_performance_kind));
  return cudnnCreateAlgorithmDescriptor(&(*performance)->of);
}

cudnnStatus_t cudnnCreateAlgorithmPerformance(cudnnAlgorithmPerformance_t *algoPerf, int numberToCreate) {
  NEED(algoPerf && numberToCreate >= 0);
  for (int i = 0; i < numberToCreate; i++)
    TRY(make(&algoPerf[i]));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyAlgorithmPerformance(cudnnAlgorithmPerformance_t *algoPerf, int numberToDestroy) {
  NEED(algoPerf && numberToDestroy >= 0);
  for (int i = 0; i < numberToDestroy; i++) {
    IS(performance, algoPerf[i]);
    cudnnDestroyAlgorithmDescriptor(algoPerf[i]->of);
    TRY(uwdnn_free(algoPerf[i], &uwdnn_performance_kind));
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetAlgorithmPerformance(cudnnAlgorithmPerformance_t algoPerf, cudnnAlgorithmDescriptor_t algoDesc,
                                           cudnnStatus_t status, float time, size_t memory) {
  IS(performance, algoPerf);
  TRY(cudnnCopyAlgorithmDescriptor(algoDesc, algoPerf->of));
  algoPerf->status = status;
  algoPerf->milliseconds = time;
  algoPerf->memory = memory;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetAlgorithmPerformance(const cudnnAlgorithmPerformance_t algoPerf,
                                           cudnnAlgorithmDescriptor_t *algoDesc, cudnnStatus_t *status, float *time,
                                           size_t *memory) {
  IS(performance, algoPerf);
  PUT(algoDesc, algoPerf->of);
  PUT(status, algoPerf->status);
  PUT(time, algoPerf->milliseconds);
  PUT(memory, algoPerf->memory);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNAlgorithmDescriptor(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc,
                                             cudnnAlgorithmDescriptor_t algoDesc) {
  HANDLE;
  IS(rnn, rnnDesc);
  IS(algorithm, algoDesc);
  NEED(rnnDesc->rnn.is_set && (unsigned)algoDesc->algorithm.algo.RNNAlgo < CUDNN_RNN_ALGO_COUNT);
  rnnDesc->rnn.algo = (int)algoDesc->algorithm.algo.RNNAlgo;
  return CUDNN_STATUS_SUCCESS;
}
#endif
