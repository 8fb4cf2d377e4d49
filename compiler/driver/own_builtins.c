/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   error: static declaration of '__rdtsc' follows non-static declaration
 *   note: '__rdtsc' is a builtin with type 'unsigned long long ()'             ==>    -D__rdtsc=__uw_own___rdtsc
 *
 * What g++ has as builtins as well (__builtin_…, __sync_…, __atomic_…) is refused in other words, as it is there. */
#include "own_builtins.h"

#include <ctype.h>
#include <string.h>

/* After a quote; null if it is no name. */
static const char *name_at(const char *quoted) {
  size_t length = 0;
  while (isalnum((unsigned char)quoted[length]) || quoted[length] == '_')
    length++;
  return length && quoted[length] == '\'' ? uw_copy_text(quoted, length) : NULL;
}

static bool add_name(uw_strings *names, const char *quoted) {
  const char *name = name_at(quoted);
  if (!name || uw_after_prefix(name, "__builtin_") || uw_strings_contains(names, name))
    return false;
  uw_strings_add(names, name);
  return true;
}

bool uw_find_own_builtins(const char *messages, uw_strings *names) {
  static const char defined[] = "error: definition of builtin function '", note[] = ": note: '",
                    declared[] = "' is a builtin with type ";
  bool found = false;
  for (const char *at = messages; (at = strstr(at, defined)); at++)
    found |= add_name(names, at + sizeof defined - 1);
  for (const char *at = messages; (at = strstr(at, note)); at++) {
    const char *name = name_at(at + sizeof note - 1);
    if (name && uw_after_prefix(at + sizeof note - 1 + strlen(name), declared))
      found |= add_name(names, at + sizeof note - 1);
  }
  return found;
}

void uw_rename_own_builtins(uw_strings *command, const uw_strings *names) {
  for (size_t i = 0; i < names->count; i++)
    uw_strings_add(command, uw_format("-D%s=__uw_own_%s", names->items[i], names->items[i]));
}
