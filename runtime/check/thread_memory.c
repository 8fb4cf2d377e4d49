/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of each thread: see thread_memory.h. */
#include "thread_memory.h"

#include <pthread.h>
#include <stdlib.h>

#include "check.h"

static _Thread_local void *memories[UWRT_CHECK_MEMORIES];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void free_all(void *of_thread) {
  void **all = of_thread;
  for (size_t i = 0; i < UWRT_CHECK_MEMORIES; i++) {
    free(all[i]);
    all[i] = NULL;
  }
}

static void make_key(void) {
  if (pthread_key_create(&key, free_all) != 0)
    uwrt_fatal("no key is left for what the checker has of each thread");
}

void *uwrt_check_memory_of_thread(uwrt_check_memory which, size_t bytes) {
  if (memories[which])
    return memories[which];
  pthread_once(&once, make_key);
  memories[which] = calloc(1, bytes);
  if (!memories[which] || pthread_setspecific(key, memories) != 0)
    uwrt_fatal("out of memory: the checker cannot note what a thread does");
  return memories[which];
}
