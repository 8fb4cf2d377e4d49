/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is known of functions that stay calls (they recurse, or are not to be inlined). */
#ifndef UW_CALLS_H
#define UW_CALLS_H

#include "../ir/ir.h"

/* Is the result of the call a function of its arguments, nothing else? It and all that it calls compute and branch, and
 * read no memory but constants: no thread index either, which such functions find in memory. It may not return. */
bool uw_call_is_function(uw_arena *arena, MlirOperation call);

/* Is that the address of a global that never changes? */
bool uw_is_constant_global(MlirOperation addressof);

/* What a call may do to memory that it is handed as that operand, a pointer. */
typedef struct uw_call_memory {
  bool reads, writes;
  bool is_atomic; /* whatever it does is */
  uint64_t bytes; /* from where the operand points; 0: it may be anywhere in that object */
} uw_call_memory;
uw_call_memory uw_memory_of_call(uw_arena *arena, MlirOperation call, size_t operand);

/* May any thread of the block make the call, as its part? Not one of the runtime's and the API's functions, which may
 * depend on the thread that calls, or on its block. */
bool uw_is_call_anywhere(MlirOperation call);

/* Is it a call of one of the checks that -fcheck puts into kernels? Does op hold one? Then its threads run as written,
 * in their order. */
bool uw_is_check(MlirOperation call);
/* Does it tell that all lanes of a warp came to an exchange? */
bool uw_is_met_check(MlirOperation call);
bool uw_holds_checks(uw_arena *arena, MlirOperation op);

/* Is it one of the calls that say where variables are, and what they are (frontend/debug_variables.c)? */
bool uw_of_debugger(MlirOperation op);

#endif
