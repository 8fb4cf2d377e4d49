/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Host tasks, and what waits for them. Commands run where they are submitted, in order, which is legal for all but one
 * kind: a host task may wait for what the submitting thread does later. So a host task goes to a thread of ours, and
 * what has to stand behind one that has not ended is recorded (runtime/record.h) and goes there too:
 *
 *   a = q.submit(host task: wait for the flag)     on a thread of ours
 *   q.submit(depends on a: kernel)                 recorded, and run by that thread after it
 *   q.submit(kernel)                               here and now: it waits for nothing
 *   set the flag
 *   q.wait()                                       until the queue's tasks have ended
 *
 * A command waits for the tasks that it names, for earlier ones of its in-order queue, and for those whose accesses
 * meet its own where one of the two writes. There are as many threads as tasks can go on at once. While no task is
 * open, all of this is a look at a counter.
 *
 * A program that ends waits for what is open, as SYCL's other implementations do. */
#define _GNU_SOURCE
#include "tasks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../server.h"
#include "sycl.h"

struct uwrt_sycl_task {
  uwrt_sycl_task *next; /* of those that are open */
  uint32_t references;
  uint64_t queue, started, ended;
  int status;
  uwrt_sycl_task **before; /* that it waits for, retained */
  uint32_t missing, before_room;
  uwrt_sycl_access *accesses;
  uint32_t access_count;
  _Bool anywhere; /* more accesses than are known */
  void (*run)(void *), (*drop)(void *);
  void *argument;
};

uint32_t uwrt_sycl_open_tasks;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uwrt_sycl_task *tasks, **last = &tasks; /* in the order of their starts */
static uint32_t runnable, idle_threads;
static _Thread_local int is_ours;

static void *require(void *memory) {
  if (!memory) {
    fprintf(stderr, "sycl: no memory for a command that waits\n");
    abort();
  }
  return memory;
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

uwrt_sycl_task *uwrt_sycl_task_new(uint64_t queue) {
  uwrt_sycl_task *fresh = require(calloc(1, sizeof *fresh));
  fresh->references = 1;
  fresh->queue = queue;
  return fresh;
}

void uwrt_sycl_task_retain(uwrt_sycl_task *task) { __atomic_fetch_add(&task->references, 1, __ATOMIC_RELAXED); }

static void forget_before(uwrt_sycl_task *task) {
  for (uint32_t i = 0; i < task->missing; i++)
    uwrt_sycl_task_release(task->before[i]);
  task->missing = 0;
}

void uwrt_sycl_task_release(uwrt_sycl_task *task) {
  if (__atomic_sub_fetch(&task->references, 1, __ATOMIC_ACQ_REL))
    return;
  forget_before(task); /* of one that was never started */
  free(task->before);
  free(task->accesses);
  free(task);
}

/* --- what waits for what. The caller of each static function holds the lock --------------------------------------- */

static void wait_for(uwrt_sycl_task *task, uwrt_sycl_task *earlier) {
  if (earlier->status == UWRT_SYCL_COMPLETE)
    return;
  for (uint32_t i = 0; i < task->missing; i++)
    if (task->before[i] == earlier)
      return;
  if (task->missing == task->before_room) {
    task->before_room = task->before_room * 2 + 4;
    task->before = require(realloc(task->before, task->before_room * sizeof(uwrt_sycl_task *)));
  }
  uwrt_sycl_task_retain(earlier);
  task->before[task->missing++] = earlier;
}

static _Bool reaches(const uwrt_sycl_task *task, const char *first, const char *end, _Bool writes) {
  if (task->anywhere)
    return 1;
  for (uint32_t i = 0; i < task->access_count; i++) {
    const uwrt_sycl_access *own = &task->accesses[i];
    if ((writes || own->writes) && first < own->last && own->first < end)
      return 1;
  }
  return 0;
}

static _Bool meets(const uwrt_sycl_task *later, const uwrt_sycl_task *earlier) {
  if (later->anywhere && (earlier->anywhere || earlier->access_count))
    return 1;
  for (uint32_t i = 0; i < later->access_count; i++) {
    const uwrt_sycl_access *own = &later->accesses[i];
    if (reaches(earlier, own->first, own->last, own->writes))
      return 1;
  }
  return 0;
}

void uwrt_sycl_task_after(uwrt_sycl_task *task, uwrt_sycl_task *earlier) {
  pthread_mutex_lock(&lock);
  wait_for(task, earlier);
  pthread_mutex_unlock(&lock);
}

uint32_t uwrt_sycl_task_after_all(uwrt_sycl_task *task, _Bool in_order, const uwrt_sycl_access *accesses,
                                  uint32_t count, _Bool more) {
  task->anywhere = more;
  task->access_count = count;
  if (count) {
    task->accesses = require(malloc(count * sizeof *accesses));
    memcpy(task->accesses, accesses, count * sizeof *accesses);
  }
  pthread_mutex_lock(&lock);
  for (uwrt_sycl_task *earlier = tasks; earlier; earlier = earlier->next)
    if ((in_order && earlier->queue == task->queue) || meets(task, earlier))
      wait_for(task, earlier);
  uint32_t missing = 0; /* one that it names may have ended since */
  for (uint32_t i = 0; i < task->missing; i++)
    missing += task->before[i]->status != UWRT_SYCL_COMPLETE;
  pthread_mutex_unlock(&lock);
  return missing;
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void *serve(void *none);

static void make_runnable(void) {
  if (++runnable > idle_threads && !uwrt_start_server(serve)) {
    fprintf(stderr, "sycl: cannot start a thread for a host task\n");
    abort();
  }
  pthread_cond_broadcast(&changed);
}

static void stop_waiting(uwrt_sycl_task *later, const uwrt_sycl_task *gone) {
  for (uint32_t i = 0; i < later->missing; i++)
    if (later->before[i] == gone) {
      uwrt_sycl_task_release(later->before[i]);
      later->before[i] = later->before[--later->missing];
      if (!later->missing)
        make_runnable();
      return;
    }
}

static void end(uwrt_sycl_task *own) {
  uwrt_sycl_task **at = &tasks;
  while (*at != own)
    at = &(*at)->next;
  *at = own->next;
  if (last == &own->next)
    last = at;
  own->status = UWRT_SYCL_COMPLETE;
  for (uwrt_sycl_task *later = own->next; later; later = later->next)
    stop_waiting(later, own);
  __atomic_fetch_sub(&uwrt_sycl_open_tasks, 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&changed);
  uwrt_sycl_task_release(own);
}

static uwrt_sycl_task *find_runnable(void) {
  uwrt_sycl_task *at = tasks;
  while (at && (at->status != UWRT_SYCL_SUBMITTED || at->missing))
    at = at->next;
  return at;
}

static void *serve(void *none) {
  (void)none;
  uwrt_sycl_task *own;
  is_ours = 1;
  pthread_mutex_lock(&lock);
  idle_threads++;
  for (;;) {
    while (!(own = find_runnable()))
      pthread_cond_wait(&changed, &lock);
    idle_threads--;
    runnable--;
    own->status = UWRT_SYCL_RUNNING;
    pthread_mutex_unlock(&lock);
    own->started = uwrt_sycl_nanoseconds();
    own->run(own->argument);
    own->ended = uwrt_sycl_nanoseconds();
    own->drop(own->argument);
    pthread_mutex_lock(&lock);
    idle_threads++; /* it can take what it makes runnable */
    end(own);
  }
  return NULL;
}

static void end_with_the_program(void) {
  if (is_ours)
    return; /* a host task ends the program */
  pthread_mutex_lock(&lock);
  while (tasks)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}
static void watch_the_end(void) { atexit(end_with_the_program); }

void uwrt_sycl_task_start(uwrt_sycl_task *task, void (*run)(void *), void (*drop)(void *), void *argument) {
  enum { MOST = 5000000, SECOND = 1000000000 };
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_the_end);
  task->run = run;
  task->drop = drop;
  task->argument = argument;
  uwrt_sycl_task_retain(task);
  pthread_mutex_lock(&lock);
  for (uint32_t i = task->missing; i-- > 0;) /* those that have ended since */
    if (task->before[i]->status == UWRT_SYCL_COMPLETE) {
      uwrt_sycl_task_release(task->before[i]);
      task->before[i] = task->before[--task->missing];
    }
  *last = task;
  last = &task->next;
  __atomic_fetch_add(&uwrt_sycl_open_tasks, 1, __ATOMIC_RELAXED);
  if (!task->missing) {
    struct timespec until;
    make_runnable();
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += MOST;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    while (task->status != UWRT_SYCL_COMPLETE && pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &until) == 0)
      ;
  }
  pthread_mutex_unlock(&lock);
}

