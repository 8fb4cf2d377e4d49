/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who asks the driver for NVIDIA's own tables. That is NVIDIA's code: a library of NVIDIA's, known by its soname without the hash that wheels add,
 * or by what it exports, as files have any name; or the runtime that nvcc links into a program by default, which is in a file that has no runtime
 * as a library.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "../common/identity.h"

/* The strings of its dynamic section; null: it has none. */
static const char *strings_of(const struct link_map *map) {
  for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB)
      return (const char *)entry->d_un.d_ptr;
  return NULL;
}

static const char *soname_of(const struct link_map *map) {
  const char *strings = strings_of(map);
  for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_SONAME)
      return strings + entry->d_un.d_val;
  return NULL;
}

static int needs_runtime(const struct link_map *map) {
  const char *strings = strings_of(map);
  char plain[256];
  for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED && uwlib_plain_name(strings + entry->d_un.d_val, plain, sizeof plain) &&
        uwlib_is_stem(plain, "libcudart"))
      return 1;
  return 0;
}

/* By that name, itself. */
static int exports(const struct link_map *map, const char *name) {
  Dl_info info;
  void *handle = map->l_name && *map->l_name ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void *found = handle ? dlsym(handle, name) : NULL;
  int own = found && dladdr(found, &info) && (ElfW(Addr))info.dli_fbase == map->l_addr;
  if (handle)
    dlclose(handle);
  return own;
}

static int is_of_package(const char *path) {
  return strstr(path, "/site-packages/") || strstr(path, "/dist-packages/");
}

void uwcu_tell_caller(const void *address) {
  Dl_info info = {0};
  struct link_map *map = NULL;
  char plain[256] = "";
  int known = dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) && map;
  const char *file = known && info.dli_fname && *info.dli_fname ? info.dli_fname : "this program";
  const char *soname = known ? soname_of(map) : NULL;
  int named = soname && uwlib_plain_name(soname, plain, sizeof plain);
  const char *end = named ? strstr(plain, ".so") : plain;
  if (named && uwlib_foreign(plain))
    fprintf(stderr, "unwarp: unwarp has no %.*s: %s is NVIDIA's, which works with NVIDIA's driver alone\n",
            (int)(end - plain), plain, file);
  else if ((named && uwlib_is_stem(plain, "libcudart")) ||
           (known && exports(map, "cudaLaunchKernel") && exports(map, "cudaMalloc")))
    fprintf(stderr,
            "unwarp: unwarp has no %s: %s is NVIDIA's runtime as a library, which works with NVIDIA's driver alone; "
            "unwarp's are "
            "libcudart.so.10.1, .10.2, .11.0, .12 and .13, which unwarp --exec puts in the place of NVIDIA's\n",
            named ? plain : "such libcudart", file);
  else if (named && uwlib_has_own(plain))
    fprintf(stderr,
            "unwarp: %s is NVIDIA's %s, which works with NVIDIA's driver alone: unwarp --exec puts unwarp's in its "
            "place where it has that version\n",
            file, plain);
  else if (known && needs_runtime(map))
    fprintf(stderr, "unwarp: %s asks NVIDIA's driver for what is NVIDIA's own, which unwarp has not\n", file);
  else if (is_of_package(file))
    fprintf(stderr,
            "unwarp: %s has NVIDIA's runtime linked in statically, and that works with NVIDIA's driver alone: build "
            "the package from its "
            "source with unwarp (docs/running.md)\n",
            file);
  else
    fprintf(stderr,
            "unwarp: %s has NVIDIA's runtime linked in statically, nvcc's default, and that works with NVIDIA's driver "
            "alone: link it with "
            "-cudart shared, leave its symbols in it (no strip), or build it with unwarp\n",
            file);
}
