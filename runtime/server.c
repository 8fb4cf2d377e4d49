/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of ours (server.h). */
#define _GNU_SOURCE
#include "server.h"

#include <signal.h>
#include <stddef.h>

int uwrt_start_thread(pthread_t *thread, void *(*run)(void *)) {
  static const int of_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  sigset_t all, before;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof of_faults / sizeof *of_faults; i++)
    sigdelset(&all, of_faults[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int started = pthread_create(thread, NULL, run, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

int uwrt_start_server(void *(*serve)(void *)) {
  pthread_t thread;
  return uwrt_start_thread(&thread, serve) && pthread_detach(thread) == 0;
}
