/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is made at the first use of an object: made once, while others who want it wait. For what there is once in a
 * process, pthread_once does the same. Nobody sees it half made: `done` is set behind all that make writes.
 *
 * While it is made, no lock may be held that making takes, too: above all not one that constructors of libraries take
 * (registration), since making may have to open a library, for which the loader waits until constructors have run.
 */
#ifndef UWRT_ONCE_H
#define UWRT_ONCE_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct uwrt_once {
  atomic_int done;
  pthread_mutex_t lock; /* of the one who makes it */
} uwrt_once;

#define UWRT_ONCE_INIT {0, PTHREAD_MUTEX_INITIALIZER}

static inline void uwrt_once_run(uwrt_once *once, void (*make)(void *), void *object) {
  if (atomic_load_explicit(&once->done, memory_order_acquire))
    return;
  pthread_mutex_lock(&once->lock);
  if (!atomic_load_explicit(&once->done, memory_order_relaxed)) {
    make(object);
    atomic_store_explicit(&once->done, 1, memory_order_release);
  }
  pthread_mutex_unlock(&once->lock);
}

#endif
