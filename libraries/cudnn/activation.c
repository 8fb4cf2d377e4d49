/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: activations of a number, and their descriptors. */
#include <math.h>

#include "map.h"

const char uwdnn_activation_kind;

double uwdnn_activate(const struct cudnnActivationStruct *activation, double x) {
  const double coefficient = activation->coefficient;
  const int keep = activation->nan == CUDNN_PROPAGATE_NAN && x != x;
  switch ((int)activation->mode) {
  case CUDNN_ACTIVATION_SIGMOID: return 1 / (1 + exp(-x));
  case CUDNN_ACTIVATION_RELU: return keep || x > 0 ? x : 0;
  case CUDNN_ACTIVATION_TANH: return tanh(x);
  case CUDNN_ACTIVATION_CLIPPED_RELU: return keep || (x > 0 && x < coefficient) ? x : x > 0 ? coefficient : 0;
  case CUDNN_ACTIVATION_ELU: return x > 0 ? x : coefficient * expm1(x);
#if CUDNN_MAJOR >= 8
  case CUDNN_ACTIVATION_SWISH: return x / (1 + exp(-activation->swish_beta * x));
#endif
  default: return x;
  }
}

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *activationDesc) {
  cudnnStatus_t status = uwdnn_new(activationDesc, sizeof **activationDesc, &uwdnn_activation_kind);
  if (status == CUDNN_STATUS_SUCCESS)
    (*activationDesc)->swish_beta = 1;
  return status;
}

cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activationDesc) {
  return uwdnn_free(activationDesc, &uwdnn_activation_kind);
}

enum { MODES = CUDNN_MAJOR >= 8 ? 7 : 6 };

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activationDesc, cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t reluNanOpt, double coef) {
  IS(activation, activationDesc);
  NEED((unsigned)mode < MODES && (unsigned)reluNanOpt <= CUDNN_PROPAGATE_NAN);
  activationDesc->is_set = 1;
  activationDesc->mode = mode;
  activationDesc->nan = reluNanOpt;
  activationDesc->coefficient = coef;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activationDesc,
                                           cudnnActivationMode_t *mode, cudnnNanPropagation_t *reluNanOpt,
                                           double *coef) {
  IS(activation, activationDesc);
  PUT(mode, activationDesc->mode);
  PUT(reluNanOpt, activationDesc->nan);
  PUT(coef, activationDesc->coefficient);
  return CUDNN_STATUS_SUCCESS;
}

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc, double swish_beta) {
  IS(activation, activationDesc);
  activationDesc->swish_beta = swish_beta;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc, double *swish_beta) {
  IS(activation, activationDesc);
  NEED(swish_beta);
  *swish_beta = activationDesc->swish_beta;
  return CUDNN_STATUS_SUCCESS;
}
#endif

/* --- of tensors --------------------------------------------------------------------------------------------------- */

typedef struct activation_call {
  uwdnn_map map;
  struct cudnnActivationStruct activation;
} activation_call;

static void forward(const void *context, const double *const *in, double *out, int64_t count) {
  const struct cudnnActivationStruct *activation = context;
  if (activation->mode == CUDNN_ACTIVATION_RELU && activation->nan == CUDNN_PROPAGATE_NAN)
    for (int64_t i = 0; i < count; i++)
      out[i] = in[0][i] <= 0 ? 0 : in[0][i];
  else
    for (int64_t i = 0; i < count; i++)
      out[i] = uwdnn_activate(activation, in[0][i]);
}

double uwdnn_activation_slope(const struct cudnnActivationStruct *activation, double x, double y) {
  switch ((int)activation->mode) {
  case CUDNN_ACTIVATION_SIGMOID: return y * (1 - y);
  case CUDNN_ACTIVATION_RELU: return x > 0;
  case CUDNN_ACTIVATION_TANH: return 1 - y * y;
  case CUDNN_ACTIVATION_CLIPPED_RELU: return x > 0 && x < activation->coefficient;
  case CUDNN_ACTIVATION_ELU: return x > 0 ? 1 : y + activation->coefficient;
#if CUDNN_MAJOR >= 8
  case CUDNN_ACTIVATION_SWISH: {
    const double beta = activation->swish_beta, gate = 1 / (1 + exp(-beta * x));
    return gate + beta * x * gate * (1 - gate);
  }
#endif
  default: return 1;
  }
}

/* in: y, dy, x */
static void backward(const void *context, const double *const *in, double *out, int64_t count) {
  const struct cudnnActivationStruct *activation = context;
  for (int64_t i = 0; i < count; i++)
    out[i] = in[1][i] * uwdnn_activation_slope(activation, in[2][i], in[0][i]);
}

UWL_OPERATION(cudnnActivationForward, activation_call) { uwdnn_map_run(&call->map, forward, &call->activation); }
UWL_OPERATION(cudnnActivationBackward, activation_call) { uwdnn_map_run(&call->map, backward, &call->activation); }

static cudnnStatus_t begin(activation_call *call, cudnnActivationDescriptor_t activation, const void *alpha,
                           const void *beta, cudnnTensorDescriptor_t out, void *at) {
  IS(activation, activation);
  IS(tensor, out);
  NEED(activation->is_set && alpha && beta && at && out->view.rank);
  SUPPORTED(uwdnn_is_real(out->view.type) && uwdnn_is_apart(&out->view));
  *call = (activation_call){.map = {.out = out->view,
                                    .out_at = at,
                                    .alpha = uwdnn_scalar(&out->view, alpha),
                                    .beta = uwdnn_scalar(&out->view, beta)},
                            .activation = *activation};
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take(activation_call *call, cudnnTensorDescriptor_t in, const void *at) {
  IS(tensor, in);
  NEED(at && uwdnn_same_dims(&in->view, &call->map.out));
  SUPPORTED(uwdnn_is_real(in->view.type));
  NEED(uwdnn_map_add(&call->map, &in->view, at));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                                     const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,
                                     const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
  HANDLE;
  activation_call call;
  TRY(begin(&call, activationDesc, alpha, beta, yDesc, y));
  TRY(take(&call, xDesc, x));
  GIVE(cudnnActivationForward, call);
}

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                                      const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
                                      const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                      const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                      const cudnnTensorDescriptor_t dxDesc, void *dx) {
  HANDLE;
  activation_call call;
  TRY(begin(&call, activationDesc, alpha, beta, dxDesc, dx));
  TRY(take(&call, yDesc, y));
  TRY(take(&call, dyDesc, dy));
  TRY(take(&call, xDesc, x));
  GIVE(cudnnActivationBackward, call);
}
