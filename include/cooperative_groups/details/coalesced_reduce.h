/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An inner part of NVIDIA's cooperative groups: here cooperative_groups/reduce.h has what programs call.
 */
#ifndef _CG_COALESCED_REDUCE_H_
#define _CG_COALESCED_REDUCE_H_

#include "../../cooperative_groups/reduce.h"

#endif
