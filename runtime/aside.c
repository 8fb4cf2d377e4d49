/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Work that goes on while the host does. A kernel runs on the thread that launches it, which is a legal order, until
 * all of its blocks wait for something that none of them writes (grid.c): then only the host can help, by what stands
 * after the launch. So the launching thread leaves it to a thread of ours and goes on. What is given to the same
 * stream from then on, or to one that has to wait by the rules of the legacy default stream or an event, waits in a
 * queue, and calls that wait for it do:
 *
 *   wait<<<1, 1, 0, a>>>(flag);            runs here for a moment, then aside
 *   next<<<n, 256, 0, a>>>(data);          a copy of the launch is kept
 *   other<<<n, 256, 0, b>>>(data);         runs here: b waits for nothing
 *   *flag = 1;
 *   cudaStreamSynchronize(a);              until wait and next are finished
 *
 * A work waits for every earlier one of its stream that is not finished; in a blocking stream also for earlier ones of
 * the legacy stream, in the legacy stream for those of all blocking streams; and for the recording of an event that it
 * names. There are as many threads as works can go on at once.
 *
 * A host function may need what the thread does next that gave it, a lock or more work, so it always goes to a thread
 * of ours. Most are done at once; the giving thread waits for that, but not for long.
 *
 * What runs here is in flight. Several threads of the program may give work to one stream: it goes one by one all the
 * same, so each waits for the flights of the others by the rules above.
 *
 * A kernel that waits for what never comes would keep the program waiting for ever. If the program waits for it (some
 * thread is in a call that does), nothing that it asked for goes on any more, and no block of the kernel has got
 * further for UNWARP_WAIT_LIMIT seconds, the program ends with a message. A program that ends by itself waits for works
 * that go on, and leaves those that wait as they are.
 *
 * While no work is aside and one thread gives work, all of this is a look at two counters.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "server.h"
#include "work.h"
#include "workers.h"

/* Nanoseconds between two looks at a kernel that waits: soon at first, then seldom. */
enum { FIRST_NAP = 20000, LONGEST_NAP = 1000000 };

/* Whose turn a work waits for. */
typedef struct turn {
  const void *stream;
  unsigned long long id; /* another stream may get a destroyed one's address */
  int device, legacy, blocking;
} turn;

typedef struct task {
  struct task *next;
  uint64_t number, after; /* after: of a work that it waits for besides, or 0 */
  turn turn;
  unsigned int missing;                        /* earlier ones that it waits for */
  enum { QUEUED, RUNS, STUCK, HELD_UP } state; /* HELD_UP: see uwrt_aside_held_up */
  cudaStream_t stream;
  int workers, entered; /* of the launching thread; what it got from uwrt_device_enter */
  uwrt_work work;       /* owned */
  void *staged;
  uwrt_running launch; /* of a kernel that began on the launching thread, with its blocks */
  uwrt_grid *grid;
} task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; /* anything below */
static task *tasks, **last = &tasks;                      /* in the order of their numbers */
static uint64_t newest;
static unsigned int runnable, idle_threads, waiting_threads, parked_threads;
static cudaError_t late_error; /* of a work that was finished when nobody could be told */
static int ending;
static _Thread_local task *own_task; /* on our threads */

atomic_uint uwrt_aside_count;

/* --- the order. The caller of each holds the lock ----------------------------------------------------------------- */

static turn turn_of(cudaStream_t stream) {
  return (turn){uwrt_stream_key(stream), uwrt_stream_id(stream), uwrt_stream_device(stream),
                uwrt_stream_is_legacy(stream), uwrt_stream_is_blocking(stream)};
}

static int is_same(const turn *a, const turn *b) { return a->stream == b->stream && a->id == b->id; }

static int has_to_wait(const turn *later, const turn *earlier) {
  return is_same(later, earlier) || (later->device == earlier->device &&
                                     ((earlier->legacy && later->blocking) || (later->legacy && earlier->blocking)));
}

static int waits_for(const task *later, const task *earlier) {
  return later->after == earlier->number || has_to_wait(&later->turn, &earlier->turn);
}

static task *find(uint64_t number) {
  task *at = tasks;
  while (at && at->number != number)
    at = at->next;
  return at;
}

static int goes_on(const task *own) { return own->state == RUNS || (own->state == QUEUED && !own->missing); }

