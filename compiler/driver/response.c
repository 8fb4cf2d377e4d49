/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options from files: @FILE as cc takes it, --options-file as nvcc takes it; and from NVCC_PREPEND_FLAGS and its like.
 * The text is split at white space; quotes keep white space together, a backslash takes the next character as it is.
 * Files may name further files. */
#include "../support/files.h"
#include "options.h"
#include "report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 }; /* files that name each other in a ring end here */

/* Takes one word off `*text`; null at the end. */
static char *next_word(const char **text) {
  const char *from = *text;
  while (isspace((unsigned char)*from))
    from++;
  if (!*from)
    return NULL;
  char *word = uw_need_memory(malloc(strlen(from) + 1)), *to = word, quote = 0;
  for (; *from && (quote || !isspace((unsigned char)*from)); from++)
    if (*from == quote)
      quote = 0;
    else if (!quote && (*from == '"' || *from == '\''))
      quote = *from;
    else if (*from == '\\' && from[1] && quote != '\'')
      *to++ = *++from;
    else
      *to++ = *from;
  *to = 0;
  *text = from;
  return word;
}

static bool read_file(uw_strings *arguments, const char *path, int depth) {
  char *text = depth < DEEPEST ? uw_read_file(path) : NULL;
  if (!text)
    return uw_report_error("cannot read options from '%s': %s", path,
                           depth < DEEPEST ? strerror(errno) : "the files name each other");
  const char *rest = text;
  for (char *word; (word = next_word(&rest));)
    if (word[0] != '@')
      uw_strings_add(arguments, word);
    else if (!read_file(arguments, word + 1, depth + 1))
      return false;
  return true;
}

void uw_add_option_text(uw_strings *arguments, const char *text) {
  for (char *word; text && (word = next_word(&text));)
    uw_strings_add(arguments, word);
}

bool uw_read_option_file(uw_strings *arguments, const char *path) { return read_file(arguments, path, 0); }
