/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's second half of cuda_bf16.h, which has all of it here.
 */
#ifndef __CUDA_BF16_HPP__
#define __CUDA_BF16_HPP__

#include "cuda_bf16.h"

#endif
