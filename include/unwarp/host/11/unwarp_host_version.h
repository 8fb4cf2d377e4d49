/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Found by a host compiler whose CPATH names this folder: see ../../version.h. */
#define UNWARP_CUDA_VERSION 11080
