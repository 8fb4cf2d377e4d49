/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which CPU `native` is. */
#ifndef UW_DRIVER_NATIVE_H
#define UW_DRIVER_NATIVE_H

#include <stdbool.h>

/* Reports an environment that names none. */
bool uw_native_cpu(const char **cpu);

#endif
