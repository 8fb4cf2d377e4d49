/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The part of the runtime API that device code may call is declared with the rest.
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#endif
