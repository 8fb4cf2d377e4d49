/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA's libraries that unwarp has (libraries/), as -l names them. */
#ifndef UW_DRIVER_LIBRARIES_H
#define UW_DRIVER_LIBRARIES_H

#include "../support/strings.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct uw_provided_library {
  const char *name, *package; /* package: what it stands on, as Debian calls it; or null */
  const char *prefix;         /* how the names in it begin */
  bool stands_for;            /* another library has its names: a linker script */
} uw_provided_library;

/* All of them; of two prefixes that fit a name the longer one's comes first. */
const uw_provided_library *uw_provided_libraries(size_t *count);
bool uw_is_provided_library(const char *name); /* "cublas", "cublas_static", … */
/* The library that an item of a link names by -l; null if it is none of these. */
const char *uw_provided_library_of(const char *item);
/* Adds the library, and where the program finds it. False after a message on how to get what it stands on. */
bool uw_add_provided_library(uw_strings *command, const char *library_folder, const char *name);

/* Is an item of the link one of these, or another shared library of ours, by its path or its file's name (a path,
 * -l:libcublas.so.12, -Wl,PATH)? The program then looks for it in our folder, which `library_folder` names. */
bool uw_is_own_library(const char *item, const char *library_folder);

#endif
