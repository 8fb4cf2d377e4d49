/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whole files as text. */
#ifndef UW_SUPPORT_FILES_H
#define UW_SUPPORT_FILES_H

#include <stddef.h>
#include <stdio.h>

/* What is left in a stream, with a zero after it; `*size`, if not null, gets its length. Null, with errno, on
 * failure. */
char *uw_read_stream(FILE *stream, size_t *size);
/* The same for a file by its path. */
char *uw_read_file(const char *path);

/* clang's name for it in messages and in places of code. */
#define UW_STANDARD_INPUT "<stdin>"

#endif
