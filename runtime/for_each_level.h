/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A function that is compiled for each level of x86-64 with vectors of its own, and called in the form for the level
 * that the program runs at: the CPU's, or UNWARP_MARCH's. (clang's target_clones ask the CPU alone.)
 *
 *   UWRT_FOR_EACH_LEVEL(add, (float *to, const float *from, int count), (to, from, count)) {
 *     for (int i = 0; i < count; i++)
 *       to[i] += from[i];
 *   }
 *
 * The function is static and gives nothing. */
#ifndef UWRT_FOR_EACH_LEVEL_H
#define UWRT_FOR_EACH_LEVEL_H

#include "driver.h"

#ifdef __x86_64__
#define UWRT_FOR_EACH_LEVEL(name, parameters, arguments) UWRT_FOR_EACH_LEVEL_OF(name, parameters, arguments)
#define UWRT_FOR_EACH_LEVEL_OF(name, parameters, arguments)                                                            \
  static inline __attribute__((always_inline)) void name##_code parameters;                                            \
  __attribute__((noinline, target("arch=x86-64-v4"))) static void name##_v4 parameters { name##_code arguments; }      \
  __attribute__((noinline, target("arch=x86-64-v3"))) static void name##_v3 parameters { name##_code arguments; }      \
  __attribute__((noinline)) static void name##_v1 parameters { name##_code arguments; }                                \
  static void name parameters {                                                                                        \
    const int level = uwrt_cpu_level();                                                                                \
    (level >= 4 ? name##_v4 : level >= 3 ? name##_v3 : name##_v1) arguments;                                           \
  }                                                                                                                    \
  static inline __attribute__((always_inline)) void name##_code parameters
#else
#define UWRT_FOR_EACH_LEVEL(name, parameters, arguments) static void name parameters
#endif

#endif
