/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: dropout. The states are a seed and how many numbers were drawn; a number's randomness is a mix of the seed and
 * its count, so that threads draw in any order. Other numbers than NVIDIA's. */
#include "dropout.h"

#include <string.h>

#include "map.h"

const char uwdnn_dropout_kind;

typedef struct states {
  uint64_t seed, drawn;
} states;

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

void uwdnn_draw(void *at, double probability, int64_t count, unsigned char *passes) {
  states *from = at;
  if (!from) {
    memset(passes, 1, (size_t)count);
    return;
  }
  const uint64_t seed = mix(from->seed + 0x9e3779b97f4a7c15u), first = from->drawn;
  const double limit = probability * 0x1p53;
#pragma omp parallel for if (count >= 4096)
  for (int64_t i = 0; i < count; i++)
    passes[i] = (double)(mix(seed + (first + (uint64_t)i) * 0x9e3779b97f4a7c15u) >> 11) >= limit;
  from->drawn += (uint64_t)count;
}

cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *dropoutDesc) {
  return uwdnn_new(dropoutDesc, sizeof **dropoutDesc, &uwdnn_dropout_kind);
}
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc) {
  return uwdnn_free(dropoutDesc, &uwdnn_dropout_kind);
}

cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  *sizeInBytes = sizeof(states);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t xdesc, size_t *sizeInBytes) {
  IS(tensor, xdesc);
  NEED(sizeInBytes && xdesc->view.rank);
  *sizeInBytes = (size_t)uwdnn_view_count(&xdesc->view);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle, float dropout,
                                            void *memory, size_t stateSizeInBytes, unsigned long long seed) {
  HANDLE;
  IS(dropout, dropoutDesc);
  NEED(dropout >= 0 && dropout <= 1);
#if CUDNN_MAJOR >= 8
  if (memory && stateSizeInBytes < sizeof(states))
    return CUDNN_STATUS_INVALID_VALUE;
#else
  NEED(!memory || stateSizeInBytes >= sizeof(states));
#endif
  *dropoutDesc = (struct cudnnDropoutStruct){(double)dropout, memory, seed};
  return CUDNN_STATUS_SUCCESS;
}

UWL_OPERATION(cudnnSetDropoutDescriptor, struct cudnnDropoutStruct) {
  *(states *)call->states = (states){call->seed, 0};
}

cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle, float dropout,
                                        void *memory, size_t stateSizeInBytes, unsigned long long seed) {
  TRY(cudnnRestoreDropoutDescriptor(dropoutDesc, handle, dropout, memory, stateSizeInBytes, seed));
  if (!memory)
    return CUDNN_STATUS_SUCCESS;
  GIVE(cudnnSetDropoutDescriptor, *dropoutDesc);
}

cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle, float *dropout,
                                        void **memory, unsigned long long *seed) {
  HANDLE;
  IS(dropout, dropoutDesc);
  PUT(dropout, (float)dropoutDesc->probability);
  PUT(memory, dropoutDesc->states);
  PUT(seed, dropoutDesc->seed);
  return CUDNN_STATUS_SUCCESS;
}

typedef struct dropout_call {
  uwdnn_map map; /* of x (dy) and of what passes */
  struct cudnnDropoutStruct dropout;
} dropout_call;

static void drop(const void *context, const double *const *in, double *out, int64_t count) {
  const dropout_call *call = context;
  const double scale = call->dropout.probability < 1 ? 1 / (1 - call->dropout.probability) : 0;
  for (int64_t i = 0; i < count; i++)
    out[i] = in[1][i] != 0 ? in[0][i] * scale : 0;
}

UWL_OPERATION(cudnnDropoutForward, dropout_call) {
  uwdnn_draw(call->dropout.states, call->dropout.probability, uwdnn_view_count(&call->map.out),
             (unsigned char *)call->map.in_at[1]);
  uwdnn_map_run(&call->map, drop, call);
}
UWL_OPERATION(cudnnDropoutBackward, dropout_call) { uwdnn_map_run(&call->map, drop, call); }

/* The reserve is a packed tensor of bytes. */
static cudnnStatus_t make(dropout_call *call, cudnnHandle_t handle, cudnnDropoutDescriptor_t dropout,
                          cudnnTensorDescriptor_t x, const void *x_at, cudnnTensorDescriptor_t y, void *y_at,
                          void *reserve, size_t reserve_bytes) {
  HANDLE;
  IS(dropout, dropout);
  IS(tensor, x);
  IS(tensor, y);
  NEED(x_at && y_at && reserve && x->view.rank && uwdnn_same_dims(&x->view, &y->view));
  NEED(reserve_bytes >= (size_t)uwdnn_view_count(&x->view) && (dropout->states || dropout->probability == 0));
  SUPPORTED(uwdnn_is_real(x->view.type) && uwdnn_is_real(y->view.type) && uwdnn_is_apart(&y->view));
  *call = (dropout_call){.map = {.out = y->view, .out_at = y_at, .alpha = 1}, .dropout = *dropout};
  int dims[CUDNN_DIM_MAX];
  for (int i = 0; i < x->view.rank; i++)
    dims[i] = (int)x->view.dims[i];
  uwdnn_view passes;
  SUPPORTED(uwdnn_view_pack(&passes, CUDNN_DATA_UINT8, CUDNN_TENSOR_NCHW, x->view.rank, dims));
  SUPPORTED(uwdnn_map_add(&call->map, &x->view, x_at) && uwdnn_map_add(&call->map, &passes, reserve));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                  const cudnnTensorDescriptor_t xdesc, const void *x,
                                  const cudnnTensorDescriptor_t ydesc, void *y, void *reserveSpace,
                                  size_t reserveSpaceSizeInBytes) {
  dropout_call call;
  TRY(make(&call, handle, dropoutDesc, xdesc, x, ydesc, y, reserveSpace, reserveSpaceSizeInBytes));
  GIVE(cudnnDropoutForward, call);
}

cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                   const cudnnTensorDescriptor_t dydesc, const void *dy,
                                   const cudnnTensorDescriptor_t dxdesc, void *dx, void *reserveSpace,
                                   size_t reserveSpaceSizeInBytes) {
  dropout_call call;
  TRY(make(&call, handle, dropoutDesc, dydesc, dy, dxdesc, dx, reserveSpace, reserveSpaceSizeInBytes));
  GIVE(cudnnDropoutBackward, call);
}
