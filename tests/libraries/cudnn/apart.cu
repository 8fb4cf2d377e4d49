/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN in a process that has another oneDNN: its functions, here some of the program's, are not called in place of those of the one that cuDNN opened. */
// link: -rdynamic
#include <cudnn.h>

#include "../check.h"

static int taken;
#define OTHER(name)                                                                                                    \
  extern "C" int name() { return taken++, 1; }
OTHER(dnnl_engine_create)
OTHER(dnnl_primitive_create)
OTHER(dnnl_primitive_desc_create)
OTHER(dnnl_primitive_desc_query)
OTHER(dnnl_primitive_execute)
OTHER(dnnl_memory_create)
OTHER(dnnl_memory_desc_equal)
OTHER(dnnl_memory_desc_init_by_strides)
OTHER(dnnl_stream_create)

int main() {
  enum { N = 1, C = 16, SIZE = 8 };
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t convolution;
  cudnnCreate(&handle);
  cudnnCreateTensorDescriptor(&x);
  cudnnCreateFilterDescriptor(&w);
  cudnnCreateConvolutionDescriptor(&convolution);
  cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, SIZE, SIZE);
  cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, C, C, 1, 1);
  cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  device<float> in(N * C * SIZE * SIZE), out(in), filter(C * C);
  for (int i = 0; i < C * C; i++)
    filter[i] = i / C == i % C ? 2 : 0;
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(handle, &one, x, in, w, filter, convolution,
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &zero, x,
                                out) == CUDNN_STATUS_SUCCESS);
  cudaDeviceSynchronize();
  for (size_t i = 0; i < in.count; i++)
    CHECK(out[i] == 2 * in[i]);
  CHECK(taken == 0);
  return report("apart");
}
