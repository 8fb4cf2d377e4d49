/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integers of a size, by the name that CUDA has for old compilers' sake.
 */
#ifndef __cuda_stdint_h__
#define __cuda_stdint_h__

#include <stdint.h>

#endif
