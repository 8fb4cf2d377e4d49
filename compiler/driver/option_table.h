/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * options.def as an array, and the search in it. */
#ifndef UW_DRIVER_OPTION_TABLE_H
#define UW_DRIVER_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { FORM_FLAG, FORM_JOINED, FORM_NEXT, FORM_EITHER, FORM_EQUALS, FORM_MAYBE, FORM_NUMBER } uw_option_form;

/* What an option does; the cases are in options.c. */
typedef enum {
  /* what to make */
  MEANS_OUTPUT,
  MEANS_OUTPUT_FOLDER,
  MEANS_COMPILE,
  MEANS_ASSEMBLY,
  MEANS_PREPROCESS,
  MEANS_EMIT,
  MEANS_SYNTAX_ONLY,
  MEANS_SHARED,
  MEANS_ARCHIVE,
  MEANS_PARTIAL_LINK,
  MEANS_AS_CPP,
  MEANS_MODULE,
  MEANS_CUDA_VERSION,
  MEANS_RUN,
  MEANS_REPORT,
  MEANS_EXEC,
  MEANS_BUILD_TORCH,
  MEANS_RUN_ARGUMENTS,
  MEANS_CLEAN,
  MEANS_KEEP,
  MEANS_KEEP_FOLDER,
  /* passed on: to both sides of clang, to the host side, to the link */
  MEANS_FORWARD,
  MEANS_FORWARD_NUMBER,
  MEANS_FORWARD_EQUALS,
  MEANS_MARCH,
  MEANS_FORWARD_NEXT,
  MEANS_FORWARD_AND_LINK,
  MEANS_HOST,
  MEANS_HOST_AND_LINK,
  MEANS_SANITIZE,
  MEANS_COVERAGE,
  MEANS_HOST_LIST,
  MEANS_LINK,
  MEANS_LINK_JOINED,
  MEANS_LINKER_LIST,
  MEANS_LINKER_WORD,
  MEANS_LINKER_CHOICE,
  MEANS_HOST_COMPILER,
  MEANS_ARCHIVER,
  MEANS_ARCHIVER_LIST,
  /* the same for lists: these come once for each word */
  MEANS_MACRO,
  MEANS_INCLUDE_FOLDER,
  MEANS_PRE_INCLUDE,
  MEANS_LIBRARY_FOLDER,
  MEANS_LIBRARY,
  MEANS_FORWARD_UNKNOWN,
  MEANS_FORWARD_UNKNOWN_TO_LINKER,
  MEANS_FORWARD_UNKNOWN_TO_BOTH,
  /* the language and the code */
  MEANS_LANGUAGE,
  MEANS_STANDARD,
  MEANS_OPTIMISE,
  MEANS_DEBUG,
  MEANS_LINE_INFO,
  MEANS_FAULT_INFO,
  MEANS_LOCKSTEP,
  MEANS_REASSOCIATE_ATOMICS,
  MEANS_DEVICE_DEBUG,
  MEANS_FAST_MATH,
  MEANS_DEFAULT_DEVICE,
  MEANS_DEFAULT_STREAM,
  MEANS_CUDA_RUNTIME,
  MEANS_SEPARATE_COMPILATION,
  MEANS_RELOCATABLE,
  MEANS_RELOCATABLE_OBJECT,
  MEANS_DEVICE_LINK,
  MEANS_FLUSH_DENORMALS,
  MEANS_FUSE_MULTIPLY_ADD,
  MEANS_PRECISE_DIVISION,
  MEANS_PRECISE_ROOT,
  MEANS_POSITION_INDEPENDENT,
  MEANS_POSITION_DEPENDENT,
  /* dependency files */
  MEANS_DEPENDENCIES,
  MEANS_DEPENDENCIES_TOO,
  MEANS_DEPENDENCY_FILE,
  MEANS_DEPENDENCY_TARGET,
  MEANS_DEPENDENCY_PHONY,
  /* messages */
  MEANS_NO_WARNINGS,
  MEANS_WARNINGS_ARE_ERRORS,
  MEANS_VERBOSE,
  MEANS_DRY_RUN,
  MEANS_TIME,
  MEANS_HELP,
  MEANS_PATH,
  MEANS_HELP_PASSES,
  MEANS_DOCTOR,
  MEANS_CACHE,
  MEANS_VERSION,
  MEANS_DUMP_VERSION,
  MEANS_LIST_CODE,
  MEANS_LIST_ARCH,
  /* the passes */
  MEANS_SKIP,
  MEANS_BISECT,
  MEANS_PRINT_AFTER,
  MEANS_PRINT_AFTER_ALL,
  MEANS_TIME_PASSES,
  MEANS_PASS_STATISTICS,
  MEANS_THROUGH_PTX,
  MEANS_PTX,
  MEANS_LTOIR,
  MEANS_REMARKS,
  MEANS_DIAGNOSTICS_FORMAT,
  MEANS_CHECK,
  MEANS_CPUIFY,
  /* checked and without effect, or refused */
  MEANS_IGNORE,
  MEANS_BOOLEAN_IGNORE,
  MEANS_THREADS,
  MEANS_MACHINE,
  MEANS_ARCHITECTURE,
  MEANS_NVCC_ARCHITECTURE,
  MEANS_ANY_GPU,
  MEANS_CODE,
  MEANS_GENERATE_CODE,
  MEANS_REFUSE,
  MEANS_IGNORE_NEXT,
  MEANS_SYCL,
  MEANS_SYCL_DEVICE_ONLY,
  MEANS_FP_MODEL,
  MEANS_STATIC,
  /* read from a file */
  MEANS_OPTIONS_FILE,
} uw_option_meaning;

typedef struct uw_option_row {
  const char *section; /* a section's title: then nothing else is set */
  const char *spelling;
  uw_option_form form;
  uw_option_meaning meaning;
  const char *value, *argument, *help;
} uw_option_row;

const uw_option_row *uw_option_table(size_t *count);

/* The row that `text`, an argument that starts with a dash, belongs to, or null. `*joined` is the value in the same
 * argument (empty if there is none but the form has room for it), null when the value is the next argument or the
 * option has none. */
const uw_option_row *uw_find_option(const char *text, const char **joined);

/* environment.def as an array. */
typedef struct uw_environment_row {
  bool of_program; /* read by the programs that unwarp makes, not by unwarp */
  const char *name, *help;
} uw_environment_row;
const uw_environment_row *uw_environment_table(size_t *count);

/* The option with what follows it: "-o FILE", "--emit=FORM". */
const char *uw_option_usage(const uw_option_row *row);

#endif
