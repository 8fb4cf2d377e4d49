/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A crew: libomp's workers, kept together from one launch of a host thread to the next
 * (compiler/passes/host/merge_parallel_regions.c).
 * From the first share on the calling thread goes on alone, inside of a parallel region whose other workers wait here
 * for shares; a launch then costs them a value in memory that changes, and this thread a value that they count up, in
 * place of a region of its own. The last share, where it is known for one, ends the region as it would end its own:
 * nothing is counted.
 *
 * libomp opens a region in the midst of a function for compilers that wrote regions so (kmp_gsupport.cpp). Where it
 * does not know these functions, or gives no more than one worker, each launch has its region as elsewhere. A worker
 * that waits long sleeps, as libomp's do.
 */
#define _GNU_SOURCE /* dlvsym */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include "internal.h"
#include "workers.h"

enum { OF_A_MILLISECOND = 20000 /* iterations of relax, about */ };

typedef struct crew {
  _Alignas(64) atomic_uint turn; /* changes when there is work */
  uwrt_share *share;             /* null: the crew is done */
  void *data;
  int last;                      /* the crew is done after this share */
  _Alignas(64) atomic_uint done; /* workers that are through with this turn */
  atomic_int sleepers, spins;
  int workers, depth;   /* of the thread that opened it; workers: 1 if no region is open */
  int refused, limited; /* the region is not to be had; the next share has a number of workers of its own */
  int busy;             /* with a share */
  int alone;            /* with a share of which the others know nothing */
  pthread_mutex_t lock;
  pthread_cond_t news;
} crew;

