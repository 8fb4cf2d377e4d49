/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words that CUDA adds to C and C++ (CUDA C++ Programming Guide, "C++ language extensions"). In clang's CUDA
 * mode they become its attributes; in every other compile they vanish, so that host files may share declarations.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* A device variable that host code uses directly. clang has no such attribute for CUDA: the section's name tells it. */
#define __managed__ __attribute__((device, section("unwarp_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
/* clang's own attribute of this name wants a GPU that has clusters. */
#define __cluster_dims__(...) __attribute__((annotate("unwarp_cluster_dims", ##__VA_ARGS__)))
/* __noinline__ is a keyword here. */
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __maxnreg__(count) /* a register limit has no meaning on a CPU */
#define __nv_pure__ __attribute__((pure))
#define __inline_hint__

/* Functions of the runtime that device code may call as well (dynamic parallelism's subset). */
#define __cudart_builtin__ __host__ __device__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__

/* Around functions that compute in float what is no operation on float, as those of bfloat16: -ftz=true leaves them
 * alone. */
#ifdef __UW_FLUSHES_DENORMALS
#define __UW_KEEP_DENORMALS_BEGIN                                                                                      \
  _Pragma("clang attribute push(__attribute__((annotate(\"unwarp_keep_denormals\"))), apply_to = function)")
#define __UW_KEEP_DENORMALS_END _Pragma("clang attribute pop")
#else
#define __UW_KEEP_DENORMALS_BEGIN
#define __UW_KEEP_DENORMALS_END
#endif

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#endif
