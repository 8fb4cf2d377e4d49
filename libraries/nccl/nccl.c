/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NCCL's collectives among the devices of one process, for programs into which NCCL was linked
 * (libraries/exec/linked_in.c); no library of that name is installed, as those who look for one want all of it.
 * (NCCL 2.4 documentation, "API".) Devices share memory, so a collective is a loop: each communicator has a queue of
 * what its rank asked for, and who completes a row of all queues' heads does it, once the streams have come so far.
 * Who asks waits for that.
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum result { SUCCESS, CUDA_FAILED, SYSTEM_FAILED, INTERNAL_FAILED, INVALID_ARGUMENT, INVALID_USAGE } result;
typedef enum type { INT8, UINT8, INT32, UINT32, INT64, UINT64, HALF, FLOAT, DOUBLE, TYPES } type;
typedef enum operation { SUM, PRODUCT, LARGEST, LEAST, OPERATORS } operation;
typedef enum kind { BROADCAST, REDUCE, ALL_REDUCE, SCATTER, GATHER } kind;

typedef struct request {
  struct request *next; /* of its communicator; then of its thread's group */
  struct communicator *of;
  kind kind;
  const void *from;
  void *to;
  size_t count;
  type type;
  operation operation;
  int root;
  cudaStream_t stream;
  int done;
  result result;
} request;

typedef struct clique {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int count, left;
  struct communicator *members[];
} clique;

typedef struct communicator {
  clique *clique;
  int rank, device;
  request *first, **last;
} communicator;

static const size_t bytes_of[TYPES] = {1, 1, 4, 4, 8, 8, 2, 4, 8};

/* --- work --------------------------------------------------------------------------------------------------------- */

#define COMBINE(name, T)                                                                                               \
  static void combine_##name(T *to, const T *from, size_t count, operation o) {                                        \
    for (size_t i = 0; i < count; i++)                                                                                 \
      to[i] = (T)(o == SUM       ? to[i] + from[i]                                                                     \
                  : o == PRODUCT ? to[i] * from[i]                                                                     \
                  : o == LARGEST ? (to[i] > from[i] ? to[i] : from[i])                                                 \
                                 : (to[i] < from[i] ? to[i] : from[i]));                                               \
  }
COMBINE(i8, int8_t)
COMBINE(u8, uint8_t)
COMBINE(i32, int32_t)
COMBINE(u32, uint32_t)
COMBINE(i64, int64_t)
COMBINE(u64, uint64_t)
COMBINE(half, _Float16)
COMBINE(float, float)
COMBINE(double, double)

static void combine(void *to, const void *from, size_t count, type type, operation o) {
  switch (type) {
  case INT8: combine_i8(to, from, count, o); break;
  case UINT8: combine_u8(to, from, count, o); break;
  case INT32: combine_i32(to, from, count, o); break;
  case UINT32: combine_u32(to, from, count, o); break;
  case INT64: combine_i64(to, from, count, o); break;
  case UINT64: combine_u64(to, from, count, o); break;
  case HALF: combine_half(to, from, count, o); break;
  case FLOAT: combine_float(to, from, count, o); break;
  default: combine_double(to, from, count, o);
  }
}

/* All ranks ask for the same. */
static int agree(const clique *c) {
  const request *head = c->members[0]->first;
  for (int i = 1; i < c->count; i++) {
    const request *other = c->members[i]->first;
    if (other->kind != head->kind || other->count != head->count || other->type != head->type ||
        other->root != head->root || other->operation != head->operation)
      return 0;
  }
  return 1;
}

/* The sum may stand where a summand is: it is made elsewhere first. */
static result reduce(const clique *c, const request *head) {
  const size_t all = head->kind == SCATTER ? head->count * (size_t)c->count : head->count,
               bytes = head->count * bytes_of[head->type];
  char *sum = malloc(all * bytes_of[head->type] + 1);
  if (!sum)
    return SYSTEM_FAILED;
  memcpy(sum, head->from, all * bytes_of[head->type]);
  for (int i = 1; i < c->count; i++)
    combine(sum, c->members[i]->first->from, all, head->type, head->operation);
  for (int i = 0; i < c->count; i++)
    if (head->kind != REDUCE || i == head->root)
      memcpy(c->members[i]->first->to, head->kind == SCATTER ? sum + (size_t)i * bytes : sum, bytes);
  free(sum);
  return SUCCESS;
}

