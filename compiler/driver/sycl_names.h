/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef UW_SYCL_NAMES_H
#define UW_SYCL_NAMES_H

#include "options.h"

/* By which name unwarp was called. A C++ compiler is told by -fsycl, a SYCL compiler takes C++ for SYCL; of both what
 * unwarp does not know is clang's. */
typedef enum uw_called_as {
  UW_CALLED_UNWARP,
  UW_CALLED_NVCC,
  UW_CALLED_CPP_COMPILER,
  UW_CALLED_SYCL_COMPILER
} uw_called_as;
uw_called_as uw_called_as_of(const char *program);
/* As the C++ compiler of a build, which nvcc is not, and unwarp by its own name where nothing is CUDA: -v is clang++'s
 * too. */
bool uw_is_in_place_of_clang(const uw_options *options, uw_called_as called);

/* What clang's -march= calls the processor of Intel's -x ("CORE-AVX2", "Host"); null: it is no such name. */
const char *uw_intel_processor(const char *name);
#endif
