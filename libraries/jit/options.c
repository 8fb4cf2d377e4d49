/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options of libNVVM and nvJitLink by their tables (options.h). */
#define _GNU_SOURCE
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void uwjit_options_free(uwjit_options *options) {
  while (options->count)
    free(options->items[--options->count]);
}

int uwjit_options_add(uwjit_options *to, const char *format, const char *value) {
  if (to->count == sizeof to->items / sizeof *to->items || asprintf(&to->items[to->count], format, value) < 0)
    return 0;
  to->count++;
  return 1;
}

/* As the compiler writes it, or null. */
static const char *value_of(const uwjit_option *option, const char *text) {
  switch (option->value) {
  case UWJIT_FLAG: break;
  case UWJIT_TRUTH:
    return strcmp(text, "1") == 0 || strcmp(text, "true") == 0    ? "true"
           : strcmp(text, "0") == 0 || strcmp(text, "false") == 0 ? "false"
                                                                  : NULL;
  case UWJIT_NUMBER: return *text && !text[strspn(text, "0123456789")] ? text : NULL;
  case UWJIT_GPU:
    return strncmp(text, "compute_", 8) == 0 || strncmp(text, "sm_", 3) == 0 || strncmp(text, "lto_", 4) == 0 ? text
                                                                                                              : NULL;
  case UWJIT_TEXT: return *text ? text : NULL;
  }
  return NULL;
}

int uwjit_options_read(uwjit_options *to, const uwjit_option *table, size_t rows, int count, const char *const *given) {
  *to = (uwjit_options){0};
  for (int i = 0; i < count; i++) {
    const char *text = given[i] ? given[i] : "", *name = text + strspn(text, "-");
    size_t row = 0, length = strcspn(name, "=");
    to->bad = text;
    while (row < rows &&
           !(name > text && strlen(table[row].name) == length && strncmp(table[row].name, name, length) == 0))
      row++;
    if (row == rows)
      return 0;
    const uwjit_option *option = &table[row];
    const char *value = name[length] ? name + length + 1 : NULL;
    if (option->value != UWJIT_FLAG && !value && i + 1 < count)
      value = given[++i];
    const char *own = value ? value_of(option, value) : NULL;
    if (option->value == UWJIT_FLAG ? value != NULL : !own)
      return 0;
    to->seen |= option->mark;
    to->bad = NULL;
    if (option->as && !uwjit_options_add(to, option->as, own))
      return 0;
  }
  return 1;
}
