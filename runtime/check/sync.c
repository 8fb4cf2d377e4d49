/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Barriers, and what the lanes of a warp do together. */
#include <stdio.h>
#include <string.h>

#include "check.h"

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void say(uwrt_check_block_state *state, const char *rule, const char *what, uint32_t site, uint32_t thread,
                const char *access, uint32_t other_site, uint32_t other_thread, const char *other) {
  const uwrt_check_finding finding = {.class = UWRT_CHECK_SYNC,
                                      .rule = rule,
                                      .what = what,
                                      .state = state,
                                      .site = site,
                                      .thread = thread,
                                      .access = access,
                                      .has_other = other != NULL,
                                      .other_access = other,
                                      .other_site = other_site,
                                      .other_thread = other_thread,
                                      .other_block = state->block,
                                      .other_launch = state->launch};
  if (uwrt_check_wants(UWRT_CHECK_SYNC))
    uwrt_check_say(&finding);
}

/* --- barriers of the block ---
 *
 * Threads come to a barrier one after the other; the first one after it tells that all have come that will. A thread
 * that has passed fewer than the block has left one out. That is a mistake once it does something again: else it has
 * ended, and ended threads are not waited for. */

static void check_left_out(uwrt_check_block_state *state, uint32_t site, uint32_t thread, const char *does) {
  char what[256];
  if (state->fast.arrivals[thread] >= state->fast.phase || state->left_at[thread])
    return;
  state->left_at[thread] = 1; /* once */
  snprintf(what, sizeof what,
           "a thread goes on though it did not come to a barrier that others of its block have passed");
  say(state, "divergent-barrier", what, site, thread, does, state->fast.arrived_site, state->fast.arrived_thread,
      "barrier");
}

void uwrt_check_arrive(uwrt_check_state *fast, uint32_t site, uint32_t thread, uint32_t scope) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  if (!state->launch)
    return;
  if (scope != UWRT_BARRIER_OF_TILE)
    check_left_out(state, site, thread, "another barrier");
  state->fast.arrivals[thread] = state->fast.phase + 1;
  state->fast.arrived_site = site;
  state->fast.arrived_thread = thread;
  if (scope == UWRT_BARRIER_OF_GRID) /* all blocks come here before one goes on */
    state->launch->grid_arrived[state->grid_phase & 1] = uwrt_check_new_segment(state);
}

/* Has one of the neighbours left out a barrier? */
static int is_behind(const uwrt_check_state *fast, uint32_t thread, uint32_t count) {
  uint32_t behind = 0;
  for (uint32_t i = 0; i < count; i++)
    behind |= fast->arrivals[thread + i] < fast->phase;
  return behind != 0;
}

void uwrt_check_row_arrives(uwrt_check_state *fast, uint32_t site, uint32_t thread, uint32_t count) {
  if (!uwrt_check_full(fast)->launch || !count)
    return;
  if (is_behind(fast, thread, count)) {
    for (uint32_t i = 0; i < count; i++)
      uwrt_check_arrive(fast, site, thread + i, UWRT_BARRIER_OF_BLOCK);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    fast->arrivals[thread + i] = fast->phase + 1;
  fast->arrived_site = site;
  fast->arrived_thread = thread + count - 1;
}

void uwrt_check_pass(uwrt_check_state *fast, uint32_t site, uint32_t thread, uint32_t scope) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  (void)site;
  if (!state->launch || state->fast.arrivals[thread] != state->fast.phase + 1)
    return; /* another thread was the first */
  state->fast.phase++;
  for (uint32_t i = 0; scope == UWRT_BARRIER_OF_TILE && i < state->threads;
       i++) /* who stays away may be of another tile */
    state->fast.arrivals[i] = later(state->fast.arrivals[i], state->fast.phase);
  state->acquired_all = later(state->acquired_all, state->pending);
  state->fenced_all = later(state->fenced_all, state->fenced_last);
  if (scope == UWRT_BARRIER_OF_GRID)
    state->acquired_all = later(state->acquired_all, state->launch->grid_arrived[state->grid_phase++ & 1] + 1);
  uint32_t fresh = uwrt_check_new_segment(state);
  state->real_phase = state->real_warp = fresh;
  fast->phase_start = fast->warp_start = fresh;
  fast->since = later(fast->since, state->acquired_all);
}

