/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: operations on the numbers of tensors: sums and products with broadcasting (a dimension of 1 is repeated), reductions, changes of layout,
 * activations, softmax and dropout. */
#ifndef UNWARP_CUDNN_OPERATIONS_H
#define UNWARP_CUDNN_OPERATIONS_H

#include "convolution.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- C = op(alpha1 * A, alpha2 * B) + beta * C --------------------------------------------------------------------- */

typedef enum cudnnOpTensorOp_t {
  CUDNN_OP_TENSOR_ADD = 0,
  CUDNN_OP_TENSOR_MUL = 1,
  CUDNN_OP_TENSOR_MIN = 2,
  CUDNN_OP_TENSOR_MAX = 3,
  CUDNN_OP_TENSOR_SQRT = 4, /* of A */
  CUDNN_OP_TENSOR_NOT = 5   /* 1 - A */
} cudnnOpTensorOp_t;
typedef struct cudnnOpTensorStruct *cudnnOpTensorDescriptor_t;

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *opTensorDesc);
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc);
cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc, cudnnOpTensorOp_t opTensorOp,
                                         cudnnDataType_t opTensorCompType, cudnnNanPropagation_t opTensorNanOpt);
cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc, cudnnOpTensorOp_t *opTensorOp,
                                         cudnnDataType_t *opTensorCompType, cudnnNanPropagation_t *opTensorNanOpt);
cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t opTensorDesc, const void *alpha1,
                            const cudnnTensorDescriptor_t aDesc, const void *A, const void *alpha2,
                            const cudnnTensorDescriptor_t bDesc, const void *B, const void *beta,
                            const cudnnTensorDescriptor_t cDesc, void *C);
/* C = alpha * A + beta * C */
cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t aDesc,
                             const void *A, const void *beta, const cudnnTensorDescriptor_t cDesc, void *C);

/* --- reductions: C = alpha * (A over the dimensions of which C has 1) + beta * C ----------------------------------- */

typedef enum cudnnReduceTensorOp_t {
  CUDNN_REDUCE_TENSOR_ADD = 0,
  CUDNN_REDUCE_TENSOR_MUL = 1,
  CUDNN_REDUCE_TENSOR_MIN = 2,
  CUDNN_REDUCE_TENSOR_MAX = 3,
  CUDNN_REDUCE_TENSOR_AMAX = 4, /* the largest magnitude */
  CUDNN_REDUCE_TENSOR_AVG = 5,
  CUDNN_REDUCE_TENSOR_NORM1 = 6,
  CUDNN_REDUCE_TENSOR_NORM2 = 7,
  CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS = 8
} cudnnReduceTensorOp_t;
typedef enum cudnnReduceTensorIndices_t {
  CUDNN_REDUCE_TENSOR_NO_INDICES = 0,
  CUDNN_REDUCE_TENSOR_FLATTENED_INDICES = 1 /* of minima and maxima, counted along what is reduced */
} cudnnReduceTensorIndices_t;
typedef enum cudnnIndicesType_t {
  CUDNN_32BIT_INDICES = 0,
  CUDNN_64BIT_INDICES = 1,
  CUDNN_16BIT_INDICES = 2,
  CUDNN_8BIT_INDICES = 3
} cudnnIndicesType_t;
typedef struct cudnnReduceTensorStruct *cudnnReduceTensorDescriptor_t;

cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *reduceTensorDesc);
cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc);
cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t reduceTensorOp, cudnnDataType_t reduceTensorCompType,
                                             cudnnNanPropagation_t reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t reduceTensorIndices,
                                             cudnnIndicesType_t reduceTensorIndicesType);
cudnnStatus_t cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t *reduceTensorOp,
                                             cudnnDataType_t *reduceTensorCompType,
                                             cudnnNanPropagation_t *reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t *reduceTensorIndices,
                                             cudnnIndicesType_t *reduceTensorIndicesType);
cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           const cudnnTensorDescriptor_t aDesc, const cudnnTensorDescriptor_t cDesc,
                                           size_t *sizeInBytes);
cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             const cudnnTensorDescriptor_t aDesc, const cudnnTensorDescriptor_t cDesc,
                                             size_t *sizeInBytes);
cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                void *indices, size_t indicesSizeInBytes, void *workspace, size_t workspaceSizeInBytes,
                                const void *alpha, const cudnnTensorDescriptor_t aDesc, const void *A, const void *beta,
                                const cudnnTensorDescriptor_t cDesc, void *C);

