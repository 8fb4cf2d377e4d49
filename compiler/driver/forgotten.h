/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What unwarp has and a program did not ask for: a library of CUDA's, a header, SYCL. */
#ifndef UW_DRIVER_FORGOTTEN_H
#define UW_DRIVER_FORGOTTEN_H

#include "options.h"

/* The library of ours that defines an undefined symbol, as -l names it; null if none does. */
const char *uw_forgotten_library(const char *symbol);
/* The header of ours that declares a name that clang does not know, as #include names it; null if none does. */
const char *uw_forgotten_header(const char *name);
/* The same of a name in namespace std, of the C++ library's everyday headers. */
const char *uw_forgotten_standard_header(const char *name);
/* Whether a symbol is of SYCL's part of the runtime, which only -fsycl brings. */
bool uw_is_of_sycl(const char *symbol);
/* After a link without -fsycl whose messages name such symbols: says that it is missing, with the line that asks for
 * it. */
void uw_note_forgotten_sycl(const uw_options *options, const char *messages);
/* After a failure of clang's in a source that was not compiled as CUDA: says so where it looks like CUDA. */
void uw_note_forgotten_language(const uw_input *input, const char *messages);

#endif
