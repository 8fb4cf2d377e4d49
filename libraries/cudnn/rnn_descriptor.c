/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: descriptors of recurrent networks and of their sequences, and where their weights lie. */
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "rnn.h"

const char uwdnn_rnn_kind, uwdnn_rnn_data_kind;

cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t *rnnDesc) {
  return uwdnn_new(rnnDesc, sizeof **rnnDesc, &uwdnn_rnn_kind);
}
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t rnnDesc) { return uwdnn_free(rnnDesc, &uwdnn_rnn_kind); }

static cudnnStatus_t set(cudnnRNNDescriptor_t rnn, const uwdnn_rnn *given, int input_mode, int algo,
                         cudnnDropoutDescriptor_t dropout) {
  IS(rnn, rnn);
  NEED(given->hidden > 0 && given->layers > 0 && (unsigned)given->mode <= CUDNN_GRU && (unsigned)input_mode <= 1);
  NEED((unsigned)given->bias <= CUDNN_RNN_SINGLE_REC_BIAS && (unsigned)algo < CUDNN_RNN_ALGO_COUNT);
  NEED(!dropout || uwrt_handle_is(dropout, &uwdnn_dropout_kind));
  NEED(input_mode == CUDNN_LINEAR_INPUT || !given->input || given->input == given->hidden);
  SUPPORTED(uwdnn_is_real(given->type) && (!given->projected || given->mode == CUDNN_LSTM));
  rnn->rnn = *given;
  rnn->rnn.is_set = 1;
  rnn->rnn.skips = input_mode == CUDNN_SKIP_INPUT;
  rnn->rnn.algo = algo;
  rnn->dropout = dropout;
  if (dropout)
    rnn->rnn.dropout = *dropout;
  return CUDNN_STATUS_SUCCESS;
}

/* Are there weights of that number? One more is the projection's. */
static int has_part(const uwdnn_rnn *rnn, int id) {
  const int both = 2 * uwdnn_rnn_gates(rnn);
  return id >= 0 && (id < both || (id == both && rnn->projected));
}

#if CUDNN_MAJOR < 9
cudnnStatus_t cudnnSetRNNDescriptor_v6(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, const int hiddenSize,
                                       const int numLayers, cudnnDropoutDescriptor_t dropoutDesc,
                                       cudnnRNNInputMode_t inputMode, cudnnDirectionMode_t direction,
                                       cudnnRNNMode_t mode, cudnnRNNAlgo_t algo, cudnnDataType_t mathPrec) {
  HANDLE;
  NEED((unsigned)direction <= CUDNN_BIDIRECTIONAL);
  const uwdnn_rnn given = {.mode = (int)mode,
                           .bias = CUDNN_RNN_DOUBLE_BIAS,
                           .directions = 1 + (int)direction,
                           .layers = numLayers,
                           .hidden = hiddenSize,
                           .type = mathPrec,
                           .compute = mathPrec};
  return set(rnnDesc, &given, (int)inputMode, (int)algo, dropoutDesc);
}

#if CUDNN_MAJOR == 7
cudnnStatus_t cudnnSetRNNDescriptor(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, const int hiddenSize,
                                    const int numLayers, cudnnDropoutDescriptor_t dropoutDesc,
                                    cudnnRNNInputMode_t inputMode, cudnnDirectionMode_t direction, cudnnRNNMode_t mode,
                                    cudnnRNNAlgo_t algo, cudnnDataType_t mathPrec) {
  return cudnnSetRNNDescriptor_v6(handle, rnnDesc, hiddenSize, numLayers, dropoutDesc, inputMode, direction, mode, algo,
                                  mathPrec);
}

