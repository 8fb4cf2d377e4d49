/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many workers there are.
 *
 * libomp has omp_get_max_threads only under the name that libgomp uses too (workers.h), but in a version of its own.
 *
 * What stands in OMP_NUM_THREADS is looked at before libomp does: on text that is no list of integers it warns, and
 * then gives a value that nobody set. Where nothing stands there, and a launcher of ranks has started several processes
 * on this machine, each takes its share of the cores. */
#define _GNU_SOURCE /* dlvsym */
#include <ctype.h>
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

enum { MOST_THREADS = 1 << 22 }; /* Linux has no number for one more */

/* One integer for each level of nested regions: 4 or 4,2. */
static int are_thread_counts(const char *text) {
  for (;; text++) {
    char *end;
    while (isspace((unsigned char)*text))
      text++;
    unsigned long count = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
    if (count < 1 || count > MOST_THREADS)
      return 0;
    for (text = end; isspace((unsigned char)*text); text++)
      ;
    if (*text != ',')
      return !*text;
  }
}

/* "4(x2),3": four on each of two nodes, then three on one. 0: it does not say. */
static long tasks_on_node(const char *text, long node) {
  while (*text) {
    char *end;
    long tasks = strtol(text, &end, 10), nodes = 1;
    if (end == text)
      return 0;
    if (end[0] == '(' && end[1] == 'x')
      nodes = strtol(end + 2, &end, 10), end += *end == ')';
    if (node < nodes)
      return tasks;
    node -= nodes;
    text = end + (*end == ',');
    if (!*end)
      return 0;
  }
  return 0;
}

/* How many ranks the launcher has started on this machine: Open MPI's, MPICH's (and Intel's), torchrun, Slurm's. */
long uwrt_ranks_here(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "LOCAL_WORLD_SIZE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = getenv(names[i]);
    if (text && atol(text) > 0)
      return atol(text);
  }
  const char *tasks = getenv("SLURM_STEP_TASKS_PER_NODE"), *node = getenv("SLURM_NODEID");
  return tasks ? tasks_on_node(tasks, node ? atol(node) : 0) : 0;
}

/* A launcher that has bound its ranks to cores of their own, or to a part of the machine each, has shared them out. */
int uwrt_rank_cores(int cores) {
  const long ranks = uwrt_ranks_here(), all = sysconf(_SC_NPROCESSORS_ONLN);
  if (ranks < 2 || cores <= all / ranks)
    return cores;
  return cores / ranks ? (int)(cores / ranks) : 1;
}

/* Nor is it done here where somebody parts the machine into devices (devices.c). */
static void take_share(void) {
  const int cores = uwrt_cores_now(), own = uwrt_rank_cores(cores);
  const char *devices = getenv("UNWARP_DEVICES");
  if (own == cores || (devices && (atol(devices) > 1 || strcmp(devices, "numa") == 0)))
    return;
  char share[32];
  snprintf(share, sizeof share, "%d", own);
  setenv("OMP_NUM_THREADS", share, 0);
}

/* libomp reads it at the first region, which comes later than any constructor of ours. */
__attribute__((constructor(101))) static void check_thread_counts(void) {
  const char *wanted = getenv("OMP_NUM_THREADS");
  if (!wanted)
    take_share();
  if (!wanted || are_thread_counts(wanted))
    return;
  fprintf(stderr, "unwarp: OMP_NUM_THREADS is '%s', which is no number of threads: as many run as there are cores\n",
          wanted);
  unsetenv("OMP_NUM_THREADS");
}

typedef int count_workers(void);

int32_t uwrt_max_workers(void) {
  static _Atomic(count_workers *) found;
  count_workers *count = atomic_load_explicit(&found, memory_order_relaxed);
  if (!count) {
    count = (count_workers *)dlvsym(RTLD_DEFAULT, "omp_get_max_threads", "VERSION");
    if (!count)
      count = omp_get_max_threads;
    atomic_store_explicit(&found, count, memory_order_relaxed);
  }
  return count();
}
