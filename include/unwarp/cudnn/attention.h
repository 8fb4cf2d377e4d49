/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: multi-head attention. A container of sequences has dimensions of time, batch, beam and vector, in memory in the order of `axes`,
 * the outermost first; dimA is by axis. Lengths of sequences are by batch, then beam. Step t of the queries sees the steps lo[t] <= i < hi[t]
 * of keys and values that the sequence has; where it sees none, a head's result is 0. */
#ifndef UNWARP_CUDNN_ATTENTION_H
#define UNWARP_CUDNN_ATTENTION_H

#include "rnn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudnnSeqDataAxis_t {
  CUDNN_SEQDATA_TIME_DIM = 0,
  CUDNN_SEQDATA_BATCH_DIM = 1,
  CUDNN_SEQDATA_BEAM_DIM = 2,
  CUDNN_SEQDATA_VECT_DIM = 3
} cudnnSeqDataAxis_t;
#define CUDNN_SEQDATA_DIM_COUNT 4

/* Have the keys and values of a beam's queries one sequence or one each? */
typedef unsigned cudnnAttnQueryMap_t;
#define CUDNN_ATTN_QUERYMAP_ALL_TO_ONE 0
#define CUDNN_ATTN_QUERYMAP_ONE_TO_ONE (1U << 0)
#define CUDNN_ATTN_DISABLE_PROJ_BIASES 0
#define CUDNN_ATTN_ENABLE_PROJ_BIASES (1U << 1)

typedef enum cudnnMultiHeadAttnWeightKind_t {
  CUDNN_MH_ATTN_Q_WEIGHTS = 0,
  CUDNN_MH_ATTN_K_WEIGHTS = 1,
  CUDNN_MH_ATTN_V_WEIGHTS = 2,
  CUDNN_MH_ATTN_O_WEIGHTS = 3,
  CUDNN_MH_ATTN_Q_BIASES = 4,
  CUDNN_MH_ATTN_K_BIASES = 5,
  CUDNN_MH_ATTN_V_BIASES = 6,
  CUDNN_MH_ATTN_O_BIASES = 7
} cudnnMultiHeadAttnWeightKind_t;
#define CUDNN_ATTN_WKIND_COUNT 8

typedef struct cudnnSeqDataStruct *cudnnSeqDataDescriptor_t;
typedef struct cudnnAttnStruct *cudnnAttnDescriptor_t;

cudnnStatus_t cudnnCreateSeqDataDescriptor(cudnnSeqDataDescriptor_t *seqDataDesc);
cudnnStatus_t cudnnDestroySeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc);
cudnnStatus_t cudnnSetSeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc, cudnnDataType_t dataType, int nbDims,
                                        const int dimA[], const cudnnSeqDataAxis_t axes[], size_t seqLengthArraySize,
                                        const int seqLengthArray[], void *paddingFill);
cudnnStatus_t cudnnGetSeqDataDescriptor(const cudnnSeqDataDescriptor_t seqDataDesc, cudnnDataType_t *dataType,
                                        int *nbDims, int nbDimsRequested, int dimA[], cudnnSeqDataAxis_t axes[],
                                        size_t *seqLengthArraySize, size_t seqLengthSizeRequested, int seqLengthArray[],
                                        void *paddingFill);

/* Sizes of projections may be 0: then there is none, and each head has the whole vectors; without one of the output, the heads' results
 * stand in a row. */
cudnnStatus_t cudnnCreateAttnDescriptor(cudnnAttnDescriptor_t *attnDesc);
cudnnStatus_t cudnnDestroyAttnDescriptor(cudnnAttnDescriptor_t attnDesc);
cudnnStatus_t cudnnSetAttnDescriptor(cudnnAttnDescriptor_t attnDesc, unsigned attnMode, int nHeads, double smScaler,
                                     cudnnDataType_t dataType, cudnnDataType_t computePrec, cudnnMathType_t mathType,
                                     cudnnDropoutDescriptor_t attnDropoutDesc, cudnnDropoutDescriptor_t postDropoutDesc,
                                     int qSize, int kSize, int vSize, int qProjSize, int kProjSize, int vProjSize,
                                     int oProjSize, int qoMaxSeqLength, int kvMaxSeqLength, int maxBatchSize,
                                     int maxBeamSize);
