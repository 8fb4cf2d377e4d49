/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Communicators: made from an id, or as a part of another one; left in peace or aborted. A communicator is held by who
 * has its handle, by batches and by the thread that makes it; the last one frees it. */
#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t live = 0x6e63636c2d75772e;

int uwnccl_is_live(const struct ncclComm *c) { return c && c->sign == live; }

ncclResult_t uwnccl_is_ready(const struct ncclComm *c, const char *name) {
  if (!uwnccl_is_live(c))
    return uwnccl_say(ncclInvalidArgument, "%s: %s", name,
                      c ? "this is not a communicator" : "the communicator is null");
  if (c->state == ncclInProgress)
    return uwnccl_say(ncclInvalidArgument, "%s: the communicator is not made yet: ncclCommGetAsyncError says when",
                      name);
  return c->is_lost ? c->state : ncclSuccess;
}

void uwnccl_hold(struct ncclComm *c) {
  pthread_mutex_lock(&c->lock);
  c->references++;
  pthread_mutex_unlock(&c->lock);
}

void uwnccl_release(struct ncclComm *c) {
  pthread_mutex_lock(&c->lock);
  int left = --c->references;
  pthread_mutex_unlock(&c->lock);
  if (left)
    return;
  c->sign = 0;
  if (c->engine)
    c->engine->leave(c);
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->changed);
  free(c->peers);
  free(c->operators);
  free(c);
}

void uwnccl_end(struct ncclComm *c) {
  if (c->engine)
    c->engine->end(c);
}

void uwnccl_fail(struct ncclComm *c, ncclResult_t result) {
  c->state = result;
  c->is_lost = 1;
  uwnccl_end(c);
}

/* With as many cores as ranks a rank may wait without giving its core away. */
static int spins_for(int count) {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) >= count ? 1000 : 0;
}

struct ncclComm *uwnccl_new(int count, int rank, int device, const ncclConfig_t *config,
                            const struct ncclComm *parent) {
  struct ncclComm *c = calloc(1, sizeof *c);
  uwnccl_read_environment();
  if (!c || !(c->peers = calloc((size_t)count, sizeof *c->peers))) {
    free(c);
    return NULL;
  }
  for (int i = 0; i < count; i++)
    c->peers[i] = (uwnccl_peer){.pid_descriptor = -1, .socket = -1};
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->changed, NULL);
  c->sign = live;
  c->rank = rank;
  c->count = count;
  c->device = device;
  c->references = 1;
  c->spins = spins_for(count);
  c->bell = &c->own_bell;
  c->state = ncclInProgress;
  c->is_blocking = parent ? parent->is_blocking : 1;
  if (config && config->size >= offsetof(ncclConfig_t, blocking) + sizeof config->blocking &&
      config->blocking != NCCL_CONFIG_UNDEF_INT)
    c->is_blocking = config->blocking != 0;
  return c;
}

static ncclResult_t come_together(struct ncclComm *c, const ncclUniqueId *id) {
  uwnccl_doors doors = {-1, -1};
  uwnccl_address own = {.rank = c->rank, .count = c->count, .device = c->device},
                 *all = calloc((size_t)c->count, sizeof *all);
  ncclResult_t result = all ? uwnccl_wanted(&own.wants) : uwnccl_say(ncclSystemError, "no memory");
  if (result == ncclSuccess)
    result = uwnccl_open_door(&own, &doors.local);
  if (result == ncclSuccess)
    result = uwnccl_meet(id, &own, all, &c->aborted, &doors);
  if (result == ncclSuccess)
    result = uwnccl_join(c, all, &doors);
  if (doors.local >= 0)
    close(doors.local);
  if (doors.tcp >= 0)
    close(doors.tcp);
  free(all);
  return result;
}

/* --- parts of a communicator -------------------------------------------------------------------------------------- */

