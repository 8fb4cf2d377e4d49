/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: operations of two tensors, reductions, changes of layout, activations, softmax and dropout against loops, over layouts and types;
 * and calls that are to fail. */
#include <algorithm>

#include "tensors.h"

using shape = std::vector<int>;

/* The number of a smaller tensor that goes with one of dims, and what is left of the index along the other dimensions. */
static size_t project(size_t index, const shape &dims, const shape &few, size_t *rest = nullptr) {
  size_t at = 0, step = 1, left = 0, left_step = 1;
  for (size_t i = dims.size(); i-- > 0; index /= (size_t)dims[i]) {
    const size_t here = index % (size_t)dims[i];
    if (few[i] == dims[i]) {
      at += here * step;
      step *= (size_t)few[i];
    } else {
      left += here * left_step;
      left_step *= (size_t)dims[i];
    }
  }
  if (rest)
    *rest = left;
  return at;
}

template <class T> static void operations(const shape &dims, const shape &few, int layout_a, int layout_c) {
  tensor<T> a(dims, layout_a), b(few, layout_a);
  const scalars<T> one(0.5, -2), two(1.5, 0);
  cudnnOpTensorDescriptor_t op;
  GOOD(cudnnCreateOpTensorDescriptor(&op));
  for (int kind = 0; kind < 6; kind++)
    for (const double beta : {0., -2.}) {
      tensor<T> c(dims, layout_c);
      const tensor<T> before(c);
      const scalar_of<T> beta_as = (scalar_of<T>)beta;
      if (kind == CUDNN_OP_TENSOR_SQRT)
        a.fill([](size_t) { return 1 + next_number(); });
      GOOD(cudnnSetOpTensorDescriptor(op, (cudnnOpTensorOp_t)kind, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN));
      GOOD(cudnnOpTensor(handle, op, &one.alpha, a.as, a, &two.alpha, b.as, b, &beta_as, c.as, c));
      cudaDeviceSynchronize();
      numbers expected(a.count);
      for (size_t i = 0; i < a.count; i++) {
        const double x = 0.5 * a[i], y = 1.5 * b[project(i, dims, few)];
        const double all[] = {x + y, x * y, std::min(x, y), std::max(x, y), std::sqrt(x), 1 - x};
        expected[i] = all[kind];
      }
      compare("op", c, before, expected, 1, beta, 2);
    }
  tensor<T> c(dims, layout_c), d(dims, layout_a);
  const tensor<T> before(c), d0(d);
  GOOD(cudnnAddTensor(handle, &one.alpha, b.as, b, &one.beta, c.as, c));
  GOOD(cudnnTransformTensor(handle, &one.alpha, before.as, before, &one.beta, d.as, d));
  cudaDeviceSynchronize();
  numbers expected(a.count);
  for (size_t i = 0; i < a.count; i++)
    expected[i] = b[project(i, dims, few)];
  compare("add", c, before, expected, 0.5, -2, 2);
  compare("transform", d, d0, before.all(), 0.5, -2, 2);
  cudnnDestroyOpTensorDescriptor(op);
}

