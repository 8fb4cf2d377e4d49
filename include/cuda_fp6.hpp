/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's second half of cuda_fp6.h, which has all of it here.
 */
#ifndef __CUDA_FP6_HPP__
#define __CUDA_FP6_HPP__

#include "cuda_fp6.h"

#endif
