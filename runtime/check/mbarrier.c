/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Barriers in shared memory that threads arrive at and wait for in two steps (PTX ISA, "mbarrier"): what a block does
 * with them is told before it happens (libdevice/ptx/mbarrier.c, cuda_awbarrier_primitives.h; both say what the 64 bits
 * are). A barrier that was made counts for other threads after the next barrier of the block: else nobody can say that
 * they find it. */
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { COUNT_BITS = 20, MOST = (1 << COUNT_BITS) - 1 };

static uint64_t phase_of(uint64_t bits) { return bits >> 2 * COUNT_BITS & 7; }

typedef struct use {
  uwrt_check_block_state *state;
  uint32_t site, thread;
  uwrt_check_mbarrier_state *known; /* null: never made */
} use;

static uwrt_check_mbarrier_state *find(uwrt_check_block_state *state, const void *barrier) {
  for (uint32_t i = 0; i < state->mbarrier_count; i++)
    if (state->mbarriers[i].at == barrier)
      return &state->mbarriers[i];
  return NULL;
}

/* Where it was made, or declared invalid, is told, too. */
static void say(const use *u, const char *rule, const char *what) {
  const uwrt_check_mbarrier_state *known = u->known;
  const uwrt_check_finding finding = {.class = UWRT_CHECK_SYNC,
                                      .rule = rule,
                                      .what = what,
                                      .state = u->state,
                                      .site = u->site,
                                      .thread = u->thread,
                                      .access = "here",
                                      .has_other = known != NULL,
                                      .other_access = known && known->is_valid ? "made" : "ended",
                                      .other_site = known ? known->site : 0,
                                      .other_thread = known ? known->thread : 0,
                                      .other_block = u->state->block,
                                      .other_launch = u->state->launch};
  uwrt_check_say(&finding);
}

static void note(use *u, const void *barrier, int is_valid) {
  uwrt_check_block_state *state = u->state;
  if (!u->known) {
    if (state->mbarrier_count == UWRT_CHECK_MOST_MBARRIERS)
      return;
    u->known = &state->mbarriers[state->mbarrier_count++];
  }
  *u->known = (uwrt_check_mbarrier_state){barrier, is_valid, u->site, u->thread, state->fast.phase};
}

static void make(use *u, const void *barrier, uint64_t expected) {
  char what[256];
  if (u->known && u->known->is_valid)
    say(u, "mbarrier-made-twice", "an mbarrier is made where there is one already that was not declared invalid");
  if (expected == 0 || expected > MOST) {
    u->known = NULL;
    snprintf(what, sizeof what, "an mbarrier for %llu arrivals: from 1 to %d can be expected",
             (unsigned long long)expected, MOST);
    say(u, "mbarrier-count", what);
    u->known = find(u->state, barrier);
  }
  note(u, barrier, 1);
}

/* May the thread use it? */
static int is_there(const use *u, const char *does) {
  char what[256];
  if (u->known && u->known->is_valid && (u->known->thread == u->thread || u->known->phase != u->state->fast.phase))
    return 1;
  snprintf(what, sizeof what, "a thread %s an mbarrier that %s", does,
           !u->known             ? "nobody has made"
           : !u->known->is_valid ? "was declared invalid"
                                 : "another thread has made, with no barrier of the block since");
  say(u, u->known && u->known->is_valid ? "mbarrier-unordered" : "mbarrier-invalid", what);
  return 0;
}

void uwrt_check_mbarrier(uwrt_check_state *fast, const void *barrier, uint32_t what, uint64_t with, uint32_t site,
                         uint32_t thread) {
  use u = {uwrt_check_full(fast), site, thread, NULL};
  char text[256];
  if (!u.state->launch || !uwrt_check_wants(UWRT_CHECK_SYNC))
    return;
  u.known = find(u.state, barrier);
  if (what == UWRT_MBARRIER_INIT) {
    make(&u, barrier, with);
    return;
  }
  if (!u.known && u.state->mbarrier_count == UWRT_CHECK_MOST_MBARRIERS)
    return; /* there may be more */
  if (!is_there(&u, what == UWRT_MBARRIER_INVAL    ? "declares invalid"
                    : what == UWRT_MBARRIER_ARRIVE ? "arrives at"
                                                   : "waits at")) {
    if (!u.known || !u.known->is_valid)
      note(&u, barrier, 1); /* once is enough */
    if (u.known)
      u.known->phase = u.state->fast.phase - 1;
    return;
  }
  uint64_t bits;
  memcpy(&bits, barrier, sizeof bits);
  if (what == UWRT_MBARRIER_INVAL) {
    note(&u, barrier, 0);
  } else if (what == UWRT_MBARRIER_ARRIVE && (with == 0 || with > (bits & MOST))) {
    snprintf(text, sizeof text, "%llu arrivals at an mbarrier that waits for %llu more in this phase",
             (unsigned long long)with, (unsigned long long)(bits & MOST));
    say(&u, "mbarrier-overflow", text);
  } else if (what == UWRT_MBARRIER_WAIT && phase_of(with) != phase_of(bits) &&
             ((phase_of(with) + 1) & 7) != phase_of(bits)) {
    snprintf(text, sizeof text, "a thread waits with a token of phase %llu of an mbarrier that is in phase %llu",
             (unsigned long long)phase_of(with), (unsigned long long)phase_of(bits));
    say(&u, "mbarrier-token", text);
  }
}
