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

typedef struct uwjit_fat_header {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes; /* of the entries that follow */
} uwjit_fat_header;

enum { UWJIT_FAT_PTX = 1, UWJIT_FAT_CUBIN = 2, UWJIT_FAT_LTOIR = 8, UWJIT_FAT_ENTRY_BYTES = 64 };
typedef struct uwjit_fat_entry {
  uint16_t kind, version;
  uint32_t header_bytes; /* with the name and what else is there; the payload follows */
  uint64_t bytes;
  uint32_t packed_bytes, options; /* options: where they are, from the entry's begin */
  uint16_t minor, major;
  uint32_t architecture, name, name_bytes;
  uint64_t flags, names;
  uint64_t whole_bytes; /* of what is packed */
} uwjit_fat_entry;

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
  /* What nvFatbin puts in, in the binary; null where there is none that can be used. */
  const void *image, *bitcode; /* a module image that this runtime takes; NVVM IR */
  size_t image_bytes, bitcode_bytes;
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
