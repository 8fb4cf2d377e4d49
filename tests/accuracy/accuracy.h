/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the parts of the accuracy test share: a format of numbers, a function of the device, its exact counterpart.
 *
 *   functions.cu   the table: every function, the ranges it is tried on, the bound that CUDA gives; compiled by unwarp
 *   reference.c    the same functions in MPFR
 *   measure.c      samples, errors, the table as a page
 *   specials.c     special arguments, against results of a GPU in specials.txt
 */
#ifndef UW_ACCURACY_H
#define UW_ACCURACY_H

#include <mpfr.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_ARGUMENTS = 4, MOST_RANGES = 3 };

typedef enum { IN_SINGLE, IN_DOUBLE, IN_HALF, IN_BFLOAT16 } number_format;

/* Evaluates the function for `count` tuples of arguments, which are exact in its format; results are exact as well. */
typedef void evaluator(double *const arguments[MOST_ARGUMENTS], double *results, int count);

/* result = f(arguments), to the precision of result. near is the value to be judged, where a search for the exact one
 * may start. */
typedef void reference(mpfr_t result, mpfr_t arguments[MOST_ARGUMENTS], double near);

/* Arguments from least to most: evenly, or evenly in the exponent, with either sign or positive (UP). The
 * second to fourth argument share a range. */
typedef enum { NO_RANGE, EVENLY, BY_EXPONENT, BY_EXPONENT_UP } spread;
typedef struct {
  spread how;
  double least, most;
} range;

typedef struct {
  const char *id;   /* the row's */
  const char *name; /* as a program writes it */
  number_format format;
  int arguments;
  evaluator *evaluate;
  reference *exact;
  const char *bound; /* what CUDA's guide says */
  double ulps;       /* the same as a value to check: units in the last place from the rounded exact result; */
  double absolute;   /* or, if this is not 0, an error */
  range ranges[MOST_RANGES];
  range others; /* of the second to fourth argument */
} function;

extern const function functions[];
extern const int function_count;

#define REFERENCE(name) void reference_##name(mpfr_t result, mpfr_t arguments[MOST_ARGUMENTS], double near);
#include "references.def"
#undef REFERENCE

#ifdef __cplusplus
}
#endif

#endif
