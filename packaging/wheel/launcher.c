/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What stands in a wheel where an installation has a link to a program, and what pip puts into bin: it becomes the
 * program TARGET, under the name NAME. TARGET is a path from this file's folder; where it has a '*', the first that
 * belongs to the same build (IDENTITY, the contents of IDENTITY_FILE around it) is meant, as pip may have put packages of
 * several Pythons beside one bin. */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef IDENTITY
#define IDENTITY ""
#define IDENTITY_FILE ""
#endif

static const char *const targets[] = {TARGETS};

/* A folder may have characters that glob takes for patterns. */
static int escape(char *to, size_t room, const char *from) {
  size_t used = 0;
  for (; *from; from++) {
    if (used + 3 > room)
      return 0;
    if (strchr("*?[]\\", *from))
      to[used++] = '\\';
    to[used++] = *from;
  }
  to[used] = 0;
  return 1;
}

/* program: .../toolkit/bin/NAME */
static int is_of_this_build(const char *program) {
  char path[PATH_MAX], text[sizeof IDENTITY] = "";
  if (!*IDENTITY)
    return 1;
  int length = snprintf(path, sizeof path, "%.*s/../" IDENTITY_FILE, (int)(strrchr(program, '/') - program), program);
  FILE *file = length < (int)sizeof path ? fopen(path, "re") : NULL;
  size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  return got == sizeof text - 1 && memcmp(text, IDENTITY, got) == 0;
}

int main(int count, char **arguments) {
  char here[PATH_MAX], folder[2 * PATH_MAX], pattern[3 * PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
  (void)count;
  if (length < 0) {
    fprintf(stderr, NAME ": error: cannot read /proc/self/exe: %s\n", strerror(errno));
    return 1;
  }
  here[length] = 0;
  *strrchr(here, '/') = 0;
  if (!escape(folder, sizeof folder, here))
    return 1;
  arguments[0] = NAME;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/%s", folder, targets[i]);
    if (glob(pattern, 0, NULL, &found) != 0)
      continue;
    for (size_t j = 0; j < found.gl_pathc; j++)
      if (is_of_this_build(found.gl_pathv[j]))
        execv(found.gl_pathv[j], arguments);
    globfree(&found);
  }
  fprintf(stderr,
          NAME ": error: the package of this program is not whole beside '%s' (looked for %s): install it again, "
               "by pip install --force-reinstall unwarp\n",
          here, targets[0]);
  return 1;
}