static task *find_runnable(void) {
  task *at = tasks;
  while (at && !(at->state == QUEUED && !at->missing))
    at = at->next;
  return at;
}

static void *serve(void *none);

static void make_runnable(void) {
  if (++runnable > idle_threads && !uwrt_start_server(serve))
    uwrt_fatal("cannot start a thread for a kernel that waits for the host");
  pthread_cond_broadcast(&changed);
}

static void append(task *own) {
  own->number = ++newest;
  own->turn = turn_of(own->stream);
  if (!own->grid) /* a kernel that has begun waits for nothing */
    for (const task *earlier = tasks; earlier; earlier = earlier->next)
      own->missing += (unsigned int)waits_for(own, earlier);
  *last = own;
  last = &own->next;
  atomic_fetch_add(&uwrt_aside_count, 1);
}

static void take_out(task *gone) {
  task **at = &tasks;
  while (*at != gone)
    at = &(*at)->next;
  *at = gone->next;
  if (last == &gone->next)
    last = at;
  for (task *later = gone->next; later; later = later->next)
    if (later->missing && waits_for(later, gone) && --later->missing == 0)
      make_runnable();
  atomic_fetch_sub(&uwrt_aside_count, 1);
  pthread_cond_broadcast(&changed);
}

/* --- kernels that wait -------------------------------------------------------------------------------------------- */

/* What is not done by now never will be: no work goes on but those that wait, and the program does nothing but wait for
 * them. */
static int is_waited_for_in_vain(void) {
  pthread_mutex_lock(&lock);
  int in_vain = !own_task || waiting_threads != 0;
  for (const task *at = tasks; at; at = at->next)
    in_vain &= !goes_on(at);
  pthread_mutex_unlock(&lock);
  return in_vain;
}

