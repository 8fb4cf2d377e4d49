/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVTX's names for the runtime's devices, streams and events. Nobody listens (nvToolsExt.h).
 */
#ifndef UNWARP_NVTX3_NVTOOLSEXTCUDART_H
#define UNWARP_NVTX3_NVTOOLSEXTCUDART_H

#include "../driver_types.h"
#include "nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int object, const char *name) { (void)object, (void)name; }
static inline void nvtxNameCudaDeviceW(int object, const wchar_t *name) { (void)object, (void)name; }
static inline void nvtxNameCudaStreamA(cudaStream_t object, const char *name) { (void)object, (void)name; }
static inline void nvtxNameCudaStreamW(cudaStream_t object, const wchar_t *name) { (void)object, (void)name; }
static inline void nvtxNameCudaEventA(cudaEvent_t object, const char *name) { (void)object, (void)name; }
static inline void nvtxNameCudaEventW(cudaEvent_t object, const wchar_t *name) { (void)object, (void)name; }

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif
