/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches by threads of the program's whose stack is small. A GPU's kernel needs nothing of its caller's stack; here
 * the calling thread runs blocks, and libraries that kernels and operations call (OpenBLAS) have large frames. So where
 * less than enough is left, the work runs on a stack of our own, a fiber's. The main thread's stack grows, and a stack
 * that the thread was not started with (a coroutine's) is not known: neither is looked at.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "work.h"

enum { ENOUGH = 512 << 10 };

static const uintptr_t not_known = 1;
static _Thread_local uintptr_t lowest; /* where the thread's stack ends; 0: nobody has asked */

static __attribute__((noinline)) uintptr_t find_lowest(void) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t bytes;
  if (gettid() == getpid() || pthread_getattr_np(pthread_self(), &attributes) != 0)
    return not_known;
  if (pthread_attr_getstack(&attributes, &start, &bytes) != 0)
    start = NULL;
  pthread_attr_destroy(&attributes);
  return start ? (uintptr_t)start : not_known;
}

int uwrt_stack_is_small(void) {
  if (!lowest)
    lowest = find_lowest();
  return lowest != not_known && (uintptr_t)__builtin_frame_address(0) - lowest < ENOUGH;
}

typedef struct call {
  const uwrt_kernel_work *work;
  cudaStream_t stream;
  cudaError_t error;
} call;

static void run(void *one) {
  call *own = one;
  own->error = uwrt_kernel_work_run_here(own->work, own->stream);
}

cudaError_t uwrt_kernel_work_run(const uwrt_kernel_work *work, cudaStream_t stream) {
  if (!uwrt_stack_is_small())
    return uwrt_kernel_work_run_here(work, stream);
  call own = {work, stream, cudaSuccess};
  uwrt_fiber *fiber = uwrt_fiber_take_here(run, &own);
  while (uwrt_fiber_resume(fiber) != UWRT_FIBER_FINISHED)
    ;
  uwrt_fiber_give(fiber);
  return own.error;
}
