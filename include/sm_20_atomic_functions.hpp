/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of the device language by its old name: cuda_runtime.h has all of it.
 */
#ifndef __SM_20_ATOMIC_FUNCTIONS_HPP__
#define __SM_20_ATOMIC_FUNCTIONS_HPP__

#include "cuda_runtime.h"

#endif
