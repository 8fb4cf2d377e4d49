/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The version of CUDA that the headers say they are: 12.4, or what --cuda-version chooses. CUDA_VERSION may come from
 * the command line. */
#ifndef UNWARP_VERSION_H
#define UNWARP_VERSION_H

#ifndef UNWARP_CUDA_VERSION
#define UNWARP_CUDA_VERSION 12040
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION UNWARP_CUDA_VERSION
#endif

#endif