static ncclResult_t gather(struct ncclComm *c, const void *own, void *all, size_t bytes) {
  uwnccl_batch *b = uwnccl_new_batch(c);
  if (!b || !uwnccl_add(b, &(uwnccl_operation){
                               .kind = UWNCCL_ALL_GATHER, .from = own, .to = all, .count = bytes, .type = ncclUint8})) {
    if (b)
      uwnccl_free_batch(b);
    return uwnccl_say(ncclSystemError, "no memory");
  }
  return uwnccl_run_now_owned(b);
}

typedef struct wish {
  int32_t color, key;
} wish;

/* Ranks of a color, in the order of their keys, then of their ranks; the first of them makes the id for all. */
static ncclResult_t part(uwnccl_making *m) {
  struct ncclComm *parent = m->parent;
  const wish own = {m->color, m->key};
  wish *all = calloc((size_t)parent->count, sizeof *all);
  ncclUniqueId *ids = calloc((size_t)parent->count, sizeof *ids), mine = {0};
  int rank = 0, count = 0, first = -1;
  ncclResult_t result = all && ids ? gather(parent, &own, all, sizeof own) : uwnccl_say(ncclSystemError, "no memory");
  for (int i = 0; i < parent->count && result == ncclSuccess; i++) {
    if (all[i].color != own.color)
      continue;
    count++;
    rank += all[i].key < own.key || (all[i].key == own.key && i < parent->rank);
    if (first < 0 || all[i].key < all[first].key)
      first = i;
  }
  ncclResult_t made = ncclSuccess;
  if (result == ncclSuccess && own.color >= 0 && first == parent->rank)
    made = uwnccl_new_id(&mine, 0);
  if (result == ncclSuccess) /* all ranks do, whatever their color */
    result = gather(parent, &mine, ids, sizeof mine);
  result = result == ncclSuccess ? made : result;
  if (result == ncclSuccess && own.color >= 0) {
    struct ncclComm *c = m->fresh;
    uwnccl_peer *peers = realloc(c->peers, (size_t)count * sizeof *peers); /* of no more than the parent's */
    c->peers = peers ? peers : c->peers;
    c->rank = rank;
    c->count = count;
    c->spins = spins_for(count);
    m->id = ids[first];
  }
  free(all);
  free(ids);
  return result;
}

/* --- successors --------------------------------------------------------------------------------------------------- */

/* Not by operations of the parent's, some of whose ranks may be gone: one rank tells all others where to meet. */
static ncclResult_t find_successors(uwnccl_making *m) {
  struct ncclComm *parent = m->parent;
  pthread_mutex_lock(&parent->lock);
  const uint64_t number = ++parent->successors;
  pthread_mutex_unlock(&parent->lock);
  if (m->speaks) {
    const ncclResult_t result = m->has_id ? ncclSuccess : uwnccl_new_id(&m->id, 0);
    if (result == ncclSuccess)
      parent->engine->tell(parent, number, &m->id);
    return result;
  }
  const double end = uwnccl_now() + uwnccl_seconds();
  while (!parent->engine->is_told(parent, number, &m->id)) {
    if (m->fresh->aborted)
      return uwnccl_say(ncclInternalError, "aborted while ranks came together");
    if (uwnccl_now() > end)
      return uwnccl_say(ncclRemoteError, "no rank said within UNWARP_NCCL_TIMEOUT seconds where the new communicator's "
                                         "ranks meet");
    nanosleep(&(struct timespec){0, 200000}, NULL);
  }
  return ncclSuccess;
}

/* What runs comes out of it, as do peers that wait for it; what was asked for and has not begun is dropped when its
 * stream comes to it. The communicator has no error from then on, and nothing left to do. */
void uwnccl_revoke(struct ncclComm *c) {
  c->is_revoked = 1;
  uwnccl_end(c);
  pthread_mutex_lock(&c->lock);
  pthread_cond_broadcast(&c->changed);
  while (c->is_driven)
    pthread_cond_wait(&c->changed, &c->lock);
  c->is_lost = 0;
  c->state = ncclSuccess;
  pthread_mutex_unlock(&c->lock);
}

