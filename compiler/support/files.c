/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whole files as text. The size is not asked for first, so pipes and devices are read like files. */
#include "files.h"

#include "strings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void (*uw_before_reading)(int descriptor);

static bool is_regular(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

char *uw_read_stream(FILE *stream, size_t *size) {
  size_t length = 0, capacity = 1 << 14;
  char *text = uw_need_memory(malloc(capacity));
  int descriptor = fileno(stream);
  bool may_wait = uw_before_reading && !is_regular(descriptor);
  for (ssize_t got = 1; got > 0;) {
    if (may_wait)
      uw_before_reading(descriptor);
    got = read(descriptor, text + length, capacity - length - 1);
    if (got < 0 && errno == EINTR) {
      got = 1;
      continue;
    }
    if (got < 0)
      return NULL;
    length += (size_t)got;
    if (capacity - length < 2)
      text = uw_need_memory(realloc(text, capacity *= 2));
  }
  text[length] = 0;
  if (size)
    *size = length;
  return text;
}

/* A named pipe is opened without a wait for who writes to it: the wait is the first read's. */
static FILE *open_file(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | (uw_before_reading ? O_NONBLOCK : 0));
  if (descriptor < 0)
    return NULL;
  if (uw_before_reading) {
    uw_before_reading(descriptor);
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  }
  FILE *file = fdopen(descriptor, "r");
  if (!file)
    close(descriptor);
  return file;
}

char *uw_read_file(const char *path) {
  FILE *file = open_file(path);
  if (!file)
    return NULL;
  char *text = uw_read_stream(file, NULL);
  int error = errno;
  fclose(file);
  errno = error;
  return text;
}
