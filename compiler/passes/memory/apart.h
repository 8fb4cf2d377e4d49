/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Do two accesses lie apart, whichever threads of a launch make them? Asked once, in front of the loop over blocks: of
 * the bytes from the first to the last that each of them may touch.
 *
 *   parallel %block { parallel %t { for %k {        from a, 4 * (extent of %block * extent of %t) bytes
 *     load a[%block * 16 + %t]; load b[%k] } } }    from b, 4 * %n bytes
 *
 * Both are bounded by interval arithmetic on indices (launch_question.h), all of which are asked to fit into 32
 * bits.
 *
 * Beside analysis/dependence.h, which needs one base, or two that are known to be distinct (bases.h), and constants; what
 * it cannot tell of two pointers is asked here, with ends that are values made at the launch. */
#ifndef UW_APART_H
#define UW_APART_H

#include "../../analysis/accesses.h"
#include "../launch_question.h"

/* Adds that to a question of uw_question_before. False if it cannot be asked. */
bool uw_ask_apart(uw_question *question, const uw_access *a, const uw_access *b);

#endif
