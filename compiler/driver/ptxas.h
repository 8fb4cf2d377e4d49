/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unwarp in ptxas's place. */
#ifndef UW_DRIVER_PTXAS_H
#define UW_DRIVER_PTXAS_H

#include <stdbool.h>

bool uw_is_called_ptxas(const char *program);
/* Makes unwarp's command of ptxas's. False after a message, or where all is done: then *status is the exit status. */
bool uw_ptxas(int *argument_count, char ***arguments, int *status);

/* After the compiler made what uw_ptxas asked of it. */
void uw_ptxas_keep(void);

#endif
