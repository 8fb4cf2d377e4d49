/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Requests of a transport, and memory for them: see requests.h. */
#include "requests.h"

#include <stdlib.h>

enum { KEPT_MOST = 9 << 20 /* bytes of memory that a communicator keeps */ };

char *uwnccl_borrow(const struct ncclComm *c, int purpose, size_t bytes) {
  uwnccl_nodes *n = c->nodes;
  if (n->kept[purpose].is_lent || bytes > KEPT_MOST)
    return malloc(bytes);
  if (n->kept[purpose].bytes < bytes) {
    free(n->kept[purpose].memory);
    n->kept[purpose].memory = malloc(bytes);
    n->kept[purpose].bytes = n->kept[purpose].memory ? bytes : 0;
  }
  n->kept[purpose].is_lent = n->kept[purpose].memory != NULL;
  return n->kept[purpose].memory;
}

void uwnccl_give_back(const struct ncclComm *c, int purpose, char *memory) {
  if (memory && memory == c->nodes->kept[purpose].memory)
    c->nodes->kept[purpose].is_lent = 0;
  else
    free(memory);
}

void uwnccl_drop_work(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_work *w = o->work;
  if (!w)
    return;
  const uwnccl_transport *t = c->nodes->transport;
  if (w->request)
    t->forget(w->request);
  for (size_t i = w->drained; i < w->pending_count; i++)
    t->forget(w->pending[i]);
  for (int i = 0; w->arrivals && i < UWNCCL_WINDOW * c->count; i++)
    if (w->arrivals[i])
      t->forget(w->arrivals[i]);
  uwnccl_give_back(c, UWNCCL_FOR_WISHES, w->wishes);
  free(w->pending);
  free(w->arrivals);
  uwnccl_give_back(c, UWNCCL_FOR_PARTS, w->parts);
  free(w->sums);
  free(w);
  o->work = NULL;
  c->nodes->busy--;
}

void *uwnccl_awaited(const uwnccl_operation *o) { return o->work && !o->is_done ? o->work->awaited : NULL; }

uwnccl_progress uwnccl_finish(struct ncclComm *c, uwnccl_operation *o, ncclResult_t result) {
  uwnccl_drop_work(c, o);
  o->is_done = 1;
  o->result = result;
  return UWNCCL_ENDED;
}

uwnccl_progress uwnccl_lose(struct ncclComm *c, uwnccl_operation *o, ncclResult_t result) {
  uwnccl_say(result, result == ncclRemoteError ? "the connection to a rank ended" : "no memory");
  uwnccl_fail(c, result);
  return uwnccl_finish(c, o, result);
}

void *uwnccl_post(const struct ncclComm *c, int sends, int peer, uint64_t slot, void *memory, size_t bytes) {
  return c->nodes->transport->post(c->nodes->context, sends, peer, slot, memory, bytes);
}

int uwnccl_post_pending(const struct ncclComm *c, uwnccl_work *w, int sends, int peer, uint64_t slot, void *memory,
                        size_t bytes) {
  if (!bytes)
    return 1;
  if (w->pending_count == w->pending_room) {
    void **larger = realloc(w->pending, (w->pending_room * 2 + 8) * sizeof *larger);
    if (!larger)
      return 0;
    w->pending = larger;
    w->pending_room = w->pending_room * 2 + 8;
  }
  void *request = uwnccl_post(c, sends, peer, slot, memory, bytes);
  if (request)
    w->pending[w->pending_count++] = request;
  return request != NULL;
}

int uwnccl_take(const struct ncclComm *c, uwnccl_work *w, void **request) {
  const int state = c->nodes->transport->wait(*request, 0);
  w->awaited = state ? NULL : *request;
  if (state > 0) {
    c->nodes->transport->forget(*request);
    *request = NULL;
  }
  return state;
}

int uwnccl_drain(const struct ncclComm *c, uwnccl_work *w, size_t left) {
  while (w->pending_count - w->drained > left) {
    const int state = uwnccl_take(c, w, &w->pending[w->drained]);
    if (state <= 0)
      return state;
    w->drained++;
  }
  if (w->drained == w->pending_count)
    w->drained = w->pending_count = 0;
  return 1;
}
