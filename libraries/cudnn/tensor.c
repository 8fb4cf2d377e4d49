/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: descriptors of tensors. */
#include <limits.h>
#include <string.h>

#include "internal.h"

const char uwdnn_tensor_kind;

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensorDesc) {
  return uwdnn_new(tensorDesc, sizeof **tensorDesc, &uwdnn_tensor_kind);
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc) {
  return uwdnn_free(tensorDesc, &uwdnn_tensor_kind);
}

static cudnnStatus_t check(cudnnDataType_t type, int rank, const int *dims) {
  NEED(uwdnn_type_bytes(type) && dims && rank >= 1);
  SUPPORTED(rank <= CUDNN_DIM_MAX);
  for (int i = 0; i < rank; i++)
    NEED(dims[i] > 0);
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t set_packed(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format, cudnnDataType_t type,
                                int rank, const int *dims) {
  IS(tensor, tensor);
  NEED((unsigned)format <= CUDNN_TENSOR_NCHW_VECT_C);
  cudnnStatus_t status = check(type, rank, dims);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  SUPPORTED(uwdnn_view_pack(&tensor->view, type, format, rank, dims));
  tensor->type = type;
  return CUDNN_STATUS_SUCCESS;
}

/* Strides of 0 repeat a number; a dimension of one number may have any. */
static cudnnStatus_t set_strided(cudnnTensorDescriptor_t tensor, cudnnDataType_t type, int rank, const int *dims,
                                 const int *strides) {
  IS(tensor, tensor);
  cudnnStatus_t status = check(type, rank, dims);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  NEED(strides);
  uwdnn_view view = {.type = uwdnn_type_number(type), .rank = rank, .vector = uwdnn_type_vector(type)};
  int64_t last = 0;
  for (int i = 0; i < rank; i++) {
    NEED(strides[i] >= 0);
    view.dims[i] = dims[i];
    view.strides[i] = strides[i];
    last += (int64_t)(dims[i] - 1) * strides[i];
    SUPPORTED(last < INT_MAX);
  }
  SUPPORTED(view.vector == 1 || (rank > 1 && dims[1] % view.vector == 0));
  tensor->view = view;
  tensor->type = type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                         cudnnDataType_t dataType, int n, int c, int h, int w) {
  return set_packed(tensorDesc, format, dataType, 4, (const int[]){n, c, h, w});
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType, int n, int c,
                                           int h, int w, int nStride, int cStride, int hStride, int wStride) {
  return set_strided(tensorDesc, dataType, 4, (const int[]){n, c, h, w},
                     (const int[]){nStride, cStride, hStride, wStride});
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType, int nbDims,
                                         const int dimA[], const int strideA[]) {
  return set_strided(tensorDesc, dataType, nbDims, dimA, strideA);
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                           cudnnDataType_t dataType, int nbDims, const int dimA[]) {
  return set_packed(tensorDesc, format, dataType, nbDims, dimA);
}

cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t *dataType, int *n,
                                         int *c, int *h, int *w, int *nStride, int *cStride, int *hStride,
                                         int *wStride) {
  IS(tensor, tensorDesc);
  const uwdnn_view *view = &tensorDesc->view;
  NEED(view->rank == 4);
  int *const dims[] = {n, c, h, w}, *const strides[] = {nStride, cStride, hStride, wStride};
  PUT(dataType, tensorDesc->type);
  for (int i = 0; i < 4; i++) {
    PUT(dims[i], (int)view->dims[i]);
    PUT(strides[i], (int)view->strides[i]);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensorDesc, int nbDimsRequested,
                                         cudnnDataType_t *dataType, int *nbDims, int dimA[], int strideA[]) {
  IS(tensor, tensorDesc);
  const uwdnn_view *view = &tensorDesc->view;
  NEED(nbDimsRequested >= 0 && nbDimsRequested <= CUDNN_DIM_MAX);
  PUT(dataType, tensorDesc->type);
  PUT(nbDims, view->rank);
  for (int i = 0; i < nbDimsRequested && i < view->rank; i++) {
    if (dimA)
      dimA[i] = (int)view->dims[i];
    if (strideA)
      strideA[i] = (int)view->strides[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensorDesc, size_t *size) {
  IS(tensor, tensorDesc);
  NEED(size);
  *size = tensorDesc->view.rank ? (size_t)uwdnn_view_bytes(&tensorDesc->view) : 0;
  return CUDNN_STATUS_SUCCESS;
}
