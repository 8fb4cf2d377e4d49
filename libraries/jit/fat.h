/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fat binaries: what nvcc and clang put around device code, one entry for each architecture, GPU code or PTX,
 * compressed or not.
 */
#ifndef UWJIT_FAT_H
#define UWJIT_FAT_H

#include "jit.h"

#include <stdint.h>

enum { UWJIT_FAT_WRAPPER = 0x466243b1, UWJIT_FAT_HEADER = 0xBA55ED50 };

typedef struct uwjit_fat_wrapper { /* what a program registers */
  uint32_t magic, version;
  const void *data;
  const void *more; /* a program's name, or a list of what was linked */
} uwjit_fat_wrapper;

typedef struct uwjit_fat_ptx {
  const char *text; /* in the binary, or in owned */
  size_t bytes;
  char *owned; /* malloc's */
  enum { UWJIT_FAT_FOUND, UWJIT_FAT_BROKEN, UWJIT_FAT_NO_PTX, UWJIT_FAT_NO_LIBRARY, UWJIT_FAT_NO_ROOM } state;
  const char *why; /* where there is none: a sentence for people */
} uwjit_fat_ptx;

/* The PTX for the newest architecture that is not newer than ours, else for the oldest. room: bytes that may be
 * read. */
void uwjit_fat_read(const void *header, size_t room, uwjit_fat_ptx *found);

/* The fat binary in an object file of the host, or null. */
const void *uwjit_fat_of_object(const void *object, size_t bytes, size_t *fat_bytes);

/* PTX is text with a directive that says its version, in front of all but comments. */
int uwjit_is_ptx(const char *text, size_t room);
/* Of PTX: 94 of 9.4, and how that is written; 0 where nothing is. */
int uwjit_ptx_version(const char *text, size_t room, const char **word, size_t *length);

#endif
