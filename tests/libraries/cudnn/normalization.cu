/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: batch normalisation forward and backward against loops, over shapes, layouts, types, modes and fused forms; and calls that are
 * to fail. */
#include <algorithm>

#include "tensors.h"

static const double epsilon = 1e-3;

struct problem {
  std::vector<int> dims;
  bool spatial;
  int ops;
  double alpha, beta;
  std::vector<int> derived() const {
    std::vector<int> few = dims;
    for (size_t i = 0; i < dims.size(); i++)
      few[i] = i == 1 || (!spatial && i > 0) ? dims[i] : 1;
    return few;
  }
  size_t channel(size_t index, size_t count) const {
    const size_t each = count / (size_t)dims[0];
    return spatial ? index % each / (each / (size_t)dims[1]) : index % each;
  }
};

/* What is computed, in doubles. */
struct reference {
  size_t n = 0;
  numbers mean, variance, inverse, y, dx, dz, dscale, dbias;
  template <class T, class P>
  reference(const problem &p, const tensor<T> &x, const tensor<P> &scale, const tensor<P> &bias, const tensor<T> &z,
            const tensor<T> &dy) {
    const size_t channels = scale.count;
    n = x.count / channels;
    mean.resize(channels), variance.resize(channels), inverse.resize(channels);
    dscale.resize(channels), dbias.resize(channels);
    for (size_t i = 0; i < x.count; i++)
      mean[p.channel(i, x.count)] += x[i] / (double)n;
    for (size_t i = 0; i < x.count; i++)
      variance[p.channel(i, x.count)] += std::pow(x[i] - mean[p.channel(i, x.count)], 2) / (double)n;
    for (size_t c = 0; c < channels; c++)
      inverse[c] = 1 / std::sqrt(variance[c] + epsilon);
    y = apply(p, x, scale, bias, z, mean, inverse);
    dz.resize(x.count), dx.resize(x.count);
    for (size_t i = 0; i < x.count; i++) {
      const size_t c = p.channel(i, x.count);
      dz[i] = p.ops && y[i] <= 0 ? 0 : dy[i];
      dbias[c] += dz[i];
      dscale[c] += dz[i] * (x[i] - mean[c]) * inverse[c];
    }
    for (size_t i = 0; i < x.count; i++) {
      const size_t c = p.channel(i, x.count);
      dx[i] = scale[c] * inverse[c] *
              (dz[i] - dbias[c] / (double)n - (x[i] - mean[c]) * inverse[c] * dscale[c] / (double)n);
    }
  }
  template <class T, class P>
  static numbers apply(const problem &p, const tensor<T> &x, const tensor<P> &scale, const tensor<P> &bias,
                       const tensor<T> &z, const numbers &mean, const numbers &inverse) {
    numbers y(x.count);
    for (size_t i = 0; i < x.count; i++) {
      const size_t c = p.channel(i, x.count);
      y[i] = (x[i] - mean[c]) * inverse[c] * scale[c] + bias[c] + (p.ops == 2 ? z[i] : 0);
      y[i] = p.ops ? std::max(y[i], 0.) : y[i];
    }
    return y;
  }
};

