/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Descriptors of normalisation by neighbours, over channels (lrn.c) or over space (divisive.c). */
#ifndef UWDNN_LRN_H
#define UWDNN_LRN_H

#include "internal.h"

struct cudnnLRNStruct {
  unsigned n;
  double alpha, beta, k;
};
extern const char uwdnn_lrn_kind;

#endif
