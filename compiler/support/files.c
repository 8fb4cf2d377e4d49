/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whole files as text. The size is not asked for first, so pipes and devices are read like files. */
#include "files.h"

#include "strings.h"

#include <errno.h>
#include <stdlib.h>

char *uw_read_stream(FILE *stream, size_t *size) {
  size_t length = 0, capacity = 1 << 14;
  char *text = uw_need_memory(malloc(capacity));
  while (!feof(stream) && !ferror(stream)) {
    length += fread(text + length, 1, capacity - length - 1, stream);
    if (capacity - length < 2)
      text = uw_need_memory(realloc(text, capacity *= 2));
  }
  if (ferror(stream))
    return NULL;
  text[length] = 0;
  if (size)
    *size = length;
  return text;
}

char *uw_read_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  char *text = uw_read_stream(file, NULL);
  int error = errno;
  fclose(file);
  errno = error;
  return text;
}
