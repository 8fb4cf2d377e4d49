/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What stands in a source before it includes SYCL's header: precompiled.c puts that header first, which is right only
 * where nothing before it can tell, nor it can tell of anything before it. All branches of conditions count. What is
 * not understood is a no. */
#include "prologue.h"

#include "../support/files.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool has_word(const uw_header_words *words, const char *word) {
  return bsearch(&word, words->words, words->count, sizeof *words->words, compare) != NULL;
}

static bool starts_word(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }
static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static const char *word_at(const char *text) {
  size_t length = 0;
  while (in_word(text[length]))
    length++;
  return uw_copy_text(text, length);
}

bool uw_has_first_word(const uw_header_words *words, const char *text) { return has_word(words, word_at(text)); }

/* The words of one text, which gets zeros after them. In comments and literals too, which does no harm. */
static void add_words(uw_strings *all, char *text) {
  for (char *at = text; *at;) {
    if (!starts_word(*at)) {
      at++;
      continue;
    }
    char *first = at;
    while (in_word(*at))
      at++;
    char after = *at;
    *at = 0;
    uw_strings_add(all, first);
    if (!after)
      return;
    at++;
  }
}

/* "<" and the first part of a name that is looked for in folders: by angle brackets, or by quotes where it is not
 * beside the includer. */
static void add_included(uw_strings *all, const char *text, const char *path) {
  int folder = (int)(strrchr(path, '/') - path);
  for (const char *at = text; (at = strchr(at, '#')); at++) {
    const char *line = uw_after_prefix(at + 1 + strspn(at + 1, " \t"), "include");
    line = line ? line + strcspn(line, "<\"\n") : "";
    size_t length = *line ? strcspn(line + 1, ">\"\n") : 0;
    const char *name = length ? uw_copy_text(line + 1, length) : NULL;
    if (name && (*line == '<' || access(uw_format("%.*s/%s", folder, path, name), R_OK) != 0))
      uw_strings_add(all, uw_format("<%.*s", (int)strcspn(name, "/"), name));
  }
}

uw_header_words uw_collect_words(const uw_strings *files) {
  uw_strings all = {0};
  for (size_t i = 0; i < files->count; i++) {
    char *text = uw_read_file(files->items[i]);
    if (!text)
      continue;
    add_included(&all, text, files->items[i]);
    add_words(&all, text);
  }
  if (all.count)
    qsort(all.items, all.count, sizeof *all.items, compare);
  size_t count = 0;
  for (size_t i = 0; i < all.count; i++)
    if (count == 0 || strcmp(all.items[i], all.items[count - 1]))
      all.items[count++] = all.items[i];
  return (uw_header_words){all.items, count};
}

bool uw_write_words(const uw_header_words *words, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  for (size_t i = 0; i < words->count; i++)
    fprintf(file, "%s\n", words->words[i]);
  bool good = !ferror(file);
  return fclose(file) == 0 && good;
}

bool uw_read_words(uw_header_words *words, const char *path) {
  char *text = uw_read_file(path);
  uw_strings lines = {0};
  for (char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
    *end = 0;
    uw_strings_add(&lines, at);
  }
  *words = (uw_header_words){lines.items, lines.count};
  return lines.count != 0;
}

typedef enum { NOTHING, FOUND, TELLS } verdict; /* TELLS: there is something that the order may matter to */

typedef struct look {
  const uw_strings *folders;
  const uw_header_words *words;
  int depth; /* of includes */
} look;

/* What C, C++ and POSIX have besides what SYCL's header includes itself: they go well with each other in every order.
 * Sorted. */
