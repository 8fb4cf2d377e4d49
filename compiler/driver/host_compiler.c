/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * -ccbin: the user's host compiler. It links; host code is compiled by clang in any case, which takes over where MPI's
 * compilers look for headers. */
#include "host_compiler.h"

#include "../support/files.h"
#include "jobs.h"
#include "report.h"
#include "toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *last_component(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* As nvcc does: a folder is where g++ is, and a C compiler stands for the C++ compiler beside it. */
const char *uw_find_host_linker(const char *wanted) {
  static const char *const names[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"mpicc", "mpicxx"}};
  struct stat status;
  if (stat(wanted, &status) == 0 && S_ISDIR(status.st_mode))
    wanted = uw_format("%s/g++", wanted);
  const char *program = uw_find_program(wanted);
  if (!program) {
    uw_report_warning("there is no host compiler '%s': clang links", wanted);
    return NULL;
  }
  const char *name = last_component(program);
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !strstr(name, "++"); i++) {
    const char *at = strstr(name, names[i][0]);
    const char *neighbour =
        at ? uw_format("%.*s%s%s", (int)(at - program), program, names[i][1], at + strlen(names[i][0])) : NULL;
    if (neighbour && access(neighbour, X_OK) == 0)
      return neighbour;
  }
  return program;
}

void uw_add_wrapper_options(uw_options *options) {
  const char *program = options->host_compiler;
  if (!program || !uw_after_prefix(last_component(program), "mpi"))
    return;
  uw_strings show = {0}, words = {0};
  uw_strings_add_many(&show, program, "-show", NULL);
  FILE *stream = popen(uw_format("%s 2>/dev/null", uw_quoted_command(&show)), "r");
  if (!stream)
    return;
  size_t size;
  uw_add_option_text(&words, uw_read_stream(stream, &size));
  pclose(stream);
  for (size_t i = 0; i < words.count; i++)
    if (uw_after_prefix(words.items[i], "-I") || uw_after_prefix(words.items[i], "-D"))
      uw_strings_add(&options->both, words.items[i]);
}
