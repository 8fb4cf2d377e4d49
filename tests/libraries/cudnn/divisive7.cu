/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * divisive.cu with cuDNN 7. */
// library: libcudnn.so.7
#define CUDNN_MAJOR 7
#include "divisive.cu"
