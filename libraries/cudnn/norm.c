/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: batch normalisation, its calls. */
#include <string.h>

#include "elements.h"
#include "norm.h"

/* The dimensions of the channels' numbers. */
static void derive(const uwdnn_view *x, int spatial, int *dims) {
  for (int i = 0; i < x->rank; i++)
    dims[i] = i == 1 || (!spatial && i > 0) ? (int)x->dims[i] : 1;
}

static cudnnStatus_t derive_into(cudnnTensorDescriptor_t derived, cudnnTensorDescriptor_t x, int spatial) {
  IS(tensor, derived);
  IS(tensor, x);
  NEED(x->view.rank >= 2);
  int dims[CUDNN_DIM_MAX];
  derive(&x->view, spatial, dims);
  const cudnnDataType_t type = x->view.type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  return cudnnSetTensorNdDescriptorEx(derived, CUDNN_TENSOR_NCHW, type, x->view.rank, dims);
}

static cudnnStatus_t take_tensor(const uwdnn_view *x, cudnnTensorDescriptor_t tensor, uwdnn_view *view, int is_result) {
  IS(tensor, tensor);
  NEED(uwdnn_same_dims(x, &tensor->view));
  SUPPORTED(uwdnn_is_real(tensor->view.type) &&
            (tensor->view.type == CUDNN_DATA_DOUBLE) == (x->type == CUDNN_DATA_DOUBLE));
  SUPPORTED(!is_result || uwdnn_is_apart(&tensor->view));
  *view = tensor->view;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take_channels(const uwdnn_view *x, int spatial, cudnnTensorDescriptor_t tensor, uwdnn_view *view) {
  IS(tensor, tensor);
  int dims[CUDNN_DIM_MAX];
  derive(x, spatial, dims);
  NEED(tensor->view.rank == x->rank && uwdnn_is_real(tensor->view.type));
  for (int i = 0; i < x->rank; i++)
    NEED(tensor->view.dims[i] == dims[i]);
  SUPPORTED(uwdnn_is_apart(&tensor->view));
  *view = tensor->view;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t start(uwdnn_norm_call *call, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t scale_bias,
                           cudnnTensorDescriptor_t mean_variance) {
  IS(tensor, x);
  NEED(x->view.rank >= 2 && call->x_at && call->scale);
  NEED(call->epsilon >= CUDNN_BN_MIN_EPSILON);
  SUPPORTED(uwdnn_is_real(x->view.type));
  call->x = x->view;
  TRY(take_channels(&call->x, call->spatial, scale_bias, &call->scale_bias));
  return take_channels(&call->x, call->spatial, mean_variance, &call->mean_variance);
}

/* The activation that follows; only ReLU can. */
static cudnnStatus_t take_activation(uwdnn_norm_call *call, int ops, cudnnActivationDescriptor_t activation) {
  NEED(ops >= CUDNN_BATCHNORM_OPS_BN && ops <= CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION);
  if (ops == CUDNN_BATCHNORM_OPS_BN)
    return CUDNN_STATUS_SUCCESS;
  IS(activation, activation);
  NEED(activation->is_set);
  SUPPORTED(activation->mode == CUDNN_ACTIVATION_RELU);
  call->activates = 1;
  return CUDNN_STATUS_SUCCESS;
}

UWL_OPERATION(cudnnBatchNormalizationForwardInference, uwdnn_norm_call) { uwdnn_normalize(call); }
UWL_OPERATION(cudnnBatchNormalizationForwardTraining, uwdnn_norm_call) { uwdnn_normalize(call); }
UWL_OPERATION(cudnnBatchNormalizationBackward, uwdnn_norm_call) { uwdnn_normalize(call); }

/* What is to be done, the descriptors of its tensors, and the bytes of the reserve. */
typedef struct asked {
  int ops;
  cudnnTensorDescriptor_t x, y, z, scale_bias, mean_variance;
  cudnnActivationDescriptor_t activation;
  const void *alpha, *beta;
  size_t reserve_bytes;
} asked;

static size_t reserve_bytes(const uwdnn_view *x) { return UWDNN_NORM_HEAD + (size_t)uwdnn_view_count(x); }

static cudnnStatus_t forward(cudnnHandle_t handle, uwdnn_norm_call *call, const asked *asked) {
  HANDLE;
  TRY(start(call, asked->x, asked->scale_bias, asked->mean_variance));
  NEED(asked->alpha && asked->beta && call->y_at && call->bias);
  NEED(!call->mean == !call->variance && !call->saved_mean == !call->saved_inverse);
  NEED(call->factor >= 0 && (call->pass == UWDNN_NORM_TRAINING || call->mean));
  TRY(take_tensor(&call->x, asked->y, &call->y, 1));
  TRY(take_activation(call, asked->ops, asked->activation));
  if (asked->ops == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION) {
    NEED(call->z_at);
    TRY(take_tensor(&call->x, asked->z, &call->z, 0));
  } else
    call->z_at = NULL;
  if (!call->activates || call->pass == UWDNN_NORM_INFERENCE)
    call->reserve = NULL;
  else
    NEED(call->reserve && asked->reserve_bytes >= reserve_bytes(&call->x));
  call->alpha = uwdnn_scalar(&call->x, asked->alpha);
  call->beta = uwdnn_scalar(&call->x, asked->beta);
  if (call->pass == UWDNN_NORM_INFERENCE)
    GIVE(cudnnBatchNormalizationForwardInference, *call);
  GIVE(cudnnBatchNormalizationForwardTraining, *call);
}

typedef struct asked_back {
  int ops;
  cudnnTensorDescriptor_t x, dy, dz, dx, scale_bias, mean_variance;
  cudnnActivationDescriptor_t activation;
  const void *alpha, *beta, *alpha_param, *beta_param;
  size_t reserve_bytes;
} asked_back;

static cudnnStatus_t backward(cudnnHandle_t handle, uwdnn_norm_call *call, const asked_back *asked) {
  HANDLE;
  call->pass = UWDNN_NORM_BACKWARD;
  TRY(start(call, asked->x, asked->scale_bias, asked->mean_variance));
  NEED(asked->alpha && asked->beta && asked->alpha_param && asked->beta_param);
  NEED(call->dy_at && call->dx_at && call->dscale && call->dbias);
  NEED(!call->saved_mean == !call->saved_inverse);
  TRY(take_tensor(&call->x, asked->dy, &call->dy, 0));
  TRY(take_tensor(&call->x, asked->dx, &call->dx, 1));
  TRY(take_activation(call, asked->ops, asked->activation));
  if (asked->ops == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION) {
    NEED(call->dz_at);
    TRY(take_tensor(&call->x, asked->dz, &call->dz, 1));
  } else
    call->dz_at = NULL;
  NEED(!call->activates || (call->reserve && asked->reserve_bytes >= reserve_bytes(&call->x)));
  call->alpha = uwdnn_scalar(&call->x, asked->alpha);
  call->beta = uwdnn_scalar(&call->x, asked->beta);
  call->alpha_param = uwdnn_scalar(&call->x, asked->alpha_param);
  call->beta_param = uwdnn_scalar(&call->x, asked->beta_param);
  GIVE(cudnnBatchNormalizationBackward, *call);
}

static int is_mode(cudnnBatchNormMode_t mode) { return (unsigned)mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT; }

/* No memory is needed for work; the reserve has a byte for each number where an activation follows. */
static cudnnStatus_t no_workspace(cudnnHandle_t handle, int is_mode, int ops, cudnnTensorDescriptor_t x, size_t *size) {
  HANDLE;
  IS(tensor, x);
  NEED(is_mode && size && (unsigned)ops <= CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION && x->view.rank);
  *size = 0;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t reserve(cudnnHandle_t handle, int is_mode, int ops, cudnnTensorDescriptor_t x, size_t *size) {
  TRY(no_workspace(handle, is_mode, ops, x, size));
  *size = ops == CUDNN_BATCHNORM_OPS_BN ? 0 : reserve_bytes(&x->view);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derivedBnDesc, const cudnnTensorDescriptor_t xDesc,
                                            cudnnBatchNormMode_t mode) {
  NEED(is_mode(mode));
  return derive_into(derivedBnDesc, xDesc, mode != CUDNN_BATCHNORM_PER_ACTIVATION);
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x, const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void *bnScale, const void *bnBias,
    const void *estimatedMean, const void *estimatedVariance, double epsilon) {
  NEED(is_mode(mode));
  uwdnn_norm_call call = {.pass = UWDNN_NORM_INFERENCE,
                          .spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION,
                          .x_at = x,
                          .y_at = y,
                          .scale = bnScale,
                          .bias = bnBias,
                          .mean = (void *)estimatedMean,
                          .variance = (void *)estimatedVariance,
                          .epsilon = epsilon};
  const asked asked = {0, xDesc, yDesc, NULL, bnScaleBiasMeanVarDesc, bnScaleBiasMeanVarDesc, NULL, alpha, beta, 0};
  return forward(handle, &call, &asked);
}

cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *xData, const cudnnTensorDescriptor_t zDesc, const void *zData,
    const cudnnTensorDescriptor_t yDesc, void *yData, const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc,
    const void *bnScale, const void *bnBias, double exponentialAverageFactor, void *resultRunningMean,
    void *resultRunningVariance, double epsilon, void *resultSaveMean, void *resultSaveInvVariance,
    const cudnnActivationDescriptor_t activationDesc, void *workspace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes) {
  (void)workspace, (void)workSpaceSizeInBytes;
  NEED(is_mode(mode));
  uwdnn_norm_call call = {.pass = UWDNN_NORM_TRAINING,
                          .spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION,
                          .x_at = xData,
                          .z_at = zData,
                          .y_at = yData,
                          .scale = bnScale,
                          .bias = bnBias,
                          .mean = resultRunningMean,
                          .variance = resultRunningVariance,
                          .saved_mean = resultSaveMean,
                          .saved_inverse = resultSaveInvVariance,
                          .reserve = reserveSpace,
                          .factor = exponentialAverageFactor,
                          .epsilon = epsilon};
  const asked asked = {(int)bnOps,
                       xDesc,
                       yDesc,
                       zDesc,
                       bnScaleBiasMeanVarDesc,
                       bnScaleBiasMeanVarDesc,
                       activationDesc,
                       alpha,
                       beta,
                       reserveSpaceSizeInBytes};
  return forward(handle, &call, &asked);
}

cudnnStatus_t cudnnBatchNormalizationForwardTraining(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
                                                     const void *beta, const cudnnTensorDescriptor_t xDesc,
                                                     const void *x, const cudnnTensorDescriptor_t yDesc, void *y,
                                                     const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc,
                                                     const void *bnScale, const void *bnBias,
                                                     double exponentialAverageFactor, void *resultRunningMean,
                                                     void *resultRunningVariance, double epsilon, void *resultSaveMean,
                                                     void *resultSaveInvVariance) {
  return cudnnBatchNormalizationForwardTrainingEx(
      handle, mode, CUDNN_BATCHNORM_OPS_BN, alpha, beta, xDesc, x, NULL, NULL, yDesc, y, bnScaleBiasMeanVarDesc,
      bnScale, bnBias, exponentialAverageFactor, resultRunningMean, resultRunningVariance, epsilon, resultSaveMean,
      resultSaveInvVariance, NULL, NULL, 0, NULL, 0);
}

cudnnStatus_t cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const void *alphaDataDiff,
    const void *betaDataDiff, const void *alphaParamDiff, const void *betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void *xData, const cudnnTensorDescriptor_t yDesc, const void *yData,
    const cudnnTensorDescriptor_t dyDesc, const void *dyData, const cudnnTensorDescriptor_t dzDesc, void *dzData,
    const cudnnTensorDescriptor_t dxDesc, void *dxData, const cudnnTensorDescriptor_t dBnScaleBiasDesc,
    const void *bnScaleData, const void *bnBiasData, void *dBnScaleData, void *dBnBiasData, double epsilon,
    const void *savedMean, const void *savedInvVariance, const cudnnActivationDescriptor_t activationDesc,
    void *workSpace, size_t workSpaceSizeInBytes, void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)workSpace, (void)workSpaceSizeInBytes, (void)yDesc, (void)yData, (void)bnBiasData;
  NEED(is_mode(mode));
  uwdnn_norm_call call = {.spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION,
                          .x_at = xData,
                          .dy_at = dyData,
                          .dz_at = dzData,
                          .dx_at = dxData,
                          .scale = bnScaleData,
                          .dscale = dBnScaleData,
                          .dbias = dBnBiasData,
                          .saved_mean = (void *)savedMean,
                          .saved_inverse = (void *)savedInvVariance,
                          .reserve = reserveSpace,
                          .epsilon = epsilon};
  const asked_back asked = {(int)bnOps,
                            xDesc,
                            dyDesc,
                            dzDesc,
                            dxDesc,
                            dBnScaleBiasDesc,
                            dBnScaleBiasDesc,
                            activationDesc,
                            alphaDataDiff,
                            betaDataDiff,
                            alphaParamDiff,
                            betaParamDiff,
                            reserveSpaceSizeInBytes};
  return backward(handle, &call, &asked);
}

cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alphaDataDiff, const void *betaDataDiff,
    const void *alphaParamDiff, const void *betaParamDiff, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t dyDesc, const void *dy, const cudnnTensorDescriptor_t dxDesc, void *dx,
    const cudnnTensorDescriptor_t dBnScaleBiasDesc, const void *bnScale, void *dBnScaleResult, void *dBnBiasResult,
    double epsilon, const void *savedMean, const void *savedInvVariance) {
  return cudnnBatchNormalizationBackwardEx(handle, mode, CUDNN_BATCHNORM_OPS_BN, alphaDataDiff, betaDataDiff,
                                           alphaParamDiff, betaParamDiff, xDesc, x, NULL, NULL, dyDesc, dy, NULL, NULL,
                                           dxDesc, dx, dBnScaleBiasDesc, bnScale, NULL, dBnScaleResult, dBnBiasResult,
                                           epsilon, savedMean, savedInvVariance, NULL, NULL, 0, NULL, 0);
}

cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t zDesc, const cudnnTensorDescriptor_t yDesc,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const cudnnActivationDescriptor_t activationDesc,
    size_t *sizeInBytes) {
  (void)zDesc, (void)yDesc, (void)bnScaleBiasMeanVarDesc, (void)activationDesc;
  return no_workspace(handle, is_mode(mode), (int)bnOps, xDesc, sizeInBytes);
}

cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t yDesc, const cudnnTensorDescriptor_t dyDesc, const cudnnTensorDescriptor_t dzDesc,
    const cudnnTensorDescriptor_t dxDesc, const cudnnTensorDescriptor_t dBnScaleBiasDesc,
    const cudnnActivationDescriptor_t activationDesc, size_t *sizeInBytes) {
  (void)yDesc, (void)dyDesc, (void)dzDesc, (void)dxDesc, (void)dBnScaleBiasDesc, (void)activationDesc;
  return no_workspace(handle, is_mode(mode), (int)bnOps, xDesc, sizeInBytes);
}

cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                                                                   cudnnBatchNormOps_t bnOps,
                                                                   const cudnnActivationDescriptor_t activationDesc,
                                                                   const cudnnTensorDescriptor_t xDesc,
                                                                   size_t *sizeInBytes) {
  (void)activationDesc;
  return reserve(handle, is_mode(mode), (int)bnOps, xDesc, sizeInBytes);
}

#if CUDNN_MAJOR >= 8
/* --- by their other names ----------------------------------------------------------------------------------------- */

static int is_norm(cudnnNormMode_t mode, cudnnNormAlgo_t algo) {
  return (unsigned)mode <= CUDNN_NORM_PER_CHANNEL && (unsigned)algo <= CUDNN_NORM_ALGO_PERSIST;
}

