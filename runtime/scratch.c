/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scratch memory of the workers: a stack for each thread, in chunks that double, so that memory once given out never
 * moves. A mark is the chunk's index and the offset in it. Chunks stay when they are released, and go with the thread.
 *
 * Invariant: chunks below the current one are full up to what was given out of them, chunks above it are empty.
 */
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

enum { CHUNKS = 40, FIRST_BYTES = 256 << 10, ALIGNMENT = 64, INDEX_SHIFT = 56 };

typedef struct chunk {
  unsigned char *memory;
  uint64_t bytes;
} chunk;

typedef struct arena {
  uint64_t offset; /* in the current chunk */
  unsigned int index;
  chunk chunks[CHUNKS];
} arena;

static _Thread_local arena scratch;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void free_chunks(void *memory) {
  arena *gone = memory;
  for (int i = 0; i < CHUNKS; i++)
    free(gone->chunks[i].memory);
  *gone = (arena){0};
}

static void make_key(void) {
  if (pthread_key_create(&key, free_chunks) != 0)
    uwrt_fatal("cannot have memory for a block freed with its thread");
}

/* Gives a chunk that holds nothing at least so many bytes. */
static void provide(chunk *empty, unsigned int index, uint64_t bytes) {
  uint64_t wanted = (uint64_t)FIRST_BYTES << (index < 16 ? index : 16);
  if (empty->bytes >= bytes && empty->memory)
    return;
  if (bytes > wanted)
    wanted = bytes;
  pthread_once(&key_once, make_key);
  pthread_setspecific(key, &scratch);
  free(empty->memory);
  empty->memory = wanted <= (uint64_t)PTRDIFF_MAX - ALIGNMENT ? aligned_alloc(ALIGNMENT, (size_t)wanted) : NULL;
  empty->bytes = wanted;
  if (!empty->memory)
    uwrt_fatal("out of memory: a block asks for %llu bytes of shared or spilled values", (unsigned long long)bytes);
}

static void *allocate_slowly(uint64_t bytes) {
  arena *own = &scratch;
  if (own->offset && ++own->index == CHUNKS)
    uwrt_fatal("out of memory: blocks are nested too deeply");
  provide(&own->chunks[own->index], own->index, bytes);
  own->offset = bytes;
  return own->chunks[own->index].memory;
}

void *uwrt_scratch_alloc(uint64_t bytes) {
  arena *own = &scratch;
  uint64_t rounded = (bytes + (ALIGNMENT - 1)) & ~(uint64_t)(ALIGNMENT - 1);
  if (rounded < bytes)
    uwrt_fatal("out of memory: a block asks for %llu bytes of shared or spilled values", (unsigned long long)bytes);
  if (!rounded)
    rounded = ALIGNMENT;
  const chunk *current = &own->chunks[own->index];
  if (rounded > current->bytes - own->offset)
    return allocate_slowly(rounded);
  own->offset += rounded;
  return current->memory + (own->offset - rounded);
}

uint64_t uwrt_scratch_mark(void) { return (uint64_t)scratch.index << INDEX_SHIFT | scratch.offset; }

void uwrt_scratch_release(uint64_t mark) {
  scratch.index = (unsigned int)(mark >> INDEX_SHIFT);
  scratch.offset = mark & (((uint64_t)1 << INDEX_SHIFT) - 1);
}
