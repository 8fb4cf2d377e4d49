/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a worker's threads append to queues: positions for the whole buffer by one atomic operation, and the copy. The
 * positions are those that as many operations one by one would give, also where the counter's value wraps around.
 *
 * And the question whether two pointers lead into different allocations. Registered memory may be a part of what the
 * program allocated, so it counts as not allocated here. */
#include <string.h>

#include "internal.h"

_Static_assert(sizeof(uwrt_appends) <= UWRT_APPENDS_HEAD, "the buffer comes after the head");

void uwrt_appends_start(uwrt_appends *own, void *counter, uint64_t bound, uint32_t bits, uint32_t is_signed,
                        const char *places) {
  own->count = 0;
  own->counter = counter;
  own->bound = bound;
  own->bits = bits;
  own->is_signed = is_signed;
  own->places = places;
  own->arrays = 0;
}

void uwrt_appends_array(uwrt_appends *own, void *to, uint64_t stride, uint64_t start) {
  own->array[own->arrays++] = (struct uwrt_appends_array){to, (unsigned char *)own + start, stride};
}

static UWRT_THREAD_LOCAL const char
    *volatile copying; /* the locations of the queue that the calling thread takes positions in */
const char *uwrt_appends_copied(void) { return copying; }

/* The elements from `first` of the buffer on, to slots that follow each other. */
static void put(const uwrt_appends *own, uint64_t first, uint64_t slot, uint64_t count) {
  const uint64_t left = own->bound - slot;
  const int fits = own->is_signed ? (int64_t)slot < (int64_t)own->bound : slot < own->bound;
  if (!fits)
    return;
  if (count > left)
    count = left;
  for (uint32_t i = 0; i < own->arrays; i++) {
    const struct uwrt_appends_array *array = &own->array[i];
    void *to =
        (void *)((uintptr_t)array->to + slot * array->stride); /* before the array, where the slot is less than 0 */
    memcpy(to, array->from + first * array->stride, count * array->stride);
  }
}

/* From one wrap of the value to the next. */
static void put_in_pieces(const uwrt_appends *own, uint32_t slot, uint64_t count) {
  for (uint64_t first = 0; first < count;) {
    const uint32_t last = !own->is_signed ? UINT32_MAX : slot <= INT32_MAX ? INT32_MAX : UINT32_MAX;
    uint64_t run = (uint64_t)last - slot + 1;
    if (run > count - first)
      run = count - first;
    put(own, first, own->is_signed ? (uint64_t)(int64_t)(int32_t)slot : slot, run);
    first += run;
    slot += (uint32_t)run;
  }
}

void uwrt_appends_flush(uwrt_appends *own) {
  const uint64_t count = own->count;
  own->count = 0;
  copying = own->places;
  if (own->bits == 64)
    put(own, 0, __atomic_fetch_add((uint64_t *)own->counter, count, __ATOMIC_RELAXED), count);
  else
    put_in_pieces(own, __atomic_fetch_add((uint32_t *)own->counter, (uint32_t)count, __ATOMIC_RELAXED), count);
  copying = NULL;
}

void uwrt_appends_end(uwrt_appends *own) {
  if (own->count > 0)
    uwrt_appends_flush(own);
}

uint64_t uwrt_object(const void *address) {
  uwrt_allocation found;
  return uwrt_allocation_find(address, &found) && found.space != UWRT_SPACE_REGISTERED ? found.base : 0;
}
