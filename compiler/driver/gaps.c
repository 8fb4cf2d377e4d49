/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What of a CUDA tool kit is not here, by the table in gaps.def. clang and the linker say only that a name is unknown;
 * the note says which part of CUDA the name is of and what to do. */
#include "gaps.h"

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
static bool is_of(const char *symbol, const char *prefix) {
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
    if (header ? fits(header, gaps[i].headers) : is_of(symbol, gaps[i].symbols))
      return &gaps[i];
  return NULL;
}

/* The word after `at`, in quotes or not, as clang, lld and GNU's linker write one. */
static const char *word_at(const char *at) {
  at += strspn(at, " '`\"");
  return uw_copy_text(at, strcspn(at, " '`\"\n;,("));
}

static void note(const gap *found, bool *said) {
  if (!found || said[found - gaps])
    return;
  said[found - gaps] = true;
  uw_report_note("unwarp has no %s: %s", found->name, found->advice);
}

void uw_note_gaps(const char *messages) {
  static const char missing[] = "' file not found";
  static const char *const before_symbol[] = {"use of undeclared identifier", "unknown type name", "undefined symbol:",
                                              "undefined reference to",       "no type named",     NULL};
  bool said[GAPS] = {0};
  for (const char *at = messages; (at = strstr(at, missing)); at++) {
    const char *start = at;
    while (start > messages && start[-1] != '\'' && start[-1] != '\n')
      start--;
    note(find(uw_copy_text(start, (size_t)(at - start)), NULL), said);
  }
  for (size_t i = 0; before_symbol[i]; i++)
    for (const char *at = messages; (at = strstr(at, before_symbol[i]));) {
      at += strlen(before_symbol[i]);
      const char *symbol = word_at(at), *after = strstr(at, symbol) + strlen(symbol);
      if (!uw_after_prefix(after, "'; did you mean"))
        note(find(NULL, symbol), said);
    }
}

const char *uw_library_gap(const char *name) {
  for (size_t i = 0; i < GAPS; i++)
    if (fits(name, gaps[i].libraries))
      return uw_format("unwarp has no %s: %s", gaps[i].name, gaps[i].advice);
  return NULL;
}
