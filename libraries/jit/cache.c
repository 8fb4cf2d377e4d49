/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cache on disk: one file an entry, in $UNWARP_CACHE_DIR, else $XDG_CACHE_HOME/unwarp, else ~/.cache/unwarp.
 *
 *   Two processes at once, and a crash in the middle: an entry is written under a name of its own, brought to disk and renamed. What is read is
 *   taken only if its checksum is right and its key is the one asked for, to the byte. Who makes an entry holds a lock for its key, a byte of
 *   the file .lock: others, threads and processes, wait for the entry and do not make it again. The lock ends with its holder, whatever
 *   happens to it; one that is held for long (its process was stopped) is waited for no longer.
 *   Others: a folder or a file that is not the user's own, or that others may write to, is not used; links are not followed.
 *   No home, a home that may not be written, a full disk: then there is no cache, and nobody is told.
 *   Size: UNWARP_CACHE_SIZE, in MiB (1024; 0: no cache). What was not used for longest goes first.
 */
#define _GNU_SOURCE
#include "jit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../runtime/module_image.h"

typedef struct head {
  char magic[8];
  uint64_t checksum; /* of all after the head */
  uint64_t key_bytes, files_bytes, data_bytes;
} head;
#define MAGIC "UWCACHE\1"

/* Of each file that an entry depends on; its path follows. */
typedef struct file_note {
  int64_t seconds, nanoseconds, bytes;
  uint64_t path_bytes; /* with its 0 */
} file_note;

int uwjit_append(uwjit_bytes *to, const void *data, size_t count) {
  char *larger = realloc(to->data, to->count + count + 1);
  if (!larger)
    return 0;
  if (count)
    memcpy(larger + to->count, data, count);
  to->data = larger;
  to->count += count;
  to->data[to->count] = 0;
  return 1;
}

static unsigned long long limit_bytes(void) {
  const char *text = getenv("UNWARP_CACHE_SIZE");
  char *end = NULL;
  unsigned long long wanted = text && *text ? strtoull(text, &end, 10) : 1024;
  if (text && *text && (*end || wanted > (1ull << 40)))
    wanted = 1024;
  return wanted << 20;
}

static int is_own(const struct stat *status) {
  return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static int make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700); /* if it fails, the last one does */
    *slash = '/';
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

const char *uwjit_cache_folder(char path[UWJIT_PATH_BYTES]) {
  const char *own = getenv("UNWARP_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  struct stat status;
  int length = own && *own == '/'         ? snprintf(path, UWJIT_PATH_BYTES, "%s", own)
               : own && *own              ? -1
               : caches && *caches == '/' ? snprintf(path, UWJIT_PATH_BYTES, "%s/unwarp", caches)
               : home && *home == '/'     ? snprintf(path, UWJIT_PATH_BYTES, "%s/.cache/unwarp", home)
                                          : -1;
  if (length < 0 || length >= UWJIT_PATH_BYTES || geteuid() != getuid() || !limit_bytes())
    return NULL;
  if (lstat(path, &status) != 0 && (!make_folders(path) || lstat(path, &status) != 0))
    return NULL;
  return S_ISDIR(status.st_mode) && is_own(&status) ? path : NULL;
}

const char *uwjit_cache_part(const char *name, char path[UWJIT_PATH_BYTES]) {
  struct stat status;
  if (!uwjit_cache_folder(path))
    return NULL;
  size_t length = strlen(path);
  if (snprintf(path + length, UWJIT_PATH_BYTES - length, "/%s", name) >= (int)(UWJIT_PATH_BYTES - length))
    return NULL;
  mkdir(path, 0700);
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && is_own(&status) ? path : NULL;
}

static __attribute__((noinline)) int open_folder(void) {
  char room[UWJIT_PATH_BYTES];
  const char *path = uwjit_cache_folder(room);
  struct stat status;
  int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (folder >= 0 && (fstat(folder, &status) != 0 || !is_own(&status))) {
    close(folder);
    folder = -1;
  }
  return folder;
}

static void name_of(const uwjit_bytes *key, char name[40]) {
  uint64_t one = uwrt_image_checksum(key->data, key->count), two = one ^ UINT64_C(0x9E3779B97F4A7C15);
  for (size_t i = key->count; i-- > 0;)
    two = (two ^ (unsigned char)key->data[i]) * UINT64_C(0x100000001b3);
  snprintf(name, 40, "%016llx%016llx.uw", (unsigned long long)one, (unsigned long long)two);
}

static int read_all(int file, void *to, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    ssize_t got = read(file, (char *)to + at, bytes - at);
    if (got <= 0 && !(got < 0 && errno == EINTR))
      return 0;
    at += got > 0 ? (size_t)got : 0;
  }
  return 1;
}

