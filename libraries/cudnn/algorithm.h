/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Algorithms as objects, for what finds them. */
#ifndef UWDNN_ALGORITHM_H
#define UWDNN_ALGORITHM_H

#include "internal.h"

#if CUDNN_MAJOR < 9
struct cudnnAlgorithmStruct {
  cudnnAlgorithm_t algorithm;
};
struct cudnnAlgorithmPerformanceStruct {
  cudnnAlgorithmDescriptor_t of; /* its own */
  cudnnStatus_t status;
  float milliseconds;
  size_t memory;
};
extern const char uwdnn_algorithm_kind, uwdnn_performance_kind;
#endif

#endif
