/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the host reads and writes by itself (compiler/lower/host_checks.c): memory that it shares with kernels and
 * copies must be no longer in use by them. Only one direction can go wrong: what the host did before it asked for a
 * launch or a copy comes before it. */
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>

#include "check.h"

typedef struct host_access {
  uintptr_t address;
  uint64_t bytes;
  int is_write, meets;
  const void *caller;
} host_access;

/* One of each pair of locations is said: a loop over an array comes here for each element. */
static int is_said(const void *caller, uint64_t other) {
  enum { MOST = 1024 };
  static struct {
    const void *caller;
    uint32_t site, segment;
  } pairs[MOST];
  static int count;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  uint32_t site = uwrt_check_site_in(other),
           segment = site ? 0 : uwrt_check_segment_in(other); /* a copy has no site, but one segment */
  int found = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count && !found; i++)
    found = pairs[i].caller == caller && pairs[i].site == site && pairs[i].segment == segment;
  if (!found && count < MOST) {
    pairs[count].caller = caller;
    pairs[count].site = site;
    pairs[count++].segment = segment;
  } else {
    found = 1;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static void say_race(const host_access *a, uintptr_t at, uint64_t other, int other_wrote, const uwrt_check_run *run) {
  char what[768], memory[256], here[1024];
  uwrt_check_object of;
  int found = uwrt_check_find_object(at, &of);
  if (found)
    snprintf(memory, sizeof memory, "byte %zu of %zu bytes of %s", (size_t)(at - of.start), of.bytes, of.what);
  else
    snprintf(memory, sizeof memory, "%p", (void *)at);
  const char *access = a->is_write ? "write" : "read", *other_access = other_wrote ? "write" : "read";
  snprintf(what, sizeof what, "%s of %llu bytes at %s by the host, which has not waited for a %s by a %s", access,
           (unsigned long long)a->bytes, memory, other_access, run->launch->kernel ? "kernel" : "copy or fill");
  const uwrt_check_finding finding = {.class = UWRT_CHECK_RACE,
                                      .rule = !other_wrote  ? "write-after-read"
                                              : a->is_write ? "write-after-write"
                                                            : "read-after-write",
                                      .what = what,
                                      .access = access,
                                      .place = uwrt_check_caller(here, sizeof here),
                                      .has_other = 1,
                                      .other_access = other_access,
                                      .other_site = uwrt_check_site_in(other),
                                      .other_thread = uwrt_check_thread_in(other),
                                      .other_block = run->block,
                                      .other_launch = run->launch,
                                      .object = found ? &of : NULL};
  if (!run->launch->is_quiet)
    uwrt_check_say(&finding);
}

/* Whether something was said. */
static int look_at(const host_access *a, uintptr_t at, uint64_t other, int other_wrote) {
  uwrt_check_run run;
  uint32_t segment = uwrt_check_segment_in(other);
  if (other == UWRT_CELL_POISON || segment < uwrt_check_open || !uwrt_check_find_run(segment, &run) ||
      uwrt_check_host_is_after(run.launch, segment))
    return 0;
  if (a->meets) { /* it may learn that all before is over */
    uwrt_check_host_learns(run.launch);
    return 0;
  }
  if (!is_said(a->caller, other))
    say_race(a, at, other, other_wrote, &run);
  return 1;
}

void uwrt_check_host(const void *address, uint64_t bytes, uint32_t kind) {
  const host_access a = {.address = (uintptr_t)address,
                         .bytes = bytes,
                         .is_write = (kind & UWRT_CHECK_KIND) != UWRT_CHECK_LOAD &&
                                     (kind & UWRT_CHECK_KIND) != UWRT_CHECK_MEETING_LOAD,
                         .meets = (kind & UWRT_CHECK_KIND) >= UWRT_CHECK_ATOMIC,
                         .caller = __builtin_return_address(0)};
  if (!uwrt_check_wants(UWRT_CHECK_RACE) || uwrt_check_runs_stream() || uwrt_check_current())
    return;
  if (uwrt_sticky_error() != cudaSuccess) /* all has ended, and no call tells that it waited */
    return;
  for (uintptr_t at = a.address, end = at + bytes; at < end;) {
    size_t here = UWRT_PAGE_BYTES - (at & (UWRT_PAGE_BYTES - 1));
    here = here < end - at ? here : end - at;
    unsigned int width;
    uwrt_cell *cells = uwrt_shadow_is_known(at) ? uwrt_shadow_cells(at, here, &width) : NULL;
    for (size_t i = 0; cells && i < here >> width; i++)
      if (look_at(&a, at + (i << width), cells[i].write, 1) ||
          (a.is_write && look_at(&a, at + (i << width), cells[i].read, 0)))
        return;
    at += here;
  }
}
