/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The user's line first, where clang names a line of unwarp's own headers. */
#ifndef UW_DRIVER_USERS_LINES_H
#define UW_DRIVER_USERS_LINES_H

#include "../support/strings.h"

/* A tool's messages, line by line, with each error in a template of the headers in this folder told at the line of the
 * user's that asked for it. */
uw_strings uw_users_lines(const uw_strings *lines, const char *headers);

#endif
