/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unwarp --exec: libraries of NVIDIA's that a program looks for and that unwarp has not. Where the loader finds none
 * either, the program says at most that a file is missing; a note then names the library and the wheel that brings
 * NVIDIA's. The loader stops at the first that is missing: what the same library needs besides is told with it, so that
 * it can be installed at once.
 *
 * Many programs look for more than they need (CuPy for cuTENSOR). So nothing is told of a program that ends well, nor,
 * where it fails, of what was missing before it came as far as running device code: that it could do without.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/identity.h"
#include "exec.h"

enum { MOST = 32, ROOM = 64 };

static struct library {
  char plain[ROOM], needed_by[ROOM];
  int searched, there, told;
  int spared; /* the program has gone on without it */
} libraries[MOST];
static unsigned int count;
static int cuda_version; /* 12 or 13, by the libraries that it uses beside these; 0: by none */

int uwexec_cuda_version(void) { return cuda_version; }

static int stem_length(const char *plain) { return (int)(strstr(plain, ".so") - plain); }

static int is_alike(const char *one, const char *other) {
  return stem_length(one) == stem_length(other) && strncmp(one, other, (size_t)stem_length(one)) == 0;
}

/* Of any version: programs try several. */
static struct library *known(const char *plain) {
  for (unsigned int i = 0; i < count; i++)
    if (is_alike(libraries[i].plain, plain))
      return &libraries[i];
  return NULL;
}

static struct library *enter(const char *plain) {
  struct library *library = known(plain);
  if (library || count == MOST || strlen(plain) >= ROOM)
    return library;
  strcpy(libraries[count].plain, plain);
  return &libraries[count++];
}

/* One of NVIDIA's that unwarp has not, in this version. */
static int is_foreign(const char *plain) {
  char path[PATH_MAX];
  return uwlib_foreign(plain) && !uwexec_find_own(plain, path, sizeof path);
}

static void look_at_version(const char *plain) {
  if (uwlib_is_stem(plain, "libcudart") || uwlib_is_stem(plain, "libcublas")) {
    int version = atoi(plain + stem_length(plain) + strlen(".so."));
    cuda_version = version == 12 || version == 13 ? version : cuda_version;
  }
}

static void print_wheel(const char *plain) {
  const struct uwlib_foreign *foreign = uwlib_foreign(plain);
  fprintf(stderr, " %s%s", foreign->wheel, cuda_version == 12 ? foreign->of_12 : foreign->of_13);
}

/* --- what is told ------------------------------------------------------------------------------------------------- */

static void tell_missing(void) {
  for (struct library *each = libraries; each < libraries + count; each++)
    if (each->searched && !each->there && !each->told && !each->spared) {
      each->told = 1;
      fprintf(stderr,
              "unwarp: note: unwarp has no %.*s (%s was looked for and is not there); NVIDIA's, which can be loaded "
              "but computes on GPUs alone: pip install",
              stem_length(each->plain), each->plain, each->plain);
      print_wheel(each->plain);
      fputc('\n', stderr);
    }
}

/* The loader has not come so far, since another is missing. */
static int is_left(const struct library *library) { return *library->needed_by && !library->searched; }

static void tell_left(void) {
  int found = 0;
  for (const struct library *each = libraries; each < libraries + count; each++)
    if (is_left(each))
      fprintf(stderr, "%s %s (%s)", found++ ? "," : "unwarp: note: needed besides, which unwarp has not:", each->plain,
              each->needed_by);
  if (found)
    fputs(": pip install", stderr);
  for (const struct library *each = libraries; each < libraries + count; each++)
    if (is_left(each))
      print_wheel(each->plain);
  if (found)
    fputc('\n', stderr);
}

static void tell_all(void) {
  tell_missing();
  for (const struct library *each = libraries; each < libraries + count; each++)
    if (each->told && *each->needed_by) {
      tell_left();
      return;
    }
}

/* --- how the program ends ----------------------------------------------------------------------------------------- */

static void end(int status, void *data) {
  (void)data;
  if (status != 0)
    tell_all();
}

static void (*real_abort)(void);
static void abort_after_all(void) {
  tell_all();
  real_abort();
}

uintptr_t uwexec_abort(uintptr_t function) {
  real_abort = (void (*)(void))function;
  return (uintptr_t)abort_after_all;
}

/* The program has a C library of its own, which alone knows the status. */
void uwexec_watch_end(void) {
  void *library = dlmopen(LM_ID_BASE, "libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  int (*at_end)(void (*)(int, void *), void *) =
      library ? (int (*)(void (*)(int, void *), void *))dlsym(library, "on_exit") : NULL;
  if (at_end)
    at_end(end, NULL);
}

void uwexec_runs_device_code(void) {
  for (struct library *each = libraries; each < libraries + count; each++)
    each->spared |= each->searched && !each->there;
}

/* --- what the loader says ----------------------------------------------------------------------------------------- */

void uwexec_look_for(const char *plain, int for_ours) {
  int foreign = is_foreign(plain);
  struct library *library = foreign ? enter(plain) : known(plain);
  if (!for_ours)
    look_at_version(plain);
  if (library && foreign)
    library->searched = 1;
  else if (library)
    library->there = 1; /* unwarp's, of another version */
}

static void enter_needed(const char *name, const char *by) {
  char plain[ROOM];
  if (!uwlib_plain_name(name, plain, sizeof plain))
    return;
  look_at_version(plain);
  struct library *library = is_foreign(plain) ? enter(plain) : NULL;
  if (library && !*library->needed_by)
    snprintf(library->needed_by, sizeof library->needed_by, "%s", by);
}

/* Of the dynamic section, in which the loader makes addresses of offsets where it can write. */
static const char *strings_of(const struct link_map *map) {
  for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB)
      return (const char *)(entry->d_un.d_ptr < map->l_addr ? entry->d_un.d_ptr + map->l_addr : entry->d_un.d_ptr);
  return NULL;
}

/* 101 of libcudart.so.10.1; 0: it is another library. */
static int runtime_version(const char *name) {
  char plain[ROOM], *end;
  if (!uwlib_plain_name(name, plain, sizeof plain) || !uwlib_is_stem(plain, "libcudart"))
    return 0;
  const char *digits = plain + stem_length(plain) + strlen(".so.");
  long major = strtol(digits, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
  return (int)(major * 10 + minor);
}

int uwexec_opened(const struct link_map *map) {
  int version = 0;
  const char *slash = map->l_name ? strrchr(map->l_name, '/') : NULL, *strings = slash ? strings_of(map) : NULL;
  char plain[ROOM];
  struct library *library = slash && uwlib_plain_name(slash, plain, sizeof plain) ? known(plain) : NULL;
  if (library)
    library->there = 1;
  for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED) {
      enter_needed(strings + entry->d_un.d_val, slash + 1);
      version = version ? version : runtime_version(strings + entry->d_un.d_val);
    }
  return version;
}
