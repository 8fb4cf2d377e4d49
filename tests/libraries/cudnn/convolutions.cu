/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: convolutions against loops over every number, over shapes, layouts, types, algorithms and scalars. A sample of them, or all with
 * UW_CUDNN_ALL in the environment (make check-cudnn); and calls that are to fail and write nothing. */
#include <cudnn.h>

#include <cstring>

#include "../check.h"

#define GOOD(call) CHECK((call) == CUDNN_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUDNN_STATUS_BAD_PARAM)
#define NOT_SUPPORTED(call) CHECK((call) == CUDNN_STATUS_NOT_SUPPORTED)

template <class T> constexpr cudnnDataType_t type_of = CUDNN_DATA_FLOAT;
template <> constexpr cudnnDataType_t type_of<double> = CUDNN_DATA_DOUBLE;
template <> constexpr cudnnDataType_t type_of<__half> = CUDNN_DATA_HALF;
template <> constexpr cudnnDataType_t type_of<signed char> = CUDNN_DATA_INT8;
template <> constexpr cudnnDataType_t type_of<unsigned char> = CUDNN_DATA_UINT8;
template <> constexpr cudnnDataType_t type_of<int> = CUDNN_DATA_INT32;
#if CUDNN_MAJOR >= 8
template <> constexpr cudnnDataType_t type_of<__nv_bfloat16> = CUDNN_DATA_BFLOAT16;
#endif

static cudnnHandle_t handle;

/* Dimensions are n, c and three of space, of which `space` are told. */
struct shape {
  int space, n, c, k, groups, in[3], kernel[3], pad[3], stride[3], dilation[3];
};
static const shape shapes[] = {
    {2, 2, 4, 6, 1, {1, 7, 9}, {1, 3, 3}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 2, 16, 32, 1, {1, 8, 8}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}},
    {2, 3, 8, 12, 4, {1, 11, 6}, {1, 3, 2}, {0, 2, 0}, {1, 2, 3}, {1, 2, 1}},
    {3, 2, 3, 5, 1, {5, 6, 7}, {2, 3, 3}, {1, 0, 2}, {2, 1, 2}, {1, 1, 2}},
    {2, 1, 32, 32, 32, {1, 9, 9}, {1, 3, 3}, {0, 1, 1}, {1, 2, 2}, {1, 1, 1}},
    {1, 3, 5, 7, 1, {1, 1, 30}, {1, 1, 5}, {0, 0, 3}, {1, 1, 2}, {1, 1, 3}},
    {2, 1, 3, 16, 1, {1, 20, 20}, {1, 7, 7}, {0, 3, 3}, {1, 2, 2}, {1, 1, 1}},
    {2, 2, 1, 1, 1, {1, 3, 3}, {1, 3, 3}, {0, 4, 4}, {1, 1, 1}, {1, 1, 1}},
    {2, 1, 64, 48, 1, {1, 5, 5}, {1, 3, 3}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {3, 1, 16, 16, 2, {4, 4, 4}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 2, 32, 16, 1, {1, 6, 7}, {1, 1, 1}, {0, 0, 0}, {1, 2, 2}, {1, 1, 1}},
    {2, 1, 20, 30, 5, {1, 8, 12}, {1, 2, 5}, {0, 1, 2}, {1, 1, 1}, {1, 3, 1}},
};
static int output(const shape &s, int i) {
  return (s.in[i] + 2 * s.pad[i] - (s.kernel[i] - 1) * s.dilation[i] - 1) / s.stride[i] + 1;
}

enum { NCHW, NHWC, HOLES, VECTORS, LAYOUTS };

