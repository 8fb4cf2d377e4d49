/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * May two accesses touch the same byte, and how far apart are they made then? Asked of the steps of the indices around
 * them: counters of serial loops, indices of threads, lanes and blocks.
 *
 *   parallel (%y, %x) for %k {                     %y, %x, %k: from the step of the one to that of the other
 *     store %s[64 * %y + %x], %k                     with itself: 0, 0, any: the same thread, in whatever iteration
 *     load %s[64 * %y + %x + 1]                      with the store: 0, 1, any: the neighbour's, if %x is below 64
 *     load %s[64 * %y + %x + 8192]                   with the store: never, if %y is below 64
 *   }
 *
 * The answer is a distance vector as loop transformations use it, in iterations: the hull of all solutions. It is found
 * on access maps (access_map.h), as the classical tests do it: the strides of both times the steps, and what their
 * addresses differ by in the same step, lie less than the bytes of an access from 0 (equation.h, with the tests of
 * Banerjee and of the greatest common divisor). Equal strides ask for the distance alone (strong SIV), others for both
 * steps. Where rows have an unknown length, steps of thread numbers are told apart: y * length + x, x below
 * length.
 *
 * "May" is what holds where nothing is known. Sums that are not exact hold modulo 2^32 (linear.h): with fewer bytes than
 * 2^31 between any two steps that is as good. Loops are taken to run less than 2^40 iterations.
 *
 * See "Experiences Building an MLIR-Based SYCL Compiler", sections V-B and V-D; Goff, Kennedy and Tseng, "Practical
 * Dependence Testing". unwarp-opt --print-analysis=dependence prints it. */
#ifndef UW_DEPENDENCE_H
#define UW_DEPENDENCE_H

#include "access_map.h"
#include "bases.h"

/* The step of the second access minus that of the first, at least and at most. */
typedef struct uw_distance {
  MlirValue index;
  int64_t least, most; /* UW_NO_LEAST and UW_NO_MOST: any */
} uw_distance;

typedef struct uw_dependence {
  bool known;   /* false: something in the addresses is not known, and the two may meet anywhere */
  bool same;    /* may they meet in the same step of each index? */
  bool others;  /* may they, in steps of which one differs? Neither: they never meet. */
  bool exact;   /* there is but one distance, and there both touch the very same bytes, surely */
  size_t count; /* meaningless if they never meet */
  uw_distance at[UW_MAP_INDICES];
} uw_dependence;

/* --- of accesses -------------------------------------------------------------------------------------------------- */

/* In the same step of the loops outside of `outermost`, and in any of it and of the loops inside (null: in any of all
 * loops). The answer has the indices that both accesses are in, outer before inner; of loops around only one of them
 * it takes all steps. */
uw_dependence uw_dependence_between(MlirOperation outermost, const uw_access_map *a, const uw_access_map *b);

/* --- in one thread ------------------------------------------------------------------------------------------------ */

/* May the two touch the same bytes when one thread makes both, in the same iteration of every loop but those
 * crossed? */
bool uw_meets_itself(MlirOperation launch, const uw_access *a, const uw_access *b);
/* The same, known that the bases are not distinct. */
bool uw_thread_overlap(const uw_access *a, const uw_access *b);
/* The same bytes, surely, when one thread makes both, and neither crossed a back edge. */
bool uw_same_place(const uw_access *a, const uw_access *b);
/* Was value made in an iteration that is not the one of the position asked about? */
bool uw_other_iteration(MlirValue value, const uw_access *a, const uw_access *b);

/* --- over indices that the caller names --------------------------------------------------------------------------- */

typedef struct uw_dependence_axis {
  MlirValue index;
  bool is_common;   /* false: only one of the accesses is in it, and the stride of the other one is 0 */
  bool is_fixed;    /* both are made in the same step of it, whatever that is */
  uw_stride a, b;   /* what uw_dependence_over finds itself */
  int64_t count;    /* its values, from 0 on; UW_NO_MOST: unknown */
  MlirValue extent; /* the same as a value, or null */
  int64_t
      together; /* all indices for which this is not 0 have at most so many steps together: the threads of a block */
} uw_dependence_axis;

typedef struct uw_two_accesses {
  const uw_dependence_axis *axes; /* outer before inner */
  size_t count;
  int64_t gap; /* bytes from the second address to the first, in step 0 of all */
  uint64_t bytes_a, bytes_b;
  bool exact; /* false: all holds modulo 2^32 */
} uw_two_accesses;

/* At most UW_MAP_INDICES axes. */
uw_dependence uw_dependence_of(const uw_two_accesses *two);

/* Is the value, which is none of the indices, the same one where both accesses are made? */
typedef bool uw_stays(const void *context, const uw_access *a, const uw_access *b, MlirValue value);
/* Of two accesses whose bases are not distinct, neither of them anywhere. */
uw_dependence uw_dependence_over(uw_dependence_axis *axes, size_t count, const uw_access *a, const uw_access *b,
                                 uw_stays *stays, const void *context);

#endif
