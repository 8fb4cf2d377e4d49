/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An inner part of NVIDIA's cooperative groups: here cooperative_groups/scan.h has what programs call.
 */
#ifndef _CG_COALESCED_SCAN_H_
#define _CG_COALESCED_SCAN_H_

#include "../../cooperative_groups/scan.h"

#endif
