/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One source file, from the command line's point of view: to an object for the link, or to its own result. */
#ifndef UW_DRIVER_COMPILE_H
#define UW_DRIVER_COMPILE_H

#include "options.h"
#include "toolchain.h"

/* Compiles `input` as far as the options say. `object` is where an object for the link goes, or null when the source
 * has a result of its own (-c, -S, -E, ...). False after messages. */
bool uw_compile_source(const uw_options *options, const uw_toolchain *toolchain, const uw_input *input,
                       const char *object);
/* The file that a source's own result goes to, or "-"; null when it has none. */
const char *uw_result_name(const uw_options *options, const uw_input *input);
/* What the rule of -M or -MD makes. */
const char *uw_dependency_target(const uw_options *options, const uw_input *input);
/* The file that -MD writes. */
const char *uw_dependency_name(const uw_options *options, const uw_input *input);

#endif
