/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which CPU `native` is: the one here, which clang knows; or the level of x86-64 that UNWARP_MARCH names, where the CPU
 * here has that and more. So a machine compiles and runs (runtime/cpu_level.c) as one with less would. */
#include "native.h"

#include "../../runtime/levels.h"

#include "report.h"

#include <stdlib.h>

static bool is_level_here(int level) {
#ifdef __x86_64__
  __builtin_cpu_init();
  switch (level) {
  case 2: return __builtin_cpu_supports("x86-64-v2");
  case 3: return __builtin_cpu_supports("x86-64-v3");
  case 4: return __builtin_cpu_supports("x86-64-v4");
  default: return true;
  }
#else
  (void)level;
  return false;
#endif
}

bool uw_native_cpu(const char **cpu) {
  const char *named = getenv("UNWARP_MARCH");
  int level = uwrt_level_named(named);
  if (!level)
    return uw_report_error("UNWARP_MARCH is \"%s\" and should be " UWRT_LEVEL_NAMES ": the CPU that 'native' is",
                           named);
  *cpu = named && *named && is_level_here(level) ? named : "native";
  return true;
}
