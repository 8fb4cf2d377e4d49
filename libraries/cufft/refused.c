/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that are refused, by their table. */
#pragma GCC visibility push(default)
#include "../../include/cufftXt.h"
#pragma GCC visibility pop

#define UW_REFUSED(name, first)                                                                                        \
  cufftResult name(first argument, ...) {                                                                              \
    (void)argument;                                                                                                    \
    return CUFFT_NOT_SUPPORTED;                                                                                        \
  }
#include "../../include/unwarp/refused/cufftXt.def"
