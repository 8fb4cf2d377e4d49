/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: descriptors of filters, which are always packed. */
#include "internal.h"

const char uwdnn_filter_kind;

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filterDesc) {
  return uwdnn_new(filterDesc, sizeof **filterDesc, &uwdnn_filter_kind);
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filterDesc) {
  return uwdnn_free(filterDesc, &uwdnn_filter_kind);
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                                         cudnnTensorFormat_t format, int nbDims, const int filterDimA[]) {
  IS(filter, filterDesc);
  NEED(uwdnn_type_bytes(dataType) && (unsigned)format <= CUDNN_TENSOR_NCHW_VECT_C && filterDimA && nbDims >= 1);
  SUPPORTED(nbDims <= CUDNN_DIM_MAX);
  for (int i = 0; i < nbDims; i++)
    NEED(filterDimA[i] > 0);
  SUPPORTED(uwdnn_view_pack(&filterDesc->view, dataType, format, nbDims, filterDimA));
  filterDesc->type = dataType;
  filterDesc->format = format;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  return cudnnSetFilterNdDescriptor(filterDesc, dataType, format, 4, (const int[]){k, c, h, w});
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filterDesc, int nbDimsRequested,
                                         cudnnDataType_t *dataType, cudnnTensorFormat_t *format, int *nbDims,
                                         int filterDimA[]) {
  IS(filter, filterDesc);
  NEED(nbDimsRequested >= 0 && nbDimsRequested <= CUDNN_DIM_MAX);
  PUT(dataType, filterDesc->type);
  PUT(format, filterDesc->format);
  PUT(nbDims, filterDesc->view.rank);
  for (int i = 0; filterDimA && i < nbDimsRequested && i < filterDesc->view.rank; i++)
    filterDimA[i] = (int)filterDesc->view.dims[i];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t filterDesc, cudnnDataType_t *dataType,
                                         cudnnTensorFormat_t *format, int *k, int *c, int *h, int *w) {
  IS(filter, filterDesc);
  NEED(filterDesc->view.rank == 4);
  int *const dims[] = {k, c, h, w};
  PUT(dataType, filterDesc->type);
  PUT(format, filterDesc->format);
  for (int i = 0; i < 4; i++)
    PUT(dims[i], (int)filterDesc->view.dims[i]);
  return CUDNN_STATUS_SUCCESS;
}

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filterDesc, size_t *size) {
  IS(filter, filterDesc);
  NEED(size);
  *size = filterDesc->view.rank ? (size_t)uwdnn_view_bytes(&filterDesc->view) : 0;
  return CUDNN_STATUS_SUCCESS;
}
#endif