cudnnStatus_t cudnnDeriveNormTensorDescriptor(cudnnTensorDescriptor_t derivedNormScaleBiasDesc,
                                              cudnnTensorDescriptor_t derivedNormMeanVarDesc,
                                              const cudnnTensorDescriptor_t xDesc, cudnnNormMode_t mode, int groupCnt) {
  NEED((unsigned)mode <= CUDNN_NORM_PER_CHANNEL && groupCnt == 1);
  TRY(derive_into(derivedNormScaleBiasDesc, xDesc, mode == CUDNN_NORM_PER_CHANNEL));
  return derive_into(derivedNormMeanVarDesc, xDesc, mode == CUDNN_NORM_PER_CHANNEL);
}

cudnnStatus_t cudnnGetNormalizationForwardTrainingWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t zDesc, const cudnnTensorDescriptor_t yDesc,
    const cudnnTensorDescriptor_t normScaleBiasDesc, const cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t normMeanVarDesc, size_t *sizeInBytes, int groupCnt) {
  (void)zDesc, (void)yDesc, (void)normScaleBiasDesc, (void)activationDesc, (void)normMeanVarDesc;
  return no_workspace(handle, is_norm(mode, algo) && groupCnt == 1, (int)normOps, xDesc, sizeInBytes);
}

cudnnStatus_t cudnnGetNormalizationBackwardWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t yDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnTensorDescriptor_t dzDesc, const cudnnTensorDescriptor_t dxDesc,
    const cudnnTensorDescriptor_t dNormScaleBiasDesc, const cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t normMeanVarDesc, size_t *sizeInBytes, int groupCnt) {
  (void)yDesc, (void)dyDesc, (void)dzDesc, (void)dxDesc, (void)dNormScaleBiasDesc, (void)activationDesc,
      (void)normMeanVarDesc;
  return no_workspace(handle, is_norm(mode, algo) && groupCnt == 1, (int)normOps, xDesc, sizeInBytes);
}

cudnnStatus_t cudnnGetNormalizationTrainingReserveSpaceSize(cudnnHandle_t handle, cudnnNormMode_t mode,
                                                            cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
                                                            const cudnnActivationDescriptor_t activationDesc,
                                                            const cudnnTensorDescriptor_t xDesc, size_t *sizeInBytes,
                                                            int groupCnt) {
  (void)activationDesc;
  return reserve(handle, is_norm(mode, algo) && groupCnt == 1, (int)normOps, xDesc, sizeInBytes);
}

