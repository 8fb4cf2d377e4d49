/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of the device language by its old name: cuda_runtime.h has all of it.
 */
#ifndef __VECTOR_FUNCTIONS_HPP__
#define __VECTOR_FUNCTIONS_HPP__

#include "cuda_runtime.h"

#endif
