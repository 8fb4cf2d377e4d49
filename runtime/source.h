/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From addresses of code to lines of its source: source.c. */
#ifndef UWRT_SOURCE_H
#define UWRT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct uwrt_module_place {
  char path[4096];
  uintptr_t bias; /* what was added to the addresses in the file */
} uwrt_module_place;
typedef struct uwrt_source_frame {
  const char *place, *function; /* file:line, or null */
} uwrt_source_frame;
int uwrt_module_of(const void *address, uwrt_module_place *found);
/* The frames, innermost first, of the first of the addresses whose source line is known, and of the calls around it,
 * which the addresses after it are. Text lies in the room given. Gives how many, or -1 if nobody can be asked. One
 * thread at a time. */
int uwrt_source_of(const uwrt_module_place *module, const uintptr_t *addresses, int count, char *room, size_t bytes,
                   uwrt_source_frame *frames, int most);

#endif
