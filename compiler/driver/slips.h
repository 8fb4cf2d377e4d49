/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "Did you mean ..." for what clang and the linker do not know and have no suggestion for. */
#ifndef UW_DRIVER_SLIPS_H
#define UW_DRIVER_SLIPS_H

#include <stdbool.h>

/* For a message on an option or a value of one: what to put after it, or "". `messages`: all that the tool said. */
const char *uw_suggestion(const char *message, const char *messages);

/* Does the line say of a warning that clang does not know it, where nothing shows that it is misspelt? It may be one of GCC's. */
bool uw_is_unknown_warning(const char *line);

#endif
