/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The names of the old references, texture<…> and surface<…>. CUDA had them in the global namespace for fifteen
 * years, until CUDA 12 dropped them; newer programs use the names for themselves. So a program's text says which it
 * means. */
#ifndef UW_DRIVER_OLD_REFERENCES_H
#define UW_DRIVER_OLD_REFERENCES_H

#include <stdbool.h>

/* Whether one of the names stands before a `<`, as in texture<float, 2> image; */
bool uw_has_old_references(const char *text);
/* Whether one of the names is declared: struct texture, class surface, … */
bool uw_declares_reference_names(const char *text);

#endif
