/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's ptxas, by whatever path a program has it (XLA looks for the one of its wheel), makes code for GPUs alone: what is run under
 * the name of a tool of which there is one beside unwarp is that one. All functions that run programs, posix_spawn among them, come to
 * the C library's execve, so a jump is written over that one. What is not there stays so, that a search along PATH goes on.
 *
 * Runs in a process that may have been made by vfork, between that and its new program: there is no memory here but the stack.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec.h"

#ifdef __x86_64__
static int *(*errno_of_program)(void);

static int run(const char *path, char *const *arguments, char *const *environment) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((long)SYS_execve), "D"(path), "S"(arguments), "d"(environment)
                   : "rcx", "r11", "memory");
  *errno_of_program() = (int)-result;
  return -1;
}

/* Ours of that name; 0: there is none, or no such file where the program has it. */
static int find_own(const char *path, char *own, size_t room) {
  static const char *const tools[] = {"ptxas", "nvlink", "fatbinary"};
  const char *slash = path ? strrchr(path, '/') : NULL;
  for (size_t i = 0; slash && i < sizeof tools / sizeof *tools; i++) {
    if (strcmp(slash + 1, tools[i]) != 0 || access(path, X_OK) != 0)
      continue;
    int length = snprintf(own, room, "%s../bin/%s", uwexec_folder(), tools[i]);
    return length > 0 && (size_t)length < room && access(own, X_OK) == 0;
  }
  return 0;
}

/* By its name unwarp knows which tool it is. */
static int run_ours(const char *path, char *const *arguments, char *const *environment) {
  char own[PATH_MAX];
  size_t count = 0;
  if (!find_own(path, own, sizeof own))
    return run(path, arguments, environment);
  while (arguments && arguments[count])
    count++;
  char *words[count + 2];
  for (size_t i = 1; i < count; i++)
    words[i] = arguments[i];
  words[0] = own;
  words[count ? count : 1] = NULL;
  return run(own, words, environment);
}

void uwexec_lead_programs(const struct link_map *c_library) {
  static const struct uwexec_entry entry = {.target = (void *)run_ours};
  if (!*uwexec_folder())
    return;
  errno_of_program = (int *(*)(void))uwexec_write_over(c_library, "__errno_location", NULL);
  if (errno_of_program)
    uwexec_write_over(c_library, "execve", &entry);
}
#else
void uwexec_lead_programs(const struct link_map *c_library) { (void)c_library; }
#endif
