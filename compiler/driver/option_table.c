/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The search in the option table. Read uw_find_option first: every row whose spelling starts the argument and whose
 * form allows what follows is a candidate, and the longest spelling wins (-fmad before -f, -Wl, before -W). */
#include "option_table.h"

#include "options.h"

#include <string.h>

static const uw_option_row rows[] = {
#define UW_SECTION(title) {.section = title},
#define UW_OPTION(spelling, form, meaning, value, argument, help)                                                      \
  {NULL, spelling, FORM_##form, MEANS_##meaning, value, argument, help},
#include "options.def"
#undef UW_SECTION
#undef UW_OPTION
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const uw_option_row *uw_option_table(size_t *count) {
  *count = ROW_COUNT;
  return rows;
}

static size_t count_dashes(const char *text) { return text[0] != '-' ? 0 : text[1] != '-' ? 1 : 2; }

const uw_environment_row *uw_environment_table(size_t *count) {
  enum { COMPILER = false, PROGRAM = true };
  static const uw_environment_row environment[] = {
#define UW_ENVIRONMENT(reader, name, help) {reader, name, help},
#include "environment.def"
#undef UW_ENVIRONMENT
  };
  *count = sizeof environment / sizeof environment[0];
  return environment;
}

const char *uw_option_usage(const uw_option_row *row) {
  const char *between = row->form == FORM_NEXT || row->form == FORM_EITHER    ? " "
                        : row->form == FORM_EQUALS || row->form == FORM_MAYBE ? "="
                                                                              : "";
  return row->argument ? uw_format("%s%s%s", row->spelling, between, row->argument) : row->spelling;
}

/* The text after the option's name if `text` starts with it, else null. A long name may have one dash or two. */
static const char *after_name(const uw_option_row *row, const char *text) {
  const char *name = row->spelling + count_dashes(row->spelling);
  size_t dashes = count_dashes(text);
  if (!name[1] && dashes != count_dashes(row->spelling))
    return NULL;
  return dashes ? uw_after_prefix(text + dashes, name) : NULL;
}

/* Whether what follows the name fits the row's form; sets the value that is in the same argument. */
static bool fits(const uw_option_row *row, const char *rest, const char **joined) {
  *joined = NULL;
  switch (row->form) {
  case FORM_FLAG:
  case FORM_NEXT: return !*rest;
  case FORM_JOINED: *joined = rest; return true;
  case FORM_EITHER: *joined = *rest ? rest + (*rest == '=') : NULL; return true;
  case FORM_EQUALS:
  case FORM_MAYBE: *joined = *rest ? rest + 1 : NULL; return !*rest || *rest == '=';
  case FORM_NUMBER:
    rest += *rest == '=';
    *joined = *rest ? rest : NULL;
    return !rest[strspn(rest, "0123456789")];
  }
  return false;
}

const uw_option_row *uw_find_option(const char *text, const char **joined) {
  const uw_option_row *best = NULL;
  const char *best_joined = NULL;
  size_t best_length = 0;
  for (const uw_option_row *row = rows; row < rows + ROW_COUNT; row++) {
    const char *rest = row->section ? NULL : after_name(row, text), *value;
    if (!rest || !fits(row, rest, &value))
      continue;
    size_t length = (size_t)(rest - text) + (row->form == FORM_FLAG || row->form == FORM_NEXT);
    if (length > best_length) {
      best = row;
      best_length = length;
      best_joined = value;
    }
  }
  *joined = best_joined;
  return best;
}

const char *uw_nearest_option(const char *text) {
  const char *equals = strchr(text, '=');
  const char *name = equals ? uw_copy_text(text, (size_t)(equals - text)) : text;
  const char *spellings[ROW_COUNT];
  size_t count = 0;
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (!rows[i].section && rows[i].meaning != MEANS_REFUSE)
      spellings[count++] = rows[i].spelling;
  const char *nearest = uw_nearest(name, spellings, count);
  return nearest ? nearest : uw_nearest_by_words(name, spellings, count);
}
