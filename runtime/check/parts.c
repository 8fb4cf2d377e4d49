/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that a library has from the runtime and gives to its callers in parts, as PyTorch's caching allocator does with
 * tensors (libraries/torch/checked.cpp). Each part is an object of its own: what lies between them is nobody's, and what
 * was given back is found as such until it is given again. Who writes to a part unseen, on the host, is not known, so that
 * all of it counts as written. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct part {
  uintptr_t start;
  size_t bytes;
  const char *name; /* null: the whole, which has parts */
  int is_back;
} part;

typedef struct part_list { /* by address, without any that overlap */
  part *items;
  size_t count, room;
} part_list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static part_list wholes, parts;

/* Where the first one is that starts after the address. */
static size_t after(const part_list *list, uintptr_t address) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (list->items[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int overlaps(const part *one, uintptr_t start, size_t bytes) {
  return one->start < start + bytes && start < one->start + one->bytes;
}

/* Drops those that have any byte of these. */
static void drop(part_list *list, uintptr_t start, size_t bytes) {
  size_t first = after(list, start), end;
  first -= first && overlaps(&list->items[first - 1], start, bytes);
  for (end = first; end < list->count && overlaps(&list->items[end], start, bytes);)
    end++;
  memmove(list->items + first, list->items + end, (list->count - end) * sizeof *list->items);
  list->count -= end - first;
}

static void add(part_list *list, part fresh) {
  drop(list, fresh.start, fresh.bytes);
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 256;
    list->items = realloc(list->items, list->room * sizeof *list->items);
    if (!list->items)
      uwrt_fatal("out of memory: the checker cannot note a part of an allocation");
  }
  size_t at = after(list, fresh.start);
  memmove(list->items + at + 1, list->items + at, (list->count - at) * sizeof *list->items);
  list->items[at] = fresh;
  list->count++;
}

static part *at_start(uintptr_t start) {
  size_t next = after(&parts, start);
  return next && parts.items[next - 1].start == start ? &parts.items[next - 1] : NULL;
}

void uwrt_check_part(uwrt_part what, const void *memory, size_t bytes, const char *name) {
  uintptr_t start = (uintptr_t)memory;
  uint64_t write = what == UWRT_PART_GIVEN ? UWRT_CELL_WRITTEN : UWRT_CELL_POISON;
  pthread_mutex_lock(&lock);
  if (what == UWRT_PARTS_BEGIN) {
    add(&wholes, (part){.start = start, .bytes = bytes});
  } else if (what == UWRT_PARTS_END) {
    drop(&wholes, start, bytes);
    drop(&parts, start, bytes);
  } else if (what == UWRT_PART_GIVEN) {
    add(&parts, (part){.start = start, .bytes = bytes, .name = name});
  } else {
    part *back = at_start(start);
    bytes = back ? back->bytes : 0;
    if (back)
      back->is_back = 1;
  }
  pthread_mutex_unlock(&lock);
  if (what == UWRT_PARTS_BEGIN)
    uwrt_check_is_parted(start, bytes);
  if (bytes)
    uwrt_shadow_set(start, bytes, write, UWRT_CELL_POISON);
}

static const part *whole_around(uintptr_t address) {
  size_t next = after(&wholes, address);
  return next && overlaps(&wholes.items[next - 1], address, 1) ? &wholes.items[next - 1] : NULL;
}

int uwrt_check_has_parts(uintptr_t address) {
  pthread_mutex_lock(&lock);
  int has = whole_around(address) != NULL;
  pthread_mutex_unlock(&lock);
  return has;
}

int uwrt_check_find_part(uintptr_t address, uwrt_check_object *found) {
  part best = {0};
  pthread_mutex_lock(&lock);
  const part *around = whole_around(address);
  if (around) {
    size_t next = after(&parts, address);
    if (next && overlaps(around, parts.items[next - 1].start, 1))
      best = parts.items[next - 1];
    if (next < parts.count && overlaps(around, parts.items[next].start, 1) &&
        (!best.name || (address >= best.start + best.bytes &&
                        parts.items[next].start - address < address - (best.start + best.bytes))))
      best = parts.items[next];
  }
  pthread_mutex_unlock(&lock);
  *found = (uwrt_check_object){
      .start = best.start, .bytes = best.bytes, .what = best.name, .is_freed = best.is_back, .is_device = 1};
  return best.name != NULL;
}
