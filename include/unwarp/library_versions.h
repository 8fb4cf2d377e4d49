/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which versions of its libraries each version of CUDA has (CUDA Toolkit Release Notes, "CUDA Toolkit Component Versions"). The libraries'
 * headers have the numbers of 12.4 as text, for programs that read them there; for other versions they come from here, and so does
 * what the libraries answer. */
#ifndef UNWARP_LIBRARY_VERSIONS_H
#define UNWARP_LIBRARY_VERSIONS_H

#include "version.h"

#define UNWARP_CUBLAS_11080 (11, 11, 3, 6)
#define UNWARP_CUBLAS_12040 (12, 4, 5, 8)
#define UNWARP_CUBLAS_12090 (12, 9, 1, 4)
#define UNWARP_CUBLAS_13000 (13, 0, 0, 19)
#define UNWARP_CUBLAS_13010 (13, 2, 0, 9)

#define UNWARP_CUFFT_11080 (10, 9, 0, 58)
#define UNWARP_CUFFT_12040 (11, 2, 1, 3)
#define UNWARP_CUFFT_12090 (11, 4, 1, 4)
#define UNWARP_CUFFT_13000 (12, 0, 0, 15)
#define UNWARP_CUFFT_13010 (12, 1, 0, 31)

#define UNWARP_CURAND_11080 (10, 3, 0, 86)
#define UNWARP_CURAND_12040 (10, 3, 5, 147)
#define UNWARP_CURAND_12090 (10, 3, 10, 19)
#define UNWARP_CURAND_13000 (10, 4, 0, 35)
#define UNWARP_CURAND_13010 (10, 4, 1, 34)

#define UNWARP_CUSOLVER_11080 (11, 4, 1, 48)
#define UNWARP_CUSOLVER_12040 (11, 6, 1, 9)
#define UNWARP_CUSOLVER_12090 (11, 7, 5, 82)
#define UNWARP_CUSOLVER_13000 (12, 0, 3, 29)
#define UNWARP_CUSOLVER_13010 (12, 0, 7, 41)

#define UNWARP_CUSPARSE_11080 (11, 7, 5, 86)
#define UNWARP_CUSPARSE_12040 (12, 3, 1, 170)
#define UNWARP_CUSPARSE_12090 (12, 5, 10, 65)
#define UNWARP_CUSPARSE_13000 (12, 6, 2, 49)
#define UNWARP_CUSPARSE_13010 (12, 7, 2, 19)

/* One of the four numbers of a library, here and now. */
#define UNWARP_VERSION_MAJOR(library) UNWARP_APPLY(UNWARP_FIRST, UNWARP_NUMBERS(library, UNWARP_CUDA_VERSION))
#define UNWARP_VERSION_MINOR(library) UNWARP_APPLY(UNWARP_SECOND, UNWARP_NUMBERS(library, UNWARP_CUDA_VERSION))
#define UNWARP_VERSION_PATCH(library) UNWARP_APPLY(UNWARP_THIRD, UNWARP_NUMBERS(library, UNWARP_CUDA_VERSION))
#define UNWARP_VERSION_BUILD(library) UNWARP_APPLY(UNWARP_FOURTH, UNWARP_NUMBERS(library, UNWARP_CUDA_VERSION))

#define UNWARP_NUMBERS(library, cuda) UNWARP_NUMBERS_OF(library, cuda)
#define UNWARP_NUMBERS_OF(library, cuda) UNWARP_##library##_##cuda
#define UNWARP_APPLY(macro, list) UNWARP_APPLIED(macro, list)
#define UNWARP_APPLIED(macro, list) macro list
#define UNWARP_FIRST(a, b, c, d) a
#define UNWARP_SECOND(a, b, c, d) b
#define UNWARP_THIRD(a, b, c, d) c
#define UNWARP_FOURTH(a, b, c, d) d
#define UNWARP_FIRST_THREE(a, b, c, d) a, b, c

#endif
