/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The levels of x86-64 by their names (x86-64 psABI, section 3.1.1, "Processor Architecture"), as UNWARP_MARCH gives
 * them: to programs and libraries the most that they use, to the compiler the CPU that `native` is. One table for the
 * three of them. */
#ifndef UWRT_LEVELS_H
#define UWRT_LEVELS_H

#include <stddef.h>
#include <string.h>

#define UWRT_LEVEL_NAMES "x86-64, x86-64-v2, x86-64-v3 or x86-64-v4"

/* 1 to 4; all that there are for `native`, for nothing and for null; 0: this is none. */
static inline int uwrt_level_named(const char *name) {
  static const char *const names[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  enum { MOST = sizeof names / sizeof *names };
  if (!name || !*name || strcmp(name, "native") == 0)
    return MOST;
  for (int i = 0; i < MOST; i++)
    if (strcmp(name, names[i]) == 0)
      return i + 1;
  return 0;
}

#endif
