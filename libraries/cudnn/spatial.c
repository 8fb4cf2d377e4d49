/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: spatial transformers, in doubles, an image at a time. The corners of the grid are the middles of the corner
 * pixels. */
#include <math.h>
#include <string.h>

#include "elements.h"

static const char transformer_kind;
#define uwdnn_transformer_kind transformer_kind

struct cudnnSpatialTransformerStruct {
  cudnnDataType_t type;
  int64_t n, c, h, w; /* n 0: not set yet */
};

cudnnStatus_t cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t *stDesc) {
  return uwdnn_new(stDesc, sizeof **stDesc, &transformer_kind);
}
cudnnStatus_t cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t stDesc) {
  return uwdnn_free(stDesc, &transformer_kind);
}

cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t stDesc,
                                                     cudnnSamplerType_t samplerType, cudnnDataType_t dataType,
                                                     const int nbDims, const int dimA[]) {
  IS(transformer, stDesc);
  NEED(samplerType == CUDNN_SAMPLER_BILINEAR && dimA && nbDims >= 1);
  SUPPORTED(nbDims == 4 && uwdnn_is_real(dataType));
  for (int i = 0; i < nbDims; i++)
    NEED(dimA[i] > 0);
  *stDesc = (struct cudnnSpatialTransformerStruct){dataType, dimA[0], dimA[1], dimA[2], dimA[3]};
  return CUDNN_STATUS_SUCCESS;
}

typedef struct spatial_call {
  struct cudnnSpatialTransformerStruct of;
  uwdnn_view x, y, dx; /* y: dy backward */
  const void *from, *y_from, *grid;
  void *to, *dgrid;
  double alpha, beta, alpha_grid, beta_grid;
} spatial_call;

static uwdnn_view flat(cudnnDataType_t type, int64_t count) {
  return (uwdnn_view){.type = type, .rank = 1, .vector = 1, .dims = {count}, .strides = {1}};
}

static double *numbers(int slot, int64_t count) { return uwdnn_memory(slot, (size_t)count * sizeof(double)); }

/* Where a row or column of the output is, from -1 to 1. */
static double position(int64_t i, int64_t count) { return count > 1 ? -1 + 2 * (double)i / (double)(count - 1) : -1; }

UWL_OPERATION(cudnnSpatialTfGridGeneratorForward, spatial_call) {
  const int64_t h = call->of.h, w = call->of.w, all = call->of.n * h * w;
  const uwdnn_view maps = flat(call->of.type, call->of.n * 6), grid = flat(call->of.type, all * 2);
  double *theta = numbers(UWL_SCRATCH_A, call->of.n * 6), *at = numbers(UWL_SCRATCH_B, all * 2);
  uwdnn_gather(&maps, call->from, CUDNN_DATA_DOUBLE, theta);
#pragma omp parallel for if (all > 4096)
  for (int64_t i = 0; i < all; i++) {
    const double x = position(i % w, w), y = position(i / w % h, h), *map = theta + i / w / h * 6;
    at[2 * i] = map[0] * x + map[1] * y + map[2];
    at[2 * i + 1] = map[3] * x + map[4] * y + map[5];
  }
  uwdnn_blend(&grid, call->to, CUDNN_DATA_DOUBLE, at, 1, 0);
}

UWL_OPERATION(cudnnSpatialTfGridGeneratorBackward, spatial_call) {
  const int64_t h = call->of.h, w = call->of.w, all = call->of.n * h * w;
  const uwdnn_view maps = flat(call->of.type, call->of.n * 6), grid = flat(call->of.type, all * 2);
  double *theta = numbers(UWL_SCRATCH_A, call->of.n * 6), *at = numbers(UWL_SCRATCH_B, all * 2);
  memset(theta, 0, (size_t)call->of.n * 6 * sizeof *theta);
  uwdnn_gather(&grid, call->from, CUDNN_DATA_DOUBLE, at);
  for (int64_t i = 0; i < all; i++) {
    const double place[] = {position(i % w, w), position(i / w % h, h), 1};
    for (int j = 0; j < 6; j++)
      theta[i / w / h * 6 + j] += at[2 * i + j / 3] * place[j % 3];
  }
  uwdnn_blend(&maps, call->to, CUDNN_DATA_DOUBLE, theta, 1, 0);
}