template <class T> static void reductions(const shape &dims, const shape &few, int layout_a, int layout_c) {
  tensor<T> a(dims, layout_a);
  a.fill([](size_t i) { return i % 11 ? (double)(1 + i % 3) / 2 * (i % 2 ? 1 : -1) : next_number(); });
  size_t length = 1;
  for (size_t i = 0; i < dims.size(); i++)
    length *= dims[i] == few[i] ? 1 : (size_t)dims[i];
  cudnnReduceTensorDescriptor_t reduce;
  GOOD(cudnnCreateReduceTensorDescriptor(&reduce));
  for (int op = 0; op < 9; op++)
    for (int indices = 0; indices < 2; indices++) {
      if ((op == CUDNN_REDUCE_TENSOR_MUL || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS) && length > 40)
        continue;
      tensor<T> c(few, layout_c);
      const tensor<T> before(c);
      const scalars<T> s(0.5, -2);
      numbers sums(c.count, op == 1 || op == 8);
      std::vector<long> places(c.count, -1);
      for (size_t i = 0; i < a.count; i++) {
        size_t rest;
        const size_t to = project(i, dims, few, &rest);
        const double x = op == CUDNN_REDUCE_TENSOR_AMAX ? std::abs(a[i]) : a[i];
        if (op == 1 || op == 8)
          sums[to] *= op == 8 && x == 0 ? 1 : x;
        else if (op >= 2 && op <= 4) {
          const bool better = op == 2 ? x < sums[to] : x > sums[to];
          if (places[to] < 0 || better || (x == sums[to] && (long)rest < places[to])) {
            sums[to] = x;
            places[to] = (long)rest;
          }
        } else
          sums[to] += op == 6 ? std::abs(x) : op == 7 ? x * x : op == 5 ? x / (double)length : x;
      }
      for (double &sum : sums)
        sum = op == 7 ? std::sqrt(sum) : sum;
      size_t bytes = 1, index_bytes = 1;
      GOOD(cudnnSetReduceTensorDescriptor(reduce, (cudnnReduceTensorOp_t)op, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN,
                                          (cudnnReduceTensorIndices_t)indices, CUDNN_32BIT_INDICES));
      GOOD(cudnnGetReductionWorkspaceSize(handle, reduce, a.as, c.as, &bytes));
      GOOD(cudnnGetReductionIndicesSize(handle, reduce, a.as, c.as, &index_bytes));
      CHECK(index_bytes == (indices && op >= 2 && op <= 4 ? c.count * 4 : 0));
      device<unsigned char> work(bytes);
      device<int> found(index_bytes / 4);
      GOOD(cudnnReduceTensor(handle, reduce, found, index_bytes, work, bytes, &s.alpha, a.as, a, &s.beta, c.as, c));
      cudaDeviceSynchronize();
      compare("reduce", c, before, sums, 0.5, -2, op == 1 ? 1 : 4);
      for (size_t i = 0; i < found.count; i++)
        CHECK(found[i] == places[i]);
    }
  cudnnDestroyReduceTensorDescriptor(reduce);
}

static double activated(int mode, double x, double coefficient) {
  switch (mode) {
  case CUDNN_ACTIVATION_SIGMOID: return 1 / (1 + std::exp(-x));
  case CUDNN_ACTIVATION_RELU: return std::max(x, 0.);
  case CUDNN_ACTIVATION_TANH: return std::tanh(x);
  case CUDNN_ACTIVATION_CLIPPED_RELU: return std::min(std::max(x, 0.), coefficient);
  case CUDNN_ACTIVATION_ELU: return x > 0 ? x : coefficient * (std::exp(x) - 1);
  case CUDNN_ACTIVATION_IDENTITY: return x;
  default: return x / (1 + std::exp(-x));
  }
}

template <class T> static void activations(const shape &dims, int layout_x, int layout_y) {
  cudnnActivationDescriptor_t activation;
  cudnnCreateActivationDescriptor(&activation);
  for (int mode = 0; mode < (CUDNN_MAJOR >= 8 ? 7 : 6); mode++) {
    tensor<T> x(dims, layout_x), y(dims, layout_y), dy(dims, layout_y), dx(dims, layout_x), in_place(dims, layout_x);
    x.fill([](size_t) { return std::round(next_number() * 16) / 8 + 0.03125; });
    for (size_t i = 0; i < x.count; i++)
      in_place.memory[in_place.place(i)] = x.memory[x.place(i)];
    const tensor<T> y0(y), dx0(dx), in0(in_place);
    const scalars<T> s(0.5, -2), plain(1, 0);
    const double coefficient = 0.75;
    GOOD(cudnnSetActivationDescriptor(activation, (cudnnActivationMode_t)mode, CUDNN_PROPAGATE_NAN, coefficient));
    GOOD(cudnnActivationForward(handle, activation, &s.alpha, x.as, x, &s.beta, y.as, y));
    GOOD(cudnnActivationForward(handle, activation, &plain.alpha, in_place.as, in_place, &plain.beta, in_place.as,
                                in_place));
    numbers expected(x.count), slopes(x.count);
    for (size_t i = 0; i < x.count; i++) {
      const double h = 1e-6;
      expected[i] = activated(mode, x[i], coefficient);
      slopes[i] = dy[i] * (activated(mode, x[i] + h, coefficient) - activated(mode, x[i] - h, coefficient)) / (2 * h);
    }
    cudaDeviceSynchronize();
    compare("activation", y, y0, expected, 0.5, -2, 2);
    compare("activation in place", in_place, in0, expected);
    GOOD(cudnnActivationBackward(handle, activation, &s.alpha, in_place.as, in_place, dy.as, dy, x.as, x, &s.beta,
                                 dx.as, dx));
    cudaDeviceSynchronize();
    compare("slope", dx, dx0, slopes, 0.5, -2, sizeof(T) == 8 ? 1e5 : 4);
  }
  cudnnDestroyActivationDescriptor(activation);
}

