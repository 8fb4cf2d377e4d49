/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options of NVIDIA's compile libraries, -NAME, -NAME=VALUE or -NAME VALUE, as the compiler's options.
 */
#ifndef UWJIT_OPTIONS_H
#define UWJIT_OPTIONS_H

#include <stddef.h>

typedef struct uwjit_option {
  const char *name; /* without its dash */
  enum {
    UWJIT_FLAG,
    UWJIT_TRUTH,
    UWJIT_NUMBER,
    UWJIT_GPU,
    UWJIT_TEXT
  } value;           /* truth: 0, 1, false, true; GPU: compute_80, sm_80 */
  const char *as;    /* the compiler's option, with %s for a value; null: without meaning here */
  unsigned int mark; /* set in what was seen */
} uwjit_option;

typedef struct uwjit_options {
  char *items[32]; /* malloc's */
  size_t count;
  unsigned int seen;
  const char *bad; /* the option that is none; null: memory is missing */
} uwjit_options;

int uwjit_options_read(uwjit_options *to, const uwjit_option *table, size_t rows, int count, const char *const *given);
int uwjit_options_add(uwjit_options *to, const char *format, const char *value); /* 0: no memory */
void uwjit_options_free(uwjit_options *options);

#endif