/* --- making ------------------------------------------------------------------------------------------------------- */

static void *make_one(void *argument) {
  uwnccl_making *m = argument;
  struct ncclComm *c = m->fresh;
  m->result = m->succeeds ? find_successors(m) : m->parent ? part(m) : ncclSuccess;
  if (c && m->result == ncclSuccess)
    m->result = come_together(c, &m->id);
  if (c && m->result != ncclSuccess) {
    c->is_lost = 1;
    uwnccl_end(c);
  }
  if (c)
    c->state = m->result;
  return NULL;
}

static void *make_aside(void *argument) {
  uwnccl_making *m = argument;
  make_one(m);
  uwnccl_release(m->fresh);
  if (m->parent)
    uwnccl_release(m->parent);
  free(m);
  return NULL;
}

static ncclResult_t begin_aside(const uwnccl_making *from) {
  pthread_t thread;
  uwnccl_making *m = malloc(sizeof *m);
  if (!m)
    return uwnccl_say(ncclSystemError, "no memory");
  *m = *from;
  uwnccl_hold(m->fresh);
  if (m->parent)
    uwnccl_hold(m->parent);
  if (pthread_create(&thread, NULL, make_aside, m) != 0) {
    uwnccl_release(m->fresh);
    if (m->parent)
      uwnccl_release(m->parent);
    free(m);
    return uwnccl_say(ncclSystemError, "no thread");
  }
  pthread_detach(thread);
  return ncclInProgress;
}

ncclResult_t uwnccl_make(uwnccl_making *all, size_t count) {
  ncclResult_t result = ncclSuccess;
  pthread_t *threads = calloc(count + 1, sizeof *threads);
  char *is_aside = calloc(count + 1, 1), *is_thread = calloc(count + 1, 1);
  if (!threads || !is_aside || !is_thread)
    result = uwnccl_say(ncclSystemError, "no memory");
  for (size_t i = 0; i < count && result != ncclSystemError; i++) {
    uwnccl_making *m = &all[i];
    is_aside[i] = m->fresh && !m->fresh->is_blocking;
    if (is_aside[i])
      m->result = begin_aside(m);
    else if (i + 1 == count)
      make_one(m); /* the last, or the only one */
    else if (pthread_create(&threads[i], NULL, make_one, m) == 0)
      is_thread[i] = 1;
    else
      m->result = uwnccl_say(ncclSystemError, "no thread");
  }
  for (size_t i = 0; i < count && result != ncclSystemError; i++) {
    uwnccl_making *m = &all[i];
    if (is_thread[i])
      pthread_join(threads[i], NULL);
    if (m->result != ncclSuccess && (result == ncclSuccess || result == ncclInProgress))
      result = m->result;
    if (m->fresh && !is_aside[i] && m->result != ncclSuccess) {
      *m->to = NULL;
      uwnccl_release(m->fresh);
    }
  }
  free(threads);
  free(is_aside);
  free(is_thread);
  return result;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

ncclResult_t uwnccl_wait_for_all(struct ncclComm *c) {
  pthread_mutex_lock(&c->lock);
  while (c->done != c->issued && !c->aborted)
    pthread_cond_wait(&c->changed, &c->lock);
  pthread_mutex_unlock(&c->lock);
  return c->is_lost ? c->state : ncclSuccess;
}

/* An abort waits for the thread that is in an operation to come out of it, not for those that have yet to begin. */
void uwnccl_quit(struct ncclComm *c, int aborts) {
  if (!aborts && c->state != ncclInProgress)
    uwnccl_wait_for_all(c);
  c->aborted |= aborts || c->state == ncclInProgress;
  if (c->state != ncclInProgress)
    uwnccl_end(c);
  pthread_mutex_lock(&c->lock);
  pthread_cond_broadcast(&c->changed);
  while (c->is_driven)
    pthread_cond_wait(&c->changed, &c->lock);
  pthread_mutex_unlock(&c->lock);
  uwnccl_release(c);
}