/* --- who asks, and who waits -------------------------------------------------------------------------------------- */

int uwrt_sycl_task_status(uwrt_sycl_task *task) {
  pthread_mutex_lock(&lock);
  int status = task->status;
  pthread_mutex_unlock(&lock);
  return status;
}

uint32_t uwrt_sycl_task_waits_for(uwrt_sycl_task *task, uwrt_sycl_task **list, uint32_t room) {
  pthread_mutex_lock(&lock);
  uint32_t count = task->missing;
  for (uint32_t i = 0; i < count && i < room; i++) {
    uwrt_sycl_task_retain(task->before[i]);
    list[i] = task->before[i];
  }
  pthread_mutex_unlock(&lock);
  return count;
}

uint64_t uwrt_sycl_task_queue(const uwrt_sycl_task *task) { return task->queue; }

void uwrt_sycl_wait_for_task(uwrt_sycl_task *task) {
  pthread_mutex_lock(&lock);
  while (task->status != UWRT_SYCL_COMPLETE)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

void uwrt_sycl_task_times(uwrt_sycl_task *task, uint64_t times[2]) {
  uwrt_sycl_wait_for_task(task);
  times[0] = task->started;
  times[1] = task->ended;
}

static _Bool any_of_queue(uint64_t queue) {
  for (const uwrt_sycl_task *at = tasks; at; at = at->next)
    if (at->queue == queue)
      return 1;
  return 0;
}

void uwrt_sycl_wait_for_queue(uint64_t queue) {
  pthread_mutex_lock(&lock);
  while (any_of_queue(queue))
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

_Bool uwrt_sycl_queue_is_empty(uint64_t queue) {
  pthread_mutex_lock(&lock);
  _Bool is_empty = !any_of_queue(queue);
  pthread_mutex_unlock(&lock);
  return is_empty;
}

static _Bool any_reaches(const char *first, const char *end_of, _Bool writes) {
  for (const uwrt_sycl_task *at = tasks; at; at = at->next)
    if (reaches(at, first, end_of, writes))
      return 1;
  return 0;
}

void uwrt_sycl_wait_for_memory(const void *first, const void *end_of, _Bool writes) {
  pthread_mutex_lock(&lock);
  while (any_reaches(first, end_of, writes))
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}
