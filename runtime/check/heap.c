/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Allocations as the checker knows them: where in the program each was made and freed, by the return addresses of the
 * calls, which are made lines of only when somebody asks. What is freed stays out of use for a while, so that accesses
 * to it are found. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { CALLS = UWRT_CHECK_CALLS, KEPT_BYTES = 256 << 20, KEPT_COUNT = 1 << 16, HEAP_ALIGNMENT = 16, HEAP_ROOM = 64 };

typedef struct object {
  uintptr_t start;
  size_t bytes;
  uwrt_space space; /* 0: a kernel's malloc */
  int is_freed, leaks;
  uint32_t site; /* of a kernel's malloc */
  uint32_t free_site;
  void *made[CALLS], *freed[CALLS];
  uint64_t order; /* of freeing */
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object *objects; /* by address */
static size_t count, room, kept_bytes, kept_count;
static uint64_t frees;

/* Where the first object is that starts after the address. */
static size_t after(uintptr_t address) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (objects[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add(object fresh) {
  if (count == room) {
    room = room ? 2 * room : 256;
    objects = realloc(objects, room * sizeof *objects);
    if (!objects)
      uwrt_fatal("out of memory: the checker cannot note an allocation");
  }
  size_t at = after(fresh.start);
  memmove(objects + at + 1, objects + at, (count - at) * sizeof *objects);
  objects[at] = fresh;
  count++;
}

static void drop(size_t at) {
  memmove(objects + at, objects + at + 1, (count - at - 1) * sizeof *objects);
  count--;
}

static object *object_at(uintptr_t start) {
  size_t at = after(start);
  return at && objects[at - 1].start == start ? &objects[at - 1] : NULL;
}

static void note_calls(void *calls[CALLS]) {
  int found = backtrace(calls, CALLS);
  for (int i = found > 0 ? found : 0; i < CALLS; i++)
    calls[i] = NULL;
}

static uint64_t first_write(uwrt_space space) {
  return space == UWRT_SPACE_DEVICE || !space ? 0 : UWRT_CELL_WRITTEN; /* hosts write unseen */
}

void uwrt_check_allocated(const uwrt_allocation *made) {
  object fresh = {.start = made->base, .bytes = made->bytes, .space = made->space, .leaks = 1};
  note_calls(fresh.made);
  uwrt_shadow_set(made->base, made->bytes, first_write(made->space), UWRT_CELL_POISON);
  pthread_mutex_lock(&lock);
  object *old = object_at(made->base);
  if (old)
    *old = fresh;
  else
    add(fresh);
  pthread_mutex_unlock(&lock);
}

/* Gives the oldest freed memory back, until little enough is kept. The lock is held. */
static void give_back(void) {
  while (kept_bytes > KEPT_BYTES || kept_count > KEPT_COUNT) {
    size_t oldest = count;
    for (size_t i = 0; i < count; i++)
      if (objects[i].is_freed && !objects[i].leaks && (oldest == count || objects[i].order < objects[oldest].order))
        oldest = i;
    if (oldest == count)
      return;
    kept_bytes -= objects[oldest].bytes;
    kept_count--;
    free((void *)objects[oldest].start);
    drop(oldest);
  }
}

static void keep(object *gone) {
  gone->is_freed = 1;
  gone->order = ++frees;
  kept_bytes += gone->bytes;
  kept_count++;
  give_back();
}

int uwrt_check_freed(const uwrt_allocation *freed, int by_reset) {
  void *calls[CALLS];
  note_calls(calls);
  uwrt_shadow_set(freed->base, freed->bytes, UWRT_CELL_POISON, UWRT_CELL_POISON);
  pthread_mutex_lock(&lock);
  object *gone = object_at(freed->base);
  if (gone && freed->block.room) { /* of the runtime's own heap: a pool had it before the checker began */
    drop((size_t)(gone - objects));
    gone = NULL;
  }
  if (gone) {
    memcpy(gone->freed, calls, sizeof calls);
    gone->leaks = by_reset;
    keep(gone);
  }
  pthread_mutex_unlock(&lock);
  return gone != NULL;
}

static const char *what_of(const object *of) {
  switch ((int)of->space) {
  case 0: return "memory of a kernel's malloc";
  case UWRT_SPACE_MANAGED: return "managed memory";
  case UWRT_SPACE_HOST: return "page-locked host memory";
  default: return "device memory";
  }
}

static uwrt_check_object show(const object *of) {
  uwrt_check_object shown = {.start = of->start,
                             .bytes = of->bytes,
                             .what = what_of(of),
                             .is_freed = of->is_freed,
                             .site = of->site,
                             .free_site = of->free_site,
                             .is_device = of->space == UWRT_SPACE_DEVICE};
  memcpy(shown.made, of->made, sizeof shown.made);
  memcpy(shown.freed, of->freed, sizeof shown.freed);
  return shown;
}

const char *uwrt_check_made(const uwrt_check_object *of, int freed, char *text, size_t bytes) {
  uint32_t site = freed ? of->free_site : of->site;
  if (site)
    return uwrt_check_place(site, text, bytes);
  return uwrt_check_lines(freed ? of->freed : of->made, CALLS, text, bytes);
}

/* From an address to the next byte of some memory, 0 inside of it. */
static uintptr_t distance_to(uintptr_t address, uintptr_t start, size_t bytes) {
  if (address < start)
    return start - address;
  return address - start < bytes ? 0 : address - (start + bytes) + 1;
}

int uwrt_check_find_object(uintptr_t address, uwrt_check_object *found) {
  enum { NEAR = 1 << 16 };
  uwrt_allocation range;
  if (uwrt_check_find_part(address, found))
    return 1;
  pthread_mutex_lock(&lock);
  size_t next = after(address);
  const object *best = next ? &objects[next - 1] : NULL;
  if (next < count && (!best || (address >= best->start + best->bytes &&
                                 objects[next].start - address < address - (best->start + best->bytes))))
    best = &objects[next];
  int near = best && address + NEAR > best->start && address < best->start + best->bytes + NEAR;
  object copy = near ? *best : (object){0};
  pthread_mutex_unlock(&lock);
  /* What the API knows alone (variables, what a buffer was lent) counts where it lies nearer than any object. */
  uintptr_t reach = near ? distance_to(address, copy.start, copy.bytes) : NEAR;
  if (reach && uwrt_allocation_before((const void *)address, &range) &&
      distance_to(address, range.base, range.bytes) < reach) {
    int is_variable = (range.space & (UWRT_SPACE_VARIABLE | UWRT_SPACE_MANAGED_VARIABLE)) != 0;
    *found = (uwrt_check_object){.start = range.base,
                                 .bytes = range.bytes,
                                 .is_device = range.space == UWRT_SPACE_VARIABLE,
                                 .what = is_variable                            ? "a device variable"
                                         : range.space == UWRT_SPACE_REGISTERED ? "registered host memory"
                                                                                : "device memory"};
    return 1;
  }
  if (!near)
    return 0;
  *found = show(&copy);
  return 1;
}

int uwrt_check_is_devices(uintptr_t start, size_t bytes) {
  int is_so = 1;
  pthread_mutex_lock(&lock);
  for (size_t i = after(start + bytes - 1); i > 0 && is_so; i--) {
    const object *of = &objects[i - 1];
    if (of->start + of->bytes <= start)
      break; /* objects lie one behind the other */
    is_so = of->is_freed || !of->space || of->space == UWRT_SPACE_DEVICE;
  }
  pthread_mutex_unlock(&lock);
  uwrt_allocation range = {.base = start - 1};
  int is_there = uwrt_allocation_find((const void *)start, &range) || uwrt_allocation_after(range.base, &range);
  while (is_there && is_so && range.base < start + bytes) { /* memory that the checker was not told of, too */
    is_so =
        !(range.space & (UWRT_SPACE_HOST | UWRT_SPACE_REGISTERED | UWRT_SPACE_MANAGED | UWRT_SPACE_MANAGED_VARIABLE));
    is_there = uwrt_allocation_after(range.base, &range);
  }
  return is_so;
}

int uwrt_check_adopt(uintptr_t address) {
  uwrt_allocation range;
  Dl_info program;
  uintptr_t page = address & ~(uintptr_t)(UWRT_PAGE_BYTES - 1);
  if (uwrt_check_has_parts(address))
    return 0; /* what is between them is nobody's */
  int found = uwrt_allocation_find((const void *)address, &range);
  if (found && !(range.space & (UWRT_SPACE_VARIABLE | UWRT_SPACE_MANAGED_VARIABLE))) {
    uwrt_shadow_set(range.base, range.bytes, first_write(range.space), UWRT_CELL_POISON);
    return 1;
  }
  if (!found && !dladdr((const void *)address, &program))
    return 0;
  uwrt_shadow_set(page, UWRT_PAGE_BYTES, UWRT_CELL_WRITTEN,
                  UWRT_CELL_WRITTEN); /* variables of the program, and its constants */
  return 1;
}

void uwrt_check_adopt_all(void) {
  uwrt_allocation range = {0};
  while (uwrt_allocation_after(range.base, &range))
    if (!(range.space & (UWRT_SPACE_VARIABLE | UWRT_SPACE_MANAGED_VARIABLE)))
      uwrt_shadow_set(range.base, range.bytes, UWRT_CELL_WRITTEN, UWRT_CELL_POISON);
}

void uwrt_check_is_parted(uintptr_t start, size_t bytes) {
  pthread_mutex_lock(&lock);
  size_t next = after(start);
  if (next && start + bytes <= objects[next - 1].start + objects[next - 1].bytes)
    objects[next - 1].leaks = 0;
  pthread_mutex_unlock(&lock);
}

void uwrt_check_not_freed(const void *memory) {
  uwrt_check_object of = {0};
  char what[512], here[1024];
  uwrt_check_finding finding = {.class = UWRT_CHECK_MEMORY, .rule = "invalid-free", .what = what, .access = "free"};
  int found = uwrt_check_find_object((uintptr_t)memory, &of);
  if (found && of.is_freed && of.start == (uintptr_t)memory) {
    finding.rule = "double-free";
    snprintf(what, sizeof what, "%zu bytes of %s are freed a second time", of.bytes, of.what);
  } else if (found && (uintptr_t)memory - of.start < of.bytes && of.start != (uintptr_t)memory) {
    snprintf(what, sizeof what, "what is freed is byte %zu of %zu bytes of %s, not their start",
             (size_t)((uintptr_t)memory - of.start), of.bytes, of.what);
  } else if (found && of.start == (uintptr_t)memory) {
    snprintf(what, sizeof what, "%zu bytes of %s are freed by a function for other memory", of.bytes, of.what);
  } else {
    snprintf(what, sizeof what, "%p is freed, which no allocation gave", memory);
    found = 0;
  }
  finding.object = found ? &of : NULL;
  finding.place = uwrt_check_caller(here, sizeof here);
  if (uwrt_check_wants(UWRT_CHECK_MEMORY))
    uwrt_check_say(&finding);
}

/* --- what kernels allocate --- */

void *uwrt_check_malloc(uwrt_check_state *state, uint64_t bytes, uint32_t site, uint32_t thread) {
  void *memory = NULL;
  (void)state, (void)thread;
  if (bytes > (uint64_t)1 << 40 || posix_memalign(&memory, HEAP_ALIGNMENT, (size_t)bytes + HEAP_ROOM) != 0)
    return NULL;
  object fresh = {.start = (uintptr_t)memory, .bytes = (size_t)bytes, .leaks = 1, .site = site};
  uwrt_shadow_set(fresh.start, fresh.bytes, 0, UWRT_CELL_POISON);
  uwrt_shadow_set(fresh.start + fresh.bytes, HEAP_ROOM, UWRT_CELL_POISON, UWRT_CELL_POISON);
  pthread_mutex_lock(&lock);
  object *old = object_at(fresh.start);
  if (old)
    *old = fresh;
  else
    add(fresh);
  pthread_mutex_unlock(&lock);
  return memory;
}

void uwrt_check_free(uwrt_check_state *state, void *memory, uint32_t site, uint32_t thread) {
  char what[256];
  uwrt_check_object freed;
  size_t gone_bytes = 0;
  if (!memory)
    return;
  pthread_mutex_lock(&lock);
  object *of = object_at((uintptr_t)memory);
  int ours = of && !of->space, again = ours && of->is_freed;
  uwrt_check_finding finding = {.class = UWRT_CHECK_MEMORY,
                                .what = what,
                                .state = uwrt_check_full(state),
                                .site = site,
                                .thread = thread,
                                .access = "free"};
  if (ours && !again) {
    of->free_site = site;
    of->leaks = 0;
    of->is_freed = 1; /* a second one finds that, also before it is kept */
    gone_bytes = of->bytes;
  } else if (again) {
    finding.rule = "double-free";
    freed = show(of);
    finding.object = &freed;
    snprintf(what, sizeof what, "%zu bytes of a kernel's malloc are freed a second time", of->bytes);
  } else {
    finding.rule = "invalid-free";
    snprintf(what, sizeof what, "%p is freed in a kernel, which no kernel's malloc gave", memory);
  }
  pthread_mutex_unlock(&lock);
  if (ours && !again) { /* without the lock, which workers of a trial need to let others change pages */
    uwrt_shadow_set((uintptr_t)memory, gone_bytes, UWRT_CELL_POISON, UWRT_CELL_POISON);
    pthread_mutex_lock(&lock);
    if ((of = object_at((uintptr_t)memory)))
      keep(of);
    pthread_mutex_unlock(&lock);
  }
  if (finding.rule && uwrt_check_wants(UWRT_CHECK_MEMORY))
    uwrt_check_say(&finding);
}

/* --- the end --- */

/* In a program that others compiled, what they keep until its end is their affair. */
static int is_of_program(const object *of) {
  int is_so = !&uwrt_check_waits;
  for (int i = 0; i < CALLS && of->made[i] && !is_so; i++)
    is_so = uwrt_check_is_checked(of->made[i]);
  return is_so;
}

void uwrt_check_leaks(void) {
  char what[256];
  for (size_t i = 0; i < count; i++) {
    if (!objects[i].leaks || objects[i].space == UWRT_SPACE_GRAPH || !is_of_program(&objects[i]))
      continue;
    snprintf(what, sizeof what, "%zu bytes of %s were never freed", objects[i].bytes, what_of(&objects[i]));
    const uwrt_check_object shown = show(&objects[i]);
    char text[1024];
    const char *place = uwrt_check_made(&shown, 0, text, sizeof text);
    const uwrt_check_finding finding = {
        .class = UWRT_CHECK_LEAK, .rule = "leak", .what = what, .place = place ? place : "an unknown location"};
    uwrt_check_say(&finding);
  }
}
