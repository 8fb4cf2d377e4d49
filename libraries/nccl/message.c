/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Texts of errors: kept for ncclGetLastError, and written where NCCL_DEBUG asks for warnings. */
#define _GNU_SOURCE
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Of the process, as NCCL's: what a thread of the runtime's says can be asked for. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last[512];

enum { UNREAD = -1, SILENT, VERSION, WARN, INFO };
static _Atomic int level = UNREAD;
static FILE *file; /* null: stderr */

/* Without its domain. */
static void read_host(char host[64]) {
  memset(host, 0, 64);
  gethostname(host, 63);
  host[strcspn(host, ".")] = 0;
}

/* NCCL_DEBUG_FILE, with %h for the machine and %p for the process. */
static FILE *open_file(const char *pattern) {
  char *name = NULL, host[64];
  size_t length;
  FILE *to = open_memstream(&name, &length), *opened = NULL;
  if (!to)
    return NULL;
  read_host(host);
  for (const char *at = pattern; *at; at++)
    if (*at != '%')
      fputc(*at, to);
    else if (at[1] == 'h')
      fputs(host, to), at++;
    else if (at[1] == 'p')
      fprintf(to, "%d", (int)getpid()), at++;
    else
      at += at[1] == '%', fputc('%', to);
  if (fclose(to) == 0 && (opened = fopen(name, "we")))
    setlinebuf(opened);
  if (!opened)
    fprintf(stderr, "unwarp: NCCL_DEBUG_FILE: %s cannot be written\n", name);
  free(name);
  return opened;
}

static void open_named(void) {
  const char *pattern = getenv("NCCL_DEBUG_FILE");
  if (pattern && *pattern)
    file = open_file(pattern);
}

void uwnccl_read_level(void) {
  static pthread_once_t opening = PTHREAD_ONCE_INIT;
  const char *text = getenv("NCCL_DEBUG");
  level = !text                                                             ? SILENT
          : strcasecmp(text, "INFO") == 0 || strcasecmp(text, "TRACE") == 0 ? INFO
          : strcasecmp(text, "WARN") == 0                                   ? WARN
          : strcasecmp(text, "VERSION") == 0                                ? VERSION
                                                                            : SILENT;
  if (level > SILENT)
    pthread_once(&opening, open_named);
}

static FILE *output(void) { return file ? file : stderr; }

/* host:process:thread [device], as NCCL has it. By one call, as other processes write to the same place. */
static void print_line(const char *text, const char *kind, const struct ncclComm *c) {
  char host[64], device[16] = "";
  read_host(host);
  if (c)
    snprintf(device, sizeof device, "[%d] ", c->device);
  fprintf(output(), "%s:%d:%d %sNCCL %s %s\n", host, (int)getpid(), (int)gettid(), device, kind, text);
}

ncclResult_t uwnccl_say(ncclResult_t result, const char *format, ...) {
  va_list arguments;
  if (level == UNREAD)
    uwnccl_read_level();
  pthread_mutex_lock(&lock);
  va_start(arguments, format);
  vsnprintf(last, sizeof last, format, arguments);
  va_end(arguments);
  if (level >= WARN)
    print_line(last, "WARN", NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

void uwnccl_inform(const struct ncclComm *c, const char *format, ...) {
  va_list arguments;
  char text[400];
  if (level < INFO)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_line(text, "INFO", c);
}

void uwnccl_tell_version(const struct ncclComm *c) {
  static atomic_int is_told;
  if (level >= VERSION && !c->rank && !atomic_exchange(&is_told, 1))
    fprintf(output(), "NCCL version %d.%d.%d of unwarp\n", NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH);
}

const char *uwnccl_last_message(void) { return last; }

void uwnccl_show(const char *text) {
  if (level == UNREAD)
    uwnccl_read_level();
  print_line(text, "INFO", NULL);
}

extern __typeof__(ncclResetDebugInit) pncclResetDebugInit __attribute__((alias("ncclResetDebugInit")));
void ncclResetDebugInit(void) { uwnccl_read_level(); }
