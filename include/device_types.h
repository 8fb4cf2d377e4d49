/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rounding modes of device arithmetic, as CUDA numbers them.
 */
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
