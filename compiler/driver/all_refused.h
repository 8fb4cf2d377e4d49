/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One compile names all kernels that are refused, not the first. */
#ifndef UW_DRIVER_ALL_REFUSED_H
#define UW_DRIVER_ALL_REFUSED_H

#include "unit.h"

/* After a unit whose compile ended with the messages `said`: compiles each of its kernels alone, and shows the errors
 * that were not among them. */
void uw_show_all_refused(const uw_unit *unit, const char *said);

#endif
