/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The string list and the string makers of strings.h. */
#include "strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *uw_need_memory(void *memory) {
  if (memory)
    return memory;
  fputs("unwarp: error: out of memory\n", stderr);
  exit(1);
}

void uw_strings_add(uw_strings *list, const char *string) {
  if (list->count + 1 >= list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 16;
    list->items = uw_need_memory(realloc(list->items, list->capacity * sizeof *list->items));
  }
  list->items[list->count++] = string;
  list->items[list->count] = NULL;
}

void uw_strings_add_all(uw_strings *list, const uw_strings *more) {
  for (size_t i = 0, count = more->count; i < count; i++)
    uw_strings_add(list, more->items[i]);
}

void uw_strings_add_many(uw_strings *list, ...) {
  va_list arguments;
  va_start(arguments, list);
  for (const char *string; (string = va_arg(arguments, const char *));)
    uw_strings_add(list, string);
  va_end(arguments);
}

bool uw_strings_contains(const uw_strings *list, const char *string) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i], string) == 0)
      return true;
  return false;
}

void uw_strings_add_split(uw_strings *list, const char *text, char separator) {
  while (*text) {
    const char *end = strchr(text, separator);
    size_t length = end ? (size_t)(end - text) : strlen(text);
    if (length)
      uw_strings_add(list, uw_copy_text(text, length));
    text += length + (end != NULL);
  }
}

char *uw_copy_text(const char *text, size_t length) {
  char *copy = uw_need_memory(malloc(length + 1));
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *uw_format(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  char *text = uw_need_memory(length < 0 ? NULL : malloc((size_t)length + 1));
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}

const char *uw_after_prefix(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

const char *uw_json_quoted(const char *text) {
  char *quoted = uw_need_memory(malloc(6 * strlen(text) + 3)), *to = quoted;
  *to++ = '"';
  for (; *text; text++) {
    if ((unsigned char)*text < ' ') {
      to += sprintf(to, "\\u%04x", (unsigned char)*text);
      continue;
    }
    if (*text == '"' || *text == '\\')
      *to++ = '\\';
    *to++ = *text;
  }
  *to++ = '"';
  *to = 0;
  return quoted;
}
