/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slips of the pen in options, where clang or the linker judges them: the nearest of unwarp's own options, of the
 * processors that clang lists, of the standards, of our libraries; and for options that device code cannot have the way
 * that hands them to host code alone. */
#include "slips.h"

#include "libraries.h"
#include "options.h"

#include <string.h>

/* What stands in quotes after `before`, or right after it up to the line's end; null if the message has no such. */
static const char *word_after(const char *message, const char *before) {
  const char *at = strstr(message, before);
  if (!at)
    return NULL;
  at += strlen(before);
  return uw_copy_text(at, strcspn(at, "'\n"));
}

static const char *nearest_cpu(const char *cpu, const char *messages) {
  uw_strings names = {0}, words = {0};
  const char *list = strstr(messages, "valid target CPU values are: ");
  if (list) {
    list += strlen("valid target CPU values are: ");
    uw_strings_add_split(&words, uw_copy_text(list, strcspn(list, "\n")), ',');
  }
  uw_strings_add(&names, "native");
  for (size_t i = 0; i < words.count; i++)
    uw_strings_add(&names, words.items[i] + strspn(words.items[i], " "));
  return uw_nearest(cpu, names.items, names.count);
}

static const char *nearest_standard(const char *standard) {
  static const char *const standards[] = {"c++98",   "c++03",   "c++11",   "c++14",   "c++17",   "c++20",
                                          "c++23",   "c++26",   "gnu++98", "gnu++03", "gnu++11", "gnu++14",
                                          "gnu++17", "gnu++20", "gnu++23", "gnu++26", "c99",     "c11",
                                          "c17",     "c23",     "gnu99",   "gnu11",   "gnu17",   "gnu23"};
  return uw_nearest(standard, standards, sizeof standards / sizeof *standards);
}

/* -lineinf is a library to who does not know -lineinfo. */
static const char *nearest_library(const char *name) {
  const char *option = uw_nearest_option(uw_format("-l%s", name));
  if (option && uw_after_prefix(option, "-l") && option[2])
    return option;
  size_t count;
  const uw_provided_library *libraries = uw_provided_libraries(&count);
  uw_strings names = {0};
  for (size_t i = 0; i < count; i++)
    uw_strings_add(&names, libraries[i].name);
  uw_strings_add(&names, "cudart");
  const char *library = uw_nearest(name, names.items, names.count);
  return library ? uw_format("-l%s", library) : NULL;
}

const char *uw_suggestion(const char *message, const char *messages) {
  const char *word, *nearest = NULL;
  if (strstr(message, "did you mean"))
    return "";
  if (strstr(message, "for target 'nvptx64-nvidia-cuda'"))
    return "; -Xcompiler=OPTION hands one to host code alone";
  if ((word = word_after(message, "unknown option '")) || (word = word_after(message, "unknown argument: '")))
    nearest = uw_nearest_option(word);
  else if ((word = word_after(message, "unknown target CPU '")))
    nearest = nearest_cpu(word, messages);
  else if (strstr(message, "in '-std=") && (word = word_after(message, "invalid value '")))
    nearest = nearest_standard(word);
  else if ((word = word_after(message, "unable to find library -l")) || (word = word_after(message, "cannot find -l")))
    nearest = nearest_library(uw_copy_text(word, strcspn(word, ": ")));
  return nearest && strcmp(nearest, word) != 0 ? uw_format("; did you mean '%s'?", nearest) : "";
}

/* clang suggests what is nearest, however far that is. A number or a kind behind = is GCC's way. */
bool uw_is_unknown_warning(const char *line) {
  const char *word = word_after(line, "unknown warning option '");
  const char *meant = word_after(line, "'; did you mean '");
  return word && !(meant && !strchr(word, '=') && uw_is_slip(word, meant));
}