/* A tensor or filter in memory. */
struct place {
  int rank, vector = 1, dims[5], strides[5];
  size_t reach = 0;
  place(const shape &s, int layout, int a, int b, const int *space, int vector = 1) : vector(vector) {
    rank = s.space + 2;
    dims[0] = a, dims[1] = b;
    for (int i = 0; i < s.space; i++)
      dims[2 + i] = space[3 - s.space + i];
    int step = layout == NHWC ? b : 1;
    strides[1] = 1;
    for (int i = rank; i-- > 0;)
      if (i != 1 || layout != NHWC) {
        strides[i] = step;
        step = step * (i == 1 ? dims[i] / vector : dims[i]) + (layout == HOLES ? 3 : 0);
      }
    for (int i = 0; i < rank; i++)
      reach += (size_t)(dims[i] - 1) * strides[i];
    reach = (reach + 1) * vector;
  }
  size_t at(int a, int b, int d, int h, int w) const {
    const int space[] = {d, h, w};
    size_t at = (size_t)a * strides[0] + (size_t)(b / vector) * strides[1];
    for (int i = 2; i < rank; i++)
      at += (size_t)space[3 - (rank - 2) + i - 2] * strides[i];
    return at * vector + b % vector;
  }
};

/* For every product: numbers of x, w and y. */
template <class F> static void each(const shape &s, bool turned, F f) {
  const int o[] = {output(s, 0), output(s, 1), output(s, 2)}, *k = s.kernel;
  const int cs = s.c / s.groups, ks = s.k / s.groups;
  for (int n = 0; n < s.n; n++)
    for (int kk = 0; kk < s.k; kk++)
      for (int i = 0; i < o[0] * o[1] * o[2]; i++)
        for (int c = 0; c < cs; c++)
          for (int t = 0; t < k[0] * k[1] * k[2]; t++) {
            const int y[] = {i / o[2] / o[1], i / o[2] % o[1], i % o[2]};
            const int tap[] = {t / k[2] / k[1], t / k[2] % k[1], t % k[2]};
            int x[3], w[3];
            bool is_in = true;
            for (int a = 0; a < 3; a++) {
              x[a] = y[a] * s.stride[a] - s.pad[a] + tap[a] * s.dilation[a];
              w[a] = turned ? k[a] - 1 - tap[a] : tap[a];
              is_in = is_in && x[a] >= 0 && x[a] < s.in[a];
            }
            if (is_in)
              f(n, kk / ks * cs + c, x, kk, c, w, y);
          }
}

template <class T> static void randomize(device<T> &of) {
  if (sizeof(T) == 1)
    for (size_t i = 0; i < of.count; i++)
      of[i] = make<T>(std::is_signed<T>::value ? next_number() * 100 : next_number() * 100 + 100);
}

struct descriptors {
  cudnnTensorDescriptor_t x, y;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t convolution;
  descriptors() {
    GOOD(cudnnCreateTensorDescriptor(&x));
    GOOD(cudnnCreateTensorDescriptor(&y));
    GOOD(cudnnCreateFilterDescriptor(&w));
    GOOD(cudnnCreateConvolutionDescriptor(&convolution));
  }
  ~descriptors() {
    cudnnDestroyTensorDescriptor(x);
    cudnnDestroyTensorDescriptor(y);
    cudnnDestroyFilterDescriptor(w);
    cudnnDestroyConvolutionDescriptor(convolution);
  }
};

static void describe(descriptors &d, const shape &s, const place &x, const place &w, const place &y,
                     cudnnDataType_t type, cudnnDataType_t w_type, cudnnDataType_t y_type, cudnnDataType_t compute,
                     int w_layout, bool turned) {
  GOOD(cudnnSetTensorNdDescriptor(d.x, type, x.rank, x.dims, x.strides));
  GOOD(cudnnSetTensorNdDescriptor(d.y, y_type, y.rank, y.dims, y.strides));
  GOOD(cudnnSetFilterNdDescriptor(d.w, w_type, (cudnnTensorFormat_t)w_layout, w.rank, w.dims));
  const int at = 3 - s.space;
  GOOD(cudnnSetConvolutionNdDescriptor(d.convolution, s.space, s.pad + at, s.stride + at, s.dilation + at,
                                       turned ? CUDNN_CONVOLUTION : CUDNN_CROSS_CORRELATION, compute));
  GOOD(cudnnSetConvolutionGroupCount(d.convolution, s.groups));
  int found[5];
  GOOD(cudnnGetConvolutionNdForwardOutputDim(d.convolution, d.x, d.w, 5, found));
  CHECK(!memcmp(found, y.dims, (size_t)y.rank * sizeof *found));
}

