/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What --help, --help-passes and --version print. */
#ifndef UW_DRIVER_HELP_H
#define UW_DRIVER_HELP_H

#include "options.h"

#define UW_VERSION "0.1.0"
#define UW_CUDA_RELEASE "Cuda compilation tools, release 12.4, V12.4.131\n"

/* False when standard output could not be written. */
bool uw_answer(uw_command_question question);

#endif
