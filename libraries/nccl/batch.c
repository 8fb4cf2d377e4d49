/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A batch: what a group asks of one communicator, or one operation. Batches of a communicator run in the order in which
 * they were asked for, whatever their streams. A batch whose streams have nothing left to do is driven by the calling
 * thread, together with the group's batches on other communicators. Where nothing moves for a while, as a peer has not
 * come, or where its stream is busy or captured, it is handed to the stream as a host function, and the call returns.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <stdlib.h>

static const double patience = 2e-3, /* seconds without progress, then the stream gets it */
    suspicion = 5e-3,                /* then it is looked who is dead, */
    sleep_longest = 20e-3;           /* and again after each sleep */

/* --- batches ------------------------------------------------------------------------------------------------------ */

uwnccl_batch *uwnccl_new_batch(struct ncclComm *c) {
  uwnccl_batch *b = calloc(1, sizeof *b);
  if (b) {
    b->of = c;
    uwnccl_hold(c);
  }
  return b;
}

int uwnccl_add(uwnccl_batch *b, const uwnccl_operation *o) {
  if (b->count == b->room) {
    uwnccl_operation *larger = realloc(b->operations, (b->room * 2 + 1) * sizeof *larger);
    if (!larger)
      return 0;
    b->operations = larger;
    b->room = b->room * 2 + 1;
  }
  b->operations[b->count++] = *o;
  return 1;
}

static void drop_all(uwnccl_batch *b) {
  for (size_t i = 0; i < b->count && b->of->engine; i++)
    b->of->engine->drop(b->of, &b->operations[i]);
}

void uwnccl_free_batch(uwnccl_batch *b) {
  drop_all(b);
  uwnccl_release(b->of);
  free(b->operations);
  free(b);
}

/* --- driving ------------------------------------------------------------------------------------------------------ */

static int is_collective(const uwnccl_operation *o) { return o->kind < UWNCCL_SEND; }

/* Collectives one after the other, as on all ranks; then all messages at once. */
static uwnccl_progress step(uwnccl_batch *b) {
  uwnccl_progress all = UWNCCL_ENDED;
  int moved = 0;
  for (int messages = 0; messages < 2 && all == UWNCCL_ENDED; messages++)
    for (size_t i = 0; i < b->count; i++) {
      uwnccl_operation *o = &b->operations[i];
      if (o->is_done || is_collective(o) == messages)
        continue;
      uwnccl_progress one;
      while ((one = b->of->engine->step(b->of, o)) == UWNCCL_MOVED)
        moved = 1;
      moved |= one == UWNCCL_ENDED;
      if (one == UWNCCL_WAITS) {
        all = UWNCCL_WAITS;
        if (!messages)
          break;
      } else if (b->result == ncclSuccess) {
        b->result = o->result;
      }
    }
  return all == UWNCCL_ENDED ? all : moved ? UWNCCL_MOVED : UWNCCL_WAITS;
}

/* As the engine's. What the batch waits for now: of collectives the first that is not done. */
static int waits_in_vain(const uwnccl_batch *b) {
  int rank;
  for (size_t i = 0; i < b->count; i++)
    if (!b->operations[i].is_done && is_collective(&b->operations[i]))
      return b->of->engine->waits_in_vain(b->of, &b->operations[i]);
  for (size_t i = 0; i < b->count; i++)
    if (!b->operations[i].is_done && (rank = b->of->engine->waits_in_vain(b->of, &b->operations[i])))
      return rank;
  return 0;
}

typedef struct driven {
  uwnccl_batch *batch;
  int is_ended;
  uint32_t bell; /* before the last look */
} driven;

/* True: nothing is left to do for it. */
static int advance(driven *d, int *moved) {
  struct ncclComm *c = d->batch->of;
  d->bell = atomic_load(c->bell);
  if (c->aborted || c->is_lost || c->is_revoked) {
    d->batch->result = c->aborted ? ncclInternalError : c->is_revoked ? ncclInvalidUsage : c->state;
    uwnccl_end(c);
    drop_all(d->batch);
    return d->is_ended = 1;
  }
  uwnccl_progress progress = step(d->batch);
  *moved |= progress != UWNCCL_WAITS;
  return d->is_ended = progress == UWNCCL_ENDED;
}

