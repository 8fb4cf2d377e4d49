/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an operation between machines has under way: requests of a transport, and memory for what comes. exchange.c says
 * which. */
#ifndef UWNCCL_REQUESTS_H
#define UWNCCL_REQUESTS_H

#include "internal.h"

enum { UWNCCL_WINDOW = 4 }; /* pieces of slices under way */

typedef struct uwnccl_work {
  char *wishes;       /* of this rank, the next higher one and so on */
  char *goes, *comes; /* messages of several */
  int distance;       /* of ranks whose wishes are here */
  void *request, *awaited;
  void **pending; /* for the end: what nothing else waits for */
  size_t drained, pending_count, pending_room;
  ncclResult_t result;
  /* slices */
  size_t piece, pieces, opened, next;
  int arrived;     /* ranks whose parts of the next piece are here */
  void **arrivals; /* UWNCCL_WINDOW times a rank */
  char *parts;     /* UWNCCL_WINDOW times a piece of each rank; or a copy */
  char *sums;      /* where this rank does not keep them itself */
  /* messages */
  uint64_t sizes[2]; /* this side's, the other's */
} uwnccl_work;

enum { UWNCCL_FOR_WISHES, UWNCCL_FOR_PARTS };

/* Null: there is none. One collective runs at a time; who comes while its memory is lent gets other memory. */
char *uwnccl_borrow(const struct ncclComm *c, int purpose, size_t bytes);
void uwnccl_give_back(const struct ncclComm *c, int purpose, char *memory);

/* The operation ends with that result; of lose, the communicator does, too. */
uwnccl_progress uwnccl_finish(struct ncclComm *c, uwnccl_operation *o, ncclResult_t result);
uwnccl_progress uwnccl_lose(struct ncclComm *c, uwnccl_operation *o, ncclResult_t result);

/* Sends to the peer, or receives from it. Null: it failed. */
void *uwnccl_post(const struct ncclComm *c, int sends, int peer, uint64_t slot, void *memory, size_t bytes);
/* Waited for at the end. 0: it failed. */
int uwnccl_post_pending(const struct ncclComm *c, uwnccl_work *w, int sends, int peer, uint64_t slot, void *memory,
                        size_t bytes);
/* 1: it is done, and forgotten; 0: it is waited for; -1: it failed. */
int uwnccl_take(const struct ncclComm *c, uwnccl_work *w, void **request);
/* The oldest ones that are pending, down to so many. As uwnccl_take. */
int uwnccl_drain(const struct ncclComm *c, uwnccl_work *w, size_t left);

#endif
