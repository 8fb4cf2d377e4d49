/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libomp has omp_get_max_threads only under the name that libgomp uses too (workers.h), but in a version of its own. */
#define _GNU_SOURCE /* dlvsym */
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>

#include "internal.h"

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
