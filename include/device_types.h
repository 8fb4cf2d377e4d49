/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rounding modes by name. (CUDA Runtime API, "Data types used by CUDA Runtime".)
 */
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
