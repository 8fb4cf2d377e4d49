/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The name of a function or variable of device code as C++ has it (CUDA Binary Utilities, "cu++filt"); link libcufilt.
 */
#ifndef UNWARP_NV_DECODE_H
#define UNWARP_NV_DECODE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* output_buffer: null, or malloc's of *length bytes, which grows where it has to. *length: the bytes of the result with
 * its final zero; may be null where output_buffer is. *status: 0, -1 (no memory), -2 (no such name), -3 (an argument is
 * wrong). The result is the caller's to free; null on an error. */
char *__cu_demangle(const char *id, char *output_buffer, size_t *length, int *status);

#ifdef __cplusplus
}
#endif

#endif
