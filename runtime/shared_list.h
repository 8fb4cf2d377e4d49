/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file with a list of JSON that several processes add to: whole after every entry, so that it does not matter how a
 * program ends. An entry is written over the closing brackets, with new ones after it, in one write, under a record lock. */
#ifndef UWRT_SHARED_LIST_H
#define UWRT_SHARED_LIST_H

#include <pthread.h>
#include <stddef.h>

enum { UWRT_LIST_PATH_BYTES = 4096 };

typedef struct uwrt_shared_list {
  const char *opening, *separator, *closing; /* "[\n", ",\n", "\n]\n" */
  int file;                                  /* -1: none */
  char path[UWRT_LIST_PATH_BYTES];
  pthread_mutex_t lock; /* held while an entry is added */
} uwrt_shared_list;

#define UWRT_SHARED_LIST(...) {.file = -1, .lock = PTHREAD_MUTEX_INITIALIZER, __VA_ARGS__}

/* %p in the name becomes the process's number. These give 0, or an errno; EILSEQ: the file has something else in it. */
int uwrt_shared_list_open(uwrt_shared_list *list, const char *name);
int uwrt_shared_list_add(uwrt_shared_list *list, const char *entry,
                         size_t length); /* none of no length: an empty list */

#endif
