/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The pipeline primitives by their older name.
 */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#endif
