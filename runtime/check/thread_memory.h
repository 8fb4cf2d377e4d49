/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that the checker has for each thread, from when the thread first asks for it to its end. As thread-local
 * variables, every thread of a process that has the shared runtime would keep 200 KB of its stack for it, also where
 * nothing is checked. */
#ifndef UWRT_CHECK_THREAD_MEMORY_H
#define UWRT_CHECK_THREAD_MEMORY_H

#include <stddef.h>

typedef enum uwrt_check_memory {
  UWRT_CHECK_NOWHERE, /* blocks.c: the state of code that is in no block */
  UWRT_CHECK_RUNS,    /* blocks.c: which runs were asked for last */
  UWRT_CHECK_ARRAYS,  /* blocks.c: which shared arrays the shadow has */
  UWRT_CHECK_ASKED,   /* blocks_apart.c: what is asked of a launch */
  UWRT_CHECK_MEMORIES
} uwrt_check_memory;

/* The calling thread's, of 0 at first. Ends the program where there is no memory. */
void *uwrt_check_memory_of_thread(uwrt_check_memory which, size_t bytes);

#endif
