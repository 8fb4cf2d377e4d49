/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions of a program's own with the name of one of clang's builtins: __rdtsc, _mm_pause. clang knows a few of these
 * without a header, other compilers none, so programs define them. The program's get another name, by a macro. */
#ifndef UW_DRIVER_OWN_BUILTINS_H
#define UW_DRIVER_OWN_BUILTINS_H

#include "../support/strings.h"

#include <stdbool.h>

/* Adds the names that clang's messages are about. Whether there are new ones. */
bool uw_find_own_builtins(const char *messages, uw_strings *names);
void uw_rename_own_builtins(uw_strings *command, const uw_strings *names);

#endif
