/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words that CUDA adds to C++, by their inner name.
 */
#ifndef __CRT_HOST_DEFINES_H__
#define __CRT_HOST_DEFINES_H__

#include "../host_defines.h"

#endif
