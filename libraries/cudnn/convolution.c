/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: convolutions. Nothing of a call is written before all of it is checked. */
#include "convolution.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"

/* --- what a call is ----------------------------------------------------------------------------------------------- */

static int is_bytes(cudnnDataType_t type) { return type == CUDNN_DATA_INT8 || type == CUDNN_DATA_UINT8; }

/* Floating-point numbers all of one type; or bytes with bytes, forward only. */
int uwdnn_are_convolved(uwdnn_pass pass, const uwdnn_view *x, const uwdnn_view *w, const uwdnn_view *y,
                        cudnnDataType_t compute) {
  if (is_bytes(x->type))
    return pass == UWDNN_FORWARD && w->type == CUDNN_DATA_INT8 &&
           (is_bytes(y->type) || y->type == CUDNN_DATA_FLOAT || y->type == CUDNN_DATA_INT32) &&
           (compute == CUDNN_DATA_INT32 || compute == CUDNN_DATA_FLOAT);
  return uwdnn_is_number(x->type) && x->type != CUDNN_DATA_INT32 && x->type == w->type && x->type == y->type &&
         uwdnn_is_number(compute) && compute != CUDNN_DATA_INT32 && !is_bytes(compute);
}

static void turn(uwdnn_problem *problem) {
  for (int i = 2; i < problem->w.rank; i++) {
    problem->turned += (int)((problem->w.dims[i] - 1) * problem->w.strides[i]) * problem->w.vector;
    problem->w.strides[i] = -problem->w.strides[i];
  }
}

static void fill_space(uwdnn_problem *p, const struct cudnnConvolutionStruct *convolution) {
  for (int i = 0; i < UWDNN_SPACE; i++)
    p->in[i] = p->kernel[i] = p->out[i] = p->stride[i] = p->dilation[i] = 1;
  for (int from = 0, to = UWDNN_SPACE - convolution->rank; from < convolution->rank; from++, to++) {
    p->in[to] = p->x.dims[from + 2];
    p->kernel[to] = p->w.dims[from + 2];
    p->out[to] = p->y.dims[from + 2];
    p->pad[to] = convolution->pad[from];
    p->stride[to] = convolution->stride[from];
    p->dilation[to] = convolution->dilation[from];
  }
}

