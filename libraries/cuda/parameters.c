/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel's arguments: an array of their addresses, or one buffer in which each lies at its offset. */
#include "internal.h"

int uwcu_parameters(const void *stub, void **params, void **extra, void **places, void ***found) {
  const uwrt_kernel *kernel = uwrt_kernel_known(stub);
  char *buffer = NULL;
  size_t bytes = 0;
  *found = params;
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!extra)
    return CUDA_SUCCESS; /* the runtime refuses a kernel with parameters that gets none */
  if (params || kernel->param_count > UWCU_MOST_PARAMETERS)
    return CUDA_ERROR_INVALID_VALUE;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      bytes = *(const size_t *)extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    if (!buffer || !kernel->param_offsets || kernel->param_offsets[i] + kernel->param_sizes[i] > bytes)
      return CUDA_ERROR_INVALID_VALUE;
    places[i] = buffer + kernel->param_offsets[i];
  }
  *found = places;
  return CUDA_SUCCESS;
}
