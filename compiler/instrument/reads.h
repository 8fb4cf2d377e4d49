/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which parameters of a kernel lead to memory that it only reads, and which variables it only reads, as far as its text
 * says. */
#ifndef UW_CHECK_READS_H
#define UW_CHECK_READS_H

#include "../passes/passes.h"

typedef struct uw_reads uw_reads;
/* Of a kernel's entry, whose threads are block_loop. Null: it may write anywhere, or loads nothing that it does not
 * write by the same way. */
uw_reads *uw_find_reads(uw_arena *arena, MlirOperation entry, MlirOperation block_loop);
/* Asks the runtime about each of them, when a block begins. */
void uw_ask_for_reads(uw_reads *reads, MlirModule module, uw_builder *b, MlirValue state);
/* The answer for what a load reads through: how many bytes there are. Null value: it is not read only, or neither by a
 * parameter nor of a variable. */
MlirValue uw_only_read_bytes(const uw_reads *reads, MlirOperation root);

#endif
