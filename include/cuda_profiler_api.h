/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Profiler control (CUDA Runtime API, "Profiler Control").
 */
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Mark where a profiler should start and stop. Both always succeed: there is no profiler to tell. */
extern cudaError_t cudaProfilerStart(void);
extern cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif
#endif
