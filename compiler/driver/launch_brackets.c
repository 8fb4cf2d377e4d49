/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Spaces inside launch brackets. Most files have none, and a quick look at each `<` shows it. Where there are some, the
 * text is read by tokens as far as needed: comments and literals are stepped over, and `<< <` is a launch when
 *   a) it does not follow `operator` (which makes it an operator and its template arguments),
 *   b) `> > >`, spaced in any way, closes it at the same depth of (), [] and {}, before any `;`, and
 *   c) a `(` follows that. */
#include "launch_brackets.h"

#include "../support/files.h"
#include "temp.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
      const char *behind = *end;
      while (isspace((unsigned char)*behind))
        behind++;
      if (*behind == '(')
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

/* Whether brackets with white space between them occur at all, in code or not. */
static bool has_spaced_brackets(char *text) {
  for (char *at = text; (at = strpbrk(at, "<>")); at++) {
    char *end = after_three(at, *at);
    if (end && end - at > 3)
      return true;
  }
  return false;
}

typedef struct search {
  const uw_strings *folders;
  uw_strings seen; /* paths looked at */
  const char *entries; /* of the overlay */
} search;

static const char *json_quoted(const char *text) {
  char *quoted = uw_need_memory(malloc(2 * strlen(text) + 3)), *to = quoted;
  *to++ = '"';
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      *to++ = '\\';
    *to++ = *text;
  }
  *to++ = '"';
  *to = 0;
  return quoted;
}

static void add_entry(search *s, const char *folder, const char *path, const char *shown) {
  const char *name = path[0] == '/' ? path : uw_format("%s/%s", folder, path);
  s->entries = uw_format("%s%s{\"type\": \"file\", \"name\": %s, \"external-contents\": %s}", s->entries,
                         *s->entries ? ",\n" : "", json_quoted(name), json_quoted(shown));
}

static bool add_to_overlay(search *s, const char *path, const char *text) {
  const char *slash = strrchr(path, '/');
  const char *shown = uw_temp_file(slash ? slash + 1 : path, text, strlen(text));
  char folder[PATH_MAX];
  const char *named = getenv("PWD");
  if (!shown || !getcwd(folder, sizeof folder))
    return false;
  add_entry(s, folder, path, shown);
  /* clang may go by the shell's name for the current folder. */
  if (path[0] != '/' && named && named[0] == '/' && strcmp(named, folder) != 0)
    add_entry(s, named, path, shown);
  return true;
}

static bool look_at(search *s, const char *path);

/* Looks at what `#include "name"` brings in. */
static bool look_at_include(search *s, const char *includer, const char *name) {
  const char *slash = strrchr(includer, '/');
  const char *path = slash && name[0] != '/' ? uw_format("%.*s/%s", (int)(slash - includer), includer, name) : name;
  for (size_t i = 0; access(path, R_OK) != 0; i++) {
    if (i == s->folders->count)
      return true;
    path = uw_format("%s/%s", s->folders->items[i], name);
  }
  return look_at(s, path);
}

static bool look_at(search *s, const char *path) {
  char *text = uw_strings_contains(&s->seen, path) ? NULL : uw_read_file(path);
  if (!text)
    return true;
  uw_strings_add(&s->seen, path);
  for (char *at = text; (at = strchr(at, '#')); at++) {
    char *word = at + 1;
    word += strspn(word, " \t");
    if (!uw_after_prefix(word, "include"))
      continue;
    word += strlen("include");
    word += strspn(word, " \t");
    size_t length = *word == '"' ? strcspn(word + 1, "\"\n") : 0;
    if (length && !look_at_include(s, path, uw_copy_text(word + 1, length)))
      return false;
  }
  return !has_spaced_brackets(text) || !uw_close_launch_brackets(text) || add_to_overlay(s, path, text);
}

bool uw_find_launch_brackets(const char *source, const uw_strings *folders, const char **overlay) {
  search s = {.folders = folders, .entries = ""};
  *overlay = NULL;
  if (!look_at(&s, source))
    return false;
  if (!*s.entries)
    return true;
  const char *text = uw_format("{\"version\": 0, \"use-external-names\": false, \"roots\": [\n%s\n]}\n", s.entries);
  *overlay = uw_temp_file("overlay.yaml", text, strlen(text));
  return *overlay != NULL;
}
