/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches by a running kernel. (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism".) The child grid runs at once,
 * on the worker that launches it: it may begin then, and what the guide lets a parent see of it (a synchronisation in
 * old CUDA, the parent's end) comes later. Only a grid in the tail stream waits until the parent grid is finished.
 */
#include <pthread.h>
#include <stdlib.h>

#include "../include/cuda_device_runtime_api.h"
#include "internal.h"
#include "work.h"

enum { MAX_DEPTH = 24 }; /* as cudaLimitDevRuntimeSyncDepth allows at most */

typedef struct uwrt_tail {
  struct uwrt_tail *next;
  const uwrt_kernel *kernel;
  uwrt_dims dims;
  void *buffer;
} uwrt_tail;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the tails of all launches */
static _Thread_local unsigned int depth;

void *uwrt_parameter_buffer(uint64_t alignment, uint64_t bytes) {
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  void *buffer = aligned_alloc(alignment, (bytes + alignment) & ~(alignment - 1)); /* never of 0 bytes */
  if (!buffer)
    uwrt_note_error(cudaErrorMemoryAllocation);
  return buffer;
}

static cudaError_t run(const uwrt_kernel *kernel, const uwrt_dims *dims, void *buffer, cudaStream_t stream) {
  void *args[kernel->param_count + 1];
  for (uint32_t i = 0; i < kernel->param_count; i++)
    args[i] = (unsigned char *)buffer + kernel->param_offsets[i];
  if (depth == MAX_DEPTH)
    return cudaErrorLaunchMaxDepthExceeded;
  /* Not by uwrt_submit: the parent has entered the device, and no capture takes what a kernel launches. */
  uwrt_kernel_work work = {.kernel = kernel, .dims = *dims, .args = args, .domain_map = {0, 1}};
  cudaError_t error = uwrt_stream_exists(stream) ? uwrt_kernel_work_check(&work) : cudaErrorInvalidResourceHandle;
  if (error != cudaSuccess)
    return error;
  depth++;
  error = uwrt_kernel_work_run(&work, stream);
  depth--;
  return error;
}

static cudaError_t put_off(const uwrt_kernel *kernel, const uwrt_dims *dims, void *buffer) {
  uwrt_tail *tail = malloc(sizeof *tail);
  if (!tail)
    return cudaErrorMemoryAllocation;
  *tail = (uwrt_tail){NULL, kernel, *dims, buffer};
  uwrt_running *parent = (uwrt_running *)uwrt_own_place.launch->running;
  pthread_mutex_lock(&lock);
  uwrt_tail **last = &parent->tail;
  while (*last)
    last = &(*last)->next;
  *last = tail;
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

int uwrt_launch_device(const uwrt_kernel *kernel, void *buffer, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t shared_bytes, void *stream) {
  cudaError_t error = uwrt_sticky_error();
  uwrt_dims dims = {
      .grid = {grid[0], grid[1], grid[2]}, .block = {block[0], block[1], block[2]}, .shared_bytes = shared_bytes};
  int in_tail = stream == cudaStreamTailLaunch;
  if (stream == cudaStreamFireAndForget)
    stream = NULL;
  if (error == cudaSuccess)
    error = in_tail ? put_off(kernel, &dims, buffer) : run(kernel, &dims, buffer, stream);
  if (!in_tail || error != cudaSuccess)
    free(buffer);
  return uwrt_note_error(error);
}

/* A grid in the tail may add to the tail of its own launch, not to this one. */
void uwrt_run_tail(uwrt_running *finished) {
  while (finished->tail) {
    uwrt_tail *tail = finished->tail;
    finished->tail = tail->next;
    uwrt_note_error(run(tail->kernel, &tail->dims, tail->buffer, NULL));
    free(tail->buffer);
    free(tail);
  }
}
