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

/* Completes the place of the fault by the thread, if it finds that. In the handler. */
void uwrt_replay(uwrt_place *at, const uwrt_fault *fault);

#endif
