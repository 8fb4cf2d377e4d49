/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions that there is a form of for vectors, and in which library:
 *
 *   libmvec   glibc's (2.35), quick, off by up to four units in the last place
 *   SLEEF     off by one unit (its u10 forms), and takes twice to four times as long
 *
 * Of each function and type the quicker one is named whose error CUDA's guide allows (docs/accuracy.md), with the
 * registers of every processor. Where neither is, or the library is missing, the lanes call the scalar function one by
 * one: SLEEF's gamma function is off by up to 35 units where it is nearly 0.
 *
 * A vector form of as many lanes as you like is a call of a function that target/vector_functions.c takes apart into those of
 * the registers that the processor has:
 *
 *   unwarp.vector.16.acosh        of the C library's function
 *   unwarp.vector.8.__nv_cbrt     of libdevice's
 *   unwarp.vector.4.llvm.exp.f64  of LLVM's intrinsic */
#ifndef UW_VECTOR_MATH_H
#define UW_VECTOR_MATH_H

#include "../ir/ir.h"

typedef enum { UW_EACH_LANE, UW_LIBMVEC, UW_SLEEF_U10 } uw_vector_form;

typedef struct uw_math_function {
  const char *name; /* for double */
  unsigned arguments;
  uw_vector_form single, of_double;
} uw_math_function;

extern const uw_math_function uw_math_functions[];
extern const size_t uw_math_function_count;

/* Whether the libraries are there, which they are taken to be. */
void uw_set_vector_libraries(bool libmvec, bool sleef);

/* The form of that type, as far as its library is there. */
uw_vector_form uw_form_of(const uw_math_function *function, bool is_double);

/* The function that a callee is: "acoshf", "__nv_cbrt", "llvm.exp.f64". Null if it is none of the table. */
const uw_math_function *uw_math_function_of(const char *callee, size_t length, bool *is_double);

/* Is an operation one of them, a call or one that LLVM has an intrinsic for? Of which form is it then? */
bool uw_is_math_function(MlirOperation op, uw_vector_form *form);

#define UW_VECTOR_CALLEE "unwarp.vector."
/* "unwarp.vector.LANES.CALLEE" */
const char *uw_vector_callee(uw_arena *arena, MlirStringRef callee, int64_t lanes);

#endif
