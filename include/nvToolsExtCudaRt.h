/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The header's path in NVTX 2.
 */
#include "nvtx3/nvToolsExtCudaRt.h"
