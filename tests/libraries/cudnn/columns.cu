/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: images as the matrix of a convolution, and reordered filters, with which a convolution gives what it gave. */
#include "tensors.h"

template <class T> static void check(int layout, int pad, int stride, int dilation) {
  const int N = 2, C = 3, H = 7, W = 6, R = 3, S = 2;
  const int P = (H + 2 * pad - (R - 1) * dilation - 1) / stride + 1,
            Q = (W + 2 * pad - (S - 1) * dilation - 1) / stride + 1;
  tensor<T> x({N, C, H, W}, layout);
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t convolution;
  GOOD(cudnnCreateFilterDescriptor(&w));
  GOOD(cudnnCreateConvolutionDescriptor(&convolution));
  GOOD(cudnnSetFilter4dDescriptor(w, type_of<T>, CUDNN_TENSOR_NCHW, 4, C, R, S));
  GOOD(cudnnSetConvolution2dDescriptor(convolution, pad, pad, stride, stride, dilation, dilation,
                                       CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  device<T> columns((size_t)(N * P * Q * C * R * S) + 1);
  columns[columns.count - 1] = make<T>(99);
  BAD(cudnnIm2Col(handle, x.as, x, w, convolution, nullptr));
  BAD(cudnnIm2Col(handle, x.as, nullptr, w, convolution, columns));
  GOOD(cudnnIm2Col(handle, x.as, x, w, convolution, columns));
  cudaDeviceSynchronize();
  size_t at = 0, differ = 0;
  for (int n = 0; n < N; n++)
    for (int p = 0; p < P; p++)
      for (int q = 0; q < Q; q++)
        for (int c = 0; c < C; c++)
          for (int r = 0; r < R; r++)
            for (int s = 0; s < S; s++, at++) {
              const int h = p * stride - pad + r * dilation, v = q * stride - pad + s * dilation;
              const bool is_in = h >= 0 && h < H && v >= 0 && v < W;
              differ += value(columns[at]).real() != (is_in ? x[(size_t)(((n * C + c) * H + h) * W + v)] : 0);
            }
  CHECK(!differ && at + 1 == columns.count && value(columns[at]).real() == 99);
  GOOD(cudnnSetConvolution2dDescriptor(convolution, pad, pad, stride, stride, dilation, dilation, CUDNN_CONVOLUTION,
                                       CUDNN_DATA_FLOAT));
  NOT_SUPPORTED(cudnnIm2Col(handle, x.as, x, w, convolution, columns));
  GOOD(cudnnDestroyFilterDescriptor(w));
  GOOD(cudnnDestroyConvolutionDescriptor(convolution));
}

static void reorder() {
  const int C = 32, K = 32, size = 4;
  cudnnTensorDescriptor_t x, y;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t convolution;
  cudnnCreateTensorDescriptor(&x), cudnnCreateTensorDescriptor(&y), cudnnCreateFilterDescriptor(&w);
  cudnnCreateConvolutionDescriptor(&convolution);
  GOOD(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x32, 1, C, size, size));
  GOOD(cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x32, 1, K, size, size));
  GOOD(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_INT8x32, CUDNN_TENSOR_NCHW_VECT_C, K, C, 1, 1));
  GOOD(cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_INT32));
  device<signed char> image(C * size * size), filter(K * C), again(K * C), first(K * size * size), second(first.count);
  device<float> bias(K), bias_again(K);
  for (size_t i = 0; i < image.count; i++)
    image[i] = (signed char)(i % 5 - 2);
  for (size_t i = 0; i < filter.count; i++)
    filter[i] = (signed char)(i % 3 - 1), again[i] = 77;
  const float alpha = 1, beta = 0;
  const auto convolve = [&](cudnnReorderType_t order, const device<signed char> &by, device<signed char> &to) {
    GOOD(cudnnSetConvolutionReorderType(convolution, order));
    GOOD(cudnnConvolutionForward(handle, &alpha, x, image, w, by, convolution,
                                 CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &beta, y, to));
  };
  BAD(cudnnReorderFilterAndBias(handle, w, CUDNN_DEFAULT_REORDER, filter, nullptr, 0, nullptr, nullptr));
  BAD(cudnnReorderFilterAndBias(handle, w, CUDNN_DEFAULT_REORDER, filter, again, 1, bias, nullptr));
  cudaDeviceSynchronize();
  CHECK(again[0] == 77);
  GOOD(cudnnReorderFilterAndBias(handle, w, CUDNN_DEFAULT_REORDER, filter, again, 1, bias, bias_again));
  convolve(CUDNN_DEFAULT_REORDER, filter, first);
  convolve(CUDNN_NO_REORDER, again, second);
  cudaDeviceSynchronize();
  CHECK(!memcmp(first.at, second.at, first.count) && !memcmp(bias.at, bias_again.at, K * sizeof(float)));
  GOOD(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, 1, 1));
  NOT_SUPPORTED(cudnnReorderFilterAndBias(handle, w, CUDNN_DEFAULT_REORDER, filter, again, 0, nullptr, nullptr));
  cudnnDestroyTensorDescriptor(x), cudnnDestroyTensorDescriptor(y), cudnnDestroyFilterDescriptor(w);
  cudnnDestroyConvolutionDescriptor(convolution);
}

template <class T> static void sweep() {
  check<T>(NCHW, 0, 1, 1);
  check<T>(NHWC, 1, 2, 1);
  check<T>(HOLES, 2, 1, 2);
}

int main() {
  GOOD(cudnnCreate(&handle));
  sweep<float>();
  sweep<double>();
  sweep<__half>();
  reorder();
  GOOD(cudnnDestroy(handle));
  return report("columns");
}
