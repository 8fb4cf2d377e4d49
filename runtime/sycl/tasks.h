/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Commands that do not run where they are submitted: host tasks, and what stands behind one that has not ended
 * (tasks.c). SYCL's headers declare the same in include/sycl/detail/tasks.hpp. */
#ifndef UWRT_SYCL_TASKS_H
#define UWRT_SYCL_TASKS_H

#include <stdint.h>

#pragma GCC visibility push(default) /* one list for a program and its shared libraries */

/* Counted: new and retain are given back by release; a task that is started holds itself until it has ended. */
typedef struct uwrt_sycl_task uwrt_sycl_task;

/* Bytes that a command may reach. */
typedef struct uwrt_sycl_access {
  const char *first, *last;
  uint8_t writes;
} uwrt_sycl_access;

enum { UWRT_SYCL_SUBMITTED, UWRT_SYCL_RUNNING, UWRT_SYCL_COMPLETE }; /* sycl::info::event_command_status */

extern uint32_t uwrt_sycl_open_tasks; /* atomic: started, and not at their end */

uwrt_sycl_task *uwrt_sycl_task_new(uint64_t queue);
void uwrt_sycl_task_retain(uwrt_sycl_task *task);
void uwrt_sycl_task_release(uwrt_sycl_task *task);

/* Before the start. After: one that it has to wait for. After all: finds the others, by an in-order queue and by
 * accesses, of which there may be more than are given; says how many tasks it waits for in all. */
void uwrt_sycl_task_after(uwrt_sycl_task *task, uwrt_sycl_task *earlier);
uint32_t uwrt_sycl_task_after_all(uwrt_sycl_task *task, _Bool in_order, const uwrt_sycl_access *accesses,
                                  uint32_t count, _Bool more);
/* run(argument), on a thread of ours, when all that it waits for has ended, then drop(argument). Comes back when that
 * is done, takes long or gets no further for now: most host tasks are done at once. */
void uwrt_sycl_task_start(uwrt_sycl_task *task, void (*run)(void *), void (*drop)(void *), void *argument);

int uwrt_sycl_task_status(uwrt_sycl_task *task);
void uwrt_sycl_task_times(uwrt_sycl_task *task, uint64_t times[2]); /* start and end; waits */
/* What it waits for, retained, at most so many; how many there are. */
uint32_t uwrt_sycl_task_waits_for(uwrt_sycl_task *task, uwrt_sycl_task **list, uint32_t room);
uint64_t uwrt_sycl_task_queue(const uwrt_sycl_task *task);

void uwrt_sycl_wait_for_task(uwrt_sycl_task *task);
void uwrt_sycl_wait_for_queue(uint64_t queue);
_Bool uwrt_sycl_queue_is_empty(uint64_t queue);
void uwrt_sycl_wait_for_memory(const void *first, const void *last, _Bool writes);

#pragma GCC visibility pop
#endif
