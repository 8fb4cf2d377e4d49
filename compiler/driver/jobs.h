/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Child processes: started without a shell, side by side, each in a process group of its own so that one signal ends
 * it with all that it started. While any runs, SIGINT, SIGTERM and SIGHUP end the children, clean up, and end unwarp
 * by that same signal. */
#ifndef UW_DRIVER_JOBS_H
#define UW_DRIVER_JOBS_H

#include "../support/strings.h"

#include <sys/types.h>

typedef struct uw_job {
  const char *what;                                    /* "compiling x.cu for the host": for messages and --time */
  uw_strings command;                                  /* argv; the first is a path */
  const char *input_file;                              /* its stdin; null: ours */
  const char *error_file;                              /* where its stderr goes; null: to ours */
  const char *output_file;                             /* where its stdout goes; null: to ours */
  size_t (*ends_at)(const char *messages, bool whole); /* the length after which its messages do not matter, nor what
                                                           else it does: all jobs end then; 0: go on. Or null */
  const char *own_headers;       /* a folder whose lines its messages leave out for the user's; null: as they are */
  const char *result_file;       /* what it writes, if a failure should be explained by a full disk there; or null */
  int (*function)(const void *); /* runs in a forked child instead of a command; gives the exit status */
  const void *argument;
  /* after uw_jobs_run */
  pid_t pid;
  int status; /* as from waitpid; -1: could not be started */
  double seconds;
} uw_job;

/* Call first, before any other thread or child exists. */
void uw_jobs_begin(void);
void uw_jobs_settings(bool show_commands, bool pretend, const char *time_file);
/* Runs all and waits for all. False if one could not be started or did not exit with 0; says only the former. */
bool uw_jobs_run(uw_job *jobs, size_t count);
bool uw_job_failed(const uw_job *job);
/* The signal that ended it, also when a tool of clang's caught it and exited with 128 + signal; else 0. */
int uw_job_signal(const uw_job *job);
/* Runs the user's program in the foreground and ends as it did: its exit status, or death by the same signal. */
_Noreturn void uw_run_and_exit(const char *path, const uw_strings *arguments);
/* The command as a shell would take it. */
const char *uw_quoted_command(const uw_strings *command);

#endif
