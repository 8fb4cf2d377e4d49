/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which cuDNN the headers describe: 9, or 7 or 8 where CUDNN_MAJOR is defined before. Their libraries are libcudnn.so.7, .8 and .9. */
#ifndef CUDNN_VERSION_H_
#define CUDNN_VERSION_H_

#ifndef CUDNN_MAJOR
#define CUDNN_MAJOR 9
#endif

#if CUDNN_MAJOR == 7
#define CUDNN_MINOR 6
#define CUDNN_PATCHLEVEL 3
#elif CUDNN_MAJOR == 8
#define CUDNN_MINOR 9
#define CUDNN_PATCHLEVEL 7
#elif CUDNN_MAJOR == 9
#define CUDNN_MINOR 26
#define CUDNN_PATCHLEVEL 0
#else
#error "unwarp has cuDNN 7, 8 and 9"
#endif

#if CUDNN_MAJOR >= 9
#define CUDNN_VERSION (CUDNN_MAJOR * 10000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)
#else
#define CUDNN_VERSION (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)
#endif

#endif
