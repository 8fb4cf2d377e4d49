/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values of single options. Values that change nothing on a CPU are still read closely enough that a slip of the
 * pen (-arch=sm80) is said, as nvcc would. */
#include "option_values.h"

#include "../../runtime/uwrt.h"

#include "report.h"
#include "stages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool uw_is_number(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

bool uw_value_boolean(const char *option, const char *text, bool *value) {
  *value = strcmp(text, "true") == 0;
  if (*value || strcmp(text, "false") == 0)
    return true;
  return uw_report_error("'%s' wants true or false, not '%s'", option, text);
}

bool uw_value_one_of(const char *option, const char *text, const char *const *words) {
  const char *all = "";
  for (size_t i = 0; words[i]; i++) {
    if (strcmp(text, words[i]) == 0)
      return true;
    all = uw_format("%s%s%s", all, i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
  }
  return uw_report_error("'%s' wants %s, not '%s'", option, all, text);
}

bool uw_value_cuda_version(const char *option, const char *text, const char **number, const char **whole) {
  static const struct {
    const char *number, *whole; /* as include/unwarp_cuda.h says them */
  } versions[] = {{"11080", "11.8.89"},
                  {"12040", UW_CUDA_VERSION},
                  {"12090", "12.9.86"},
                  {"13000", "13.0.48"},
                  {"13010", "13.1.80"}};
  static const char *const words[] = {"11", "11.8", "12", "12.4", "12.9", "13", "13.0", "13.1", NULL};
  static const unsigned char version_of[] = {0, 0, 1, 1, 2, 3, 3, 4};
  if (!uw_value_one_of(option, text, words))
    return false;
  size_t i = 0;
  while (strcmp(text, words[i]) != 0)
    i++;
  *number = versions[version_of[i]].number;
  *whole = versions[version_of[i]].whole;
  return true;
}

bool uw_value_optimise(const char *option, const char *text, int *level) {
  static const struct {
    const char *text;
    int level;
  } known[] = {{"", 1}, {"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"s", 2}, {"z", 2}, {"g", 1}, {"fast", 3}};
  if (isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789")] == 0 && strcmp(text, "3") > 0)
    uw_report_warning("'-O%s': the highest level is 3, which is taken", text), text = "3";
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(text, known[i].text) == 0) {
      *level = known[i].level;
      return true;
    }
  return uw_report_error("'%s' wants a level from 0 to 3, not '%s'", option, text);
}

bool uw_value_emit(const char *option, const char *text, uw_emit *emit) {
  static const struct {
    const char *text;
    uw_emit emit;
  } known[] = {{"obj", UW_EMIT_OBJECT}, {"asm", UW_EMIT_ASM},   {"llvm", UW_EMIT_LLVM},
               {"mlir", UW_EMIT_MLIR},  {"nvvm", UW_EMIT_NVVM}, {"ptx", UW_EMIT_PTX}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(text, known[i].text) == 0) {
      *emit = known[i].emit;
      return true;
    }
  return uw_report_error("'%s' wants ptx, nvvm, mlir, llvm, asm or obj, not '%s'", option, text);
}

bool uw_value_checks(const char *option, const char *text, int *classes) {
  static const char *const names[] = {"memory", "race", "init", "sync", "leak", "all", "json", NULL};
  static const int values[] = {UWRT_CHECK_MEMORY, UWRT_CHECK_RACE, UWRT_CHECK_INIT, UWRT_CHECK_SYNC,
                               UWRT_CHECK_LEAK,   UWRT_CHECK_ALL,  UWRT_CHECK_JSON};
  uw_strings words = {0};
  uw_strings_add_split(&words, text ? text : "all", ',');
  for (size_t i = 0; i < words.count; i++) {
    if (!uw_value_one_of(option, words.items[i], names))
      return false;
    for (size_t k = 0; names[k]; k++)
      if (strcmp(words.items[i], names[k]) == 0)
        *classes |= values[k];
  }
  if (*classes == UWRT_CHECK_JSON) /* of all that there is */
    *classes |= UWRT_CHECK_ALL;
  return true;
}

/* The name of a pass, which may also be given as it was called in the release before, with options too. */
static const char *name_now(const char *name) {
  static const struct {
    const char *old, *now;
  } renamed[] = {
#define UW_RENAMED(old, now) {old, now},
#include "renamed.def"
#undef UW_RENAMED
  };
  size_t length = strcspn(name, "{");
  const char *with_options = name;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
    if (strcmp(name, renamed[i].old) == 0)
      return renamed[i].now;
    if (strlen(renamed[i].old) == length && strncmp(name, renamed[i].old, length) == 0 && !strchr(renamed[i].now, '{'))
      with_options = uw_format("%s%s", renamed[i].now, name + length);
  }
  return with_options;
}

/* Passes that cannot be left out may have a row that can. */
static bool is_needed(const char *option, const char *text) {
  uw_report_error("'%s': the pass '%s' cannot be left out", option, text);
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++)
    for (size_t i = 0; i < (*stage)->count; i++)
      if (uw_names_row(text, &(*stage)->rows[i]) && (*stage)->rows[i].when & UW_OPTIONAL)
        uw_report_note("'%s' can", (*stage)->rows[i].name);
  return false;
}

bool uw_value_pass(const char *option, const char *text, bool optional_only, uw_strings *passes) {
  size_t count = 0;
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++)
    count += (*stage)->count;
  const char **names = uw_need_memory(calloc(count + 1, sizeof *names));
  count = 0;
  bool found = false;
  text = name_now(text);
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++)
    for (size_t i = 0; i < (*stage)->count; i++) {
      const uw_row *row = &(*stage)->rows[i];
      names[count++] = row->name;
      if (!uw_names_row(text, row))
        continue;
      found = true;
      if (optional_only && !(row->when & UW_OPTIONAL))
        return is_needed(option, text);
    }
  if (found) {
    uw_strings_add(passes, text);
    return true;
  }
  const char *nearest = uw_nearest(text, names, count);
  if (!nearest)
    nearest = uw_nearest_by_words(text, names, count);
  uw_report_error("'%s': there is no pass '%s'%s", option, text,
                  nearest ? uw_format("; did you mean '%s'?", nearest) : "");
  uw_report_note("--help-passes lists them");
  return false;
}

