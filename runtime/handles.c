/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The living objects of CUDA's libraries (libraries/), so that a handle that is none, or no longer one, is an error and
 * not a crash. They are here, as some are another library's, too: cuBLASLt takes cuBLAS's handles, and each of both may
 * be there in two versions. An open table of addresses; there are few, and a look-up mostly ends at its first slot. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "driver.h"

const char uwrt_blas_handle;

typedef struct entry {
  const void *handle, *kind;
} entry;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static entry *entries;
static size_t capacity, count; /* capacity: a power of two */

static size_t place_of(const void *handle, size_t of) {
  return ((uintptr_t)handle >> 4) * 0x9E3779B97F4A7C15u >> 16 & (of - 1);
}

static entry *find(const void *handle) {
  if (!capacity || !handle)
    return NULL;
  size_t at = place_of(handle, capacity);
  while (entries[at].handle && entries[at].handle != handle)
    at = (at + 1) & (capacity - 1);
  return entries[at].handle ? &entries[at] : NULL;
}

static void put(entry *into, size_t of, entry what) {
  size_t at = place_of(what.handle, of);
  while (into[at].handle)
    at = (at + 1) & (of - 1);
  into[at] = what;
}

static int grow(void) {
  size_t more = capacity ? capacity * 2 : 64;
  entry *fresh = calloc(more, sizeof *fresh);
  if (!fresh)
    return 0;
  for (size_t i = 0; i < capacity; i++)
    if (entries[i].handle)
      put(fresh, more, entries[i]);
  free(entries);
  entries = fresh;
  capacity = more;
  return 1;
}

int uwrt_handle_add(const void *handle, const void *kind) {
  pthread_rwlock_wrlock(&lock);
  int good = count * 2 < capacity || grow();
  if (good) {
    put(entries, capacity, (entry){handle, kind});
    count++;
  }
  pthread_rwlock_unlock(&lock);
  return good;
}

int uwrt_handle_is(const void *handle, const void *kind) {
  pthread_rwlock_rdlock(&lock);
  const entry *found = find(handle);
  int is = found && found->kind == kind;
  pthread_rwlock_unlock(&lock);
  return is;
}

int uwrt_handle_remove(const void *handle, const void *kind) {
  pthread_rwlock_wrlock(&lock);
  entry *found = find(handle);
  int was = found && found->kind == kind;
  if (was) {
    found->handle = NULL;
    count--;
    /* Those after it up to the next hole may have stepped over its slot. */
    for (size_t at = (size_t)(found - entries + 1) & (capacity - 1); entries[at].handle;
         at = (at + 1) & (capacity - 1)) {
      entry moved = entries[at];
      entries[at].handle = NULL;
      put(entries, capacity, moved);
    }
  }
  pthread_rwlock_unlock(&lock);
  return was;
}
