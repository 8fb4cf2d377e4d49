/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The part of linking relocatable device code that the host's linker cannot do. */
#ifndef UW_DRIVER_DEVICE_LINK_H
#define UW_DRIVER_DEVICE_LINK_H

#include "../support/strings.h"

#include <stdbool.h>

/* Looks at the objects and archives of a link. False after messages, where a kernel calls a function of another file
 * that cannot be one. */
bool uw_check_device_link(const uw_strings *items);
/* After a link that failed: where kernels call device functions that its messages say nobody defines. */
void uw_note_undefined_calls(const uw_strings *items, const char *messages, const char *way_out);

#endif
