/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fatal signals: see crash.h. The handler may be called anywhere, so it only writes. It has a stack of its own, since
 * deep recursion is one of the ways to crash. */
#include "crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t owner;
static char **command;

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    return; /* nobody is there to be told */
}

static void crash(int number) {
  if (getpid() == owner) { /* a child's parent reports */
    say("unwarp: error: unwarp crashed (");
    say(sigdescr_np(number));
    say("): a bug in unwarp, not in the source\nunwarp: note: this command shows it:");
    for (char **argument = command; *argument; argument++) {
      say(" ");
      say(*argument);
    }
    say("\n");
  }
  signal(number, SIG_DFL);
  raise(number);
}

void uw_report_crashes(char **arguments) {
#if __has_feature(address_sanitizer)
  return; /* which tells more */
#endif
  enum { STACK = 65536 };
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  static char room[STACK];
  owner = getpid();
  command = arguments;
  sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
  struct sigaction action = {.sa_handler = crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
    sigaction(fatal[i], &action, NULL);
}
