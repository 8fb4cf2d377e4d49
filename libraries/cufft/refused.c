/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that are refused, by their table. */
#pragma GCC visibility push(default)
#include "../../include/cufftXt.h"
#pragma GCC visibility pop
#include "../common/refused.h"

#define UW_REFUSED(name, first) UWLIB_REFUSE(cufftResult, CUFFT_NOT_SUPPORTED, name, first)
#include "../../include/unwarp/refused/cufftXt.def"
