/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text is read by tokens only as far as a question needs it: brackets are matched, comments and literals stepped over. */
#include "cxx_text.h"

#include "../support/strings.h"
#include "launch_brackets.h"

#include <ctype.h>
#include <string.h>

bool uw_in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *uw_before_space(const char *text, const char *at) {
  while (at > text && isspace((unsigned char)at[-1]))
    at--;
  return at;
}

const char *uw_before_word(const char *text, const char *at) {
  while (at > text && uw_in_word(at[-1]))
    at--;
  return at;
}

const char *uw_matching_bracket(const char *text, const char *closing) {
  char close = *closing, open = close == ')' ? '(' : close == ']' ? '[' : close == '}' ? '{' : '<';
  int depth = 0;
  for (const char *at = closing; at >= text; at--) {
    depth += *at == close ? 1 : *at == open ? -1 : 0;
    if (depth == 0)
      return at;
  }
  return NULL;
}

const char *uw_before_class(const char *text, const char *name) {
  const char *at = uw_before_space(text, name);
  if (at - text < 3 || strncmp(at - 2, "::", 2) != 0)
    return name;
  at -= 2;
  for (int depth = 0; at > text && (depth || at[-1] == '>' || uw_in_word(at[-1]));) {
    at--;
    depth += *at == '>' ? 1 : *at == '<' ? -1 : 0;
  }
  return uw_before_class(text, at);
}

static void see_directive(uw_braces *b, const char *hash) {
  const char *word = hash + 1 + strspn(hash + 1, " \t");
  bool branch = uw_after_prefix(word, "else") || uw_after_prefix(word, "elif");
  size_t room = sizeof b->at_if / sizeof *b->at_if;
  if (uw_after_prefix(word, "if")) {
    if (b->ifs < room)
      b->at_if[b->ifs] = b->count;
    b->ifs++;
  } else if (branch && b->ifs && b->ifs <= room)
    b->count = b->at_if[b->ifs - 1];
  else if (uw_after_prefix(word, "endif") && b->ifs)
    b->ifs--;
}

static bool starts_line(const char *text, const char *at) {
  while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  return at == text || at[-1] == '\n';
}

static const char *after_directive(const char *hash) {
  const char *end = hash + strcspn(hash, "\n");
  while (*end && end[-1] == '\\')
    end += 1 + strcspn(end + 1, "\n");
  return end;
}

const char *uw_start_of_declaration(const char *text, const char *name) {
  const char *from = NULL;
  for (const char *at = text; at < name;) {
    const char *next = uw_after_literal(at, text);
    bool literal = next != at, name_of_class = strncmp(at, "::", 2) == 0;
    if (!literal && *at == '#' && starts_line(text, at)) {
      at = after_directive(at);
      continue;
    }
    if (!literal && !name_of_class && strchr(";{}:", *at))
      from = NULL;
    else if (!from && (literal ? strchr("\"'", *at) != NULL : !isspace((unsigned char)*at)))
      from = at;
    at = literal ? next : at + 1 + name_of_class;
  }
  return from;
}

void uw_find_braces(const char *text, const char *place, uw_braces *b) {
  for (const char *at = text; at < place;) {
    const char *next = uw_after_literal(at, text);
    if (next != at) {
      at = next;
      continue;
    }
    if (*at == '{' && b->count < sizeof b->open / sizeof *b->open)
      b->open[b->count++] = at;
    else if (*at == '}' && b->count)
      b->count--;
    else if (*at == '#' && starts_line(text, at))
      see_directive(b, at);
    at++;
  }
}

/* Before the words that may stand between a function's parameters and its body. */
static const char *before_qualifiers(const char *text, const char *at) {
  static const char *const words[] = {"const", "volatile", "noexcept", "override", "final", "try"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    at = uw_before_space(text, at);
    size_t length = strlen(words[i]);
    if (uw_before_word(text, at) != at - length || strncmp(at - length, words[i], length) != 0)
      continue;
    at -= length;
    i = (size_t)-1;
  }
  return at;
}

/* The name in front of the bracket that opens its parameters. */
static const char *name_before(const char *text, const char *bracket) {
  const char *end = uw_before_space(text, bracket), *name = uw_before_word(text, end);
  for (const char *at = end; name == end && end - at < 4 && at > text; at--) { /* operator+, operator(), operator[] */
    const char *word = uw_before_word(text, uw_before_space(text, at));
    if (uw_after_prefix(word, "operator"))
      return word;
  }
  if (name == end && end > text && end[-1] == '>') { /* a specialisation's arguments */
    const char *open = uw_matching_bracket(text, end - 1);
    end = open ? uw_before_space(text, open) : end;
    name = uw_before_word(text, end);
  }
  return name < end ? name : NULL;
}

const char *uw_function_of(const char *text, const char *brace) {
  const char *at = before_qualifiers(text, brace);
  while (at > text && (at[-1] == ')' || at[-1] == '}')) {
    const char *open = uw_matching_bracket(text, at - 1);
    const char *name = open ? name_before(text, open) : NULL;
    if (!name)
      return NULL;
    const char *before = uw_before_space(text, name);
    bool member = before > text && (before[-1] == ',' || (before[-1] == ':' && before - text > 1 && before[-2] != ':'));
    if (uw_after_prefix(name, "noexcept") || member)
      at = before_qualifiers(text, member ? before - 1 : name);
    else
      return *open == '(' ? name : NULL;
  }
  return NULL;
}

const char *uw_enclosing_function(const char *text, const char *at) {
  static const char *const no_names[] = {"if", "for", "while", "switch", "catch"};
  uw_braces b = {0};
  uw_find_braces(text, at, &b);
  for (size_t i = 0; i < b.count; i++) {
    const char *name = uw_function_of(text, b.open[i]);
    for (size_t k = 0; name && k < sizeof no_names / sizeof *no_names; k++) {
      const char *after = uw_after_prefix(name, no_names[k]);
      if (after && !uw_in_word(*after))
        return NULL;
    }
    if (name)
      return name;
  }
  return NULL;
}

const char *uw_closing_brace(const char *text, const char *open) {
  uw_braces b = {0};
  for (const char *at = open; *at;) {
    const char *next = uw_after_literal(at, text);
    if (next != at) {
      at = next;
      continue;
    }
    if (*at == '{' && b.count < sizeof b.open / sizeof *b.open)
      b.open[b.count++] = at;
    else if (*at == '}' && --b.count == 0)
      return at;
    else if (*at == '#' && starts_line(text, at))
      see_directive(&b, at);
    at++;
  }
  return NULL;
}
