/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The natural loops of a function of device code, while it is LLVM IR: what of them is known without the host. llvm-c
 * has no loop analysis. */
#ifndef UW_DEVICE_LOOPS_H
#define UW_DEVICE_LOOPS_H

#include "frontend.h"

typedef struct uw_device_loop {
  LLVMBasicBlockRef header;
  LLVMValueRef *latches; /* the branches that go back to the header */
  size_t latch_count;
  uw_table *inside; /* its blocks -> 1 */
  unsigned trips; /* how often the body runs, unless the loop is left early; 0: not known, or more than UW_MOST_TRIPS */
  LLVMValueRef counter, limit; /* the phi that is compared, and with what; null: nothing of that kind ends the loop */
  size_t parent;               /* the loop around it, UW_NO_LOOP for none */
  size_t own_size;             /* instructions in it, those of inner loops not counted */
} uw_device_loop;

enum { UW_MOST_TRIPS = 128 };
#define UW_NO_LOOP SIZE_MAX

typedef struct {
  uw_device_loop *loops; /* outer ones before those in them */
  size_t count;
} uw_device_loops;

/* Adds the header, and the blocks from which `from` is reached without it: those of a loop, if from goes back to the
 * header. Where `from` is a way into the loop, the function's entry is among them. */
void uw_add_blocks_of_loop(uw_arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef header, uw_table *inside);
/* What a phi is where control comes from a block; null: it does not. */
LLVMValueRef uw_incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from);
/* A comparison of two integers of so many bits, extended with their sign. */
bool uw_numbers_compare(LLVMIntPredicate predicate, int64_t a, int64_t b, unsigned bits);

uw_device_loops uw_find_device_loops(uw_arena *arena, LLVMValueRef function);
/* The loop with that header; UW_NO_LOOP. */
size_t uw_device_loop_at(const uw_device_loops *loops, LLVMBasicBlockRef header);

#endif
