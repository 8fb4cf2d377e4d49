/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An inner part of the pipeline primitives: cuda_pipeline_primitives.h has what programs call.
 */
#ifndef _CUDA_PIPELINE_HELPERS_H_
#define _CUDA_PIPELINE_HELPERS_H_

#include "cuda_pipeline_primitives.h"

#endif
