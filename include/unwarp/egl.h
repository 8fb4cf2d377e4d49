/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * EGL's types, for cudaEGL.h and cuda_egl_interop.h: from the system's headers. unwarp's own libraries say UW_OWN_EGL_TYPES, so that these
 * headers need not be there when they are built.
 */
#ifndef UNWARP_EGL_H
#define UNWARP_EGL_H

#ifdef UW_OWN_EGL_TYPES
typedef void *EGLImageKHR, *EGLStreamKHR, *EGLSyncKHR;
typedef int EGLint;
#else
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

#endif
