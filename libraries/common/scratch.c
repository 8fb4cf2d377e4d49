/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that a thread's calls use again: pages that are new cost more than to convert a matrix into them. What is
 * large goes back at once with the next smaller wish, and all of it with the thread. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "library.h"

enum { ALIGNMENT = 64 };
static const size_t kept = (size_t)64 << 20; /* bytes of a slot that stay */

typedef struct scratch {
  void *memory;
  size_t bytes;
} scratch;

static _Thread_local scratch slots[UWL_SCRATCH_SLOTS];
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_all(void *of_thread) {
  scratch *own = of_thread;
  for (int i = 0; i < UWL_SCRATCH_SLOTS; i++) {
    free(own[i].memory);
    own[i] = (scratch){0};
  }
}

static void make_key(void) { pthread_key_create(&key, free_all); }

/* Threads may end after this library is gone. */
__attribute__((destructor)) static void leave(void) {
  pthread_once(&once, make_key);
  free_all(slots);
  pthread_key_delete(key);
}

void *uwl_scratch(int slot, size_t bytes) {
  scratch *own = &slots[slot];
  if (own->bytes >= bytes && (own->bytes <= kept || bytes > kept))
    return own->memory;
  pthread_once(&once, make_key);
  pthread_setspecific(key, slots);
  free(own->memory);
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  own->memory = aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
  own->bytes = own->memory ? rounded : 0;
  return own->memory;
}

int uwl_threads(void) { return omp_in_parallel() ? 1 : omp_get_max_threads(); }
