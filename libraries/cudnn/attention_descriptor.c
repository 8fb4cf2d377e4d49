/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: descriptors of attention and of its sequences, and where the weights lie: all matrices in the order of their
 * kinds, then all biases. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "attention.h"
#include "elements.h"

const char uwdnn_sequences_kind, uwdnn_attention_kind;

enum { TIME = CUDNN_SEQDATA_TIME_DIM, BATCH = CUDNN_SEQDATA_BATCH_DIM, BEAM = CUDNN_SEQDATA_BEAM_DIM };

/* --- sequences ---------------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnCreateSeqDataDescriptor(cudnnSeqDataDescriptor_t *seqDataDesc) {
  return uwdnn_new(seqDataDesc, sizeof **seqDataDesc, &uwdnn_sequences_kind);
}
cudnnStatus_t cudnnDestroySeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc) {
  IS(sequences, seqDataDesc);
  free(seqDataDesc->lengths);
  return uwdnn_free(seqDataDesc, &uwdnn_sequences_kind);
}

/* Strides of packed numbers in the order of axes, each of which must be there. */
static cudnnStatus_t lay_out(uwdnn_sequences *all, const cudnnSeqDataAxis_t *axes) {
  unsigned seen = 0;
  int64_t step = 1;
  for (int i = CUDNN_SEQDATA_DIM_COUNT; i-- > 0;) {
    NEED((unsigned)axes[i] < CUDNN_SEQDATA_DIM_COUNT && !(seen >> axes[i] & 1) && all->dims[axes[i]] > 0);
    seen |= 1u << axes[i];
    all->strides[axes[i]] = step;
    step *= all->dims[axes[i]];
    SUPPORTED(step <= INT_MAX);
  }
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_lengths(const uwdnn_sequences *all, size_t count, const int *lengths) {
  NEED(count == (size_t)all->dims[BATCH] * (size_t)all->dims[BEAM] && lengths);
  for (size_t i = 0; i < count; i++)
    NEED(lengths[i] >= 0 && lengths[i] <= all->dims[TIME]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetSeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc, cudnnDataType_t dataType, int nbDims,
                                        const int dimA[], const cudnnSeqDataAxis_t axes[], size_t seqLengthArraySize,
                                        const int seqLengthArray[], void *paddingFill) {
  IS(sequences, seqDataDesc);
  NEED(uwdnn_type_bytes(dataType) && nbDims == CUDNN_SEQDATA_DIM_COUNT && dimA && axes);
  SUPPORTED(uwdnn_is_real(dataType));
  uwdnn_sequences all = {.type = dataType, .has_fill = paddingFill != NULL};
  memcpy(all.dims, dimA, sizeof all.dims);
  TRY(lay_out(&all, axes));
  TRY(check_lengths(&all, seqLengthArraySize, seqLengthArray));
  if (paddingFill)
    uwdnn_load_row(dataType, paddingFill, 1, 1, 1, &all.fill);
  int *lengths = malloc(seqLengthArraySize * sizeof *lengths);
  if (!lengths)
    return CUDNN_STATUS_ALLOC_FAILED;
  memcpy(lengths, seqLengthArray, seqLengthArraySize * sizeof *lengths);
  free(seqDataDesc->lengths);
  seqDataDesc->all = all;
  seqDataDesc->lengths = lengths;
  memcpy(seqDataDesc->axes, axes, sizeof seqDataDesc->axes);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetSeqDataDescriptor(const cudnnSeqDataDescriptor_t seqDataDesc, cudnnDataType_t *dataType,
                                        int *nbDims, int nbDimsRequested, int dimA[], cudnnSeqDataAxis_t axes[],
                                        size_t *seqLengthArraySize, size_t seqLengthSizeRequested, int seqLengthArray[],
                                        void *paddingFill) {
  IS(sequences, seqDataDesc);
  const uwdnn_sequences *all = &seqDataDesc->all;
  NEED(all->dims[TIME] && nbDimsRequested >= 0);
  const size_t count = (size_t)all->dims[BATCH] * (size_t)all->dims[BEAM];
  PUT(dataType, all->type);
  PUT(nbDims, CUDNN_SEQDATA_DIM_COUNT);
  PUT(seqLengthArraySize, count);
  for (int i = 0; i < nbDimsRequested && i < CUDNN_SEQDATA_DIM_COUNT; i++) {
    if (dimA)
      dimA[i] = all->dims[i];
    if (axes)
      axes[i] = seqDataDesc->axes[i];
  }
  for (size_t i = 0; seqLengthArray && i < seqLengthSizeRequested && i < count; i++)
    seqLengthArray[i] = seqDataDesc->lengths[i];
  if (paddingFill && all->has_fill)
    uwdnn_store_row(all->type, &all->fill, 0, paddingFill, 1, 1);
  return CUDNN_STATUS_SUCCESS;
}

/* --- attention ---------------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnCreateAttnDescriptor(cudnnAttnDescriptor_t *attnDesc) {
  return uwdnn_new(attnDesc, sizeof **attnDesc, &uwdnn_attention_kind);
}
cudnnStatus_t cudnnDestroyAttnDescriptor(cudnnAttnDescriptor_t attnDesc) {
  return uwdnn_free(attnDesc, &uwdnn_attention_kind);
}

static int computes(cudnnDataType_t type, cudnnDataType_t compute) {
  return type == CUDNN_DATA_HALF ? compute == CUDNN_DATA_HALF || compute == CUDNN_DATA_FLOAT
                                 : compute == type && (type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE);
}

static cudnnStatus_t check(const uwdnn_attention *a) {
  NEED(a->mode <= (CUDNN_ATTN_QUERYMAP_ONE_TO_ONE | CUDNN_ATTN_ENABLE_PROJ_BIASES) && a->heads > 0 && a->scaler >= 0);
  NEED((unsigned)a->math <= CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION + (CUDNN_MAJOR >= 8));
  for (int i = 0; i < UWDNN_O; i++)
    NEED(a->size[i] > 0);
  for (int i = 0; i < UWDNN_QKVO; i++)
    NEED(a->projected[i] >= 0);
  NEED(a->most_queries > 0 && a->most_keys > 0 && a->most_batch > 0 && a->most_beams > 0);
  NEED(uwdnn_attention_width(a, UWDNN_Q) == uwdnn_attention_width(a, UWDNN_K));
  NEED(uwdnn_type_bytes(a->type) && uwdnn_type_bytes(a->compute));
  SUPPORTED(computes(a->type, a->compute));
  for (int i = 0; i < UWDNN_O; i++) /* rows that GEMM can step over */
    SUPPORTED(a->heads * uwdnn_attention_width(a, i) <= INT_MAX);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetAttnDescriptor(cudnnAttnDescriptor_t attnDesc, unsigned attnMode, int nHeads, double smScaler,
                                     cudnnDataType_t dataType, cudnnDataType_t computePrec, cudnnMathType_t mathType,
                                     cudnnDropoutDescriptor_t attnDropoutDesc, cudnnDropoutDescriptor_t postDropoutDesc,
                                     int qSize, int kSize, int vSize, int qProjSize, int kProjSize, int vProjSize,
                                     int oProjSize, int qoMaxSeqLength, int kvMaxSeqLength, int maxBatchSize,
                                     int maxBeamSize) {
  IS(attention, attnDesc);
  NEED(!attnDropoutDesc || uwrt_handle_is(attnDropoutDesc, &uwdnn_dropout_kind));
  NEED(!postDropoutDesc || uwrt_handle_is(postDropoutDesc, &uwdnn_dropout_kind));
  const struct cudnnDropoutStruct none = {0};
  const uwdnn_attention given = {1,
                                 attnMode,
                                 nHeads,
                                 {qSize, kSize, vSize},
                                 {qProjSize, kProjSize, vProjSize, oProjSize},
                                 qoMaxSeqLength,
                                 kvMaxSeqLength,
                                 maxBatchSize,
                                 maxBeamSize,
                                 smScaler,
                                 dataType,
                                 computePrec,
                                 mathType,
                                 attnDropoutDesc ? *attnDropoutDesc : none,
                                 postDropoutDesc ? *postDropoutDesc : none};
  TRY(check(&given));
  *attnDesc = (struct cudnnAttnStruct){given, attnDropoutDesc, postDropoutDesc};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetAttnDescriptor(cudnnAttnDescriptor_t attnDesc, unsigned *attnMode, int *nHeads, double *smScaler,
                                     cudnnDataType_t *dataType, cudnnDataType_t *computePrec, cudnnMathType_t *mathType,
                                     cudnnDropoutDescriptor_t *attnDropoutDesc,
                                     cudnnDropoutDescriptor_t *postDropoutDesc, int *qSize, int *kSize, int *vSize,
                                     int *qProjSize, int *kProjSize, int *vProjSize, int *oProjSize,
                                     int *qoMaxSeqLength, int *kvMaxSeqLength, int *maxBatchSize, int *maxBeamSize) {
  IS(attention, attnDesc);
  const uwdnn_attention *a = &attnDesc->attention;
  NEED(a->is_set);
  PUT(attnMode, a->mode);
  PUT(nHeads, a->heads);
  PUT(smScaler, a->scaler);
  PUT(dataType, a->type);
  PUT(computePrec, a->compute);
  PUT(mathType, a->math);
  PUT(attnDropoutDesc, attnDesc->dropout);
  PUT(postDropoutDesc, attnDesc->post);
  int *const sizes[] = {qSize, kSize, vSize}, *const projected[] = {qProjSize, kProjSize, vProjSize, oProjSize};
  for (int i = 0; i < UWDNN_O; i++)
    PUT(sizes[i], a->size[i]);
  for (int i = 0; i < UWDNN_QKVO; i++)
    PUT(projected[i], a->projected[i]);
  PUT(qoMaxSeqLength, a->most_queries);
  PUT(kvMaxSeqLength, a->most_keys);
  PUT(maxBatchSize, a->most_batch);
  PUT(maxBeamSize, a->most_beams);
  return CUDNN_STATUS_SUCCESS;
}

/* --- weights ------------------------------------------------------------------------------------------------------ */

/* Heads, projected size, original size. */
static void dims_of(const uwdnn_attention *of, int kind, int64_t *dims) {
  const int which = kind % UWDNN_QKVO, is_bias = kind >= UWDNN_QKVO;
  dims[0] = is_bias && which == UWDNN_O ? 1 : of->heads;
  dims[1] = is_bias && !(of->mode & CUDNN_ATTN_ENABLE_PROJ_BIASES) ? 0 : of->projected[which];
  dims[2] = is_bias ? 1 : which == UWDNN_O ? uwdnn_attention_width(of, UWDNN_V) : of->size[which];
}

int64_t uwdnn_attention_count(const uwdnn_attention *of, int kind) {
  int64_t dims[3];
  dims_of(of, kind, dims);
  return dims[0] * dims[1] * dims[2];
}

int64_t uwdnn_attention_first(const uwdnn_attention *of, int kind) {
  int64_t at = 0;
  for (int i = 0; i < kind; i++)
    at += uwdnn_attention_count(of, i);
  return at;
}

static size_t weight_bytes(const uwdnn_attention *of) {
  return (size_t)uwdnn_attention_first(of, CUDNN_ATTN_WKIND_COUNT) * uwdnn_type_bytes(of->type);
}

cudnnStatus_t cudnnGetMultiHeadAttnBuffers(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                           size_t *weightSizeInBytes, size_t *workSpaceSizeInBytes,
                                           size_t *reserveSpaceSizeInBytes) {
  HANDLE;
  IS(attention, attnDesc);
  const uwdnn_attention *a = &attnDesc->attention;
  NEED(a->is_set && weightSizeInBytes && workSpaceSizeInBytes);
  *weightSizeInBytes = weight_bytes(a);
  *workSpaceSizeInBytes = 2 * (size_t)a->most_queries * sizeof(int);
  PUT(reserveSpaceSizeInBytes,
      uwdnn_attention_reserve_bytes(a, a->most_batch, a->most_beams, a->most_queries, a->most_keys));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetMultiHeadAttnWeights(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                           cudnnMultiHeadAttnWeightKind_t wKind, size_t weightSizeInBytes,
                                           const void *weights, cudnnTensorDescriptor_t wDesc, void **wAddr) {
  HANDLE;
  IS(attention, attnDesc);
  IS(tensor, wDesc);
  const uwdnn_attention *a = &attnDesc->attention;
  NEED(a->is_set && (unsigned)wKind < CUDNN_ATTN_WKIND_COUNT && wAddr && weightSizeInBytes >= weight_bytes(a));
  int64_t dims[3];
  dims_of(a, (int)wKind, dims);
  if (!dims[1]) {
    wDesc->type = a->type;
    wDesc->view = (uwdnn_view){.type = a->type, .vector = 1};
    *wAddr = NULL;
    return CUDNN_STATUS_SUCCESS;
  }
  NEED(weights);
  TRY(cudnnSetTensorNdDescriptorEx(wDesc, CUDNN_TENSOR_NCHW, a->type, 3,
                                   (const int[]){(int)dims[0], (int)dims[1], (int)dims[2]}));
  *wAddr = (char *)weights + uwdnn_attention_first(a, (int)wKind) * (int64_t)uwdnn_type_bytes(a->type);
  return CUDNN_STATUS_SUCCESS;
}