/* The four pixels around a place, with their shares and the slopes of those by x and y; at -1: outside. */
typedef struct corners {
  int64_t at[4];
  double share[4], by_x[4], by_y[4];
} corners;

static corners corners_at(const uwdnn_view *x, const double *place) {
  const int64_t h = x->dims[2], w = x->dims[3];
  const double scale_x = (double)(w - 1) / 2, scale_y = (double)(h - 1) / 2;
  const double column = (place[0] + 1) * scale_x, row = (place[1] + 1) * scale_y;
  corners found;
  for (int i = 0; i < 4; i++) {
    const double at_x = floor(column) + i % 2, at_y = floor(row) + i / 2;
    const double share_x = 1 - fabs(column - at_x), share_y = 1 - fabs(row - at_y);
    found.at[i] =
        at_x >= 0 && at_x < (double)w && at_y >= 0 && at_y < (double)h ? (int64_t)at_y * w + (int64_t)at_x : -1;
    found.share[i] = share_x * share_y;
    found.by_x[i] = (i % 2 ? 1 : -1) * share_y * scale_x;
    found.by_y[i] = (i / 2 ? 1 : -1) * share_x * scale_y;
  }
  return found;
}

UWL_OPERATION(cudnnSpatialTfSamplerForward, spatial_call) {
  const int64_t out = call->of.h * call->of.w, in = call->x.dims[2] * call->x.dims[3], all = call->of.n * out;
  const int64_t channels = call->of.c;
  const uwdnn_view grid = flat(call->of.type, all * 2);
  double *places = numbers(UWL_SCRATCH_A, all * 2), *x = numbers(UWL_SCRATCH_B, call->of.n * channels * in);
  double *y = numbers(UWL_SCRATCH_C, all * channels);
  uwdnn_gather(&grid, call->grid, CUDNN_DATA_DOUBLE, places);
  uwdnn_gather(&call->x, call->from, CUDNN_DATA_DOUBLE, x);
#pragma omp parallel for if (all > 4096)
  for (int64_t i = 0; i < all; i++) {
    const corners around = corners_at(&call->x, places + 2 * i);
    for (int64_t c = 0, plane = i / out * channels; c < channels; c++, plane++) {
      double sum = 0;
      for (int j = 0; j < 4; j++)
        sum += around.at[j] >= 0 ? around.share[j] * x[plane * in + around.at[j]] : 0;
      y[plane * out + i % out] = sum;
    }
  }
  uwdnn_blend(&call->y, call->to, CUDNN_DATA_DOUBLE, y, call->alpha, call->beta);
}

/* One number of dy: adds to dx, and makes the gradient of its place. */
static void back(const corners *around, const double *x, double dy, double *dx, double *place) {

  for (int j = 0; j < 4; j++)
    if (around->at[j] >= 0) {
      dx[around->at[j]] += around->share[j] * dy;
      place[0] += around->by_x[j] * x[around->at[j]] * dy;
      place[1] += around->by_y[j] * x[around->at[j]] * dy;
    }
}

