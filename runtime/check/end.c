/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ends of the program other than exit: counts and reports are whole then, too.
 *   - A signal that ends it: SIGABRT (glibc's own checks of its heap after a wild write, assert), SIGTERM, SIGINT, SIGHUP, and
 *     faults, of which fault.c tells first. Only where nobody else has a handler; the status stays the signal's.
 *   - A sanitizer's report that ends it.
 *   - _exit and _Exit in the process that began; in one that was forked they mean that nothing is to be done.
 *
 * What was damaged may be what a report needs: memory of malloc's, a lock that the thread itself holds. So a second signal
 * comes a few seconds later, whose handler gives up and lets the first one end the program. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

enum { PATIENCE = 5 /* seconds */ };

static atomic_flag ended = ATOMIC_FLAG_INIT;
static pid_t began_in;
static volatile sig_atomic_t pending; /* the signal that ends the program */

int uwrt_check_ends(void) { return !atomic_flag_test_and_set(&ended); }

static void end_by(int number) {
  struct sigaction none = {.sa_handler = SIG_DFL};
  sigset_t its;
  sigemptyset(&its);
  sigaddset(&its, number);
  sigaction(number, &none, NULL);
  pthread_sigmask(SIG_UNBLOCK, &its, NULL);
  raise(number);
}

static void give_up(int alarm) {
  (void)alarm;
  end_by(pending);
}

void uwrt_check_dies(int number) {
  if (getpid() != began_in || !uwrt_check_ends())
    return;
  struct sigaction impatient = {.sa_handler = give_up};
  if (number) {
    pending = number;
    sigaction(SIGALRM, &impatient, NULL);
    alarm(PATIENCE);
  }
  uwrt_check_say_late();
  uwrt_check_sum_up();
  if (number)
    alarm(0);
}

void uwrt_check_signal(int number) {
  uwrt_check_dies(number);
  end_by(number);
}

static void dies_by_sanitizer(void) { uwrt_check_dies(0); }

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

void uwrt_check_watch_ends(void) {
  static const int numbers[] = {SIGABRT, SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  struct sigaction ours = {.sa_handler = uwrt_check_signal, .sa_flags = SA_ONSTACK | SA_NODEFER}, old;
  began_in = getpid();
  sigemptyset(&ours.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
      sigaction(numbers[i], &ours, NULL);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(dies_by_sanitizer);
}

/* In place of libc's, in a program that is checked: -fcheck links by --wrap. Under libc's own names they would bring the
 * checker into each program that ends by _exit. */
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__Exit(int status);

_Noreturn void __wrap__exit(int status) {
  if (getpid() == began_in && uwrt_check_ends()) {
    uwrt_check_say_late();
    if (uwrt_check_sum_up() && status == 0 && uwrt_check_settings.exit_status)
      status = uwrt_check_settings.exit_status;
  }
  for (;;)
    syscall(SYS_exit_group, status);
}

_Noreturn void __wrap__Exit(int status) { __wrap__exit(status); }
