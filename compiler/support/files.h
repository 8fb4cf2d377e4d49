/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whole files as text. */
#ifndef UW_SUPPORT_FILES_H
#define UW_SUPPORT_FILES_H

#include <stddef.h>
#include <stdio.h>

/* Called ahead of each file, and of each read that may have to wait, with the descriptor; null: nobody is. Whoever takes
 * signals at points of its own is asked here. */
extern void (*uw_before_reading)(int descriptor);

/* What is left in a stream that nothing was read of, with a zero after it; `*size`, if not null, gets its length. Null, with errno, on
 * failure. */
char *uw_read_stream(FILE *stream, size_t *size);
/* The same for a file by its path. */
char *uw_read_file(const char *path);

/* clang's name for it in messages and in places of code. */
#define UW_STANDARD_INPUT "<stdin>"

#endif