cudnnStatus_t cudnnSetRNNDescriptor_v5(cudnnRNNDescriptor_t rnnDesc, int hiddenSize, int numLayers,
                                       cudnnDropoutDescriptor_t dropoutDesc, cudnnRNNInputMode_t inputMode,
                                       cudnnDirectionMode_t direction, cudnnRNNMode_t mode, cudnnDataType_t mathPrec) {
  NEED((unsigned)direction <= CUDNN_BIDIRECTIONAL);
  const uwdnn_rnn given = {.mode = (int)mode,
                           .bias = CUDNN_RNN_DOUBLE_BIAS,
                           .directions = 1 + (int)direction,
                           .layers = numLayers,
                           .hidden = hiddenSize,
                           .type = mathPrec,
                           .compute = mathPrec};
  return set(rnnDesc, &given, (int)inputMode, CUDNN_RNN_ALGO_STANDARD, dropoutDesc);
}
#endif

cudnnStatus_t cudnnSetRNNMatrixMathType(cudnnRNNDescriptor_t rnnDesc, cudnnMathType_t mType) {
  IS(rnn, rnnDesc);
  NEED((unsigned)mType <= CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION + (CUDNN_MAJOR >= 8));
  rnnDesc->rnn.math = mType;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetRNNMatrixMathType(cudnnRNNDescriptor_t rnnDesc, cudnnMathType_t *mType) {
  IS(rnn, rnnDesc);
  NEED(mType);
  *mType = rnnDesc->rnn.math;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNBiasMode(cudnnRNNDescriptor_t rnnDesc, cudnnRNNBiasMode_t biasMode) {
  IS(rnn, rnnDesc);
  NEED((unsigned)biasMode <= CUDNN_RNN_SINGLE_REC_BIAS);
  rnnDesc->rnn.bias = (int)biasMode;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetRNNBiasMode(cudnnRNNDescriptor_t rnnDesc, cudnnRNNBiasMode_t *biasMode) {
  IS(rnn, rnnDesc);
  NEED(biasMode);
  *biasMode = (cudnnRNNBiasMode_t)rnnDesc->rnn.bias;
  return CUDNN_STATUS_SUCCESS;
}

/* A size of the state itself or 0 is no projection; of the output there is none in cuDNN itself. */
cudnnStatus_t cudnnSetRNNProjectionLayers(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, const int recProjSize,
                                          const int outProjSize) {
  HANDLE;
  IS(rnn, rnnDesc);
  NEED(rnnDesc->rnn.is_set && recProjSize >= 0 && recProjSize <= rnnDesc->rnn.hidden && outProjSize >= 0);
  const int projected = recProjSize == rnnDesc->rnn.hidden ? 0 : recProjSize;
  SUPPORTED((!projected || rnnDesc->rnn.mode == CUDNN_LSTM) && outProjSize == 0);
  rnnDesc->rnn.projected = projected;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetRNNProjectionLayers(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, int *recProjSize,
                                          int *outProjSize) {
  HANDLE;
  IS(rnn, rnnDesc);
  NEED(rnnDesc->rnn.is_set);
  PUT(recProjSize, (int)uwdnn_rnn_state(&rnnDesc->rnn));
  PUT(outProjSize, 0);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNDescriptor_v6(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, int *hiddenSize,
                                       int *numLayers, cudnnDropoutDescriptor_t *dropoutDesc,
                                       cudnnRNNInputMode_t *inputMode, cudnnDirectionMode_t *direction,
                                       cudnnRNNMode_t *cellMode, cudnnRNNAlgo_t *algo, cudnnDataType_t *mathPrec) {
  HANDLE;
  IS(rnn, rnnDesc);
  const uwdnn_rnn *rnn = &rnnDesc->rnn;
  NEED(rnn->is_set);
  PUT(hiddenSize, rnn->hidden);
  PUT(numLayers, rnn->layers);
  PUT(dropoutDesc, rnnDesc->dropout);
  PUT(inputMode, rnn->skips ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT);
  PUT(direction, (cudnnDirectionMode_t)(rnn->directions - 1));
  PUT(cellMode, (cudnnRNNMode_t)rnn->mode);
  PUT(algo, (cudnnRNNAlgo_t)rnn->algo);
  PUT(mathPrec, rnn->compute);
  return CUDNN_STATUS_SUCCESS;
}
#if CUDNN_MAJOR == 7
cudnnStatus_t cudnnGetRNNDescriptor(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, int *hiddenSize, int *numLayers,
                                    cudnnDropoutDescriptor_t *dropoutDesc, cudnnRNNInputMode_t *inputMode,
                                    cudnnDirectionMode_t *direction, cudnnRNNMode_t *mode, cudnnRNNAlgo_t *algo,
                                    cudnnDataType_t *mathPrec) {
  return cudnnGetRNNDescriptor_v6(handle, rnnDesc, hiddenSize, numLayers, dropoutDesc, inputMode, direction, mode, algo,
                                  mathPrec);
}
#endif

/* The network with the input's size, which descriptors of that time do not have. */
static cudnnStatus_t with_input(cudnnRNNDescriptor_t rnn, cudnnTensorDescriptor_t x, uwdnn_rnn *full) {
  IS(rnn, rnn);
  IS(tensor, x);
  NEED(rnn->rnn.is_set && x->view.rank >= 3);
  *full = rnn->rnn;
  full->input = (int)x->view.dims[1];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNParamsSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                    const cudnnTensorDescriptor_t xDesc, size_t *sizeInBytes,
                                    cudnnDataType_t dataType) {
  HANDLE;
  uwdnn_rnn rnn;
  TRY(with_input(rnnDesc, xDesc, &rnn));
  NEED(sizeInBytes && uwdnn_type_bytes(dataType));
  *sizeInBytes = (size_t)uwdnn_rnn_weights(&rnn) * uwdnn_type_bytes(dataType);
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t part(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, int pseudo_layer,
                          cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t weights, const void *w, int id,
                          cudnnFilterDescriptor_t described, void **at, int is_bias) {
  HANDLE;
  uwdnn_rnn rnn;
  TRY(with_input(rnnDesc, x, &rnn));
  IS(filter, weights);
  IS(filter, described);
  const int gates = uwdnn_rnn_gates(&rnn), of = id / gates, rows = of == 2 ? rnn.projected : rnn.hidden;
  NEED(w && at && pseudo_layer >= 0 && pseudo_layer < rnn.layers * rnn.directions && has_part(&rnn, id));
  const int64_t width = is_bias ? 1 : uwdnn_rnn_columns(&rnn, pseudo_layer, of);
  const int64_t first = is_bias ? uwdnn_rnn_bias(&rnn, pseudo_layer, of) : uwdnn_rnn_matrix(&rnn, pseudo_layer, of);
  NEED(first >= 0);
  if (!width) { /* skipped */
    described->view = (uwdnn_view){.vector = 1};
    *at = NULL;
    return CUDNN_STATUS_SUCCESS;
  }
  TRY(cudnnSetFilterNdDescriptor(described, weights->type, CUDNN_TENSOR_NCHW, 3, (const int[]){1, rows, (int)width}));
  *at = (char *)w + (first + id % gates * width * rows) * (int64_t)uwdnn_type_bytes(weights->type);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNLinLayerMatrixParams(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                              const int pseudoLayer, const cudnnTensorDescriptor_t xDesc,
                                              const cudnnFilterDescriptor_t wDesc, const void *w, const int linLayerID,
                                              cudnnFilterDescriptor_t linLayerMatDesc, void **linLayerMat) {
  return part(handle, rnnDesc, pseudoLayer, xDesc, wDesc, w, linLayerID, linLayerMatDesc, linLayerMat, 0);
}
cudnnStatus_t cudnnGetRNNLinLayerBiasParams(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                            const int pseudoLayer, const cudnnTensorDescriptor_t xDesc,
                                            const cudnnFilterDescriptor_t wDesc, const void *w, const int linLayerID,
                                            cudnnFilterDescriptor_t linLayerBiasDesc, void **linLayerBias) {
  return part(handle, rnnDesc, pseudoLayer, xDesc, wDesc, w, linLayerID, linLayerBiasDesc, linLayerBias, 1);
}
#endif

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t rnnDesc, cudnnRNNAlgo_t algo, cudnnRNNMode_t cellMode,
                                       cudnnRNNBiasMode_t biasMode, cudnnDirectionMode_t dirMode,
                                       cudnnRNNInputMode_t inputMode, cudnnDataType_t dataType,
                                       cudnnDataType_t mathPrec, cudnnMathType_t mathType, int32_t inputSize,
                                       int32_t hiddenSize, int32_t projSize, int32_t numLayers,
                                       cudnnDropoutDescriptor_t dropoutDesc, uint32_t auxFlags) {
  NEED((unsigned)dirMode <= CUDNN_BIDIRECTIONAL && inputSize > 0 && auxFlags <= CUDNN_RNN_PADDED_IO_ENABLED);
  NEED(projSize >= 0 && projSize <= hiddenSize && uwdnn_type_bytes(mathPrec));
  const uwdnn_rnn given = {.mode = (int)cellMode,
                           .bias = (int)biasMode,
                           .directions = 1 + (int)dirMode,
                           .layers = numLayers,
                           .hidden = hiddenSize,
                           .input = inputSize,
                           .projected = projSize == hiddenSize ? 0 : projSize,
                           .is_typed = 1,
                           .type = dataType,
                           .compute = mathPrec,
                           .math = mathType,
                           .padded = (int)auxFlags};
  return set(rnnDesc, &given, (int)inputMode, (int)algo, dropoutDesc);
}

cudnnStatus_t cudnnGetRNNDescriptor_v8(cudnnRNNDescriptor_t rnnDesc, cudnnRNNAlgo_t *algo, cudnnRNNMode_t *cellMode,
                                       cudnnRNNBiasMode_t *biasMode, cudnnDirectionMode_t *dirMode,
                                       cudnnRNNInputMode_t *inputMode, cudnnDataType_t *dataType,
                                       cudnnDataType_t *mathPrec, cudnnMathType_t *mathType, int32_t *inputSize,
                                       int32_t *hiddenSize, int32_t *projSize, int32_t *numLayers,
                                       cudnnDropoutDescriptor_t *dropoutDesc, uint32_t *auxFlags) {
  IS(rnn, rnnDesc);
  const uwdnn_rnn *rnn = &rnnDesc->rnn;
  NEED(rnn->is_set);
  PUT(algo, (cudnnRNNAlgo_t)rnn->algo);
  PUT(cellMode, (cudnnRNNMode_t)rnn->mode);
  PUT(biasMode, (cudnnRNNBiasMode_t)rnn->bias);
  PUT(dirMode, (cudnnDirectionMode_t)(rnn->directions - 1));
  PUT(inputMode, rnn->skips ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT);
  PUT(dataType, rnn->type);
  PUT(mathPrec, rnn->compute);
  PUT(mathType, rnn->math);
  PUT(inputSize, rnn->input);
  PUT(hiddenSize, rnn->hidden);
  PUT(projSize, (int32_t)uwdnn_rnn_state(rnn));
  PUT(numLayers, rnn->layers);
  PUT(dropoutDesc, rnnDesc->dropout);
  PUT(auxFlags, (uint32_t)rnn->padded);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, size_t *weightSpaceSize) {
  HANDLE;
  IS(rnn, rnnDesc);
  NEED(rnnDesc->rnn.is_set && rnnDesc->rnn.input && weightSpaceSize);
  *weightSpaceSize = (size_t)uwdnn_rnn_weights(&rnnDesc->rnn) * uwdnn_type_bytes(rnnDesc->rnn.type);
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t matrix(cudnnTensorDescriptor_t tensor, cudnnDataType_t type, int rows, int columns) {
  return cudnnSetTensorNdDescriptorEx(tensor, CUDNN_TENSOR_NCHW, type, 3, (const int[]){1, rows, columns});
}

cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, int32_t pseudoLayer,
                                      size_t weightSpaceSize, const void *weightSpace, int32_t linLayerID,
                                      cudnnTensorDescriptor_t mDesc, void **mAddr, cudnnTensorDescriptor_t bDesc,
                                      void **bAddr) {
  size_t bytes;
  TRY(cudnnGetRNNWeightSpaceSize(handle, rnnDesc, &bytes));
  const uwdnn_rnn *rnn = &rnnDesc->rnn;
  const int gates = uwdnn_rnn_gates(rnn), of = linLayerID / gates, rows = of == 2 ? rnn->projected : rnn->hidden;
  NEED(weightSpaceSize >= bytes && has_part(rnn, linLayerID));
  NEED(pseudoLayer >= 0 && pseudoLayer < rnn->layers * rnn->directions);
  const int64_t number = (int64_t)uwdnn_type_bytes(rnn->type);
  /* PyTorch asks for one of the two at a time, and has NULL for the other. */
  if (mDesc || mAddr) {
    IS(tensor, mDesc);
    NEED(mAddr);
    const int64_t width = uwdnn_rnn_columns(rnn, pseudoLayer, of);
    if (width)
      TRY(matrix(mDesc, rnn->type, rows, (int)width));
    else
      mDesc->view = (uwdnn_view){.vector = 1};
    const int64_t at = uwdnn_rnn_matrix(rnn, pseudoLayer, of) + linLayerID % gates * width * rows;
    *mAddr = width ? (char *)weightSpace + at * number : NULL;
  }
  if (!bDesc && !bAddr)
    return CUDNN_STATUS_SUCCESS;
  NEED(bAddr);
  const int64_t bias = uwdnn_rnn_bias(rnn, pseudoLayer, of);
  *bAddr = NULL;
  if (bias < 0)
    return CUDNN_STATUS_SUCCESS;
  TRY(matrix(bDesc, rnn->type, rnn->hidden, 1));
  *bAddr = (char *)weightSpace + (bias + linLayerID % gates * rnn->hidden) * number;
  return CUDNN_STATUS_SUCCESS;
}
#endif

/* --- clipping, padding -------------------------------------------------------------------------------------------- */

static cudnnStatus_t set_clip(cudnnRNNDescriptor_t rnn, cudnnRNNClipMode_t mode, int nan, double least, double most) {
  IS(rnn, rnn);
  NEED(rnn->rnn.is_set && (unsigned)mode <= CUDNN_RNN_CLIP_MINMAX && (unsigned)nan <= CUDNN_PROPAGATE_NAN);
  NEED(mode == CUDNN_RNN_CLIP_NONE || least <= most);
  rnn->rnn.clips = mode == CUDNN_RNN_CLIP_MINMAX;
  rnn->rnn.clip_nan = nan;
  rnn->rnn.least = least;
  rnn->rnn.most = most;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t get_clip(cudnnRNNDescriptor_t rnn, cudnnRNNClipMode_t *mode, cudnnNanPropagation_t *nan,
                              double *least, double *most) {
  IS(rnn, rnn);
  PUT(mode, rnn->rnn.clips ? CUDNN_RNN_CLIP_MINMAX : CUDNN_RNN_CLIP_NONE);
  PUT(nan, (cudnnNanPropagation_t)rnn->rnn.clip_nan);
  PUT(least, rnn->rnn.least);
  PUT(most, rnn->rnn.most);
  return CUDNN_STATUS_SUCCESS;
}

#if CUDNN_MAJOR < 9
cudnnStatus_t cudnnRNNSetClip(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t clipMode,
                              cudnnNanPropagation_t clipNanOpt, double lclip, double rclip) {
  HANDLE;
  return set_clip(rnnDesc, clipMode, (int)clipNanOpt, lclip, rclip);
}
cudnnStatus_t cudnnRNNGetClip(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t *clipMode,
                              cudnnNanPropagation_t *clipNanOpt, double *lclip, double *rclip) {
  HANDLE;
  return get_clip(rnnDesc, clipMode, clipNanOpt, lclip, rclip);
}
cudnnStatus_t cudnnSetRNNPaddingMode(cudnnRNNDescriptor_t rnnDesc, cudnnRNNPaddingMode_t paddingMode) {
  IS(rnn, rnnDesc);
  NEED((unsigned)paddingMode <= 1);
  rnnDesc->rnn.padded = (int)paddingMode;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetRNNPaddingMode(cudnnRNNDescriptor_t rnnDesc, cudnnRNNPaddingMode_t *paddingMode) {
  IS(rnn, rnnDesc);
  NEED(paddingMode);
  *paddingMode = (cudnnRNNPaddingMode_t)rnnDesc->rnn.padded;
  return CUDNN_STATUS_SUCCESS;
}
#endif
#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnRNNSetClip_v8(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t clipMode,
                                 cudnnNanPropagation_t clipNanOpt, double lclip, double rclip) {
  return set_clip(rnnDesc, clipMode, (int)clipNanOpt, lclip, rclip);
}
cudnnStatus_t cudnnRNNGetClip_v8(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t *clipMode,
                                 cudnnNanPropagation_t *clipNanOpt, double *lclip, double *rclip) {
  return get_clip(rnnDesc, clipMode, clipNanOpt, lclip, rclip);
}
#endif
#if CUDNN_MAJOR >= 9
cudnnStatus_t cudnnRNNSetClip_v9(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t clipMode, double lclip,
                                 double rclip) {
  return set_clip(rnnDesc, clipMode, CUDNN_NOT_PROPAGATE_NAN, lclip, rclip);
}
cudnnStatus_t cudnnRNNGetClip_v9(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t *clipMode, double *lclip,
                                 double *rclip) {
  return get_clip(rnnDesc, clipMode, NULL, lclip, rclip);
}
#endif

/* --- sequences ---------------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t *rnnDataDesc) {
  return uwdnn_new(rnnDataDesc, sizeof **rnnDataDesc, &uwdnn_rnn_data_kind);
}
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t rnnDataDesc) {
  IS(rnn_data, rnnDataDesc);
  free(rnnDataDesc->lengths);
  return uwdnn_free(rnnDataDesc, &uwdnn_rnn_data_kind);
}

cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t rnnDataDesc, cudnnDataType_t dataType,
                                        cudnnRNNDataLayout_t layout, int maxSeqLength, int batchSize, int vectorSize,
                                        const int seqLengthArray[], void *paddingFill) {
  IS(rnn_data, rnnDataDesc);
  NEED(maxSeqLength > 0 && batchSize > 0 && vectorSize > 0 && seqLengthArray);
  NEED((unsigned)layout <= CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED);
  SUPPORTED(uwdnn_is_real(dataType));
  for (int i = 0; i < batchSize; i++) {
    NEED(seqLengthArray[i] >= 0 && seqLengthArray[i] <= maxSeqLength);
    NEED(!i || layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED || seqLengthArray[i] <= seqLengthArray[i - 1]);
  }
  int *lengths = malloc((size_t)batchSize * sizeof *lengths);
  if (!lengths)
    return CUDNN_STATUS_ALLOC_FAILED;
  memcpy(lengths, seqLengthArray, (size_t)batchSize * sizeof *lengths);
  free(rnnDataDesc->lengths);
  rnnDataDesc->lengths = lengths;
  uwdnn_rnn_rows rows = {dataType, (int)layout, maxSeqLength, batchSize, vectorSize, paddingFill != NULL, 0};
  if (paddingFill)
    uwdnn_load_row(dataType, paddingFill, 1, 1, 1, &rows.fill);
  rnnDataDesc->rows = rows;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNDataDescriptor(cudnnRNNDataDescriptor_t rnnDataDesc, cudnnDataType_t *dataType,
                                        cudnnRNNDataLayout_t *layout, int *maxSeqLength, int *batchSize,
                                        int *vectorSize, int arrayLengthRequested, int seqLengthArray[],
                                        void *paddingFill) {
  IS(rnn_data, rnnDataDesc);
  const uwdnn_rnn_rows *rows = &rnnDataDesc->rows;
  NEED(arrayLengthRequested >= 0 && rows->batch);
  PUT(dataType, rows->type);
  PUT(layout, (cudnnRNNDataLayout_t)rows->layout);
  PUT(maxSeqLength, rows->steps);
  PUT(batchSize, rows->batch);
  PUT(vectorSize, rows->width);
  for (int i = 0; seqLengthArray && i < arrayLengthRequested && i < rows->batch; i++)
    seqLengthArray[i] = rnnDataDesc->lengths[i];
  if (paddingFill)
    uwdnn_store_row(rows->type, &rows->fill, 0, paddingFill, 1, 1);
  return CUDNN_STATUS_SUCCESS;
}
