/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Barriers, and what the lanes of a warp do together. */
#include <stdio.h>

#include "check.h"

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void say(uwrt_check_block_state *state, const char *rule, const char *what, uint32_t site, uint32_t thread, const char *access,
                uint32_t other_site, uint32_t other_thread, const char *other) {
  const uwrt_check_finding finding = {.class = UWRT_CHECK_SYNC, .rule = rule, .what = what, .state = state, .site = site, .thread = thread,
                                      .access = access, .has_other = other != NULL, .other_access = other, .other_site = other_site,
                                      .other_thread = other_thread, .other_block = state->block, .other_launch = state->launch};
  if (uwrt_check_wants(UWRT_CHECK_SYNC))
    uwrt_check_say(&finding);
}

/* --- barriers of the block ---
 *
 * Threads come to a barrier one after the other; the first one behind it tells that all have come that will. A thread that has passed
 * fewer than the block has left one out. That is a mistake once it does something again: else it has ended, and ended threads are not
 * waited for. */

static void check_left_out(uwrt_check_block_state *state, uint32_t site, uint32_t thread, const char *does) {
  char what[256];
  if (state->fast.arrivals[thread] >= state->fast.phase || state->left_at[thread])
    return;
  state->left_at[thread] = 1; /* once */
  snprintf(what, sizeof what, "a thread goes on though it did not come to a barrier that others of its block are behind");
  say(state, "divergent-barrier", what, site, thread, does, state->fast.arrived_site, state->fast.arrived_thread, "barrier");
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

void uwrt_check_pass(uwrt_check_state *fast, uint32_t site, uint32_t thread, uint32_t scope) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  (void)site;
  if (!state->launch || state->fast.arrivals[thread] != state->fast.phase + 1)
    return; /* another thread was the first */
  state->fast.phase++;
  for (uint32_t i = 0; scope == UWRT_BARRIER_OF_TILE && i < state->threads; i++) /* who stays away may be of another tile */
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
 * Here, too, lanes come one after the other, and the first one behind tells that all have; or one that comes to
 * another place, in the other arm of a branch, whom no mask so far names. Each says which lanes its mask names. */

void uwrt_check_goes_on(uwrt_check_state *fast, uint32_t site, uint32_t thread) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  uint32_t warp = thread / 32, bit = 1u << thread % 32;
  if (!state->launch)
    return;
  check_left_out(state, site, thread, "what it does");
  if (state->warp_owing[warp] & bit) {
    state->warp_owing[warp] &= ~bit;
    say(state, "divergent-warp", "a lane goes on though it did not come to where others of its warp wait for it, by their masks", site, thread,
        "what it does", state->warp_site[warp], state->warp_thread[warp], "waits");
  }
}

/* What one lane knows, by atomic operations, all do. */
static void share_order(uwrt_check_block_state *state, uint32_t warp) {
  uint32_t known = 0;
  if (!state->fast.acquires)
    return;
  for (uint32_t lane = warp * 32; lane < warp * 32 + 32 && lane < state->threads; lane++)
    known = later(known, state->acquired[lane]);
  for (uint32_t lane = warp * 32; known && lane < warp * 32 + 32 && lane < state->threads; lane++)
    state->acquired[lane] = known;
}

static uint32_t lanes_of(const uwrt_check_block_state *state, uint32_t warp) {
  uint32_t there = state->threads - warp * 32;
  return there >= 32 ? ~0u : (1u << there) - 1;
}

static uint32_t *met_at(uwrt_check_block_state *state, uint32_t warp, uint32_t time) {
  return &state->warp_met[warp][time % UWRT_CHECK_TIMES];
}

/* All have come that will. */
static void pass(uwrt_check_block_state *state, uint32_t warp) {
  state->warp_phase[warp]++;
  *met_at(state, warp, state->warp_time[warp]) = state->warp_arrived[warp];
  state->warp_owing[warp] |= state->warp_named[warp] & lanes_of(state, warp) & ~state->warp_arrived[warp];
  state->fast.owes |= state->warp_owing[warp];
  share_order(state, warp);
  state->fast.warp_start = state->real_warp = uwrt_check_new_segment(state);
}

/* Is what a lane comes to another place than where those wait that came last? They do not name it nor it them; or all have come that they named. */
static int is_elsewhere(const uwrt_check_block_state *state, uint32_t warp, uint32_t lanes) {
  uint32_t named = state->warp_named[warp];
  return !(named & lanes) || !(named & lanes_of(state, warp) & ~state->warp_arrived[warp]);
}

void uwrt_check_warp_arrive(uwrt_check_state *fast, uint32_t site, uint32_t thread, uint32_t mask) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  uint32_t warp = thread / 32, bit = 1u << thread % 32;
  char what[256];
  if (!state->launch)
    return;
  uwrt_check_goes_on(fast, site, thread);
  if (state->warp_time[warp] == state->warp_phase[warp] + 1 && state->warp_named[warp] && is_elsewhere(state, warp, mask | bit))
    pass(state, warp);
  if (state->warp_time[warp] != state->warp_phase[warp] + 1) { /* the first one to come */
    state->warp_time[warp] = state->warp_phase[warp] + 1;
    state->warp_arrived[warp] = state->warp_named[warp] = 0;
  }
  state->lane_time[thread] = state->warp_time[warp];
  if (mask && !(mask & bit)) {
    snprintf(what, sizeof what, "the mask %#x does not name the lane that waits with it, %u", mask, thread % 32);
    say(state, "mask-without-self", what, site, thread, "here", 0, 0, NULL);
  }
  state->warp_arrived[warp] |= bit;
  state->warp_named[warp] |= mask;
  state->warp_site[warp] = site;
  state->warp_thread[warp] = thread;
}

void uwrt_check_warp_pass(uwrt_check_state *fast, uint32_t site, uint32_t thread, int32_t source) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  uint32_t warp = thread / 32;
  char what[256];
  if (!state->launch)
    return;
  if (state->lane_time[thread] == state->warp_phase[warp] + 1) /* the first lane behind it */
    pass(state, warp);
  uint32_t met = *met_at(state, warp, state->lane_time[thread]);
  if (source >= 0 && (lanes_of(state, warp) & ~met) >> (source & 31) & 1) {
    snprintf(what, sizeof what, "a shuffle reads lane %d, which does not take part", source & 31);
    say(state, "shuffle-from-inactive", what, site, thread, "here", 0, 0, NULL);
  }
}
