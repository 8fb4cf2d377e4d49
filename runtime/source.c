/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The source lines of code addresses, for the messages of fault.c. The debug information is read by addr2line, LLVM's
 * or binutils', in a child process: a program pays nothing for it, and the child's memory is whole when the program's
 * is not. $UNWARP_ADDR2LINE names another one; empty, none is asked.
 *
 * Runs in a signal handler, so there is no malloc and no stdio here but snprintf of integers and strings.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "internal.h"
#include "source.h"

enum { WAIT_MS = 20000, PATH_BYTES = 4096 };

/* A program by its path or its name on PATH; null if there is none. */
static const char *find_program(const char *name, char *room) {
  if (strchr(name, '/'))
    return access(name, X_OK) == 0 ? name : NULL;
  for (const char *at = getenv("PATH"); at && *at && *name;) {
    size_t length = strcspn(at, ":");
    snprintf(room, PATH_BYTES, "%.*s/%s", (int)length, at, name);
    if (access(room, X_OK) == 0)
      return room;
    at += length + (at[length] == ':');
  }
  return NULL;
}

static const char *find_tool(char *room) {
  static const char *const names[] = {"llvm-addr2line-22", "/usr/lib/llvm-22/bin/llvm-addr2line", "llvm-addr2line",
                                      "addr2line"};
  const char *wanted = getenv("UNWARP_ADDR2LINE"), *found = NULL;
  if (wanted)
    return find_program(wanted, room);
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
    found = find_program(names[i], room);
  return found;
}

int uwrt_module_of(const void *address, uwrt_module_place *found) {
  Dl_info info;
  struct link_map *map;
  if (!dladdr1((void *)(uintptr_t)address, &info, (void **)&map, RTLD_DL_LINKMAP))
    return 0;
  found->bias = map->l_addr;
  ssize_t length = *map->l_name ? 0 : readlink("/proc/self/exe", found->path, sizeof found->path - 1);
  if (length > 0)
    found->path[length] = 0;
  else
    snprintf(found->path, sizeof found->path, "%s", map->l_name);
  return 1;
}

/* --- files without a name ----------------------------------------------------------------------------------------- */

struct uwrt_nameless {
  uwrt_nameless *_Atomic next; /* read by the handler, while all other threads stand still wherever they are */
  const void *contents;
  size_t bytes;
  char path[];
};

static uwrt_nameless *_Atomic nameless;
static pthread_mutex_t nameless_lock = PTHREAD_MUTEX_INITIALIZER; /* of those that write */

uwrt_nameless *uwrt_nameless_keep(const char *path, int file, size_t bytes) {
  uwrt_nameless *kept = malloc(sizeof *kept + strlen(path) + 1);
  void *contents = kept ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  if (contents == MAP_FAILED) {
    free(kept);
    return NULL;
  }
  kept->contents = contents;
  kept->bytes = bytes;
  strcpy(kept->path, path);
  pthread_mutex_lock(&nameless_lock);
  kept->next = nameless;
  nameless = kept;
  pthread_mutex_unlock(&nameless_lock);
  return kept;
}

void uwrt_nameless_free(uwrt_nameless *file) {
  if (!file)
    return;
  pthread_mutex_lock(&nameless_lock);
  uwrt_nameless *_Atomic *at = &nameless;
  while (*at != file)
    at = &(*at)->next;
  *at = file->next;
  pthread_mutex_unlock(&nameless_lock);
  munmap((void *)(uintptr_t)file->contents, file->bytes);
  free(file);
}

/* A path under which a child opens the module's file: that of a copy, whose descriptor is to be closed, or its own. */
static const char *path_for_child(const uwrt_module_place *module, char room[32], int *copy) {
  *copy = -1;
  const uwrt_nameless *file = nameless;
  while (file && strcmp(file->path, module->path) != 0)
    file = file->next;
  if (!file || (*copy = memfd_create("module", 0)) < 0)
    return module->path;
  for (size_t done = 0; done < file->bytes;) {
    ssize_t got = write(*copy, (const char *)file->contents + done, file->bytes - done);
    if (got <= 0)
      break;
    done += (size_t)got;
  }
  snprintf(room, 32, "/proc/self/fd/%d", *copy);
  return room;
}

