/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The result of --cuda. */
#ifndef UW_DRIVER_CPP_RESULT_H
#define UW_DRIVER_CPP_RESULT_H

#include <stdbool.h>

/* Writes the assembly of a file as a C++ source. False after a message. */
bool uw_write_cpp(const char *assembly_path, const char *output);

#endif