static int write_all(int file, const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    ssize_t put = write(file, (const char *)from + at, bytes - at);
    if (put <= 0 && !(put < 0 && errno == EINTR))
      return 0;
    at += put > 0 ? (size_t)put : 0;
  }
  return 1;
}

/* Are the files that it depends on as they were? */
static int files_are_same(const char *notes, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    file_note note;
    struct stat status;
    if (bytes - at < sizeof note)
      return 0;
    memcpy(&note, notes + at, sizeof note);
    at += sizeof note;
    if (note.path_bytes == 0 || note.path_bytes > bytes - at || notes[at + note.path_bytes - 1])
      return 0;
    if (stat(notes + at, &status) != 0 || status.st_size != note.bytes || status.st_mtim.tv_sec != note.seconds ||
        status.st_mtim.tv_nsec != note.nanoseconds)
      return 0;
    at += note.path_bytes;
  }
  return 1;
}

int uwjit_cache_find(const uwjit_bytes *key, uwjit_bytes *found) {
  char name[40], *all = NULL;
  head head;
  struct stat status;
  int good = 0, folder = open_folder();
  *found = (uwjit_bytes){0};
  if (folder < 0)
    return 0;
  name_of(key, name);
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  close(folder);
  if (file < 0)
    return 0;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_own(&status) && (size_t)status.st_size > sizeof head &&
      read_all(file, &head, sizeof head) && memcmp(head.magic, MAGIC, sizeof head.magic) == 0) {
    size_t rest = (size_t)status.st_size - sizeof head;
    int sizes = head.key_bytes == key->count && head.files_bytes <= rest && head.data_bytes <= rest &&
                head.key_bytes + head.files_bytes + head.data_bytes == rest;
    if (sizes && (all = malloc(rest + 1)) && read_all(file, all, rest) &&
        uwrt_image_checksum(all, rest) == head.checksum && memcmp(all, key->data, key->count) == 0 &&
        files_are_same(all + head.key_bytes, head.files_bytes))
      good = uwjit_append(found, all + head.key_bytes + head.files_bytes, head.data_bytes);
  }
  if (good)
    futimens(file, (struct timespec[2]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}}); /* used just now */
  free(all);
  close(file);
  return good;
}

/* --- who makes an entry ------------------------------------------------------------------------------------------- */

static struct flock lock_of(const uwjit_bytes *key, short type) {
  off_t place = (off_t)(uwrt_image_checksum(key->data, key->count) >> 2);
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
}

/* A lock of this opening of the file, so that it holds among threads, too. There is no way to wait for one for so long
 * and no longer but to ask again. */
