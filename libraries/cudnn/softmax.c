/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: softmax, in doubles. A tensor is outer * channels * inner numbers, and each sum goes over the channels. */
#include <math.h>

#include "elements.h"

typedef struct softmax_call {
  int is_log;
  int64_t outer, channels, inner;
  uwdnn_view y, from, to; /* from: x, or dy */
  const void *y_at, *from_at;
  void *to_at;
  double alpha, beta;
} softmax_call;

enum { COLUMNS = 64 };

/* count columns of channels that lie inner apart, in place. */
static void forward_columns(const softmax_call *call, double *x, int64_t count) {
  double most[COLUMNS], sum[COLUMNS];
  for (int64_t i = 0; i < count; i++) {
    most[i] = x[i];
    sum[i] = 0;
  }
  for (int64_t c = 1; c < call->channels; c++)
    for (int64_t i = 0; i < count; i++)
      most[i] = x[c * call->inner + i] > most[i] ? x[c * call->inner + i] : most[i];
  for (int64_t c = 0; c < call->channels; c++)
    for (int64_t i = 0; i < count; i++) {
      double *at = &x[c * call->inner + i], power = exp(*at - most[i]);
      sum[i] += power;
      *at = call->is_log ? *at - most[i] : power;
    }
  for (int64_t i = 0; i < count; i++)
    sum[i] = call->is_log ? log(sum[i]) : 1 / sum[i];
  for (int64_t c = 0; c < call->channels; c++)
    for (int64_t i = 0; i < count; i++)
      x[c * call->inner + i] = call->is_log ? x[c * call->inner + i] - sum[i] : x[c * call->inner + i] * sum[i];
}

/* dx = y * (dy - sum of y * dy), or dy - exp(y) * sum of dy */
static void backward_columns(const softmax_call *call, const double *y, double *dy, int64_t count) {
  double sum[COLUMNS] = {0};
  for (int64_t c = 0; c < call->channels; c++)
    for (int64_t i = 0; i < count; i++)
      sum[i] += (call->is_log ? 1 : y[c * call->inner + i]) * dy[c * call->inner + i];
  for (int64_t c = 0; c < call->channels; c++)
    for (int64_t i = 0; i < count; i++) {
      const int64_t at = c * call->inner + i;
      dy[at] = call->is_log ? dy[at] - exp(y[at]) * sum[i] : y[at] * (dy[at] - sum[i]);
    }
}

static void softmax(const softmax_call *call) {
  const int64_t all = call->outer * call->channels * call->inner, blocks = (call->inner + COLUMNS - 1) / COLUMNS;
  double *numbers = uwdnn_memory(UWL_SCRATCH_A, (size_t)all * sizeof *numbers), *y = NULL;
  uwdnn_gather(&call->from, call->from_at, CUDNN_DATA_DOUBLE, numbers);
  if (call->y_at) {
    y = uwdnn_memory(UWL_SCRATCH_B, (size_t)all * sizeof *y);
    uwdnn_gather(&call->y, call->y_at, CUDNN_DATA_DOUBLE, y);
  }
#pragma omp parallel for if (all > 4096)
  for (int64_t task = 0; task < call->outer * blocks; task++) {
    const int64_t first = task % blocks * COLUMNS, at = task / blocks * call->channels * call->inner + first;
    const int64_t count = call->inner - first < COLUMNS ? call->inner - first : COLUMNS;
    if (y)
      backward_columns(call, y + at, numbers + at, count);
    else
      forward_columns(call, numbers + at, count);
  }
  uwdnn_blend(&call->to, call->to_at, CUDNN_DATA_DOUBLE, numbers, call->alpha, call->beta);
}
UWL_OPERATION(cudnnSoftmaxForward, softmax_call) { softmax(call); }
UWL_OPERATION(cudnnSoftmaxBackward, softmax_call) { softmax(call); }

static cudnnStatus_t make(softmax_call *call, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode, const void *alpha,
                          const void *beta, cudnnTensorDescriptor_t from, const void *from_at,
                          cudnnTensorDescriptor_t to, void *to_at) {
  IS(tensor, from);
  IS(tensor, to);
  NEED((unsigned)algo <= CUDNN_SOFTMAX_LOG && (unsigned)mode <= CUDNN_SOFTMAX_MODE_CHANNEL);
  NEED(alpha && beta && from_at && to_at && from->view.rank >= 2 && uwdnn_same_dims(&from->view, &to->view));
  SUPPORTED(uwdnn_is_real(from->view.type) && uwdnn_is_real(to->view.type) && uwdnn_is_apart(&to->view));
  *call = (softmax_call){.is_log = algo == CUDNN_SOFTMAX_LOG,
                         .outer = to->view.dims[0],
                         .channels = to->view.dims[1],
                         .from = from->view,
                         .to = to->view,
                         .from_at = from_at,
                         .to_at = to_at,
                         .alpha = uwdnn_scalar(&to->view, alpha),
                         .beta = uwdnn_scalar(&to->view, beta)};
  call->inner = uwdnn_view_count(&to->view) / call->outer / call->channels;
  if (mode == CUDNN_SOFTMAX_MODE_INSTANCE) {
    call->channels *= call->inner;
    call->inner = 1;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
                                  const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                  const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
  HANDLE;
  softmax_call call;
  TRY(make(&call, algo, mode, alpha, beta, xDesc, x, yDesc, y));
  GIVE(cudnnSoftmaxForward, call);
}

cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
                                   const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                   const cudnnTensorDescriptor_t dyDesc, const void *dy, const void *beta,
                                   const cudnnTensorDescriptor_t dxDesc, void *dx) {
  HANDLE;
  softmax_call call;
  TRY(make(&call, algo, mode, alpha, beta, dyDesc, dy, dxDesc, dx));
  IS(tensor, yDesc);
  NEED(y && uwdnn_same_dims(&yDesc->view, &call.to));
  SUPPORTED(uwdnn_is_real(yDesc->view.type));
  call.y = yDesc->view;
  call.y_at = y;
  GIVE(cudnnSoftmaxBackward, call);
}
