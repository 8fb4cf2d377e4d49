/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * clang's messages on host code in kernels, in fewer words. */
#ifndef UW_DRIVER_HOST_IN_KERNEL_H
#define UW_DRIVER_HOST_IN_KERNEL_H

#include "../support/strings.h"

/* The lines of clang's messages, with those in the place of what it says of a kernel's host code. */
uw_strings uw_host_in_kernel(const uw_strings *lines);

#endif
