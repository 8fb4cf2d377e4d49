/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Do the rows of a block of threads lie far apart in memory, as those of an image do? */
#ifndef UW_FAR_ROW_H
#define UW_FAR_ROW_H

#include "../../ir/ir.h"

/* The thread indices of a loop over a row of threads, which stands in a loop over rows or is one of three dimensions; x
 * is the last. */
MlirValue uw_row_index(MlirOperation loop, size_t d);
/* Does the address, of elements of so many bytes, grow by an element along a row, and from row to row by a product with
 * a value that is not known, or by 1 KiB or more? False for memory of the block. */
bool uw_is_far_row(MlirOperation loop, MlirValue address, int64_t bytes);

#endif
