/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values of single options: what is a list, a boolean, a library of the CUDA SDK. */
#ifndef UW_DRIVER_OPTION_VALUES_H
#define UW_DRIVER_OPTION_VALUES_H

#include "options.h"

/* Each returns false after a message that names the option. */
bool uw_value_boolean(const char *option, const char *text, bool *value);
bool uw_value_one_of(const char *option, const char *text, const char *const *words); /* null-terminated */
/* A version of CUDA's: as headers have it ("12040"), and whole ("12.4.131"). */
bool uw_value_cuda_version(const char *option, const char *text, const char **number, const char **whole);
bool uw_value_optimise(const char *option, const char *text, int *level);
bool uw_value_emit(const char *option, const char *text, uw_emit *emit);
bool uw_value_checks(const char *option, const char *text, int *classes); /* text: null for all; classes are added to */
bool uw_value_pass(const char *option, const char *text, bool optional_only, uw_strings *passes);
bool uw_value_passes(const char *option, const char *text); /* how many */

bool uw_is_number(const char *text); /* digits, at least one */

/* Words from a list of nvcc's own: commas between, except in double quotes and after a backslash. */
void uw_split_list(uw_strings *words, const char *text);
/* Words for another tool: commas or spaces between, quotes keep them, -Wl, keeps its commas. */
void uw_split_host_list(uw_strings *words, const char *text);

/* Whether -lNAME is a library of the CUDA SDK that libunwarp stands for. */
bool uw_is_cuda_library(const char *name);
/* Whether it holds only what every program needs, so that nothing can be missed when it is left out. */
bool uw_is_cuda_runtime_library(const char *name);
/* Whether a folder holds the CUDA SDK's own headers, which must not hide ours. */
bool uw_is_cuda_include_folder(const char *folder);
/* Whether NVIDIA's cuda_fp16.h is in a folder, without all of its tool kit: such a folder is looked into after ours. */
bool uw_has_own_half_types(const char *folder);
/* clang's option for nvcc's `-Werror KIND`, "" if clang has none, null if that is no kind of nvcc's. */
const char *uw_werror_option(const char *kind);

#endif
