// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variable and the functions that main.cu uses.
#include "common.h"

__device__ int shared_count = 5;
__device__ int next_shared() { return shared_count++; }
__device__ int other_ticket() { return inline_ticket(); }
