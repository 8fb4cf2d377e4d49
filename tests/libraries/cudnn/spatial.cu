/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: spatial transformers: grids against their maps, samples against a tent over every pixel, gradients against differences; and calls
 * that are to fail. */
#include <algorithm>

#include "tensors.h"

struct sizes {
  int n, c, in_h, in_w, h, w;
};

static double along(int i, int count) { return count > 1 ? -1 + 2. * i / (count - 1) : -1; }

static numbers make_grid(const sizes &s, const numbers &theta) {
  numbers grid;
  for (int n = 0; n < s.n; n++)
    for (int h = 0; h < s.h; h++)
      for (int w = 0; w < s.w; w++)
        for (int k = 0; k < 2; k++) {
          const double *row = &theta[(size_t)(n * 6 + 3 * k)];
          grid.push_back(row[0] * along(w, s.w) + row[1] * along(h, s.h) + row[2]);
        }
  return grid;
}

static numbers sample(const sizes &s, const numbers &x, const numbers &grid) {
  numbers y;
  for (int n = 0; n < s.n; n++)
    for (int c = 0; c < s.c; c++)
      for (int i = 0; i < s.h * s.w; i++) {
        const double *at = &grid[(size_t)(2 * (n * s.h * s.w + i))];
        const double column = (at[0] + 1) / 2 * (s.in_w - 1), row = (at[1] + 1) / 2 * (s.in_h - 1);
        double sum = 0;
        for (int h = 0; h < s.in_h; h++)
          for (int w = 0; w < s.in_w; w++)
            sum += std::max(0., 1 - std::abs(column - w)) * std::max(0., 1 - std::abs(row - h)) *
                   x[(size_t)(((n * s.c + c) * s.in_h + h) * s.in_w + w)];
        y.push_back(sum);
      }
  return y;
}

static double dot(const numbers &a, const numbers &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++)
    sum += a[i] * b[i];
  return sum;
}

/* The gradient of dot(f(at), by). */
template <class F> static numbers slopes(numbers at, const numbers &by, F f) {
  numbers found(at.size());
  const double h = 1e-6;
  for (size_t i = 0; i < at.size(); i++) {
    const double was = at[i];
    at[i] = was + h;
    const double more = dot(f(at), by);
    at[i] = was - h;
    found[i] = (more - dot(f(at), by)) / (2 * h);
    at[i] = was;
  }
  return found;
}

template <class T> static void check(const sizes &s, int layout) {
  tensor<T> x({s.n, s.c, s.in_h, s.in_w}, layout), y({s.n, s.c, s.h, s.w}, layout), dy({s.n, s.c, s.h, s.w}, layout),
      dx({s.n, s.c, s.in_h, s.in_w}, layout), grid({s.n, s.h, s.w, 2}), dgrid({s.n, s.h, s.w, 2}), theta({s.n, 2, 3}),
      dtheta({s.n, 2, 3});
  const tensor<T> y0(y), dx0(dx), dgrid0(dgrid);
  cudnnSpatialTransformerDescriptor_t spatial;
  GOOD(cudnnCreateSpatialTransformerDescriptor(&spatial));
  BAD(cudnnSpatialTfGridGeneratorForward(handle, spatial, theta, grid)); /* not set */
  const int dims[] = {s.n, s.c, s.h, s.w};
  NOT_SUPPORTED(cudnnSetSpatialTransformerNdDescriptor(spatial, CUDNN_SAMPLER_BILINEAR, type_of<T>, 3, dims));
  GOOD(cudnnSetSpatialTransformerNdDescriptor(spatial, CUDNN_SAMPLER_BILINEAR, type_of<T>, 4, dims));
  GOOD(cudnnSpatialTfGridGeneratorForward(handle, spatial, theta, grid));
  GOOD(cudnnSpatialTfGridGeneratorBackward(handle, spatial, grid, dtheta));
  cudaDeviceSynchronize();
  compare("grid", grid, grid, make_grid(s, theta.all()), 1, 0, 2);
  compare("dtheta", dtheta, dtheta, slopes(theta.all(), grid.all(), [&](const numbers &t) { return make_grid(s, t); }),
          1, 0, sizeof(T) == 8 ? 1e6 : 20);
  const scalars<T> by(0.5, -2);
  GOOD(cudnnSpatialTfSamplerForward(handle, spatial, &by.alpha, x.as, x, grid, &by.beta, y.as, y));
  GOOD(cudnnSpatialTfSamplerBackward(handle, spatial, &by.alpha, x.as, x, &by.beta, dx.as, dx, &by.alpha, dy.as, dy,
                                     grid, &by.beta, dgrid));
  cudaDeviceSynchronize();
  compare("samples", y, y0, sample(s, x.all(), grid.all()), 0.5, -2, 4);
  compare("dx", dx, dx0, slopes(x.all(), dy.all(), [&](const numbers &t) { return sample(s, t, grid.all()); }), 0.5, -2,
          sizeof(T) == 8 ? 1e5 : 8);
  compare("dgrid", dgrid, dgrid0, slopes(grid.all(), dy.all(), [&](const numbers &t) { return sample(s, x.all(), t); }),
          0.5, -2, sizeof(T) == 8 ? 1e5 : 20);
  BAD(cudnnSpatialTfSamplerForward(handle, spatial, &by.alpha, x.as, x, nullptr, &by.beta, y.as, y));
  BAD(cudnnSpatialTfSamplerForward(handle, spatial, &by.alpha, grid.as, x, grid, &by.beta, y.as, y));
  GOOD(cudnnDestroySpatialTransformerDescriptor(spatial));
}

int main() {
  GOOD(cudnnCreate(&handle));
  for (int layout = 0; layout < LAYOUTS; layout++) {
    check<float>({2, 3, 5, 6, 4, 3}, layout);
    check<double>({3, 1, 4, 4, 4, 4}, layout);
    check<double>({1, 2, 3, 5, 6, 1}, layout);
  }
  cudnnDestroy(handle);
  return report("spatial");
}
