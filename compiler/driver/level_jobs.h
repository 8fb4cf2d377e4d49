/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Processes that go on from where this one is, each with a part of its work, and hand back bytes. What they print waits
 * for this one to say whether it is to be seen. They end with this one. */
#ifndef UW_DRIVER_LEVEL_JOBS_H
#define UW_DRIVER_LEVEL_JOBS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct uw_level_job {
  pid_t pid;
  FILE *result, *printed, *said; /* what it hands back, its stdout, its stderr */
} uw_level_job;

/* True in the new process, which goes on from the call as this one does, writes what it hands back, and ends by
 * uw_level_job_end. */
bool uw_level_job_start(uw_level_job *job);
/* good: it handed all back; false after messages. */
_Noreturn void uw_level_job_end(uw_level_job *job, bool good);
/* True when it handed all back. Ends as it did, with its messages, if it crashed. */
bool uw_level_job_wait(uw_level_job *job);
/* Prints what it printed. */
void uw_level_job_show(uw_level_job *job);
void uw_level_job_stop(uw_level_job *job);

#endif