template <class T> static void passes(const problem &p, int x_layout, int y_layout, int mode, bool by_other_names) {
  using P = scalar_of<T>;
  tensor<T> x(p.dims, x_layout), y(p.dims, y_layout), z(p.dims, y_layout), dy(p.dims, y_layout), dx(p.dims, x_layout),
      dz(p.dims, x_layout);
  x.fill([](size_t i) { return 3 + next_number() * (double)(1 + i % 3); });
  z.fill([](size_t) { return std::round(next_number() * 8) / 8 + 0.0625; });
  const std::vector<int> few = p.derived();
  tensor<P> scale(few), bias(few), mean(few), variance(few), saved_mean(few), saved_inverse(few), dscale(few),
      dbias(few);
  variance.fill([](size_t) { return 1.5 + next_number(); });
  const tensor<T> y0(y), dx0(dx), dz0(dz);
  const tensor<P> mean0(mean), variance0(variance), dscale0(dscale), dbias0(dbias);
  const reference r(p, x, scale, bias, z, dy);
  const scalars<T> s(p.alpha, p.beta);
  const double factor = 0.25;
  const auto bn_mode = (cudnnBatchNormMode_t)mode;
  const auto ops = (cudnnBatchNormOps_t)p.ops;
  size_t work_bytes = 1, reserve_bytes = 1;
  cudnnActivationDescriptor_t relu;
  GOOD(cudnnCreateActivationDescriptor(&relu));
  GOOD(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  GOOD(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(handle, bn_mode, ops, x.as, z.as, y.as, scale.as, relu,
                                                                &work_bytes));
  GOOD(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(handle, bn_mode, ops, relu, x.as, &reserve_bytes));
  device<unsigned char> work(work_bytes), reserve(reserve_bytes);
  cudnnTensorDescriptor_t derived;
  cudnnCreateTensorDescriptor(&derived);
  GOOD(cudnnDeriveBNTensorDescriptor(derived, x.as, bn_mode));
#if CUDNN_MAJOR >= 8
  const auto norm = p.spatial ? CUDNN_NORM_PER_CHANNEL : CUDNN_NORM_PER_ACTIVATION;
  const auto norm_ops = (cudnnNormOps_t)p.ops;
  const auto algo = CUDNN_NORM_ALGO_PERSIST;
  if (by_other_names) {
    GOOD(cudnnNormalizationForwardTraining(handle, norm, norm_ops, algo, &s.alpha, &s.beta, x.as, x, derived, scale,
                                           bias, factor, derived, mean, variance, epsilon, saved_mean, saved_inverse,
                                           relu, z.as, z, y.as, y, work, work_bytes, reserve, reserve_bytes, 1));
    GOOD(cudnnNormalizationBackward(handle, norm, norm_ops, algo, &s.alpha, &s.beta, &s.alpha, &s.beta, x.as, x, y.as,
                                    y, dy.as, dy, dz.as, dz, dx.as, dx, derived, scale, bias, dscale, dbias, epsilon,
                                    derived, saved_mean, saved_inverse, relu, work, work_bytes, reserve, reserve_bytes,
                                    1));
  } else
#endif
      if (p.ops || !by_other_names) {
    GOOD(cudnnBatchNormalizationForwardTrainingEx(handle, bn_mode, ops, &s.alpha, &s.beta, x.as, x, z.as, z, y.as, y,
                                                  derived, scale, bias, factor, mean, variance, epsilon, saved_mean,
                                                  saved_inverse, relu, work, work_bytes, reserve, reserve_bytes));
    GOOD(cudnnBatchNormalizationBackwardEx(handle, bn_mode, ops, &s.alpha, &s.beta, &s.alpha, &s.beta, x.as, x, y.as, y,
                                           dy.as, dy, dz.as, dz, dx.as, dx, derived, scale, bias, dscale, dbias,
                                           epsilon, saved_mean, saved_inverse, relu, work, work_bytes, reserve,
                                           reserve_bytes));
  } else {
    GOOD(cudnnBatchNormalizationForwardTraining(handle, bn_mode, &s.alpha, &s.beta, x.as, x, y.as, y, derived, scale,
                                                bias, factor, mean, variance, epsilon, saved_mean, saved_inverse));
    GOOD(cudnnBatchNormalizationBackward(handle, bn_mode, &s.alpha, &s.beta, &s.alpha, &s.beta, x.as, x, dy.as, dy,
                                         dx.as, dx, derived, scale, dscale, dbias, epsilon, nullptr, nullptr));
  }
  cudaDeviceSynchronize();
  compare("y", y, y0, r.y, p.alpha, p.beta, 8);
  compare("saved mean", saved_mean, saved_mean, r.mean, 1, 0, 4);
  compare("saved inverse", saved_inverse, saved_inverse, r.inverse, 1, 0, 30);
  compare("running mean", mean, mean0, r.mean, factor, 1 - factor, 4);
  compare("running variance", variance, variance0, r.variance,
          factor * (double)r.n / (double)std::max<size_t>(r.n - 1, 1), 1 - factor, 4);
  compare("dx", dx, dx0, r.dx, p.alpha, p.beta, 60);
  compare("dscale", dscale, dscale0, r.dscale, p.alpha, p.beta, 60);
  compare("dbias", dbias, dbias0, r.dbias, p.alpha, p.beta, 60);
  if (p.ops == 2)
    compare("dz", dz, dz0, r.dz);
  cudnnDestroyTensorDescriptor(derived);
  cudnnDestroyActivationDescriptor(relu);
}

template <class T> static void inference(const problem &p, int layout, int mode) {
  using P = scalar_of<T>;
  tensor<T> x(p.dims, layout), y(p.dims, layout);
  const tensor<T> y0(y);
  tensor<P> scale(p.derived()), bias(p.derived()), mean(p.derived()), variance(p.derived());
  variance.fill([](size_t) { return 1.5 + next_number(); });
  const scalars<T> s(p.alpha, p.beta);
  GOOD(cudnnBatchNormalizationForwardInference(handle, (cudnnBatchNormMode_t)mode, &s.alpha, &s.beta, x.as, x, y.as, y,
                                               scale.as, scale, bias, mean, variance, epsilon));
  cudaDeviceSynchronize();
  numbers inverse = variance.all();
  for (double &one : inverse)
    one = 1 / std::sqrt(one + epsilon);
  problem plain = p;
  plain.ops = 0;
  compare("inference", y, y0, reference::apply(plain, x, scale, bias, x, mean.all(), inverse), p.alpha, p.beta, 2);
}

template <class T> static void sweep() {
  const std::vector<std::vector<int>> shapes = {{4, 3, 5, 7},    {2, 16, 8, 8},  {6, 600, 1, 1}, {5, 9, 1, 1},
                                                {3, 2, 4, 3, 5}, {64, 1, 9, 33}, {1, 4, 6, 6},   {40, 33, 3, 5}};
  int turn = 0;
  for (const auto &dims : shapes)
    for (int mode = 0; mode < 3; mode++)
      for (int ops = 0; ops < 3; ops++) {
        if (mode == 0 && dims[0] == 1)
          continue;
        const bool scaled = turn % 2;
        const problem p = {dims, mode > 0, ops, scaled ? 0.5 : 1., scaled && !ops ? -2. : 0.};
        for (int layouts = 0; layouts < 4; layouts++, turn++)
          passes<T>(p, layouts == 3 ? NHWC : layouts, layouts == 3 ? NCHW : layouts, mode, turn % 3 == 0);
        inference<T>(p, turn % LAYOUTS, mode);
        turn++;
      }
}

/* A reserve that was written with channels last is read by tensors that are not, and the other way round. */
static void turned_reserve(int forward_layout, int backward_layout) {
  const problem p = {{3, 5, 4, 6}, true, 1, 1, 0};
  tensor<float> x(p.dims, forward_layout), y(p.dims, forward_layout), x2(p.dims, backward_layout),
      dy(p.dims, backward_layout), dx(p.dims, backward_layout), scale(p.derived()), bias(p.derived()),
      dscale(p.derived()), dbias(p.derived());
  x2.fill([&](size_t i) { return x[i]; });
  const reference r(p, x, scale, bias, x, dy);
  size_t bytes = 0;
  const float one = 1, zero = 0;
  cudnnActivationDescriptor_t relu;
  cudnnCreateActivationDescriptor(&relu);
  GOOD(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  const auto mode = CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
  const auto ops = CUDNN_BATCHNORM_OPS_BN_ACTIVATION;
  GOOD(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(handle, mode, ops, relu, x.as, &bytes));
  device<unsigned char> reserve(bytes);
  GOOD(cudnnBatchNormalizationForwardTrainingEx(handle, mode, ops, &one, &zero, x.as, x, nullptr, nullptr, y.as, y,
                                                scale.as, scale, bias, 0, nullptr, nullptr, epsilon, nullptr, nullptr,
                                                relu, nullptr, 0, reserve, bytes));
  GOOD(cudnnBatchNormalizationBackwardEx(handle, mode, ops, &one, &zero, &one, &zero, x2.as, x2, y.as, y, dy.as, dy,
                                         nullptr, nullptr, dx.as, dx, scale.as, scale, bias, dscale, dbias, epsilon,
                                         nullptr, nullptr, relu, nullptr, 0, reserve, bytes));
  cudaDeviceSynchronize();
  compare("dx of a turned reserve", dx, dx, r.dx, 1, 0, 60);
  cudnnDestroyActivationDescriptor(relu);
}

static void refusals() {
  const problem p = {{3, 5, 4, 6}, true, 0, 1, 0};
  tensor<float> x(p.dims), y(p.dims), few(p.derived()), other({3, 5, 4, 7}), mean(p.derived());
  tensor<int> integers(p.dims);
  const tensor<float> y0(y);
  const float one = 1, zero = 0;
  const auto mode = CUDNN_BATCHNORM_SPATIAL;
#define TRAIN(mode, a, x_as, x, y_as, y, few_as, scale, mean, epsilon)                                                 \
  cudnnBatchNormalizationForwardTraining(handle, mode, a, &zero, x_as, x, y_as, y, few_as, scale, few, 0.5, mean, few, \
                                         epsilon, nullptr, nullptr)
  BAD(TRAIN((cudnnBatchNormMode_t)3, &one, x.as, x, y.as, y, few.as, few, mean, epsilon));
  BAD(TRAIN(mode, nullptr, x.as, x, y.as, y, few.as, few, mean, epsilon));
  BAD(TRAIN(mode, &one, x.as, nullptr, y.as, y, few.as, few, mean, epsilon));
  BAD(TRAIN(mode, &one, x.as, x, y.as, nullptr, few.as, few, mean, epsilon));
  BAD(TRAIN(mode, &one, nullptr, x, y.as, y, few.as, few, mean, epsilon));
  BAD(TRAIN(mode, &one, x.as, x, other.as, y, few.as, few, mean, epsilon));
  BAD(TRAIN(mode, &one, x.as, x, y.as, y, x.as, few, mean, epsilon));
  BAD(TRAIN(mode, &one, x.as, x, y.as, y, few.as, nullptr, mean, epsilon));
  BAD(TRAIN(mode, &one, x.as, x, y.as, y, few.as, few, nullptr, epsilon));
  BAD(TRAIN(mode, &one, x.as, x, y.as, y, few.as, few, mean, -1));
  NOT_SUPPORTED(TRAIN(mode, &one, integers.as, x, y.as, y, few.as, few, mean, epsilon));
  cudnnActivationDescriptor_t activation;
  cudnnCreateActivationDescriptor(&activation);
#define FUSED(z, reserve, bytes)                                                                                       \
  cudnnBatchNormalizationForwardTrainingEx(handle, mode, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, &one, &zero, x.as, x,  \
                                           x.as, z, y.as, y, few.as, few, few, 0.5, mean, few, epsilon, nullptr,       \
                                           nullptr, activation, nullptr, 0, reserve, bytes)
  device<unsigned char> reserve(1000);
  BAD(FUSED(x, reserve, 1000)); /* the activation is not set */
  GOOD(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_TANH, CUDNN_PROPAGATE_NAN, 0));
  NOT_SUPPORTED(FUSED(x, reserve, 1000));
  GOOD(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  BAD(FUSED(nullptr, reserve, 1000));
  BAD(FUSED(x, nullptr, 1000));
  BAD(FUSED(x, reserve, 10));
  cudaDeviceSynchronize();
  compare("refused", y, y0, y0.all());
  cudnnDestroyActivationDescriptor(activation);
}

int main() {
  GOOD(cudnnCreate(&handle));
  sweep<float>();
  sweep<double>();
  sweep<__half>();
#if CUDNN_MAJOR >= 8
  sweep<__nv_bfloat16>();
#endif
  turned_reserve(NHWC, NCHW);
  turned_reserve(NCHW, NHWC);
  refusals();
  cudnnDestroy(handle);
  return report("normalization");
}
