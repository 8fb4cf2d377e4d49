/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * EGL Interoperability (CUDA Runtime API): types and names. None is done: each function returns cudaErrorNotSupported, so that programs with
 * another way out take it. <EGL/egl.h> is the system's.
 */
#ifndef __CUDA_EGL_INTEROP_H__
#define __CUDA_EGL_INTEROP_H__

#include "cuda_runtime_api.h"
#include "unwarp/egl.h"

#define CUDA_EGL_MAX_PLANES 3

typedef enum cudaEglFrameType_enum { cudaEglFrameTypeArray = 0, cudaEglFrameTypePitch = 1 } cudaEglFrameType;
typedef enum cudaEglResourceLocationFlags_enum {
  cudaEglResourceLocationSysmem = 0,
  cudaEglResourceLocationVidmem = 1
} cudaEglResourceLocationFlags;
typedef enum cudaEglColorFormat_enum {
#define UW_EGL_FORMAT(runtime, driver, value) cudaEglColorFormat##runtime = value,
#include "unwarp/egl_formats.def"
} cudaEglColorFormat;

typedef struct cudaEglPlaneDesc_st {
  unsigned int width, height, depth, pitch, numChannels;
  struct cudaChannelFormatDesc channelDesc;
  unsigned int reserved[4];
} cudaEglPlaneDesc;
typedef struct cudaEglFrame_st {
  union {
    cudaArray_t pArray[CUDA_EGL_MAX_PLANES];
    struct cudaPitchedPtr pPitch[CUDA_EGL_MAX_PLANES];
  } frame;
  cudaEglPlaneDesc planeDesc[CUDA_EGL_MAX_PLANES];
  unsigned int planeCount;
  cudaEglFrameType frameType;
  cudaEglColorFormat eglColorFormat;
} cudaEglFrame;
typedef struct CUeglStreamConnection_st *cudaEglStreamConnection;

#ifdef __cplusplus
extern "C" {
#endif
#define UW_REFUSED(name, parameters) extern cudaError_t name parameters;
#include "unwarp/refused/cuda_egl_interop.def"
#ifdef __cplusplus
}
#endif

#endif
