/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: normalisation over neighbouring channels, in doubles. With d = k + alpha / n * sum of squares over the window
 * around a channel, y = x * d^-beta and dx = dy * d^-beta - 2 * alpha * beta / n * x * (sum of dy * y / d over the
 * channels whose window has this one). */
#include <math.h>

#include "elements.h"
#include "lrn.h"

const char uwdnn_lrn_kind;

cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *normDesc) {
  TRY(uwdnn_new(normDesc, sizeof **normDesc, &uwdnn_lrn_kind));
  **normDesc = (struct cudnnLRNStruct){5, 1e-4, 0.75, 2};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t lrnDesc) { return uwdnn_free(lrnDesc, &uwdnn_lrn_kind); }

cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned lrnN, double lrnAlpha, double lrnBeta,
                                    double lrnK) {
  IS(lrn, normDesc);
  NEED(lrnN >= CUDNN_LRN_MIN_N && lrnN <= CUDNN_LRN_MAX_N && lrnK >= CUDNN_LRN_MIN_K && lrnBeta >= CUDNN_LRN_MIN_BETA);
  *normDesc = (struct cudnnLRNStruct){lrnN, lrnAlpha, lrnBeta, lrnK};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned *lrnN, double *lrnAlpha, double *lrnBeta,
                                    double *lrnK) {
  IS(lrn, normDesc);
  PUT(lrnN, normDesc->n);
  PUT(lrnAlpha, normDesc->alpha);
  PUT(lrnBeta, normDesc->beta);
  PUT(lrnK, normDesc->k);
  return CUDNN_STATUS_SUCCESS;
}

typedef struct lrn_call {
  struct cudnnLRNStruct lrn;
  uwdnn_view x, dy, to;
  const void *x_at, *dy_at;
  void *to_at;
  double alpha, beta;
} lrn_call;

/* The channels that the window of c has; mirrored: whose windows have c. */
static void window_of(const lrn_call *call, int64_t c, int mirrored, int64_t channels, int64_t *from, int64_t *to) {
  const int64_t before = (call->lrn.n - 1) / 2, after = (int64_t)call->lrn.n - 1 - before;
  *from = c - (mirrored ? after : before);
  *to = c + (mirrored ? before : after) + 1;
  *from = *from > 0 ? *from : 0;
  *to = *to < channels ? *to : channels;
}

static double scale_at(const lrn_call *call, const double *x, int64_t c, int64_t channels, int64_t step) {
  int64_t from, to;
  double sum = 0;
  for (window_of(call, c, 0, channels, &from, &to); from < to; from++)
    sum += x[from * step] * x[from * step];
  return call->lrn.k + call->lrn.alpha / call->lrn.n * sum;
}

/* All channels at one place. scales and dy null: forward. */
static void normalize(const lrn_call *call, const double *x, const double *dy, double *scales, double *result,
                      int64_t channels, int64_t step) {
  const double beta = call->lrn.beta, factor = 2 * call->lrn.alpha * beta / call->lrn.n;
  for (int64_t c = 0; c < channels; c++) {
    const double scale = scale_at(call, x, c, channels, step);
    if (dy)
      scales[c * step] = scale;
    else
      result[c * step] = x[c * step] * pow(scale, -beta);
  }
  for (int64_t c = 0; dy && c < channels; c++) {
    int64_t from, to;
    double sum = 0;
    for (window_of(call, c, 1, channels, &from, &to); from < to; from++)
      sum += dy[from * step] * x[from * step] * pow(scales[from * step], -beta - 1);
    result[c * step] = dy[c * step] * pow(scales[c * step], -beta) - factor * x[c * step] * sum;
  }
}

static void run(const lrn_call *call) {
  const int64_t channels = call->x.dims[1], all = uwdnn_view_count(&call->x), step = all / channels / call->x.dims[0];
  double *x = uwdnn_memory(UWL_SCRATCH_A, (size_t)all * sizeof *x), *dy = NULL, *scales = NULL;
  double *result = uwdnn_memory(UWL_SCRATCH_B, (size_t)all * sizeof *result);
  uwdnn_gather(&call->x, call->x_at, CUDNN_DATA_DOUBLE, x);
  if (call->dy_at) {
    dy = uwdnn_memory(UWL_SCRATCH_C, (size_t)all * sizeof *dy);
    scales = uwdnn_memory(UWL_SCRATCH_WORK, (size_t)all * sizeof *scales);
    uwdnn_gather(&call->dy, call->dy_at, CUDNN_DATA_DOUBLE, dy);
  }
#pragma omp parallel for if (all > 4096)
  for (int64_t i = 0; i < all / channels; i++) {
    const int64_t at = i / step * channels * step + i % step;
    normalize(call, x + at, dy ? dy + at : NULL, dy ? scales + at : NULL, result + at, channels, step);
  }
  uwdnn_blend(&call->to, call->to_at, CUDNN_DATA_DOUBLE, result, call->alpha, call->beta);
}
UWL_OPERATION(cudnnLRNCrossChannelForward, lrn_call) { run(call); }
UWL_OPERATION(cudnnLRNCrossChannelBackward, lrn_call) { run(call); }

static cudnnStatus_t make(lrn_call *call, cudnnLRNDescriptor_t norm, cudnnLRNMode_t mode, const void *alpha,
                          const void *beta, cudnnTensorDescriptor_t x, const void *x_at, cudnnTensorDescriptor_t to,
                          void *to_at) {
  IS(lrn, norm);
  IS(tensor, x);
  IS(tensor, to);
  NEED(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1 && alpha && beta && x_at && to_at);
  NEED(x->view.rank >= 2 && uwdnn_same_dims(&x->view, &to->view));
  SUPPORTED(uwdnn_is_real(x->view.type) && uwdnn_is_real(to->view.type) && uwdnn_is_apart(&to->view));
  *call = (lrn_call){.lrn = *norm,
                     .x = x->view,
                     .to = to->view,
                     .x_at = x_at,
                     .to_at = to_at,
                     .alpha = uwdnn_scalar(&to->view, alpha),
                     .beta = uwdnn_scalar(&to->view, beta)};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc, cudnnLRNMode_t lrnMode,
                                          const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                          const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
  HANDLE;
  lrn_call call;
  TRY(make(&call, normDesc, lrnMode, alpha, beta, xDesc, x, yDesc, y));
  GIVE(cudnnLRNCrossChannelForward, call);
}

cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc, cudnnLRNMode_t lrnMode,
                                           const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                           const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                           const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                           const cudnnTensorDescriptor_t dxDesc, void *dx) {
  (void)y, (void)yDesc;
  HANDLE;
  lrn_call call;
  TRY(make(&call, normDesc, lrnMode, alpha, beta, xDesc, x, dxDesc, dx));
  IS(tensor, dyDesc);
  NEED(dy && uwdnn_same_dims(&dyDesc->view, &call.x));
  SUPPORTED(uwdnn_is_real(dyDesc->view.type));
  call.dy = dyDesc->view;
  call.dy_at = dy;
  GIVE(cudnnLRNCrossChannelBackward, call);
}