static const char *const system_headers[] = {
    "algorithm",
    "any",
    "arpa",
    "array",
    "assert.h",
    "atomic",
    "barrier",
    "bit",
    "bitset",
    "cassert",
    "ccomplex",
    "cctype",
    "cerrno",
    "cfenv",
    "cfloat",
    "charconv",
    "chrono",
    "cinttypes",
    "climits",
    "clocale",
    "cmath",
    "codecvt",
    "compare",
    "complex",
    "complex.h",
    "concepts",
    "condition_variable",
    "coroutine",
    "csetjmp",
    "csignal",
    "cstdarg",
    "cstdbool",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctgmath",
    "ctime",
    "ctype.h",
    "cuchar",
    "cwchar",
    "cwctype",
    "deque",
    "dirent.h",
    "dlfcn.h",
    "errno.h",
    "exception",
    "execution",
    "expected",
    "fcntl.h",
    "fenv.h",
    "filesystem",
    "float.h",
    "format",
    "forward_list",
    "fstream",
    "functional",
    "future",
    "getopt.h",
    "immintrin.h",
    "initializer_list",
    "inttypes.h",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "iso646.h",
    "istream",
    "iterator",
    "latch",
    "libgen.h",
    "limits",
    "limits.h",
    "list",
    "locale",
    "locale.h",
    "malloc.h",
    "map",
    "math.h",
    "memory",
    "memory.h",
    "memory_resource",
    "mutex",
    "netdb.h",
    "netinet",
    "new",
    "numbers",
    "numeric",
    "omp.h",
    "optional",
    "ostream",
    "poll.h",
    "pthread.h",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "sched.h",
    "scoped_allocator",
    "semaphore",
    "semaphore.h",
    "set",
    "setjmp.h",
    "shared_mutex",
    "signal.h",
    "source_location",
    "span",
    "sstream",
    "stack",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdexcept",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stop_token",
    "streambuf",
    "string",
    "string.h",
    "string_view",
    "strings.h",
    "strstream",
    "syncstream",
    "sys",
    "system_error",
    "tgmath.h",
    "thread",
    "time.h",
    "tuple",
    "type_traits",
    "typeindex",
    "typeinfo",
    "unistd.h",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
    "version",
    "wchar.h",
    "wctype.h",
    "x86intrin.h",
};

static bool is_of_the_system(const look *l, const char *first_part) {
  size_t count = sizeof system_headers / sizeof *system_headers;
  return bsearch(&first_part, system_headers, count, sizeof *system_headers, compare) ||
         has_word(l->words, uw_format("<%s", first_part));
}

static verdict look_at_file(look *l, const char *file, const char *folder);

static verdict look_at_include(look *l, const char *line, const char *folder) {
  char bracket = *line;
  size_t length = bracket == '"' ? strcspn(line + 1, "\"\n") : bracket == '<' ? strcspn(line + 1, ">\n") : 0;
  if (!length)
    return TELLS; /* a macro's value */
  const char *name = uw_copy_text(line + 1, length);
  /* Ours, since no folder of the user's has a file of that name (c); beside an includer there might be. */
  bool beside = bracket == '"' && access(uw_format("%s/%s", folder, name), R_OK) == 0;
  if (!beside && (strcmp(name, "sycl/sycl.hpp") == 0 || strcmp(name, "CL/sycl.hpp") == 0))
    return FOUND;
  const char *path = beside ? uw_format("%s/%s", name[0] == '/' ? "" : folder, name) : NULL;
  for (size_t i = 0; !path && i < l->folders->count; i++) {
    path = uw_format("%s/%s", l->folders->items[i], name);
    path = access(path, R_OK) == 0 ? path : NULL;
  }
  if (path)
    return look_at_file(l, path, uw_copy_text(path, (size_t)(strrchr(path, '/') - path)));
  return is_of_the_system(l, uw_copy_text(name, strcspn(name, "/"))) ? NOTHING : TELLS;
}

/* Comments and the ends of lines that go on in the next become blanks. Raw strings do not occur where only directives
 * are let through. */