static void give_up_on_dead(driven *d) {
  int moved = 0, rank;
  d->batch->of->engine->look_for_dead(d->batch->of);
  if (!advance(d, &moved) && !moved && (rank = waits_in_vain(d->batch))) { /* what came before a rank's end counts */
    d->batch->result = uwnccl_say(ncclRemoteError, "rank %d, which others wait for, is gone", rank - 1);
    uwnccl_fail(d->batch->of, ncclRemoteError);
    drop_all(d->batch);
    d->is_ended = 1;
  }
}

static void pause_briefly(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* True once all are done; false if `longest` seconds went by without progress (never, where it is negative). */
static int drive(driven *all, size_t count, double longest) {
  double moved_at = uwnccl_now(), looked_at = moved_at;
  for (int idle = 0, spins = 0;;) {
    int moved = 0;
    driven *waiting = NULL;
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
      if (!all[i].is_ended && !advance(&all[i], &moved)) {
        waiting = waiting ? waiting : &all[i];
        left++;
      }
    if (!waiting)
      return 1;
    if (moved) {
      idle = 0;
      continue;
    }
    if (!idle++) {
      moved_at = looked_at = uwnccl_now();
      spins = waiting->batch->of->engine->looks(waiting->batch->of);
    }
    if (idle <= spins) {
      pause_briefly();
      continue;
    }
    double time = uwnccl_now();
    if (longest >= 0 && time - moved_at > longest)
      return 0;
    if (time - looked_at > suspicion) {
      looked_at = time;
      for (size_t i = 0; i < count; i++)
        if (!all[i].is_ended)
          give_up_on_dead(&all[i]);
      continue;
    }
    waiting->batch->of->engine->sleep(waiting->batch->of, waiting->batch, waiting->bell,
                                      left > 1       ? 200e-6
                                      : longest >= 0 ? longest / 2
                                                     : sleep_longest);
  }
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static void take_turn(struct ncclComm *c, uint64_t ticket) {
  pthread_mutex_lock(&c->lock);
  while (c->done != ticket)
    pthread_cond_wait(&c->changed, &c->lock);
  c->is_driven = 1;
  pthread_mutex_unlock(&c->lock);
}

static void end_turn(struct ncclComm *c, int is_done) {
  pthread_mutex_lock(&c->lock);
  c->done += is_done != 0;
  c->is_driven = 0;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

static uint64_t take_ticket(struct ncclComm *c) {
  pthread_mutex_lock(&c->lock);
  uint64_t ticket = c->issued++;
  pthread_mutex_unlock(&c->lock);
  return ticket;
}

static ncclResult_t run(uwnccl_batch *b) {
  driven alone = {.batch = b};
  take_turn(b->of, b->ticket);
  drive(&alone, 1, -1);
  end_turn(b->of, 1);
  return b->result;
}

ncclResult_t uwnccl_run_now_owned(uwnccl_batch *b) {
  b->ticket = take_ticket(b->of);
  ncclResult_t result = run(b);
  uwnccl_free_batch(b);
  return result;
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static void run_in_stream(void *argument) {
  uwnccl_batch *b = argument;
  struct ncclComm *c = b->of;
  if (b->is_captured) { /* a graph may be launched again */
    b->result = ncclSuccess;
    for (size_t i = 0; i < b->count; i++) {
      uwnccl_operation *o = &b->operations[i];
      o->phase = o->is_done = 0;
      o->chunk = o->before = 0;
      o->at = 0;
    }
    b->ticket = take_ticket(c);
  }
  ncclResult_t result = run(b);
  if (result != ncclSuccess && !c->is_lost && !c->aborted && !c->is_revoked)
    c->state = result;
  if (!b->is_captured)
    uwnccl_free_batch(b);
}

static void free_captured(void *batch) { uwnccl_free_batch(batch); }

/* The graph keeps the batch. */
static cudaError_t keep_in_graph(uwnccl_batch *b, cudaStream_t stream) {
  enum cudaStreamCaptureStatus status;
  unsigned long long number;
  cudaGraph_t graph;
  cudaUserObject_t object;
  cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &number, &graph, NULL, NULL);
  if (error == cudaSuccess)
    error = cudaUserObjectCreate(&object, b, free_captured, 1, cudaUserObjectNoDestructorSync);
  return error == cudaSuccess ? cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) : error;
}

/* `before` waits for `after`'s work so far. */
static cudaError_t put_behind(cudaStream_t before, cudaStream_t after) {
  cudaEvent_t event;
  cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  if (error != cudaSuccess)
    return error;
  error = cudaEventRecord(event, after);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(before, event, 0);
  cudaEventDestroy(event);
  return error;
}

/* Of several streams the first gets it; the others wait for that, as it waits for them. */
static cudaError_t hand_over(uwnccl_batch *b) {
  cudaError_t error = cudaSuccess;
  const size_t count = b->count;
  cudaStream_t *streams = malloc(count * sizeof *streams);
  if (!streams)
    return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < count; i++) {
    streams[i] = b->operations[i].stream;
    if (streams[i] != streams[0] && error == cudaSuccess)
      error = put_behind(streams[0], streams[i]);
  }
  if (error == cudaSuccess)
    error = cudaLaunchHostFunc(streams[0], run_in_stream, b); /* may have freed it */
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    if (streams[i] != streams[0])
      error = put_behind(streams[i], streams[0]);
  free(streams);
  return error;
}

typedef enum readiness { IDLE, BUSY, CAPTURED, FAILED } readiness;

static readiness look_at(const uwnccl_batch *b) {
  readiness all = IDLE;
  for (size_t i = 0; i < b->count && all != FAILED; i++) {
    enum cudaStreamCaptureStatus status;
    const cudaStream_t stream = b->operations[i].stream;
    if (i && stream == b->operations[i - 1].stream)
      continue;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess)
      return FAILED;
    if (status != cudaStreamCaptureStatusNone) {
      all = CAPTURED;
      continue;
    }
    const cudaError_t before = cudaPeekAtLastError(), error = cudaStreamQuery(stream);
    if (error == cudaErrorNotReady && before == cudaSuccess)
      cudaGetLastError(); /* it is no error of the program's */
    if (error != cudaSuccess && error != cudaErrorNotReady)
      all = FAILED;
    else if (error == cudaErrorNotReady && all == IDLE)
      all = BUSY;
  }
  return all;
}