static result move(const clique *c, const request *head) {
  const size_t bytes = head->count * bytes_of[head->type];
  for (int i = 0; i < c->count; i++)
    for (int from = 0; from < c->count; from++)
      if (head->kind == GATHER)
        memmove((char *)c->members[i]->first->to + (size_t)from * bytes, c->members[from]->first->from, bytes);
      else if (from == head->root)
        memmove(c->members[i]->first->to, c->members[from]->first->from, bytes);
  return SUCCESS;
}

static result perform(const clique *c) {
  int device;
  result result = agree(c) ? SUCCESS : INVALID_USAGE;
  cudaGetDevice(&device);
  for (int i = 0; i < c->count && result == SUCCESS; i++) {
    cudaSetDevice(c->members[i]->device); /* whose stream 0 may be meant */
    if (cudaStreamSynchronize(c->members[i]->first->stream) != cudaSuccess)
      result = CUDA_FAILED;
  }
  cudaSetDevice(device);
  const request *head = c->members[0]->first;
  if (result == SUCCESS && head->count)
    result = head->kind == BROADCAST || head->kind == GATHER ? move(c, head) : reduce(c, head);
  return result;
}

/* --- queues ------------------------------------------------------------------------------------------------------- */

static int is_complete(const clique *c) {
  for (int i = 0; i < c->count; i++)
    if (!c->members[i]->first)
      return 0;
  return 1;
}

static void post(request *asked) {
  clique *c = asked->of->clique;
  pthread_mutex_lock(&c->lock);
  *asked->of->last = asked;
  asked->of->last = &asked->next;
  while (is_complete(c)) {
    result result = perform(c);
    for (int i = 0; i < c->count; i++) {
      communicator *member = c->members[i];
      request *done = member->first;
      member->first = done->next;
      if (!member->first)
        member->last = &member->first;
      done->result = result;
      done->done = 1;
    }
    pthread_cond_broadcast(&c->changed);
  }
  pthread_mutex_unlock(&c->lock);
}

static result wait_for(request *asked) {
  clique *c = asked->of->clique;
  pthread_mutex_lock(&c->lock);
  while (!asked->done)
    pthread_cond_wait(&c->changed, &c->lock);
  pthread_mutex_unlock(&c->lock);
  return asked->result;
}

/* What a thread asks for between ncclGroupStart and ncclGroupEnd. */
static _Thread_local struct {
  int depth;
  size_t count, room;
  request **requests;
} group;

static result finish(request **requests, size_t count) {
  result result = SUCCESS;
  for (size_t i = 0; i < count; i++)
    post(requests[i]);
  for (size_t i = 0; i < count; i++) {
    enum result one = wait_for(requests[i]);
    result = result == SUCCESS ? one : result;
    free(requests[i]);
  }
  return result;
}

static result ask(request wanted) {
  if (!wanted.of || wanted.type >= TYPES || wanted.operation >= OPERATORS || wanted.root < 0 ||
      wanted.root >= wanted.of->clique->count || (wanted.count && !wanted.from))
    return INVALID_ARGUMENT;
  request *asked = malloc(sizeof *asked);
  if (!asked)
    return SYSTEM_FAILED;
  *asked = wanted;
  if (!group.depth)
    return finish(&asked, 1);
  if (group.count == group.room) {
    request **larger = realloc(group.requests, (group.room * 2 + 8) * sizeof(request *));
    if (!larger) {
      free(asked);
      return SYSTEM_FAILED;
    }
    group.requests = larger;
    group.room = group.room * 2 + 8;
  }
  group.requests[group.count++] = asked;
  return SUCCESS;
}

/* --- what programs call ------------------------------------------------------------------------------------------- */

#pragma GCC visibility push(default)
#define API(name, ...)                                                                                                 \
  result name(__VA_ARGS__);                                                                                            \
  result name(__VA_ARGS__)
typedef struct unique_id {
  char bytes[128];
} unique_id;

API(ncclGetVersion, int *version) { return version ? (*version = 2408, SUCCESS) : INVALID_ARGUMENT; }

const char *ncclGetErrorString(result result);
const char *ncclGetErrorString(result result) {
  static const char *const all[] = {"no error",       "unhandled cuda error", "unhandled system error",
                                    "internal error", "invalid argument",     "invalid usage"};
  return (unsigned int)result < sizeof all / sizeof *all ? all[result] : "unknown result code";
}

