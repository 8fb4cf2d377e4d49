/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes what a compile ends in. */
#ifndef UW_DRIVER_EMIT_H
#define UW_DRIVER_EMIT_H

#include "../frontend/frontend.h"
#include "llvm-c/TargetMachine.h"
#include "unit.h"

/* program->host to unit->output, as assembly, an object file or LLVM's IR. False after a message. */
bool uw_emit_result(uw_program *program, LLVMTargetMachineRef machine, const uw_unit *unit);

#endif
