/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Static libraries. */
#ifndef UW_DRIVER_ARCHIVE_H
#define UW_DRIVER_ARCHIVE_H

#include "options.h"
#include "toolchain.h"

/* Adds the objects to the library `output`. False after messages. */
bool uw_archive(const uw_options *options, const uw_strings *objects, const char *output);

#endif
