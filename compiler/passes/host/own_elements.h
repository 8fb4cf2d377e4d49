/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two accesses of a thread, one of which writes, at the very same address: may the address be another thread's, too?
 *
 *   i = block * 256 + thread         no: a number for each thread of the launch, which have less than 2^31
 *   y * width + x, y and x such      no: where x may reach width, threads would write what others write, which neither
 *   numbers of two dimensions        language lets them do: both accesses are under the same conditions
 *
 * Dependence.h says the same of sums that cannot wrap around; integers of 32 bits may, and numbers of threads are less
 * than that. */
#ifndef UW_OWN_ELEMENTS_H
#define UW_OWN_ELEMENTS_H

#include "../../ir/ir.h"

/* No: surely. Both in the loop over threads in the loop over blocks. */
bool uw_are_own_elements(MlirOperation grid, MlirOperation threads, MlirOperation first, MlirOperation second);

#endif
