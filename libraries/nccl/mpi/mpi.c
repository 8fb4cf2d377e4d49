/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPI as a transport: a library of its own for each MPI whose header is there when unwarp is built, as their interfaces
 * differ in the binary. It is opened on request (UNWARP_NCCL=mpi), in programs that an mpirun has started.
 *
 * Ranks of NCCL are processes of MPI's world. They make a communicator of their own out of it, without the others. Its
 * functions are called by whichever thread drives an operation, so MPI has to be begun with MPI_THREAD_MULTIPLE; where
 * nobody has begun it, that is done here.
 */
#include "../transport.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PART = 1 << 30 }; /* bytes of one message of MPI's, whose counts are ints */

typedef struct description {
  int32_t world_rank;
  int32_t number; /* of the communicators that this process has made */
} description;

typedef struct context {
  int rank, count, known;
  description own, first;
  int *world_ranks;
  MPI_Comm all; /* MPI_COMM_NULL until all are known */
  atomic_int is_stopped;
} context;

typedef struct request {
  context *of;
  int state, count;
  MPI_Request parts[];
} request;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void end_mpi(void) {
  int is_ended = 0;
  if (MPI_Finalized(&is_ended) == MPI_SUCCESS && !is_ended)
    MPI_Finalize();
}

static int begin_mpi(char *error, size_t room) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int is_begun = 0, level = MPI_THREAD_SINGLE;
  pthread_mutex_lock(&lock);
  MPI_Initialized(&is_begun);
  if (is_begun) {
    MPI_Query_thread(&level);
  } else if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level) == MPI_SUCCESS) {
    atexit(end_mpi);
  }
  pthread_mutex_unlock(&lock);
  if (level < MPI_THREAD_MULTIPLE)
    snprintf(error, room,
             "the program has begun MPI without MPI_THREAD_MULTIPLE (MPI_Init_thread), or that MPI has none");
  return level >= MPI_THREAD_MULTIPLE;
}

static void *open_context(const char *address, int rank, int count, int seconds, char *error, size_t room) {
  static atomic_int made;
  context *c = calloc(1, sizeof *c);
  (void)address, (void)seconds;
  if (!begin_mpi(error, room) || !c || !(c->world_ranks = calloc((size_t)count, sizeof *c->world_ranks))) {
    if (!*error)
      snprintf(error, room, "no memory");
    free(c);
    return NULL;
  }
  c->rank = rank;
  c->count = count;
  c->all = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &c->own.world_rank);
  c->own.number = atomic_fetch_add(&made, 1) & 16383; /* MPI's tags go to 32767 at least */
  return c;
}

static size_t describe(void *of, int peer, void *to, size_t room) {
  const context *c = of;
  (void)peer;
  if (room < sizeof c->own)
    return 0;
  memcpy(to, &c->own, sizeof c->own);
  return sizeof c->own;
}

static int make_communicator(context *c, char *error, size_t room) {
  MPI_Group world, own;
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k < i; k++)
      if (c->world_ranks[i] == c->world_ranks[k]) {
        snprintf(error, room, "ranks %d and %d are one process, or of several mpirun", k, i);
        return 0;
      }
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int good = MPI_Group_incl(world, c->count, c->world_ranks, &own) == MPI_SUCCESS;
  MPI_Group_free(&world);
  if (good) {
    good = MPI_Comm_create_group(MPI_COMM_WORLD, own, c->first.number, &c->all) == MPI_SUCCESS &&
           MPI_Comm_set_errhandler(c->all, MPI_ERRORS_RETURN) == MPI_SUCCESS;
    MPI_Group_free(&own);
  }
  if (!good)
    snprintf(error, room, "MPI_Comm_create_group failed");
  return good;
}

static int connect_peer(void *of, int peer, const void *its, size_t bytes, char *error, size_t room) {
  context *c = of;
  description other;
  if (bytes != sizeof other) {
    snprintf(error, room, "it has another transport");
    return 0;
  }
  memcpy(&other, its, sizeof other);
  c->world_ranks[peer] = other.world_rank;
  if (peer == 0)
    c->first = other;
  if (++c->known < c->count - 1)
    return 1;
  c->world_ranks[c->rank] = c->own.world_rank;
  if (c->rank == 0)
    c->first = c->own;
  return make_communicator(c, error, room);
}

/* 28 bits, MPICH's least. What differs in the other bits is never under way together: 16 collectives, millions of
 * pieces or of messages later. */
static int tag_of(uint64_t slot) {
  if (slot >> 63)
    return (int)(1u << 27 | (slot & ((1u << 26) - 1)));
  const uint32_t sequence = (uint32_t)(slot >> 32) & 15, number = (uint32_t)slot;
  return (int)((number >> 31) << 26 | sequence << 22 | (number & ((1u << 22) - 1)));
}

static void *post(void *of, int sends, int peer, uint64_t slot, void *memory, size_t bytes) {
  context *c = of;
  const size_t count = (bytes + PART - 1) / PART;
  if (c->is_stopped)
    return NULL;
  request *r = calloc(1, sizeof *r + count * sizeof *r->parts);
  if (!r)
    return NULL;
  r->of = c;
  for (size_t at = 0; at < bytes; at += PART) { /* one after the other, as MPI keeps their order */
    const int size = (int)(bytes - at < PART ? bytes - at : PART);
    char *from = (char *)memory + at;
    const int result = sends ? MPI_Isend(from, size, MPI_BYTE, peer, tag_of(slot), c->all, &r->parts[r->count])
                             : MPI_Irecv(from, size, MPI_BYTE, peer, tag_of(slot), c->all, &r->parts[r->count]);
    if (result != MPI_SUCCESS) {
      r->state = -1;
      break;
    }
    r->count++;
  }
  return r;
}

/* MPI moves bytes while it is asked. The core is given away in between, as ranks may have to share it. */
static int wait_for(void *of, long microseconds) {
  request *r = of;
  if (r->state || !microseconds)
    return r->state;
  const double end = now() + 1e-6 * (double)microseconds;
  for (int looks = 0;; looks++) {
    int is_done = 0;
    if (r->of->is_stopped)
      return r->state = -1;
    if (MPI_Testall(r->count, r->parts, &is_done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
      return r->state = -1;
    if (is_done)
      return r->state = 1;
    if (now() > end)
      return 0;
    if (looks < 200)
      sched_yield();
    else
      nanosleep(&(struct timespec){0, 20000}, NULL);
  }
}

static void forget(void *of) {
  request *r = of;
  for (int i = 0; i < r->count && r->state <= 0; i++)
    if (r->parts[i] != MPI_REQUEST_NULL) {
      MPI_Cancel(&r->parts[i]);
      MPI_Request_free(&r->parts[i]);
    }
  free(r);
}

static void stop(void *of) { ((context *)of)->is_stopped = 1; }

static void close_context(void *of) {
  context *c = of;
  int is_ended = 0;
  MPI_Finalized(&is_ended);
  if (c->all != MPI_COMM_NULL && !c->is_stopped && !is_ended)
    MPI_Comm_free(&c->all);
  free(c->world_ranks);
  free(c);
}

__attribute__((visibility("default"))) extern const uwnccl_transport uwnccl_transport_of_library;
const uwnccl_transport uwnccl_transport_of_library = {"MPI",    open_context, describe, connect_peer, post,
                                                      wait_for, forget,       stop,     close_context};
