/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of ours, for work that must not run on the program's: kernels that wait for the host, host functions, SYCL's
 * host tasks. */
#ifndef UWRT_SERVER_H
#define UWRT_SERVER_H

#include <pthread.h>

#pragma GCC visibility push(default) /* libsycl.a is not the runtime's object */
/* Detached. Signals are for the program's threads, but for those of a fault. 0 if there can be none. */
int uwrt_start_server(void *(*serve)(void *));
#pragma GCC visibility pop

int uwrt_start_thread(pthread_t *thread, void *(*run)(void *)); /* the same, to be joined */

#endif
