/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Thread block clusters. The blocks of a cluster are in one share of a grid (grid.c), so that one worker runs them: they
 * wait for each other without an atomic operation, and their shared memory is one piece, a window of it for each rank.
 * All blocks of a launch have windows of one size and layout, so that what one has at an address, another one has as
 * many windows further on.
 *
 * A kernel whose blocks neither wait for each other nor map addresses runs as any other, and only knows where in its
 * cluster a block is (raise/launch.c).
 */
#include <stdlib.h>

#include "internal.h"

enum { SHORT_BITS = 32 /* of a shared address */ };

/* What a window begins with. */
typedef struct header {
  uwrt_cluster *cluster;
  unsigned int rank;
} header;
_Static_assert(sizeof(header) <= UWRT_CLUSTER_HEADER && sizeof(uwrt_cluster) <= UWRT_CLUSTER_HEADER, "room for both");

unsigned int uwrt_cluster_size(const uint32_t cluster[3]) {
  return cluster[0] ? cluster[0] * cluster[1] * cluster[2] : 1;
}

uint64_t uwrt_cluster_block(const uwrt_dims *dims, uint64_t place) {
  const uint32_t *of = dims->cluster, *grid = dims->grid;
  if (!of[0])
    return place;
  uint64_t number = place / uwrt_cluster_size(of), rank = place % uwrt_cluster_size(of);
  uint64_t along = grid[0] / of[0], up = grid[1] / of[1];
  uint64_t x = number % along * of[0] + rank % of[0], y = number / along % up * of[1] + rank / of[0] % of[1];
  uint64_t z = number / along / up * of[2] + rank / of[0] / of[1];
  return x + grid[0] * (y + grid[1] * z);
}

/* The rank of a block in its cluster. */
static unsigned int rank_of(const uwrt_dims *dims, uint64_t block) {
  const uint32_t *of = dims->cluster, *grid = dims->grid;
  if (!of[0])
    return 0;
  uint64_t x = block % grid[0] % of[0], y = block / grid[0] % grid[1] % of[1], z = block / grid[0] / grid[1] % of[2];
  return (unsigned int)(x + of[0] * (y + of[1] * z));
}

/* An address of 32 bits is completed by the window's (raise/spaces.c): the windows of a cluster have that in common. */
static void *room_for(uint64_t bytes, uint64_t alignment) {
  while (alignment < bytes && alignment < (uint64_t)1 << SHORT_BITS)
    alignment *= 2;
  void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory)
    uwrt_fatal("out of memory: no room for the shared memory of a cluster");
  return memory;
}

void uwrt_cluster_free(void *memory, uint64_t bytes) {
  if (uwrt_checks && memory)
    uwrt_checks->forgets(memory, bytes);
  free(memory);
}

void *uwrt_cluster_window(uint64_t bytes, uint64_t alignment) {
  unsigned int rank = 0;
  uwrt_cluster *own = uwrt_grid_cluster(&rank);
  uint64_t stride = (bytes + alignment - 1) & -alignment;
  if (!own) { /* a replay's block runs on no fiber */
    const uwrt_dims *dims = uwrt_own_place.launch;
    rank = dims ? rank_of(dims, dims->block_number) : 0;
    unsigned int size = dims ? uwrt_cluster_size(dims->cluster) : 1;
    unsigned char *room = uwrt_scratch_alloc(stride * size + 2 * alignment);
    room += -(uintptr_t)room & (alignment - 1);
    own = (uwrt_cluster *)room;
    *own = (uwrt_cluster){.size = size, .memory = room + alignment, .stride = stride};
  } else if (!own->stride) {               /* the first of its cluster */
    if (own->room != stride * own->size) { /* of a cluster before it */
      uwrt_cluster_free(own->memory, own->room);
      own->memory = room_for(stride * own->size, alignment);
      own->room = stride * own->size;
    }
    own->stride = stride;
  }
  header *window = (header *)(own->memory + stride * rank);
  *window = (header){own, rank};
  return window;
}

void *uwrt_cluster_map(const void *address, uint32_t rank, void *window) {
  const header *here = window;
  if (rank >= here->cluster->size)
    return NULL;
  return (unsigned char *)address + ((int64_t)rank - here->rank) * (int64_t)here->cluster->stride;
}

uint32_t uwrt_cluster_rank(const void *address, void *window) {
  const uwrt_cluster *own = ((header *)window)->cluster;
  uintptr_t offset = (uintptr_t)address - (uintptr_t)own->memory;
  return offset < own->size * own->stride ? (uint32_t)(offset / own->stride) : UINT32_MAX;
}

uint32_t uwrt_cluster_extent(uint32_t dimension) {
  const uwrt_dims *dims = uwrt_own_place.launch;
  return dims && dims->cluster[0] ? dims->cluster[dimension] : 1;
}

uint32_t uwrt_cluster_explicit(void) {
  const uwrt_dims *dims = uwrt_own_place.launch;
  return dims && dims->cluster[0];
}
