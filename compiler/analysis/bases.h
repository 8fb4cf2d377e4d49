/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What object an address starts from (the base, linear.h), and whether two accesses may start from the same. How the
 * addresses in one object lie to each other: dependence.h. */
#ifndef UW_BASES_H
#define UW_BASES_H

#include "accesses.h"

/* Is that operation memory of one thread? */
bool uw_is_private(MlirOperation maker);
/* Or of one block, or of a thread while it waits: an object that no other launch sees. */
bool uw_is_made_inside(MlirOperation maker);

/* Does the address lead to memory that is handed to the launch: neither of a block or a thread, nor a variable? */
bool uw_leads_to_array(MlirValue address);

/* Can the two never touch the same bytes, because their bases are different objects? launch: the outermost parallel
 * loop around both. */
bool uw_bases_distinct(MlirOperation launch, const uw_access *a, const uw_access *b);
/* For people: why not; null if they can. */
const char *uw_why_distinct(MlirOperation launch, const uw_access *a, const uw_access *b);

/* float *data; cudaMalloc(&data, …): the variable, if the base is what it holds and nothing but allocations sets it. Or
 * the call of a function that is said to return memory of its own (noalias). Null: neither. */
MlirOperation uw_allocation_of(MlirValue base);

/* Is this memory (a shared array, an alloca) used by more than accesses at addresses computed from it? Then a pointer
 * that comes from elsewhere may lead to it. */
bool uw_is_captured(MlirValue memory);

/* Pushes the operations that use the address, through address arithmetic; false if it escapes to where we cannot
 * follow: to more than loads, stores to it, and memory intrinsics. */
bool uw_uses_of(uw_arena *arena, MlirValue address, uw_ops *users);

/* Pushes all that uses the memory: address arithmetic, outer before inner, and accesses. False if there is more to its
 * uses than plain loads and stores inside of the loop: nobody else can then lead a pointer to it. */
bool uw_plain_uses(uw_arena *arena, MlirOperation loop, MlirValue memory, uw_ops *arithmetic, uw_ops *accesses);

#endif