bool uw_value_passes(const char *option, const char *text) {
  enum { DIGITS = 9 };
  return (uw_is_number(text) && strlen(text) <= DIGITS) ||
         uw_report_error("'%s' wants a number of passes, not '%s'", option, text);
}

static bool is_one_of(const char *text, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text, words[i]) == 0)
      return true;
  return false;
}
#define IS_ONE_OF(text, words) is_one_of(text, words, sizeof words / sizeof words[0])

bool uw_is_cuda_runtime_library(const char *name) {
  static const char *const names[] = {"cudart", "cudart_static", "cudadevrt", "culibos", "nvToolsExt", "nvtx3interop"};
  return IS_ONE_OF(name, names);
}

bool uw_is_cuda_library(const char *name) {
  static const char *const names[] = {"cuda",
                                      "nvidia-ml",
                                      "nvrtc",
                                      "nvrtc-builtins",
                                      "nvptxcompiler_static",
                                      "nvJitLink",
                                      "nvfatbin",
                                      "cupti",
                                      "cublas",
                                      "cublasLt",
                                      "cublas_device",
                                      "cufft",
                                      "cufftw",
                                      "curand",
                                      "cusolver",
                                      "cusolverMg",
                                      "cusparse",
                                      "cudnn",
                                      "nvjpeg",
                                      "nppc",
                                      "nppial",
                                      "nppicc",
                                      "nppidei",
                                      "nppif",
                                      "nppig",
                                      "nppim",
                                      "nppist",
                                      "nppisu",
                                      "nppitc",
                                      "npps",
                                      "cublas_static",
                                      "cublasLt_static",
                                      "cufft_static",
                                      "cufft_static_nocallback",
                                      "curand_static",
                                      "cusolver_static",
                                      "cusparse_static",
                                      "nppc_static",
                                      "nccl",
                                      "cusparseLt",
                                      "cutensor"};
  return uw_is_cuda_runtime_library(name) || IS_ONE_OF(name, names);
}

bool uw_is_cuda_include_folder(const char *folder) {
  return access(uw_format("%s/crt/host_config.h", folder), F_OK) == 0 &&
         access(uw_format("%s/cuda_runtime_api.h", folder), F_OK) == 0 &&
         access(uw_format("%s/unwarp_cuda.h", folder), F_OK) != 0;
}

bool uw_has_own_half_types(const char *folder) {
  return access(uw_format("%s/cuda_fp16.h", folder), F_OK) == 0 &&
         access(uw_format("%s/cuda_fp16.hpp", folder), F_OK) == 0 &&
         access(uw_format("%s/unwarp_cuda.h", folder), F_OK) != 0;
}

const char *uw_werror_option(const char *kind) {
  static const struct {
    const char *kind, *option;
  } known[] = {{"all-warnings", "-Werror"},
               {"reorder", "-Werror=reorder"},
               {"deprecated-declarations", "-Werror=deprecated-declarations"},
               {"cross-execution-space-call", ""},
               {"default-stream-launch", ""},
               {"missing-launch-bounds", ""},
               {"ext-lambda-captures-this", ""}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(kind, known[i].kind) == 0)
      return known[i].option;
  return NULL;
}
