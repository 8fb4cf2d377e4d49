/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The profiler's switch (cudaProfiler.h): nobody listens. */
#include "internal.h"

#pragma GCC visibility push(default)
#include "../../include/cudaProfiler.h"
#pragma GCC visibility pop

CUresult cuProfilerStart(void) { RUN(cudaProfilerStart()); }
CUresult cuProfilerStop(void) { RUN(cudaProfilerStop()); }
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode) {
  (void)configFile, (void)outputFile, (void)outputMode;
  RUN(CUDA_ERROR_NOT_SUPPORTED);
}