template <class T> static void softmax(const shape &dims, int layout_x, int layout_y, int algorithm, int mode) {
  tensor<T> x(dims, layout_x), y(dims, layout_y), dy(dims, layout_y), dx(dims, layout_x), plain_y(dims, layout_y);
  x.fill([](size_t) { return 30 + 4 * next_number(); });
  const tensor<T> y0(y), dx0(dx);
  const scalars<T> s(0.5, -2), plain(1, 0);
  const auto algo = (cudnnSoftmaxAlgorithm_t)algorithm;
  const auto by = (cudnnSoftmaxMode_t)mode;
  shape few = dims;
  for (size_t i = 1; i < dims.size(); i++)
    few[i] = i == 1 || mode == 0 ? 1 : dims[i];
  size_t groups = 1;
  for (int d : few)
    groups *= (size_t)d;
  numbers most(groups, -1e9), sum(groups), expected(x.count), back_sum(groups), back(x.count);
  for (size_t i = 0; i < x.count; i++)
    most[project(i, dims, few)] = std::max(most[project(i, dims, few)], x[i]);
  for (size_t i = 0; i < x.count; i++)
    sum[project(i, dims, few)] += std::exp(x[i] - most[project(i, dims, few)]);
  for (size_t i = 0; i < x.count; i++) {
    const size_t g = project(i, dims, few);
    expected[i] =
        algorithm == CUDNN_SOFTMAX_LOG ? x[i] - most[g] - std::log(sum[g]) : std::exp(x[i] - most[g]) / sum[g];
  }
  GOOD(cudnnSoftmaxForward(handle, algo, by, &s.alpha, x.as, x, &s.beta, y.as, y));
  GOOD(cudnnSoftmaxForward(handle, algo, by, &plain.alpha, x.as, x, &plain.beta, plain_y.as, plain_y));
  cudaDeviceSynchronize();
  compare("softmax", y, y0, expected, 0.5, -2, 4);
  for (size_t i = 0; i < x.count; i++)
    back_sum[project(i, dims, few)] += dy[i] * (algorithm == CUDNN_SOFTMAX_LOG ? 1 : plain_y[i]);
  for (size_t i = 0; i < x.count; i++) {
    const size_t g = project(i, dims, few);
    back[i] = algorithm == CUDNN_SOFTMAX_LOG ? dy[i] - std::exp(plain_y[i]) * back_sum[g]
                                             : plain_y[i] * (dy[i] - back_sum[g]);
  }
  GOOD(cudnnSoftmaxBackward(handle, algo, by, &s.alpha, plain_y.as, plain_y, dy.as, dy, &s.beta, dx.as, dx));
  cudaDeviceSynchronize();
  compare("softmax back", dx, dx0, back, 0.5, -2, 4);
}

