/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pieces of work: checking, copying and running one, and giving one to a stream. What a kind of work does is elsewhere
 * (copy.c, launch.c, event.c, graph_exec.c); here is only which is which.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum { PARAMETER_ALIGNMENT = 64 }; /* more than any type of CUDA asks for */

uwrt_work uwrt_line_copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  return (uwrt_work){.type = cudaGraphNodeTypeMemcpy,
                     .copy = {.srcPtr = {(void *)src, count, count, 1},
                              .dstPtr = {dst, count, count, 1},
                              .extent = {count, 1, 1},
                              .kind = kind}};
}

uwrt_work uwrt_symbol_copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  uwrt_work work = uwrt_line_copy(dst, src, count, kind);
  work.symbol = 1;
  work.device = uwrt_current_device();
  return work;
}

cudaError_t uwrt_work_check(const uwrt_work *work) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel: return uwrt_kernel_work_check(&work->kernel);
  case cudaGraphNodeTypeMemcpy: return uwrt_copy_check(&work->copy);
  case cudaGraphNodeTypeMemset: return uwrt_fill_check(&work->fill);
  case cudaGraphNodeTypeHost: return work->host.fn ? cudaSuccess : cudaErrorInvalidValue;
  case cudaGraphNodeTypeEventRecord:
  case cudaGraphNodeTypeWaitEvent: return uwrt_event_exists(work->event) ? cudaSuccess : cudaErrorInvalidValue;
  default: return cudaSuccess;
  }
}

static size_t aligned(size_t bytes) {
  return (bytes + PARAMETER_ALIGNMENT - 1) / PARAMETER_ALIGNMENT * PARAMETER_ALIGNMENT;
}

/* The list of addresses and the values after it, in one block. */
static void **copy_arguments(const uwrt_kernel *kernel, void *const *args) {
  size_t at = aligned(kernel->param_count * sizeof *args), bytes = at + PARAMETER_ALIGNMENT;
  for (uint32_t i = 0; i < kernel->param_count; i++)
    bytes += aligned(kernel->param_sizes[i]);
  void **copy = aligned_alloc(PARAMETER_ALIGNMENT, bytes);
  for (uint32_t i = 0; copy && i < kernel->param_count; i++) {
    copy[i] = memcpy((char *)copy + at, args[i], kernel->param_sizes[i]);
    at += aligned(kernel->param_sizes[i]);
  }
  return copy;
}

static cudaError_t copy_bodies(uwrt_conditional_work *copy) {
  cudaGraph_t *bodies = calloc(copy->size, sizeof *bodies);
  cudaError_t error = bodies ? cudaSuccess : cudaErrorMemoryAllocation;
  for (unsigned int i = 0; i < copy->size && error == cudaSuccess; i++) {
    bodies[i] = uwrt_graph_copy(copy->bodies[i]);
    if (bodies[i])
      bodies[i]->owned = 1;
    else
      error = cudaErrorMemoryAllocation;
  }
  if (error != cudaSuccess) {
    for (unsigned int i = 0; bodies && i < copy->size && bodies[i]; i++)
      uwrt_graph_free(bodies[i]);
    free(bodies);
  }
  copy->bodies = bodies;
  return error;
}

cudaError_t uwrt_work_copy(uwrt_work *copy, const uwrt_work *of) {
  *copy = *of;
  switch (of->type) {
  case cudaGraphNodeTypeKernel:
    copy->kernel.args = copy_arguments(of->kernel.kernel, of->kernel.args);
    return copy->kernel.args ? cudaSuccess : cudaErrorMemoryAllocation;
  case cudaGraphNodeTypeGraph:
    copy->child = uwrt_graph_copy(of->child);
    if (!copy->child)
      return cudaErrorMemoryAllocation;
    copy->child->owned = 1;
    return cudaSuccess;
  case cudaGraphNodeTypeMemAlloc: uwrt_graph_memory_retain(copy->alloc.memory); return cudaSuccess;
  case cudaGraphNodeTypeConditional: return copy_bodies(&copy->conditional);
  default: return cudaSuccess;
  }
}

void uwrt_work_free(uwrt_work *copy) {
  switch (copy->type) {
  case cudaGraphNodeTypeKernel: free(copy->kernel.args); break;
  case cudaGraphNodeTypeGraph: uwrt_graph_free(copy->child); break;
  case cudaGraphNodeTypeMemAlloc: uwrt_graph_memory_release(copy->alloc.memory); break;
  case cudaGraphNodeTypeConditional:
    for (unsigned int i = 0; i < copy->conditional.size; i++)
      uwrt_graph_free(copy->conditional.bodies[i]);
    free(copy->conditional.bodies);
    break;
  default: break;
  }
}

