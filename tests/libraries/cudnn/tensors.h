/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What tests of cuDNN share: tensors of any layout and type, filled with small numbers, which are compared with doubles in the order of
 * their dimensions. */
#pragma once
#include <cudnn.h>

#include <cstring>
#include <functional>

#include "../check.h"

#define GOOD(call) CHECK((call) == CUDNN_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUDNN_STATUS_BAD_PARAM)
#define NOT_SUPPORTED(call) CHECK((call) == CUDNN_STATUS_NOT_SUPPORTED)

template <class T> constexpr cudnnDataType_t type_of = CUDNN_DATA_FLOAT;
template <> constexpr cudnnDataType_t type_of<double> = CUDNN_DATA_DOUBLE;
template <> constexpr cudnnDataType_t type_of<__half> = CUDNN_DATA_HALF;
template <> constexpr cudnnDataType_t type_of<signed char> = CUDNN_DATA_INT8;
template <> constexpr cudnnDataType_t type_of<int> = CUDNN_DATA_INT32;
#if CUDNN_MAJOR >= 8
template <> constexpr cudnnDataType_t type_of<__nv_bfloat16> = CUDNN_DATA_BFLOAT16;
#endif
/* What goes with numbers of T: scalars, and parameters of normalisations. */
template <class T> struct scalar_of_type {
  using type = float;
};
template <> struct scalar_of_type<double> {
  using type = double;
};
template <class T> using scalar_of = typename scalar_of_type<T>::type;

enum { NCHW, NHWC, HOLES, LAYOUTS };
using numbers = std::vector<double>;

static cudnnHandle_t handle;

inline std::vector<int> strides_of(const std::vector<int> &dims, int layout) {
  std::vector<int> strides(dims.size());
  int step = layout == NHWC && dims.size() > 1 ? dims[1] : 1;
  if (dims.size() > 1)
    strides[1] = 1;
  for (size_t i = dims.size(); i-- > 0;)
    if (i != 1 || layout != NHWC) {
      strides[i] = step;
      step = step * dims[i] + (layout == HOLES ? 3 : 0);
    }
  return strides;
}

template <class T> struct tensor {
  std::vector<int> dims, strides;
  cudnnTensorDescriptor_t as;
  size_t count = 1;
  device<T> memory;
  static size_t reach(const std::vector<int> &dims, const std::vector<int> &strides) {
    size_t last = 0;
    for (size_t i = 0; i < dims.size(); i++)
      last += (size_t)(dims[i] - 1) * (size_t)strides[i];
    return last + 1;
  }
  tensor(const std::vector<int> &dims, int layout = NCHW)
      : dims(dims), strides(strides_of(dims, layout)), memory(reach(dims, strides_of(dims, layout))) {
    describe();
  }
  tensor(const tensor &of) : dims(of.dims), strides(of.strides), memory(of.memory) { describe(); }
  ~tensor() { cudnnDestroyTensorDescriptor(as); }
  void describe() {
    for (int d : dims)
      count *= (size_t)d;
    GOOD(cudnnCreateTensorDescriptor(&as));
    GOOD(cudnnSetTensorNdDescriptor(as, type_of<T>, (int)dims.size(), dims.data(), strides.data()));
  }
  size_t place(size_t index) const {
    size_t at = 0;
    for (size_t i = dims.size(); i-- > 0; index /= (size_t)dims[i])
      at += index % (size_t)dims[i] * (size_t)strides[i];
    return at;
  }
  double operator[](size_t index) const { return value(memory[place(index)]).real(); }
  void fill(const std::function<double(size_t)> &f) {
    for (size_t i = 0; i < count; i++)
      memory[place(i)] = make<T>(f(i));
  }
  numbers all() const {
    numbers found(count);
    for (size_t i = 0; i < count; i++)
      found[i] = (*this)[i];
    return found;
  }
  operator T *() { return memory.at; }
  operator const T *() const { return memory.at; }
};

/* The numbers of found are alpha * expected + beta * before, and what lies between them is as before. */
template <class T>
void compare(const char *what, const tensor<T> &found, const tensor<T> &before, const numbers &expected,
             double alpha = 1, double beta = 0, double size = 1) {
  size_t differ = 0;
  std::vector<char> is_in(found.memory.count);
  for (size_t i = 0; i < found.count; i++) {
    const double sum = alpha * expected[i] + (beta == 0 ? 0 : beta * before[i]);
    is_in[found.place(i)] = 1;
    const bool good =
        sum != sum ? found[i] != found[i] : found[i] == sum || near(found.memory[found.place(i)], number(sum), size);
    if (!good && differ++ < 2)
      printf("%s, number %zu: %g is not %g\n", what, i, found[i], sum);
  }
  for (size_t i = 0; i < found.memory.count; i++)
    differ += !is_in[i] && memcmp(&found.memory[i], &before.memory[i], sizeof(T)) != 0;
  if (differ)
    printf("%s: %zu of %zu differ\n", what, differ, found.count);
  CHECK(!differ);
}

/* alpha and beta as the tensors of T want them. */
template <class T> struct scalars {
  scalar_of<T> alpha, beta;
  scalars(double alpha, double beta) : alpha((scalar_of<T>)alpha), beta((scalar_of<T>)beta) {}
};
