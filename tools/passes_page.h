/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef UW_PASSES_PAGE_H
#define UW_PASSES_PAGE_H

#include <stdbool.h>

/* Prints docs/passes.md; root: the folder of the sources. False after a message, if one cannot be read. */
bool uw_print_passes_page(const char *root);

#endif
