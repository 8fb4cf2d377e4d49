/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVRTC's options (NVRTC documentation, "Supported Compile Options"): most are the compiler's own, some have no meaning
 * on a CPU, and what is not in the table is refused. Each may begin with one dash or two; a value follows `=`, or at
 * once after -I, -D and -U, or is the next one.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <stdio.h>
#include <string.h>

typedef enum {
  PASS,
  PASS_VALUE,
  IGNORE,
  IGNORE_VALUE,
  DEFAULT_DEVICE,
  NO_SOURCE_FOLDER,
  RELOCATABLE,
  RELOCATABLE_VALUE,
  LTO
} meaning;

static const struct {
  const char *name;
  meaning meaning;
  const char *as; /* the compiler's name for it, with its dash; null: the same, with two */
} table[] = {
    {"gpu-architecture", PASS_VALUE, "-arch"},
    {"arch", PASS_VALUE, "-arch"},
    {"define-macro", PASS_VALUE, "-D"},
    {"undefine-macro", PASS_VALUE, "-U"},
    {"include-path", PASS_VALUE, "-I"},
    {"pre-include", PASS_VALUE, "-include"},
    {"include", PASS_VALUE, "-include"},
    {"std", PASS_VALUE, "-std"},
    {"device-debug", IGNORE, NULL}, /* kernels' variables are not shown: -G would only make them slow */
    {"G", IGNORE, NULL},
    {"generate-line-info", PASS, "-lineinfo"},
    {"lineinfo", PASS, "-lineinfo"},
    {"ftz", PASS_VALUE, "-ftz"},
    {"prec-sqrt", PASS_VALUE, "-prec-sqrt"},
    {"prec-div", PASS_VALUE, "-prec-div"},
    {"fmad", PASS_VALUE, "-fmad"},
    {"use_fast_math", PASS, "-use_fast_math"},
    {"disable-warnings", PASS, "-w"},
    {"w", PASS, "-w"},
    {"device-as-default-execution-space", DEFAULT_DEVICE, NULL},
    {"default-device", DEFAULT_DEVICE, NULL},
    {"fdevice-syntax-only", IGNORE, NULL},
    {"maxrregcount", IGNORE_VALUE, NULL},
    {"extra-device-vectorization", IGNORE, NULL},
    {"relocatable-device-code", RELOCATABLE_VALUE, NULL},
    {"rdc", RELOCATABLE_VALUE, NULL},
    {"device-c", RELOCATABLE, NULL},
    {"dc", RELOCATABLE, NULL},
    {"dlink-time-opt", LTO, NULL},
    {"dlto", LTO, NULL},
    {"device-w", IGNORE, NULL},
    {"dw", IGNORE, NULL},
    {"extensible-whole-program", IGNORE, NULL},
    {"ewp", IGNORE, NULL},
    {"modify-stack-limit", IGNORE_VALUE, NULL},
    {"no-source-include", NO_SOURCE_FOLDER, NULL},
    {"builtin-move-forward", IGNORE_VALUE, NULL},
    {"builtin-initializer-list", IGNORE_VALUE, NULL},
    {"device-int128", IGNORE, NULL},
    {"device-float128", IGNORE, NULL},
    {"optimization-info", IGNORE_VALUE, NULL},
    {"opt-info", IGNORE_VALUE, NULL},
    {"dopt", IGNORE_VALUE, NULL},
    {"Ofast-compile", IGNORE_VALUE, NULL},
    {"restrict", IGNORE, NULL},
    {"display-error-number", IGNORE, NULL},
    {"err-no", IGNORE, NULL},
    {"no-display-error-number", IGNORE, NULL},
    {"no-err-no", IGNORE, NULL},
    {"diag-error", IGNORE_VALUE, NULL},
    {"diag-suppress", IGNORE_VALUE, NULL},
    {"diag-warn", IGNORE_VALUE, NULL},
    {"brief-diagnostics", IGNORE_VALUE, NULL},
    {"brief-diag", IGNORE_VALUE, NULL},
    {"time", IGNORE_VALUE, NULL},
    {"split-compile", IGNORE_VALUE, NULL},
    {"minimal", IGNORE, NULL},
    {"pch", IGNORE, NULL},
    {"create-pch", IGNORE_VALUE, NULL},
    {"use-pch", IGNORE_VALUE, NULL},
    {"pch-dir", IGNORE_VALUE, NULL},
    {"pch-verbose", IGNORE_VALUE, NULL},
    {"pch-messages", IGNORE_VALUE, NULL},
    {"instantiate-templates-in-pch", IGNORE_VALUE, NULL},
    {"no-cache", IGNORE, NULL},
    {"jump-table-density", IGNORE_VALUE, NULL},
    {"jtd", IGNORE_VALUE, NULL},
    {"device-stack-protector", IGNORE_VALUE, NULL},
    {"frandom-seed", IGNORE_VALUE, NULL},
    {"version-ident", IGNORE_VALUE, NULL},
    {"ptxas-options", IGNORE_VALUE, NULL},
    {"Xptxas", IGNORE_VALUE, NULL},
};

