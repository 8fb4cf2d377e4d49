/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: pooling, a plane of numbers at a time. Space is three dimensions, the first of which are 1 where there are
 * fewer. The gradient of a maximum goes to the first number of the window that has it. */
#include <math.h>
#include <string.h>

#include "elements.h"

enum { SPACE = 3 };

static const char pooling_kind;
#define uwdnn_pooling_kind pooling_kind

struct cudnnPoolingStruct {
  int rank; /* of space; 0: not set yet */
  cudnnPoolingMode_t mode;
  cudnnNanPropagation_t nan;
  int window[CUDNN_DIM_MAX], pad[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX];
};

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *poolingDesc) {
  return uwdnn_new(poolingDesc, sizeof **poolingDesc, &pooling_kind);
}
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t poolingDesc) {
  return uwdnn_free(poolingDesc, &pooling_kind);
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t poolingDesc, const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                                          const int windowDimA[], const int paddingA[], const int strideA[]) {
  IS(pooling, poolingDesc);
  NEED((unsigned)mode <= CUDNN_POOLING_MAX_DETERMINISTIC && (unsigned)maxpoolingNanOpt <= CUDNN_PROPAGATE_NAN);
  NEED(nbDims >= 1 && windowDimA && paddingA && strideA);
  SUPPORTED(nbDims <= CUDNN_DIM_MAX - 2);
  struct cudnnPoolingStruct made = {.rank = nbDims, .mode = mode, .nan = maxpoolingNanOpt};
  for (int i = 0; i < nbDims; i++) {
    NEED(windowDimA[i] > 0 && paddingA[i] >= 0 && strideA[i] > 0);
    made.window[i] = windowDimA[i];
    made.pad[i] = paddingA[i];
    made.stride[i] = strideA[i];
  }
  *poolingDesc = made;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t poolingDesc, int nbDimsRequested,
                                          cudnnPoolingMode_t *mode, cudnnNanPropagation_t *maxpoolingNanOpt,
                                          int *nbDims, int windowDimA[], int paddingA[], int strideA[]) {
  IS(pooling, poolingDesc);
  NEED(nbDimsRequested >= 0);
  PUT(mode, poolingDesc->mode);
  PUT(maxpoolingNanOpt, poolingDesc->nan);
  PUT(nbDims, poolingDesc->rank);
  for (int i = 0; i < nbDimsRequested && i < poolingDesc->rank; i++) {
    if (windowDimA)
      windowDimA[i] = poolingDesc->window[i];
    if (paddingA)
      paddingA[i] = poolingDesc->pad[i];
    if (strideA)
      strideA[i] = poolingDesc->stride[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t poolingDesc, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t maxpoolingNanOpt, int windowHeight, int windowWidth,
                                          int verticalPadding, int horizontalPadding, int verticalStride,
                                          int horizontalStride) {
  return cudnnSetPoolingNdDescriptor(poolingDesc, mode, maxpoolingNanOpt, 2, (const int[]){windowHeight, windowWidth},
                                     (const int[]){verticalPadding, horizontalPadding},
                                     (const int[]){verticalStride, horizontalStride});
}

cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t poolingDesc, cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *maxpoolingNanOpt, int *windowHeight, int *windowWidth,
                                          int *verticalPadding, int *horizontalPadding, int *verticalStride,
                                          int *horizontalStride) {
  IS(pooling, poolingDesc);
  NEED(poolingDesc->rank == 2);
  PUT(mode, poolingDesc->mode);
  PUT(maxpoolingNanOpt, poolingDesc->nan);
  PUT(windowHeight, poolingDesc->window[0]);
  PUT(windowWidth, poolingDesc->window[1]);
  PUT(verticalPadding, poolingDesc->pad[0]);
  PUT(horizontalPadding, poolingDesc->pad[1]);
  PUT(verticalStride, poolingDesc->stride[0]);
  PUT(horizontalStride, poolingDesc->stride[1]);
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t output(const struct cudnnPoolingStruct *pooling, const uwdnn_view *x, int *dims) {
  NEED(pooling->rank && x->rank == pooling->rank + 2);
  for (int i = 0; i < x->rank; i++) {
    dims[i] = (int)x->dims[i];
    if (i < 2)
      continue;
    const int room = dims[i] + 2 * pooling->pad[i - 2] - pooling->window[i - 2];
    NEED(room >= 0);
    dims[i] = room / pooling->stride[i - 2] + 1;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                const cudnnTensorDescriptor_t inputTensorDesc, int nbDims,
                                                int outputTensorDimA[]) {
  IS(pooling, poolingDesc);
  IS(tensor, inputTensorDesc);
  NEED(nbDims == inputTensorDesc->view.rank && outputTensorDimA);
  return output(poolingDesc, &inputTensorDesc->view, outputTensorDimA);
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                const cudnnTensorDescriptor_t inputTensorDesc, int *n, int *c, int *h,
                                                int *w) {
  IS(pooling, poolingDesc);
  IS(tensor, inputTensorDesc);
  NEED(inputTensorDesc->view.rank == 4);
  int dims[CUDNN_DIM_MAX];
  TRY(output(poolingDesc, &inputTensorDesc->view, dims));
  PUT(n, dims[0]);
  PUT(c, dims[1]);
  PUT(h, dims[2]);
  PUT(w, dims[3]);
  return CUDNN_STATUS_SUCCESS;
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

typedef struct pooling_call {
  uwdnn_view x, y, dy, dx;
  const void *x_at, *dy_at;
  void *to;
  int mode, keeps_nan;
  int64_t planes, in[SPACE], out[SPACE], window[SPACE], pad[SPACE], stride[SPACE];
  double alpha, beta;
} pooling_call;

/* A window's part that is not padding. */
typedef struct window {
  int64_t from[SPACE], to[SPACE], padded, count;
} window;

static window window_at(const pooling_call *call, int64_t index) {
  window found = {.padded = 1, .count = 1};
  for (int i = SPACE; i-- > 0; index /= call->out[i]) {
    const int64_t first = index % call->out[i] * call->stride[i] - call->pad[i], end = first + call->window[i];
    found.from[i] = first > 0 ? first : 0;
    found.to[i] = end < call->in[i] ? end : call->in[i];
    found.padded *= call->window[i];
    found.count *= found.to[i] - found.from[i];
  }
  return found;
}

#define EACH(w, call, at)                                                                                              \
  for (int64_t z = (w).from[0]; z < (w).to[0]; z++)                                                                    \
    for (int64_t y = (w).from[1]; y < (w).to[1]; y++)                                                                  \
      for (int64_t at = (z * (call)->in[1] + y) * (call)->in[2] + (w).from[2],                                         \
                   end_##at = at - (w).from[2] + (w).to[2];                                                            \
           at < end_##at; at++)

static int is_max(const pooling_call *call) {
  return call->mode == CUDNN_POOLING_MAX || call->mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

static int64_t place_of_max(const pooling_call *call, const window *w, const double *x) {
  int64_t best = -1;
  EACH(*w, call, at) {
    if (best < 0 || x[at] > x[best] || (x[best] != x[best] && !call->keeps_nan && x[at] == x[at]) ||
        (x[at] != x[at] && call->keeps_nan && x[best] == x[best]))
      best = at;
  }
  return best;
}

static double share(const pooling_call *call, const window *w) {
  return 1 / (double)(call->mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? w->padded : w->count);
}

static void forward_plane(const pooling_call *call, const double *x, double *y, int64_t outputs) {
  for (int64_t i = 0; i < outputs; i++) {
    const window w = window_at(call, i);
    if (is_max(call))
      y[i] = x[place_of_max(call, &w, x)];
    else {
      double sum = 0;
      EACH(w, call, at)
      sum += x[at];
      y[i] = sum * share(call, &w);
    }
  }
}

static void backward_plane(const pooling_call *call, const double *x, const double *dy, double *dx, int64_t outputs) {
  for (int64_t i = 0; i < outputs; i++) {
    const window w = window_at(call, i);
    if (is_max(call))
      dx[place_of_max(call, &w, x)] += dy[i];
    else {
      const double each = dy[i] * share(call, &w);
      EACH(w, call, at)
      dx[at] += each;
    }
  }
}

static int64_t product(const int64_t *of) { return of[0] * of[1] * of[2]; }

UWL_OPERATION(cudnnPoolingForward, pooling_call) {
  const int64_t inputs = product(call->in), outputs = product(call->out);
  double *x = uwdnn_memory(UWL_SCRATCH_A, (size_t)(call->planes * inputs) * sizeof *x);
  double *y = uwdnn_memory(UWL_SCRATCH_B, (size_t)(call->planes * outputs) * sizeof *y);
  uwdnn_gather(&call->x, call->x_at, CUDNN_DATA_DOUBLE, x);
#pragma omp parallel for if (call->planes * inputs > 4096)
  for (int64_t plane = 0; plane < call->planes; plane++)
    forward_plane(call, x + plane * inputs, y + plane * outputs, outputs);
  uwdnn_blend(&call->y, call->to, CUDNN_DATA_DOUBLE, y, call->alpha, call->beta);
}

UWL_OPERATION(cudnnPoolingBackward, pooling_call) {
  const int64_t inputs = product(call->in), outputs = product(call->out);
  double *x = NULL, *dx = uwdnn_memory(UWL_SCRATCH_C, (size_t)(call->planes * inputs) * sizeof *dx);
  double *dy = uwdnn_memory(UWL_SCRATCH_B, (size_t)(call->planes * outputs) * sizeof *dy);
  uwdnn_gather(&call->dy, call->dy_at, CUDNN_DATA_DOUBLE, dy);
  if (is_max(call)) {
    x = uwdnn_memory(UWL_SCRATCH_A, (size_t)(call->planes * inputs) * sizeof *x);
    uwdnn_gather(&call->x, call->x_at, CUDNN_DATA_DOUBLE, x);
  }
  memset(dx, 0, (size_t)(call->planes * inputs) * sizeof *dx);
#pragma omp parallel for if (call->planes * inputs > 4096)
  for (int64_t plane = 0; plane < call->planes; plane++)
    backward_plane(call, x ? x + plane * inputs : NULL, dy + plane * outputs, dx + plane * inputs, outputs);
  uwdnn_blend(&call->dx, call->to, CUDNN_DATA_DOUBLE, dx, call->alpha, call->beta);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* The result may be larger than cudnnGetPoolingNdForwardOutputDim tells: TensorFlow's, where what is padded after is
 * one more than before. */
static cudnnStatus_t make(pooling_call *call, cudnnPoolingDescriptor_t pooling, cudnnTensorDescriptor_t x,
                          cudnnTensorDescriptor_t y, const void *alpha, const void *beta) {
  IS(pooling, pooling);
  IS(tensor, x);
  IS(tensor, y);
  NEED(alpha && beta);
  NEED(pooling->rank && x->view.rank == pooling->rank + 2 && y->view.rank == x->view.rank);
  NEED(y->view.dims[0] == x->view.dims[0] && y->view.dims[1] == x->view.dims[1]);
  SUPPORTED(uwdnn_is_number(x->view.type) && uwdnn_is_number(y->view.type) && pooling->rank <= SPACE);
  *call = (pooling_call){.x = x->view, .y = y->view, .mode = (int)pooling->mode};
  call->keeps_nan = pooling->nan == CUDNN_PROPAGATE_NAN;
  call->planes = x->view.dims[0] * x->view.dims[1];
  for (int i = 0; i < SPACE; i++)
    call->in[i] = call->out[i] = call->window[i] = call->stride[i] = 1;
  for (int i = 0, to = SPACE - pooling->rank; i < pooling->rank; i++, to++) {
    SUPPORTED(pooling->pad[i] < pooling->window[i]); /* no window is padding alone */
    call->in[to] = x->view.dims[i + 2];
    call->out[to] = y->view.dims[i + 2];
    call->window[to] = pooling->window[i];
    call->pad[to] = pooling->pad[i];
    call->stride[to] = pooling->stride[i];
    const int64_t room = call->in[to] + 2 * call->pad[to] - call->window[to];
    NEED(room < 0 || call->out[to] > room / call->stride[to]);
    SUPPORTED((call->out[to] - 1) * call->stride[to] - call->pad[to] < call->in[to]);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc, const void *alpha,
                                  const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t yDesc, void *y) {
  HANDLE;
  NEED(x && y);
  pooling_call call;
  TRY(make(&call, poolingDesc, xDesc, yDesc, alpha, beta));
  SUPPORTED(uwdnn_is_apart(&call.y));
  call.x_at = x;
  call.to = y;
  call.alpha = uwdnn_scalar(&call.y, alpha);
  call.beta = uwdnn_scalar(&call.y, beta);
  GIVE(cudnnPoolingForward, call);
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc, const void *alpha,
                                   const cudnnTensorDescriptor_t yDesc, const void *y,
                                   const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                   const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                   const cudnnTensorDescriptor_t dxDesc, void *dx) {
  (void)y;
  HANDLE;
  pooling_call call;
  TRY(make(&call, poolingDesc, xDesc, yDesc, alpha, beta));
  IS(tensor, dyDesc);
  IS(tensor, dxDesc);
  NEED(dy && dx && (x || !is_max(&call)));
  NEED(uwdnn_same_dims(&dyDesc->view, &call.y) && uwdnn_same_dims(&dxDesc->view, &call.x));
  SUPPORTED(uwdnn_is_real(dyDesc->view.type) && uwdnn_is_real(dxDesc->view.type) && uwdnn_is_apart(&dxDesc->view));
  call.dy = dyDesc->view;
  call.dx = dxDesc->view;
  call.x_at = x;
  call.dy_at = dy;
  call.to = dx;
  call.alpha = uwdnn_scalar(&call.dx, alpha);
  call.beta = uwdnn_scalar(&call.dx, beta);
  GIVE(cudnnPoolingBackward, call);
}
