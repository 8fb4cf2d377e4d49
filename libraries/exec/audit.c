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
#include <sys/stat.h>
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

const char *uwexec_folder(void) { return folder; }

static int is_ours(const struct link_map *map) {
  return map->l_name && *folder && strncmp(map->l_name, folder, strlen(folder)) == 0;
}

/* Device code that libcuda opens (libraries/cuda/module.c). */
static int is_module(const char *path) { return path && strncmp(path, "/proc/self/fd", 13) == 0; }

static int is_c_library(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash && strncmp(slash, "/libc.so.", 9) == 0;
}

/* The program, Python, and what ends C++ programs: all others are bound as without us. */
static int is_led(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return !path || !*path ||
         (slash && (strncmp(slash, "/libpython", 10) == 0 || strncmp(slash, "/libstdc++.so", 13) == 0));
}

OURS unsigned int la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  *cookie = (uintptr_t)map;
  if (space == LM_ID_BASE && is_c_library(map->l_name))
    uwexec_lead_programs(map);
  if (!is_ours(map) && !is_module(map->l_name))
    uwexec_lead(map, uwexec_opened(map));
  return is_c_library(map->l_name) ? LA_FLG_BINDTO : is_led(map->l_name) ? LA_FLG_BINDFROM : 0;
}

OURS uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to, unsigned int *flags,
                            const char *name) {
  (void)index, (void)from, (void)to;
  *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  return strcmp(name, "abort") == 0 ? uwexec_abort(symbol->st_value) : uwexec_in_place_of(name, symbol->st_value);
}

OURS void la_preinit(uintptr_t *cookie) {
  (void)cookie;
  uwexec_watch_end();
}

/* --- what is looked for ------------------------------------------------------------------------------------------- */

static int is_there(const char *stem, int stem_length, const char *number, char *path, size_t room) {
  int length = snprintf(path, room, "%s%.*s.so.%s", folder, stem_length, stem, number);
  return length > 0 && (size_t)length < room && access(path, R_OK) == 0;
}

/* By the number of the soname, which is what lies here. A name without one, which with NVIDIA's is a link to the tool
 * kit's own version, is that of the CUDA which the process uses already; ours by that name may be a linker script. One
 * with more digits is a file's, as tools that make wheels copy it: libcudart.so.12.0.107 is libcudart.so.12, and
 * libcudart.so.11.8.89 is libcudart.so.11.0. Files of the driver have the driver's number: libcuda.so.535.104. */
int uwexec_find_own(const char *plain, char *path, size_t room) {
  const struct uwlib_own *own = *folder ? uwlib_own(plain) : NULL;
  if (!own)
    return 0;
  enum { ROOM = 64 };
  char number[ROOM];
  int stem_length = (int)(strstr(plain, ".so") - plain);
  const char *given = plain + stem_length + strlen(".so"),
             *usual = uwexec_cuda_version() == 13 ? own->of_13 : own->of_12;
  if ((size_t)snprintf(number, sizeof number - 2, "%s", *given ? given + 1 : usual) >= sizeof number - 2)
    return 0;
  for (;;) {
    if (is_there(plain, stem_length, number, path, room))
      return 1;
    size_t length = strlen(number);
    strcpy(number + length, ".0");
    if (is_there(plain, stem_length, number, path, room))
      return 1;
    number[length] = 0;
    char *dot = strrchr(number, '.');
    if (!dot)
      return strcmp(own->of_12, "1") == 0 && is_there(plain, stem_length, "1", path, room);
    *dot = 0;
  }
}

/* By whatever name. */
static int is_loaded(const struct link_map *asking, const char *path) {
  struct stat wanted, found;
  if (stat(path, &wanted) != 0)
    return 0;
  while (asking->l_prev)
    asking = asking->l_prev;
  for (const struct link_map *at = asking; at; at = at->l_next)
    if (is_ours(at) && stat(at->l_name, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino)
      return 1;
  return 0;
}

/* Where ours is loaded already and is asked for by another name, as copies in wheels have it, the loader must note that
 * name: it looks for it when it compares versions. It does not where the name is changed at once, but where the first
 * file that it tries is. */
OURS char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag) {
  static char path[PATH_MAX]; /* of the loader, which holds its lock meanwhile */
  char plain[256];
  const struct link_map *asking = (const struct link_map *)*cookie;
  int for_ours = is_ours(asking);
  if (flag == LA_SER_ORIG && for_ours && is_module(name))
    uwexec_runs_device_code();
  if (!*folder || !uwlib_plain_name(name, plain, sizeof plain))
    return (char *)name;
  if (flag == LA_SER_ORIG)
    uwexec_look_for(plain, for_ours);
  if (!uwexec_find_own(plain, path, sizeof path))
    return (char *)name;
  if (flag == LA_SER_ORIG)
    return !strchr(name, '/') && is_loaded(asking, path) ? (char *)name : path;
  return is_loaded(asking, path) ? path : (char *)name;
}
