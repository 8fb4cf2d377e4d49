/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime API declares on this platform. (EGL's names are there, in cuda_egl_interop.h, and are refused.)
 */
#ifndef __CUDART_PLATFORM_H__
#define __CUDART_PLATFORM_H__

#if defined(__linux__)
#define isEglSupported 1
#endif

#endif
