/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that are lists. nvcc has two kinds: words for itself (-I a,b), and words for another tool (-Xcompiler), which
 * are also parted by spaces. */
#include "option_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Quotes keep commas; they stay, as they may be part of a macro, unless they are around the whole word. */
void uw_split_list(uw_strings *words, const char *text) {
  char *word = uw_need_memory(malloc(strlen(text) + 1));
  size_t length = 0;
  bool quoted = false;
  for (;; text++) {
    if (!*text || (*text == ',' && !quoted)) {
      bool around = length > 1 && word[0] == '"' && word[length - 1] == '"';
      if (length)
        uw_strings_add(words, uw_copy_text(word + around, length - 2 * around));
      length = 0;
      if (!*text)
        break;
      continue;
    }
    quoted ^= *text == '"';
    text += *text == '\\' && text[1] == ',';
    word[length++] = *text;
  }
  free(word);
}

/* -Wl and its like take the commas after them. */
static bool takes_commas(const char *word, size_t length) {
  return length >= 3 && word[0] == '-' && word[1] == 'W' && strchr("lap", word[2]) && (length == 3 || word[3] == ',');
}

void uw_split_host_list(uw_strings *words, const char *text) {
  char *word = uw_need_memory(malloc(strlen(text) + 1)), quote = 0;
  size_t length = 0;
  bool was_quoted = false;
  for (;; text++) {
    bool separates = *text == ',' && (was_quoted || !takes_commas(word, length));
    if (!*text || (!quote && (separates || isspace((unsigned char)*text)))) {
      if (length)
        uw_strings_add(words, uw_copy_text(word, length));
      if (!*text)
        break;
      length = 0;
      was_quoted = false;
    } else if (quote && *text == quote) {
      quote = 0;
      was_quoted = true;
    } else if (!quote && (*text == '"' || *text == '\'')) {
      quote = *text;
    } else if (*text == '\\' && text[1]) {
      word[length++] = *++text;
    } else {
      word[length++] = *text;
    }
  }
}
