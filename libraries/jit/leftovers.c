/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Temporary folders with owners: see leftovers.h. The lock is that of a file in the folder, which gets its name when it is
 * locked, so that a folder without one is young, or of somebody else, and stays. The file lists what lies elsewhere. */
#include "leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWNER ".owner"
enum { RANDOM = 6 /* bound: letters that mkdtemp makes up */ };

/* By descriptors: the caller's stack may have no room for paths. */
static void remove_in(int owned_folder) {
  DIR *folder = fdopendir(owned_folder);
  if (!folder) {
    close(owned_folder);
    return;
  }
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
        unlinkat(owned_folder, entry->d_name, 0) == 0)
      continue;
    int inner = openat(owned_folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0)
      remove_in(inner);
    unlinkat(owned_folder, entry->d_name, AT_REMOVEDIR);
  }
  closedir(folder);
}

void uwjit_remove_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0)
    remove_in(folder);
  rmdir(path);
}

/* What the list names, a line each. */
static void remove_listed(int list) {
  char *line = NULL;
  size_t room = 0;
  struct stat status;
  FILE *file = fdopen(dup(list), "r");
  for (ssize_t length; file && (length = getline(&line, &room, file)) > 0;) {
    line[length - 1] = 0;
    if (line[0] == '/' && lstat(line, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
      unlink(line);
  }
  free(line);
  if (file)
    fclose(file);
}

static void remove_if_left(int root, const char *name) {
  struct stat status;
  int folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool own = folder >= 0 && fstat(folder, &status) == 0 && status.st_uid == geteuid() && !(status.st_mode & 077);
  int file = own ? openat(folder, OWNER, O_RDWR | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) {
    remove_listed(file);
    remove_in(folder);
    unlinkat(root, name, AT_REMOVEDIR);
    folder = -1;
  }
  if (file >= 0)
    close(file);
  if (folder >= 0)
    close(folder);
}

/* like: up to the letters that are made up. */
static void remove_left(const char *root, const char *like) {
  const size_t length = strlen(like);
  DIR *folder = opendir(root);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (strncmp(entry->d_name, like, length) == 0 && strlen(entry->d_name) == length + RANDOM)
      remove_if_left(dirfd(folder), entry->d_name);
  if (folder)
    closedir(folder);
}

static int make_owner(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int file = folder < 0 ? -1 : openat(folder, OWNER ".young", O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (file >= 0 && (flock(file, LOCK_EX | LOCK_NB) != 0 || renameat(folder, OWNER ".young", folder, OWNER) != 0)) {
    close(file);
    file = -1;
  }
  if (folder >= 0)
    close(folder);
  return file;
}

int uwjit_own_folder(char *path) {
  char *slash = strrchr(path, '/'), like[64] = "";
  size_t length = slash ? strlen(slash + 1) : 0;
  if (length > RANDOM && length - RANDOM < sizeof like) {
    memcpy(like, slash + 1, length - RANDOM);
    *slash = 0;
    remove_left(*path ? path : "/", like);
    *slash = '/';
  }
  if (!mkdtemp(path))
    return -1;
  int lock = make_owner(path), error = errno;
  if (lock < 0)
    uwjit_remove_folder(path);
  errno = error;
  return lock;
}

void uwjit_note_leftover(int lock, const char *file) { dprintf(lock, "%s\n", file); }
