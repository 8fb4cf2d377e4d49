/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Large collectives in the ranks' own memory. Device memory is host memory, so where each rank can map that of the
 * others, nothing is copied into shared buffers and out again:
 *
 *   all-reduce       each rank reduces its slice of all ranks' memory, and stores the sums in all of them
 *   reduce           the same, into the root's memory alone
 *   reduce-scatter   each rank reduces its own piece of all ranks' memory
 *   all others       each rank copies what it gets out of the others' memory
 *
 * Each byte is read by whoever needs it and written by one rank, so nobody waits but before all begin, for the others'
 * memory to be ready, and until all have ended.
 *
 * Memory becomes a file that others map when a rank asks for it, which copies it (runtime/ipc.c). So a rank offers
 * an allocation only from the second large collective in it on: who makes new memory for each would copy more than is
 * saved. What was mapped stays so until its process has no such memory any more.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 20, BLOCK = 64 << 10, REMEMBERED = 64, MAPPINGS = 128 };

int uwnccl_is_large(const uwnccl_operation *o) { return o->count * uwnccl_size_of(o->type) >= UWNCCL_DIRECT; }

/* --- what is used ------------------------------------------------------------------------------------------------- */

typedef struct extent { /* in bytes; 0: nobody looks there */
  size_t from, to;
} extent;

/* Of a rank's memory, what others read and write. */
static extent shared_extent(const struct ncclComm *c, const uwnccl_operation *o, int rank) {
  const size_t bytes = o->count * uwnccl_size_of(o->type), all = bytes * (size_t)c->count;
  const int is_root = rank == o->root;
  switch (o->kind) {
  case UWNCCL_ALL_REDUCE: return (extent){bytes, bytes};
  case UWNCCL_REDUCE: return (extent){bytes, is_root ? bytes : 0};
  case UWNCCL_REDUCE_SCATTER:
  case UWNCCL_ALL_TO_ALL: return (extent){all, 0};
  case UWNCCL_BROADCAST: return (extent){is_root ? bytes : 0, 0};
  case UWNCCL_SCATTER: return (extent){is_root ? all : 0, 0};
  case UWNCCL_GATHER: return (extent){is_root ? 0 : bytes, 0};
  default: return (extent){bytes, 0};
  }
}

/* --- offers ------------------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Allocations that large collectives were asked for in. */
static const void *remembered[REMEMBERED];
static int next_remembered;

static int is_used_again(const void *memory) {
  uwrt_range range;
  int again = 0;
  if (!uwrt_range_of(memory, &range))
    return 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < REMEMBERED; i++)
    again |= remembered[i] == range.start;
  if (!again)
    remembered[next_remembered++ % REMEMBERED] = range.start;
  pthread_mutex_unlock(&lock);
  return again;
}

static int is_one_process(const struct ncclComm *c) {
  for (int i = 0; i < c->count; i++)
    if (!c->peers[i].is_own)
      return 0;
  return 1;
}

static int offer(const struct ncclComm *c, const void *memory, size_t bytes, uwnccl_place *place) {
  place->address = (char *)(uintptr_t)memory;
  return !bytes || is_one_process(c) || (is_used_again(memory) && uwrt_ipc_share(memory, bytes, &place->offer));
}

void uwnccl_offer_places(const struct ncclComm *c, const uwnccl_operation *o, uwnccl_wish *wish) {
  const extent extent = shared_extent(c, o, c->rank);
  const int from = offer(c, o->from, extent.from, &wish->from), to = offer(c, o->to, extent.to, &wish->to);
  /* Each rank overwrites what the others are still to read. */
  const int collides = o->kind == UWNCCL_ALL_TO_ALL && o->from == o->to;
  wish->is_offered = from && to && !collides;
}

/* --- mappings ----------------------------------------------------------------------------------------------------- */

typedef struct mapping {
  uwrt_ipc_offer of;
  char *memory;
  int users;
} mapping;
static mapping mappings[MAPPINGS];

static int is_same_file(const uwrt_ipc_offer *a, const uwrt_ipc_offer *b) {
  return a->process == b->process && a->file == b->file && a->inode == b->inode && a->bytes == b->bytes;
}

static void drop_stale(void) {
  for (int i = 0; i < MAPPINGS; i++)
    if (mappings[i].memory && !mappings[i].users && !uwrt_ipc_is_there(&mappings[i].of)) {
      munmap(mappings[i].memory, mappings[i].of.bytes);
      mappings[i].memory = NULL;
    }
}

/* Null: it cannot be mapped. */
static char *map(const uwrt_ipc_offer *offer) {
  mapping *free_one = NULL, *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAPPINGS && !found; i++)
    if (mappings[i].memory && is_same_file(&mappings[i].of, offer))
      found = &mappings[i];
  if (!found) {
    drop_stale();
    for (int i = 0; i < MAPPINGS && !free_one; i++)
      if (!mappings[i].memory)
        free_one = &mappings[i];
    char *memory = free_one ? uwrt_ipc_map(offer) : NULL;
    if (memory) {
      *free_one = (mapping){.of = *offer, .memory = memory};
      found = free_one;
    }
  }
  if (found)
    found->users++;
  pthread_mutex_unlock(&lock);
  return found ? found->memory + offer->offset : NULL;
}

