/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's second half of cuda_fp4.h, which has all of it here.
 */
#ifndef __CUDA_FP4_HPP__
#define __CUDA_FP4_HPP__

#include "cuda_fp4.h"

#endif