/* --- warps ---
 *
 * Lanes that come with the same mask meet, wherever in the program each of them does (PTX ISA, "bar.warp.sync",
 * "shfl.sync"). Here, too, they come one after the other, and the first one after tells that all have that will. Who
 * was named and did not come owes that: it may still come to another operation with that mask, in the other arm of a
 * branch; where it does anything else first, that is a mistake. Lanes that come with no mask at all wait for nobody. */

static uwrt_check_warp *warp_of(uwrt_check_block_state *state, uint32_t thread) {
  uint32_t number = thread / UWRT_CHECK_LANES;
  uwrt_check_warp *warp = &state->warps[number];
  if (!(state->warps_used >> number & 1)) {
    memset(warp, 0, sizeof *warp);
    warp->is_over = 1;
    state->warps_used |= 1u << number;
  }
  return warp;
}

void uwrt_check_goes_on(uwrt_check_state *fast, uint32_t site, uint32_t thread) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  if (!state->launch)
    return;
  check_left_out(state, site, thread, "what it does");
  uwrt_check_debt *debt = &warp_of(state, thread)->debts[thread % UWRT_CHECK_LANES];
  if (debt->mask) {
    debt->mask = 0;
    state->fast.owes--;
    say(state, "divergent-warp",
        "a lane goes on though it did not come to where others of its warp wait for it, by their masks", site, thread,
        "what it does", debt->site, debt->thread, "waits");
  }
}

static uint32_t lanes_of(const uwrt_check_block_state *state, uint32_t warp) {
  uint32_t there = state->threads - warp * 32;
  return there >= 32 ? ~0u : (1u << there) - 1;
}

/* All have come that will. */
static void close_meeting(uwrt_check_block_state *state, uint32_t number, uwrt_check_meeting *meeting) {
  uwrt_check_warp *warp = &state->warps[number];
  uint32_t missing = meeting->is_late ? 0 : meeting->mask & lanes_of(state, number) & ~meeting->arrived;
  meeting->is_open = 0;
  warp->is_over |= meeting->time == warp->time;
  for (uint32_t lane = 0; missing; lane++, missing >>= 1)
    if ((missing & 1) && !warp->debts[lane].mask) {
      warp->debts[lane] = (uwrt_check_debt){meeting->mask, meeting->site, meeting->thread};
      state->fast.owes++;
    }
  uwrt_check_share_order(state, number * UWRT_CHECK_LANES, UWRT_CHECK_LANES);
  state->fast.warp_start = state->real_warp = uwrt_check_new_segment(state);
}

static int takes(const uwrt_check_meeting *meeting, uint32_t mask, uint32_t lane, int is_late) {
  return meeting->lanes && meeting->is_open && meeting->mask == mask && meeting->is_late == is_late &&
         !(meeting->arrived >> lane & 1);
}

/* The one that a lane with that mask belongs to. There are as many as lanes, and the lane itself is in none. */
static uwrt_check_meeting *find_meeting(uwrt_check_warp *warp, uint32_t mask, uint32_t lane, int is_late) {
  uwrt_check_meeting *unused = NULL;
  if (takes(&warp->meetings[warp->last], mask, lane, is_late))
    return &warp->meetings[warp->last];
  for (uint32_t i = 0; i < UWRT_CHECK_LANES; i++) {
    uwrt_check_meeting *meeting = &warp->meetings[i];
    if (!meeting->lanes)
      unused = unused ? unused : meeting;
    else if (takes(meeting, mask, lane, is_late))
      return &warp->meetings[warp->last = i];
  }
  *unused = (uwrt_check_meeting){.mask = mask, .is_open = 1, .is_late = is_late};
  warp->last = (uint32_t)(unused - warp->meetings);
  return unused;
}

/* Whether the lane makes good for what it left out. */
static int pays(uwrt_check_block_state *state, uwrt_check_warp *warp, uint32_t site, uint32_t thread, uint32_t mask) {
  const uwrt_check_state *fast = &state->fast;
  if (fast->arrivals && fast->arrivals[thread] >= fast->phase && !fast->owes) /* as most: nothing is left out */
    return 0;
  uwrt_check_debt *debt = &warp->debts[thread % UWRT_CHECK_LANES];
  int is_late = mask && debt->mask == mask;
  if (is_late) {
    debt->mask = 0;
    state->fast.owes--;
  }
  uwrt_check_goes_on(&state->fast, site, thread);
  return is_late;
}