static void unmap(const char *memory) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAPPINGS; i++)
    if (mappings[i].memory && memory >= mappings[i].memory && memory < mappings[i].memory + mappings[i].of.bytes)
      mappings[i].users--;
  pthread_mutex_unlock(&lock);
}

static int find_place(const uwnccl_peer *peer, const uwnccl_place *place, size_t bytes, char **memory) {
  *memory = !bytes ? NULL : peer->is_own ? place->address : map(&place->offer);
  return !bytes || *memory;
}

int uwnccl_map_places(struct ncclComm *c, const uwnccl_operation *o) {
  int good = 1;
  for (int i = 0; i < c->count && good; i++) {
    const uwnccl_wish *wish = uwnccl_wish_of(c, i);
    const extent extent = shared_extent(c, o, i);
    uwnccl_peer *peer = &c->peers[i];
    good = find_place(peer, &wish->from, extent.from, &peer->from) && find_place(peer, &wish->to, extent.to, &peer->to);
  }
  if (!good)
    uwnccl_unmap_places(c);
  return good;
}

void uwnccl_unmap_places(struct ncclComm *c) {
  for (int i = 0; i < c->count; i++) {
    uwnccl_peer *peer = &c->peers[i];
    if (peer->from && !peer->is_own)
      unmap(peer->from);
    if (peer->to && !peer->is_own)
      unmap(peer->to);
    peer->from = peer->to = NULL;
  }
}

/* --- work --------------------------------------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Of all ranks' memory from that offset on, in bytes. */
static void reduce(const struct ncclComm *c, const uwnccl_operation *o, void *to, size_t offset, size_t count) {
  const void *from[UWNCCL_RANKS_MOST];
  uint64_t scalars[UWNCCL_RANKS_MOST];
  for (int i = 0; i < c->count; i++) {
    from[i] = c->peers[i].from + offset;
    scalars[i] = uwnccl_wish_of(c, i)->scalar;
  }
  uwnccl_reduce(to, from, c->count, count, o->type, o->operator, scalars);
}

/* A block's sums go to all who want them while the caches hold them. */
static void reduce_for_all(const struct ncclComm *c, const uwnccl_operation *o, size_t at, size_t end) {
  const size_t each = uwnccl_size_of(o->type), block = BLOCK / each;
  for (; at < end; at += block) {
    const size_t count = least(block, end - at);
    char *first = NULL;
    for (int k = 0; k < c->count; k++) { /* its own first */
      const int i = (c->rank + k) % c->count;
      if (!c->peers[i].to)
        continue;
      char *to = c->peers[i].to + at * each;
      if (!first)
        reduce(c, o, first = to, at * each, count);
      else
        memcpy(to, first, count * each);
    }
  }
}

/* What this rank gets of another one. */
static void copy_from(const struct ncclComm *c, const uwnccl_operation *o, int rank, size_t at, size_t count) {
  const size_t each = uwnccl_size_of(o->type), all = o->count * each;
  const char *from = c->peers[rank].from;
  char *to = o->to;
  switch (o->kind) {
  case UWNCCL_BROADCAST: break;
  case UWNCCL_SCATTER: from += (size_t)c->rank * all; break;
  case UWNCCL_ALL_TO_ALL: from += (size_t)c->rank * all; /* fall through */
  default: to += (size_t)rank * all;
  }
  if (from != to)
    memmove(to + at * each, from + at * each, count * each);
}

/* A gather's root has its own part itself. */
static void copy_parts(struct ncclComm *c, const uwnccl_operation *o, size_t at, size_t count) {
  const int is_root = c->rank == o->root;
  if (o->kind == UWNCCL_BROADCAST || o->kind == UWNCCL_SCATTER) {
    copy_from(c, o, o->root, at, count);
    return;
  }
  if (o->kind == UWNCCL_GATHER && !is_root)
    return;
  if (o->kind == UWNCCL_GATHER)
    c->peers[c->rank].from = (char *)(uintptr_t)o->from;
  for (int i = 0; i < c->count; i++)
    copy_from(c, o, i, at, count);
}

int uwnccl_work_directly(struct ncclComm *c, uwnccl_operation *o) {
  const size_t each = uwnccl_size_of(o->type);
  const int is_sliced = o->kind == UWNCCL_ALL_REDUCE || o->kind == UWNCCL_REDUCE;
  const size_t begin = is_sliced ? uwnccl_slice_begin(c, o, o->count, c->rank) : 0,
               end = is_sliced ? uwnccl_slice_begin(c, o, o->count, c->rank + 1) : o->count;
  const size_t at = begin + o->at, count = least(PIECE / each, end - at);
  if (is_sliced)
    reduce_for_all(c, o, at, at + count);
  else if (o->kind == UWNCCL_REDUCE_SCATTER)
    reduce(c, o, o->to + at * each, ((size_t)c->rank * o->count + at) * each, count);
  else
    copy_parts(c, o, at, count);
  o->at += count;
  return at + count < end;
}
