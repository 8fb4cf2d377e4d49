/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many workers there are.
 *
 * libomp has omp_get_max_threads only under the name that libgomp uses too (workers.h), but in a version of its own.
 *
 * What stands in OMP_NUM_THREADS is looked at before libomp does: on text that is no list of integers it warns, and
 * then gives a value that nobody set. */
#define _GNU_SOURCE /* dlvsym */
#include <ctype.h>
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

enum { MOST_THREADS = 1 << 22 }; /* Linux has no number for one more */

/* One integer for each level of nested regions: 4 or 4,2. */
static int are_thread_counts(const char *text) {
  for (;; text++) {
    char *end;
    while (isspace((unsigned char)*text))
      text++;
    unsigned long count = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
    if (count < 1 || count > MOST_THREADS)
      return 0;
    for (text = end; isspace((unsigned char)*text); text++)
      ;
    if (*text != ',')
      return !*text;
  }
}

/* libomp reads it at the first region, which comes later than any constructor of ours. */
__attribute__((constructor(101))) static void check_thread_counts(void) {
  const char *wanted = getenv("OMP_NUM_THREADS");
  if (!wanted || are_thread_counts(wanted))
    return;
  fprintf(stderr, "unwarp: OMP_NUM_THREADS is '%s', which is no number of threads: as many run as there are cores\n",
          wanted);
  unsetenv("OMP_NUM_THREADS");
}

typedef int count_workers(void);

int32_t uwrt_max_workers(void) {
  static _Atomic(count_workers *) found;
  count_workers *count = atomic_load_explicit(&found, memory_order_relaxed);
  if (!count) {
    count = (count_workers *)dlvsym(RTLD_DEFAULT, "omp_get_max_threads", "VERSION");
    if (!count)
      count = omp_get_max_threads;
    atomic_store_explicit(&found, count, memory_order_relaxed);
  }
  return count();
}