cudnnStatus_t uwdnn_problem_of(uwdnn_problem *problem, uwdnn_pass pass, const uwdnn_view *x, const uwdnn_view *w,
                               const uwdnn_view *y, const struct cudnnConvolutionStruct *convolution) {
  memset(problem, 0, sizeof *problem);
  problem->x = *x;
  problem->w = *w;
  problem->y = *y;
  problem->pass = pass;
  problem->space = convolution->rank;
  problem->groups = convolution->groups;
  problem->n = x->dims[0];
  problem->c = x->dims[1];
  problem->k = w->dims[0];
  fill_space(problem, convolution);
  if (convolution->mode == CUDNN_CONVOLUTION)
    turn(problem);
  SUPPORTED(pass == UWDNN_FILTER || uwdnn_is_apart(uwdnn_result(problem)));
  const int64_t most = problem->c / problem->groups * uwdnn_product3(problem->kernel) * uwdnn_product3(problem->out);
  SUPPORTED(most <= INT64_MAX / 16 && uwdnn_product3(problem->out) <= INT_MAX);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_convolution_problem(uwdnn_problem *problem, uwdnn_pass pass, cudnnTensorDescriptor_t x,
                                        cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t convolution,
                                        cudnnTensorDescriptor_t y) {
  IS(tensor, x);
  IS(filter, w);
  IS(convolution, convolution);
  IS(tensor, y);
  int64_t dims[CUDNN_DIM_MAX];
  cudnnStatus_t status = uwdnn_convolution_dims(convolution, &x->view, &w->view, dims);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  NEED(y->view.rank == x->view.rank && !memcmp(dims, y->view.dims, (size_t)y->view.rank * sizeof *dims));
  SUPPORTED(uwdnn_are_convolved(pass, &x->view, &w->view, &y->view, convolution->compute));
  return uwdnn_problem_of(problem, pass, &x->view, &w->view, &y->view, convolution);
}

int uwdnn_algorithms(uwdnn_pass pass) {
  return pass == UWDNN_FORWARD ? CUDNN_CONVOLUTION_FWD_ALGO_COUNT
         : pass == UWDNN_DATA  ? CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT
                               : CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
}

int uwdnn_is_gemm(uwdnn_pass pass, int algorithm) {
  if (algorithm < 0 || algorithm >= uwdnn_algorithms(pass))
    return -1;
  return pass == UWDNN_FORWARD ? algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM
         : pass == UWDNN_DATA  ? algorithm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_0
                               : algorithm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0;
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

typedef struct convolution_call {
  uwdnn_problem problem;
  uwdnn_operands of;
  int by_onednn;
} convolution_call;

static const void *compute(const uwdnn_problem *problem, const uwdnn_operands *of, int by_onednn,
                           cudnnDataType_t *type) {
  *type = uwdnn_convolution_number(problem);
  return by_onednn ? uwdnn_onednn_convolve(problem, of, type) : uwdnn_gemm_convolve(problem, of);
}

static void convolve(const convolution_call *call) {
  const uwdnn_problem *p = &call->problem;
  cudnnDataType_t type;
  const void *found = compute(p, &call->of, call->by_onednn, &type);
  const void *result = p->pass == UWDNN_FORWARD ? call->of.y : p->pass == UWDNN_DATA ? call->of.x : call->of.w;
  if (found)
    uwdnn_blend(uwdnn_result(p), (void *)result, type, found, call->of.alpha, call->of.beta);
}
UWL_OPERATION(cudnnConvolutionForward, convolution_call) { convolve(call); }
UWL_OPERATION(cudnnConvolutionBackwardData, convolution_call) { convolve(call); }
UWL_OPERATION(cudnnConvolutionBackwardFilter, convolution_call) { convolve(call); }

/* Which way, and with what memory for columns. */
static cudnnStatus_t choose(const uwdnn_problem *problem, int algorithm, uwdnn_operands *of, size_t workspace_bytes,
                            int *by_onednn) {
  const int is_gemm = uwdnn_is_gemm((uwdnn_pass)problem->pass, algorithm);
  NEED(is_gemm >= 0);
  if (is_gemm) {
    NEED(workspace_bytes >= uwdnn_columns_bytes(problem));
    NEED(of->columns || !uwdnn_columns_bytes(problem));
  } else
    of->columns = NULL;
  *by_onednn = !is_gemm && uwdnn_onednn_convolves(problem);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_convolve(cudnnHandle_t handle, const uwdnn_problem *problem, int algorithm,
                             uwdnn_operands *operands, size_t workspace_bytes) {
  NEED(operands->x && operands->w && operands->y);
  convolution_call call = {.problem = *problem, .of = *operands};
  call.problem.in_place = operands->alpha == 1 && operands->beta == 0;
  cudnnStatus_t status = choose(&call.problem, algorithm, &call.of, workspace_bytes, &call.by_onednn);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  call.of.w = (const char *)call.of.w + problem->turned * (int64_t)uwdnn_type_bytes(problem->w.type);
  if (problem->pass == UWDNN_FORWARD)
    GIVE(cudnnConvolutionForward, call);
  if (problem->pass == UWDNN_DATA)
    GIVE(cudnnConvolutionBackwardData, call);
  GIVE(cudnnConvolutionBackwardFilter, call);
}

#define PROBLEM(pass, x, w, y)                                                                                         \
  HANDLE;                                                                                                              \
  uwdnn_problem problem;                                                                                               \
  cudnnStatus_t status = uwdnn_convolution_problem(&problem, pass, x, w, convDesc, y);                                 \
  if (status != CUDNN_STATUS_SUCCESS)                                                                                  \
  return status

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xDesc,
                                      const void *x, const cudnnFilterDescriptor_t wDesc, const void *w,
                                      const cudnnConvolutionDescriptor_t convDesc, cudnnConvolutionFwdAlgo_t algo,
                                      void *workSpace, size_t workSpaceSizeInBytes, const void *beta,
                                      const cudnnTensorDescriptor_t yDesc, void *y) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  NEED(alpha && beta);
  uwdnn_operands of = {x, w, y, uwdnn_scalar(&problem.y, alpha), uwdnn_scalar(&problem.y, beta), workSpace};
  return uwdnn_convolve(handle, &problem, (int)algo, &of, workSpaceSizeInBytes);
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t wDesc,
                                           const void *w, const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                           const cudnnConvolutionDescriptor_t convDesc,
                                           cudnnConvolutionBwdDataAlgo_t algo, void *workSpace,
                                           size_t workSpaceSizeInBytes, const void *beta,
                                           const cudnnTensorDescriptor_t dxDesc, void *dx) {
  PROBLEM(UWDNN_DATA, dxDesc, wDesc, dyDesc);
  NEED(alpha && beta);
  uwdnn_operands of = {dx, w, dy, uwdnn_scalar(&problem.x, alpha), uwdnn_scalar(&problem.x, beta), workSpace};
  return uwdnn_convolve(handle, &problem, (int)algo, &of, workSpaceSizeInBytes);
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void *alpha,
                                             const cudnnTensorDescriptor_t xDesc, const void *x,
                                             const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                             const cudnnConvolutionDescriptor_t convDesc,
                                             cudnnConvolutionBwdFilterAlgo_t algo, void *workSpace,
                                             size_t workSpaceSizeInBytes, const void *beta,
                                             const cudnnFilterDescriptor_t dwDesc, void *dw) {
  PROBLEM(UWDNN_FILTER, xDesc, dwDesc, dyDesc);
  NEED(alpha && beta);
  uwdnn_operands of = {x, dw, dy, uwdnn_scalar(&problem.w, alpha), uwdnn_scalar(&problem.w, beta), workSpace};
  return uwdnn_convolve(handle, &problem, (int)algo, &of, workSpaceSizeInBytes);
}

/* --- bias --------------------------------------------------------------------------------------------------------- */

typedef struct bias_call {
  uwdnn_view dy, db;
  const void *from;
  void *to;
  double alpha, beta;
} bias_call;

UWL_OPERATION(cudnnConvolutionBackwardBias, bias_call) {
  const int64_t n = call->dy.dims[0], channels = call->dy.dims[1], pixels = uwdnn_view_count(&call->dy) / n / channels;
  double *sums = uwdnn_memory(UWL_SCRATCH_B, (size_t)channels * sizeof *sums);
  double *all = uwdnn_memory(UWL_SCRATCH_A, (size_t)uwdnn_view_count(&call->dy) * sizeof *all);
  uwdnn_gather(&call->dy, call->from, CUDNN_DATA_DOUBLE, all);
#pragma omp parallel for
  for (int64_t c = 0; c < channels; c++) {
    sums[c] = 0;
    for (int64_t i = 0; i < n; i++)
      for (int64_t at = 0; at < pixels; at++)
        sums[c] += all[(i * channels + c) * pixels + at];
  }
  uwdnn_blend(&call->db, call->to, CUDNN_DATA_DOUBLE, sums, call->alpha, call->beta);
}

/* One number for each channel. */
static int is_bias_of(const uwdnn_view *bias, const uwdnn_view *y) {
  if (bias->rank < 2 || bias->dims[1] != y->dims[1])
    return 0;
  return uwdnn_view_count(bias) == bias->dims[1];
}

cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha,
                                           const cudnnTensorDescriptor_t dyDesc, const void *dy, const void *beta,
                                           const cudnnTensorDescriptor_t dbDesc, void *db) {
  HANDLE;
  IS(tensor, dyDesc);
  IS(tensor, dbDesc);
  NEED(alpha && beta && dy && db && dyDesc->view.rank >= 2 && is_bias_of(&dbDesc->view, &dyDesc->view));
  NEED(dyDesc->view.type == dbDesc->view.type);
  SUPPORTED(uwdnn_is_number(dyDesc->view.type) && uwdnn_is_apart(&dbDesc->view));
  const bias_call call = {
      dyDesc->view, dbDesc->view, dy, db, uwdnn_scalar(&dbDesc->view, alpha), uwdnn_scalar(&dbDesc->view, beta)};
  GIVE(cudnnConvolutionBackwardBias, call);
}

