/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What operations read and write. */
#ifndef UW_ACCESSES_H
#define UW_ACCESSES_H

#include "linear.h"

typedef struct uw_access {
  MlirOperation op;
  bool reads, writes;
  bool
      anywhere; /* a call, a fence, a volatile access or one that orders others: unknown memory, in an order that others see */
  uw_address address; /* meaningless if anywhere */
  uint64_t bytes;     /* 0: unknown */
  MlirOperation
      crossed; /* the loop whose back edge lies between this access and the position asked about; null if none */
} uw_access;

typedef struct uw_accesses {
  uw_access *at;
  size_t count, capacity;
} uw_accesses;

/* An atomic operation, or a compare-and-swap. */
bool uw_is_atomic(MlirOperation op);
/* One that asks for no order among other accesses. */
bool uw_is_relaxed(MlirOperation atomic);

void uw_accesses_push(uw_arena *arena, uw_accesses *list, uw_access access);
/* Adds what op itself may touch; what it and everything inside of it may touch. */
void uw_accesses_of(uw_arena *arena, MlirOperation op, uw_accesses *list);
void uw_accesses_inside(uw_arena *arena, MlirOperation op, uw_accesses *list);

#endif
