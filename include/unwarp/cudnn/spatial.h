/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: spatial transformers. A grid has for each number of the output where it is taken from in the input, as x and y from -1 to 1; it is made of
 * an affine map of two rows of three for each image. Outside the input all is 0. */
#ifndef UNWARP_CUDNN_SPATIAL_H
#define UNWARP_CUDNN_SPATIAL_H

#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudnnSamplerType_t { CUDNN_SAMPLER_BILINEAR = 0 } cudnnSamplerType_t;
typedef struct cudnnSpatialTransformerStruct *cudnnSpatialTransformerDescriptor_t;

cudnnStatus_t cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t *stDesc);
cudnnStatus_t cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t stDesc);
/* dimA: of the output */
cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t stDesc,
                                                     cudnnSamplerType_t samplerType, cudnnDataType_t dataType,
                                                     const int nbDims, const int dimA[]);
cudnnStatus_t cudnnSpatialTfGridGeneratorForward(cudnnHandle_t handle, const cudnnSpatialTransformerDescriptor_t stDesc,
                                                 const void *theta, void *grid);
cudnnStatus_t cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t handle,
                                                  const cudnnSpatialTransformerDescriptor_t stDesc, const void *dgrid,
                                                  void *dtheta);
cudnnStatus_t cudnnSpatialTfSamplerForward(cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t stDesc,
                                           const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                           const void *grid, const void *beta, cudnnTensorDescriptor_t yDesc, void *y);
cudnnStatus_t cudnnSpatialTfSamplerBackward(cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t stDesc,
                                            const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                            const void *beta, const cudnnTensorDescriptor_t dxDesc, void *dx,
                                            const void *alphaDgrid, const cudnnTensorDescriptor_t dyDesc,
                                            const void *dy, const void *grid, const void *betaDgrid, void *dgrid);

#ifdef __cplusplus
}
#endif

#endif