/* y = activation(alpha1 * convolution + alpha2 * z + bias) */
typedef struct fused_call {
  convolution_call convolution;
  uwdnn_view z, bias;
  const void *z_at, *bias_at;
  double alpha_z;
  struct cudnnActivationStruct activation;
} fused_call;

UWL_OPERATION(cudnnConvolutionBiasActivationForward, fused_call) {
  const uwdnn_problem *p = &call->convolution.problem;
  const int64_t count = uwdnn_view_count(&p->y), pixels = uwdnn_product3(p->out);
  cudnnDataType_t type;
  const void *found = compute(p, &call->convolution.of, call->convolution.by_onednn, &type);
  double *sums = uwdnn_memory(UWL_SCRATCH_A, (size_t)count * sizeof *sums);
  double *biases = uwdnn_memory(UWL_SCRATCH_B, (size_t)p->k * sizeof *biases);
  uwdnn_gather(&call->bias, call->bias_at, CUDNN_DATA_DOUBLE, biases);
  uwdnn_view packed = {.type = CUDNN_DATA_DOUBLE, .rank = 1, .vector = 1, .dims = {count}, .strides = {1}};
  if (call->alpha_z != 0)
    uwdnn_gather(&call->z, call->z_at, CUDNN_DATA_DOUBLE, sums);
  uwdnn_blend(&packed, sums, type, found, call->convolution.of.alpha, call->alpha_z);
#pragma omp parallel for
  for (int64_t row = 0; row < p->n * p->k; row++)
    for (int64_t i = row * pixels; i < (row + 1) * pixels; i++)
      sums[i] = uwdnn_activate(&call->activation, sums[i] + biases[row % p->k]);
  uwdnn_blend(&p->y, (void *)call->convolution.of.y, CUDNN_DATA_DOUBLE, sums, 1, 0);
}

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnConvolutionDescriptor_t convDesc,
    cudnnConvolutionFwdAlgo_t algo, void *workSpace, size_t workSpaceSizeInBytes, const void *alpha2,
    const cudnnTensorDescriptor_t zDesc, const void *z, const cudnnTensorDescriptor_t biasDesc, const void *bias,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t yDesc, void *y) {
  PROBLEM(UWDNN_FORWARD, xDesc, wDesc, yDesc);
  IS(tensor, zDesc);
  IS(tensor, biasDesc);
  IS(activation, activationDesc);
  NEED(alpha1 && alpha2 && x && w && y && bias && activationDesc->is_set);
  NEED(uwdnn_same_dims(&zDesc->view, &yDesc->view) && is_bias_of(&biasDesc->view, &yDesc->view));
  SUPPORTED(uwdnn_is_number(zDesc->view.type) && uwdnn_is_number(biasDesc->view.type));
  fused_call call = {
      .convolution = {.problem = problem, .of = {x, w, y, uwdnn_scalar(&problem.y, alpha1), 0, workSpace}},
      .z = zDesc->view,
      .bias = biasDesc->view,
      .z_at = z,
      .bias_at = bias,
      .alpha_z = uwdnn_scalar(&problem.y, alpha2),
      .activation = *activationDesc};
  NEED(z || call.alpha_z == 0);
  status = choose(&problem, (int)algo, &call.convolution.of, workSpaceSizeInBytes, &call.convolution.by_onednn);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  call.convolution.of.w = (const char *)w + problem.turned * (int64_t)uwdnn_type_bytes(problem.w.type);
  GIVE(cudnnConvolutionBiasActivationForward, call);
}