static _Thread_local crew own = {.workers = 1, .lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

typedef void start_region(void (*body)(void *), void *data, unsigned int workers);
typedef void end_region(void);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static start_region *start;
static end_region *end;

static void find_functions(void) { /* libgomp has these names too, but not in libomp's version (workers.c) */
  start = (start_region *)dlvsym(RTLD_DEFAULT, "GOMP_parallel_start", "VERSION");
  end = (end_region *)dlvsym(RTLD_DEFAULT, "GOMP_parallel_end", "VERSION");
}

static void relax(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

static unsigned int wait_for_turn(crew *c, unsigned int seen) {
  unsigned int turn;
  for (int i = 0, spins = atomic_load_explicit(&c->spins, memory_order_relaxed); i < spins; i++) {
    turn = atomic_load_explicit(&c->turn, memory_order_acquire);
    if (turn != seen)
      return turn;
    relax();
  }
  pthread_mutex_lock(&c->lock);
  atomic_fetch_add(&c->sleepers, 1); /* before turn is looked at, as begin_turn looks at it after turn */
  while ((turn = atomic_load(&c->turn)) == seen)
    pthread_cond_wait(&c->news, &c->lock);
  atomic_fetch_sub(&c->sleepers, 1);
  pthread_mutex_unlock(&c->lock);
  return turn;
}

static void serve(void *data) {
  crew *c = data;
  int32_t thread = __kmpc_global_thread_num(NULL);
  for (unsigned int turn = 0;;) {
    turn = wait_for_turn(c, turn);
    if (!c->share)
      return;
    c->share(&thread, &thread, c->data);
    if (c->last)
      return;
    atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
  }
}

static void begin_turn(crew *c, uwrt_share *share, void *data) {
  c->share = share;
  c->data = data;
  atomic_store_explicit(&c->done, 0, memory_order_relaxed);
  atomic_fetch_add(&c->turn, 1);
  if (atomic_load(&c->sleepers)) {
    pthread_mutex_lock(&c->lock);
    pthread_cond_broadcast(&c->news);
    pthread_mutex_unlock(&c->lock);
  }
}

static void end_turn(crew *c) {
  int spins = atomic_load_explicit(&c->spins, memory_order_relaxed) ? OF_A_MILLISECOND : 0;
  for (int i = 0; atomic_load_explicit(&c->done, memory_order_acquire) != (unsigned int)c->workers - 1; i++)
    if (i < spins)
      relax();
    else
      sched_yield();
}

/* As long as libomp's workers would (KMP_BLOCKTIME, 200 ms), but a moment at least; not where there are more of them
 * than cores. */
static int spins_before_sleep(void) {
  enum { A_MOMENT = 1000, LONGEST = 10000 };
  int milliseconds = kmp_get_blocktime();
  if (uwrt_max_workers() > uwrt_this_machine()->cores)
    return 0;
  return A_MOMENT + (milliseconds < LONGEST ? milliseconds : LONGEST) * OF_A_MILLISECOND;
}

/* The region opens with the first share that the crew is wanted for, which costs no more than a region for that share
 * would. */
static int open_region(crew *c, uwrt_share *share, void *data) {
  pthread_once(&once, find_functions);
  if (!start || !end || uwrt_max_workers() < 2 || __kmpc_in_parallel(NULL))
    return 0;
  c->share = share;
  c->data = data;
  atomic_store_explicit(&c->done, 0, memory_order_relaxed);
  atomic_store_explicit(&c->turn, 1, memory_order_relaxed);
  atomic_store_explicit(&c->spins, spins_before_sleep(), memory_order_relaxed);
  start(serve, c, 0);
  c->workers = __kmpc_bound_num_threads(NULL);
  if (c->workers == 1)
    end();
  return c->workers > 1;
}

void uwrt_crew_open(void) { own.depth++; }

void uwrt_crew_close(void) {
  crew *c = &own;
  if (--c->depth)
    return;
  c->refused = c->last = 0;
  if (c->workers == 1)
    return;
  begin_turn(c, NULL, NULL);
  end();
  c->workers = 1;
}

/* For a moment: a look at what they have left to do takes the memory that it is written in away from them, which in
 * short launches costs more than the help is worth. */
int uwrt_crew_others_done(void) {
  enum { A_LOOK = 4 };
  crew *c = &own;
  for (int i = 0; c->workers > 1 && !c->last && i < A_LOOK; i++, relax())
    if (atomic_load_explicit(&c->done, memory_order_acquire) == (unsigned int)c->workers - 1)
      return 1;
  return 0;
}

int uwrt_crew_size(void) { return own.workers; }

int uwrt_crew_left_out(void) { return own.alone; }

int uwrt_crew_waits(void) {
  crew *c = &own;
  return c->workers > 1 && !c->busy && !c->last && atomic_load_explicit(&c->spins, memory_order_relaxed) &&
         !atomic_load_explicit(&c->sleepers, memory_order_relaxed);
}

void uwrt_crew_fork(uwrt_omp_place *place, int32_t count, uwrt_share *share, void *data) {
  crew *c = &own;
  if (c->workers > 1) {
    begin_turn(c, share, data);
  } else {
    int wanted = c->depth && !c->refused && !c->limited;
    c->limited = 0;
    if (!wanted || !open_region(c, share, data)) {
      c->refused = c->refused || wanted;
      __kmpc_fork_call(place, count, share, data);
      return;
    }
  }
  int32_t thread = __kmpc_global_thread_num(NULL);
  c->busy = 1;
  share(&thread, &thread, data);
  c->busy = 0;
  if (c->last) {
    end();
    c->workers = 1;
  } else
    end_turn(c);
}

void uwrt_crew_last(void) { own.last = own.depth == 1; }

void uwrt_crew_fork_if(uwrt_omp_place *place, int32_t count, uwrt_share *share, int32_t wanted, void *data) {
  int32_t thread;
  if (wanted) {
    uwrt_crew_fork(place, count, share, data);
  } else if (own.workers == 1) {
    __kmpc_fork_call_if(place, count, share, wanted, data);
  } else {
    thread = __kmpc_global_thread_num(NULL);
    own.alone = 1;
    share(&thread, &thread, data);
    own.alone = 0;
  }
}

/* Of the next share alone: where a crew is open, it has its own count. */
void uwrt_crew_limit(uwrt_omp_place *place, int32_t thread, int32_t workers) {
  if (own.workers > 1)
    return;
  __kmpc_push_num_threads(place, thread, workers);
  own.limited = 1;
}