template <class T> static void dropouts(const shape &dims, int layout_x, int layout_y) {
  tensor<T> x(dims, layout_x), y(dims, layout_y), again(dims, layout_x), dx(dims, layout_x);
  x.fill([](size_t i) { return 1 + (double)(i % 4) / 4; });
  const tensor<T> y0(y), again0(again), dx0(dx);
  size_t state_bytes = 0, bytes = 0;
  cudnnDropoutDescriptor_t dropout;
  GOOD(cudnnCreateDropoutDescriptor(&dropout));
  GOOD(cudnnDropoutGetStatesSize(handle, &state_bytes));
  GOOD(cudnnDropoutGetReserveSpaceSize(x.as, &bytes));
  device<unsigned char> states(state_bytes), reserve(bytes), reserve2(bytes);
  BAD(cudnnDropoutForward(handle, dropout, x.as, x, y.as, y, reserve, bytes - 1));
  const float probability = 0.25f;
  GOOD(cudnnSetDropoutDescriptor(dropout, handle, probability, states, state_bytes, 7));
  GOOD(cudnnDropoutForward(handle, dropout, x.as, x, y.as, y, reserve, bytes));
  GOOD(cudnnDropoutForward(handle, dropout, x.as, x, again.as, again, reserve2, bytes));
  GOOD(cudnnDropoutBackward(handle, dropout, y.as, y, dx.as, dx, reserve, bytes));
  cudaDeviceSynchronize();
  size_t kept = 0, other = 0;
  numbers expected(x.count), twice(x.count);
  for (size_t i = 0; i < x.count; i++) {
    kept += y[i] != 0;
    other += (y[i] != 0) != (again[i] != 0);
    expected[i] = y[i] == 0 ? 0 : x[i] / 0.75;
    twice[i] = y[i] == 0 ? 0 : y[i] / 0.75;
  }
  const double n = (double)x.count, spread = 5 * std::sqrt(n * 0.25 * 0.75);
  CHECK(std::abs((double)kept - 0.75 * n) <= spread && std::abs((double)other - 0.375 * n) <= spread + 1);
  compare("dropout", y, y0, expected, 1, 0, 2);
  compare("dropout back", dx, dx0, twice, 1, 0, 2);
  /* The same seed gives the same numbers; restored states go on. */
  tensor<T> first(dims, layout_y), second(dims, layout_x);
  GOOD(cudnnSetDropoutDescriptor(dropout, handle, probability, states, state_bytes, 7));
  GOOD(cudnnDropoutForward(handle, dropout, x.as, x, first.as, first, reserve, bytes));
  GOOD(cudnnRestoreDropoutDescriptor(dropout, handle, probability, states, state_bytes, 7));
  GOOD(cudnnDropoutForward(handle, dropout, x.as, x, second.as, second, reserve, bytes));
  cudaDeviceSynchronize();
  compare("same seed", first, first, y.all());
  compare("restored", second, second, again.all());
  cudnnDestroyDropoutDescriptor(dropout);
}

static void padding() {
  tensor<float> x({2, 3, 4, 5});
  cudnnTensorDescriptor_t to;
  cudnnTensorTransformDescriptor_t transform;
  cudnnCreateTensorDescriptor(&to);
  GOOD(cudnnCreateTensorTransformDescriptor(&transform));
  const int before[] = {0, 1, 0, 2}, after[] = {0, 0, 1, 1};
  const unsigned fold[] = {2, 1};
  size_t bytes = 0;
  GOOD(
      cudnnSetTensorTransformDescriptor(transform, 4, CUDNN_TENSOR_NHWC, before, after, nullptr, CUDNN_TRANSFORM_FOLD));
  GOOD(cudnnInitTransformDest(transform, x.as, to, &bytes));
  CHECK(bytes == 2 * 4 * 5 * 8 * 4);
  tensor<float> y({2, 4, 5, 8}, NHWC);
  const tensor<float> y0(y);
  const float alpha = 2, beta = 0;
  GOOD(cudnnTransformTensorEx(handle, transform, &alpha, x.as, x, &beta, to, y));
  cudaDeviceSynchronize();
  numbers expected(y.count);
  for (size_t i = 0; i < x.count; i++) {
    const size_t w = i % 5 + 2, h = i / 5 % 4, c = i / 20 % 3 + 1, n = i / 60;
    expected[((n * 4 + c) * 5 + h) * 8 + w] = x[i];
  }
  compare("padding", y, y0, expected, 2);
  BAD(cudnnTransformTensorEx(handle, transform, &alpha, x.as, x, &beta, x.as, y));
  cudnnFilterDescriptor_t from, into;
  cudnnCreateFilterDescriptor(&from), cudnnCreateFilterDescriptor(&into);
  GOOD(cudnnSetFilter4dDescriptor(from, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 2, 3, 4, 5));
  GOOD(cudnnSetFilter4dDescriptor(into, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 2, 4, 5, 8));
  tensor<float> filter({2, 4, 5, 8}, NHWC);
  const tensor<float> filter0(filter);
  GOOD(cudnnTransformFilter(handle, transform, &alpha, from, x, &beta, into, filter));
  cudaDeviceSynchronize();
  compare("padding a filter", filter, filter0, expected, 2);
  BAD(cudnnTransformFilter(handle, transform, &alpha, from, x, &beta, from, filter));
  cudnnDestroyFilterDescriptor(from), cudnnDestroyFilterDescriptor(into);
  GOOD(cudnnSetTensorTransformDescriptor(transform, 4, CUDNN_TENSOR_NHWC, before, after, fold, CUDNN_TRANSFORM_FOLD));
  NOT_SUPPORTED(cudnnInitTransformDest(transform, x.as, to, &bytes));
  cudnnDestroyTensorTransformDescriptor(transform);
  cudnnDestroyTensorDescriptor(to);
}

