/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Crews: each worker runs each share once and sees what the shares before wrote, also when it slept in between; without a crew, and in
 * a region of the host's, a share is a region as libomp opens it; a host thread's crew is its own; blocks with barriers go to all of a crew;
 * the first share opens the region, and the last one ends it.
 */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

int32_t __kmpc_bound_thread_num(void *place);
int32_t __kmpc_bound_num_threads(void *place);
int32_t __kmpc_global_thread_num(void *place);
int uwrt_crew_size(void);

enum { MOST = 64, SHARES = 2000 };

typedef struct job {
  int runs[MOST], team[MOST], wrong;
  int baton; /* each share hands it on: plain memory, written by one worker and read by the next share's */
} job;

static uwrt_omp_place place = {0, 2, {0, 0}, ";unknown;unknown;0;0;;"};

static void share(int32_t *thread, int32_t *bound, void *data) {
  job *j = data;
  int own = __kmpc_bound_thread_num(NULL), all = __kmpc_bound_num_threads(NULL);
  (void)thread, (void)bound;
  j->team[own] = all;
  if (j->runs[own]++ % all == own) {
    if (j->baton != j->runs[own] - 1)
      __atomic_store_n(&j->wrong, 1, __ATOMIC_RELAXED);
    j->baton = j->runs[own];
  }
}

static void check_runs(const job *j, int workers, int shares) {
  CHECK_NUMBER(j->team[0], workers);
  CHECK(!j->wrong);
  for (int w = 0; w < MOST; w++)
    CHECK_NUMBER(j->runs[w], w < workers ? shares : 0);
}

static void run_shares(int workers) {
  job j = {{0}};
  uwrt_crew_open();
  for (int i = 0; i < SHARES; i++) {
    uwrt_crew_fork(&place, 1, share, &j);
    if (i % 500 == 0)
      usleep(20000); /* they may fall asleep */
  }
  uwrt_crew_close();
  check_runs(&j, workers, SHARES);
}

static void check_single(int workers) {
  job j = {{0}};
  uwrt_crew_open();
  uwrt_crew_open(); /* nested: one crew */
  uwrt_crew_fork_if(&place, 1, share, 0, &j);
  CHECK_NUMBER(j.runs[0], 1);
  CHECK_NUMBER(j.runs[1], 0);
  uwrt_crew_fork_if(&place, 1, share, 1, &j);
  CHECK_NUMBER(j.runs[1], workers > 1);
  uwrt_crew_close();
  uwrt_crew_fork_if(&place, 1, share, 1, &j);
  CHECK_NUMBER(j.runs[1], workers > 1 ? 2 : 0);
  if (workers > 1) { /* as many as the crew, or none */
    CHECK_NUMBER(uwrt_team(1, 64, 1024, 1000000, 1), workers);
    CHECK_NUMBER(uwrt_team(1, (uint64_t)workers - 1, 1024, 1000000, 1), 0);
  }
  uwrt_crew_close();
  CHECK(!omp_in_parallel());
  CHECK_NUMBER(uwrt_team(1, 64, 1024, 10, 1), 0);
}

static void take_all(int32_t *thread, int32_t *bound, void *data) {
  enum { BLOCKS = 40 };
  job *j = data;
  uint64_t place = uwrt_team_place(), before = 0;
  uwrt_shares *shares = uwrt_shares_open();
  (void)thread, (void)bound;
  for (uwrt_piece p; p = uwrt_shares_take(shares, BLOCKS, place, before), p.from < p.to; before = p.to)
    j->runs[0] += (int)(p.to - p.from);
  uwrt_shares_close();
  j->team[0] = BLOCKS;
}

/* Also where a crew waits, all blocks of a share that it is not wanted for are the launching thread's. */
static void check_left_out(void) {
  job j = {{0}}, all = {{0}};
  uwrt_crew_open();
  uwrt_crew_fork(&place, 1, share, &j);
  uwrt_crew_fork_if(&place, 1, take_all, 0, &all);
  CHECK_NUMBER(all.runs[0], all.team[0]);
  uwrt_crew_fork(&place, 1, share, &j);
  uwrt_crew_close();
  CHECK_NUMBER(j.runs[0], 2);
}

