/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libcufilt. Names of device code are mangled as those of the host, so that the C++ library's own demangler knows them.
 */
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/nv_decode.h"
#pragma GCC visibility pop

char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status); /* libstdc++ */

char *__cu_demangle(const char *id, char *output_buffer, size_t *length, int *status) {
  int code = id && (length || !output_buffer) ? 0 : -3;
  char *name = NULL;
  /* The C++ library takes types, too: "i" would be int. */
  if (code == 0 && strncmp(id, "_Z", 2) != 0)
    code = -2;
  if (code == 0)
    name = __cxa_demangle(id, output_buffer, length, &code);
  if (name && length)
    *length = strlen(name) + 1;
  if (status)
    *status = code;
  return name;
}
