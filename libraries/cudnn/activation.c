/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: activations of a number, and their descriptors. */
#include <math.h>

#include "internal.h"

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
