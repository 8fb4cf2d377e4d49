/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The prelude of every CUDA source: the compiler driver passes it with -include, as nvcc does with cuda_runtime.h.
 *
 * It says to the program that it is compiled by a CUDA compiler of version 12.4 (--cuda-version), brings in the C headers that programs
 * written for nvcc use without including them, and then cuda_runtime.h. The order matters: the __device__ declarations
 * of the C math functions must be seen before <cmath>, so that its constexpr functions do not become device code.
 */
#ifndef UNWARP_CUDA_H
#define UNWARP_CUDA_H

#ifndef __CUDACC__
#define __CUDACC__ 1 /* libstdc++ and glibc look at it too: it keeps __float128 out of device code */
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#include "unwarp/version.h"
#if UNWARP_CUDA_VERSION >= 13010
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 1
#define __CUDACC_VER_BUILD__ 80
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 1
#elif UNWARP_CUDA_VERSION >= 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 48
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#elif UNWARP_CUDA_VERSION >= 12090
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 86
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 9
#elif UNWARP_CUDA_VERSION >= 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 131
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 4
#else
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 89
#define __CUDA_API_VER_MAJOR__ 11
#define __CUDA_API_VER_MINOR__ 8
#endif
#ifndef __CUDA_ARCH_LIST__
#define __CUDA_ARCH_LIST__ 800
#endif
#define __UNWARP__ 1

#ifdef __cplusplus
/* std::declval and (before C++20) std::swap are no constexpr functions, and so no device code by themselves: a concept
 * that uses the one, as std::convertible_to does, would be false in a kernel. <cstddef> keeps the library's basics out
 * of this. */
#include <cstddef>
#pragma clang force_cuda_host_device begin
#include <type_traits>
#if __has_include(<bits/move.h>)
#include <bits/move.h>
#else
#include <utility>
#endif
#pragma clang force_cuda_host_device end
#include <__clang_cuda_math_forward_declares.h>
#endif

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <utility>
#endif

#include "cuda_runtime.h"

#endif
