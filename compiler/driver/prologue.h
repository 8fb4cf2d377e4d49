/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What stands in a source before it includes SYCL's header. */
#ifndef UW_DRIVER_PROLOGUE_H
#define UW_DRIVER_PROLOGUE_H

#include "../support/strings.h"

/* The words of a set of headers, sorted: every identifier in their text, and, after a '<', every name that they
 * include others by, up to its first slash. */
typedef struct uw_header_words {
  const char **words;
  size_t count;
} uw_header_words;

/* Of files by their whole paths. The words point into texts that stay. */
uw_header_words uw_collect_words(const uw_strings *files);
/* One a line, sorted; and back. False on failure. */
bool uw_write_words(const uw_header_words *words, const char *path);
bool uw_read_words(uw_header_words *words, const char *path);

/* Is the identifier that the text begins with one of them? */
bool uw_has_first_word(const uw_header_words *words, const char *text);
/* Does one of the folders hold a file or folder by whose name one of those headers includes another? */
bool uw_hide_headers(const uw_strings *folders, const uw_header_words *words);

/* Whether a source means the same when SYCL's header is included as the first thing in it, where no folder hides
 * headers. Holds when the source includes it, and before that
 * a) has only comments, includes, and definitions of macros whose names the header has nowhere;
 * b) includes only headers of the languages and the system, or others of which a) and b) are true.
 * file: where the text is; folder: from where it includes by quotes; folders: those of -I and its like. */
bool uw_starts_with_sycl(const char *file, const char *folder, const uw_strings *folders, const uw_header_words *words);

#endif
