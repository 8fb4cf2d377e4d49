/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Locations in the source: of what kernels do, by the tables that checked files bring (compiler/instrument/check_sites.c),
 * and of the host's calls, by return addresses and the program's debug information. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../source.h"
#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_check_site *known_sites; /* 0 is none */
static uint32_t count = 1, room;

static uwrt_check_site read(const char *text) {
  uwrt_check_site found = {.text = "", .object = ""};
  char *end;
  found.bytes = (uint32_t)strtoul(text, &end, 10);
  found.alignment = (uint32_t)strtoul(end, &end, 10);
  found.object = end + 1;
  found.object_length = (int)strcspn(found.object, "\n");
  found.text = found.object + found.object_length + 1;
  found.places_length = (int)strcspn(found.text, "\x02");
  return found;
}

static void add(const char *text) {
  if (count >= room) {
    room = room ? 2 * room : 1024;
    known_sites = realloc(known_sites, room * sizeof *known_sites);
    if (!known_sites)
      uwrt_fatal("out of memory: the checker cannot note locations");
  }
  known_sites[count] = read(text);
  count += count < UWRT_CELL_SITES - 1; /* the last one stands for all others */
}

uint32_t uwrt_check_sites(uint32_t *known, const char *sites, uint32_t classes) {
  uint32_t first = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  if (first)
    return first;
  uwrt_check_begin(classes);
  pthread_mutex_lock(&lock);
  if (!*known) {
    first = count;
    for (const char *at = sites; *at; at += strcspn(at, "\x02") + 1)
      add(at);
    __atomic_store_n(known, first, __ATOMIC_RELEASE);
  }
  first = *known;
  pthread_mutex_unlock(&lock);
  return first;
}

uwrt_check_site uwrt_check_site_of(uint32_t site) {
  pthread_mutex_lock(&lock);
  uwrt_check_site found = site && site < count ? known_sites[site] : (uwrt_check_site){.text = "", .object = ""};
  pthread_mutex_unlock(&lock);
  return found;
}

const char *uwrt_check_place(uint32_t site, char *text, size_t bytes) {
  uwrt_check_site of = uwrt_check_site_of(site);
  size_t length = 0;
  *text = 0;
  for (const char *at = of.text, *end = of.text + of.places_length; at < end && length < bytes;) {
    int line = (int)strcspn(at, "\n\x02");
    length += (size_t)snprintf(text + length, bytes - length, "%s%.*s", length ? ", called from " : "", line, at);
    at += line + 1;
  }
  return length ? text : "an unknown line (compile with -g)";
}

/* --- the host's calls --- */

/* A function of the API, or of the runtime: "cudaMalloc", "cudaError cudaMalloc<float>(float**, unsigned long)", and what
 * <<<>>> calls, which stands at the kernel's own line. */
static int is_of_runtime(const char *function) {
  static const char *const starts[] = {"cuda", "uwrt_", "__cuda", "__device_stub__"};
  for (const char *at = function; at; at = strchr(at, ' '), at += at != NULL)
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
      if (strncmp(at, starts[i], strlen(starts[i])) == 0 && strncmp(at, "cudaError", 9) != 0)
        return 1;
  return 0;
}

const char *uwrt_check_lines(void *const *calls, int most, char *text, size_t bytes) {
  enum { FRAMES = 48, ANSWER = 1 << 15 };
  static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
  static char answer[ANSWER];
  static uwrt_module_place module;
  uwrt_source_frame frames[FRAMES];
  uintptr_t addresses[16];
  int used = 0, found = -1, first = -1;
  pthread_mutex_lock(&asking);
  for (int i = 0; i < most && i < 16 && calls[i]; i++)
    addresses[used++] = (uintptr_t)calls[i] - 1; /* in the call, not after it */
  if (used && uwrt_module_of(calls[0], &module))
    found = uwrt_source_of(&module, addresses, used, answer, sizeof answer, frames, FRAMES);
  for (int i = 0; i < found; i++)
    if (frames[i].function && is_of_runtime(frames[i].function))
      first = i;
  *text = 0;
  size_t length = 0;
  for (int i = first + 1, shown = 0; i < found && shown < 4 && length < bytes; i++)
    if (frames[i].place && frames[i].function) {
      length += (size_t)snprintf(text + length, bytes - length, "%s%s (%s)", shown ? ", called from " : "",
                                 frames[i].place, frames[i].function);
      shown++;
      if (strcmp(frames[i].function, "main") == 0)
        break;
    }
  pthread_mutex_unlock(&asking);
  return *text ? text : NULL;
}

const char *uwrt_check_caller(char *text, size_t bytes) {
  void *calls[16] = {NULL};
  backtrace(calls, 16);
  return uwrt_check_lines(calls, 16, text, bytes);
}
