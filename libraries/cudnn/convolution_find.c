/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: which algorithms there are for a convolution, what memory they want and how long they take. There are two: by
 * oneDNN, and by image-to-column with GEMM; every other number of an algorithm is oneDNN's, too, and where oneDNN has
 * none, GEMM with memory of ours. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "convolution.h"
#include "elements.h"

enum { WAYS = 2 };

typedef struct way {
  int algorithm;
  float milliseconds; /* below 0: not measured */
  size_t memory;
} way;

static const int gemm_of[] = {CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0,
                              CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0};
static const int onednn_of[] = {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1,
                                CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1};

static void name_ways(const uwdnn_problem *problem, way *ways) {
  ways[0] = (way){onednn_of[problem->pass], -1, 0};
  ways[1] = (way){gemm_of[problem->pass], -1, uwdnn_columns_bytes(problem)};
}

static void swap(way *ways) {
  way first = ways[0];
  ways[0] = ways[1];
  ways[1] = first;
}

/* Images of few channels, packed floats: oneDNN's blocks of channels would be all but empty. */
static int suits_gemm(const uwdnn_problem *p) {
  enum { FEW_DATA = 3, FEW_FORWARD = 1, FILTERS = 4 };
  const uwdnn_view *image = p->pass == UWDNN_DATA ? &p->y : &p->x;
  return p->groups == 1 && p->k >= FILTERS && image->type == CUDNN_DATA_FLOAT && uwdnn_is_packed(image) &&
         ((p->pass == UWDNN_DATA && p->c <= FEW_DATA) || (p->pass == UWDNN_FORWARD && p->c <= FEW_FORWARD));
}

/* The faster first, by what was measured over some thirty shapes; doubles are always GEMM's. */
static void rank_ways(const uwdnn_problem *p, way *ways) {
  name_ways(p, ways);
  if (p->x.type == CUDNN_DATA_DOUBLE || suits_gemm(p))
    swap(ways);
}

double uwdnn_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* The least of three, after one that prepares. */
static cudnnStatus_t measure(cudnnHandle_t handle, const uwdnn_problem *problem, const uwdnn_operands *operands,
                             way *one) {
  enum { TIMES = 4 };
  for (int i = 0; i < TIMES; i++) {
    uwdnn_operands of = *operands;
    double from = uwdnn_now();
    cudnnStatus_t status = uwdnn_convolve(handle, problem, one->algorithm, &of, one->memory);
    if (status == CUDNN_STATUS_SUCCESS)
      status = uwdnn_status(cudaStreamSynchronize(handle->stream));
    if (status != CUDNN_STATUS_SUCCESS)
      return status;
    float took = (float)(uwdnn_now() - from);
    if (i == 1 || (i > 1 && took < one->milliseconds))
      one->milliseconds = took;
  }
  return CUDNN_STATUS_SUCCESS;
}

/* The ways that the memory suffices for, the fastest first. */
static cudnnStatus_t measure_ways(cudnnHandle_t handle, const uwdnn_problem *problem, const uwdnn_operands *operands,
                                  size_t memory, way *ways, int *count) {
  cudaStreamSynchronize(handle->stream);
  name_ways(problem, ways);
  *count = WAYS;
  if (ways[1].memory > memory)
    *count = 1;
  for (int i = 0; i < *count; i++) {
    cudnnStatus_t status = measure(handle, problem, operands, &ways[i]);
    if (status != CUDNN_STATUS_SUCCESS)
      return status;
  }
  if (*count == WAYS && ways[1].milliseconds < ways[0].milliseconds)
    swap(ways);
  return CUDNN_STATUS_SUCCESS;
}

/* On memory of ours, of zeros. */
static cudnnStatus_t measure_apart(cudnnHandle_t handle, const uwdnn_problem *problem, way *ways, int *count) {
  void *x = calloc(1, (size_t)uwdnn_view_bytes(&problem->x)), *y = calloc(1, (size_t)uwdnn_view_bytes(&problem->y));
  /* A filter that is turned round has its numbers before its first. */
  void *w = calloc((size_t)uwdnn_view_count(&problem->w), uwdnn_type_bytes(problem->w.type));
  const size_t bytes = uwdnn_columns_bytes(problem);
  void *columns = malloc(bytes ? bytes : 1);
  const uwdnn_operands of = {x, w, y, 1, 0, columns};
  cudnnStatus_t status =
      x && y && w && columns ? measure_ways(handle, problem, &of, bytes, ways, count) : CUDNN_STATUS_ALLOC_FAILED;
  free(x);
  free(y);
  free(w);
  free(columns);
  return status;
}

