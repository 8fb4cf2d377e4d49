/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an input is. */
#ifndef UW_DRIVER_INPUTS_H
#define UW_DRIVER_INPUTS_H

#include "options.h"

/* False when the suffix says nothing; then the kind is one for the link. */
bool uw_kind_by_suffix(const char *path, uw_input_kind *kind);
/* Settles the kind: by the language of -x if there is one, else by the suffix. False after a message. */
bool uw_set_kind(uw_input *input, const char *language);
/* C++ that clang would compile as it is. */
bool uw_is_cxx(const uw_input *input);
bool uw_is_c_by_name(const uw_input *input); /* .c without -x */
/* A file that can be executed, by a name that says nothing. */
bool uw_is_program(const uw_input *input);

#endif