static void refusals() {
  tensor<float> x({2, 3, 4, 5}), other({2, 3, 4, 6}), few({1, 3, 1, 1}), y({2, 3, 4, 5});
  const tensor<float> y0(y);
  const float one = 1, zero = 0;
  BAD(cudnnAddTensor(handle, &one, other.as, other, &zero, y.as, y));
  BAD(cudnnAddTensor(handle, nullptr, few.as, few, &zero, y.as, y));
  BAD(cudnnAddTensor(handle, &one, few.as, nullptr, &zero, y.as, y));
  BAD(cudnnTransformTensor(handle, &one, few.as, few, &zero, y.as, y));
  BAD(cudnnSoftmaxForward(handle, (cudnnSoftmaxAlgorithm_t)3, CUDNN_SOFTMAX_MODE_CHANNEL, &one, x.as, x, &zero, y.as,
                          y));
  BAD(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL, &one, other.as, x, &zero, y.as, y));
  cudnnActivationDescriptor_t activation;
  cudnnCreateActivationDescriptor(&activation);
  BAD(cudnnActivationForward(handle, activation, &one, x.as, x, &zero, y.as, y)); /* not set */
  GOOD(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_TANH, CUDNN_PROPAGATE_NAN, 0));
  BAD(cudnnActivationForward(handle, activation, &one, few.as, few, &zero, y.as, y));
  BAD(cudnnActivationForward(handle, activation, &one, x.as, x, &zero, nullptr, y));
  cudnnDestroyActivationDescriptor(activation);
  cudnnReduceTensorDescriptor_t reduce;
  cudnnCreateReduceTensorDescriptor(&reduce);
  BAD(cudnnReduceTensor(handle, reduce, nullptr, 0, nullptr, 0, &one, x.as, x, &zero, y.as, y)); /* not set */
  GOOD(cudnnSetReduceTensorDescriptor(reduce, CUDNN_REDUCE_TENSOR_MAX, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN,
                                      CUDNN_REDUCE_TENSOR_FLATTENED_INDICES, CUDNN_32BIT_INDICES));
  BAD(cudnnReduceTensor(handle, reduce, nullptr, 0, nullptr, 0, &one, x.as, x, &zero, few.as, y));
  BAD(cudnnReduceTensor(handle, reduce, nullptr, 0, nullptr, 0, &one, few.as, few, &zero, y.as, y));
  cudnnDestroyReduceTensorDescriptor(reduce);
  cudaDeviceSynchronize();
  compare("refused", y, y0, y0.all());
}

template <class T> static void sweep() {
  const shape shapes[] = {{2, 3, 4, 5}, {3, 40, 7, 9}, {4, 1, 6, 1}, {2, 3, 4, 3, 5}, {1, 2500, 1, 1}};
  int turn = 0;
  for (const shape &dims : shapes)
    for (int layout = 0; layout < 2 * LAYOUTS; layout++, turn++) {
      const int from = layout % LAYOUTS, to = layout < LAYOUTS ? from : (from + 1) % LAYOUTS;
      shape channel(dims.size(), 1), rest = dims, none(dims.size(), 1);
      channel[1] = dims[1];
      rest[1] = 1;
      rest.back() = 1;
      const shape &few = turn % 4 == 0 ? channel : turn % 4 == 1 ? rest : turn % 4 == 2 ? none : dims;
      operations<T>(dims, few, from, to);
      reductions<T>(dims, few, from, to);
      activations<T>(dims, from, to);
      for (int algorithm = 0; algorithm < 3; algorithm++)
        softmax<T>(dims, from, to, algorithm, (turn + algorithm) % 2);
      dropouts<T>(dims, from, to);
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
  padding();
  refusals();
  cudnnDestroy(handle);
  return report("operations");
}
