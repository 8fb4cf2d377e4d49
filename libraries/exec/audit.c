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

static int is_nvidias(const char *name) {
  static const char *const names[] = {"libcuda",  "libcudart",    "libnvrtc",    "libnvJitLink",
                                      "libnvvm",  "libnvidia-ml", "libcublas",   "libcublasLt",
                                      "libcufft", "libcurand",    "libcusolver", "libcusparse"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(name, names[i], length) == 0 && strncmp(name + length, ".so", 3) == 0)
      return 1;
  }
  return 0;
}

/* A plain .so is what linkers take, and may be a script: those with a number are the libraries. */
OURS char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag) {
  static _Thread_local char path[PATH_MAX];
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  (void)cookie;
  if (flag == LA_SER_ORIG && *folder && is_nvidias(base) && strlen(base) > 3 &&
      strcmp(base + strlen(base) - 3, ".so") != 0 &&
      (size_t)snprintf(path, sizeof path, "%s%s", folder, base) < sizeof path && access(path, R_OK) == 0)
    return path;
  return (char *)name;
}
