/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA's stand-alone occupancy calculator, which Thrust includes and does not call. It computes from a GPU's registers
 * and shared memory, which this device has not: nothing of it is declared, and a program that calls it (`cudaOccMax…`)
 * is refused there. What the runtime knows of occupancy, cudaOccupancyMaxActiveBlocksPerMultiprocessor and its like
 * tell.
 */
#ifndef __CUDA_OCCUPANCY_H__
#define __CUDA_OCCUPANCY_H__

#include <cuda_runtime_api.h>

#endif
