/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a running kernel reports: a failed assert (CUDA C++ Programming Guide, "Assertion": the message goes to stderr)
 * and a trap, which says nothing. Both leave a sticky error. A wait that never ends. Also where the running thread
 * stands, and the end of a process that cannot go on.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

UWRT_THREAD_LOCAL uwrt_thread_context uwrt_thread;

uwrt_thread_context *uwrt_context(void) { return &uwrt_thread; }

void uwrt_assert_fail(const char *expression, const char *file, uint32_t line, const char *function) {
  const uwrt_thread_context *at = &uwrt_thread;
  fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file ? file : "",
          (unsigned int)line, function ? function : "", at->block[0], at->block[1], at->block[2], at->thread[0],
          at->thread[1], at->thread[2], expression ? expression : "");
  if (uwrt_set_sticky_error(cudaErrorAssert)) {
    char place[1024];
    snprintf(place, sizeof place, "%s:%u\n", file ? file : "", (unsigned int)line);
    uwrt_report_in_kernel("an assertion failed", __builtin_return_address(0), place);
  }
}

static UWRT_THREAD_LOCAL cudaError_t trap_error = cudaErrorLaunchFailure;

void uwrt_trap_is(int error) { trap_error = (cudaError_t)error; }

static UWRT_THREAD_LOCAL const char *trap_text;

void uwrt_cluster_outside(void) { trap_text = "a block that its cluster does not have"; }

/* CUDA says nothing but the error. Where it was is worth a line; the first one says it for all threads. */
void uwrt_trap(const char *places) {
  const cudaError_t error = trap_error;
  const char *what = trap_text;
  trap_text = NULL;
  trap_error = cudaErrorLaunchFailure;
  if (uwrt_set_sticky_error(error))
    uwrt_report_in_kernel(error == cudaErrorIllegalAddress      ? "an access outside of a surface"
                          : error == cudaErrorMisalignedAddress ? "a misaligned access to a surface"
                          : what                                ? what
                                                                : "__trap()",
                          __builtin_return_address(0), places);
}

/* The first one says it; the others wait for the end. */
static void report_wait(const void *caller, const char *places) {
  if (!uwrt_set_sticky_error(cudaErrorLaunchTimeout))
    for (;;)
      pause();
  uwrt_report_in_kernel("a wait that never ends", caller, places);
}

void uwrt_stuck(const char *places) {
  if (uwrt_cluster_extent(0) * uwrt_cluster_extent(1) * uwrt_cluster_extent(2) > 1) {
    uwrt_yield(places); /* other blocks write the block's shared memory, too */
    return;
  }
  if (uwrt_thread_pause(/*for_block=*/1, /*naps=*/0) == 0)
    return;
  report_wait(__builtin_return_address(0), places);
  uwrt_fatal(
      "it waits for shared memory that another thread of the block should write further on, but threads of a block get "
      "no further than a wait before it is over. Let all threads of the block pass the same waits and arrivals in the "
      "same order, not some of them in one branch and the others in another");
}

double uwrt_wait_limit(void) {
  const char *text = getenv("UNWARP_WAIT_LIMIT");
  char *end = NULL;
  double limit = text && *text ? strtod(text, &end) : 30;
  if (!(limit >= 0) || (end && *end))
    uwrt_fatal("UNWARP_WAIT_LIMIT is \"%s\" and should be a number of seconds, or 0 for a wait without end", text);
  return limit;
}

void uwrt_wait_is_hopeless(const void *caller, const char *places) {
  report_wait(caller, places);
  uwrt_fatal("it waits for memory in which nothing has changed for %g seconds, while the program waited for the kernel "
             "(UNWARP_WAIT_LIMIT=seconds changes that time, 0 waits on)",
             uwrt_wait_limit());
}

void uwrt_fatal(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "unwarp: %s\n", text);
  abort();
}
