/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The locks that a loop takes and gives back.
 */
#ifndef UW_LOOP_LOCKS_H
#define UW_LOOP_LOCKS_H

#include "../ir/ir.h"

/* What an access is to, as far as that is known: a variable, or the base of the address. */
const void *uw_object_of(MlirValue pointer);

/* The objects in which the loop takes something by an atomic operation whose result it looks at, and which it writes a
 * second time: a word, or a bit of one, that is set and cleared. Null: there are none. */
uw_table *uw_loop_locks(uw_arena *arena, MlirOperation loop);

/* The words in which the loop and others hand something over. Of the locks those that are given back with what they
 * held, or with that bit cleared, and the loop goes on; or with something else than what a comparison asked for. Besides
 * them what the loop takes by the same operation each time, and does not give back. Null: none. */
uw_table *uw_handed_words(uw_arena *arena, MlirOperation loop, const uw_table *locks);

/* An atomic operation that may be how a loop takes something: an exchange, bits that are set or cleared. */
bool uw_may_take(MlirOperation op);

/* The address that an operation writes to; null if it writes nothing that is known. */
MlirValue uw_written_address(MlirOperation op);

#endif