static void set_state(int state) {
  if (!own_task)
    return;
  pthread_mutex_lock(&lock);
  own_task->state = state;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

/* What this thread needs, a kernel has for now that perhaps waits in vain: of another device the variables, of an
 * earlier launch the executable graph. */
void uwrt_aside_held_up(int begins) {
  set_state(begins ? HELD_UP : RUNS);
  if (own_task)
    return;
  pthread_mutex_lock(&lock);
  waiting_threads += begins ? 1 : -1u;
  pthread_mutex_unlock(&lock);
}

/* The program's memory goes away: nobody looks at it any more. */
static void park_at_the_end(void) {
  pthread_mutex_lock(&lock);
  if (ending && own_task) {
    parked_threads++;
    pthread_cond_broadcast(&changed);
    for (;;)
      pthread_cond_wait(&changed, &lock);
  }
  pthread_mutex_unlock(&lock);
}

/* Looks at a grid none of whose blocks gets any further until one does. */
static void await_move(uwrt_grid *grid) {
  const uint64_t limit = (uint64_t)(uwrt_wait_limit() * 1e9);
  uint64_t since = uwrt_nanoseconds(), nap = FIRST_NAP;
  set_state(STUCK);
  for (park_at_the_end(); !uwrt_grid_look(grid); park_at_the_end()) {
    const struct timespec time = {.tv_nsec = (long)nap};
    int naps = uwrt_grid_naps(grid); /* the end may be a matter of how often it looks */
    if (naps || !is_waited_for_in_vain())
      since = uwrt_nanoseconds();
    else if (limit && uwrt_nanoseconds() - since > limit)
      uwrt_grid_give_up(grid);
    nap = nap + nap / 8 < LONGEST_NAP ? nap + nap / 8 : LONGEST_NAP;
    if (!naps)
      nanosleep(&time, NULL);
  }
  set_state(RUNS);
}

static void run_to_the_end(uwrt_grid *grid) {
  while (!uwrt_grid_go(grid))
    await_move(grid);
  uwrt_grid_end(grid);
}

void uwrt_grid_run(const uwrt_running *launch) { run_to_the_end(uwrt_grid_begin(launch)); }

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static void free_task(task *own) {
  uwrt_work_free(&own->work);
  free(own->staged);
  free(own);
}

static cudaError_t make_task(cudaStream_t stream, const uwrt_work *work, uint64_t after, task **made) {
  task *fresh = calloc(1, sizeof *fresh);
  cudaError_t error = fresh ? uwrt_work_copy(&fresh->work, work) : cudaErrorMemoryAllocation;
  if (error != cudaSuccess) {
    free(fresh);
    return error;
  }
  fresh->after = after;
  fresh->stream = stream;
  fresh->workers = uwrt_max_workers();
  *made = fresh;
  return cudaSuccess;
}

static cudaError_t run(task *own) {
  ompc_set_num_threads(own->workers);
  cudaSetDevice(own->turn.device);
  if (own->grid) {
    run_to_the_end(own->grid);
    uwrt_launch_finished(&own->launch);
    if (own->entered)
      uwrt_variables_leave();
    return cudaSuccess;
  }
  cudaError_t error = uwrt_sticky_error();
  if (error == cudaSuccess)
    error = uwrt_work_run(&own->work, own->stream);
  return error == cudaSuccess ? cudaGetLastError() : error; /* what it noted for this thread */
}

/* One of our threads. It is there for good: what kernels keep of a thread's they may keep. */
static void *serve(void *none) {
  (void)none;
  pthread_mutex_lock(&lock);
  idle_threads++;
  for (;;) {
    while (!(own_task = find_runnable()))
      pthread_cond_wait(&changed, &lock);
    idle_threads--;
    runnable--;
    own_task->state = RUNS;
    pthread_mutex_unlock(&lock);
    cudaError_t error = run(own_task);
    pthread_mutex_lock(&lock);
    idle_threads++; /* it can take what it makes runnable */
    if (error != cudaSuccess && late_error == cudaSuccess)
      late_error = error;
    take_out(own_task);
    free_task(own_task);
  }
  return NULL;
}

/* One that is parked has its device's variables for good: what they hold up never goes on. */
static int is_on_the_way(const task *own) {
  return own->state == HELD_UP ? !parked_threads : own->state != QUEUED || goes_on(own);
}

/* Works that go on may come to their end; those that wait are left alone, for good. */
static void end_with_the_program(void) {
  if (own_task)
    return; /* a callback ends the program */
  pthread_mutex_lock(&lock);
  ending = 1;
  pthread_cond_broadcast(&changed);
  for (;;) {
    unsigned int running = 0;
    for (const task *at = tasks; at; at = at->next)
      running += (unsigned int)is_on_the_way(at);
    if (running == parked_threads)
      break;
    pthread_cond_wait(&changed, &lock);
  }
  pthread_mutex_unlock(&lock);
}

static void watch_the_end(void) { atexit(end_with_the_program); }

static uint64_t hand_over(task *own) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_the_end);
  pthread_mutex_lock(&lock);
  append(own);
  uint64_t number = own->number;
  if (!own->missing)
    make_runnable();
  pthread_mutex_unlock(&lock);
  return number;
}

cudaError_t uwrt_aside_submit(cudaStream_t stream, const uwrt_work *work, uint64_t after, uint64_t *number) {
  task *fresh;
  cudaError_t error = uwrt_work_check(work);
  if (error == cudaSuccess)
    error = make_task(stream, work, after, &fresh);
  if (error != cudaSuccess)
    return error;
  if (work->type == cudaGraphNodeTypeMemcpy)
    error = uwrt_copy_stage(&fresh->work.copy, &fresh->staged);
  if (error != cudaSuccess) {
    free_task(fresh);
    return error;
  }
  uint64_t given = hand_over(fresh);
  if (number)
    *number = given;
  return cudaSuccess;
}

cudaError_t uwrt_aside_run(cudaStream_t stream, const uwrt_work *work) {
  task *fresh;
  cudaError_t error = uwrt_kernel_work_check(&work->kernel);
  if (error == cudaSuccess)
    error = make_task(stream, work, 0, &fresh);
  if (error != cudaSuccess)
    return error;
  const uwrt_kernel_work *own = &fresh->work.kernel;
  fresh->entered = uwrt_device_enter(work->device);
  fresh->launch = (uwrt_running){.dims = own->dims,
                                 .kernel = own->kernel,
                                 .stream = stream,
                                 .args = own->args,
                                 .started = uwrt_trace_start(),
                                 .depth = own->depth};
  fresh->launch.dims.running = &fresh->launch;
  if (uwrt_checks)
    uwrt_checks->launch_begins(&fresh->launch);
  uwrt_know_cluster(fresh->launch.kernel, &fresh->launch.dims);
  fresh->grid = uwrt_grid_begin(&fresh->launch);
  if (uwrt_grid_go(fresh->grid)) {
    uwrt_grid_end(fresh->grid);
    uwrt_launch_finished(&fresh->launch);
    uwrt_device_leave(fresh->entered);
    free_task(fresh);
    return cudaSuccess;
  }
  fresh->workers = uwrt_max_workers();
  uwrt_device_stay(fresh->entered);
  hand_over(fresh);
  return cudaSuccess;
}

