/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names of other SYCL compilers, in whose place unwarp is called, and their words for options. */
#include "sycl_names.h"

#include <ctype.h>
#include <string.h>

#include "../support/strings.h"

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0)
      return true;
  return false;
}

uw_called_as uw_called_as_of(const char *program) {
  static const char *const takes_sycl[] = {"dpcpp", "acpp", "syclcc", NULL}, *const asks[] = {"icpx", "clang++", NULL};
  const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
  return is_one_of(name, takes_sycl) ? UW_CALLED_SYCL_COMPILER
         : is_one_of(name, asks)     ? UW_CALLED_CPP_COMPILER
         : strcmp(name, "nvcc") == 0 ? UW_CALLED_NVCC
                                     : UW_CALLED_UNWARP;
}

bool uw_is_in_place_of_clang(const uw_options *options, uw_called_as called) {
  bool some_cuda = false;
  for (size_t i = 0; i < options->input_count; i++)
    some_cuda |= options->inputs[i].kind == UW_INPUT_CUDA;
  return called != UW_CALLED_NVCC && (called != UW_CALLED_UNWARP || !some_cuda);
}

const char *uw_intel_processor(const char *name) {
  static const struct {
    const char *intel, *clang;
  } others[] = {{"Host", "native"},
                {"CORE-AVX512", "x86-64-v4"},
                {"COMMON-AVX512", "x86-64-v4"},
                {"CORE-AVX2", "x86-64-v3"},
                {"AVX", "sandybridge"},
                {"CORE-AVX-I", "ivybridge"},
                {"SSE4.2", "x86-64-v2"},
                {"SSE4.1", "penryn"},
                {"SSSE3", "core2"},
                {"SSE3", "prescott"},
                {"SSE2", "x86-64"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(name, others[i].intel) == 0)
      return others[i].clang;
  /* ICELAKE-SERVER and its like are clang's in capitals; languages are not in capitals. */
  char *lower = uw_copy_text(name, strlen(name));
  for (char *c = lower; *c; c++) {
    if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-')
      return NULL;
    *c = (char)tolower((unsigned char)*c);
  }
  return *lower ? lower : NULL;
}
