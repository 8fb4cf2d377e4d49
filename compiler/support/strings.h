/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A growable list of strings, and the few string makers that the driver and its jobs share.
 *
 * Ownership: a list owns its array, never the strings; a string put in must outlive the list. What the makers return
 * is malloc'ed and lives until the process ends: a compile is one short process, nothing here is freed.
 * Memory that cannot be had ends the process with a message (exit status 1). */
#ifndef UW_SUPPORT_STRINGS_H
#define UW_SUPPORT_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

/* `items[0 .. count-1]`; once anything was added, `items[count]` is a null pointer, so `items` is a ready argv. */
typedef struct uw_strings {
  const char **items;
  size_t count, capacity;
} uw_strings;

void uw_strings_add(uw_strings *list, const char *string);
void uw_strings_add_all(uw_strings *list, const uw_strings *more);
/* The arguments up to a final NULL. */
void uw_strings_add_many(uw_strings *list, ...) __attribute__((sentinel));
bool uw_strings_contains(const uw_strings *list, const char *string);
/* Splits `text` at each `separator`; empty pieces are left out. */
void uw_strings_add_split(uw_strings *list, const char *text, char separator);

char *uw_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *uw_copy_text(const char *text, size_t length);
/* If `text` starts with `prefix`, the rest of it, else null. */
const char *uw_after_prefix(const char *text, const char *prefix);
/* As a string of JSON or YAML. */
const char *uw_json_quoted(const char *text);
void *uw_need_memory(void *memory);

#endif
