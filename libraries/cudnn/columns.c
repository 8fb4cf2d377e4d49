/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: images as the matrix of a convolution by GEMM, and filters in the order that convolutions like: any, here. */
#include <string.h>

#include "convolution.h"

typedef struct columns_call {
  uwdnn_problem problem;
  const char *x;
  char *columns;
} columns_call;

/* One row: all that one number of the output is computed from. Padding is zeros: all bits 0, in every type. */
static void fill_row(const columns_call *call, int64_t row, int64_t width) {
  const uwdnn_problem *p = &call->problem;
  const int64_t bytes = (int64_t)uwdnn_type_bytes(p->x.type), kh = p->kernel[1], kw = p->kernel[2];
  const int64_t at_h = row / p->out[2] % p->out[1] * p->stride[1] - p->pad[1];
  const int64_t at_w = row % p->out[2] * p->stride[2] - p->pad[2], image = row / p->out[2] / p->out[1];
  char *to = call->columns + row * width * bytes;
  for (int64_t i = 0; i < width; i++, to += bytes) {
    const int64_t h = at_h + i / kw % kh * p->dilation[1], w = at_w + i % kw * p->dilation[2], c = i / kw / kh;
    const int64_t place = image * p->x.strides[0] + c * p->x.strides[1] + h * p->x.strides[2] + w * p->x.strides[3];
    if (h >= 0 && h < p->in[1] && w >= 0 && w < p->in[2])
      memcpy(to, call->x + place * bytes, (size_t)bytes);
    else
      memset(to, 0, (size_t)bytes);
  }
}

UWL_OPERATION(cudnnIm2Col, columns_call) {
  const uwdnn_problem *p = &call->problem;
  const int64_t rows = p->n * uwdnn_product3(p->out), width = p->c * uwdnn_product3(p->kernel);
#pragma omp parallel for if (rows * width > 4096)
  for (int64_t row = 0; row < rows; row++)
    fill_row(call, row, width);
}

cudnnStatus_t cudnnIm2Col(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void *x,
                          const cudnnFilterDescriptor_t wDesc, const cudnnConvolutionDescriptor_t convDesc,
                          void *colBuffer) {
  HANDLE;
  IS(tensor, xDesc);
  IS(filter, wDesc);
  IS(convolution, convDesc);
  NEED(x && colBuffer);
  uwdnn_view y = {.type = xDesc->view.type, .rank = xDesc->view.rank, .vector = 1};
  TRY(uwdnn_convolution_dims(convDesc, &xDesc->view, &wDesc->view, y.dims));
  SUPPORTED(y.rank == 4 && xDesc->view.vector == 1 && convDesc->mode == CUDNN_CROSS_CORRELATION);
  for (int64_t i = y.rank, step = 1; i-- > 0; step *= y.dims[i])
    y.strides[i] = step;
  columns_call call = {.x = x, .columns = colBuffer};
  TRY(uwdnn_problem_of(&call.problem, UWDNN_FORWARD, &xDesc->view, &wDesc->view, &y, convDesc));
  GIVE(cudnnIm2Col, call);
}

typedef struct copies {
  const void *filter, *bias;
  void *filter_to, *bias_to;
  size_t filter_bytes, bias_bytes;
} copies;

UWL_OPERATION(cudnnReorderFilterAndBias, copies) {
  memmove(call->filter_to, call->filter, call->filter_bytes);
  if (call->bias_bytes)
    memmove(call->bias_to, call->bias, call->bias_bytes);
}

/* Our convolutions take filters as they are whichever order is promised, so that is what they are reordered to. */
cudnnStatus_t cudnnReorderFilterAndBias(cudnnHandle_t handle, const cudnnFilterDescriptor_t filterDesc,
                                        cudnnReorderType_t reorderType, const void *filterData,
                                        void *reorderedFilterData, int reorderBias, const void *biasData,
                                        void *reorderedBiasData) {
  HANDLE;
  IS(filter, filterDesc);
  NEED(filterDesc->view.rank && filterData && reorderedFilterData && (unsigned)reorderType <= CUDNN_NO_REORDER);
  NEED(reorderBias <= 0 || (biasData && reorderedBiasData));
  SUPPORTED(filterDesc->type == CUDNN_DATA_INT8x32);
  const copies call = {.filter = filterData,
                       .filter_to = reorderedFilterData,
                       .filter_bytes = (size_t)uwdnn_view_bytes(&filterDesc->view),
                       .bias = biasData,
                       .bias_to = reorderedBiasData,
                       .bias_bytes = reorderBias > 0 ? (size_t)filterDesc->view.dims[0] * sizeof(float) : 0};
  GIVE(cudnnReorderFilterAndBias, call);
}
