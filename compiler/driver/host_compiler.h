/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The user's host compiler. */
#ifndef UW_DRIVER_HOST_COMPILER_H
#define UW_DRIVER_HOST_COMPILER_H

#include "options.h"

/* What links for `wanted`: its path, or null after a warning. */
const char *uw_find_host_linker(const char *wanted);
/* Adds the include folders and macros of an MPI compiler, which has them in what `-show` says. */
void uw_add_wrapper_options(uw_options *options);

#endif
