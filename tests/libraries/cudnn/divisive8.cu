/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * divisive.cu with cuDNN 8. */
// library: libcudnn.so.8
#define CUDNN_MAJOR 8
#include "divisive.cu"
