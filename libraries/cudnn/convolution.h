/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuDNN's files about convolutions share. */
#ifndef UWDNN_CONVOLUTION_H
#define UWDNN_CONVOLUTION_H

#include "internal.h"

enum { UWDNN_SPACE = 3 }; /* dimensions of space, at most */

/* The sizes of the output; BAD_PARAM where input, filter and convolution do not go together. */
cudnnStatus_t uwdnn_convolution_dims(const struct cudnnConvolutionStruct *convolution, const uwdnn_view *x,
                                     const uwdnn_view *w, int64_t *dims);

#endif
