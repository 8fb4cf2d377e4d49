/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Matrix products whose elements have types given at run time, and conversions of matrices between these types. All
 * matrices are column-major; a distance of columns (ld) below zero is fine for matrices of one row. */
#ifndef UWL_PRODUCT_H
#define UWL_PRODUCT_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include "../../include/library_types.h"
#pragma GCC visibility pop

size_t uwl_type_bytes(cudaDataType type); /* of an element; 0 for types that are not known here */

/* A matrix of any real type as floats, and back, rounded to nearest even; integers saturate. */
void uwl_to_float(cudaDataType type, const void *from, int64_t ld, int64_t rows, int64_t columns, float *to,
                  int64_t to_ld);
void uwl_from_float(const float *from, int64_t from_ld, int64_t rows, int64_t columns, cudaDataType type, void *to,
                    int64_t ld);

/* c = alpha * op(a) * op(b) + beta * c; c is not read where beta is 0. trans: 'N', 'T' or 'C'. scale: the type of alpha
 * and beta. */
typedef struct uwl_product {
  cudaDataType type_a, type_b, type_c, scale;
  char trans_a, trans_b;
  int m, n, k;
  int64_t lda, ldb, ldc;
  const void *alpha, *beta;
  const void *a, *b;
  void *c;
} uwl_product;

/* Can these types be multiplied? scale is that of the computation. */
int uwl_product_knows(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType scale);
/* 0: there was no memory. */
int uwl_multiply(const uwl_product *product);
/* op(a) * op(b) of real types as floats, nothing added. */
int uwl_multiply_to_float(const uwl_product *product, float alpha, float beta, float *to, int64_t to_ld);

#endif
