/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The version of CUDA that the headers say they are: 12.4, or what --cuda-version chooses. CUDA_VERSION may come from
 * the command line. A host compiler is not told by --cuda-version. For the host files of an extension for PyTorch,
 * unwarp --exec puts the folder of torch's version (host/13) on CPATH: extensions compare their version with torch's. */
#ifndef UNWARP_VERSION_H
#define UNWARP_VERSION_H

#if !defined(UNWARP_CUDA_VERSION) && !defined(__CUDACC__) && defined(__has_include)
#if __has_include(<unwarp_host_version.h>)
#include <unwarp_host_version.h>
#endif
#endif
#ifndef UNWARP_CUDA_VERSION
#define UNWARP_CUDA_VERSION 12040
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION UNWARP_CUDA_VERSION
#endif

/* What a library answers about its version is what the program's headers say: such a function has a name for each. */
#if UNWARP_CUDA_VERSION == 11080 || UNWARP_CUDA_VERSION == 12090 || UNWARP_CUDA_VERSION == 13000 ||                    \
    UNWARP_CUDA_VERSION == 13010
#define UNWARP_VERSIONED(name) __asm__(UNWARP_VERSIONED_TEXT(name, UNWARP_CUDA_VERSION))
#else
#define UNWARP_VERSIONED(name)
#endif
#define UNWARP_VERSIONED_TEXT(name, number) UNWARP_VERSIONED_STRING(name, number)
#define UNWARP_VERSIONED_STRING(name, number) #name "_" #number

#endif
