/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for what programs allocate. All that is known of a block stands elsewhere, so that a kernel which writes
 * beyond its memory meets other memory of that kind, as on a GPU, and not what malloc or this runtime keeps.
 *
 *   below 2 MiB   slots of one of some fifty sizes, cut from large mappings one after the other, as close as they come; a freed
 *                 one is the next of its size
 *   the others    a mapping each, on a huge page, with some room after it. Those that are freed and not too large wait for the next
 *                 request of about their size, which then needs no new pages
 *
 * Each block has room for a guard after its bytes (guards.c), and a slot's last bytes guard its neighbour in front.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "internal.h"

enum {
  UNIT = 256,
  GUARD = UNIT,
  HUGE_PAGE = 2 << 20,
  PAGE = 4096,
  FIRST_SIZES = 8, /* in units: 1, 2, … 8, and then four sizes from a power of two to the next */
  SIZES = FIRST_SIZES + 4 * 10,
  CHUNK = 64 << 20,
  AFTER = 64 << 10, /* mapped after a large block: a GPU's pages are large too, and a read there goes well */
  WAITING = 8,
  WAITING_MOST = 32 << 20,
  IDLE_MOST = 64 << 20, /* bytes in free slots whose pages are kept */
  SLOT_WITH_PAGES = 128 << 10
};

typedef struct slots {
  void **items;
  size_t count, room;
} slots;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  slots free[SIZES];
  unsigned char *chunk_at, *chunk_end;
} parts[UWRT_DEVICE_MOST]; /* where devices are NUMA nodes, each its own; else the first alone */
static slots chunks;       /* where they begin */
static size_t idle;
static uwrt_block waiting[WAITING];
static size_t waiting_bytes;

/* The index of a size, and the units that it has. */
static unsigned int size_for(size_t units, size_t *all) {
  if (units <= FIRST_SIZES) {
    *all = units;
    return (unsigned int)units - 1;
  }
  unsigned int shift = (unsigned int)(63 - __builtin_clzll(units - 1)) - 2;
  size_t quarter = (units - 1) >> shift; /* 4 to 7 */
  *all = (quarter + 1) << shift;
  return FIRST_SIZES + (shift - 1) * 4 + (unsigned int)(quarter - 4);
}

static size_t round_to(size_t bytes, size_t unit) { return (bytes + (unit - 1)) / unit * unit; }

static void *map(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void place(void *start, size_t bytes, int part) {
  if (uwrt_device_layout()->is_numa)
    uwrt_numa_place(part, start, bytes);
}

/* Makes room for one more. */
static int grow(slots *list) {
  if (list->count < list->room)
    return 1;
  size_t more = list->room ? 2 * list->room : 64;
  void **grown = realloc(list->items, more * sizeof *grown);
  if (!grown)
    return 0;
  list->items = grown;
  list->room = more;
  return 1;
}

/* The rest of a chunk that is too short stays unused: no page of it was ever touched. */
static void *cut_slot(size_t bytes, int part) {
  unsigned char **at = &parts[part].chunk_at, **end = &parts[part].chunk_end;
  if ((size_t)(*end - *at) < bytes) {
    unsigned char *fresh = grow(&chunks) ? map(CHUNK) : NULL;
    if (!fresh)
      return NULL;
    place(fresh, CHUNK, part);
    chunks.items[chunks.count++] = fresh;
    *end = fresh + CHUNK;
    *at = fresh + GUARD;
    uwrt_guard_front(*at);
  }
  void *slot = *at;
  *at += bytes;
  uwrt_guard_front(*at);
  return slot;
}

static int take_slot(size_t bytes, int part, uwrt_block *block) {
  size_t units;
  unsigned int size = size_for(round_to(bytes, UNIT) / UNIT, &units);
  slots *of_size = &parts[part].free[size];
  *block = (uwrt_block){.room = units * UNIT + GUARD, .part = part};
  pthread_mutex_lock(&lock);
  if (of_size->count) {
    block->start = of_size->items[--of_size->count];
    idle -= idle < block->room ? idle : block->room;
  } else {
    block->start = cut_slot(block->room, part);
  }
  pthread_mutex_unlock(&lock);
  return block->start != NULL;
}

/* Without room to note it, a slot is lost. */
static void give_slot(const uwrt_block *block) {
  size_t units;
  slots *of_size = &parts[block->part].free[size_for((block->room - GUARD) / UNIT, &units)];
  pthread_mutex_lock(&lock);
  if (grow(of_size))
    of_size->items[of_size->count++] = block->start;
  idle += block->room;
  if (idle > IDLE_MOST && block->room >= SLOT_WITH_PAGES) {
    uintptr_t from = round_to((uintptr_t)block->start, PAGE),
              to = ((uintptr_t)block->start + block->room - GUARD) / PAGE * PAGE;
    madvise((void *)from, to - from, MADV_DONTNEED);
    idle -= block->room;
  }
  pthread_mutex_unlock(&lock);
}

static int take_waiting(size_t bytes, int part, uwrt_block *block) {
  for (size_t i = 0; i < WAITING; i++) {
    if (!waiting[i].start || waiting[i].part != part || waiting[i].room < bytes + GUARD ||
        waiting[i].room / 5 * 4 > bytes + GUARD + AFTER)
      continue;
    *block = waiting[i];
    waiting_bytes -= block->mapped;
    waiting[i].start = NULL;
    return 1;
  }
  return 0;
}

static int take_mapping(size_t bytes, int part, uwrt_block *block) {
  pthread_mutex_lock(&lock);
  int found = take_waiting(bytes, part, block);
  pthread_mutex_unlock(&lock);
  if (found)
    return 1;
  size_t room = round_to(bytes + GUARD, PAGE) + AFTER;
  if (room < bytes || room + HUGE_PAGE < room)
    return 0;
  unsigned char *memory = map(room + HUGE_PAGE);
  if (!memory)
    return 0;
  unsigned char *start = (unsigned char *)round_to((uintptr_t)memory, HUGE_PAGE), *end = start + room;
  if (memory + room + HUGE_PAGE > end) /* else the guard's page might become a huge one */
    munmap(end, (size_t)(memory + room + HUGE_PAGE - end));
  place(start, room, part);
  madvise(start, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* advice only: a refusal changes nothing */
  *block =
      (uwrt_block){.start = start, .room = room, .mapping = memory, .mapped = (size_t)(end - memory), .part = part};
  return 1;
}

static void give_mapping(const uwrt_block *block) {
  uwrt_block goes = *block;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < WAITING && goes.room <= WAITING_MOST && waiting_bytes + goes.mapped <= 2 * WAITING_MOST; i++)
    if (!waiting[i].start) {
      waiting[i] = goes;
      waiting_bytes += goes.mapped;
      goes.mapping = NULL;
      break;
    }
  pthread_mutex_unlock(&lock);
  if (goes.mapping)
    munmap(goes.mapping, goes.mapped);
}

void uwrt_heap_chunk(const void *slot, uintptr_t *start, uintptr_t *end) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < chunks.count; i++)
    if ((uintptr_t)slot - (uintptr_t)chunks.items[i] < CHUNK) {
      *start = (uintptr_t)chunks.items[i];
      *end = *start + CHUNK;
    }
  pthread_mutex_unlock(&lock);
}

int uwrt_heap_take(size_t bytes, int part, uwrt_block *block) {
  return bytes < (size_t)HUGE_PAGE ? take_slot(bytes, part, block) : take_mapping(bytes, part, block);
}

void uwrt_heap_give(const uwrt_block *block) {
  if (block->mapping)
    give_mapping(block);
  else
    give_slot(block);
}
