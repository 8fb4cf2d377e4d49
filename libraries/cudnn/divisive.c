/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: divisive normalisation without means, in doubles: as LRN, but the window is of space, n numbers wide in each
 * of its dimensions, within a channel. With d = k + alpha / n^dimensions * sum of squares over the window, y = x *
 * d^-beta and dx = dy * d^-beta - 2 * alpha * beta / n^dimensions * x * (sum of dy * x * d^(-beta-1) over the numbers
 * whose window has this one). What means do is documented nowhere: with some, it is not supported. */
#include <math.h>
#include <string.h>

#include "elements.h"
#include "lrn.h"

typedef struct divisive_call {
  struct cudnnLRNStruct lrn;
  uwdnn_view x, to;
  const void *x_at, *dy_at; /* null dy: forward */
  void *to_at;
  double alpha, beta;
} divisive_call;

/* Sums over windows along one dimension, of lines of `size` numbers that are `step` apart; mirrored: over the numbers
 * whose windows have this one. */
static void sum_lines(const divisive_call *call, const double *from, double *to, int64_t all, int64_t size,
                      int64_t step, int mirrored) {
  const int64_t less = (call->lrn.n - 1) / 2, more = (int64_t)call->lrn.n - 1 - less;
  const int64_t before = mirrored ? more : less, after = mirrored ? less : more;
#pragma omp parallel for if (all > 4096)
  for (int64_t i = 0; i < all; i++) {
    const int64_t place = i / step % size;
    const int64_t first = place > before ? place - before : 0, last = place + after < size ? place + after : size - 1;
    double sum = 0;
    for (int64_t j = first; j <= last; j++)
      sum += from[i + (j - place) * step];
    to[i] = sum;
  }
}

/* Over whole windows, in place. */
static void sum_windows(const divisive_call *call, double *numbers, double *room, int64_t all, int mirrored) {
  int64_t step = 1;
  for (int i = call->x.rank; i-- > 2; step *= call->x.dims[i]) {
    sum_lines(call, numbers, room, all, call->x.dims[i], step, mirrored);
    memcpy(numbers, room, (size_t)all * sizeof *room);
  }
}

static void run(const divisive_call *call) {
  const int64_t all = uwdnn_view_count(&call->x);
  const size_t bytes = (size_t)all * sizeof(double);
  const double beta = call->lrn.beta, scale = call->lrn.alpha / pow(call->lrn.n, call->x.rank - 2);
  double *x = uwdnn_memory(UWL_SCRATCH_A, bytes), *result = uwdnn_memory(UWL_SCRATCH_B, bytes);
  double *d = uwdnn_memory(UWL_SCRATCH_C, 2 * bytes), *sums = d + all, *dy = NULL;
  uwdnn_gather(&call->x, call->x_at, CUDNN_DATA_DOUBLE, x);
  for (int64_t i = 0; i < all; i++)
    d[i] = x[i] * x[i];
  sum_windows(call, d, result, all, 0);
  for (int64_t i = 0; i < all; i++)
    d[i] = call->lrn.k + scale * d[i];
  if (call->dy_at) {
    dy = uwdnn_memory(UWL_SCRATCH_WORK, bytes);
    uwdnn_gather(&call->x, call->dy_at, CUDNN_DATA_DOUBLE, dy);
    for (int64_t i = 0; i < all; i++)
      sums[i] = dy[i] * x[i] * pow(d[i], -beta - 1);
    sum_windows(call, sums, result, all, 1);
  }
  for (int64_t i = 0; i < all; i++)
    result[i] = dy ? dy[i] * pow(d[i], -beta) - 2 * beta * scale * x[i] * sums[i] : x[i] * pow(d[i], -beta);
  uwdnn_blend(&call->to, call->to_at, CUDNN_DATA_DOUBLE, result, call->alpha, call->beta);
}
UWL_OPERATION(cudnnDivisiveNormalizationForward, divisive_call) { run(call); }
UWL_OPERATION(cudnnDivisiveNormalizationBackward, divisive_call) { run(call); }

static cudnnStatus_t make(divisive_call *call, cudnnLRNDescriptor_t norm, cudnnDivNormMode_t mode, const void *alpha,
                          const void *beta, cudnnTensorDescriptor_t x, const void *x_at, cudnnTensorDescriptor_t to,
                          void *to_at, const void *temp, const void *temp2) {
  IS(lrn, norm);
  IS(tensor, x);
  IS(tensor, to);
  NEED(mode == CUDNN_DIVNORM_PRECOMPUTED_MEANS && alpha && beta && x_at && to_at && temp && temp2);
  NEED((x->view.rank == 4 || x->view.rank == 5) && uwdnn_same_dims(&x->view, &to->view));
  SUPPORTED(uwdnn_is_real(x->view.type) && uwdnn_is_real(to->view.type) && uwdnn_is_apart(&to->view));
  *call = (divisive_call){.lrn = *norm,
                          .x = x->view,
                          .to = to->view,
                          .x_at = x_at,
                          .to_at = to_at,
                          .alpha = uwdnn_scalar(&to->view, alpha),
                          .beta = uwdnn_scalar(&to->view, beta)};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDivisiveNormalizationForward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                                cudnnDivNormMode_t mode, const void *alpha,
                                                const cudnnTensorDescriptor_t xDesc, const void *x, const void *means,
                                                void *temp, void *temp2, const void *beta,
                                                const cudnnTensorDescriptor_t yDesc, void *y) {
  HANDLE;
  divisive_call call;
  TRY(make(&call, normDesc, mode, alpha, beta, xDesc, x, yDesc, y, temp, temp2));
  SUPPORTED(!means);
  GIVE(cudnnDivisiveNormalizationForward, call);
}

cudnnStatus_t cudnnDivisiveNormalizationBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                                 cudnnDivNormMode_t mode, const void *alpha,
                                                 const cudnnTensorDescriptor_t xDesc, const void *x, const void *means,
                                                 const void *dy, void *temp, void *temp2, const void *beta,
                                                 const cudnnTensorDescriptor_t dXdMeansDesc, void *dx, void *dMeans) {
  HANDLE;
  divisive_call call;
  TRY(make(&call, normDesc, mode, alpha, beta, xDesc, x, dXdMeansDesc, dx, temp, temp2));
  NEED(dy);
  SUPPORTED(!means && !dMeans);
  call.dy_at = dy;
  GIVE(cudnnDivisiveNormalizationBackward, call);
}
