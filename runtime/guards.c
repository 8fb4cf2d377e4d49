/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Guard bytes around the program's memory: a pattern after the bytes of each allocation, and at the end of a slot for
 * its neighbour. They are looked at when the memory is freed, copied from or to, at synchronisation (a few allocations
 * each time) and at the end of the process. Where something else stands, memory was written that is not the
 * allocation's: that is said once, with the kernels that ran last, and the program goes on, as it would on a GPU. Reads
 * are not seen. -fcheck finds the access.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

enum { FRONT = 64, AFTER = 256, WORD = 0xB5, MOST_REPORTS = 8, AT_ONCE = 4, FEW = 16, SELDOM = 32 };

_Thread_local uwrt_recent_kernels uwrt_recent;

static size_t after(const uwrt_allocation *a) {
  size_t left = a->block.room - FRONT - a->bytes;
  return left < AFTER ? left : AFTER;
}

void uwrt_guard_front(void *start) { memset((unsigned char *)start - FRONT, WORD, FRONT); }

void uwrt_guard_set(const uwrt_allocation *a) {
  unsigned char *start = (unsigned char *)a->base;
  if (!a->block.room)
    return;
  memset(start + a->bytes, WORD, after(a));
}

/* Up to which of the bytes from `at` on something was written. Nearly always nothing was: all are as the one before. */
static size_t damaged(const unsigned char *at, size_t bytes) {
  if (at[0] == WORD && memcmp(at, at + 1, bytes - 1) == 0)
    return 0;
  while (at[bytes - 1] == WORD)
    bytes--;
  return bytes;
}

static void name_kernels(void) {
  unsigned int count = uwrt_recent.count < UWRT_RECENT ? uwrt_recent.count : UWRT_RECENT;
  const char *before = NULL;
  for (unsigned int i = 1; i <= count;
       i++) { /* the last one first; an object that was unloaded took its kernels along */
    const uwrt_kernel *kernel;
    if (!uwrt_kernel_find(uwrt_recent.stubs[(uwrt_recent.count - i) % UWRT_RECENT], &kernel, NULL) ||
        (before && strcmp(before, uwrt_kernel_shown(kernel)) == 0))
      continue;
    fprintf(stderr, "%s%s", before ? ", " : "unwarp:   the last kernels: ", uwrt_kernel_shown(kernel));
    before = uwrt_kernel_shown(kernel);
  }
  if (before)
    fputc('\n', stderr);
}

static const char *kind_of(const uwrt_allocation *a) {
  return a->space == UWRT_SPACE_MANAGED ? "managed" : a->space == UWRT_SPACE_HOST ? "pinned host" : "device";
}

static void report(const uwrt_allocation *a, const char *side, size_t bytes, const char *when) {
  static atomic_int reports;
  if (atomic_fetch_add(&reports, 1) >= MOST_REPORTS)
    return;
  flockfile(stderr);
  fprintf(stderr, "unwarp: something wrote up to %zu bytes %s of the %zu bytes of %s memory at 0x%llx, seen %s\n",
          bytes, side, a->bytes, kind_of(a), (unsigned long long)a->base, when);
  name_kernels();
  fputs("unwarp:   a program compiled with -fcheck says at which line; this one goes on, with what was written over\n",
        stderr);
  funlockfile(stderr);
}

int uwrt_guard_check(const uwrt_allocation *a, const char *when) {
  unsigned char *start = (unsigned char *)a->base;
  if (!a->block.room)
    return 1;
  size_t over = damaged(start + a->bytes, after(a));
  size_t under = a->block.mapping ? 0 : damaged(start - FRONT, FRONT);
  if (over) {
    report(a, "after the end", over, when);
    memset(start + a->bytes, WORD, after(a)); /* once is enough */
    if (over == after(a) && !a->block.mapping)
      uwrt_guard_front(start + a->block.room); /* the same write */
  }
  if (under) {
    size_t first = 0;
    while (start[first - FRONT] == WORD)
      first++;
    report(a, "in front", FRONT - first, when);
    uwrt_guard_front(start);
  }
  return !over && !under;
}

/* Only after a kernel of this thread's; a few at a time, in turn. Where there are many, they are out of the caches:
 * seldom then. */
void uwrt_guards_look(void) {
  static _Atomic uintptr_t last;
  static _Thread_local unsigned int seen, times;
  uwrt_allocation found;
  if (seen == uwrt_recent.count || (uwrt_allocation_count() > FEW && ++times % SELDOM))
    return;
  seen = uwrt_recent.count;
  uintptr_t at = atomic_load_explicit(&last, memory_order_relaxed), begun = at;
  for (int i = 0, turned = 0; i < AT_ONCE; i++) {
    if (!uwrt_allocation_after(at, &found)) {
      if (turned++)
        break;
      at = 0;
      continue;
    }
    at = found.base;
    uwrt_guard_check(&found, "at a synchronisation");
    if (turned && at >= begun)
      break;
  }
  atomic_store_explicit(&last, at, memory_order_relaxed);
}

__attribute__((destructor)) static void look_at_all(void) {
  uwrt_allocation found;
  for (uintptr_t at = 0; uwrt_allocation_after(at, &found); at = found.base)
    uwrt_guard_check(&found, "at the end of the program");
}