void uwrt_aside_forget_event(cudaEvent_t event) {
  if (!uwrt_any_aside())
    return;
  pthread_mutex_lock(&lock);
  for (task *at = tasks; at; at = at->next)
    if (at->work.type == cudaGraphNodeTypeEventRecord && at->work.event == event && at->state == QUEUED)
      at->work.type = cudaGraphNodeTypeEmpty;
  pthread_mutex_unlock(&lock);
}

/* --- who waits ---------------------------------------------------------------------------------------------------- */

static int is_of_device(const task *own, const turn *whose) { return own->turn.device == whose->device; }
static int is_of_stream(const task *own, const turn *whose) {
  return whose->legacy ? has_to_wait(whose, &own->turn) : is_same(whose, &own->turn);
}
static int is_before(const task *own, const turn *whose) { return has_to_wait(whose, &own->turn); }

/* The first task up to a number that counts for the stream's turn. The caller holds the lock. */
static const task *first_of(int (*counts)(const task *, const turn *), const turn *whose, uint64_t up_to) {
  const task *at = tasks;
  while (at && at->number <= up_to && !counts(at, whose))
    at = at->next;
  return at && at->number <= up_to ? at : NULL;
}

/* The caller holds the lock. */
static cudaError_t take_error(void) {
  cudaError_t error = uwrt_sticky_error() != cudaSuccess ? uwrt_sticky_error() : late_error;
  late_error = cudaSuccess;
  return error;
}

/* A kernel's calls, and those of a callback, are no host's. */
static int may_wait(void) { return uwrt_any_aside() && !own_task && !uwrt_in_kernel(); }

