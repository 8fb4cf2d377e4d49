/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenGL Interoperability (CUDA Runtime API). Programs that only include it compile; what they call is refused with
 * cudaErrorNotSupported, so that those with another way out take it. <GL/gl.h> is the system's.
 */
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include <GL/gl.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
extern cudaError_t cudaGLGetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices, unsigned int cudaDeviceCount,
                                    enum cudaGLDeviceList deviceList);
extern cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, GLuint image, GLenum target,
                                               unsigned int flags);
extern cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, GLuint buffer, unsigned int flags);

/* The names of before CUDA 3. */
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };
extern cudaError_t cudaGLSetGLDevice(int device); /* cudaSetDevice */
extern cudaError_t cudaGLRegisterBufferObject(GLuint bufObj);
extern cudaError_t cudaGLMapBufferObject(void **devPtr, GLuint bufObj);
extern cudaError_t cudaGLUnmapBufferObject(GLuint bufObj);
extern cudaError_t cudaGLUnregisterBufferObject(GLuint bufObj);
extern cudaError_t cudaGLSetBufferObjectMapFlags(GLuint bufObj, unsigned int flags);
extern cudaError_t cudaGLMapBufferObjectAsync(void **devPtr, GLuint bufObj, cudaStream_t stream);
extern cudaError_t cudaGLUnmapBufferObjectAsync(GLuint bufObj, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
