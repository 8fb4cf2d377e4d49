/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches. Compiled twice (internal.h). */
#include "internal.h"

static int launch(CUfunction f, dim3 grid, dim3 block, unsigned int shared, CUstream stream, void **params,
                  void **extra, int together) {
  void *places[UWCU_MOST_PARAMETERS], **found;
  int error = uwcu_parameters(f, params, extra, places, &found);
  if (error)
    return error;
  return (int)(together ? cudaLaunchCooperativeKernel((const void *)f, grid, block, found, shared, stream)
                        : cudaLaunchKernel((const void *)f, grid, block, found, shared, stream));
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                        unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **params,
                        void **extra) {
  RUN(launch(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, params, extra, 0));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                                   unsigned int by, unsigned int bz, unsigned int shared, CUstream stream,
                                   void **params) {
  RUN(launch(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, params, NULL, 1));
}

_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute), "one attribute in two types");

static int launch_with(const CUlaunchConfig *config, CUfunction f, void **params, void **extra) {
  void *places[UWCU_MOST_PARAMETERS], **found;
  int error = config ? uwcu_parameters(f, params, extra, places, &found) : CUDA_ERROR_INVALID_VALUE;
  if (error)
    return error;
  cudaLaunchConfig_t own = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                            {config->blockDimX, config->blockDimY, config->blockDimZ},
                            config->sharedMemBytes,
                            config->hStream,
                            (cudaLaunchAttribute *)config->attrs,
                            config->numAttrs};
  return (int)cudaLaunchKernelExC(&own, (const void *)f, found);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params, void **extra) {
  RUN(launch_with(config, f, params, extra));
}
