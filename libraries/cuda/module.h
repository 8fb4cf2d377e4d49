/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a module holds (module.c). The module exists. */
#ifndef UWCU_MODULE_H
#define UWCU_MODULE_H

#include "internal.h"

CUresult uwcu_unload(CUmodule module);
/* Checks its arguments, the module too; flags: UWRT_VARIABLE_*, which it must have. */
CUresult uwcu_get_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name, unsigned int flags);

#endif
