/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What passes may not take for granted of a launch's values, and cannot prove, is asked at the launch: once, before
 * its loops, of the shape and the parameters. A launch that answers no runs the kernel's replay (raise/launch.c), which
 * no optional pass has touched.
 *
 *   in place     if (uwrt_launch_begin(…))       ==>    if (uwrt_launch_begin(…) && fits)
 *                  loops                                  loops
 *                else                                   else
 *                  uwrt_launch_elsewhere(…)               uwrt_launch_elsewhere(…)      which comes to the entry
 *
 *   entry        parameters, loops               ==>    if (fits) { parameters, loops }
 *                                                       else uwrt_launch_plain(dims, args)
 *
 * Between which bounds an integer lies, for all threads of the launch, is computed there in 64 bits from the bounds of
 * what it is made of: indices of threads and blocks, extents, parameters and constants. Each sum and product of 32 bits
 * on the way that is not said to keep within them is asked to do so; then 64 bits cannot wrap around either, as no two
 * values that were asked make more than 2^64, and what would not have come out as a signed integer of 64 bits
 * comes out outside of 32. */
#ifndef UW_LAUNCH_QUESTION_H
#define UW_LAUNCH_QUESTION_H

#include "../ir/ir.h"

typedef struct uw_question {
  uw_arena *arena;
  MlirOperation function, branch; /* branch: null in an entry in which nothing was asked yet */
  uw_builder b;                   /* where it is asked */
  uw_map *copies;                 /* values of the launch, as they are there */
  MlirValue asked;                /* all that has to hold for what was looked at; null: nothing */
  int steps;                      /* that are left in a search */
  bool takes_for_natural;         /* the last search has: a parameter's value, which may be below zero */
  bool wide;                      /* of integers of 64 bits too: all is asked to fit into 32, flags or not */
  uw_ops flagless[2]; /* of the operations on the way, unsigned and signed: these keep within 32 bits if it holds */
} uw_question;

/* Of the launch around the operation. False if there is none. */
bool uw_question_of(uw_arena *arena, MlirOperation op, uw_question *question);

/* The same of a loop over blocks, in front of it, for a version of the loop: what was asked is the caller's, in `asked`.
 * Values of 64 bits are looked at, too. */
uw_question uw_question_before(uw_arena *arena, MlirOperation grid);

/* The least and the most of an integer, as one with sign or without, for all threads. */
typedef struct uw_between {
  MlirValue low, high; /* index, at the question's position */
  bool natural;        /* surely not below zero */
} uw_between;

/* False where they cannot be told beforehand. Adds what has to be asked for that to be right. */
bool uw_find_between(uw_question *question, MlirValue value, bool is_signed, uw_between *between);
/* Adds a condition; a constant that holds adds nothing. False if it is a constant that does not. */
bool uw_add_condition(uw_question *question, MlirValue condition);
/* Adds that they are integers of 32 bits. */
bool uw_add_fits(uw_question *question, const uw_between *between, bool is_signed);

/* Forgets what was added since the last time. */
void uw_forget_question(uw_question *question);
/* Asks at the launch what was added; operations on the way get their flags. */
void uw_ask_question(uw_question *question);

#endif
