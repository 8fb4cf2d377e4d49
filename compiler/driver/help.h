/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What --help, --help-passes and --version print. */
#ifndef UW_DRIVER_HELP_H
#define UW_DRIVER_HELP_H

#include "options.h"

#define UW_VERSION "0.1.0"

/* The line by which build tools know a version of CUDA's, as of "12.4.131". */
void uw_print_cuda_release(const char *version);

/* The options' question. False when standard output could not be written. */
bool uw_answer(const uw_options *options);

#endif
