/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unwarp --exec: the loader asks this library (LD_AUDIT, rtld-audit(7)) for each library that it looks for, by whatever
 * path a program, a run path or dlopen has it, and gets ours where the name is one of NVIDIA's that lies beside this
 * file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../common/identity.h"
#include "exec.h"

#define OURS __attribute__((visibility("default")))

static char folder[PATH_MAX];

OURS unsigned int la_version(unsigned int version) {
  Dl_info info;
  if (dladdr((void *)la_version, &info) && info.dli_fname && strlen(info.dli_fname) < sizeof folder) {
    strcpy(folder, info.dli_fname);
    char *slash = strrchr(folder, '/');
    if (slash)
      slash[1] = 0;
  }
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* --- what is not found -------------------------------------------------------------------------------------------- */

/* NVIDIA's libraries that are looked for and that unwarp has not: where the loader finds none either, the program says at most that a file is
 * missing, or goes on without a word. */
enum { MOST = 16, ROOM = 64 };
static char looked_for[MOST][ROOM];
static unsigned int look_count, told;

static size_t stem_length(const char *plain) { return (size_t)(strstr(plain, ".so") - plain); }

static int is_alike(const char *one, const char *other) {
  return stem_length(one) == stem_length(other) && strncmp(one, other, stem_length(one)) == 0;
}

/* Of any version: programs try several. */
static int place_of(const char *plain) {
  for (unsigned int i = 0; i < look_count; i++)
    if (is_alike(looked_for[i], plain))
      return (int)i;
  return -1;
}

static void look_for(const char *plain) {
  if (place_of(plain) < 0 && look_count < MOST && strlen(plain) < ROOM)
    strcpy(looked_for[look_count++], plain);
}

/* Of those that were looked for before this one, which may be the same under another version. */
static void tell_missing(const char *now) {
  for (unsigned int i = 0; i < look_count; i++)
    if (!(told >> i & 1) && (!now || !is_alike(looked_for[i], now))) {
      told |= 1u << i;
      fprintf(stderr, "unwarp: note: unwarp has no %.*s (%s was looked for and is not there)\n",
              (int)stem_length(looked_for[i]), looked_for[i], looked_for[i]);
    }
}

static int is_c_library(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash && strncmp(slash, "/libc.so.", 9) == 0;
}

/* The program, and Python: of all others calls are not to take longer. */
static int asks_for_files(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return !path || !*path || (slash && strncmp(slash, "/libpython", 10) == 0);
}

OURS unsigned int la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  char plain[ROOM];
  (void)space, (void)cookie;
  if (map->l_name && uwlib_plain_name(map->l_name, plain, sizeof plain) && place_of(plain) >= 0)
    told |= 1u << place_of(plain); /* NVIDIA's own is there */
  return is_c_library(map->l_name) ? LA_FLG_BINDTO : asks_for_files(map->l_name) ? LA_FLG_BINDFROM : 0;
}

OURS uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to, unsigned int *flags,
                            const char *name) {
  (void)index, (void)from, (void)to;
  *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  return uwexec_in_place_of(name, symbol->st_value);
}

__attribute__((destructor)) static void tell_last(void) { tell_missing(NULL); }

/* --- what is looked for ------------------------------------------------------------------------------------------- */

/* A plain .so is what linkers take, and may be a script: those with a number are the libraries. */
OURS char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag) {
  static _Thread_local char path[PATH_MAX];
  char plain[256];
  (void)cookie;
  if (flag != LA_SER_ORIG || !*folder || !uwlib_plain_name(name, plain, sizeof plain))
    return (char *)name;
  tell_missing(plain);
  if (uwlib_is_foreign(plain))
    look_for(plain);
  else if (uwlib_has_own(plain) && strcmp(plain + strlen(plain) - 3, ".so") != 0 &&
           (size_t)snprintf(path, sizeof path, "%s%s", folder, plain) < sizeof path && access(path, R_OK) == 0)
    return path;
  return (char *)name;
}
