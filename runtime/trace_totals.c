/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The end of UNWARP_TRACE on stderr: a row for each kernel, and for each kind of copy and fill, the longest first. A
 * process that ends in another way than by exit() writes none; a forked one begins anew.
 *
 * As a report it says of each row where that came from, and has sums for each origin. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

typedef struct total {
  char *name;
  uwrt_origin origin;
  uint64_t count, sum, shortest, longest;
} total;

static total *totals;
static size_t count, room;
static pid_t process;
int uwrt_trace_reports;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Null without memory: then the table goes without. */
static total *find(uwrt_origin origin, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (totals[i].origin == origin && strcmp(totals[i].name, name) == 0)
      return &totals[i];
  if (count == room) {
    size_t more = room ? 2 * room : 64;
    total *grown = realloc(totals, more * sizeof *totals);
    if (!grown)
      return NULL;
    totals = grown;
    room = more;
  }
  totals[count] = (total){.name = strdup(name),
                          .origin = origin,
                          .shortest = UINT64_MAX}; /* the kernel's library may be closed before the end */
  if (!totals[count].name)
    return NULL;
  return &totals[count++];
}

static void forget(void) {
  for (size_t i = 0; i < count; i++)
    free(totals[i].name);
  count = 0;
}

void uwrt_trace_add(uwrt_origin origin, const char *name, uint64_t took) {
  pthread_mutex_lock(&lock);
  if (process != getpid()) {
    process = getpid();
    forget();
  }
  total *t = find(origin, name);
  if (t) {
    t->count++;
    t->sum += took;
    t->shortest = took < t->shortest ? took : t->shortest;
    t->longest = took > t->longest ? took : t->longest;
  }
  pthread_mutex_unlock(&lock);
}

static int by_sum(const void *a, const void *b) {
  const total *left = a, *right = b;
  return left->sum < right->sum ? 1 : left->sum > right->sum ? -1 : strcmp(left->name, right->name);
}

static void show_totals(void) {
  fprintf(stderr, "unwarp: %14s %9s %14s %14s %14s\n", "total us", "count", "mean us", "min us", "max us");
  for (size_t i = 0; i < count; i++) {
    const total *t = &totals[i];
    fprintf(stderr, "unwarp: %14.3f %9llu %14.3f %14.3f %14.3f  %s\n", (double)t->sum * 1e-3,
            (unsigned long long)t->count, (double)t->sum * 1e-3 / (double)t->count, (double)t->shortest * 1e-3,
            (double)t->longest * 1e-3, t->name);
  }
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static void show_row(const char *origin, uint64_t nanoseconds, uint64_t calls, const char *name) {
  enum { LONGEST = 200 }; /* names of C++ can have thousands of letters */
  fprintf(stderr, "unwarp: %-11s %12.3f %9llu  %.*s%s\n", origin, (double)nanoseconds * 1e-6, (unsigned long long)calls,
          LONGEST, name, strlen(name) > LONGEST ? "..." : "");
}

static void show_report(void) {
  static const char *const names[UWRT_ORIGINS] = {"copy", "own", "PTX", "CPU library", "compiler", "refused"};
  uint64_t sums[UWRT_ORIGINS] = {0}, calls[UWRT_ORIGINS] = {0};
  fprintf(stderr, "unwarp: %-11s %12s %9s\n", "from", "total ms", "calls");
  for (size_t i = 0; i < count; i++) {
    show_row(names[totals[i].origin], totals[i].sum, totals[i].count, totals[i].name);
    sums[totals[i].origin] += totals[i].sum;
    calls[totals[i].origin] += totals[i].count;
  }
  for (int origin = 0; origin < UWRT_ORIGINS; origin++)
    if (calls[origin])
      show_row(names[origin], sums[origin], calls[origin], "in all");
}

/* After all destructors of the program's, which may use the device. */
__attribute__((destructor(101))) static void show(void) {
  pthread_mutex_lock(&lock);
  if (count && process == getpid()) {
    qsort(totals, count, sizeof *totals, by_sum);
    if (uwrt_trace_reports)
      show_report();
    else
      show_totals();
  }
  forget();
  free(totals);
  totals = NULL;
  room = 0;
  pthread_mutex_unlock(&lock);
}
