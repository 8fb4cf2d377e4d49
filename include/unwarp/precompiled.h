/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What unwarp's driver has clang precompile for CUDA (compiler/driver/precompiled.c): the prelude of every source. */
#ifndef UNWARP_PRECOMPILED_H
#define UNWARP_PRECOMPILED_H

#include <unwarp_cuda.h> /* by angle brackets, so that all of it is a system's header */

#endif
