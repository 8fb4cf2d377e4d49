/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A function of the numbers of some tensors at the same place, for all places: out = alpha * f(in, …) + beta * out.
 * Dimensions are sorted by the strides of out, and those that can be one become one, so that tensors that are packed
 * alike are one row, and a bias adds in rows of space. */
#ifndef UWDNN_MAP_H
#define UWDNN_MAP_H

#include "elements.h"

enum { UWDNN_MAP_INPUTS = 3 };

typedef struct uwdnn_map {
  int inputs;
  uwdnn_view out, in[UWDNN_MAP_INPUTS];
  void *out_at;
  const void *in_at[UWDNN_MAP_INPUTS];
  double alpha, beta;
} uwdnn_map;
/* Computes count numbers of out from as many of each input. */
typedef void uwdnn_map_body(const void *context, const double *const *in, double *out, int64_t count);

/* An input of the dimensions of out: those of one number are repeated. 0: it does not fit. */
int uwdnn_map_add(uwdnn_map *map, const uwdnn_view *view, const void *at);
void uwdnn_map_run(const uwdnn_map *map, uwdnn_map_body *body, const void *context);

#endif
