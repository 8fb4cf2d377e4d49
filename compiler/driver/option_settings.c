/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See option_settings.h. */
#include "option_settings.h"

#include "gpu_names.h"
#include "native.h"
#include "option_values.h"
#include "report.h"

#include <string.h>

/* `value` starts with an architecture; its number, if it has one, is noted once. */
bool uw_set_architecture(uw_options *options, const char *option, const char *value) {
  const char *after = strchr(value, '_');
  const char *number = after ? uw_copy_text(after + 1, strspn(after + 1, "0123456789")) : NULL;
  if (number && !uw_strings_contains(&options->architectures, number))
    uw_strings_add(&options->architectures, number);
  return uw_value_architecture(option, value);
}

bool uw_set_nvcc_architecture(uw_options *options, const char *option, const char *value) {
  if (options->architecture && strcmp(options->architecture, value) != 0)
    uw_report_warning("'%s' says '%s', and then '%s', which is taken", option, options->architecture, value);
  options->architecture = value;
  return uw_set_architecture(options, option, value);
}

bool uw_set_code(uw_options *options, const char *option, const char *value) {
  uw_strings_add(&options->codes, value);
  return uw_value_architecture(option, value);
}

bool uw_add_generated(uw_options *options, const char *option, const char *value) {
  const char *arch, *code;
  if (!uw_value_generate_code(option, value, &arch, &code))
    return false;
  uw_strings_add_many(&options->generated, arch, code, NULL);
  return uw_set_architecture(options, option, arch);
}

bool uw_set_default_stream(uw_options *options, const char *option, const char *value) {
  static const char *const streams[] = {"legacy", "null", "per-thread", NULL};
  if (strcmp(value, "per-thread") == 0)
    uw_strings_add_many(&options->both, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "-Xclang",
                        "-fgpu-default-stream=per-thread", NULL);
  return uw_value_one_of(option, value, streams);
}

bool uw_set_relocatable(uw_options *options) {
  if (!options->relocatable)
    uw_strings_add(&options->both, "-D__CUDACC_RDC__");
  return options->relocatable = true;
}

/* Both lists asked for come as one. */
bool uw_ask_for_list(uw_options *options, uw_command_question question, uw_command_question other) {
  options->question = options->question == other ? UW_ASK_CODE_AND_ARCH : question;
  return true;
}

/* One CPU is clang's to know. Of several, the levels of x86-64, kernels are for each and host code is for the first. */
bool uw_set_march(uw_options *options, const char *option, const char *value) {
  static const struct {
    const char *name;
    int number;
  } levels[] = {{"x86-64", 1}, {"x86-64-v3", 3}, {"x86-64-v4", 4}};
  enum { LEVELS = sizeof levels / sizeof *levels };
  if (strcmp(value, "native") == 0 && !uw_native_cpu(&value))
    return false;
  options->levels = 0;
  options->march_given = true;
  uw_strings_add(&options->both, uw_format("-march=%.*s", (int)strcspn(value, ","), value));
  if (!strchr(value, ','))
    return true;
  for (const char *word = value; word; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL) {
    size_t length = strcspn(word, ","), i = 0;
    while (i < LEVELS && (strlen(levels[i].name) != length || strncmp(levels[i].name, word, length) != 0))
      i++;
    if (i == LEVELS || options->levels >> levels[i].number != 0)
      return uw_report_error("'%s' wants one CPU, or several of x86-64,x86-64-v3,x86-64-v4 in this order, not '%s'",
                             option, value);
    options->levels |= 1u << levels[i].number;
  }
  return true;
}

bool uw_ask_for_remarks(uw_options *options, const char *option, const char *value) {
  static const char *const forms[] = {"text", "json", NULL};
  options->remarks = value ? value : forms[0];
  return !value || uw_value_one_of(option, value, forms);
}

bool uw_set_diagnostics_format(uw_options *options, const char *option, const char *value) {
  static const char *const forms[] = {"text", "clang", "sarif", "sarif-stderr", "sarif-file", NULL};
  options->sarif = strncmp(value, "sarif", strlen("sarif")) == 0;
  options->sarif_file = strcmp(value, "sarif-file") == 0;
  return uw_value_one_of(option, value, forms);
}

/* Polygeist's names. */
bool uw_set_cpuify(uw_options *options, const char *option, const char *value) {
  static const char *const methods[] = {"distribute", "distribute.mincut", NULL};
  options->keeps_all = strcmp(value, "distribute") == 0;
  return uw_value_one_of(option, value, methods);
}
