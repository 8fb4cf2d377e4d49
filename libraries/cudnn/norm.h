/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuDNN's files about batch normalisation share: norm.c checks calls, norm_work.c computes, norm_loops.h has the
 * loops for floats and doubles. */
#ifndef UWDNN_NORM_H
#define UWDNN_NORM_H

#include "internal.h"

typedef enum uwdnn_norm_pass { UWDNN_NORM_INFERENCE, UWDNN_NORM_TRAINING, UWDNN_NORM_BACKWARD } uwdnn_norm_pass;

enum { UWDNN_NORM_HEAD = 64 }; /* bytes of a reserve before those of the numbers */

/* A call, to work on later. What a pass does not have is null, and its view empty. */
typedef struct uwdnn_norm_call {
  int pass, spatial, activates;
  uwdnn_view x, y, z, dy, dz, dx, scale_bias, mean_variance;
  const void *x_at, *z_at, *dy_at, *scale, *bias;
  void *y_at, *dz_at, *dx_at, *dscale, *dbias;
  void *mean, *variance; /* estimated (inference) or running (training) */
  void *saved_mean, *saved_inverse;
  unsigned char *reserve; /* for each number: does the activation let it through? */
  double alpha, beta, alpha_param, beta_param, factor, epsilon;
} uwdnn_norm_call;

void uwdnn_normalize(const uwdnn_norm_call *call);

#endif
