/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Forks: the compile is in one thread, so that a child has all that there is so far, and its result comes back through
 * a file in memory. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../ir/ir.h"
#include "level_jobs.h"

static FILE *file_in_memory(void) {
  int descriptor = memfd_create("unwarp", MFD_CLOEXEC);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
  if (!file)
    uw_fatal("error: no room for what a level of x86-64 becomes: %s", strerror(errno));
  return file;
}

static void begin(uw_level_job *job, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(EXIT_FAILURE);
  dup2(fileno(job->printed), STDOUT_FILENO);
  dup2(fileno(job->said), STDERR_FILENO);
}

void uw_level_job_end(uw_level_job *job, bool good) {
  good = fflush(job->result) == 0 && good;
  fflush(stdout);
  fflush(stderr);
  _exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
}

bool uw_level_job_start(uw_level_job *job) {
  *job = (uw_level_job){0, file_in_memory(), file_in_memory(), file_in_memory()};
  fflush(NULL);
  pid_t parent = getpid();
  job->pid = fork();
  if (job->pid < 0)
    uw_fatal("error: no process for a level of x86-64: %s", strerror(errno));
  if (job->pid == 0)
    begin(job, parent);
  return job->pid == 0;
}

static void copy(FILE *from, FILE *to) {
  char buffer[4096];
  size_t length;
  lseek(fileno(from), 0, SEEK_SET);
  rewind(from);
  while ((length = fread(buffer, 1, sizeof buffer, from)) > 0)
    fwrite(buffer, 1, length, to);
  fflush(to);
}

void uw_level_job_show(uw_level_job *job) {
  copy(job->printed, stdout);
  copy(job->said, stderr);
}

static int wait_for(uw_level_job *job) {
  int status;
  while (waitpid(job->pid, &status, 0) < 0)
    if (errno != EINTR)
      uw_fatal("error: cannot wait for a process: %s", strerror(errno));
  return status;
}

bool uw_level_job_wait(uw_level_job *job) {
  int status = wait_for(job);
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
    return true;
  uw_level_job_show(job);
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return false;
}

void uw_level_job_stop(uw_level_job *job) {
  kill(job->pid, SIGKILL);
  wait_for(job);
}
