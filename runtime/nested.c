/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a running kernel asks of streams: launches of other kernels, copies, fills. (CUDA C++ Programming Guide, "CUDA
 * Dynamic Parallelism".) It is put off:
 *
 *   until all blocks of the parent grid are finished; the parent's launch is over when its children are
 *   or until a thread of the block that asked for it calls cudaDeviceSynchronize (CUDA before version 12)
 *   in the tail stream: until the parent and its other children are finished
 *
 * Not at once, although the guide lets a child begin then: a thread of ours may come to its launch before others of its
 * warp have come to the statements above it, which programs that count on warps in step want the child to see.
 *
 * What was asked for in one stream runs in the order in which it was asked for; the default stream is one for each
 * block. Streams run side by side when there are more of them than the widest of the grids has blocks; else each grid
 * in turn has all workers, as under events, which order streams.
 */
#include <pthread.h>
#include <stdlib.h>

#include "../include/cuda_device_runtime_api.h"
#include "work.h"

enum { MAX_DEPTH = 24 }; /* as cudaLimitDevRuntimeSyncDepth allows at most */

typedef struct uwrt_pending {
  struct uwrt_pending *next;
  uint64_t block, number; /* who asked, and as which of all */
  cudaStream_t stream;
  uwrt_work work; /* owned */
} pending;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is pending in all launches */

/* The launch that the calling thread runs a block of, or null. */
static uwrt_running *parent_of_this(void) {
  return uwrt_own_place.launch ? (uwrt_running *)uwrt_own_place.launch->running : NULL;
}

int uwrt_in_kernel(void) { return parent_of_this() != NULL; }

int uwrt_has_children(void) {
  const uwrt_running *parent = parent_of_this();
  pthread_mutex_lock(&lock);
  int has = parent && parent->children.first;
  pthread_mutex_unlock(&lock);
  return has;
}

cudaError_t uwrt_put_off(cudaStream_t stream, const uwrt_work *work) {
  uwrt_running *parent = parent_of_this();
  int in_tail = stream == cudaStreamTailLaunch;
  if (in_tail || stream == cudaStreamFireAndForget)
    stream = NULL;
  if (!uwrt_stream_exists(stream))
    return cudaErrorInvalidResourceHandle;
  if (work->type == cudaGraphNodeTypeKernel && parent->depth == MAX_DEPTH)
    return cudaErrorLaunchMaxDepthExceeded;
  cudaError_t error = uwrt_work_check(work);
  pending *fresh = error == cudaSuccess ? malloc(sizeof *fresh) : NULL;
  if (error == cudaSuccess)
    error = fresh ? uwrt_work_copy(&fresh->work, work) : cudaErrorMemoryAllocation;
  if (error != cudaSuccess) {
    free(fresh);
    return error;
  }
  fresh->next = NULL;
  fresh->block = uwrt_own_place.block;
  fresh->stream = stream;
  if (work->type == cudaGraphNodeTypeKernel)
    fresh->work.kernel.depth = parent->depth + 1;
  pthread_mutex_lock(&lock);
  uwrt_pending_list *list = in_tail ? &parent->tail : &parent->children;
  fresh->number = list->asked++;
  list->count++;
  *(list->first ? &list->last->next : &list->first) = fresh;
  list->last = fresh;
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

void uwrt_order_children(void) {
  pthread_mutex_lock(&lock);
  parent_of_this()->ordered = 1;
  pthread_mutex_unlock(&lock);
}

/* The parent has entered the device, for its children too. */
static void run(pending *own) {
  cudaError_t error = uwrt_sticky_error();
  if (error == cudaSuccess)
    error = uwrt_work_run_entered(&own->work, own->stream);
  uwrt_note_error(error);
  uwrt_work_free(&own->work);
  free(own);
}

static pending *take_all(uwrt_pending_list *list) {
  pthread_mutex_lock(&lock);
  pending *first = list->first;
  *list = (uwrt_pending_list){NULL, NULL, 0, 0};
  pthread_mutex_unlock(&lock);
  return first;
}

/* What the calling thread's block asked for. */
static pending *take_own(uwrt_running *parent) {
  pending *own = NULL, **end = &own, *before = NULL;
  pthread_mutex_lock(&lock);
  uwrt_pending_list *list = &parent->children;
  for (pending **at = &list->first; *at;) {
    pending *here = *at;
    if (here->block == uwrt_own_place.block) {
      *at = here->next;
      *end = here;
      end = &here->next;
      *end = NULL;
      list->count--;
    } else {
      before = here;
      at = &here->next;
    }
  }
  list->last = before;
  pthread_mutex_unlock(&lock);
  return own;
}

static void run_in_turn(pending *first) {
  for (pending *next; first; first = next) {
    next = first->next;
    run(first);
  }
}

/* --- side by side ------------------------------------------------------------------------------------------------- */

/* The named stream, or the block whose default stream it is. */
static uint64_t key_of(const pending *own) { return own->stream ? (uint64_t)(uintptr_t)own->stream : own->block; }

static int is_in_order(const pending *a, const pending *b) { return a->stream == b->stream && key_of(a) == key_of(b); }

static int by_stream(const void *left, const void *right) {
  const pending *a = *(pending *const *)left, *b = *(pending *const *)right;
  if (!a->stream != !b->stream)
    return a->stream ? 1 : -1;
  if (key_of(a) != key_of(b))
    return key_of(a) < key_of(b) ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static uint64_t blocks_of(const pending *own) {
  const uint32_t *grid = own->work.kernel.dims.grid;
  return own->work.type == cudaGraphNodeTypeKernel ? (uint64_t)grid[0] * grid[1] * grid[2] : 1;
}

/* Links what is in one stream; gives the first of each, and how many these are. */
static size_t part(pending **all, size_t count) {
  size_t streams = 0;
  qsort(all, count, sizeof *all, by_stream);
  for (size_t i = 0; i < count; i++) {
    int last = i + 1 == count || !is_in_order(all[i], all[i + 1]);
    pending *first = i && is_in_order(all[i - 1], all[i]) ? NULL : all[i];
    all[i]->next = last ? NULL : all[i + 1];
    if (first)
      all[streams++] = first;
  }
  return streams;
}

static void run_children(uwrt_running *parent) {
  size_t count = parent->children.count, i = 0;
  uint64_t widest = 0;
  pending *first = take_all(&parent->children);
  pending **all = parent->ordered || count < 2 ? NULL : malloc(count * sizeof(pending *));
  if (!all) {
    run_in_turn(first);
    return;
  }
  for (pending *own = first; own; own = own->next) {
    widest = blocks_of(own) > widest ? blocks_of(own) : widest;
    all[i++] = own;
  }
  if (count <= widest) {
    run_in_turn(first);
  } else {
    size_t streams = part(all, count);
#pragma omp parallel for schedule(dynamic, 1) if (streams > widest)
    for (size_t stream = 0; stream < streams; stream++)
      run_in_turn(all[stream]);
  }
  free(all);
}

void uwrt_finish_own_children(void) {
  if (!uwrt_replaying)
    run_in_turn(take_own(parent_of_this()));
}

void uwrt_finish_children(uwrt_running *finished) {
  if (finished->children.first)
    run_children(finished);
  run_in_turn(take_all(&finished->tail));
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

void *uwrt_parameter_buffer(uint64_t alignment, uint64_t bytes) {
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  void *buffer = aligned_alloc(alignment, (bytes + alignment) & ~(alignment - 1)); /* never of 0 bytes */
  if (!buffer)
    uwrt_note_error(cudaErrorMemoryAllocation);
  return buffer;
}

int uwrt_launch_device(const uwrt_kernel *kernel, void *buffer, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t shared_bytes, void *stream) {
  cudaError_t error = uwrt_sticky_error();
  void *args[kernel->param_count + 1];
  for (uint32_t i = 0; i < kernel->param_count; i++)
    args[i] = (unsigned char *)buffer + kernel->param_offsets[i];
  const uwrt_work work = {.type = cudaGraphNodeTypeKernel,
                          .kernel = {.kernel = kernel,
                                     .dims = {.grid = {grid[0], grid[1], grid[2]},
                                              .block = {block[0], block[1], block[2]},
                                              .shared_bytes = shared_bytes},
                                     .args = args,
                                     .domain_map = {0, 1}}};
  if (error == cudaSuccess)
    error = uwrt_put_off(stream, &work);
  free(buffer);
  return uwrt_note_error(error);
}
