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

/* What a library has from the runtime, and gives to its callers in parts of its own. The checker takes each part for an
 * object then; without a checker nothing is noted. */
typedef enum uwrt_part {
  UWRT_PARTS_BEGIN, /* from here on what nobody was given is nobody's */
  UWRT_PARTS_END,   /* before the memory goes back */
  UWRT_PART_GIVEN,  /* name, which stays: what it is, "a tensor" */
  UWRT_PART_BACK    /* by its start alone */
} uwrt_part;
void uwrt_note_part(uwrt_part what, const void *start, size_t bytes, const char *name);
/* Calls that function when the checker begins, which may be when a library is loaded; at once where it has begun. One
 * function of a process. */
void uwrt_when_checked(void (*function)(void));
#pragma GCC visibility pop

#endif
