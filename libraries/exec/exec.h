/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of libunwarp_exec share. */
#ifndef UWEXEC_H
#define UWEXEC_H

#include <stdint.h>

/* What a program is to call when it calls the C library's function of this name. */
uintptr_t uwexec_in_place_of(const char *name, uintptr_t function);

#endif
