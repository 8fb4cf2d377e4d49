/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: tensors that are set to a number, or multiplied by one. */
#include "elements.h"

typedef struct fill_call {
  uwdnn_view y;
  void *at;
  double alpha, beta;
} fill_call;

UWL_OPERATION(cudnnSetTensor, fill_call) { uwdnn_blend(&call->y, call->at, CUDNN_DATA_FLOAT, NULL, call->alpha, 0); }
UWL_OPERATION(cudnnScaleTensor, fill_call) { uwdnn_blend(&call->y, call->at, CUDNN_DATA_FLOAT, NULL, 0, call->beta); }

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc, void *y, const void *valuePtr) {
  HANDLE;
  IS(tensor, yDesc);
  NEED(y && valuePtr && yDesc->view.rank);
  SUPPORTED(uwdnn_is_number(yDesc->view.type));
  fill_call call = {.y = yDesc->view, .at = y};
  uwdnn_view one = {.type = yDesc->view.type, .rank = 1, .vector = 1, .dims = {1}};
  uwdnn_gather(&one, valuePtr, CUDNN_DATA_DOUBLE, &call.alpha);
  GIVE(cudnnSetTensor, call);
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc, void *y, const void *alpha) {
  HANDLE;
  IS(tensor, yDesc);
  NEED(y && alpha && yDesc->view.rank);
  SUPPORTED(uwdnn_is_number(yDesc->view.type));
  const fill_call call = {.y = yDesc->view, .at = y, .beta = uwdnn_scalar(&yDesc->view, alpha)};
  GIVE(cudnnScaleTensor, call);
}
