/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: the loss of connectionist temporal classification. probs and gradients are steps, batch, labels; label 0 is the blank; labels of all sequences follow
 * one another. A cost is -log of the probability of a sequence's labels, a gradient that of the cost by what the softmax is of. */
#ifndef UNWARP_CUDNN_CTC_H
#define UNWARP_CUDNN_CTC_H

#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudnnCTCLossAlgo_t {
  CUDNN_CTC_LOSS_ALGO_DETERMINISTIC = 0,
  CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC = 1
} cudnnCTCLossAlgo_t;
typedef enum cudnnLossNormalizationMode_t {
  CUDNN_LOSS_NORMALIZATION_NONE = 0,   /* probs are probabilities */
  CUDNN_LOSS_NORMALIZATION_SOFTMAX = 1 /* they become some by softmax */
} cudnnLossNormalizationMode_t;
typedef struct cudnnCTCLossStruct *cudnnCTCLossDescriptor_t;

cudnnStatus_t cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t *ctcLossDesc);
cudnnStatus_t cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc);
cudnnStatus_t cudnnSetCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType);
cudnnStatus_t cudnnGetCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType);
cudnnStatus_t cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                          cudnnLossNormalizationMode_t normMode, cudnnNanPropagation_t gradMode);
cudnnStatus_t cudnnGetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                          cudnnLossNormalizationMode_t *normMode, cudnnNanPropagation_t *gradMode);
cudnnStatus_t cudnnGetCTCLossWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t probsDesc,
                                           const cudnnTensorDescriptor_t gradientsDesc, const int *labels,
                                           const int *labelLengths, const int *inputLengths, cudnnCTCLossAlgo_t algo,
                                           cudnnCTCLossDescriptor_t ctcLossDesc, size_t *sizeInBytes);
/* Labels and lengths lie on the host. */
cudnnStatus_t cudnnCTCLoss(cudnnHandle_t handle, const cudnnTensorDescriptor_t probsDesc, const void *probs,
                           const int hostLabels[], const int hostLabelLengths[], const int hostInputLengths[],
                           void *costs, const cudnnTensorDescriptor_t gradientsDesc, void *gradients,
                           cudnnCTCLossAlgo_t algo, cudnnCTCLossDescriptor_t ctcLossDesc, void *workspace,
                           size_t workSpaceSizeInBytes);
#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                           cudnnLossNormalizationMode_t normMode, cudnnNanPropagation_t gradMode,
                                           int maxLabelLength);
cudnnStatus_t cudnnGetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                           cudnnLossNormalizationMode_t *normMode, cudnnNanPropagation_t *gradMode,
                                           int *maxLabelLength);
cudnnStatus_t cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algo,
                                              cudnnCTCLossDescriptor_t ctcLossDesc,
                                              const cudnnTensorDescriptor_t probsDesc,
                                              const cudnnTensorDescriptor_t gradientsDesc, size_t *sizeInBytes);
/* They lie on the device. */
cudnnStatus_t cudnnCTCLoss_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algo, cudnnCTCLossDescriptor_t ctcLossDesc,
                              const cudnnTensorDescriptor_t probsDesc, const void *probs, const int labels[],
                              const int labelLengths[], const int inputLengths[], void *costs,
                              const cudnnTensorDescriptor_t gradientsDesc, void *gradients, size_t workSpaceSizeInBytes,
                              void *workspace);
#endif
#if CUDNN_MAJOR >= 9
/* Gradients of steps that a sequence does not have. */
typedef enum cudnnCTCGradMode_t {
  CUDNN_CTC_ZERO_OOB_GRADIENTS = 0,
  CUDNN_CTC_SKIP_OOB_GRADIENTS = 1
} cudnnCTCGradMode_t;
cudnnStatus_t cudnnSetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                           cudnnLossNormalizationMode_t normMode, cudnnCTCGradMode_t ctcGradMode,
                                           int maxLabelLength);
cudnnStatus_t cudnnGetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                           cudnnLossNormalizationMode_t *normMode, cudnnCTCGradMode_t *ctcGradMode,
                                           int *maxLabelLength);
#endif

#ifdef __cplusplus
}
#endif

#endif
