/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses to memory, what object their addresses start from (the base, linear.h), and whether two may start from the same. */
#ifndef UW_BASES_H
#define UW_BASES_H

#include "linear.h"

typedef struct uw_access {
  MlirOperation op;
  bool reads, writes;
  bool anywhere;         /* a call, a fence, a volatile access: memory that we cannot name, in an order that others may see */
  uw_address address;    /* meaningless if anywhere */
  uint64_t bytes;        /* 0: unknown */
  MlirOperation crossed; /* the loop whose back edge lies between this access and the place asked about; null if none */
} uw_access;

/* Is that operation memory of one thread? */
bool uw_is_private(MlirOperation maker);

/* Can the two never touch the same bytes, because their bases are different objects? launch: the outermost parallel loop around
 * both. */
bool uw_bases_distinct(MlirOperation launch, const uw_access *a, const uw_access *b);

/* Is this memory (a shared array, an alloca) used by more than accesses at addresses computed from it? Then a pointer that comes
 * from elsewhere may lead to it. */
bool uw_is_captured(MlirValue memory);

/* Pushes all that uses the memory: address arithmetic, outer before inner, and accesses. False if there is more to its uses than plain
 * loads and stores inside of the loop: nobody else can then lead a pointer to it. */
bool uw_plain_uses(uw_arena *arena, MlirOperation loop, MlirValue memory, uw_ops *arithmetic, uw_ops *accesses);

#endif