static void arrive(uwrt_check_block_state *state, uint32_t site, uint32_t thread, uint32_t mask) {
  uint32_t lane = thread % UWRT_CHECK_LANES, bit = 1u << lane;
  char what[256];
  uwrt_check_warp *warp = warp_of(state, thread);
  int is_late = pays(state, warp, site, thread, mask);
  if (warp->is_over) {
    warp->is_over = 0;
    warp->met[++warp->time % UWRT_CHECK_TIMES] = 0;
  }
  if (warp->of[lane])
    warp->of[lane]->lanes--;
  uwrt_check_meeting *meeting = find_meeting(warp, mask, lane, is_late);
  meeting->arrived |= bit;
  meeting->lanes++;
  meeting->time = warp->time;
  meeting->site = site;
  meeting->thread = thread;
  warp->of[lane] = meeting;
  warp->came[lane] = warp->time;
  warp->met[warp->time % UWRT_CHECK_TIMES] |= bit;
  if (mask && !(mask & bit)) {
    snprintf(what, sizeof what, "the mask %#x does not name the lane that waits with it, %u", mask, lane);
    say(state, "mask-without-self", what, site, thread, "here", 0, 0, NULL);
  }
}

/* Lanes that were only counted (libdevice/check/access.c) came as any do. */
static void note_counted(uwrt_check_block_state *state) {
  uwrt_check_state *fast = &state->fast;
  uint32_t count = fast->came;
  fast->came = fast->whole = 0;
  for (uint32_t lane = 0; lane < count; lane++)
    arrive(state, fast->came_site, fast->came_first + lane, ~0u);
}

void uwrt_check_warp_arrive(uwrt_check_state *fast, uint32_t site, uint32_t thread, uint32_t mask) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  if (!state->launch)
    return;
  note_counted(state);
  arrive(state, site, thread, mask);
}

/* All lanes of the warp came, and nobody owes anything, so that all meetings of before are closed: they come to the next
 * one as to their first. */
static void close_whole(uwrt_check_block_state *state, uint32_t first) {
  uint32_t number = first / UWRT_CHECK_LANES;
  state->warps_used &= ~(1u << number);
  state->fast.came = 0;
  state->fast.whole = first + 1;
  uwrt_check_share_order(state, first, UWRT_CHECK_LANES);
  state->fast.warp_start = state->real_warp = uwrt_check_new_segment(state);
}

void uwrt_check_warp_pass(uwrt_check_state *fast, uint32_t site, uint32_t thread, int32_t source) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  uint32_t number = thread / UWRT_CHECK_LANES, lane = thread % UWRT_CHECK_LANES;
  char what[256];
  if (!state->launch)
    return;
  if (fast->came == UWRT_CHECK_LANES && fast->came_first == thread - lane && !fast->owes) {
    close_whole(state, thread - lane);
    return;
  }
  note_counted(state);
  uwrt_check_warp *warp = warp_of(state, thread);
  uwrt_check_meeting *meeting = warp->of[lane];
  if (!meeting)
    return;
  if (meeting->is_open) /* the first lane after it */
    close_meeting(state, number, meeting);
  uint32_t met = meeting->arrived | warp->met[warp->came[lane] % UWRT_CHECK_TIMES];
  if (source >= 0 && (lanes_of(state, number) & ~met) >> (source & 31) & 1) {
    snprintf(what, sizeof what, "a shuffle reads lane %d, which does not take part", source & 31);
    say(state, "shuffle-from-inactive", what, site, thread, "here", 0, 0, NULL);
  }
}

void uwrt_check_met(uwrt_check_state *fast, uint32_t site, uint32_t thread) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  if (!state->launch)
    return;
  if (!fast->came && !fast->owes && !is_behind(fast, thread, UWRT_CHECK_LANES)) {
    close_whole(state, thread);
    return;
  }
  note_counted(state);
  for (uint32_t lane = 0; lane < UWRT_CHECK_LANES; lane++)
    arrive(state, site, thread + lane, ~0u);
  for (uint32_t lane = 0; lane < UWRT_CHECK_LANES; lane++)
    uwrt_check_warp_pass(fast, site, thread + lane, -1);
}
