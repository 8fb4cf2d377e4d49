/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: descriptors of convolutions, and what size a convolution gives. */
#include <string.h>

#include "internal.h"
#include "convolution.h"

const char uwdnn_convolution_kind;

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *convDesc) {
  cudnnStatus_t status = uwdnn_new(convDesc, sizeof **convDesc, &uwdnn_convolution_kind);
  if (status == CUDNN_STATUS_SUCCESS)
    (*convDesc)->groups = 1;
  return status;
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convDesc) {
  return uwdnn_free(convDesc, &uwdnn_convolution_kind);
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convDesc, int arrayLength, const int padA[],
                                              const int filterStrideA[], const int dilationA[],
                                              cudnnConvolutionMode_t mode, cudnnDataType_t computeType) {
  IS(convolution, convDesc);
  NEED(padA && filterStrideA && dilationA && arrayLength > 0 && (unsigned)mode <= CUDNN_CROSS_CORRELATION);
  NEED(uwdnn_type_bytes(computeType) && uwdnn_type_vector(computeType) == 1);
  SUPPORTED(arrayLength <= UWDNN_SPACE);
  for (int i = 0; i < arrayLength; i++)
    NEED(padA[i] >= 0 && filterStrideA[i] > 0 && dilationA[i] > 0);
  convDesc->rank = arrayLength;
  for (int i = 0; i < arrayLength; i++) {
    convDesc->pad[i] = padA[i];
    convDesc->stride[i] = filterStrideA[i];
    convDesc->dilation[i] = dilationA[i];
  }
  convDesc->mode = mode;
  convDesc->compute = computeType;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convDesc, int pad_h, int pad_w, int u, int v,
                                              int dilation_h, int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computeType) {
  return cudnnSetConvolutionNdDescriptor(convDesc, 2, (const int[]){pad_h, pad_w}, (const int[]){u, v},
                                         (const int[]){dilation_h, dilation_w}, mode, computeType);
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t convDesc, int arrayLengthRequested,
                                              int *arrayLength, int padA[], int strideA[], int dilationA[],
                                              cudnnConvolutionMode_t *mode, cudnnDataType_t *computeType) {
  IS(convolution, convDesc);
  NEED(arrayLengthRequested >= 0);
  PUT(arrayLength, convDesc->rank);
  for (int i = 0; i < arrayLengthRequested && i < convDesc->rank; i++) {
    if (padA)
      padA[i] = convDesc->pad[i];
    if (strideA)
      strideA[i] = convDesc->stride[i];
    if (dilationA)
      dilationA[i] = convDesc->dilation[i];
  }
  PUT(mode, convDesc->mode);
  PUT(computeType, convDesc->compute);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t convDesc, int *pad_h, int *pad_w,
                                              int *u, int *v, int *dilation_h, int *dilation_w,
                                              cudnnConvolutionMode_t *mode, cudnnDataType_t *computeType) {
  IS(convolution, convDesc);
  NEED(convDesc->rank == 2);
  int pad[2], stride[2], dilation[2];
  cudnnGetConvolutionNdDescriptor(convDesc, 2, NULL, pad, stride, dilation, mode, computeType);
  PUT(pad_h, pad[0]);
  PUT(pad_w, pad[1]);
  PUT(u, stride[0]);
  PUT(v, stride[1]);
  PUT(dilation_h, dilation[0]);
  PUT(dilation_w, dilation[1]);
  return CUDNN_STATUS_SUCCESS;
}

#define SETTING(Name, type, field, is_good)                                                                            \
  cudnnStatus_t cudnnSetConvolution##Name(cudnnConvolutionDescriptor_t convDesc, type value) {                         \
    IS(convolution, convDesc);                                                                                         \
    NEED(is_good);                                                                                                     \
    convDesc->field = value;                                                                                           \
    return CUDNN_STATUS_SUCCESS;                                                                                       \
  }                                                                                                                    \
  cudnnStatus_t cudnnGetConvolution##Name(cudnnConvolutionDescriptor_t convDesc, type *value) {                        \
    IS(convolution, convDesc);                                                                                         \
    NEED(value);                                                                                                       \
    *value = convDesc->field;                                                                                          \
    return CUDNN_STATUS_SUCCESS;                                                                                       \
  }
SETTING(MathType, cudnnMathType_t, math, (unsigned)value < (CUDNN_MAJOR >= 8 ? 4 : 3))
SETTING(GroupCount, int, groups, value > 0)
SETTING(ReorderType, cudnnReorderType_t, reorder, (unsigned)value <= CUDNN_NO_REORDER)

cudnnStatus_t uwdnn_convolution_dims(const struct cudnnConvolutionStruct *convolution, const uwdnn_view *x,
                                     const uwdnn_view *w, int64_t *dims) {
  NEED(x->rank && x->rank == w->rank && x->rank == convolution->rank + 2);
  NEED(w->dims[1] * convolution->groups == x->dims[1] && w->dims[0] % convolution->groups == 0);
  dims[0] = x->dims[0];
  dims[1] = w->dims[0];
  for (int i = 0; i < convolution->rank; i++) {
    int64_t reach = (w->dims[i + 2] - 1) * convolution->dilation[i] + 1,
            room = x->dims[i + 2] + 2 * (int64_t)convolution->pad[i];
    NEED(room >= reach);
    dims[i + 2] = (room - reach) / convolution->stride[i] + 1;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                    const cudnnTensorDescriptor_t inputTensorDesc,
                                                    const cudnnFilterDescriptor_t filterDesc, int nbDims,
                                                    int tensorOuputDimA[]) {
  IS(convolution, convDesc);
  IS(tensor, inputTensorDesc);
  IS(filter, filterDesc);
  NEED(tensorOuputDimA && nbDims > 0);
  int64_t dims[CUDNN_DIM_MAX];
  cudnnStatus_t status = uwdnn_convolution_dims(convDesc, &inputTensorDesc->view, &filterDesc->view, dims);
  NEED(status != CUDNN_STATUS_SUCCESS || nbDims >= inputTensorDesc->view.rank);
  for (int i = 0; status == CUDNN_STATUS_SUCCESS && i < inputTensorDesc->view.rank; i++)
    tensorOuputDimA[i] = (int)dims[i];
  return status;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                    const cudnnTensorDescriptor_t inputTensorDesc,
                                                    const cudnnFilterDescriptor_t filterDesc, int *n, int *c, int *h,
                                                    int *w) {
  IS(tensor, inputTensorDesc);
  NEED(n && c && h && w && inputTensorDesc->view.rank == 4);
  int dims[4];
  cudnnStatus_t status = cudnnGetConvolutionNdForwardOutputDim(convDesc, inputTensorDesc, filterDesc, 4, dims);
  int *const to[] = {n, c, h, w};
  for (int i = 0; status == CUDNN_STATUS_SUCCESS && i < 4; i++)
    *to[i] = dims[i];
  return status;
}