UWL_OPERATION(cudnnSpatialTfSamplerBackward, spatial_call) {
  const int64_t out = call->of.h * call->of.w, in = call->x.dims[2] * call->x.dims[3], all = call->of.n * out;
  const int64_t channels = call->of.c, inputs = call->of.n * channels * in;
  const uwdnn_view grid = flat(call->of.type, all * 2);
  double *places = numbers(UWL_SCRATCH_A, all * 4), *slopes = places + all * 2;
  double *x = numbers(UWL_SCRATCH_B, 2 * inputs), *dx = x + inputs, *dy = numbers(UWL_SCRATCH_C, all * channels);
  uwdnn_gather(&grid, call->grid, CUDNN_DATA_DOUBLE, places);
  uwdnn_gather(&call->x, call->from, CUDNN_DATA_DOUBLE, x);
  uwdnn_gather(&call->y, call->y_from, CUDNN_DATA_DOUBLE, dy);
  memset(dx, 0, (size_t)inputs * sizeof *dx);
  memset(slopes, 0, (size_t)all * 2 * sizeof *slopes);
#pragma omp parallel for if (all > 4096)
  for (int64_t image = 0; image < call->of.n; image++)
    for (int64_t i = image * out; i < (image + 1) * out; i++) {
      const corners around = corners_at(&call->x, places + 2 * i);
      for (int64_t c = 0, plane = image * channels; c < channels; c++, plane++)
        back(&around, x + plane * in, dy[plane * out + i % out], dx + plane * in, slopes + 2 * i);
    }
  uwdnn_blend(&call->dx, call->to, CUDNN_DATA_DOUBLE, dx, call->alpha, call->beta);
  uwdnn_blend(&grid, call->dgrid, CUDNN_DATA_DOUBLE, slopes, call->alpha_grid, call->beta_grid);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static cudnnStatus_t make_grid(spatial_call *call, cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t of,
                               const void *from, void *to) {
  HANDLE;
  IS(transformer, of);
  NEED(of->n && from && to);
  *call = (spatial_call){.of = *of, .from = from, .to = to};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSpatialTfGridGeneratorForward(cudnnHandle_t handle, const cudnnSpatialTransformerDescriptor_t stDesc,
                                                 const void *theta, void *grid) {
  spatial_call call;
  TRY(make_grid(&call, handle, stDesc, theta, grid));
  GIVE(cudnnSpatialTfGridGeneratorForward, call);
}

cudnnStatus_t cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t handle,
                                                  const cudnnSpatialTransformerDescriptor_t stDesc, const void *dgrid,
                                                  void *dtheta) {
  spatial_call call;
  TRY(make_grid(&call, handle, stDesc, dgrid, dtheta));
  GIVE(cudnnSpatialTfGridGeneratorBackward, call);
}

static cudnnStatus_t take_images(const spatial_call *call, cudnnTensorDescriptor_t tensor, int is_output,
                                 uwdnn_view *view) {
  IS(tensor, tensor);
  const uwdnn_view *given = &tensor->view;
  NEED(given->rank == 4 && given->dims[0] == call->of.n && given->dims[1] == call->of.c);
  NEED(!is_output || (given->dims[2] == call->of.h && given->dims[3] == call->of.w));
  NEED(given->type == call->of.type);
  *view = *given;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSpatialTfSamplerForward(cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t stDesc,
                                           const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                           const void *grid, const void *beta, cudnnTensorDescriptor_t yDesc, void *y) {
  spatial_call call;
  TRY(make_grid(&call, handle, stDesc, x, y));
  NEED(alpha && beta && grid);
  TRY(take_images(&call, xDesc, 0, &call.x));
  TRY(take_images(&call, yDesc, 1, &call.y));
  SUPPORTED(uwdnn_is_apart(&call.y));
  call.grid = grid;
  call.alpha = uwdnn_scalar(&call.y, alpha);
  call.beta = uwdnn_scalar(&call.y, beta);
  GIVE(cudnnSpatialTfSamplerForward, call);
}

cudnnStatus_t cudnnSpatialTfSamplerBackward(cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t stDesc,
                                            const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                            const void *beta, const cudnnTensorDescriptor_t dxDesc, void *dx,
                                            const void *alphaDgrid, const cudnnTensorDescriptor_t dyDesc,
                                            const void *dy, const void *grid, const void *betaDgrid, void *dgrid) {
  spatial_call call;
  TRY(make_grid(&call, handle, stDesc, x, dx));
  NEED(alpha && beta && alphaDgrid && betaDgrid && dy && grid && dgrid);
  TRY(take_images(&call, xDesc, 0, &call.x));
  TRY(take_images(&call, dxDesc, 0, &call.dx));
  TRY(take_images(&call, dyDesc, 1, &call.y));
  NEED(uwdnn_same_dims(&call.x, &call.dx));
  SUPPORTED(uwdnn_is_apart(&call.dx));
  call.y_from = dy;
  call.grid = grid;
  call.dgrid = dgrid;
  call.alpha = uwdnn_scalar(&call.dx, alpha);
  call.beta = uwdnn_scalar(&call.dx, beta);
  call.alpha_grid = uwdnn_scalar(&call.dx, alphaDgrid);
  call.beta_grid = uwdnn_scalar(&call.dx, betaDgrid);
  GIVE(cudnnSpatialTfSamplerBackward, call);
}
