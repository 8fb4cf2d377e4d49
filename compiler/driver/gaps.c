/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What of a CUDA tool kit is not here, by the table in gaps.def, and of SYCL's extensions, by extensions.def. clang and the linker say only that a name is unknown;
 * the note says which part of CUDA the name is of and what to do. */
#include "gaps.h"

#include "forgotten.h"
#include "report.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

typedef struct gap {
  const char *name, *libraries, *headers, *symbols, *advice;
} gap;

static const gap gaps[] = {
#define UW_GAP(name, libraries, headers, symbols, advice) {name, libraries, headers, symbols, advice},
#include "gaps.def"
#undef UW_GAP
};
enum { GAPS = sizeof gaps / sizeof *gaps };

/* Here symbols are patterns. */
static const gap extensions[] = {
#define UW_EXTENSION(name, names, headers, advice) {name, "", headers, names, advice},
#include "extensions.def"
#undef UW_EXTENSION
};
enum { EXTENSIONS = sizeof extensions / sizeof *extensions };

/* `patterns` are parted by spaces. */
static bool fits(const char *text, const char *patterns) {
  uw_strings words = {0};
  uw_strings_add_split(&words, patterns, ' ');
  for (size_t i = 0; i < words.count; i++)
    if (fnmatch(words.items[i], text, 0) == 0)
      return true;
  return false;
}

/* cuInit and CUdevice are the driver API's, cublasCreate and CUBLAS_OP_N cuBLAS's, curious nobody's. */
bool uw_is_name_of(const char *symbol, const char *prefix) {
  size_t length = strlen(prefix);
  if (!length || strncasecmp(symbol, prefix, length) != 0)
    return false;
  bool upper = strncmp(symbol, prefix, length) != 0; /* CUdevice */
  return isupper((unsigned char)symbol[length]) || (upper && length == 2 && islower((unsigned char)symbol[length])) ||
         symbol[length] == '_';
}

/* The first row that fits, by a header or by a symbol. */
static const gap *find(const char *header, const char *symbol) {
  for (size_t i = 0; i < GAPS; i++)
    if (header ? fits(header, gaps[i].headers) : uw_is_name_of(symbol, gaps[i].symbols))
      return &gaps[i];
  return NULL;
}

/* The word after `at`, in quotes or not, as clang, lld and GNU's linker write one. */
static const char *word_at(const char *at) {
  at += strspn(at, " '`\"");
  return uw_copy_text(at, strcspn(at, " '`\"\n;,("));
}

typedef struct notes {
  bool of_gaps[GAPS], of_extensions[EXTENSIONS];
  uw_strings forgotten; /* libraries and headers */
} notes;

static void note(const gap *found, bool *said) {
  if (*said)
    return;
  *said = true;
  uw_report_note("unwarp has no %s: %s", found->name, found->advice);
}

static void note_gap(const char *header, const char *symbol, notes *said) {
  const gap *found = find(header, symbol);
  if (found)
    note(found, &said->of_gaps[found - gaps]);
}

/* What is here, and was not asked for. */
static bool note_forgotten(const char *symbol, bool linking, bool standard, notes *said) {
  const char *what = linking    ? uw_forgotten_library(symbol)
                     : standard ? uw_forgotten_standard_header(symbol)
                                : uw_forgotten_header(symbol);
  if (!what)
    return false;
  if (standard)
    symbol = uw_format("std::%s", symbol);
  if (!uw_strings_contains(&said->forgotten, what))
    uw_report_note(linking ? "'%s' is in a library that the link does not name: add -l%s"
                           : "'%s' is declared in a header that the source does not include: #include <%s>",
                   symbol, what);
  uw_strings_add(&said->forgotten, what);
  return true;
}

/* The message goes on with what the name is looked for in. */
static bool is_of_sycl(const char *symbol, const char *message) {
  const char *sycl = strstr(message, "sycl");
  return strchr(symbol, '_') || (sycl && sycl < message + strcspn(message, "\n"));
}

static void note_extension(const char *header, const char *symbol, notes *said) {
  for (size_t i = 0; i < EXTENSIONS; i++)
    if (fits(header ? header : symbol, header ? extensions[i].headers : extensions[i].symbols)) {
      note(&extensions[i], &said->of_extensions[i]);
      return;
    }
}

static void note_headers(const char *messages, bool sycl, notes *said) {
  static const char missing[] = "' file not found";
  for (const char *at = messages; (at = strstr(at, missing)); at++) {
    const char *start = at;
    while (start > messages && start[-1] != '\'' && start[-1] != '\n')
      start--;
    const char *header = uw_copy_text(start, (size_t)(at - start));
    note_gap(header, NULL, said);
    if (sycl)
      note_extension(header, NULL, said);
  }
}

void uw_note_gaps(const char *messages, bool sycl) {
  static const char *const before_symbol[] = {"use of undeclared identifier",
                                              "unknown type name",
                                              "undefined symbol:",
                                              "undefined reference to",
                                              "no type named",
                                              "no member named",
                                              "no template named",
                                              NULL};
  notes said = {0};
  note_headers(messages, sycl, &said);
  for (size_t i = 0; before_symbol[i]; i++)
    for (const char *at = messages; (at = strstr(at, before_symbol[i]));) {
      at += strlen(before_symbol[i]);
      const char *symbol = word_at(at), *after = strstr(at, symbol) + strlen(symbol);
      if (uw_after_prefix(after, "'; did you mean"))
        continue;
      bool member = uw_after_prefix(before_symbol[i], "no member") || uw_after_prefix(before_symbol[i], "no template");
      bool linking = uw_after_prefix(before_symbol[i], "undefined") != NULL;
      bool standard = uw_after_prefix(after, "' in namespace 'std'") != NULL;
      if (standard)
        note_forgotten(symbol, false, true, &said);
      else if (!member && !note_forgotten(symbol, linking, false, &said))
        note_gap(NULL, symbol, &said);
      if (sycl && is_of_sycl(symbol, after))
        note_extension(NULL, symbol, &said);
    }
}

const char *uw_library_gap(const char *name) {
  for (size_t i = 0; i < GAPS; i++)
    if (fits(name, gaps[i].libraries))
      return uw_format("unwarp has no %s: %s", gaps[i].name, gaps[i].advice);
  return NULL;
}
