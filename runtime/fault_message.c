/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The message of a fault as it is put together, and where in a launch it was: in CUDA's words, or in SYCL's of a kernel of
 * SYCL's. In the handler: nothing is allocated. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "fault_message.h"

static char message[8192];
static size_t message_length;

void uwrt_say(const char *format, ...) {
  va_list arguments;
  size_t room = sizeof message - message_length;
  va_start(arguments, format);
  int length = vsnprintf(message + message_length, room, format, arguments);
  va_end(arguments);
  if (length > 0)
    message_length += (size_t)length < room ? (size_t)length : room - 1;
}

void uwrt_forget_said(void) { message_length = 0; }

void uwrt_end_line(void) {
  if (message_length && message[message_length - 1] != '\n')
    uwrt_say("\n");
}

void uwrt_send_said(void) {
  for (size_t sent = 0; sent < message_length;) {
    ssize_t wrote = write(2, message + sent, message_length - sent);
    if (wrote <= 0)
      break;
    sent += (size_t)wrote;
  }
  message_length = 0;
}

/* --- where it was --------------------------------------------------------------------------------------------------- */

static void place_in_block(uint32_t thread[3], const uint32_t size[3]) {
  if (thread[1] != UWRT_NO_THREAD)
    return;
  thread[2] = thread[0] / size[0] / size[1]; /* the index of a lane in the block */
  thread[1] = thread[0] / size[0] % size[1];
  thread[0] %= size[0];
}

/* --- in SYCL's words ------------------------------------------------------------------------------------------------ */

/* The dimension that runs fastest is the last, and those that have one position are left out. */
static int is_of_sycl(const uwrt_dims *launch) {
  return launch->running && launch->running->kernel && (launch->running->kernel->flags & UWRT_KERNEL_SYCL);
}
static int dimensions_of(const uwrt_place *at) {
  const uint32_t *grid = at->launch->grid, *size = at->launch->block;
  return grid[2] * size[2] > 1 ? 3 : grid[1] * size[1] > 1 ? 2 : 1;
}
static void say_sycl(const char *what, const uint32_t position[3], int dimensions) {
  uwrt_say("%s %s", what, dimensions > 1 ? "(" : "");
  for (int d = dimensions - 1; d >= 0; d--)
    uwrt_say("%u%s", position[d], d ? "," : dimensions > 1 ? ")" : "");
}
static void say_sycl_place(const uwrt_place *at, uint64_t block, const uint32_t thread[3], const char *or) {
  const uint32_t *grid = at->launch->grid, *size = at->launch->block;
  const int dimensions = dimensions_of(at);
  const uint32_t group[3] = {(uint32_t)(block % grid[0]), (uint32_t)(block / grid[0] % grid[1]),
                             (uint32_t)(block / grid[0] / grid[1])};
  uint32_t item[3];
  for (int d = 0; d < 3; d++)
    item[d] = group[d] * size[d] + thread[d];
  uwrt_say("unwarp:   ");
  say_sycl("work-item", item, dimensions);
  if (!(at->launch->running->kernel->flags & UWRT_KERNEL_SYCL_RANGE)) {
    say_sycl(", in work-group", group, dimensions);
    say_sycl(" of", grid, dimensions);
    uwrt_say("%s", or);
    say_sycl(": item", thread, dimensions);
    say_sycl(" of", size, dimensions);
  }
  uwrt_say("\n");
}

static void say_thread(const uwrt_place *at, const uint32_t size[3]) {
  const int is_sycl = is_of_sycl(at->launch);
  const char *threads = is_sycl ? "work-items" : "threads";
  uint32_t thread[3] = {at->thread[0], at->thread[1], at->thread[2]};
  if (size[0] * size[1] * size[2] == 1)
    thread[0] = thread[1] = thread[2] = 0;
  if (thread[0] == UWRT_THREAD_UNKNOWN) {
    uwrt_say("one of the %s of (%u,%u,%u): which one is known in code compiled with %s", threads, size[0], size[1],
             size[2], at->launch->running->kernel->replay ? "-G" : "-ffault-info");
  } else if (thread[0] == UWRT_NO_THREAD) {
    uwrt_say("in code that runs once for all %s of (%u,%u,%u)", threads, size[0], size[1], size[2]);
  } else {
    place_in_block(thread, size);
    uwrt_say("thread (%u,%u,%u) of (%u,%u,%u)", thread[0], thread[1], thread[2], size[0], size[1], size[2]);
  }
}

/* Code that takes the blocks of a row together knows the first of them, and without optimisation the thread, counted
 * from there. */
void uwrt_say_place(const uwrt_place *place) {
  const uint32_t *grid = place->launch->grid, *size = place->launch->block;
  const int is_sycl = is_of_sycl(place->launch);
  uwrt_place at = *place;
  if (at.block == UINT64_MAX) {
    uwrt_say("unwarp:   in what is computed once for all %s of (%u,%u,%u)\n", is_sycl ? "work-groups" : "blocks",
             grid[0], grid[1], grid[2]);
    return;
  }
  int or_after = (at.block & UWRT_BLOCK_OR_AFTER) != 0, or_below = (at.block & UWRT_BLOCK_OR_BELOW) != 0;
  at.block &= ~(UWRT_BLOCK_OR_AFTER | UWRT_BLOCK_OR_BELOW);
  if (or_after && at.thread[0] != UWRT_THREAD_UNKNOWN && at.thread[0] != UWRT_NO_THREAD) {
    at.block += at.thread[0] / size[0] + at.thread[2] / size[2];
    at.thread[0] %= size[0];
    at.thread[2] %= size[2];
    or_after = 0;
  }
  if (or_below && at.thread[0] < UWRT_THREAD_UNKNOWN && at.thread[1] >= size[1]) {
    at.block += (uint64_t)(at.thread[1] / size[1]) * grid[0];
    at.thread[1] %= size[1];
    or_below = 0;
  }
  const char *or_where = or_after
                             ? or_below ? " or one after it in its row or one below" : " or one after it in its row"
                         : or_below ? " or one below"
                                    : "";
  if (is_sycl && at.thread[0] < UWRT_NO_THREAD && at.thread[0] != UWRT_THREAD_UNKNOWN) {
    uint32_t thread[3] = {at.thread[0], at.thread[1], at.thread[2]};
    place_in_block(thread, size);
    say_sycl_place(&at, at.block, thread, or_where);
    return;
  }
  uwrt_say("unwarp:   %s (%u,%u,%u) of (%u,%u,%u)%s, ", is_sycl ? "work-group" : "block",
           (unsigned int)(at.block % grid[0]), (unsigned int)(at.block / grid[0] % grid[1]),
           (unsigned int)(at.block / grid[0] / grid[1]), grid[0], grid[1], grid[2], or_where);
  say_thread(&at, size);
  uwrt_say("\n");
}
