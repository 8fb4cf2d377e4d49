/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A module in memory or in a file, as `unwarp -cubin`, `-fatbin` and `-ptx` write it and cuModuleLoad reads it: this
 * header, names, and a shared object that registers its kernels when it is opened, as every object of unwarp does.
 * Several of them may follow each other: they are one module. All offsets count from the header's start.
 */
#ifndef UWRT_MODULE_IMAGE_H
#define UWRT_MODULE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define UWRT_IMAGE_MAGIC "\177UNWARP\n"
enum { UWRT_IMAGE_VERSION = 1 };

typedef struct uwrt_image {
  char magic[8];
  uint32_t version;    /* UWRT_IMAGE_VERSION */
  uint32_t abi;        /* UWRT_ABI_VERSION of what compiled it */
  uint64_t bytes;      /* with this header; the next image, if there are more, begins there */
  uint64_t checksum;   /* uwrt_image_checksum of all bytes after the header */
  uint32_t followers;  /* how many images come after this one */
  uint32_t name_count; /* pairs of strings: what a program calls a kernel or variable, and its mangled name */
  uint64_t names, names_bytes;
  uint64_t object, object_bytes;
} uwrt_image;

static inline uint64_t uwrt_image_checksum(const void *data, size_t bytes) {
  const unsigned char *at = (const unsigned char *)data;
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
  return sum;
}

/* Whether what lies at data, of which so many bytes may be read, is one image. */
static inline int uwrt_image_is_good(const void *data, size_t room) {
  const uwrt_image *image = (const uwrt_image *)data;
  return room >= sizeof *image && __builtin_memcmp(image->magic, UWRT_IMAGE_MAGIC, sizeof image->magic) == 0 &&
         image->version == UWRT_IMAGE_VERSION && image->bytes >= sizeof *image && image->bytes <= room &&
         image->names <= image->bytes && image->names_bytes <= image->bytes - image->names &&
         image->object <= image->bytes && image->object_bytes <= image->bytes - image->object &&
         uwrt_image_checksum(image + 1, image->bytes - sizeof *image) == image->checksum;
}

#endif
