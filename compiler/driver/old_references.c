/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Words are looked at, not tokens: what a comment or a string says counts as well. A false alarm makes two names of
 * CUDA's visible, which harms only a program that declares them, and that is looked for too. */
#include "old_references.h"

#include "cxx_text.h"

#include <ctype.h>
#include <string.h>

static const char *after_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The next `word` from `at` on, or null. */
static const char *find_word(const char *at, const char *start, const char *word) {
  for (size_t length = strlen(word); (at = strstr(at, word)); at += length)
    if ((at == start || !uw_in_word(at[-1])) && !uw_in_word(at[length]))
      return at;
  return NULL;
}

/* The word that ends before `at`, with white space between, is one that introduces a declaration. */
static bool follows_keyword(const char *at, const char *start) {
  static const char *const keywords[] = {"struct", "class", "union", "enum", "namespace", "using", "define"};
  while (at > start && isspace((unsigned char)at[-1]))
    at--;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    size_t length = strlen(keywords[i]);
    if ((size_t)(at - start) >= length && strncmp(at - length, keywords[i], length) == 0)
      return true;
  }
  return false;
}

static bool look_for(const char *text, bool declared) {
  static const char *const names[] = {"texture", "surface"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (const char *at = text; (at = find_word(at, text, names[i])); at++)
      if (declared ? follows_keyword(at, text) : *after_space(at + strlen(names[i])) == '<')
        return true;
  return false;
}

bool uw_has_old_references(const char *text) { return look_for(text, false); }
bool uw_declares_reference_names(const char *text) { return look_for(text, true); }
