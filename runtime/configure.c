/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launch configurations between <<<>>> and the kernel's stub. They form a stack for each thread, since an argument's
 * evaluation may launch another kernel. The launch of old CUDA (configure, set up each argument, launch) uses it too.
 */
#include <stdalign.h>
#include <string.h>

#include "internal.h"

enum { STACK_DEPTH = 64, PARAMETER_BYTES = 4096, PARAMETER_COUNT = 512 };

typedef struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;

static _Thread_local configuration stack[STACK_DEPTH];
static _Thread_local unsigned int depth;

/* Parameters of an old-style launch: their bytes, and their offsets in ascending order. */
static _Thread_local alignas(16) unsigned char parameter_bytes[PARAMETER_BYTES];
static _Thread_local unsigned short parameter_offsets[PARAMETER_COUNT];
static _Thread_local unsigned int parameter_count;

static cudaError_t push(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth == STACK_DEPTH)
    return cudaErrorLaunchMaxDepthExceeded;
  stack[depth++] = (configuration){grid, block, shared, stream};
  return cudaSuccess;
}

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, struct CUstream_st *stream) {
  return uwrt_note_error(push(gridDim, blockDim, sharedMem, stream)) != cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream) {
  if (!depth)
    return uwrt_note_error(cudaErrorMissingConfiguration);
  const configuration *top = &stack[--depth];
  *gridDim = top->grid;
  *blockDim = top->block;
  *sharedMem = top->shared;
  *(cudaStream_t *)stream = top->stream;
  return cudaSuccess;
}

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_TRY(push(gridDim, blockDim, sharedMem, stream));
  parameter_count = 0;
  UWRT_LEAVE;
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset) {
  unsigned int at;
  UWRT_ENTER;
  UWRT_REQUIRE(arg && size && offset < PARAMETER_BYTES && size <= PARAMETER_BYTES - offset, cudaErrorInvalidValue);
  UWRT_REQUIRE(depth, cudaErrorMissingConfiguration);
  for (at = parameter_count; at > 0 && parameter_offsets[at - 1] > offset;)
    at--;
  if (at == 0 || parameter_offsets[at - 1] != offset) {
    UWRT_REQUIRE(parameter_count < PARAMETER_COUNT, cudaErrorInvalidValue);
    memmove(&parameter_offsets[at + 1], &parameter_offsets[at], (parameter_count - at) * sizeof *parameter_offsets);
    parameter_offsets[at] = (unsigned short)offset;
    parameter_count++;
  }
  memcpy(parameter_bytes + offset, arg, size);
  UWRT_LEAVE;
}

/* The kernel reads copies: it may launch another one while it runs. */
cudaError_t cudaLaunch(const void *func) {
  void *args[PARAMETER_COUNT];
  alignas(16) unsigned char bytes[PARAMETER_BYTES];
  const uwrt_kernel *kernel;
  unsigned int count = parameter_count;
  UWRT_ENTER;
  UWRT_REQUIRE(depth, cudaErrorMissingConfiguration);
  const configuration top = stack[--depth];
  parameter_count = 0;
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, NULL), cudaErrorInvalidDeviceFunction);
  UWRT_REQUIRE(count == kernel->param_count, cudaErrorInvalidValue);
  memcpy(bytes, parameter_bytes, sizeof bytes);
  for (unsigned int i = 0; i < count; i++) {
    UWRT_REQUIRE(kernel->param_sizes[i] <= (size_t)PARAMETER_BYTES - parameter_offsets[i], cudaErrorInvalidValue);
    args[i] = bytes + parameter_offsets[i];
  }
  uwrt_dims dims = {.grid = {top.grid.x, top.grid.y, top.grid.z},
                    .block = {top.block.x, top.block.y, top.block.z},
                    .shared_bytes = top.shared};
  UWRT_TRY(uwrt_launch(func, &dims, args, top.stream));
  UWRT_LEAVE;
}
