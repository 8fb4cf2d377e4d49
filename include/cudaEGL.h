/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * EGL Interoperability (CUDA Driver API): types and names. None is done: each function returns CUDA_ERROR_NOT_SUPPORTED, so that programs
 * with another way out take it. <EGL/egl.h> is the system's.
 */
#ifndef CUDAEGL_H
#define CUDAEGL_H

#include "cuda.h"
#include "unwarp/egl.h"

#define MAX_PLANES 3
#define CUDA_EGL_INFINITE_TIMEOUT 0xFFFFFFFF

typedef enum CUeglFrameType_enum { CU_EGL_FRAME_TYPE_ARRAY = 0, CU_EGL_FRAME_TYPE_PITCH = 1 } CUeglFrameType;
typedef enum CUeglResourceLocationFlags_enum {
  CU_EGL_RESOURCE_LOCATION_SYSMEM = 0,
  CU_EGL_RESOURCE_LOCATION_VIDMEM = 1
} CUeglResourceLocationFlags;
typedef enum CUeglColorFormat_enum {
#define UW_EGL_FORMAT(runtime, driver, value) CU_EGL_COLOR_FORMAT_##driver = value,
#define UW_EGL_DRIVER_FORMAT(driver, value) CU_EGL_COLOR_FORMAT_##driver = value,
#include "unwarp/egl_formats.def"
  CU_EGL_COLOR_FORMAT_MAX
} CUeglColorFormat;

typedef struct CUeglFrame_st {
  union {
    CUarray pArray[MAX_PLANES];
    void *pPitch[MAX_PLANES];
  } frame;
  unsigned int width, height, depth, pitch, planeCount, numChannels;
  CUeglFrameType frameType;
  CUeglColorFormat eglColorFormat;
  CUarray_format cuFormat;
} CUeglFrame_v1;
typedef CUeglFrame_v1 CUeglFrame;
typedef struct CUeglStreamConnection_st *CUeglStreamConnection;

#ifdef __cplusplus
extern "C" {
#endif
#define UW_REFUSED(name, parameters) CUresult CUDAAPI name parameters;
#include "unwarp/refused/cudaEGL.def"
#ifdef __cplusplus
}
#endif

#endif