#if CUDNN_MAJOR == 7
static int pick(const uwdnn_problem *problem, size_t limit) {
  way ways[WAYS];
  rank_ways(problem, ways);
  return ways[ways[0].memory > limit].algorithm;
}
#endif

#define PROBLEM(pass, x, w, y)                                                                                         \
  HANDLE;                                                                                                              \
  uwdnn_problem problem;                                                                                               \
  cudnnStatus_t status = uwdnn_convolution_problem(&problem, pass, x, w, convDesc, y);                                 \
  if (status != CUDNN_STATUS_SUCCESS)                                                                                  \
  return status

/* --- Forward --- */

static cudnnStatus_t put_Forward(const way *ways, int count, int wanted, int *returned,
                                 cudnnConvolutionFwdAlgoPerf_t *perf) {
  *returned = count < wanted ? count : wanted;
  for (int i = 0; i < *returned; i++)
    perf[i] = (cudnnConvolutionFwdAlgoPerf_t){.algo = (cudnnConvolutionFwdAlgo_t)ways[i].algorithm,
                                              .status = CUDNN_STATUS_SUCCESS,
                                              .time = ways[i].milliseconds,
                                              .memory = ways[i].memory,
                                              .determinism = CUDNN_DETERMINISTIC,
                                              .mathType = CUDNN_DEFAULT_MATH};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
  HANDLE;
  NEED(count);
  *count = uwdnn_algorithms(UWDNN_FORWARD);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                      const cudnnFilterDescriptor_t wDesc,
                                                      const cudnnConvolutionDescriptor_t convDesc,
                                                      const cudnnTensorDescriptor_t yDesc,
                                                      cudnnConvolutionFwdAlgo_t algo, size_t *sizeInBytes) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  const int is_gemm = uwdnn_is_gemm(UWDNN_FORWARD, (int)algo);
  NEED(sizeInBytes && is_gemm >= 0);
  *sizeInBytes = is_gemm ? uwdnn_columns_bytes(&problem) : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                     const cudnnFilterDescriptor_t wDesc,
                                                     const cudnnConvolutionDescriptor_t convDesc,
                                                     const cudnnTensorDescriptor_t yDesc, const int requestedAlgoCount,
                                                     int *returnedAlgoCount,
                                                     cudnnConvolutionFwdAlgoPerf_t *perfResults) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  way ways[WAYS];
  rank_ways(&problem, ways);
  return put_Forward(ways, WAYS, requestedAlgoCount, returnedAlgoCount, perfResults);
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                   const cudnnFilterDescriptor_t wDesc,
                                                   const cudnnConvolutionDescriptor_t convDesc,
                                                   const cudnnTensorDescriptor_t yDesc, const int requestedAlgoCount,
                                                   int *returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t *perfResults) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  way ways[WAYS];
  int count;
  status = measure_apart(handle, &problem, ways, &count);
  return status != CUDNN_STATUS_SUCCESS ? status
                                        : put_Forward(ways, count, requestedAlgoCount, returnedAlgoCount, perfResults);
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                     const void *x, const cudnnFilterDescriptor_t wDesc, const void *w,
                                                     const cudnnConvolutionDescriptor_t convDesc,
                                                     const cudnnTensorDescriptor_t yDesc, void *y,
                                                     const int requestedAlgoCount, int *returnedAlgoCount,
                                                     cudnnConvolutionFwdAlgoPerf_t *perfResults, void *workSpace,
                                                     size_t workSpaceSizeInBytes) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  const uwdnn_operands of = {x, w, y, 1, 0, workSpace};
  way ways[WAYS];
  int count;
  status = measure_ways(handle, &problem, &of, workSpace ? workSpaceSizeInBytes : 0, ways, &count);
  return status != CUDNN_STATUS_SUCCESS ? status
                                        : put_Forward(ways, count, requestedAlgoCount, returnedAlgoCount, perfResults);
}

#if CUDNN_MAJOR == 7
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                  const cudnnFilterDescriptor_t wDesc,
                                                  const cudnnConvolutionDescriptor_t convDesc,
                                                  const cudnnTensorDescriptor_t yDesc,
                                                  cudnnConvolutionFwdPreference_t preference, size_t memoryLimitInBytes,
                                                  cudnnConvolutionFwdAlgo_t *algo) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  NEED(algo && (unsigned)preference <= CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT);
  const size_t limit = preference == CUDNN_CONVOLUTION_FWD_PREFER_FASTEST ? SIZE_MAX
                       : preference == CUDNN_CONVOLUTION_FWD_NO_WORKSPACE ? 0
                                                                          : memoryLimitInBytes;
  *algo = (cudnnConvolutionFwdAlgo_t)pick(&problem, limit);
  return CUDNN_STATUS_SUCCESS;
}
#endif

/* --- BackwardData --- */

