/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * -fdiagnostics-format=sarif: what a command says, as SARIF 2.1.0. docs/schemas/sarif.json says what is written. */
#ifndef UW_DRIVER_SARIF_H
#define UW_DRIVER_SARIF_H

#include "options.h"

/* Runs the command (its exit status comes back) in a child, reads what it says, and writes that where the options want
 * it. Gives its exit status. */
int uw_as_sarif(const uw_options *options, int (*command)(const void *), const void *argument);

#endif