static int add(uwrtc_options *to, char *item) {
  const char **larger = item ? realloc(to->items, (to->count + 1) * sizeof *larger) : NULL;
  if (!larger) {
    free(item);
    return 0;
  }
  to->items = larger;
  to->items[to->count++] = item;
  return 1;
}

static char *joined(const char *name, const char *value) {
  char *text = NULL;
  const char *between = name[1] && name[2] ? "=" : ""; /* -I, -D and -U take it at once */
  return asprintf(&text, "%s%s%s", name, between, value) < 0 ? NULL : text;
}

const char *uwrtc_read_options(uwrtc_options *to, int count, const char *const *options) {
  *to = (uwrtc_options){0};
  int good = 1;
  for (int i = 0; i < count; i++) {
    const char *option = options[i];
    if (!option || option[0] != '-' || !option[1])
      return option ? option : "(null)";
    const char *name = option + 1 + (option[1] == '-');
    size_t length = strcspn(name, "= ");
    if (option[1] != '-' && strchr("IDU", option[1])) {
      const char *value = option + 2;
      value += strspn(value, " =");
      if (!*value && ++i < count)
        value = options[i];
      char letter[] = {'-', option[1], 0};
      if (!value || !*value)
        return option;
      good &= add(to, joined(letter, value));
      continue;
    }
    size_t row = 0, rows = sizeof table / sizeof *table;
    while (row < rows && !(strlen(table[row].name) == length && strncmp(table[row].name, name, length) == 0))
      row++;
    if (row == rows)
      return option;
    const char *value = name[length] ? name + length + 1 : NULL;
    meaning what = table[row].meaning;
    if ((what == PASS_VALUE || what == IGNORE_VALUE || what == RELOCATABLE_VALUE) && !value) {
      if (i + 1 >= count)
        return option;
      value = options[++i];
    }
    switch (what) {
    case PASS: good &= add(to, strdup(table[row].as)); break;
    case PASS_VALUE:
      if (strcmp(table[row].as, "-include") == 0)
        good &= add(to, strdup("-include")) && add(to, strdup(value));
      else
        good &= add(to, joined(table[row].as, value));
      break;
    case DEFAULT_DEVICE:
      to->default_device = 1;
      good &= add(to, strdup("--device-as-default-execution-space"));
      break;
    case NO_SOURCE_FOLDER: to->no_source_folder = 1; break;
    case RELOCATABLE_VALUE: to->relocatable = strcmp(value, "true") == 0; break;
    case RELOCATABLE: to->relocatable = 1; break;
    case LTO: to->wants_lto = 1; break;
    case IGNORE:
    case IGNORE_VALUE: break;
    }
  }
  static const char *const always[] = {"-march=native", "-O3", "-D__CUDACC_RTC__=1", "-Wno-deprecated-gpu-targets"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    good &= add(to, strdup(always[i]));
  if (!good)
    uwrtc_free_options(to);
  return NULL;
}

/* As it is now: the program may go elsewhere, and the cache's key is to say which it was. */
int uwrtc_add_folder(uwrtc_options *to, const char *source) {
  const char *slash = strrchr(source, '/');
  char *folder = slash ? strndup(source, (size_t)(slash - source) + 1) : strdup(".");
  char *whole = folder ? realpath(folder, NULL) : NULL;
  int good = folder && (!whole || add(to, joined("-I", whole)));
  free(folder);
  free(whole);
  return good;
}

void uwrtc_free_options(uwrtc_options *options) {
  for (size_t i = 0; i < options->count; i++)
    free((char *)options->items[i]);
  free(options->items);
  options->items = NULL;
  options->count = 0;
}