static void blank_comments(char *text) {
  for (char *at = text; *at; at++) {
    if (at[0] == '\\' && at[1] == '\n') {
      at[0] = at[1] = ' ';
    } else if (*at == '"') {
      while (at[1] && at[1] != '"' && at[1] != '\n')
        at += at[1] == '\\' && at[2] ? 2 : 1;
      at += at[1] == '"';
    } else if (at[0] == '/' && at[1] == '/') {
      for (; *at && *at != '\n'; at++)
        *at = ' ';
      at--;
    } else if (at[0] == '/' && at[1] == '*') {
      char *end = strstr(at + 2, "*/");
      end = end ? end + 2 : at + strlen(at);
      for (; at < end; at++)
        *at = *at == '\n' ? '\n' : ' ';
      at--;
    }
  }
}

static const char *after(const char *at, const char *word) {
  at += strlen(word);
  return at + strspn(at, " \t");
}

/* The first `#ifndef X` of a file with `#define X` in the next line that is not empty guards it: no branch to be left
 * out. */
static bool is_guard(const char *name, const char *next_line) {
  next_line += strspn(next_line, " \t\n#");
  const char *defined = uw_after_prefix(next_line, "define");
  return defined && strcmp(word_at(defined + strspn(defined, " \t")), name) == 0;
}

static verdict look_at_directive(look *l, const char *at, const char *next_line, const char *folder, int *conditions) {
  const char *word = word_at(at), *rest = after(at, word);
  if (strcmp(word, "include") == 0) {
    verdict what = look_at_include(l, rest, folder);
    return what == FOUND && *conditions ? TELLS : what;
  }
  if (strcmp(word, "define") == 0 || strcmp(word, "undef") == 0)
    return has_word(l->words, word_at(rest)) ? TELLS : NOTHING;
  if (strcmp(word, "ifndef") == 0 && is_guard(word_at(rest), next_line))
    return NOTHING;
  if (strcmp(word, "if") == 0 || strcmp(word, "ifdef") == 0 || strcmp(word, "ifndef") == 0)
    ++*conditions;
  else if (strcmp(word, "endif") == 0)
    *conditions -= *conditions > 0;
  else if (strcmp(word, "pragma") == 0)
    return strcmp(word_at(rest), "once") == 0 ? NOTHING : TELLS;
  else if (*word && strcmp(word, "else") && strcmp(word, "elif") && strcmp(word, "error") && strcmp(word, "warning"))
    return TELLS;
  return NOTHING;
}

static verdict look_at_file(look *l, const char *file, const char *folder) {
  char *text = l->depth < 20 ? uw_read_file(file) : NULL;
  if (!text)
    return TELLS;
  blank_comments(text);
  l->depth++;
  verdict result = NOTHING;
  int conditions = 0;
  for (char *at = text; *at && result == NOTHING;) {
    at += strspn(at, " \t\r\n\f\v");
    if (!*at)
      break;
    char *line_end = at + strcspn(at, "\n");
    if (*at == '#')
      result = look_at_directive(l, at + 1 + strspn(at + 1, " \t"), line_end, folder, &conditions);
    else
      result = TELLS;
    at = line_end;
  }
  l->depth--;
  return result;
}

/* A file or a folder there would be found in place of what the header means. */
static bool has_same_names(const char *folder, const uw_header_words *words) {
  DIR *entries = opendir(folder);
  if (!entries)
    return false;
  bool same = false;
  for (struct dirent *entry; !same && (entry = readdir(entries));)
    same = has_word(words, uw_format("<%s", entry->d_name));
  closedir(entries);
  return same;
}

bool uw_hide_headers(const uw_strings *folders, const uw_header_words *words) {
  for (size_t i = 0; i < folders->count; i++)
    if (has_same_names(folders->items[i], words))
      return true;
  return false;
}

bool uw_starts_with_sycl(const char *file, const char *folder, const uw_strings *folders,
                         const uw_header_words *words) {
  look l = {folders, words, 0};
  return look_at_file(&l, file, folder) == FOUND;
}
