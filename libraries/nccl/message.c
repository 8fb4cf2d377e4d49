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

enum { UNREAD = -1, SILENT, WARN, INFO };
static _Atomic int level = UNREAD;

void uwnccl_read_level(void) {
  const char *text = getenv("NCCL_DEBUG");
  level = !text                                                             ? SILENT
          : strcasecmp(text, "INFO") == 0 || strcasecmp(text, "TRACE") == 0 ? INFO
          : strcasecmp(text, "WARN") == 0                                   ? WARN
                                                                            : SILENT;
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
    fprintf(stderr, "unwarp[%d] NCCL WARN %s\n", (int)getpid(), last);
  pthread_mutex_unlock(&lock);
  return result;
}

/* host:process:thread [device] NCCL INFO …, as NCCL has it. */
void uwnccl_inform(const struct ncclComm *c, const char *format, ...) {
  va_list arguments;
  char host[64] = "", text[400];
  if (level < INFO)
    return;
  gethostname(host, sizeof host - 1);
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%.*s:%d:%d [%d] NCCL INFO %s\n", (int)strcspn(host, "."), host, (int)getpid(), (int)gettid(),
          c->device, text);
}

const char *uwnccl_last_message(void) { return last; }