static cudaError_t wait_for(int (*counts)(const task *, const turn *), cudaStream_t stream) {
  if (!may_wait())
    return cudaSuccess;
  const turn whose = turn_of(stream);
  pthread_mutex_lock(&lock);
  uint64_t up_to = newest;
  waiting_threads++;
  while (first_of(counts, &whose, up_to))
    pthread_cond_wait(&changed, &lock);
  waiting_threads--;
  cudaError_t error = take_error();
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t uwrt_wait_for_device(void) { return wait_for(is_of_device, NULL); }
cudaError_t uwrt_wait_for_stream(cudaStream_t stream) { return wait_for(is_of_stream, stream); }
cudaError_t uwrt_wait_for_turn(cudaStream_t stream) { return wait_for(is_before, stream); }

cudaError_t uwrt_wait_for_work(uint64_t number) {
  if (!number || !may_wait())
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  waiting_threads++;
  while (find(number))
    pthread_cond_wait(&changed, &lock);
  waiting_threads--;
  cudaError_t error = take_error();
  pthread_mutex_unlock(&lock);
  return error;
}

static int has_any(int (*counts)(const task *, const turn *), cudaStream_t stream) {
  if (!uwrt_any_aside())
    return 0;
  const turn whose = turn_of(stream);
  pthread_mutex_lock(&lock);
  int has = first_of(counts, &whose, newest) != NULL;
  pthread_mutex_unlock(&lock);
  return has;
}

int uwrt_is_after(cudaStream_t stream) { return has_any(is_before, stream); }
int uwrt_is_unfinished(cudaStream_t stream) { return has_any(is_of_stream, stream); }

int uwrt_is_aside(uint64_t number) {
  if (!number || !uwrt_any_aside())
    return 0;
  pthread_mutex_lock(&lock);
  int is = find(number) != NULL;
  pthread_mutex_unlock(&lock);
  return is;
}

/* --- work on the thread that gives it ----------------------------------------------------------------------------- */

typedef struct flight {
  struct flight *next;
  turn turn;
} flight;

static flight *flights;           /* under the lock, like the next one */
static unsigned int kept_waiting; /* threads, by flights */
static _Thread_local flight own_flight;

/* The flights of the first thread that gives work take no lock while no other one gives any: nobody else is there that
 * could have to wait. That thread says that it is busy, then looks for others; another one counts itself, then looks
 * whether the first is busy: at least one of them sees the other. From then on the first takes the lock, too. */
static atomic_uint givers;
static _Thread_local int gives, is_first;
static struct {
  _Atomic(cudaStream_t) stream;
  atomic_int device, is_busy;
} first_giver;

static inline int begin_alone(cudaStream_t stream) {
  if (!is_first || atomic_load_explicit(&givers, memory_order_relaxed) != 1)
    return 0;
  atomic_store_explicit(&first_giver.stream, stream, memory_order_relaxed);
  atomic_store_explicit(&first_giver.device, uwrt_current_device(), memory_order_relaxed);
  atomic_store(&first_giver.is_busy, 1);
  if (atomic_load(&givers) == 1)
    return 1;
  atomic_store_explicit(&first_giver.is_busy, 0, memory_order_release);
  return 0;
}

/* Its stream is looked up only now. Two threads' streams per thread count as one here: at most this waits for
 * nothing. */
static turn turn_of_first_giver(void) {
  turn whose = turn_of(first_giver.stream);
  if ((uintptr_t)first_giver.stream <= 2)
    whose.device = first_giver.device;
  return whose;
}

/* For what it was busy with when others began to give work. */
static void await_first_giver(const turn *own) {
  const struct timespec nap = {.tv_nsec = FIRST_NAP};
  while (atomic_load(&first_giver.is_busy)) {
    const turn other = turn_of_first_giver();
    if (!has_to_wait(own, &other))
      return;
    nanosleep(&nap, NULL);
  }
}

/* The caller holds the lock. */
static int has_to_wait_for_flights(const turn *own) {
  for (const flight *at = flights; at; at = at->next)
    if (has_to_wait(own, &at->turn))
      return 1;
  return 0;
}

static __attribute__((noinline)) void begin_among_others(cudaStream_t stream) {
  if (!gives) {
    gives = 1;
    is_first = atomic_fetch_add(&givers, 1) == 0;
  }
  if (begin_alone(stream))
    return;
  const turn own = turn_of(stream);
  if (!is_first)
    await_first_giver(&own);
  pthread_mutex_lock(&lock);
  kept_waiting++;
  while (has_to_wait_for_flights(&own))
    pthread_cond_wait(&changed, &lock);
  kept_waiting--;
  own_flight = (flight){flights, own};
  flights = &own_flight;
  pthread_mutex_unlock(&lock);
}

int uwrt_flight_begin(cudaStream_t stream) {
  if (!begin_alone(stream))
    begin_among_others(stream);
  int waits = uwrt_any_aside() && uwrt_is_after(stream);
  if (!waits && uwrt_checks)
    uwrt_checks->work_begins(stream);
  return waits;
}

static __attribute__((noinline)) void end_among_others(void) {
  pthread_mutex_lock(&lock);
  flight **at = &flights;
  while (*at != &own_flight)
    at = &(*at)->next;
  *at = own_flight.next;
  if (kept_waiting)
    pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void uwrt_flight_end(void) {
  if (uwrt_checks)
    uwrt_checks->work_ends();
  if (is_first && atomic_load_explicit(&first_giver.is_busy, memory_order_relaxed))
    atomic_store_explicit(&first_giver.is_busy, 0, memory_order_release);
  else
    end_among_others();
}

/* --- host functions ----------------------------------------------------------------------------------------------- */

/* Until the work is finished, gets no further, or has taken long. */
static void watch_briefly(uint64_t number) {
  enum { MOST = 20000000, SECOND = 1000000000 };
  const task *own;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += MOST;
  until.tv_sec += until.tv_nsec / SECOND;
  until.tv_nsec %= SECOND;
  pthread_mutex_lock(&lock);
  while ((own = find(number)) && goes_on(own) && pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &until) == 0)
    ;
  pthread_mutex_unlock(&lock);
}

cudaError_t uwrt_aside_call(cudaStream_t stream, cudaHostFn_t function, void *argument) {
  const uwrt_work work = {.type = cudaGraphNodeTypeHost, .host = {function, argument}};
  uint64_t number = 0;
  uwrt_flight_begin(stream);
  cudaError_t error = uwrt_aside_submit(stream, &work, 0, &number);
  uwrt_flight_end();
  if (error == cudaSuccess)
    watch_briefly(number);
  return error;
}
