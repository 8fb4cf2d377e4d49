/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the addresses of a kernel come from. */
#ifndef UW_CHECK_ROOTS_H
#define UW_CHECK_ROOTS_H

#include "../passes/passes.h"

/* What makes the pointer that an address is computed from; null: an argument of a block. */
MlirOperation uw_root_of(MlirValue address);
/* Is it a pointer that the kernel was launched with: entry(dims, parameters): load (load (parameters + i) + offset),
 * outside of the threads? */
bool uw_is_parameter_of(MlirOperation entry, MlirOperation root);
/* Is it where the launch's copy of a parameter is, or what the runtime keeps for the thread? entry null: not in a
 * kernel. */
bool uw_is_of_launch(MlirOperation entry, MlirOperation root);
bool uw_is_call_of(MlirOperation op, const char *name);
/* A call that touches no memory of the program's: of mathematical functions, or of what tells the checker something. */
bool uw_is_harmless_call(MlirOperation call);
bool uw_has_unit(MlirOperation op, const char *name);
int64_t uw_access_bytes(MlirType type);

#endif
