/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See shared_list.h. */
#define _GNU_SOURCE
#include "shared_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int uwrt_shared_list_open(uwrt_shared_list *list, const char *name) {
  size_t length = 0;
  for (; *name && length + 16 < sizeof list->path; name++) {
    if (strncmp(name, "%p", 2) == 0) {
      length += (size_t)snprintf(list->path + length, sizeof list->path - length, "%d", (int)getpid());
      name++;
    } else {
      list->path[length++] = *name;
    }
  }
  list->path[length] = 0;
  list->file = open(list->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return list->file < 0 ? errno : 0;
}

static void lock_file(int file, short type) {
  struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
  while (fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR)
    ;
}

static struct iovec part_of(const char *text, size_t length) {
  return (struct iovec){.iov_base = (void *)(size_t)text, .iov_len = length};
}

/* What cannot be written whole is taken back. The locks are held. */
static int write_entry(uwrt_shared_list *list, const char *entry, size_t length) {
  struct stat status;
  const size_t tail = strlen(list->closing);
  char there[64] = "";
  if (fstat(list->file, &status) != 0)
    return errno;
  if (!S_ISREG(status.st_mode))
    return ESPIPE;
  off_t at = 0;
  if (status.st_size) {
    at = status.st_size - (off_t)tail;
    if (at < 0 || tail > sizeof there || pread(list->file, there, tail, at) != (ssize_t)tail ||
        memcmp(there, list->closing, tail) != 0)
      return EILSEQ;
    if (!length)
      return 0;
  }
  int is_first = at <= (off_t)strlen(list->opening);
  struct iovec parts[] = {part_of(list->opening, at ? 0 : strlen(list->opening)),
                          part_of(list->separator, is_first ? 0 : strlen(list->separator)), part_of(entry, length),
                          part_of(list->closing, tail)};
  size_t whole = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    whole += parts[i].iov_len;
  errno = 0;
  if (pwritev(list->file, parts, sizeof parts / sizeof *parts, at) == (ssize_t)whole)
    return 0;
  int error = errno ? errno : ENOSPC;
  if (ftruncate(list->file, status.st_size) != 0 ||
      (at && pwrite(list->file, list->closing, tail, at) != (ssize_t)tail))
    error = errno;
  return error;
}

int uwrt_shared_list_add(uwrt_shared_list *list, const char *entry, size_t length) {
  pthread_mutex_lock(&list->lock);
  lock_file(list->file, F_WRLCK);
  int error = write_entry(list, entry, length);
  lock_file(list->file, F_UNLCK);
  pthread_mutex_unlock(&list->lock);
  return error;
}
