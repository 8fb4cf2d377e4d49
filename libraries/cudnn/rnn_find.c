/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN before 9: which algorithms there are for recurrent networks: one, which finding runs once and measures; and
 * plans of persistent ones, which are that one, too. */
#include <stdlib.h>

#include "algorithm.h"
#include "rnn.h"

#if CUDNN_MAJOR < 9

static const char plan_kind;
#define uwdnn_plan_kind plan_kind

struct cudnnPersistentRNNPlan {
  int batch;
  cudnnDataType_t type;
};

static cudnnStatus_t count_of(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, int *count) {
  HANDLE;
  IS(rnn, rnn);
  NEED(count);
  *count = 1;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetRNNForwardInferenceAlgorithmMaxCount(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                                           int *count) {
  return count_of(handle, rnnDesc, count);
}
cudnnStatus_t cudnnGetRNNForwardTrainingAlgorithmMaxCount(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                                          int *count) {
  return count_of(handle, rnnDesc, count);
}
cudnnStatus_t cudnnGetRNNBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                                       int *count) {
  return count_of(handle, rnnDesc, count);
}
cudnnStatus_t cudnnGetRNNBackwardWeightsAlgorithmMaxCount(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                                          int *count) {
  return count_of(handle, rnnDesc, count);
}

/* What the work writes over and must not lose: a copy, which is put back. */
typedef struct search {
  double from;
  void *at, *copy;
  size_t bytes;
} search;

static cudnnStatus_t begin(cudnnHandle_t handle, search *s, void *at, size_t bytes, int asked, const int *returned,
                           const cudnnAlgorithmPerformance_t *results) {
  HANDLE;
  NEED(asked > 0 && returned && results);
  IS(performance, results[0]);
  TRY(uwdnn_status(cudaStreamSynchronize(handle->stream)));
  *s = (search){.at = at, .bytes = at ? bytes : 0};
  if (s->bytes) {
    s->copy = malloc(bytes);
    if (!s->copy)
      return CUDNN_STATUS_ALLOC_FAILED;
    TRY(uwdnn_status(cudaMemcpy(s->copy, at, bytes, cudaMemcpyDefault)));
  }
  s->from = uwdnn_now();
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t end(cudnnHandle_t handle, search *s, cudnnStatus_t status, int *returned,
                         cudnnAlgorithmPerformance_t result) {
  if (status == CUDNN_STATUS_SUCCESS)
    status = uwdnn_status(cudaStreamSynchronize(handle->stream));
  const float took = (float)(uwdnn_now() - s->from);
  if (s->copy)
    cudaMemcpy(s->at, s->copy, s->bytes, cudaMemcpyDefault);
  free(s->copy);
  TRY(status);
  result->of->algorithm.algo.RNNAlgo = CUDNN_RNN_ALGO_STANDARD;
  result->status = status;
  result->milliseconds = took;
  result->memory = 0;
  *returned = 1;
  return CUDNN_STATUS_SUCCESS;
}

static size_t bytes_of(cudnnFilterDescriptor_t filter) {
  return uwrt_handle_is(filter, &uwdnn_filter_kind) && filter->view.rank ? (size_t)uwdnn_view_bytes(&filter->view) : 0;
}

cudnnStatus_t cudnnFindRNNForwardInferenceAlgorithmEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength, const cudnnTensorDescriptor_t *xDesc,
    const void *x, const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc,
    const void *cx, const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnTensorDescriptor_t *yDesc, void *y,
    const cudnnTensorDescriptor_t hyDesc, void *hy, const cudnnTensorDescriptor_t cyDesc, void *cy,
    const float findIntensity, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnAlgorithmPerformance_t *perfResults, void *workspace, size_t workSpaceSizeInBytes) {
  (void)findIntensity;
  search s;
  TRY(begin(handle, &s, NULL, 0, requestedAlgoCount, returnedAlgoCount, perfResults));
  const cudnnStatus_t status =
      cudnnRNNForwardInference(handle, rnnDesc, seqLength, xDesc, x, hxDesc, hx, cxDesc, cx, wDesc, w, yDesc, y, hyDesc,
                               hy, cyDesc, cy, workspace, workSpaceSizeInBytes);
  return end(handle, &s, status, returnedAlgoCount, perfResults[0]);
}

