/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An inner part of the barrier primitives: cuda_awbarrier_primitives.h has what programs call.
 */
#ifndef _CUDA_AWBARRIER_HELPERS_H_
#define _CUDA_AWBARRIER_HELPERS_H_

#include "cuda_awbarrier_primitives.h"

#endif
