/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which thread of a block faulted and at which line, in code that keeps no note of its threads since that would cost it
 * its speed. Each kernel is there a second time, as slow code with line numbers that does keep note
 * (uwrt_kernel.replay). With it the block is run again:
 *
 *   the worker that faulted     copies the process (fork) and waits for an answer
 *   the copy                    runs the block, of which the other workers see nothing; its own fault names the thread
 *
 * Memory is not as it was when the block began. So the answer counts only if the copy faults in the same way at the
 * same address, or near to it: the first lane of a vector, or of the page that it runs into. If not, the thread is not
 * known, and the line only likely.
 *
 * All here happens in the handler of a signal. In the copy there is no other thread: it may come to a lock that one of
 * those held, or wait for what one of those would have written, and so it has a time to answer in.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "replay.h"

enum { NEAR = 64 /* bytes: a vector */, STACK_BYTES = 64 << 20, TIME_MS = 10000, TIME_OF_CALLS_MS = 2000 };

int uwrt_replaying;

/* Of the one replay that a process makes. */
static struct {
  uwrt_fault fault;
  const uwrt_kernel *kernel;
  uwrt_dims dims;
  void **args;
  uint64_t end; /* the blocks from dims.block_number on to this one are run, one after the other */
  int answer;   /* a pipe */
} again;

typedef struct found {
  uint64_t block;
  uint32_t thread[3];
  uwrt_replay_result result;
  uwrt_path path;
} found;

/* --- the copy ----------------------------------------------------------------------------------------------------- */

static int is_same(const uwrt_fault *fault) {
  const uwrt_fault *first = &again.fault;
  if (fault->number != first->number || fault->on_stack != first->on_stack)
    return 0;
  return fault->on_stack || (fault->address - first->address + NEAR) < 2 * (uintptr_t)NEAR;
}

static void answer(int number, siginfo_t *info, void *context) {
  const uwrt_fault fault = uwrt_fault_of(number, info, context);
  found here = {.block = again.dims.block_number,
                .result = is_same(&fault) ? UWRT_REPLAY_AGREES : UWRT_REPLAY_DIFFERS,
                .path = uwrt_path_at(context)};
  memcpy(here.thread, uwrt_own_place.thread, sizeof here.thread);
  if (fault.number != again.fault.number || write(again.answer, &here, sizeof here) < 0)
    _exit(1);
  uwrt_add_calls(&here.path, again.kernel->replay); /* may wait for a lock that nobody holds any more */
  _exit(write(again.answer, &here, sizeof here) < 0);
}

static void run(void *unused) {
  (void)unused;
  for (; again.dims.block_number < again.end; again.dims.block_number++)
    again.kernel->replay(&again.dims, again.args);
  _exit(1);
}

static void be_the_copy(void) {
  uwrt_stack_place here, fresh;
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  int nowhere = open("/dev/null", O_WRONLY);
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int output = 1; output <= 2 && nowhere >= 0; output++)
    dup2(nowhere, output); /* the kernel's output came already, as far as it got */
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < UWRT_FAULT_SIGNALS; i++)
    sigaction(uwrt_fault_signals[i].number, &action, NULL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED)
    _exit(1);
  uwrt_replaying = 1;
  uwrt_stack_prepare(&fresh, stack, STACK_BYTES, run, NULL);
  uwrt_stack_switch(&here, &fresh);
}

/* --- the worker that faulted -------------------------------------------------------------------------------------- */

/* Whether the copy says something in time. */
static int listen(int from, found *place, int milliseconds) {
  struct pollfd news = {.fd = from, .events = POLLIN};
  uint64_t end = uwrt_nanoseconds() + (uint64_t)milliseconds * 1000000, now;
  while ((now = uwrt_nanoseconds()) < end) {
    int ready = poll(&news, 1, (int)((end - now) / 1000000) + 1);
    if (ready > 0)
      return read(from, place, sizeof *place) == sizeof *place;
    if (ready < 0 && errno != EINTR)
      return 0;
  }
  return 0;
}

uwrt_replay_result uwrt_replay(uwrt_place *at, const uwrt_fault *fault, uwrt_path *path) {
  int ends[2];
  const uwrt_running *launch = at->launch->running;
  found place = {.block = at->block & ~(UWRT_BLOCK_OR_AFTER | UWRT_BLOCK_OR_BELOW)}, whole;
  int or_after = at->block != place.block && at->block != UINT64_MAX;
  if (launch->joined || !launch->kernel->replay || (!launch->args && launch->kernel->param_count) || pipe(ends) != 0)
    return UWRT_REPLAY_FAILED;
  again.fault = *fault;
  again.kernel = launch->kernel;
  again.dims = *at->launch;
  if (at->block == UINT64_MAX) /* what is the same for all blocks, the first one does too */
    place.block = 0;
  again.dims.block_number = place.block;
  uint64_t rows = at->block & UWRT_BLOCK_OR_BELOW ? UWRT_ROWS_BELOW + 1 : 1, along = at->launch->grid[0];
  uint64_t last = along * at->launch->grid[1] * at->launch->grid[2], end = (place.block / along + rows) * along;
  again.end = !or_after ? place.block + 1 : end < last ? end : last;
  again.args = launch->args;
  again.answer = ends[1];
  pid_t copy = _Fork();
  if (copy == 0)
    be_the_copy();
  close(ends[1]);
  if (copy > 0) {
    if (listen(ends[0], &place, TIME_MS) && listen(ends[0], &whole, TIME_OF_CALLS_MS))
      place = whole;
    kill(copy, SIGKILL);
    while (waitpid(copy, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  close(ends[0]);
  *path = place.path;
  if (place.result == UWRT_REPLAY_AGREES) {
    at->block = place.block;
    memcpy(at->thread, place.thread, sizeof place.thread);
  }
  return place.result;
}
