/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of matrices that all lanes of a warp compute together: each uwrt_warp_* is one call for all lanes, of the
 * runtime (uwrt.h says how). Results are vectors, which each ABI returns as they are.
 */
#ifndef UW_PTX_TOGETHER_H
#define UW_PTX_TOGETHER_H

#include "dots.h"
#include "ptx.h"

typedef float floats_4 __attribute__((vector_size(16)));
typedef double doubles_2 __attribute__((vector_size(16)));
typedef uint32_t words_4 __attribute__((vector_size(16)));

/* One that all lanes of the warp call together. Of four words two may be all that it gives. */
#define TOGETHER_AS(result, name) __attribute__((convergent)) result uwrt_warp_##name
#define TOGETHER(result, name) TOGETHER_AS(result, mma_##name)
#define MMA(name) PTX(void, mma_sync_aligned_##name)

/* c + a sum that fits into 32 bits wraps around; the other way is .satfinite's, dots.h's limit. */
UW_LOCAL uint32_t wrap(uint32_t c, uint32_t sum) { return c + sum; }

#endif
