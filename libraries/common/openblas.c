/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenBLAS chooses its kernels by the model of the processor, when it is loaded; models that came after it get those of
 * 2004 (Prescott), which are several times slower. Where it has kernels for instructions that this processor has and
 * its choice does not use, or uses more than UNWARP_MARCH allows, it is asked to choose again, by its own
 * OPENBLAS_CORETYPE, before a program can have called it: it is loaded with the library that this file is in, or else
 * the process has only one thread. The user's OPENBLAS_CORETYPE is left alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../runtime/levels.h"

#if defined(__x86_64__)

/* As OpenBLAS built for many processors has them; another has only kernels of one. */
extern char *openblas_get_corename(void);
extern void gotoblas_dynamic_init(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));

/* What kernels use. A name that is not known is of a later one. */
enum { SSE, AVX, AVX2, AVX512, AVX512_BFLOAT };
static const char *const names[] = {"Prescott", "Sandybridge", "Haswell", "SkylakeX", "Cooperlake"};

static int is_one_of(const char *core, const char *const *list) {
  for (; *list; list++)
    if (!strcasecmp(core, *list))
      return 1;
  return 0;
}
static int level_of(const char *core) {
  static const char *const sse[] = {"Prescott",     "Core2",     "Penryn", "Dunnington", "Nehalem",    "Opteron",
                                    "Opteron_SSE3", "Barcelona", "Bobcat", "Katmai",     "Coppermine", "Northwood",
                                    "Banias",       "Atom",      "Nano",   "Athlon",     NULL},
                           *const avx[] = {"Sandybridge", "Bulldozer", "Piledriver", "Steamroller", NULL},
                           *const avx2[] = {"Haswell", "Zen", "Excavator", NULL};
  if (is_one_of(core, sse))
    return SSE;
  if (is_one_of(core, avx))
    return AVX;
  if (is_one_of(core, avx2))
    return AVX2;
  return !strcasecmp(core, "SkylakeX") ? AVX512 : AVX512_BFLOAT;
}

static int level_here(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return SSE;
  if (!__builtin_cpu_supports("x86-64-v4"))
    return AVX2;
  return __builtin_cpu_supports("avx512bf16") ? AVX512_BFLOAT : AVX512;
}

/* What UNWARP_MARCH allows. (The runtime tells of a name that is none.) */
static int level_wanted(int is_limited) {
  const int level = uwrt_level_named(getenv("UNWARP_MARCH")),
            most = level >= 4   ? AVX512
                   : level == 3 ? AVX2
                                : SSE,
            here = level_here();
  return is_limited && most < here ? most : here;
}

/* Objects are told in the order of loading: was OpenBLAS there before this library? */
typedef struct order {
  int seen_ours, came_after;
} order;
static int holds(const struct dl_phdr_info *info, uintptr_t at) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && at - (info->dlpi_addr + part->p_vaddr) < part->p_memsz)
      return 1;
  }
  return 0;
}
static int look(struct dl_phdr_info *info, size_t bytes, void *into) {
  order *found = into;
  (void)bytes;
  found->seen_ours = found->seen_ours || holds(info, (uintptr_t)names);
  if (!holds(info, (uintptr_t)gotoblas_dynamic_init))
    return 0;
  found->came_after = found->seen_ours;
  return 1;
}

static int is_alone(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  if (!tasks)
    return 0;
  for (const struct dirent *one; (one = readdir(tasks));)
    count += *one->d_name != '.';
  closedir(tasks);
  return count == 1;
}

__attribute__((constructor)) static void choose_kernels(void) {
  if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || getenv("OPENBLAS_CORETYPE"))
    return;
  const char *named = getenv("UNWARP_MARCH");
  const int is_limited = named && *named && strcmp(named, "native"), wanted = level_wanted(is_limited),
            chosen = level_of(openblas_get_corename());
  order found = {0};
  if (chosen == wanted || (chosen > wanted && !is_limited))
    return;
  dl_iterate_phdr(look, &found);
  if ((!found.came_after && !is_alone()) || setenv("OPENBLAS_CORETYPE", names[wanted], 1))
    return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv("OPENBLAS_CORETYPE");
}

#endif
