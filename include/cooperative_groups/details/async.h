/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An inner part of NVIDIA's cooperative groups: here cooperative_groups/memcpy_async.h has what programs call.
 */
#ifndef _CG_ASYNC_H_
#define _CG_ASYNC_H_

#include "../../cooperative_groups/memcpy_async.h"

#endif
