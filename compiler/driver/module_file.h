/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Files that a program loads at run time. */
#ifndef UW_DRIVER_MODULE_FILE_H
#define UW_DRIVER_MODULE_FILE_H

#include "options.h"
#include "toolchain.h"

/* The module of one source, under the name that the result has. */
bool uw_make_module(const uw_options *options, const uw_toolchain *toolchain, const uw_input *input);

#endif
