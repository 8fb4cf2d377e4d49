/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SYCL's header and CUDA's prelude, precompiled for both sides of a compile and kept from one compile to the next. */
#ifndef UW_DRIVER_PRECOMPILED_H
#define UW_DRIVER_PRECOMPILED_H

#include "clang_commands.h"

/* Makes this source's front ends start from precompiled headers, where that changes nothing but their time; see
 * clang_commands.h. */
void uw_use_precompiled(uw_command_context *context);
/* How many headers are kept; with `remove`, none is afterwards. */
size_t uw_precompiled_headers(bool remove);
/* Of these front ends' rule of make's leaves out the file that only they read. */
void uw_forget_header(const uw_command_context *context);

#endif
