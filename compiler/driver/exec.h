/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A command with our libraries in NVIDIA's place. */
#ifndef UW_DRIVER_EXEC_H
#define UW_DRIVER_EXEC_H

#include <stdbool.h>

/* Comes back only after a message, false. */
bool uw_exec(char **command);

#endif