cudnnStatus_t cudnnGetAttnDescriptor(cudnnAttnDescriptor_t attnDesc, unsigned *attnMode, int *nHeads, double *smScaler,
                                     cudnnDataType_t *dataType, cudnnDataType_t *computePrec, cudnnMathType_t *mathType,
                                     cudnnDropoutDescriptor_t *attnDropoutDesc,
                                     cudnnDropoutDescriptor_t *postDropoutDesc, int *qSize, int *kSize, int *vSize,
                                     int *qProjSize, int *kProjSize, int *vProjSize, int *oProjSize,
                                     int *qoMaxSeqLength, int *kvMaxSeqLength, int *maxBatchSize, int *maxBeamSize);

/* reserveSpaceSizeInBytes may be null. Weights are described as heads x projected x original size, biases as heads x projected size x 1
 * (the output's: 1 x size x 1); what there is none of has a null address and an empty descriptor. */
cudnnStatus_t cudnnGetMultiHeadAttnBuffers(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                           size_t *weightSizeInBytes, size_t *workSpaceSizeInBytes,
                                           size_t *reserveSpaceSizeInBytes);
cudnnStatus_t cudnnGetMultiHeadAttnWeights(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                           cudnnMultiHeadAttnWeightKind_t wKind, size_t weightSizeInBytes,
                                           const void *weights, cudnnTensorDescriptor_t wDesc, void **wAddr);

/* With a reserve it trains, with currIdx -1 and dropout; without, currIdx >= 0 asks for that step alone. Residuals lie as the queries do. */
cudnnStatus_t cudnnMultiHeadAttnForward(
    cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc, int currIdx, const int loWinIdx[], const int hiWinIdx[],
    const int devSeqLengthsQO[], const int devSeqLengthsKV[], const cudnnSeqDataDescriptor_t qDesc, const void *queries,
    const void *residuals, const cudnnSeqDataDescriptor_t kDesc, const void *keys, const cudnnSeqDataDescriptor_t vDesc,
    const void *values, const cudnnSeqDataDescriptor_t oDesc, void *out, size_t weightSizeInBytes, const void *weights,
    size_t workSpaceSizeInBytes, void *workSpace, size_t reserveSpaceSizeInBytes, void *reserveSpace);
/* The gradient of residuals is dout. */
cudnnStatus_t cudnnMultiHeadAttnBackwardData(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                             const int loWinIdx[], const int hiWinIdx[], const int devSeqLengthsDQDO[],
                                             const int devSeqLengthsDKDV[], const cudnnSeqDataDescriptor_t doDesc,
                                             const void *dout, const cudnnSeqDataDescriptor_t dqDesc, void *dqueries,
                                             const void *queries, const cudnnSeqDataDescriptor_t dkDesc, void *dkeys,
                                             const void *keys, const cudnnSeqDataDescriptor_t dvDesc, void *dvalues,
                                             const void *values, size_t weightSizeInBytes, const void *weights,
                                             size_t workSpaceSizeInBytes, void *workSpace,
                                             size_t reserveSpaceSizeInBytes, void *reserveSpace);
/* After the one above. */
cudnnStatus_t cudnnMultiHeadAttnBackwardWeights(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                                cudnnWgradMode_t addGrad, const cudnnSeqDataDescriptor_t qDesc,
                                                const void *queries, const cudnnSeqDataDescriptor_t kDesc,
                                                const void *keys, const cudnnSeqDataDescriptor_t vDesc,
                                                const void *values, const cudnnSeqDataDescriptor_t doDesc,
                                                const void *dout, size_t weightSizeInBytes, const void *weights,
                                                void *dweights, size_t workSpaceSizeInBytes, void *workSpace,
                                                size_t reserveSpaceSizeInBytes, void *reserveSpace);

#ifdef __cplusplus
}
#endif

#endif
