/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An inner part of mma.h, which has all of it here.
 */
#ifndef __CRT_MMA_H__
#define __CRT_MMA_H__

#include "../mma.h"

#endif
