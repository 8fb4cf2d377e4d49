/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN's graph API: convolutions, alone and with what follows them, against a plain reference; descriptors' lives and bad input. */
#include "graphs.h"

#include <cmath>

struct shape {
  int n, c, k, groups, in[2], kernel[2], before[2], after[2], stride[2], dilation[2];
};
static const shape shapes[] = {
    {2, 4, 6, 1, {7, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {1, 16, 32, 1, {8, 8}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}},
    {3, 8, 12, 4, {11, 6}, {3, 2}, {2, 0}, {1, 1}, {2, 3}, {2, 1}},
    {2, 3, 8, 1, {10, 10}, {3, 3}, {0, 0}, {1, 1}, {2, 2}, {1, 1}},
};

static std::vector<int> output_of(const shape &s) {
  std::vector<int> y = {s.n, s.k};
  for (int i = 0; i < 2; i++)
    y.push_back((s.in[i] + s.before[i] + s.after[i] - (s.kernel[i] - 1) * s.dilation[i] - 1) / s.stride[i] + 1);
  return y;
}

/* For each product: where the numbers of x, w and y are. */
template <class F> static void each(const shape &s, F f) {
  const std::vector<int> y = output_of(s);
  const int cs = s.c / s.groups, ks = s.k / s.groups;
  for (int n = 0; n < s.n; n++)
    for (int k = 0; k < s.k; k++)
      for (int c = 0; c < cs; c++)
        for (int i = 0; i < y[2] * y[3]; i++)
          for (int t = 0; t < s.kernel[0] * s.kernel[1]; t++) {
            const int a = i / y[3] * s.stride[0] - s.before[0] + t / s.kernel[1] * s.dilation[0];
            const int b = i % y[3] * s.stride[1] - s.before[1] + t % s.kernel[1] * s.dilation[1];
            if (a >= 0 && a < s.in[0] && b >= 0 && b < s.in[1])
              f(((size_t)(n * s.c + k / ks * cs + c) * s.in[0] + a) * s.in[1] + b,
                (size_t)(k * cs + c) * s.kernel[0] * s.kernel[1] + t, (size_t)(n * s.k + k) * y[2] * y[3] + i);
          }
}

static descriptor convolution_of(const shape &s, cudnnDataType_t type) {
  descriptor made = create(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const auto pair = [](const int *of) { return std::vector<int64_t>{of[0], of[1]}; };
  set(made, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, type);
  set(made, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
  set(made, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, (int64_t)2);
  set(made, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, pair(s.before));
  set(made, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, pair(s.after));
  set(made, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, pair(s.stride));
  set(made, CUDNN_ATTR_CONVOLUTION_DILATIONS, pair(s.dilation));
  return finalized(made);
}

enum { X = 1, W, Y, BIAS, SUM, BIASED };

#define CONVOLVE(which, type, x, w, y)                                                                                 \
  static descriptor which(const descriptor &as, const descriptor &of_x, const descriptor &of_w,                        \
                          const descriptor &of_y, float alpha = 1, float beta = 0) {                                   \
    descriptor made = create(CUDNN_BACKEND_OPERATION_CONVOLUTION_##type##_DESCRIPTOR);                                 \
    set(made, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_CONV_DESC, as);                                               \
    set(made, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_##x, of_x);                                                   \
    set(made, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_##w, of_w);                                                   \
    set(made, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_##y, of_y);                                                   \
    set(made, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_ALPHA, alpha);                                                \
    set(made, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_BETA, beta);                                                  \
    return finalized(made);                                                                                            \
  }
CONVOLVE(FORWARD, FORWARD, X, W, Y)
CONVOLVE(BWD_DATA, BACKWARD_DATA, DX, W, DY)
CONVOLVE(BWD_FILTER, BACKWARD_FILTER, X, DW, DY)

template <class T> static void check_convolutions(const shape &s, int layout) {
  tensor<T> x({s.n, s.c, s.in[0], s.in[1]}, layout), w({s.k, s.c / s.groups, s.kernel[0], s.kernel[1]}, layout);
  tensor<T> y(output_of(s), layout);
  const descriptor as = convolution_of(s, CUDNN_DATA_FLOAT), of_x = named(X, x), of_w = named(W, w), of_y = named(Y, y);
  const std::vector<binding> all = {{X, x}, {W, w}, {Y, y}};
  const numbers in = x.all(), filter = w.all();
  numbers expected(y.count);
  each(s, [&](size_t a, size_t b, size_t c) { expected[c] += in[a] * filter[b]; });
  const double size = sqrt((double)(w.count / s.k)), long_size = sqrt((double)(y.count / s.k));
  const tensor<T> before(y);
  run_graph({FORWARD(as, of_x, of_w, of_y, 2, 0.5)}, all);
  compare("forward", y, before, expected, 2, 0.5, size);
  const numbers out = y.all();
  numbers of_data(x.count), of_filter(w.count);
  each(s, [&](size_t a, size_t b, size_t c) {
    of_data[a] += out[c] * filter[b];
    of_filter[b] += in[a] * out[c];
  });
  const tensor<T> x_before(x), w_before(w);
  run_graph({BWD_DATA(as, of_x, of_w, of_y)}, all);
  compare("data", x, x_before, of_data, 1, 0, size * 8);
  for (size_t i = 0; i < x.memory.count; i++)
    x.memory[i] = x_before.memory[i];
  run_graph({BWD_FILTER(as, of_x, of_w, of_y)}, all);
  compare("filter", w, w_before, of_filter, 1, 0, long_size * 8);
}

/* relu(x * w + bias), by virtual tensors, which are floats; the operations are told in the wrong order. */
template <class T> static void check_fused(const shape &s, int layout) {
  tensor<T> x({s.n, s.c, s.in[0], s.in[1]}, layout), w({s.k, s.c / s.groups, s.kernel[0], s.kernel[1]}, layout);
  tensor<T> y(output_of(s), layout), bias({1, s.k, 1, 1});
  const descriptor sum = virtual_like(SUM, y), biased = virtual_like(BIASED, y);
  const numbers in = x.all(), filter = w.all();
  numbers expected(y.count);
  each(s, [&](size_t a, size_t b, size_t c) { expected[c] += in[a] * filter[b]; });
  for (size_t i = 0; i < y.count; i++)
    expected[i] = std::max(0.0, expected[i] + bias[i / (y.count / s.n / s.k) % s.k]);
  const tensor<T> before(y);
  run_graph({apply(finalized(pointwise(CUDNN_POINTWISE_RELU_FWD)), biased, nullptr, named(Y, y)),
             apply(finalized(pointwise(CUDNN_POINTWISE_ADD)), sum, named(BIAS, bias), biased),
             FORWARD(convolution_of(s, CUDNN_DATA_FLOAT), named(X, x), named(W, w), sum)},
            {{X, x}, {W, w}, {Y, y}, {BIAS, bias}});
  compare("fused", y, before, expected, 1, 0, sqrt((double)(w.count / s.k)));
}

/* --- bad input -------------------------------------------------------------------------------------------------------- */

static void check_descriptors() {
  cudnnBackendDescriptor_t none = nullptr;
  BAD(cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, nullptr));
  NOT_SUPPORTED(cudnnBackendCreateDescriptor(CUDNN_BACKEND_OPERATION_SIGNAL_DESCRIPTOR, &none));
  BAD(cudnnBackendDestroyDescriptor(nullptr));
  descriptor made = create(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  BAD(cudnnBackendFinalize(made.get()));
  const int64_t number = 1, three[] = {2, 3, 4};
  const float real = 1;
  BAD(set_all(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_FLOAT, 1, &real));
  BAD(set_all(made, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &number));
  BAD(set_all(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, nullptr));
  int64_t count = 0;
  CHECK(cudnnBackendGetAttribute(made.get(), CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &count, &count) !=
        CUDNN_STATUS_SUCCESS);
  set(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT);
  set(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, number);
  set(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, number);
  GOOD(set_all(made, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 3, three));
  GOOD(set_all(made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 2, three));
  BAD(cudnnBackendFinalize(made.get()));
  GOOD(set_all(made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 3, three));
  GOOD(cudnnBackendFinalize(made.get()));
  CHECK(set_all(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &number) == CUDNN_STATUS_NOT_INITIALIZED);
  int64_t found[3] = {};
  GOOD(cudnnBackendGetAttribute(made.get(), CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 2, &count, found));
  CHECK(count == 3 && found[0] == 2 && found[1] == 3 && found[2] == 0);
  GOOD(cudnnBackendInitialize(made.get()));
  BAD(cudnnBackendFinalize(made.get()));
}

static void check_graphs() {
  tensor<float> x({2, 3}), y({2, 3}), wide({2, 4});
  const descriptor of_x = named(X, x), of_y = named(Y, y), unwritten = virtual_like(SUM, x);
  const descriptor negate = finalized(pointwise(CUDNN_POINTWISE_NEG));
  descriptor bad = create(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  set(bad, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, negate);
  set(bad, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, of_x);
  BAD(cudnnBackendFinalize(bad.get()));
  set(bad, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, named(W, wide));
  BAD(cudnnBackendFinalize(bad.get()));
  BAD(cudnnBackendFinalize(graph_of({apply(negate, unwritten, nullptr, of_y)}).get()));
  BAD(cudnnBackendFinalize(graph_of({apply(negate, of_x, nullptr, of_y), apply(negate, of_y, nullptr, of_x)}).get()));
  BAD(cudnnBackendFinalize(graph_of({apply(negate, of_x, nullptr, of_y), apply(negate, of_x, nullptr, of_y)}).get()));
  /* What is not computed has no plan. */
  const descriptor whole = named(X, CUDNN_DATA_INT64, x.dims, x.strides);
  CHECK(!plan_of(finalized(graph_of({apply(negate, whole, nullptr, of_y)}))));
  /* A tensor without a place. */
  const descriptor plan = plan_of(finalized(graph_of({apply(negate, of_x, nullptr, of_y)})));
  BAD(cudnnBackendExecute(handle, plan.get(), pack_of({{X, x}}, nullptr).get()));
  GOOD(cudnnBackendExecute(handle, plan.get(), pack_of({{X, x}, {Y, y}}, nullptr).get()));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(y[4] == -x[4]);
  BAD(cudnnBackendExecute(handle, of_x.get(), plan.get()));
  descriptor engine = create(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  set(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, finalized(graph_of({apply(negate, of_x, nullptr, of_y)})));
  set(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, (int64_t)1);
  BAD(cudnnBackendFinalize(engine.get()));
  set(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, (int64_t)0);
  finalized(engine);
  int64_t count = -1;
  GOOD(cudnnBackendGetAttribute(engine.get(), CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, 0, &count,
                                nullptr));
  CHECK(count == 0);
}

/* A plan that is captured runs again with the graph, after its descriptors are gone. */
static void check_capture() {
  tensor<float> x({3, 5}), y({3, 5});
  descriptor plan = plan_of(finalized(
      graph_of({apply(finalized(pointwise(CUDNN_POINTWISE_ADD)), named(X, x), named(X, x), virtual_like(SUM, x)),
                apply(finalized(pointwise(CUDNN_POINTWISE_NEG)), virtual_like(SUM, x), nullptr, named(Y, y))})));
  device<float> workspace((size_t)workspace_of(plan));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamCreate(&stream);
  GOOD(cudnnSetStream(handle, stream));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  GOOD(cudnnBackendExecute(handle, plan.get(), pack_of({{X, x}, {Y, y}}, workspace.at).get()));
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, nullptr, nullptr, 0);
  plan.reset();
  x.memory[7] = 21;
  cudaGraphLaunch(instance, stream);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(y[7] == -42);
  GOOD(cudnnSetStream(handle, nullptr));
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  GOOD(cudnnCreate(&handle));
  for (const shape &s : shapes)
    for (int layout = NCHW; layout < LAYOUTS; layout++) {
      check_convolutions<float>(s, layout);
      check_fused<float>(s, layout);
      check_fused<__half>(s, layout);
      check_fused<__nv_bfloat16>(s, layout);
    }
  check_convolutions<__half>(shapes[0], NHWC);
  check_descriptors();
  check_graphs();
  check_capture();
  GOOD(cudnnDestroy(handle));
  return report("graph");
}
