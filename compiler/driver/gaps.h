/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Notes on what of a CUDA tool kit is not here (gaps.def). */
#ifndef UW_DRIVER_GAPS_H
#define UW_DRIVER_GAPS_H

#include "../support/strings.h"

/* After a tool failed: a note for each part that its messages show to be missing (a header that is not found, a name
 * that is not declared or not defined). sycl: of a SYCL source, which may use extensions. */
void uw_note_gaps(const char *messages, bool sycl);

/* Whether a name is one of those that begin like this: cuInit of cu, cublasCreate of cublas, curious of none. */
bool uw_is_name_of(const char *symbol, const char *prefix);

/* What -lNAME would bring, and what to do without it; null if that is no gap. */
const char *uw_library_gap(const char *name);

#endif
