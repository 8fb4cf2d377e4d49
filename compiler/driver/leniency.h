/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What nvcc (of SYCL: DPC++) takes and clang refuses without an option that would let it through. Where clang says so, the source is
 * shown to it once more with those locations in another form. */
#ifndef UW_DRIVER_LENIENCY_H
#define UW_DRIVER_LENIENCY_H

#include "../support/strings.h"

/* The whole text with the location `at` in another form; null where it is none of that kind, the same
 * text where it has that form by another change. Lines stay. */
typedef char *uw_rewrite(const char *text, const char *at);

/* The next form, from the table's place `*from` on, that a line of clang's messages asks for; null after the last.
 * Some are for what the device pass alone says, where the host pass has no objection. */
uw_rewrite *uw_form_for(const char *line, bool sycl, bool by_device_alone, size_t *from);

#endif
