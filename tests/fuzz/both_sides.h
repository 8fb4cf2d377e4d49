// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of kernels.py that are made of a side's own.
#define IDX (BID * BD + TID)
#define WARP_ID (TID / 32u)
#define LANE (TID % 32u)
#define LANES (BD - WARP_ID * 32u < 32u ? BD - WARP_ID * 32u : 32u)
#define WHOLE_WARP (LANES == 32u)
#define MASK (LANES == 32u ? 0xffffffffu : (1u << LANES) - 1u)