/* The numbers of the result are alpha * sum + beta * before; all others are as before. */
template <class R>
static void compare(const char *pass, const device<R> &found, const device<R> &before, const std::vector<number> &sums,
                    const std::vector<char> &is_in, number alpha, number beta) {
  int differ = 0;
  for (size_t i = 0; i < found.count; i++) {
    number expected = is_in[i] ? alpha * sums[i] + (beta == 0. ? 0. : beta * value(before[i])) : value(before[i]);
    if (sizeof(R) == 1 && is_in[i])
      expected = std::nearbyint(std::min(127., std::max(-128., expected.real())));
    differ += !near(found[i], expected, 2) || (!is_in[i] && value(found[i]) != value(before[i]));
  }
  if (differ)
    printf("%s: %d of %zu differ\n", pass, differ, found.count);
  CHECK(!differ);
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

template <class T>
static void passes(const shape &s, int layout, int w_layout, bool turned, int algorithm, double alpha, double beta) {
  const int outputs[] = {output(s, 0), output(s, 1), output(s, 2)};
  const place px(s, layout, s.n, s.c, s.in), pw(s, w_layout, s.k, s.c / s.groups, s.kernel),
      py(s, layout, s.n, s.k, outputs);
  descriptors d;
  describe(d, s, px, pw, py, type_of<T>, type_of<T>, type_of<T>,
           type_of<T> == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT, w_layout, turned);
  device<T> x(px.reach), w(pw.reach), y(py.reach), dx(x), dw(w), dy(y);
  const device<T> x0(x), w0(w), y0(y);
  std::vector<number> sx(px.reach), sw(pw.reach), sy(py.reach);
  std::vector<char> ix(px.reach), iw(pw.reach), iy(py.reach);
  each(s, turned, [&](int n, int c, const int *at_x, int k, int cw, const int *at_w, const int *at_y) {
    const size_t i = px.at(n, c, at_x[0], at_x[1], at_x[2]), j = pw.at(k, cw, at_w[0], at_w[1], at_w[2]),
                 o = py.at(n, k, at_y[0], at_y[1], at_y[2]);
    sy[o] += value(x0[i]) * value(w0[j]);
    sx[i] += value(y0[o]) * value(w0[j]);
    sw[j] += value(y0[o]) * value(x0[i]);
  });
  auto mark = [](std::vector<char> &in, const place &p, const int *space) {
    for (int a = 0; a < p.dims[0]; a++)
      for (int b = 0; b < p.dims[1]; b++)
        for (int i = 0; i < space[0] * space[1] * space[2]; i++)
          in[p.at(a, b, i / space[2] / space[1], i / space[2] % space[1], i % space[2])] = 1;
  };
  mark(ix, px, s.in), mark(iw, pw, s.kernel), mark(iy, py, outputs);
  const float alpha_f = (float)alpha, beta_f = (float)beta;
  const void *a = type_of<T> == CUDNN_DATA_DOUBLE ? (const void *)&alpha : &alpha_f,
             *b = type_of<T> == CUDNN_DATA_DOUBLE ? (const void *)&beta : &beta_f;
  size_t bytes[3] = {};
  const auto fwd = (cudnnConvolutionFwdAlgo_t)algorithm;
  const auto data = (cudnnConvolutionBwdDataAlgo_t)(algorithm % CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT);
  const auto filter = (cudnnConvolutionBwdFilterAlgo_t)(algorithm % CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT);
  GOOD(cudnnGetConvolutionForwardWorkspaceSize(handle, d.x, d.w, d.convolution, d.y, fwd, &bytes[0]));
  GOOD(cudnnGetConvolutionBackwardDataWorkspaceSize(handle, d.w, d.y, d.convolution, d.x, data, &bytes[1]));
  GOOD(cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, d.x, d.y, d.convolution, d.w, filter, &bytes[2]));
  device<unsigned char> work(largest(bytes[0], largest(bytes[1], bytes[2])));
  GOOD(cudnnConvolutionForward(handle, a, d.x, x, d.w, w, d.convolution, fwd, work, bytes[0], b, d.y, y));
  GOOD(cudnnConvolutionBackwardData(handle, a, d.w, w, d.y, dy, d.convolution, data, work, bytes[1], b, d.x, dx));
  GOOD(cudnnConvolutionBackwardFilter(handle, a, d.x, x, d.y, dy, d.convolution, filter, work, bytes[2], b, d.w, dw));
  cudaDeviceSynchronize();
  compare("forward", y, y0, sy, iy, alpha, beta);
  compare("data", dx, x0, sx, ix, alpha, beta);
  compare("filter", dw, w0, sw, iw, alpha, beta);

  /* The bias's gradient, and the fused form. */
  cudnnTensorDescriptor_t bias;
  cudnnActivationDescriptor_t activation;
  cudnnCreateTensorDescriptor(&bias);
  cudnnCreateActivationDescriptor(&activation);
  const int dims[] = {1, s.k, 1, 1, 1}, strides[] = {s.k, 1, 1, 1, 1};
  GOOD(cudnnSetTensorNdDescriptor(bias, type_of<T>, py.rank, dims, strides));
  GOOD(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  device<T> db((size_t)s.k), fused(y0);
  const device<T> db0(db);
  std::vector<number> sums((size_t)s.k);
  GOOD(cudnnConvolutionBiasActivationForward(handle, a, d.x, x, d.w, w, d.convolution, fwd, work, bytes[0], b, d.y,
                                             fused, bias, db, activation, d.y, fused));
  GOOD(cudnnConvolutionBackwardBias(handle, a, d.y, dy, b, bias, db));
  cudaDeviceSynchronize();
  int differ = 0;
  for (int n = 0; n < s.n; n++)
    for (int k = 0; k < s.k; k++)
      for (int i = 0; i < outputs[0] * outputs[1] * outputs[2]; i++) {
        const size_t at = py.at(n, k, i / outputs[2] / outputs[1], i / outputs[2] % outputs[1], i % outputs[2]);
        sums[(size_t)k] += value(y0[at]);
        const double sum = alpha * sy[at].real() + beta * value(y0[at]).real() + value(db0[(size_t)k]).real();
        differ += !near(fused[at], number(std::max(0., sum)), 2);
      }
  CHECK(!differ);
  compare("bias", db, db0, sums, std::vector<char>((size_t)s.k, 1), alpha, beta);
  cudnnDestroyTensorDescriptor(bias);
  cudnnDestroyActivationDescriptor(activation);
}

/* Bytes: exactly, in vectors too. */
template <class X, class Y>
static void bytes_of(const shape &s, int layout, int algorithm, cudnnDataType_t x_type, cudnnDataType_t w_type,
                     cudnnDataType_t y_type, double alpha) {
  const int vector = layout == VECTORS ? 4 : 1, outputs[] = {output(s, 0), output(s, 1), output(s, 2)};
  if (s.c / s.groups % vector || s.k % vector)
    return;
  const place px(s, layout, s.n, s.c, s.in, vector), pw(s, layout, s.k, s.c / s.groups, s.kernel, vector);
  const int y_vector = y_type == CUDNN_DATA_INT8x4 ? 4 : 1;
  const place py(s, y_vector == 1 && layout == VECTORS ? NCHW : layout, s.n, s.k, outputs, y_vector);
  descriptors d;
  describe(d, s, px, pw, py, x_type, w_type, y_type, CUDNN_DATA_INT32, layout == VECTORS ? 2 : layout, false);
  device<X> x(px.reach);
  device<signed char> w(pw.reach);
  device<Y> y(py.reach);
  randomize(x), randomize(w);
  const device<Y> y0(y);
  std::vector<number> sums(py.reach);
  std::vector<char> in(py.reach);
  for (int n = 0; n < s.n; n++)
    for (int k = 0; k < s.k; k++)
      for (int i = 0; i < outputs[0] * outputs[1] * outputs[2]; i++)
        in[py.at(n, k, i / outputs[2] / outputs[1], i / outputs[2] % outputs[1], i % outputs[2])] = 1;
  each(s, false, [&](int n, int c, const int *at_x, int k, int cw, const int *at_w, const int *at_y) {
    sums[py.at(n, k, at_y[0], at_y[1], at_y[2])] +=
        value(x[px.at(n, c, at_x[0], at_x[1], at_x[2])]) * value(w[pw.at(k, cw, at_w[0], at_w[1], at_w[2])]);
  });
  size_t bytes = 0;
  const auto fwd = (cudnnConvolutionFwdAlgo_t)algorithm;
  const float a = (float)alpha, zero = 0;
  GOOD(cudnnGetConvolutionForwardWorkspaceSize(handle, d.x, d.w, d.convolution, d.y, fwd, &bytes));
  device<unsigned char> work(bytes);
  GOOD(cudnnConvolutionForward(handle, &a, d.x, x, d.w, w, d.convolution, fwd, work, bytes, &zero, d.y, y));
  cudaDeviceSynchronize();
  compare("bytes", y, y0, sums, in, alpha, 0);
}

static void searches() {
  const shape &s = shapes[0];
  const int outputs[] = {1, output(s, 1), output(s, 2)};
  const place px(s, NCHW, s.n, s.c, s.in), pw(s, NCHW, s.k, s.c, s.kernel), py(s, NCHW, s.n, s.k, outputs);
  descriptors d;
  describe(d, s, px, pw, py, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, 0, false);
  device<float> x(px.reach), w(pw.reach), y(py.reach);
  device<unsigned char> work(1 << 20);
  cudnnConvolutionFwdAlgoPerf_t found[8];
  cudnnConvolutionBwdDataAlgoPerf_t data[8];
  cudnnConvolutionBwdFilterAlgoPerf_t filter[8];
  int count = 0, most = 0;
  size_t bytes = 0;
  (void)bytes;
  GOOD(cudnnGetConvolutionForwardAlgorithmMaxCount(handle, &most));
  CHECK(most == CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
  GOOD(cudnnGetConvolutionForwardAlgorithm_v7(handle, d.x, d.w, d.convolution, d.y, 8, &count, found));
  CHECK(count >= 1 && found[0].status == CUDNN_STATUS_SUCCESS);
  GOOD(cudnnFindConvolutionForwardAlgorithm(handle, d.x, d.w, d.convolution, d.y, 8, &count, found));
  CHECK(count == 2 && found[0].time > 0 && found[0].time <= found[1].time);
  GOOD(cudnnFindConvolutionForwardAlgorithmEx(handle, d.x, x, d.w, w, d.convolution, d.y, y, 1, &count, found, work,
                                              work.count));
  CHECK(count == 1 && found[0].time > 0);
  GOOD(cudnnFindConvolutionForwardAlgorithmEx(handle, d.x, x, d.w, w, d.convolution, d.y, y, 8, &count, found, nullptr,
                                              0));
  CHECK(count == 1 && found[0].memory == 0);
  GOOD(cudnnFindConvolutionBackwardDataAlgorithm(handle, d.w, d.y, d.convolution, d.x, 8, &count, data));
  CHECK(count == 2 && data[0].time <= data[1].time);
  GOOD(cudnnFindConvolutionBackwardFilterAlgorithm(handle, d.x, d.y, d.convolution, d.w, 8, &count, filter));
  CHECK(count == 2 && filter[0].time <= filter[1].time);
#if CUDNN_MAJOR == 7
  cudnnConvolutionFwdAlgo_t chosen;
  GOOD(cudnnGetConvolutionForwardAlgorithm(handle, d.x, d.w, d.convolution, d.y,
                                           CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, 0, &chosen));
  GOOD(cudnnGetConvolutionForwardWorkspaceSize(handle, d.x, d.w, d.convolution, d.y, chosen, &bytes));
  CHECK(bytes == 0);
#endif
  BAD(cudnnFindConvolutionForwardAlgorithm(handle, d.x, d.w, d.convolution, d.y, 0, &count, found));
}

/* Nothing is written by a call that fails. */
static void refusals() {
  const shape &s = shapes[0];
  const int outputs[] = {1, output(s, 1), output(s, 2)};
  const place px(s, NCHW, s.n, s.c, s.in), pw(s, NCHW, s.k, s.c, s.kernel), py(s, NCHW, s.n, s.k, outputs);
  descriptors d;
  describe(d, s, px, pw, py, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, 0, false);
  device<float> x(px.reach), w(pw.reach), y(py.reach);
  const device<float> y0(y);
  const float one = 1, zero = 0;
  const auto gemm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM, implicit = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  size_t bytes = 0;
  GOOD(cudnnGetConvolutionForwardWorkspaceSize(handle, d.x, d.w, d.convolution, d.y, gemm, &bytes));
  device<unsigned char> work(bytes);
#define FORWARD(from, filter, to, algorithm, space, bytes, a)                                                          \
  cudnnConvolutionForward(handle, a, d.x, from, d.w, filter, d.convolution, algorithm, space, bytes, &zero, d.y, to)
  BAD(FORWARD(nullptr, w, y, implicit, nullptr, 0, &one));
  BAD(FORWARD(x, nullptr, y, implicit, nullptr, 0, &one));
  BAD(FORWARD(x, w, nullptr, implicit, nullptr, 0, &one));
  BAD(FORWARD(x, w, y, implicit, nullptr, 0, nullptr));
  BAD(FORWARD(x, w, y, gemm, work, bytes - 1, &one));
  BAD(FORWARD(x, w, y, gemm, nullptr, bytes, &one));
  BAD(FORWARD(x, w, y, (cudnnConvolutionFwdAlgo_t)-1, work, bytes, &one));
  BAD(FORWARD(x, w, y, CUDNN_CONVOLUTION_FWD_ALGO_COUNT, work, bytes, &one));
  BAD(cudnnConvolutionForward(handle, &one, d.y, x, d.w, w, d.convolution, implicit, nullptr, 0, &zero, d.x, y));
  BAD(cudnnConvolutionForward(nullptr, &one, d.x, x, d.w, w, d.convolution, implicit, nullptr, 0, &zero, d.y, y));
  BAD(cudnnConvolutionForward(handle, &one, d.x, x, nullptr, w, d.convolution, implicit, nullptr, 0, &zero, d.y, y));
  GOOD(cudnnSetTensorNdDescriptor(d.x, CUDNN_DATA_HALF, px.rank, px.dims, px.strides));
  NOT_SUPPORTED(FORWARD(x, w, y, implicit, nullptr, 0, &one));
  GOOD(cudnnSetTensorNdDescriptor(d.x, CUDNN_DATA_FLOAT, px.rank, px.dims, px.strides));
  const int repeated[] = {0, 0, 0, 0};
  GOOD(cudnnSetTensorNdDescriptor(d.y, CUDNN_DATA_FLOAT, py.rank, py.dims, repeated));
  NOT_SUPPORTED(FORWARD(x, w, y, implicit, nullptr, 0, &one));
  cudaDeviceSynchronize();
  for (size_t i = 0; i < y.count; i++)
    CHECK(y[i] == y0[i]);
}

/* A filter that is written between two calls, in a stream and in a graph. */
static void order() {
  const shape &s = shapes[1];
  const place px(s, NCHW, s.n, s.c, s.in), pw(s, NCHW, s.k, s.c, s.kernel), py(s, NCHW, s.n, s.k, s.in);
  descriptors d;
  describe(d, s, px, pw, py, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, 0, false);
  device<float> x(px.reach), w(pw.reach), y(py.reach), z(py.reach);
  const float one = 1, zero = 0, two = 2;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runs;
  cudnnTensorDescriptor_t filter;
  cudnnCreateTensorDescriptor(&filter);
  GOOD(cudnnSetTensorNdDescriptor(filter, CUDNN_DATA_FLOAT, pw.rank, pw.dims, pw.strides));
  cudaStreamCreate(&stream);
  cudnnSetStream(handle, stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  GOOD(FORWARD(x, w, y, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, nullptr, 0, &one));
  GOOD(cudnnScaleTensor(handle, filter, w, &two));
  GOOD(FORWARD(x, w, z, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, nullptr, 0, &one));
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&runs, graph, 0) == cudaSuccess);
  for (int i = 0; i < 2; i++) {
    CHECK(cudaGraphLaunch(runs, stream) == cudaSuccess);
    cudaStreamSynchronize(stream);
    for (size_t j = 0; j < y.count; j++)
      CHECK(std::abs(z[j] - 2 * y[j]) <= 1e-4f * (1 + std::abs(z[j])));
  }
  cudnnSetStream(handle, nullptr);
  cudaGraphExecDestroy(runs);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudnnDestroyTensorDescriptor(filter);
}

template <class T> static void sweep(bool all) {
  const int algorithms = all ? CUDNN_CONVOLUTION_FWD_ALGO_COUNT : 3, count = sizeof shapes / sizeof *shapes;
  int turn = 0;
  for (int i = 0; i < count; i++)
    for (int layout = 0; layout < VECTORS; layout++)
      for (int w_layout = 0; w_layout <= NHWC; w_layout++)
        for (int algorithm = 0; algorithm < algorithms; algorithm++)
          for (int scalars = 0; scalars < 2; scalars++)
            for (int turned = 0; turned < 2; turned++, turn++)
              if (all || turn % 13 == i % 13)
                passes<T>(shapes[i], layout, w_layout, turned, algorithm, scalars ? 0.5 : 1, scalars ? -1.5 : 0);
}

int main() {
  const bool all = getenv("UW_CUDNN_ALL") != nullptr;
  GOOD(cudnnCreate(&handle));
  sweep<float>(all);
  sweep<double>(all);
  sweep<__half>(all);
#if CUDNN_MAJOR >= 8
  sweep<__nv_bfloat16>(all);
#endif
  for (const shape &s : shapes)
    for (int algorithm = 1; algorithm < 3; algorithm++) {
      for (int layout = NCHW; layout < VECTORS; layout++)
        if (layout != HOLES) {
          bytes_of<signed char, signed char>(s, layout, algorithm, CUDNN_DATA_INT8, CUDNN_DATA_INT8, CUDNN_DATA_INT8,
                                             1.0 / 1024);
          bytes_of<signed char, float>(s, layout, algorithm, CUDNN_DATA_INT8, CUDNN_DATA_INT8, CUDNN_DATA_FLOAT, 1);
          bytes_of<unsigned char, int>(s, layout, algorithm, CUDNN_DATA_UINT8, CUDNN_DATA_INT8, CUDNN_DATA_INT32, 1);
        }
      bytes_of<signed char, signed char>(s, VECTORS, algorithm, CUDNN_DATA_INT8x4, CUDNN_DATA_INT8x4, CUDNN_DATA_INT8x4,
                                         1.0 / 1024);
      bytes_of<signed char, float>(s, VECTORS, algorithm, CUDNN_DATA_INT8x4, CUDNN_DATA_INT8x4, CUDNN_DATA_FLOAT, 1);
    }
  searches();
  refusals();
  order();
  cudnnDestroy(handle);
  return report("convolutions");
}
