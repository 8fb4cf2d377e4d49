/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of cuRAND's device functions: curand_kernel.h has all of them.
 */
#ifndef __CURAND_POISSON_H__
#define __CURAND_POISSON_H__

#include "curand_kernel.h"

#endif