/* --- layouts -------------------------------------------------------------------------------------------------------- */

typedef enum cudnnFoldingDirection_t { CUDNN_TRANSFORM_FOLD = 0, CUDNN_TRANSFORM_UNFOLD = 1 } cudnnFoldingDirection_t;
typedef struct cudnnTensorTransformStruct *cudnnTensorTransformDescriptor_t;

/* y = alpha * x + beta * y */
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xDesc,
                                   const void *x, const void *beta, const cudnnTensorDescriptor_t yDesc, void *y);
cudnnStatus_t cudnnCreateTensorTransformDescriptor(cudnnTensorTransformDescriptor_t *transformDesc);
cudnnStatus_t cudnnDestroyTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc);
cudnnStatus_t cudnnSetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc, const uint32_t nbDims,
                                                const cudnnTensorFormat_t destFormat, const int32_t padBeforeA[],
                                                const int32_t padAfterA[], const uint32_t foldA[],
                                                const cudnnFoldingDirection_t direction);
cudnnStatus_t cudnnGetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc,
                                                uint32_t nbDimsRequested, cudnnTensorFormat_t *destFormat,
                                                int32_t padBeforeA[], int32_t padAfterA[], uint32_t foldA[],
                                                cudnnFoldingDirection_t *direction);
cudnnStatus_t cudnnInitTransformDest(const cudnnTensorTransformDescriptor_t transformDesc,
                                     const cudnnTensorDescriptor_t srcDesc, cudnnTensorDescriptor_t destDesc,
                                     size_t *destSizeInBytes);
cudnnStatus_t cudnnTransformTensorEx(cudnnHandle_t handle, const cudnnTensorTransformDescriptor_t transDesc,
                                     const void *alpha, const cudnnTensorDescriptor_t srcDesc, const void *srcData,
                                     const void *beta, const cudnnTensorDescriptor_t destDesc, void *destData);
cudnnStatus_t cudnnTransformFilter(cudnnHandle_t handle, const cudnnTensorTransformDescriptor_t transDesc,
                                   const void *alpha, const cudnnFilterDescriptor_t srcDesc, const void *srcData,
                                   const void *beta, const cudnnFilterDescriptor_t destDesc, void *destData);

/* --- activations and softmax ---------------------------------------------------------------------------------------- */

typedef enum cudnnSoftmaxAlgorithm_t {
  CUDNN_SOFTMAX_FAST = 0,
  CUDNN_SOFTMAX_ACCURATE = 1,
  CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;
typedef enum cudnnSoftmaxMode_t {
  CUDNN_SOFTMAX_MODE_INSTANCE = 0, /* over C, H, W */
  CUDNN_SOFTMAX_MODE_CHANNEL = 1   /* over C */
} cudnnSoftmaxMode_t;

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                                     const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                     const void *beta, const cudnnTensorDescriptor_t yDesc, void *y);
cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                                      const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                      const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                      const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                      const cudnnTensorDescriptor_t dxDesc, void *dx);
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
                                  const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                  const void *beta, const cudnnTensorDescriptor_t yDesc, void *y);
cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
                                   const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                   const cudnnTensorDescriptor_t dyDesc, const void *dy, const void *beta,
                                   const cudnnTensorDescriptor_t dxDesc, void *dx);

/* --- dropout: the states of its random numbers lie in the program's memory, and what it let through in the reserve -- */

typedef struct cudnnDropoutStruct *cudnnDropoutDescriptor_t;

cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *dropoutDesc);
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc);
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *sizeInBytes);
cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t xdesc, size_t *sizeInBytes);
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle, float dropout,
                                        void *states, size_t stateSizeInBytes, unsigned long long seed);
cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle, float dropout,
                                            void *states, size_t stateSizeInBytes, unsigned long long seed);
cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle, float *dropout,
                                        void **states, unsigned long long *seed);
cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                  const cudnnTensorDescriptor_t xdesc, const void *x,
                                  const cudnnTensorDescriptor_t ydesc, void *y, void *reserveSpace,
                                  size_t reserveSpaceSizeInBytes);
cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                   const cudnnTensorDescriptor_t dydesc, const void *dy,
                                   const cudnnTensorDescriptor_t dxdesc, void *dx, void *reserveSpace,
                                   size_t reserveSpaceSizeInBytes);

#ifdef __cplusplus
}
#endif

#endif