static int may_begin(uwnccl_batch *b) {
  struct ncclComm *c = b->of;
  pthread_mutex_lock(&c->lock);
  b->ticket = c->issued++;
  int begins = b->ticket == c->done;
  c->is_driven |= begins;
  pthread_mutex_unlock(&c->lock);
  return begins;
}

/* Those whose turn it is are in `direct`; all others were handed over. */
static ncclResult_t sort(uwnccl_batch *b, driven *direct, size_t *count) {
  const int own = b->of->device; /* the batch may be gone below */
  int device;
  ncclResult_t result = ncclSuccess;
  cudaGetDevice(&device);
  if (device != own) /* whose stream 0 may be meant */
    cudaSetDevice(own);
  const readiness is = look_at(b);
  if (is == FAILED) {
    result =
        uwnccl_say(ncclUnhandledCudaError,
                   "a stream is not usable: it was destroyed, or another copy of the runtime in this process made it "
                   "(link that with -lcudart, not with -lcudart_static)");
    uwnccl_free_batch(b);
  } else if (is == CAPTURED) {
    b->is_captured = 1;
    if (keep_in_graph(b, b->operations[0].stream) != cudaSuccess || hand_over(b) != cudaSuccess)
      result = uwnccl_say(ncclUnhandledCudaError, "an operation could not be captured");
  } else if (is == IDLE && may_begin(b)) {
    direct[(*count)++] = (driven){.batch = b};
  } else {
    if (is == BUSY)
      b->ticket = take_ticket(b->of);
    if (hand_over(b) != cudaSuccess)
      result = uwnccl_say(ncclUnhandledCudaError, "an operation could not be given to its stream");
  }
  if (device != own)
    cudaSetDevice(device);
  return result;
}

ncclResult_t uwnccl_submit_owned(uwnccl_batch **batches, size_t count) {
  ncclResult_t result = ncclSuccess;
  driven *direct = calloc(count, sizeof *direct);
  size_t begun = 0;
  for (size_t i = 0; i < count; i++) {
    ncclResult_t one = direct ? sort(batches[i], direct, &begun) : ncclSystemError;
    result = result == ncclSuccess ? one : result;
  }
  drive(direct, begun, patience);
  for (size_t i = 0; i < begun; i++) {
    uwnccl_batch *b = direct[i].batch;
    end_turn(b->of, direct[i].is_ended);
    if (direct[i].is_ended) {
      result = result == ncclSuccess ? b->result : result;
      uwnccl_free_batch(b);
    } else {
      int device;
      cudaGetDevice(&device);
      cudaSetDevice(b->of->device);
      if (hand_over(b) != cudaSuccess && result == ncclSuccess)
        result = uwnccl_say(ncclUnhandledCudaError, "an operation could not be given to its stream");
      cudaSetDevice(device);
    }
  }
  free(direct);
  return result;
}
