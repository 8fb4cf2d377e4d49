/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: pooling and normalisation over channels, forward and backward, against loops over every window; and calls that are to fail. */
#include <algorithm>

#include "tensors.h"

struct shape {
  int space, n, c, in[3], window[3], pad[3], stride[3], more; /* more outputs than are told, in the last dimension */
  int told(int i) const { return (in[i] + 2 * pad[i] - window[i]) / stride[i] + 1; }
  int out(int i) const { return told(i) + (i == 2 ? more : 0); }
};
static const shape shapes[] = {
    {2, 2, 3, {1, 7, 9}, {1, 2, 2}, {0, 0, 0}, {1, 2, 2}},    {2, 1, 5, {1, 9, 8}, {1, 3, 3}, {0, 1, 1}, {1, 2, 1}},
    {3, 2, 2, {5, 6, 4}, {2, 3, 2}, {1, 1, 0}, {2, 2, 1}},    {2, 3, 64, {1, 12, 12}, {1, 3, 2}, {0, 2, 1}, {1, 1, 2}},
    {1, 2, 4, {1, 1, 20}, {1, 1, 4}, {0, 0, 2}, {1, 1, 3}},   {2, 1, 3, {1, 5, 5}, {1, 5, 5}, {0, 0, 0}, {1, 1, 1}},
    {2, 2, 3, {1, 8, 8}, {1, 3, 3}, {0, 1, 0}, {1, 2, 2}, 1},
};

/* Numbers of a window that lie in x, by their indices in it. */
static std::vector<size_t> window(const shape &s, size_t plane, int d, int h, int w) {
  std::vector<size_t> found;
  for (int i = 0; i < s.window[0] * s.window[1] * s.window[2]; i++) {
    const int z = d * s.stride[0] - s.pad[0] + i / s.window[2] / s.window[1],
              y = h * s.stride[1] - s.pad[1] + i / s.window[2] % s.window[1],
              x = w * s.stride[2] - s.pad[2] + i % s.window[2];
    if (z >= 0 && z < s.in[0] && y >= 0 && y < s.in[1] && x >= 0 && x < s.in[2])
      found.push_back(((plane * (size_t)s.in[0] + (size_t)z) * (size_t)s.in[1] + (size_t)y) * (size_t)s.in[2] +
                      (size_t)x);
  }
  return found;
}

template <class T> static void pools(const shape &s, int mode, int layout, double alpha, double beta) {
  std::vector<int> in = {s.n, s.c}, out = {s.n, s.c}, found(5);
  for (int i = 3 - s.space; i < 3; i++)
    in.push_back(s.in[i]), out.push_back(s.out(i));
  tensor<T> x(in, layout), y(out, (layout + mode) % LAYOUTS), dy(out, layout), dx(in, (layout + mode) % LAYOUTS);
  const tensor<T> y0(y), dx0(dx);
  cudnnPoolingDescriptor_t pooling;
  GOOD(cudnnCreatePoolingDescriptor(&pooling));
  const int at = 3 - s.space;
  GOOD(cudnnSetPoolingNdDescriptor(pooling, (cudnnPoolingMode_t)mode, CUDNN_PROPAGATE_NAN, s.space, s.window + at,
                                   s.pad + at, s.stride + at));
  GOOD(cudnnGetPoolingNdForwardOutputDim(pooling, x.as, (int)in.size(), found.data()));
  CHECK(std::equal(out.begin(), out.end() - 1, found.begin()) && found[out.size() - 1] == s.told(2));
  numbers expected(y.count), back(x.count);
  for (size_t i = 0; i < y.count; i++) {
    const int w = (int)i % s.out(2), h = (int)i / s.out(2) % s.out(1), d = (int)i / s.out(2) / s.out(1) % s.out(0);
    const auto numbers = window(s, i / (size_t)(s.out(0) * s.out(1) * s.out(2)), d, h, w);
    const bool is_max = mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
    const double share = mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? s.window[0] * s.window[1] * s.window[2]
                                                                             : (double)numbers.size();
    size_t best = numbers[0];
    for (size_t j : numbers) {
      best = x[j] > x[best] ? j : best;
      if (!is_max) {
        expected[i] += x[j] / share;
        back[j] += dy[i] / share;
      }
    }
    if (is_max) {
      expected[i] = x[best];
      back[best] += dy[i];
    }
  }
  const scalars<T> by(alpha, beta);
  GOOD(cudnnPoolingForward(handle, pooling, &by.alpha, x.as, x, &by.beta, y.as, y));
  GOOD(cudnnPoolingBackward(handle, pooling, &by.alpha, y.as, y, dy.as, dy, x.as, x, &by.beta, dx.as, dx));
  cudaDeviceSynchronize();
  compare("pooling", y, y0, expected, alpha, beta, 2);
  compare("pooling back", dx, dx0, back, alpha, beta, 6);
  cudnnDestroyPoolingDescriptor(pooling);
}

