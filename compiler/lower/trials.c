/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checked blocks that run at the same time may have to run again, in order (runtime/check/trial.c): the checker opens
 * their region, and runs it a second time where the first was a trial that failed.
 *
 *   call @__kmpc_fork_call_if(place, 1, outlined, wanted, data)   ==>   call @uwrt_check_fork(place, 1, outlined, wanted, data)
 */
#include <string.h>

#include "lower.h"

enum { ARGUMENTS = 5 };

void uw_lower_trials(LLVMModuleRef module) {
  LLVMValueRef fork = LLVMGetNamedFunction(module, "__kmpc_fork_call_if");
  if (!fork || (!LLVMGetNamedFunction(module, "uwrt_check_try") && !LLVMGetNamedFunction(module, "uwrt_check_apart")))
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(fork), next; use; use = next) {
    LLVMValueRef call = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == fork && uw_is_share(LLVMGetOperand(call, 2)))
      uw_call_instead(module, call, "uwrt_check_fork", ARGUMENTS);
  }
}
