/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The numbers of a view, of whatever type and strides, from and to packed arrays in the order of its dimensions: how
 * whatever is not computed in place gets in and out. */
#ifndef UWDNN_ELEMENTS_H
#define UWDNN_ELEMENTS_H

#include "internal.h"

/* Can numbers of this type be converted? */
int uwdnn_is_number(cudnnDataType_t type);
int uwdnn_is_real(cudnnDataType_t type); /* and are they no integers? */
/* Are they packed in order? */
int uwdnn_is_packed(const uwdnn_view *view);
/* to: floats, doubles, or numbers of the view's own type, which are copied as they are. */
void uwdnn_gather(const uwdnn_view *view, const void *at, cudnnDataType_t to_type, void *to);
/* at = alpha * from + beta * at, by doubles, rounded to nearest even; integers saturate. at is not read where beta is
 * 0. from: floats, doubles or integers of 32 bits; null: all 1. */
void uwdnn_blend(const uwdnn_view *view, void *at, cudnnDataType_t from_type, const void *from, double alpha,
                 double beta);
/* count numbers that lie step apart, to floats or doubles in a row; and from doubles in a row, with beta as above. */
void uwdnn_load_row(cudnnDataType_t type, const void *from, int64_t step, int64_t count, int as_double, void *to);
void uwdnn_store_row(cudnnDataType_t type, const double *from, double beta, void *to, int64_t step, int64_t count);
/* reduce.c: to = op(from, along the dimensions of which to has 1), in the handle's stream; null: it is only checked. */
cudnnStatus_t uwdnn_reduce(cudnnHandle_t handle, int op, int keeps_nan, const uwdnn_view *from, const void *from_at,
                           const uwdnn_view *to, void *to_at);
/* alpha or beta, which is a double where the result is of doubles and a float else. */
static inline double uwdnn_scalar(const uwdnn_view *of, const void *scalar) {
  return of->type == CUDNN_DATA_DOUBLE ? *(const double *)scalar : (double)*(const float *)scalar;
}

#endif
