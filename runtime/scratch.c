/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scratch memory of the workers: a stack for each thread, and for each fiber, in chunks that double, so that memory
 * once given out never moves. A mark is the chunk's index and the offset in it. Chunks stay when they are released, and
 * go with the thread.
 *
 * Invariant: chunks below the current one are full up to what was given out of them, chunks above it are empty.
 */
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

enum { FIRST_BYTES = 256 << 10, ALIGNMENT = 64, INDEX_SHIFT = 56 };

static _Thread_local uwrt_scratch threads_own, *in_use; /* null: the thread's own */
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void free_chunks(void *memory) {
  uwrt_scratch *gone = memory;
  for (int i = 0; i < UWRT_SCRATCH_CHUNKS; i++)
    free(gone->chunks[i].memory);
  *gone = (uwrt_scratch){0};
}

static void make_key(void) {
  if (pthread_key_create(&key, free_chunks) != 0)
    uwrt_fatal("cannot have memory for a block freed with its thread");
}

static uwrt_scratch *current_scratch(void) { return in_use ? in_use : &threads_own; }

uwrt_scratch *uwrt_scratch_use(uwrt_scratch *scratch) {
  uwrt_scratch *before = in_use;
  in_use = scratch;
  return before;
}

int uwrt_scratch_has(const void *address) {
  const uwrt_scratch *own = current_scratch();
  for (int i = 0; i < UWRT_SCRATCH_CHUNKS && own->chunks[i].memory; i++) /* each comes after the one before it */
    if ((uintptr_t)address - (uintptr_t)own->chunks[i].memory < own->chunks[i].bytes)
      return 1;
  return 0;
}

/* Gives the current chunk, which holds nothing, at least so many bytes. */
static void provide(uwrt_scratch *own, uint64_t bytes) {
  unsigned int index = own->index;
  uint64_t wanted = (uint64_t)FIRST_BYTES << (index < 16 ? index : 16);
  if (own->chunks[index].bytes >= bytes && own->chunks[index].memory)
    return;
  if (bytes > wanted)
    wanted = bytes;
  if (own == &threads_own) {
    pthread_once(&key_once, make_key);
    pthread_setspecific(key, own);
  }
  free(own->chunks[index].memory);
  const uint64_t alignment = uwrt_checks ? UWRT_CHECK_PAGE : ALIGNMENT; /* whose notes of a page are one thread's */
  wanted = (wanted + alignment - 1) / alignment * alignment;
  own->chunks[index].memory =
      wanted <= (uint64_t)PTRDIFF_MAX - alignment ? aligned_alloc(alignment, (size_t)wanted) : NULL;
  own->chunks[index].bytes = wanted;
  if (!own->chunks[index].memory)
    uwrt_fatal("out of memory: a block asks for %llu bytes of shared or spilled values", (unsigned long long)bytes);
}

static void *allocate_slowly(uint64_t bytes) {
  uwrt_scratch *own = current_scratch();
  if (own->offset && ++own->index == UWRT_SCRATCH_CHUNKS)
    uwrt_fatal("out of memory: blocks are nested too deeply");
  provide(own, bytes);
  own->offset = bytes;
  return own->chunks[own->index].memory;
}

void *uwrt_scratch_alloc(uint64_t bytes) {
  uwrt_scratch *own = current_scratch();
  uint64_t rounded = (bytes + (ALIGNMENT - 1)) & ~(uint64_t)(ALIGNMENT - 1);
  if (rounded < bytes)
    uwrt_fatal("out of memory: a block asks for %llu bytes of shared or spilled values", (unsigned long long)bytes);
  if (!rounded)
    rounded = ALIGNMENT;
  if (rounded > own->chunks[own->index].bytes - own->offset)
    return allocate_slowly(rounded);
  own->offset += rounded;
  return own->chunks[own->index].memory + (own->offset - rounded);
}

uint64_t uwrt_scratch_mark(void) {
  const uwrt_scratch *own = current_scratch();
  return (uint64_t)own->index << INDEX_SHIFT | own->offset;
}

void uwrt_scratch_release(uint64_t mark) {
  uwrt_scratch *own = current_scratch();
  own->index = (unsigned int)(mark >> INDEX_SHIFT);
  own->offset = mark & (((uint64_t)1 << INDEX_SHIFT) - 1);
}