int uwjit_cache_lock(const uwjit_bytes *key) {
  enum { LONGEST_SECONDS = 60, FIRST_PAUSE = 1000000, LAST_PAUSE = 20000000 /* ns */ };
  int folder = open_folder();
  if (folder < 0)
    return -1;
  int file = openat(folder, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  close(folder);
  struct flock wanted = lock_of(key, F_WRLCK);
  struct timespec start, now, pause = {0, FIRST_PAUSE};
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (file >= 0 && fcntl(file, F_OFD_SETLK, &wanted) != 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((errno != EAGAIN && errno != EACCES) || now.tv_sec - start.tv_sec > LONGEST_SECONDS) {
      close(file);
      return -1;
    }
    nanosleep(&pause, NULL);
    pause.tv_nsec = pause.tv_nsec < LAST_PAUSE / 2 ? pause.tv_nsec * 2 : LAST_PAUSE;
  }
  return file;
}

/* Not by closing alone: a child that was forked meanwhile has the same opening. */
void uwjit_cache_unlock(int lock, const uwjit_bytes *key) {
  struct flock none = lock_of(key, F_UNLCK);
  if (lock < 0)
    return;
  fcntl(lock, F_OFD_SETLK, &none);
  close(lock);
}

/* --- size --------------------------------------------------------------------------------------------------------- */

typedef struct entry {
  char name[64];
  struct timespec used;
  unsigned long long bytes;
} entry;

static int by_age(const void *one, const void *two) {
  const struct timespec *a = &((const entry *)one)->used, *b = &((const entry *)two)->used;
  return a->tv_sec != b->tv_sec ? (a->tv_sec < b->tv_sec ? -1 : 1)
                                : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

/* As name_of and uwjit_cache_keep name files, so that nothing else in the folder is touched. */
static int is_ours(const char *name) {
  size_t digits = strspn(name, "0123456789abcdef");
  return (digits == 32 && strcmp(name + digits, ".uw") == 0) ||
         (digits == 16 && strncmp(name + digits, ".uw.", 4) == 0);
}

/* All that is the cache's own: entries, and what a crash left of one that was being written. */
static size_t list(int folder, entry **entries) {
  size_t count = 0, room = 0;
  struct dirent *at;
  *entries = NULL;
  int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = again >= 0 ? fdopendir(again) : NULL;
  if (!stream && again >= 0)
    close(again);
  while (stream && (at = readdir(stream))) {
    struct stat status;
    if (!is_ours(at->d_name) || strlen(at->d_name) >= sizeof(*entries)->name ||
        fstatat(folder, at->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      continue;
    if (count == room) {
      entry *larger = realloc(*entries, (room = room ? room * 2 : 64) * sizeof **entries);
      if (!larger)
        break;
      *entries = larger;
    }
    entry *fresh = &(*entries)[count++];
    strcpy(fresh->name, at->d_name);
    fresh->used = status.st_mtim;
    fresh->bytes = (unsigned long long)status.st_size;
  }
  if (stream)
    closedir(stream);
  return count;
}

static void trim(int folder, unsigned long long limit) {
  entry *entries;
  unsigned long long all = 0;
  size_t count = list(folder, &entries);
  time_t now = time(NULL);
  for (size_t i = 0; i < count; i++) {
    int is_left = strstr(entries[i].name, ".uw.") && entries[i].used.tv_sec < now - 3600; /* by a crash */
    if (is_left && unlinkat(folder, entries[i].name, 0) == 0)
      entries[i].bytes = 0;
    all += entries[i].bytes;
  }
  if (all > limit) {
    qsort(entries, count, sizeof *entries, by_age);
    for (size_t i = 0; i < count && all > limit - limit / 8; i++)
      if (unlinkat(folder, entries[i].name, 0) == 0)
        all -= entries[i].bytes;
  }
  free(entries);
}

void uwjit_cache_keep(const uwjit_bytes *key, const char *const *files, size_t file_count, const void *data,
                      size_t count) {
  uwjit_bytes notes = {0}, whole = {0};
  char name[40], fresh[64];
  int good = 1, folder = open_folder();
  if (folder < 0)
    return;
  for (size_t i = 0; i < file_count && good; i++) {
    struct stat status;
    good = stat(files[i], &status) == 0;
    file_note note = {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size, strlen(files[i]) + 1};
    good = good && uwjit_append(&notes, &note, sizeof note) && uwjit_append(&notes, files[i], note.path_bytes);
  }
  head head = {.key_bytes = key->count, .files_bytes = notes.count, .data_bytes = count};
  memcpy(head.magic, MAGIC, sizeof head.magic);
  good = good && uwjit_append(&whole, &head, sizeof head) && uwjit_append(&whole, key->data, key->count) &&
         uwjit_append(&whole, notes.data, notes.count) && uwjit_append(&whole, data, count);
  if (good && whole.count <= limit_bytes()) {
    head.checksum = uwrt_image_checksum(whole.data + sizeof head, whole.count - sizeof head);
    memcpy(whole.data, &head, sizeof head);
    name_of(key, name);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(fresh, sizeof fresh, "%.16s.uw.%ld.%lx", name, (long)getpid(), (unsigned long)now.tv_nsec);
    int file = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0) {
      good = write_all(file, whole.data, whole.count) && fsync(file) == 0;
      good = close(file) == 0 && good;
      if (!good || renameat(folder, fresh, folder, name) != 0)
        unlinkat(folder, fresh, 0);
      trim(folder, limit_bytes());
    }
  }
  free(notes.data);
  free(whole.data);
  close(folder);
}

int uwjit_cache_look(uwjit_cache_state *state) {
  entry *entries;
  int folder = open_folder();
  *state = (uwjit_cache_state){.limit = limit_bytes()};
  if (folder < 0)
    return 0;
  size_t count = list(folder, &entries);
  for (size_t i = 0; i < count; i++) {
    state->entries += !strstr(entries[i].name, ".uw.");
    state->bytes += entries[i].bytes;
  }
  free(entries);
  close(folder);
  return 1;
}

int uwjit_cache_clear(void) {
  entry *entries;
  int good = 1, folder = open_folder();
  if (folder < 0)
    return 0;
  size_t count = list(folder, &entries);
  for (size_t i = 0; i < count; i++)
    good &= unlinkat(folder, entries[i].name, 0) == 0 || errno == ENOENT;
  free(entries);
  close(folder);
  return good;
}
