/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: divisive normalisation against a loop over each window, its gradients against differences of that loop, and calls that are to
 * fail. */
#include "tensors.h"

struct problem {
  std::vector<int> dims;
  int n, layout;
  double alpha, beta, k;
};

/* The sum of what is in the window of a number, whose places are given. */
static double window(const problem &p, const numbers &x, const std::vector<int> &at) {
  const int less = (p.n - 1) / 2, rank = (int)p.dims.size();
  double sum = 0;
  for (size_t i = 0; i < x.size(); i++) {
    bool is_in = true;
    size_t rest = i;
    for (int d = rank; d-- > 0; rest /= (size_t)p.dims[(size_t)d]) {
      const int away = (int)(rest % (size_t)p.dims[(size_t)d]) - at[(size_t)d];
      is_in = is_in && (d < 2 ? away == 0 : away >= -less && away <= p.n - 1 - less);
    }
    sum += is_in ? x[i] * x[i] : 0;
  }
  return sum;
}

static numbers normalized(const problem &p, const numbers &x) {
  numbers y(x.size());
  const double scale = p.alpha / std::pow(p.n, (double)p.dims.size() - 2);
  for (size_t i = 0; i < x.size(); i++) {
    std::vector<int> at(p.dims.size());
    size_t rest = i;
    for (size_t d = at.size(); d-- > 0; rest /= (size_t)p.dims[d])
      at[d] = (int)(rest % (size_t)p.dims[d]);
    y[i] = x[i] * std::pow(p.k + scale * window(p, x, at), -p.beta);
  }
  return y;
}

static double loss(const problem &p, const numbers &x, const numbers &dy) {
  const numbers y = normalized(p, x);
  double sum = 0;
  for (size_t i = 0; i < y.size(); i++)
    sum += y[i] * dy[i];
  return sum;
}

static numbers slopes(const problem &p, const numbers &x, const numbers &dy) {
  numbers found(x.size());
  for (size_t i = 0; i < x.size(); i++) {
    numbers moved = x;
    const double h = 1e-4;
    moved[i] += h;
    const double more = loss(p, moved, dy);
    moved[i] -= 2 * h;
    found[i] = (more - loss(p, moved, dy)) / (2 * h);
  }
  return found;
}

template <class T> static void check(const problem &p) {
  tensor<T> x(p.dims, p.layout), dy(x), y(p.dims, HOLES), dx(y);
  dy.fill([](size_t i) { return 0.5 - (double)(i % 5) / 4; });
  const tensor<T> before(y), dx_before(dx);
  device<T> temp(x.memory.count), temp2(x.memory.count);
  const scalars<T> by(0.5, 2);
  cudnnLRNDescriptor_t norm;
  GOOD(cudnnCreateLRNDescriptor(&norm));
  GOOD(cudnnSetLRNDescriptor(norm, (unsigned)p.n, p.alpha, p.beta, p.k));
  const auto mode = CUDNN_DIVNORM_PRECOMPUTED_MEANS;
  BAD(cudnnDivisiveNormalizationForward(handle, norm, mode, &by.alpha, x.as, x, nullptr, nullptr, temp2, &by.beta, y.as,
                                        y));
  BAD(cudnnDivisiveNormalizationForward(handle, norm, (cudnnDivNormMode_t)1, &by.alpha, x.as, x, nullptr, temp, temp2,
                                        &by.beta, y.as, y));
  BAD(cudnnDivisiveNormalizationBackward(handle, norm, mode, &by.alpha, x.as, x, nullptr, nullptr, temp, temp2,
                                         &by.beta, dx.as, dx, nullptr));
  NOT_SUPPORTED(
      cudnnDivisiveNormalizationForward(handle, norm, mode, &by.alpha, x.as, x, x, temp, temp2, &by.beta, y.as, y));
  NOT_SUPPORTED(cudnnDivisiveNormalizationBackward(handle, norm, mode, &by.alpha, x.as, x, nullptr, dy, temp, temp2,
                                                   &by.beta, dx.as, dx, y));
  cudaDeviceSynchronize();
  compare("untouched", y, before, before.all());
  GOOD(cudnnDivisiveNormalizationForward(handle, norm, mode, &by.alpha, x.as, x, nullptr, temp, temp2, &by.beta, y.as,
                                         y));
  GOOD(cudnnDivisiveNormalizationBackward(handle, norm, mode, &by.alpha, x.as, x, nullptr, dy, temp, temp2, &by.beta,
                                          dx.as, dx, nullptr));
  cudaDeviceSynchronize();
  compare("y", y, before, normalized(p, x.all()), 0.5, 2);
  const numbers expected = slopes(p, x.all(), dy.all()), found = dx.all(), was = dx_before.all();
  for (size_t i = 0; i < found.size(); i++)
    CHECK(std::abs(found[i] - (0.5 * expected[i] + 2 * was[i])) <= std::max(precision<T> * 5, 1e-6) * 3);
  GOOD(cudnnDestroyLRNDescriptor(norm));
}

template <class T> static void sweep() {
  check<T>({{2, 2, 5, 4}, 3, NCHW, 0.7, 0.75, 1});
  check<T>({{1, 3, 4, 6}, 4, NHWC, 1.5, 0.5, 2});
  check<T>({{1, 2, 3, 4, 3}, 2, HOLES, 0.3, 1, 1.5});
}

int main() {
  GOOD(cudnnCreate(&handle));
  sweep<float>();
  sweep<double>();
  sweep<__half>();
  GOOD(cudnnDestroy(handle));
  return report("divisive");
}
