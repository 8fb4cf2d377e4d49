/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of cuRAND share: the generator. Its position in the sequence moves when work runs, in the order of its
 * stream, so that a graph's second run goes on where its first one ended. */
#ifndef UWL_CURAND_INTERNAL_H
#define UWL_CURAND_INTERNAL_H

#pragma GCC visibility push(default)
#include "../../include/curand.h"
#include "../../include/vector_types.h"
#include "../../include/unwarp/random_engines.h"
#pragma GCC visibility pop
#include "../common/library.h"

struct curandGenerator_st {
  curandRngType_t type; /* never one of the two defaults */
  curandOrdering_t ordering;
  int on_host, lanes_ready;
  cudaStream_t stream;
  unsigned long long seed, offset;
  unsigned int dimensions;
  struct uwl_lanes *lanes;
  struct uwl_twister *twister;
};

/* generate.c: the next words; MRG32k3a's are in [1, m1]. 0: no memory. */
int uwl_curand_words(curandGenerator_t generator, uint32_t *to, uint64_t count);
void uwl_curand_forget(curandGenerator_t generator); /* seed or offset are others now */

/* sobol.c: direction vectors of a dimension, from 0; 0 beyond those that are known. */
enum { UWL_SOBOL_DIMENSIONS = 21 };
void uwl_sobol_vectors_32(unsigned int dimension, unsigned int vectors[32]);
void uwl_sobol_vectors_64(unsigned int dimension, unsigned long long vectors[64]);

#endif