static cudnnStatus_t put_BackwardData(const way *ways, int count, int wanted, int *returned,
                                      cudnnConvolutionBwdDataAlgoPerf_t *perf) {
  *returned = count < wanted ? count : wanted;
  for (int i = 0; i < *returned; i++)
    perf[i] = (cudnnConvolutionBwdDataAlgoPerf_t){.algo = (cudnnConvolutionBwdDataAlgo_t)ways[i].algorithm,
                                                  .status = CUDNN_STATUS_SUCCESS,
                                                  .time = ways[i].milliseconds,
                                                  .memory = ways[i].memory,
                                                  .determinism = CUDNN_DETERMINISTIC,
                                                  .mathType = CUDNN_DEFAULT_MATH};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
  HANDLE;
  NEED(count);
  *count = uwdnn_algorithms(UWDNN_DATA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
                                                           const cudnnTensorDescriptor_t dyDesc,
                                                           const cudnnConvolutionDescriptor_t convDesc,
                                                           const cudnnTensorDescriptor_t dxDesc,
                                                           cudnnConvolutionBwdDataAlgo_t algo, size_t *sizeInBytes) {
  PROBLEM(UWDNN_DATA, dxDesc, wDesc, dyDesc);
  const int is_gemm = uwdnn_is_gemm(UWDNN_DATA, (int)algo);
  NEED(sizeInBytes && is_gemm >= 0);
  *sizeInBytes = is_gemm ? uwdnn_columns_bytes(&problem) : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
                                                          const cudnnTensorDescriptor_t dyDesc,
                                                          const cudnnConvolutionDescriptor_t convDesc,
                                                          const cudnnTensorDescriptor_t dxDesc,
                                                          const int requestedAlgoCount, int *returnedAlgoCount,
                                                          cudnnConvolutionBwdDataAlgoPerf_t *perfResults) {
  PROBLEM(UWDNN_DATA, dxDesc, wDesc, dyDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  way ways[WAYS];
  rank_ways(&problem, ways);
  return put_BackwardData(ways, WAYS, requestedAlgoCount, returnedAlgoCount, perfResults);
}

cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
                                                        const cudnnTensorDescriptor_t dyDesc,
                                                        const cudnnConvolutionDescriptor_t convDesc,
                                                        const cudnnTensorDescriptor_t dxDesc,
                                                        const int requestedAlgoCount, int *returnedAlgoCount,
                                                        cudnnConvolutionBwdDataAlgoPerf_t *perfResults) {
  PROBLEM(UWDNN_DATA, dxDesc, wDesc, dyDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  way ways[WAYS];
  int count;
  status = measure_apart(handle, &problem, ways, &count);
  return status != CUDNN_STATUS_SUCCESS
             ? status
             : put_BackwardData(ways, count, requestedAlgoCount, returnedAlgoCount, perfResults);
}

cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
                                                          const void *w, const cudnnTensorDescriptor_t dyDesc,
                                                          const void *dy, const cudnnConvolutionDescriptor_t convDesc,
                                                          const cudnnTensorDescriptor_t dxDesc, void *dx,
                                                          const int requestedAlgoCount, int *returnedAlgoCount,
                                                          cudnnConvolutionBwdDataAlgoPerf_t *perfResults,
                                                          void *workSpace, size_t workSpaceSizeInBytes) {
  PROBLEM(UWDNN_DATA, dxDesc, wDesc, dyDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  const uwdnn_operands of = {dx, w, dy, 1, 0, workSpace};
  way ways[WAYS];
  int count;
  status = measure_ways(handle, &problem, &of, workSpace ? workSpaceSizeInBytes : 0, ways, &count);
  return status != CUDNN_STATUS_SUCCESS
             ? status
             : put_BackwardData(ways, count, requestedAlgoCount, returnedAlgoCount, perfResults);
}

#if CUDNN_MAJOR == 7
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm(cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
                                                       const cudnnTensorDescriptor_t dyDesc,
                                                       const cudnnConvolutionDescriptor_t convDesc,
                                                       const cudnnTensorDescriptor_t dxDesc,
                                                       cudnnConvolutionBwdDataPreference_t preference,
                                                       size_t memoryLimitInBytes, cudnnConvolutionBwdDataAlgo_t *algo) {
  PROBLEM(UWDNN_DATA, dxDesc, wDesc, dyDesc);
  NEED(algo && (unsigned)preference <= CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT);
  const size_t limit = preference == CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST ? SIZE_MAX
                       : preference == CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE ? 0
                                                                               : memoryLimitInBytes;
  *algo = (cudnnConvolutionBwdDataAlgo_t)pick(&problem, limit);
  return CUDNN_STATUS_SUCCESS;
}
#endif

/* --- BackwardFilter --- */

static cudnnStatus_t put_BackwardFilter(const way *ways, int count, int wanted, int *returned,
                                        cudnnConvolutionBwdFilterAlgoPerf_t *perf) {
  *returned = count < wanted ? count : wanted;
  for (int i = 0; i < *returned; i++)
    perf[i] = (cudnnConvolutionBwdFilterAlgoPerf_t){.algo = (cudnnConvolutionBwdFilterAlgo_t)ways[i].algorithm,
                                                    .status = CUDNN_STATUS_SUCCESS,
                                                    .time = ways[i].milliseconds,
                                                    .memory = ways[i].memory,
                                                    .determinism = CUDNN_DETERMINISTIC,
                                                    .mathType = CUDNN_DEFAULT_MATH};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int *count) {
  HANDLE;
  NEED(count);
  *count = uwdnn_algorithms(UWDNN_FILTER);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                             const cudnnTensorDescriptor_t dyDesc,
                                                             const cudnnConvolutionDescriptor_t convDesc,
                                                             const cudnnFilterDescriptor_t dwDesc,
                                                             cudnnConvolutionBwdFilterAlgo_t algo,
                                                             size_t *sizeInBytes) {
  PROBLEM(UWDNN_FILTER, xDesc, dwDesc, dyDesc);
  const int is_gemm = uwdnn_is_gemm(UWDNN_FILTER, (int)algo);
  NEED(sizeInBytes && is_gemm >= 0);
  *sizeInBytes = is_gemm ? uwdnn_columns_bytes(&problem) : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                            const cudnnTensorDescriptor_t dyDesc,
                                                            const cudnnConvolutionDescriptor_t convDesc,
                                                            const cudnnFilterDescriptor_t dwDesc,
                                                            const int requestedAlgoCount, int *returnedAlgoCount,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t *perfResults) {
  PROBLEM(UWDNN_FILTER, xDesc, dwDesc, dyDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  way ways[WAYS];
  rank_ways(&problem, ways);
  return put_BackwardFilter(ways, WAYS, requestedAlgoCount, returnedAlgoCount, perfResults);
}

cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                          const cudnnTensorDescriptor_t dyDesc,
                                                          const cudnnConvolutionDescriptor_t convDesc,
                                                          const cudnnFilterDescriptor_t dwDesc,
                                                          const int requestedAlgoCount, int *returnedAlgoCount,
                                                          cudnnConvolutionBwdFilterAlgoPerf_t *perfResults) {
  PROBLEM(UWDNN_FILTER, xDesc, dwDesc, dyDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  way ways[WAYS];
  int count;
  status = measure_apart(handle, &problem, ways, &count);
  return status != CUDNN_STATUS_SUCCESS
             ? status
             : put_BackwardFilter(ways, count, requestedAlgoCount, returnedAlgoCount, perfResults);
}

cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                            const void *x, const cudnnTensorDescriptor_t dyDesc,
                                                            const void *dy, const cudnnConvolutionDescriptor_t convDesc,
                                                            const cudnnFilterDescriptor_t dwDesc, void *dw,
                                                            const int requestedAlgoCount, int *returnedAlgoCount,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t *perfResults,
                                                            void *workSpace, size_t workSpaceSizeInBytes) {
  PROBLEM(UWDNN_FILTER, xDesc, dwDesc, dyDesc);
  NEED(requestedAlgoCount > 0 && returnedAlgoCount && perfResults);
  const uwdnn_operands of = {x, dw, dy, 1, 0, workSpace};
  way ways[WAYS];
  int count;
  status = measure_ways(handle, &problem, &of, workSpace ? workSpaceSizeInBytes : 0, ways, &count);
  return status != CUDNN_STATUS_SUCCESS
             ? status
             : put_BackwardFilter(ways, count, requestedAlgoCount, returnedAlgoCount, perfResults);
}

#if CUDNN_MAJOR == 7
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                         const cudnnTensorDescriptor_t dyDesc,
                                                         const cudnnConvolutionDescriptor_t convDesc,
                                                         const cudnnFilterDescriptor_t dwDesc,
                                                         cudnnConvolutionBwdFilterPreference_t preference,
                                                         size_t memoryLimitInBytes,
                                                         cudnnConvolutionBwdFilterAlgo_t *algo) {
  PROBLEM(UWDNN_FILTER, xDesc, dwDesc, dyDesc);
  NEED(algo && (unsigned)preference <= CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT);
  const size_t limit = preference == CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST ? SIZE_MAX
                       : preference == CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE ? 0
                                                                                 : memoryLimitInBytes;
  *algo = (cudnnConvolutionBwdFilterAlgo_t)pick(&problem, limit);
  return CUDNN_STATUS_SUCCESS;
}
#endif
