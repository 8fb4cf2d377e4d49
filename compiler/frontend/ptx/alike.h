/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Are two instructions the same operation? What is asked where a loop was unrolled: iterations are compared with each
 * other. */
#ifndef UW_PTX_ALIKE_H
#define UW_PTX_ALIKE_H

#include "ptx.h"

LLVMOpcode uw_ptx_opcode_of(LLVMValueRef value); /* 0: no instruction */
int uw_ptx_operand_count(LLVMValueRef op);       /* of a call: its arguments */
bool uw_ptx_is_pure_call(
    LLVMValueRef call); /* of an intrinsic that touches no memory and is the same for the same operands */
/* Of two instructions of one opcode: predicates, fast-math flags, callees. False also for what is not plain: volatile,
 * atomic, impure. */
bool uw_ptx_has_same_flags(LLVMValueRef a, LLVMValueRef b);
/* No wrap, exact, inbounds: what held for one iteration need not hold for others. */
void uw_ptx_drop_promises(LLVMValueRef op);

#endif