static cudaError_t run_conditional(const uwrt_conditional_work *work, cudaStream_t stream) {
  const volatile unsigned int *value = &((const uwrt_condition *)(uintptr_t)work->handle)->value;
  cudaError_t error = cudaSuccess;
  switch (work->type) {
  case cudaGraphCondTypeIf:
    if (*value)
      return uwrt_graph_run(work->bodies[0], stream);
    return work->size > 1 ? uwrt_graph_run(work->bodies[1], stream) : cudaSuccess;
  case cudaGraphCondTypeWhile:
    while (*value && error == cudaSuccess)
      error = uwrt_graph_run(work->bodies[0], stream);
    return error;
  case cudaGraphCondTypeSwitch: return *value < work->size ? uwrt_graph_run(work->bodies[*value], stream) : cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

static int is_in_variable(const void *address) {
  uwrt_allocation found;
  return uwrt_allocation_find(address, &found) && found.space == UWRT_SPACE_VARIABLE;
}

/* With several devices, a copy or a fill that touches a variable is that of one device. Returns whether it entered. */
static int enter_for_memory(const uwrt_work *work) {
  if (uwrt_device_count() == 1)
    return 0;
  int touches = work->type == cudaGraphNodeTypeMemcpy
                    ? is_in_variable(work->copy.srcPtr.ptr) || is_in_variable(work->copy.dstPtr.ptr)
                    : is_in_variable(work->fill.rows.dst);
  if (touches)
    uwrt_variables_enter(work->symbol ? work->device : uwrt_device_home(work->device));
  return touches;
}

cudaError_t uwrt_work_run_entered(const uwrt_work *work, cudaStream_t stream) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel: return uwrt_kernel_work_run(&work->kernel, stream);
  case cudaGraphNodeTypeMemcpy: return uwrt_copy_run(&work->copy, stream);
  case cudaGraphNodeTypeMemset: return uwrt_fill_run(&work->fill, stream);
  default: return uwrt_work_run(work, stream);
  }
}

static cudaError_t run_for_memory(const uwrt_work *work, cudaStream_t stream) {
  int entered = enter_for_memory(work);
  cudaError_t error = uwrt_work_run_entered(work, stream);
  if (entered)
    uwrt_variables_leave();
  return error;
}

static cudaError_t run_kernel(const uwrt_work *work, cudaStream_t stream) {
  cudaError_t refused = uwrt_kernel_work_check(&work->kernel);
  if (refused != cudaSuccess)
    return refused;
  int entered = uwrt_device_enter(work->device);
  cudaError_t error = uwrt_work_run_entered(work, stream);
  uwrt_device_leave(entered);
  return error;
}

cudaError_t uwrt_work_run(const uwrt_work *work, cudaStream_t stream) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel: return run_kernel(work, stream);
  case cudaGraphNodeTypeMemcpy:
  case cudaGraphNodeTypeMemset: return run_for_memory(work, stream);
  case cudaGraphNodeTypeHost:
    if (!work->host.fn)
      return cudaErrorInvalidValue;
    work->host.fn(work->host.userData);
    return cudaSuccess;
  case cudaGraphNodeTypeGraph: return uwrt_graph_run(work->child, stream);
  case cudaGraphNodeTypeEventRecord: return uwrt_event_record(work->event);
  case cudaGraphNodeTypeMemAlloc: return uwrt_graph_memory_map(work->alloc.memory);
  case cudaGraphNodeTypeMemFree: return uwrt_memory_free(work->freed, UWRT_SPACE_DEVICE | UWRT_SPACE_GRAPH);
  case cudaGraphNodeTypeConditional: return run_conditional(&work->conditional, stream);
  default: /* empty; an event to wait for is complete */ return cudaSuccess;
  }
}

/* A copy to memory that a GPU does not write by itself is done when its call returns, even in a stream that has to
 * wait. */
static cudaError_t run_in_turn(cudaStream_t stream, const uwrt_work *work) {
  cudaError_t error;
  if (work->type == cudaGraphNodeTypeHost) {
    uwrt_note_order(UWRT_ORDER_HOST_STREAM, stream, NULL); /* it is after that, and may tell the program's threads */
    return uwrt_aside_call(stream, work->host.fn, work->host.userData);
  }
  int waits = uwrt_flight_begin(stream);
  if (waits && work->type == cudaGraphNodeTypeMemcpy && uwrt_copy_goes_to_host(&work->copy)) {
    uwrt_flight_end();
    error = uwrt_wait_for_turn(stream);
    if (error != cudaSuccess)
      return error;
    uwrt_flight_begin(stream); /* what is aside again by now was given by others meanwhile */
    waits = 0;
  }
  if (waits)
    error = uwrt_aside_submit(stream, work, 0, NULL);
  else if (work->type == cudaGraphNodeTypeKernel && (work->kernel.kernel->flags & UWRT_KERNEL_BLOCKS_WAIT))
    error = uwrt_aside_run(stream, work);
  else
    error = uwrt_work_run(work, stream);
  uwrt_flight_end();
  if (uwrt_checks && work->type == cudaGraphNodeTypeMemcpy && uwrt_copy_waits(&work->copy, stream))
    uwrt_note_order(UWRT_ORDER_HOST_STREAM, stream, NULL);
  return error;
}

cudaError_t uwrt_submit(cudaStream_t stream, const uwrt_work *work) {
  int capturing = 0;
  uwrt_work owned;
  cudaGraphNode_t node;
  if (uwrt_in_kernel())
    return uwrt_put_off(stream, work);
  cudaError_t error = uwrt_capture_enter(stream, &capturing);
  if (error == cudaSuccess && work->type == cudaGraphNodeTypeKernel && uwrt_stream_device(stream) != work->device)
    error = cudaErrorInvalidResourceHandle;
  if (error != cudaSuccess || !capturing)
    return error != cudaSuccess ? error : run_in_turn(stream, work);
  error = uwrt_work_check(work);
  if (work->type == cudaGraphNodeTypeKernel)
    uwrt_launch_checked(stream, error);
  if (error == cudaSuccess)
    error = uwrt_work_copy(&owned, work);
  return error == cudaSuccess ? uwrt_capture_add(stream, &owned, &node) : error;
}
