/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program lends to the device for a while: a buffer of SYCL uses memory that it was given for reading and
 * writing in place (include/sycl/detail/memory.hpp). */
#ifndef UWRT_LENT_H
#define UWRT_LENT_H

#include <stddef.h>

#pragma GCC visibility push(default)
/* From here on kernels may use the memory, until it is taken back by the same start and bytes, as often as it was lent.
 * Any thread may call them. */
void uwrt_lend(const void *start, size_t bytes);
void uwrt_take_back(const void *start, size_t bytes);
/* The host has written to memory of the device's, or may from here on until a kernel uses it. */
void uwrt_host_writes(const void *start, size_t bytes);
#pragma GCC visibility pop

#endif