template <class T> static void neighbours(const std::vector<int> &dims, int layout, unsigned n) {
  tensor<T> x(dims, layout), y(dims, layout), dy(dims, layout), dx(dims, layout);
  const tensor<T> y0(y), dx0(dx);
  const double a = 0.5, b = 0.75, k = 2;
  cudnnLRNDescriptor_t lrn;
  GOOD(cudnnCreateLRNDescriptor(&lrn));
  BAD(cudnnSetLRNDescriptor(lrn, 17, a, b, k));
  BAD(cudnnSetLRNDescriptor(lrn, n, a, b, 0));
  GOOD(cudnnSetLRNDescriptor(lrn, n, a, b, k));
  const int channels = dims[1], before = ((int)n - 1) / 2, after = (int)n - 1 - before;
  const size_t step = x.count / (size_t)dims[0] / (size_t)channels;
  numbers expected(x.count), back(x.count);
  for (size_t i = 0; i < x.count; i++) {
    const int c = (int)(i / step) % channels;
    double sum = 0;
    for (int j = std::max(0, c - before); j <= std::min(channels - 1, c + after); j++)
      sum += std::pow(x[i + (size_t)(j - c) * step], 2);
    const double scale = k + a / n * sum;
    expected[i] = x[i] * std::pow(scale, -b);
    back[i] += dy[i] * std::pow(scale, -b);
    for (int j = std::max(0, c - before); j <= std::min(channels - 1, c + after); j++)
      back[i + (size_t)(j - c) * step] +=
          dy[i] * x[i] * -b * std::pow(scale, -b - 1) * a / n * 2 * x[i + (size_t)(j - c) * step];
  }
  const scalars<T> by(0.5, -2);
  GOOD(cudnnLRNCrossChannelForward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &by.alpha, x.as, x, &by.beta, y.as, y));
  GOOD(cudnnLRNCrossChannelBackward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &by.alpha, y.as, y, dy.as, dy, x.as, x,
                                    &by.beta, dx.as, dx));
  cudaDeviceSynchronize();
  compare("lrn", y, y0, expected, 0.5, -2, 2);
  compare("lrn back", dx, dx0, back, 0.5, -2, 2);
  cudnnDestroyLRNDescriptor(lrn);
}

static void refusals() {
  tensor<float> x({2, 3, 6, 6}), y({2, 3, 3, 3});
  const tensor<float> y0(y);
  const float one = 1, zero = 0;
  cudnnPoolingDescriptor_t pooling;
  cudnnPoolingMode_t mode;
  cudnnNanPropagation_t nan;
  int n, c, h, w, a[6];
  cudnnCreatePoolingDescriptor(&pooling);
  BAD(cudnnPoolingForward(handle, pooling, &one, x.as, x, &zero, y.as, y)); /* not set */
  BAD(cudnnSetPooling2dDescriptor(pooling, (cudnnPoolingMode_t)4, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  BAD(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 0, 2, 0, 0, 2, 2));
  BAD(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 0));
  GOOD(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 3, 0, 1, 2, 1));
  GOOD(cudnnGetPooling2dDescriptor(pooling, &mode, &nan, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5]));
  CHECK(mode == CUDNN_POOLING_MAX && a[0] == 2 && a[1] == 3 && a[2] == 0 && a[3] == 1 && a[4] == 2 && a[5] == 1);
  GOOD(cudnnGetPooling2dForwardOutputDim(pooling, x.as, &n, &c, &h, &w));
  CHECK(n == 2 && c == 3 && h == 3 && w == 6);
  BAD(cudnnPoolingForward(handle, pooling, &one, x.as, x, &zero, y.as, y));
  GOOD(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  BAD(cudnnPoolingForward(handle, pooling, &one, x.as, nullptr, &zero, y.as, y));
  BAD(cudnnPoolingForward(handle, pooling, nullptr, x.as, x, &zero, y.as, y));
  BAD(cudnnPoolingBackward(handle, pooling, &one, y.as, y, x.as, x, x.as, x, &zero, x.as, y));
  GOOD(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 2, 2, 4, 4));
  NOT_SUPPORTED(cudnnPoolingForward(handle, pooling, &one, x.as, x, &zero, y.as, y));
  cudaDeviceSynchronize();
  compare("refused", y, y0, y0.all());
  cudnnDestroyPoolingDescriptor(pooling);
}

template <class T> static void sweep() {
  int turn = 0;
  for (const shape &s : shapes)
    for (int mode = 0; mode < 4; mode++)
      for (int layout = 0; layout < LAYOUTS; layout++, turn++)
        pools<T>(s, mode, layout, turn % 2 ? 0.5 : 1, turn % 2 ? -2 : 0);
  for (unsigned n : {1u, 4u, 5u, 16u})
    for (int layout = 0; layout < LAYOUTS; layout++) {
      neighbours<T>({2, 9, 3, 4}, layout, n);
      neighbours<T>({3, 40, 5, 6, 2}, layout, n);
    }
}

int main() {
  GOOD(cudnnCreate(&handle));
  sweep<float>();
  sweep<double>();
  sweep<__half>();
#if CUDNN_MAJOR >= 8
  sweep<__nv_bfloat16>();
#endif
  refusals();
  cudnnDestroy(handle);
  return report("pooling");
}