/* --- the tool ----------------------------------------------------------------------------------------------------- */

/* Starts the tool; gives the end of the pipe that its answer comes out of, or -1. Not by posix_spawn, which takes
 * memory from the heap that the kernel may have written all over. No signal tells of the child's end, and a program that
 * goes on and waits for its own children does not meet it. */
static int start(const char *tool, char *const *arguments, pid_t *child) {
  int ends[2];
  sigset_t none;
  if (pipe(ends) != 0)
    return -1;
  *child = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
  if (*child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(ends[1], 1);
    if (nowhere >= 0)
      dup2(nowhere, 2);
    close(ends[0]);
    close(ends[1]);
    execve(tool, arguments, environ);
    _exit(127);
  }
  close(ends[1]);
  if (*child < 0)
    close(ends[0]);
  return *child < 0 ? -1 : ends[0];
}

static size_t read_all(int from, char *answer, size_t bytes) {
  size_t length = 0;
  struct pollfd ready = {from, POLLIN, 0};
  while (length + 1 < bytes) {
    int count = poll(&ready, 1, WAIT_MS);
    if (count < 0 && errno == EINTR)
      continue;
    ssize_t got = count > 0 ? read(from, answer + length, bytes - 1 - length) : 0;
    if (got <= 0)
      break;
    length += (size_t)got;
  }
  answer[length] = 0;
  close(from);
  return length;
}

/* The answer, for each address: the address, then a line with the function and one with file:line for each function
 * that was inlined there, innermost first. The frames of the first address with a known line are kept, and what is
 * known of those after it. */
static int take_frames(char *answer, uwrt_source_frame *frames, int most) {
  int count = 0, known = 0, is_first = 1;
  for (char *line = strtok_r(answer, "\n", &answer); line && count < most; line = strtok_r(NULL, "\n", &answer)) {
    if (strncmp(line, "0x", 2) == 0) {
      is_first = !known;
      count = known ? count : 0;
      continue;
    }
    char *place = strtok_r(NULL, "\n", &answer);
    if (!place)
      break;
    place[strcspn(place, " ")] = 0; /* a discriminator */
    const char *colon = strrchr(place, ':');
    int has_line = *place != '?' && colon && colon[1] != '?' && strcmp(colon, ":0") != 0;
    if (!is_first && !has_line)
      continue;
    known |= has_line;
    frames[count++] = (uwrt_source_frame){has_line ? place : NULL, line};
  }
  return known ? count : 0;
}

int uwrt_source_of(const uwrt_module_place *module, const uintptr_t *addresses, int count, char *answer, size_t bytes,
                   uwrt_source_frame *frames, int most) {
  static char room[PATH_BYTES];
  enum { FIXED = 4, MOST_ADDRESSES = 16 };
  char texts[MOST_ADDRESSES][24];
  const char *tool = find_tool(room);
  if (!tool)
    return -1;
  char of_copy[32];
  int copy, pipe_end;
  const char *path = path_for_child(module, of_copy, &copy);
  char *arguments[FIXED + MOST_ADDRESSES + 1] = {(char *)tool, "-afiC", "-e", (char *)path};
  int used = FIXED;
  for (int i = 0; i < count && i < MOST_ADDRESSES; i++) {
    snprintf(texts[i], sizeof texts[i], "0x%llx", (unsigned long long)(addresses[i] - module->bias));
    arguments[used++] = texts[i];
  }
  arguments[used] = NULL;
  pid_t child;
  pipe_end = start(tool, arguments, &child);
  if (copy >= 0)
    close(copy);
  if (pipe_end < 0)
    return -1;
  read_all(pipe_end, answer, bytes);
  kill(child, SIGKILL);
  while (waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR)
    ;
  return take_frames(answer, frames, most);
}
