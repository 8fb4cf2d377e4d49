/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which package brings what is missing (packages.def), in the words of the system at hand: as /etc/os-release calls it
 * and what it is like. */
#include "packages.h"

#include "../support/files.h"
#include "../support/strings.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* Ubuntu before Debian, which it is like. */
enum { UBUNTU, DEBIAN, FEDORA, OPENSUSE, ARCH, SYSTEMS };
static const struct {
  const char *id, *name, *command;
} systems[SYSTEMS] = {{"ubuntu", "Ubuntu", "apt-get install"},
                      {"debian", "Debian", "apt-get install"},
                      {"fedora", "Fedora", "dnf install"},
                      {"suse", "openSUSE", "zypper install"},
                      {"arch", "Arch", "pacman -S"}};

static const struct {
  const char *packages[SYSTEMS];
} needs[] = {
#define UW_PACKAGE(need, debian, fedora, opensuse, arch) {{debian, debian, fedora, opensuse, arch}},
#include "packages.def"
#undef UW_PACKAGE
};

/* The words of a line of /etc/os-release: ID_LIKE="rhel fedora". */
static uw_strings words_of(const char *text, const char *key) {
  uw_strings words = {0};
  size_t length = strlen(key);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, key, length) == 0 && line[length] == '=') {
      const char *value = line + length + 1;
      value += *value == '"' || *value == '\'';
      uw_strings_add_split(&words, uw_copy_text(value, strcspn(value, "\"'\n")), ' ');
      break;
    }
    if (!*line)
      break;
  }
  return words;
}

/* opensuse-tumbleweed is like "opensuse suse", and calls itself so. */
static int system_of(const uw_strings *words) {
  for (size_t i = 0; i < words->count; i++)
    for (int system = 0; system < SYSTEMS; system++)
      if (strcmp(words->items[i], systems[system].id) == 0 ||
          (system == OPENSUSE && strncmp(words->items[i], "opensuse", strlen("opensuse")) == 0))
        return system;
  return -1;
}

static int system_here(void) {
  const char *text = uw_read_file("/etc/os-release");
  if (!text)
    return -1;
  uw_strings id = words_of(text, "ID"), like = words_of(text, "ID_LIKE");
  int system = system_of(&id);
  return system >= 0 ? system : system_of(&like);
}

static const char *on(int system, uw_need need) {
  const char *packages = needs[need].packages[system];
  return packages ? uw_format("on %s: %s %s", systems[system].name, systems[system].command, packages) : NULL;
}

const char *uw_how_to_install(uw_need need) {
  int system = system_here();
  if (system >= 0 && on(system, need))
    return on(system, need);
  const char *all = NULL;
  for (system = DEBIAN; system < SYSTEMS; system++) {
    const char *one = on(system, need);
    if (one)
      all = all ? uw_format("%s; %s", all, one) : one;
  }
  return all;
}

static bool is_there(const char *const *patterns) {
  for (; *patterns; patterns++) {
    glob_t found;
    bool matches = glob(*patterns, GLOB_NOSORT, NULL, &found) == 0;
    if (matches) {
      globfree(&found);
      return true;
    }
  }
  return false;
}

bool uw_has_c_library(void) {
  static const char *const headers[] = {"/usr/include/stdlib.h", NULL}, *const start[] = {"/usr/lib/*/crt1.o",
                                                                                          "/usr/lib64/crt1.o",
                                                                                          "/usr/lib/crt1.o", NULL};
  return is_there(headers) && is_there(start);
}

bool uw_has_cxx_library(void) {
  static const char *const headers[] = {"/usr/include/c++/*/vector", NULL}, *const library[] = {
                                                                                "/usr/lib/gcc/*/*/libstdc++.so",
                                                                                "/usr/lib64/libstdc++.so",
                                                                                "/usr/lib/libstdc++.so",
                                                                                "/usr/lib64/gcc/*/*/libstdc++.so",
                                                                                NULL};
  return is_there(headers) && is_there(library);
}
