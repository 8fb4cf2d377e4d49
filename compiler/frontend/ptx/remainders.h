/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop whose iterations were unrolled several times, and the loop beside it that does the remainder one by one: what
 * both files of remainders.c know of them. */
#ifndef UW_PTX_REMAINDERS_H
#define UW_PTX_REMAINDERS_H

#include "../device_loops.h"
#include "alike.h"

#include "llvm-c/Target.h"

typedef struct uw_ptx_iterations {
  LLVMBasicBlockRef header, before, latch, exit; /* left from the latch alone */
  uw_table *inside;
} uw_ptx_iterations;

typedef struct uw_ptx_pair {
  uw_program *program;
  LLVMTargetDataRef layout;
  uw_ptx_iterations first, second; /* as they follow each other */
  bool multiple_first;             /* the first has several iterations a trip */
  unsigned factor;                 /* how many */
  LLVMBasicBlockRef guard;         /* goes to the first loop or past it */
  LLVMBasicBlockRef cross;         /* after the first loop, asks whether there is a rest; null: nobody asks there */
  LLVMBasicBlockRef join;          /* where both ways meet */
  LLVMBasicBlockRef fork;          /* between the join and the second loop, may go past it; null: there is none */
  uw_table *between;               /* blocks from the join to the second loop */
} uw_ptx_pair;

static inline const uw_ptx_iterations *uw_ptx_single(const uw_ptx_pair *pair) {
  return pair->multiple_first ? &pair->second : &pair->first;
}
static inline const uw_ptx_iterations *uw_ptx_multiple(const uw_ptx_pair *pair) {
  return pair->multiple_first ? &pair->first : &pair->second;
}

static inline bool uw_ptx_is_in(const uw_ptx_iterations *loop, LLVMValueRef value) {
  return LLVMIsAInstruction(value) && uw_table_get(loop->inside, LLVMGetInstructionParent(value));
}

static inline bool uw_ptx_is_phi_of(LLVMValueRef value, LLVMBasicBlockRef block) {
  return block && LLVMIsAInstruction(value) && LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
}

/* compare_iterations.c */
bool uw_ptx_is_ordered(LLVMValueRef op); /* an access, or a call, whose order counts */
/* Does a trip of the loop with several iterations do what these do one by one? `count` is a phi of the other that
 * counts its iterations alone. */
bool uw_ptx_iterations_agree(const uw_ptx_pair *pair, LLVMValueRef count);

/* counter_sums.c. A sum of values times constants; a value of less bits is extended with its sign ('s'), without ('z'), or
 * not at all (0). */
typedef struct uw_ptx_term {
  LLVMValueRef value;
  char extended;
  long long factor;
} uw_ptx_term;

enum { UW_PTX_MOST_TERMS = 8 };

typedef struct uw_ptx_sum {
  uw_ptx_term terms[UW_PTX_MOST_TERMS];
  unsigned count;
  long long constant;
} uw_ptx_sum;

/* base + by * trips. Inside of a loop: trips of this loop. Between them: iterations that the first did. For the second,
 * whose start follows from the iterations of the first: as though it had begun with iteration 0. Pointers in bytes. */
typedef struct uw_ptx_affine {
  uw_ptx_sum base, by;
} uw_ptx_affine;

bool uw_ptx_affine_of(const uw_ptx_pair *pair, LLVMValueRef value, uw_ptx_affine *form); /* false: it has none */
bool uw_ptx_add_sum(uw_ptx_sum *to, const uw_ptx_sum *sum, long long times);             /* false: too many terms */
bool uw_ptx_equal_sums(const uw_ptx_sum *a, const uw_ptx_sum *b);
bool uw_ptx_is_number(const uw_ptx_sum *sum, long long *number);
/* The other incoming value of a header's phi, and the sum by which a trip changes it; false: it is not changed by a
 * sum. */
bool uw_ptx_step_of(const uw_ptx_pair *pair, const uw_ptx_iterations *loop, LLVMValueRef phi, uw_ptx_sum *step);

#endif