API(ncclCommInitAll, communicator **communicators, int count, const int *devices) {
  int there = 0;
  if (!communicators || count < 1 || cudaGetDeviceCount(&there) != cudaSuccess)
    return INVALID_ARGUMENT;
  clique *c = calloc(1, sizeof *c + (size_t)count * sizeof *c->members);
  communicator *all = calloc((size_t)count, sizeof *all);
  for (int i = 0; i < count; i++)
    if (!c || !all || (devices ? devices[i] : i) < 0 || (devices ? devices[i] : i) >= there) {
      free(c);
      free(all);
      return c && all ? INVALID_ARGUMENT : SYSTEM_FAILED;
    }
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->changed, NULL);
  c->count = c->left = count;
  for (int i = 0; i < count; i++) {
    all[i] = (communicator){.clique = c, .rank = i, .device = devices ? devices[i] : i};
    all[i].last = &all[i].first;
    communicators[i] = c->members[i] = &all[i];
  }
  return SUCCESS;
}

API(ncclCommDestroy, communicator *communicator) {
  if (!communicator)
    return INVALID_ARGUMENT;
  clique *c = communicator->clique;
  pthread_mutex_lock(&c->lock);
  int left = --c->left;
  pthread_mutex_unlock(&c->lock);
  if (!left) {
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    free(c->members[0]); /* all of them */
    free(c);
  }
  return SUCCESS;
}
API(ncclCommAbort, communicator *communicator) { return ncclCommDestroy(communicator); }

/* Ranks of other processes, of which this one knows nothing. */
API(ncclGetUniqueId, unique_id *id) { return id ? (memset(id, 0, sizeof *id), SUCCESS) : INVALID_ARGUMENT; }
API(ncclCommInitRank, communicator **communicator, int count, unique_id id, int rank) {
  int device = 0;
  (void)id;
  if (!communicator || count < 1 || rank < 0 || rank >= count || cudaGetDevice(&device) != cudaSuccess)
    return INVALID_ARGUMENT;
  if (count > 1) {
    fprintf(stderr, "unwarp: NCCL among several processes, or by ncclCommInitRank, is not there: one process may have "
                    "several devices (ncclCommInitAll)\n");
    return INVALID_USAGE;
  }
  return ncclCommInitAll(communicator, 1, &device);
}

#define TELL(name, what)                                                                                               \
  API(name, const communicator *communicator, int *to) {                                                               \
    return communicator && to ? (*to = communicator->what, SUCCESS) : INVALID_ARGUMENT;                                \
  }
TELL(ncclCommCount, clique->count)
TELL(ncclCommCuDevice, device)
TELL(ncclCommUserRank, rank)
API(ncclCommGetAsyncError, communicator *communicator, result *to) {
  return communicator && to ? (*to = SUCCESS, SUCCESS) : INVALID_ARGUMENT;
}

API(ncclGroupStart, void) {
  group.depth++;
  return SUCCESS;
}
API(ncclGroupEnd, void) {
  if (!group.depth)
    return INVALID_USAGE;
  if (--group.depth)
    return SUCCESS;
  result result = finish(group.requests, group.count);
  free(group.requests);
  group.requests = NULL;
  group.count = group.room = 0;
  return result;
}

#define SIZES size_t count, type type
#define WHERE communicator *communicator, cudaStream_t stream
#define ASK(...)                                                                                                       \
  ask((request){                                                                                                       \
      .of = communicator, .count = count, .type = type, .stream = stream, .from = from, .to = to, __VA_ARGS__})
API(ncclBroadcast, const void *from, void *to, SIZES, int root, WHERE) {
  from = communicator && communicator->rank != root ? to : from; /* of the root alone is it asked */
  return ASK(.kind = BROADCAST, .root = root);
}
API(ncclBcast, void *to, SIZES, int root, WHERE) {
  return ncclBroadcast(to, to, count, type, root, communicator, stream);
}
API(ncclReduce, const void *from, void *to, SIZES, operation operation, int root, WHERE) {
  return ASK(.kind = REDUCE, .operation = operation, .root = root);
}
API(ncclAllReduce, const void *from, void *to, SIZES, operation operation, WHERE) {
  return ASK(.kind = ALL_REDUCE, .operation = operation);
}
API(ncclReduceScatter, const void *from, void *to, SIZES, operation operation, WHERE) {
  return ASK(.kind = SCATTER, .operation = operation);
}
API(ncclAllGather, const void *from, void *to, SIZES, WHERE) { return ASK(.kind = GATHER); }
#pragma GCC visibility pop
