/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What all options and inputs together say, when each of them is read. */
#ifndef UW_DRIVER_OPTION_CONFLICTS_H
#define UW_DRIVER_OPTION_CONFLICTS_H

#include "options.h"

/* Settles what depends on several of them. False after a message. */
bool uw_options_agree(uw_options *o);

#endif
