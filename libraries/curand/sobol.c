/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuRAND: direction vectors for Sobol's sequences, from primitive polynomials and starting values as published by Joe
 * and Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008), for the first dimensions. */
#include "internal.h"

static const struct {
  unsigned char degree, coefficients; /* of the polynomial, without its first and last one */
  unsigned char start[7];
} table[UWL_SOBOL_DIMENSIONS] = {
    {0, 0, {0}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/* Bits of the first dimension are those of the index itself; else each vector is made of the ones before (ibid.,
 * equation 2). */
void uwl_sobol_vectors_64(unsigned int dimension, unsigned long long vectors[64]) {
  const unsigned int degree = table[dimension].degree;
  for (unsigned int i = 0; i < 64; i++) {
    if (degree == 0) {
      vectors[i] = 1ull << (63 - i);
    } else if (i < degree) {
      vectors[i] = (unsigned long long)table[dimension].start[i] << (63 - i);
    } else {
      vectors[i] = vectors[i - degree] ^ vectors[i - degree] >> degree;
      for (unsigned int k = 1; k < degree; k++)
        if (table[dimension].coefficients >> (degree - 1 - k) & 1)
          vectors[i] ^= vectors[i - k];
    }
  }
}

void uwl_sobol_vectors_32(unsigned int dimension, unsigned int vectors[32]) {
  unsigned long long wide[64];
  uwl_sobol_vectors_64(dimension, wide);
  for (int i = 0; i < 32; i++)
    vectors[i] = (unsigned int)(wide[i] >> 32);
}
