/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuLink and nvJitLink do: PTX, NVVM IR, fat binaries and module images become one module.
 */
#ifndef UWJIT_LINK_H
#define UWJIT_LINK_H

#include "jit.h"

#include <stdint.h>

typedef struct uwjit_link { /* begins as zeros */
  uwjit_file *sources;
  size_t source_count;
  uwjit_bytes images;
  uint32_t image_count;
} uwjit_link;

typedef enum {
  UWJIT_TAKEN,
  UWJIT_LINK_NO_ROOM,
  UWJIT_LINK_INVALID,
  UWJIT_LINK_GPU_CODE,
  UWJIT_LINK_TOO_NEW
} uwjit_taken;

/* What it is shows by itself. why: where it is not taken, a sentence; may be null after no room. */
uwjit_taken uwjit_link_add(uwjit_link *link, const void *data, size_t bytes, const char *name, const char **why);
uwjit_taken uwjit_link_add_source(uwjit_link *link, const void *text, size_t bytes, const char *name,
                                  const char *suffix);
int uwjit_is_bitcode(const void *data, size_t bytes); /* of LLVM's IR */
/* A form other than a module is of NVVM IR alone. */
void uwjit_link_finish(uwjit_link *link, int form, const char *const *options, size_t option_count,
                       uwjit_result *result);
void uwjit_link_free(uwjit_link *link);
char *uwjit_file_bytes(const char *path, size_t *bytes); /* malloc's, with 16 zeros after them; null: cannot be read */

#endif
