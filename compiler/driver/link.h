/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The link of objects, the user's libraries and libunwarp, through clang as the host's linker driver. */
#ifndef UW_DRIVER_LINK_H
#define UW_DRIVER_LINK_H

#include "options.h"
#include "toolchain.h"

/* `items` are the link's inputs and options in order. Writes to `output`. False after messages. */
bool uw_link(const uw_options *options, const uw_toolchain *toolchain, const uw_strings *items, const char *output);

/* An object as a shared library of the runtime alone: nothing of the user's is linked with it. */
bool uw_link_module(const uw_options *options, const uw_toolchain *toolchain, const char *object, const char *output);

#endif
