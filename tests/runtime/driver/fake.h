/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a test gives the driver beside this file in place of a fat binary. */
#ifndef FAKE_H
#define FAKE_H

#include <stddef.h>

typedef struct fake_binary {
  int (*load)(void); /* registers the kernels and variables; an error of the driver's */
  void *(*kernel)(const char *name);
  void *(*variable)(const char *name, size_t *bytes);
} fake_binary;

#endif
