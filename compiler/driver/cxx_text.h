/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where words, brackets, declarations and bodies are in the text of a C++ source. What is found is a position in that
 * text, which begins at `text`. */
#ifndef UW_DRIVER_CXX_TEXT_H
#define UW_DRIVER_CXX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

bool uw_in_word(char c);
/* In front of the white space, or the word, that ends at `at`. */
const char *uw_before_space(const char *text, const char *at);
const char *uw_before_word(const char *text, const char *at);
/* The bracket that `closing` closes, or null. */
const char *uw_matching_bracket(const char *text, const char *closing);
/* The position in front of `of::` before a name, if that stands there. */
const char *uw_before_class(const char *text, const char *name);

/* The open braces at a position, outermost first. Begins as {0}. */
typedef struct uw_braces {
  const char *open[256];
  size_t count;
  size_t at_if[64]; /* how many were open at each #if that is open: its branches begin alike */
  size_t ifs;
} uw_braces;
void uw_find_braces(const char *text, const char *place, uw_braces *braces);
/* The brace that closes the one at `open`, or null. */
const char *uw_closing_brace(const char *text, const char *open);

/* The first token of the declaration that `name` stands in, or null. */
const char *uw_start_of_declaration(const char *text, const char *name);
/* The name of the function whose body begins at `brace`, or null if none does: `name(…) const noexcept(…) {`, for
 * constructors also `name(…) : member(…), member(…) {`. */
const char *uw_function_of(const char *text, const char *brace);
/* The name of the outermost function whose body `at` is in, or null. */
const char *uw_enclosing_function(const char *text, const char *at);

#endif