static void check_ends(int workers) {
  job j = {{0}}, alone = {{0}};
  uwrt_crew_open();
  CHECK(!omp_in_parallel()); /* nothing to do yet */
  uwrt_crew_fork_if(&place, 1, share, 0, &alone);
  CHECK(!omp_in_parallel());
  uwrt_crew_close();
  for (int i = 0; i < 3 * SHARES;
       i++) { /* three shares each, the last of which ends it; now and then that one does not come */
    if (i % 3 == 0)
      uwrt_crew_open();
    if (i % 3 == 2)
      uwrt_crew_last();
    if (i % 3 != 2 || i % 5)
      uwrt_crew_fork(&place, 1, share, &j);
    if (i % 3 == 2) {
      CHECK(i % 5 == 0 || uwrt_crew_size() == 1);
      uwrt_crew_close();
      CHECK(!omp_in_parallel());
    } else
      CHECK_NUMBER(uwrt_crew_size(), workers);
  }
  for (int w = 0; w < workers; w++)
    CHECK_NUMBER(j.runs[w], 3 * SHARES - SHARES / 5);
  CHECK_NUMBER(j.team[0], workers);
  CHECK(!j.wrong);
}

/* The last one of a crew inside of another crew is not the other's last one; a single share; one with a number of workers of its own. */
static void check_kinds(int workers) {
  job j = {{0}};
  uwrt_crew_open();
  uwrt_crew_fork(&place, 1, share, &j);
  uwrt_crew_open();
  uwrt_crew_last();
  uwrt_crew_fork(&place, 1, share, &j);
  uwrt_crew_close();
  CHECK_NUMBER(uwrt_crew_size(), workers);
  uwrt_crew_fork(&place, 1, share, &j);
  uwrt_crew_close();
  check_runs(&j, workers, 3);
  uwrt_crew_open();
  uwrt_crew_last();
  uwrt_crew_fork(&place, 1, share, &j);
  CHECK_NUMBER(uwrt_crew_size(), 1);
  uwrt_crew_fork(&place, 1, share, &j); /* there was one more */
  CHECK_NUMBER(uwrt_crew_size(), 1);
  uwrt_crew_close();
  check_runs(&j, workers, 5);
  if (workers < 3)
    return;
  job of_two = {{0}};
  uwrt_crew_open();
  uwrt_crew_limit(&place, __kmpc_global_thread_num(NULL), 2);
  uwrt_crew_fork(&place, 1, share, &of_two);
  CHECK_NUMBER(uwrt_crew_size(), 1);
  check_runs(&of_two, 2, 1);
  uwrt_crew_fork(&place, 1, share, &j);
  CHECK_NUMBER(uwrt_crew_size(), workers);
  uwrt_crew_close();
  check_runs(&j, workers, 6);
}

static void *on_a_thread(void *unused) {
  (void)unused;
  omp_set_num_threads(3);
  run_shares(3);
  return NULL;
}

static void check_in_region(void) {
#pragma omp parallel num_threads(2)
  {
    job j = {{0}};
    uwrt_crew_open();
    uwrt_crew_fork(&place, 1, share, &j);
    uwrt_crew_close();
    check_runs(&j, 1, 1);
  }
}

int main(void) {
  pthread_t threads[2];
  for (int workers = 5; workers >= 1; workers -= 2) { /* libomp leaks memory when a team grows */
    omp_set_num_threads(workers);
    job j = {{0}};
    uwrt_crew_fork(&place, 1, share, &j);
    check_runs(&j, workers, 1);
    run_shares(workers);
    check_single(workers);
    check_left_out();
    check_ends(workers);
    check_kinds(workers);
  }
  check_in_region();
  for (int i = 0; i < 2; i++)
    CHECK(pthread_create(&threads[i], NULL, on_a_thread, NULL) == 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return finish();
}
