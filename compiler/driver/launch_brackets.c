/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Spaces inside launch brackets. Most files have none, and a quick look at each `<` shows it. Where there are some, the
 * text is read by tokens as far as needed: comments and literals are stepped over, and `<< <` is a launch when
 *   a) it does not follow `operator` (which makes it an operator and its template arguments),
 *   b) `> > >`, spaced in any way, closes it at the same depth of (), [] and {}, before any `;`, and
 *   c) a `(` follows that. */
#include "launch_brackets.h"

#include "../support/strings.h"

#include <ctype.h>
#include <string.h>

/* If `at` is at three of `bracket` with only white space between, the end of the third, else null. */
static char *after_three(char *at, char bracket) {
  for (int i = 0; i < 3; i++, at++) {
    while (i && isspace((unsigned char)*at))
      at++;
    if (*at != bracket)
      return NULL;
  }
  return *at == bracket ? NULL : at;
}

static char *after_quoted(char *at) {
  char quote = *at++;
  for (; *at && *at != quote && *at != '\n'; at++)
    if (*at == '\\' && at[1])
      at++;
  return *at ? at + 1 : at;
}

/* R"word( ... )word" */
static char *after_raw_string(char *at) {
  char *open = strchr(at, '(');
  if (!open)
    return at + strlen(at);
  const char *closing = uw_format(")%.*s\"", (int)(open - at - 1), at + 1);
  char *close = strstr(open, closing);
  return close ? close + strlen(closing) : at + strlen(at);
}

/* Steps over a comment or a literal that begins here; `start` is the text's. Else gives `at` back. */
static char *after_literal(char *at, const char *start) {
  bool in_word = at > start && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
  if (at[0] == '/' && at[1] == '/') {
    char *end = strchr(at, '\n');
    return end ? end : at + strlen(at);
  }
  if (at[0] == '/' && at[1] == '*') {
    char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (at[0] == '"')
    return in_word && at[-1] == 'R' ? after_raw_string(at) : after_quoted(at);
  if (at[0] == '\'')
    return in_word && isalnum((unsigned char)at[1]) && at[2] != '\'' ? at + 1 : after_quoted(at);
  return at;
}

const char *uw_after_literal(const char *at, const char *start) { return after_literal((char *)at, start); }

static bool follows_operator(const char *at, const char *start) {
  static const char word[] = "operator";
  while (at > start && isspace((unsigned char)at[-1]))
    at--;
  size_t length = sizeof word - 1;
  return (size_t)(at - start) >= length && strncmp(at - length, word, length) == 0;
}

/* The `> > >` that closes a launch whose brackets end before `at`, or null. */
static char *find_closing(char *at, const char *start, char **end) {
  for (int depth = 0; *at && depth >= 0;) {
    char *next = after_literal(at, start);
    if (next != at) {
      at = next;
      continue;
    }
    if (strchr("([{", *at))
      depth++;
    else if (strchr(")]}", *at))
      depth--;
    else if (*at == ';' && depth == 0)
      return NULL;
    else if (*at == '>' && depth == 0 && at[-1] != '-' && (*end = after_three(at, '>'))) {
      const char *after = *end;
      while (isspace((unsigned char)*after))
        after++;
      if (*after == '(')
        return at;
    }
    at++;
  }
  return NULL;
}

static void close_up(char *from, const char *end, char bracket) {
  size_t length = (size_t)(end - from), spaces = 0;
  char *copy = uw_copy_text(from, length);
  for (size_t i = 0; i < length; i++)
    if (copy[i] != bracket)
      from[3 + spaces++] = copy[i];
  memset(from, bracket, 3);
}

size_t uw_close_launch_brackets(char *text) {
  size_t changed = 0;
  for (char *at = text; *at;) {
    char *next = after_literal(at, text);
    if (next != at) {
      at = next;
      continue;
    }
    char *inside = *at == '<' && (at == text || at[-1] != '<') ? after_three(at, '<') : NULL, *end;
    char *closing = inside && !follows_operator(at, text) ? find_closing(inside, text, &end) : NULL;
    if (closing && (inside - at > 3 || end - closing > 3)) {
      close_up(at, inside, '<');
      close_up(closing, end, '>');
      changed++;
    }
    at = inside ? inside : at + 1;
  }
  return changed;
}

bool uw_has_spaced_brackets(char *text) {
  for (char *at = text; (at = strpbrk(at, "<>")); at++) {
    char *end = after_three(at, *at);
    if (end && end - at > 3)
      return true;
  }
  return false;
}

static const char *const argument_types[] = {"dim3", "dim3", "size_t", "cudaStream_t"};

/* Whether any argument of the launch between `from` and `to` begins with a brace; adds the text up to `to` with its type
 * in front of each that does. */
static bool add_types(const char *from, const char *to, const char *start, const char **added) {
  const char *copied = from;
  size_t argument = 0;
  bool first = true;
  for (int depth = 0; from < to;) {
    const char *next = uw_after_literal(from, start);
    if (next != from) {
      from = next;
      continue;
    }
    if (first && *from == '{' && argument < sizeof argument_types / sizeof *argument_types) {
      *added = uw_format("%s%.*s%s", *added, (int)(from - copied), copied, argument_types[argument]);
      copied = from;
    }
    first = depth == 0 && (*from == ',' || (first && isspace((unsigned char)*from)));
    argument += depth == 0 && *from == ',';
    depth += strchr("([{", *from) ? 1 : strchr(")]}", *from) ? -1 : 0;
    from++;
  }
  *added = uw_format("%s%.*s", *added, (int)(to - copied), copied);
  return *copied == '{';
}

char *uw_name_launch_types(char *text) {
  const char *changed = "", *copied = text;
  bool any = false;
  if (!strstr(text, "<<<"))
    return NULL;
  for (char *at = text; *at;) {
    char *next = after_literal(at, text), *end;
    char *closing = next == at && strncmp(at, "<<<", 3) == 0 ? find_closing(at + 3, text, &end) : NULL;
    if (closing && memchr(at, '{', (size_t)(closing - at))) {
      changed = uw_format("%s%.*s", changed, (int)(at + 3 - copied), copied);
      any |= add_types(at + 3, closing, text, &changed);
      next = (char *)(copied = closing);
    }
    at = next == at ? at + 1 : next;
  }
  return any ? uw_format("%s%s", changed, copied) : NULL;
}