cudnnStatus_t cudnnNormalizationForwardInference(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t normScaleBiasDesc, const void *normScale, const void *normBias,
    const cudnnTensorDescriptor_t normMeanVarDesc, const void *estimatedMean, const void *estimatedVariance,
    const cudnnTensorDescriptor_t zDesc, const void *z, const cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t yDesc, void *y, double epsilon, int groupCnt) {
  NEED(is_norm(mode, algo) && groupCnt == 1);
  uwdnn_norm_call call = {.pass = UWDNN_NORM_INFERENCE,
                          .spatial = mode == CUDNN_NORM_PER_CHANNEL,
                          .x_at = x,
                          .z_at = z,
                          .y_at = y,
                          .scale = normScale,
                          .bias = normBias,
                          .mean = (void *)estimatedMean,
                          .variance = (void *)estimatedVariance,
                          .epsilon = epsilon};
  const asked asked = {(int)normOps,    xDesc,          yDesc, zDesc, normScaleBiasDesc,
                       normMeanVarDesc, activationDesc, alpha, beta,  0};
  return forward(handle, &call, &asked);
}

cudnnStatus_t cudnnNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t xDesc, const void *xData,
    const cudnnTensorDescriptor_t normScaleBiasDesc, const void *normScale, const void *normBias,
    double exponentialAverageFactor, const cudnnTensorDescriptor_t normMeanVarDesc, void *resultRunningMean,
    void *resultRunningVariance, double epsilon, void *resultSaveMean, void *resultSaveInvVariance,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t zDesc, const void *zData,
    const cudnnTensorDescriptor_t yDesc, void *yData, void *workspace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes, int groupCnt) {
  (void)workspace, (void)workSpaceSizeInBytes;
  NEED(is_norm(mode, algo) && groupCnt == 1);
  uwdnn_norm_call call = {.pass = UWDNN_NORM_TRAINING,
                          .spatial = mode == CUDNN_NORM_PER_CHANNEL,
                          .x_at = xData,
                          .z_at = zData,
                          .y_at = yData,
                          .scale = normScale,
                          .bias = normBias,
                          .mean = resultRunningMean,
                          .variance = resultRunningVariance,
                          .saved_mean = resultSaveMean,
                          .saved_inverse = resultSaveInvVariance,
                          .reserve = reserveSpace,
                          .factor = exponentialAverageFactor,
                          .epsilon = epsilon};
  const asked asked = {(int)normOps,    xDesc,          yDesc, zDesc, normScaleBiasDesc,
                       normMeanVarDesc, activationDesc, alpha, beta,  reserveSpaceSizeInBytes};
  return forward(handle, &call, &asked);
}

cudnnStatus_t cudnnNormalizationBackward(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo, const void *alphaDataDiff,
    const void *betaDataDiff, const void *alphaParamDiff, const void *betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void *xData, const cudnnTensorDescriptor_t yDesc, const void *yData,
    const cudnnTensorDescriptor_t dyDesc, const void *dyData, const cudnnTensorDescriptor_t dzDesc, void *dzData,
    const cudnnTensorDescriptor_t dxDesc, void *dxData, const cudnnTensorDescriptor_t dNormScaleBiasDesc,
    const void *normScale, const void *normBias, void *dNormScale, void *dNormBias, double epsilon,
    const cudnnTensorDescriptor_t normMeanVarDesc, const void *savedMean, const void *savedInvVariance,
    const cudnnActivationDescriptor_t activationDesc, void *workSpace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes, int groupCnt) {
  (void)workSpace, (void)workSpaceSizeInBytes, (void)yDesc, (void)yData, (void)normBias;
  NEED(is_norm(mode, algo) && groupCnt == 1);
  uwdnn_norm_call call = {.spatial = mode == CUDNN_NORM_PER_CHANNEL,
                          .x_at = xData,
                          .dy_at = dyData,
                          .dz_at = dzData,
                          .dx_at = dxData,
                          .scale = normScale,
                          .dscale = dNormScale,
                          .dbias = dNormBias,
                          .saved_mean = (void *)savedMean,
                          .saved_inverse = (void *)savedInvVariance,
                          .reserve = reserveSpace,
                          .epsilon = epsilon};
  const asked_back asked = {
      (int)normOps,           xDesc,          dyDesc,        dzDesc,       dxDesc,         dNormScaleBiasDesc,
      normMeanVarDesc,        activationDesc, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff,
      reserveSpaceSizeInBytes};
  return backward(handle, &call, &asked);
}
#endif
