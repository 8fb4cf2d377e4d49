/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What fault.c and replay.c share: a fault, and who of a block's threads it was. */
#ifndef UWRT_REPLAY_H
#define UWRT_REPLAY_H

#include <signal.h>

#include "internal.h"

enum { UWRT_FAULT_SIGNALS = 4 };
extern const struct uwrt_fault_signal {
  int number;
  const char *what;
} uwrt_fault_signals[UWRT_FAULT_SIGNALS];

typedef struct uwrt_fault {
  int number;
  int on_stack;      /* the stack is full */
  uintptr_t address; /* 0 where the processor does not say */
} uwrt_fault;
uwrt_fault uwrt_fault_of(int number, const siginfo_t *info, const void *context);

/* The address of a fault, and of the calls around it up to a kernel's entry, as far as code can be unwound. */
enum { UWRT_MOST_CALLS = 12 };
typedef struct uwrt_path {
  uintptr_t addresses[UWRT_MOST_CALLS];
  int count;
} uwrt_path;
uwrt_path uwrt_path_at(const void *context); /* the fault alone */
void uwrt_add_calls(uwrt_path *path, uwrt_entry entry);

typedef enum {
  UWRT_REPLAY_FAILED,  /* nothing is known */
  UWRT_REPLAY_DIFFERS, /* the block faulted at another address: memory was no longer the same */
  UWRT_REPLAY_AGREES,
} uwrt_replay_result;

/* Runs the faulting block again. Where that agrees it completes the place by the thread; where the block faulted at
 * all, gives the path of that, in the code that ran again. In the handler. */
uwrt_replay_result uwrt_replay(uwrt_place *at, const uwrt_fault *fault, uwrt_path *path);

#endif
