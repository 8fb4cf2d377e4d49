/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the engine between machines needs of who carries its bytes. Slots are the tags of messages: of those between two
 * ranks in one direction, no two that are under way have the same. What is received may be
 * less than there is room for, up to 64 KB; of longer messages both sides know the size. Sends and receives
 * of one context are posted, waited for and forgotten by one thread at a time; `stop` may come from any.
 */
#ifndef UWNCCL_TRANSPORT_H
#define UWNCCL_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum { UWNCCL_DESCRIPTION = 240 }; /* bytes of what a rank says of itself */

typedef struct uwnccl_transport {
  const char *name;
  /* `address` is this rank's, as a number. Null: `error` says why. */
  void *(*open)(const char *address, int rank, int count, int seconds, char *error, size_t room);
  /* What `peer` has to know to connect; its bytes, 0: it failed. All are asked for before any is connected. */
  size_t (*describe)(void *context, int peer, void *to, size_t room);
  /* Ranks connect to each other in the order of their numbers. 0: it failed. */
  int (*connect)(void *context, int peer, const void *description, size_t bytes, char *error, size_t room);
  /* Null: it failed, as the peer is gone. */
  void *(*post)(void *context, int sends, int peer, uint64_t slot, void *memory, size_t bytes);
  /* 1: done; -1: it failed; 0: neither as far as is known. With 0 microseconds it says what was found before. */
  int (*wait)(void *request, long microseconds);
  void (*forget)(void *request); /* done, failed, or of a context that is stopped */
  void (*stop)(void *context);   /* what is posted fails, and touches no memory from then on; peers notice */
  void (*close)(void *context);  /* what was sent still arrives, unless it was stopped */
} uwnccl_transport;

#endif
