/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tells of a kernel that does not come to its end. One that waits in vain is known as such and ends the program (aside.c);
 * an endless loop that writes is not: it may be long work. So after UNWARP_WAIT_LIMIT seconds of one launch it is said
 * once for each kernel that it still runs, and the program goes on.
 *
 * A thread that launches writes down what it runs, two stores that only this thread's watcher reads (uwrt_run). The
 * watcher is one thread of the process, which the first launch starts. It looks LOOKS times in the limit and counts how
 * often it finds the same launch: so the time in which the process was stopped, by a debugger or with the machine, counts
 * as one look. It goes when the runtime does, by the end of the process or dlclose.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "internal.h"
#include "server.h"

enum { LOOKS = 8, MOST_TOLD = 64 };

_Thread_local uwrt_run uwrt_own_run;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;  /* the runtime goes */
static uwrt_run *runs;                                   /* of the threads that have launched and live */
static pthread_t watcher;
static int watches, ending, has_key;
static pthread_key_t forget_key;
static double limit;

static void forget_thread(void *argument) {
  uwrt_run *gone = argument;
  pthread_mutex_lock(&lock);
  uwrt_run **at = &runs;
  while (*at && *at != gone)
    at = &(*at)->next;
  if (*at)
    *at = gone->next;
  gone->known = 0; /* it may launch from another destructor */
  pthread_mutex_unlock(&lock);
}

/* A launch that has run for all of the limit, of a kernel that was not told of before; or null. The operations of
 * libraries have no loops of the program's. The caller holds the lock. */
static const uwrt_kernel *find_endless(void) {
  static const void *told[MOST_TOLD];
  static int count;
  for (uwrt_run *at = runs; at; at = at->next) {
    const uwrt_kernel *kernel = NULL;
    const void *stub = atomic_load_explicit(&at->stub, memory_order_relaxed);
    unsigned int number = atomic_load_explicit(&at->number, memory_order_relaxed);
    at->looks = stub && number == at->seen ? at->looks + 1 : 0;
    at->seen = number;
    int is_told = at->looks != LOOKS || count == MOST_TOLD;
    for (int i = 0; i < count && !is_told; i++)
      is_told = told[i] == stub;
    if (is_told || !uwrt_kernel_find(stub, &kernel, NULL) || (kernel->flags & UWRT_KERNEL_LIBRARY))
      continue;
    told[count++] = stub;
    return kernel;
  }
  return NULL;
}

static void *watch(void *none) {
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  pthread_mutex_lock(&lock);
  while (!ending) {
    const double time = (double)next.tv_nsec + limit * 1e9 / LOOKS;
    next.tv_sec += (time_t)(time / 1e9);
    next.tv_nsec = (long)(time - (double)(time_t)(time / 1e9) * 1e9);
    while (!ending && pthread_cond_timedwait(&ended, &lock, &next) != ETIMEDOUT)
      ;
    const uwrt_kernel *endless = ending ? NULL : find_endless();
    if (endless) {
      pthread_mutex_unlock(&lock);
      uwrt_report_endless(endless, limit);
      pthread_mutex_lock(&lock);
    }
    clock_gettime(CLOCK_MONOTONIC, &next);
  }
  pthread_mutex_unlock(&lock);
  return none;
}

static void prepare_end(void) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&ended, &monotonic);
}

/* A forked process has the thread that forked alone, and a watcher of its own when that launches. */
static void begin_anew(void) {
  pthread_mutex_init(&lock, NULL);
  prepare_end();
  runs = NULL;
  watches = 0;
  uwrt_own_run.known = 0;
}

static void prepare(void) {
  prepare_end();
  limit = uwrt_wait_limit();
  has_key = limit > 0 && pthread_key_create(&forget_key, forget_thread) == 0;
  if (!has_key || pthread_atfork(NULL, NULL, begin_anew) != 0)
    limit = 0;
}

void uwrt_watch_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  uwrt_run *own = &uwrt_own_run;
  pthread_once(&once, prepare);
  own->known = 1;
  if (limit == 0 || pthread_setspecific(forget_key, own) != 0)
    return;
  pthread_mutex_lock(&lock);
  own->looks = 0;
  own->next = runs;
  runs = own;
  if (!watches && !ending)
    watches = uwrt_start_thread(&watcher, watch);
  pthread_mutex_unlock(&lock);
}

/* After the program's own destructors, which may launch. */
__attribute__((destructor(101))) static void end(void) {
  pthread_mutex_lock(&lock);
  ending = 1;
  int waits = watches;
  pthread_cond_signal(&ended);
  pthread_mutex_unlock(&lock);
  if (waits)
    pthread_join(watcher, NULL);
  if (has_key)
    pthread_key_delete(forget_key);
}