cudnnStatus_t cudnnFindRNNForwardTrainingAlgorithmEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength, const cudnnTensorDescriptor_t *xDesc,
    const void *x, const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc,
    const void *cx, const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnTensorDescriptor_t *yDesc, void *y,
    const cudnnTensorDescriptor_t hyDesc, void *hy, const cudnnTensorDescriptor_t cyDesc, void *cy,
    const float findIntensity, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnAlgorithmPerformance_t *perfResults, void *workspace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes) {
  (void)findIntensity;
  search s;
  TRY(begin(handle, &s, NULL, 0, requestedAlgoCount, returnedAlgoCount, perfResults));
  const cudnnStatus_t status =
      cudnnRNNForwardTraining(handle, rnnDesc, seqLength, xDesc, x, hxDesc, hx, cxDesc, cx, wDesc, w, yDesc, y, hyDesc,
                              hy, cyDesc, cy, workspace, workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes);
  return end(handle, &s, status, returnedAlgoCount, perfResults[0]);
}

cudnnStatus_t cudnnFindRNNBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength, const cudnnTensorDescriptor_t *yDesc,
    const void *y, const cudnnTensorDescriptor_t *dyDesc, const void *dy, const cudnnTensorDescriptor_t dhyDesc,
    const void *dhy, const cudnnTensorDescriptor_t dcyDesc, const void *dcy, const cudnnFilterDescriptor_t wDesc,
    const void *w, const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc,
    const void *cx, const cudnnTensorDescriptor_t *dxDesc, void *dx, const cudnnTensorDescriptor_t dhxDesc, void *dhx,
    const cudnnTensorDescriptor_t dcxDesc, void *dcx, const float findIntensity, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnAlgorithmPerformance_t *perfResults, void *workspace, size_t workSpaceSizeInBytes,
    void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)findIntensity;
  search s;
  TRY(begin(handle, &s, reserveSpace, reserveSpaceSizeInBytes, requestedAlgoCount, returnedAlgoCount, perfResults));
  const cudnnStatus_t status = cudnnRNNBackwardData(
      handle, rnnDesc, seqLength, yDesc, y, dyDesc, dy, dhyDesc, dhy, dcyDesc, dcy, wDesc, w, hxDesc, hx, cxDesc, cx,
      dxDesc, dx, dhxDesc, dhx, dcxDesc, dcx, workspace, workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes);
  return end(handle, &s, status, returnedAlgoCount, perfResults[0]);
}

cudnnStatus_t cudnnFindRNNBackwardWeightsAlgorithmEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength, const cudnnTensorDescriptor_t *xDesc,
    const void *x, const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t *yDesc,
    const void *y, const float findIntensity, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnAlgorithmPerformance_t *perfResults, const void *workspace, size_t workSpaceSizeInBytes,
    const cudnnFilterDescriptor_t dwDesc, void *dw, const void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)findIntensity;
  search s;
  TRY(begin(handle, &s, dw, bytes_of(dwDesc), requestedAlgoCount, returnedAlgoCount, perfResults));
  const cudnnStatus_t status =
      cudnnRNNBackwardWeights(handle, rnnDesc, seqLength, xDesc, x, hxDesc, hx, yDesc, y, workspace,
                              workSpaceSizeInBytes, dwDesc, dw, reserveSpace, reserveSpaceSizeInBytes);
  return end(handle, &s, status, returnedAlgoCount, perfResults[0]);
}

/* --- persistent plans --------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnCreatePersistentRNNPlan(cudnnRNNDescriptor_t rnnDesc, const int minibatch,
                                           const cudnnDataType_t dataType, cudnnPersistentRNNPlan_t *plan) {
  IS(rnn, rnnDesc);
  NEED(rnnDesc->rnn.is_set && rnnDesc->rnn.algo == CUDNN_RNN_ALGO_PERSIST_DYNAMIC && minibatch > 0);
  NEED(uwdnn_type_bytes(dataType));
  TRY(uwdnn_new(plan, sizeof **plan, &plan_kind));
  **plan = (struct cudnnPersistentRNNPlan){minibatch, dataType};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyPersistentRNNPlan(cudnnPersistentRNNPlan_t plan) { return uwdnn_free(plan, &plan_kind); }
cudnnStatus_t cudnnSetPersistentRNNPlan(cudnnRNNDescriptor_t rnnDesc, cudnnPersistentRNNPlan_t plan) {
  IS(rnn, rnnDesc);
  IS(plan, plan);
  NEED(rnnDesc->rnn.is_set && rnnDesc->rnn.algo == CUDNN_RNN_ALGO_PERSIST_DYNAMIC);
  return CUDNN_STATUS_SUCCESS;
}
#endif

#if CUDNN_MAJOR >= 8
/* Nothing is compiled for a batch. */
cudnnStatus_t cudnnBuildRNNDynamic(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, int miniBatch) {
  HANDLE;
  IS(rnn, rnnDesc);
  NEED(rnnDesc->rnn.is_set && rnnDesc->rnn.algo == CUDNN_RNN_ALGO_PERSIST_DYNAMIC && miniBatch > 0);
  return CUDNN_STATUS_SUCCESS;
}
#endif
