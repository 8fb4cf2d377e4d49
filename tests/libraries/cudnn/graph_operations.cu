/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN's graph API: pointwise functions, products of matrices, reductions, forms and normalisations, against plain references. */
#include "graphs.h"

#include <cmath>
#include <tuple>

/* --- pointwise -------------------------------------------------------------------------------------------------------- */

using function = double (*)(double, double);
struct one_mode {
  cudnnPointwiseMode_t mode;
  int inputs;
  function what;
};
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double gelu(double x) { return x / 2 * (1 + erf(x / sqrt(2.0))); }
static double rough_gelu(double x) { return x / 2 * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }
static const one_mode modes[] = {
    {CUDNN_POINTWISE_ADD, 2, [](double x, double b) { return x + b; }},
    {CUDNN_POINTWISE_MUL, 2, [](double x, double b) { return x * b; }},
    {CUDNN_POINTWISE_MIN, 2, [](double x, double b) { return fmin(x, b); }},
    {CUDNN_POINTWISE_MAX, 2, [](double x, double b) { return fmax(x, b); }},
    {CUDNN_POINTWISE_ADD_SQUARE, 2, [](double x, double b) { return x + b * b; }},
    {CUDNN_POINTWISE_DIV, 2, [](double x, double b) { return x / b; }},
    {CUDNN_POINTWISE_MOD, 2, [](double x, double b) { return fmod(x, b); }},
    {CUDNN_POINTWISE_POW, 2, [](double x, double b) { return pow(x, b); }},
    {CUDNN_POINTWISE_SUB, 2, [](double x, double b) { return x - b; }},
    {CUDNN_POINTWISE_CMP_EQ, 2, [](double x, double b) { return double(x == b); }},
    {CUDNN_POINTWISE_CMP_NEQ, 2, [](double x, double b) { return double(x != b); }},
    {CUDNN_POINTWISE_CMP_GT, 2, [](double x, double b) { return double(x > b); }},
    {CUDNN_POINTWISE_CMP_GE, 2, [](double x, double b) { return double(x >= b); }},
    {CUDNN_POINTWISE_CMP_LT, 2, [](double x, double b) { return double(x < b); }},
    {CUDNN_POINTWISE_CMP_LE, 2, [](double x, double b) { return double(x <= b); }},
    {CUDNN_POINTWISE_LOGICAL_AND, 2, [](double x, double b) { return double(x != 0 && b != 0); }},
    {CUDNN_POINTWISE_LOGICAL_OR, 2, [](double x, double b) { return double(x != 0 || b != 0); }},
    {CUDNN_POINTWISE_LOGICAL_NOT, 1, [](double x, double) { return double(x == 0); }},
    {CUDNN_POINTWISE_SQRT, 1, [](double x, double) { return sqrt(x); }},
    {CUDNN_POINTWISE_ABS, 1, [](double x, double) { return fabs(x); }},
    {CUDNN_POINTWISE_CEIL, 1, [](double x, double) { return ceil(x); }},
    {CUDNN_POINTWISE_COS, 1, [](double x, double) { return cos(x); }},
    {CUDNN_POINTWISE_EXP, 1, [](double x, double) { return exp(x); }},
    {CUDNN_POINTWISE_FLOOR, 1, [](double x, double) { return floor(x); }},
    {CUDNN_POINTWISE_LOG, 1, [](double x, double) { return log(x); }},
    {CUDNN_POINTWISE_NEG, 1, [](double x, double) { return -x; }},
    {CUDNN_POINTWISE_RSQRT, 1, [](double x, double) { return 1 / sqrt(x); }},
    {CUDNN_POINTWISE_SIN, 1, [](double x, double) { return sin(x); }},
    {CUDNN_POINTWISE_TAN, 1, [](double x, double) { return tan(x); }},
    {CUDNN_POINTWISE_ERF, 1, [](double x, double) { return erf(x); }},
    {CUDNN_POINTWISE_IDENTITY, 1, [](double x, double) { return x; }},
    {CUDNN_POINTWISE_RECIPROCAL, 1, [](double x, double) { return 1 / x; }},
    {CUDNN_POINTWISE_RELU_FWD, 1, [](double x, double) { return x > 0 ? x : 0; }},
    {CUDNN_POINTWISE_TANH_FWD, 1, [](double x, double) { return tanh(x); }},
    {CUDNN_POINTWISE_SIGMOID_FWD, 1, [](double x, double) { return sigmoid(x); }},
    {CUDNN_POINTWISE_ELU_FWD, 1, [](double x, double) { return x > 0 ? x : exp(x) - 1; }},
    {CUDNN_POINTWISE_GELU_FWD, 1, [](double x, double) { return gelu(x); }},
    {CUDNN_POINTWISE_SOFTPLUS_FWD, 1, [](double x, double) { return log(1 + exp(x)); }},
    {CUDNN_POINTWISE_SWISH_FWD, 1, [](double x, double) { return x * sigmoid(x); }},
    {CUDNN_POINTWISE_GELU_APPROX_TANH_FWD, 1, [](double x, double) { return rough_gelu(x); }},
};

enum {
  X = 1,
  B,
  Y,
  T,
  DX,
  DY,
  EPSILON,
  FACTOR,
  SCALE,
  BIAS,
  MEAN,
  INVERSE,
  OLD_MEAN,
  OLD_VARIANCE,
  NEW_MEAN,
  NEW_VARIANCE
};

/* b is a tensor, one row of numbers for all, and one number by value. */
template <class Type> static void check_mode(const one_mode &m, int layout) {
  for (int kind = 0; kind < (m.inputs == 2 ? 3 : 1); kind++) {
    tensor<Type> x({2, 3, 4, 5}, layout), y({2, 3, 4, 5}, layout), b(kind ? std::vector<int>{1, 3, 1, 1} : x.dims);
    for (size_t i = 0; i < x.count; i += 7)
      x.memory[x.place(i)] = make<Type>(number(i % 2 ? 1 : 0));
    b.memory[0] = make<Type>(number(1));
    float constant = 0.75f;
    const descriptor of_b =
        kind < 2 ? named(B, b) : named(B, CUDNN_DATA_FLOAT, {1, 1, 1, 1}, {1, 1, 1, 1}, false, true);
    numbers expected(y.count);
    for (size_t i = 0; i < y.count; i++) {
      const double at = !kind ? b[i] : kind == 1 ? b[i / 20 % 3] : constant;
      expected[i] = m.what(2 * x[i], -1 * at);
    }
    const tensor<Type> before(y);
    run_graph(
        {apply(finalized(pointwise(m.mode)), named(X, x), m.inputs == 2 ? of_b : nullptr, named(Y, y), nullptr, 2, -1)},
        {{X, x}, {B, kind == 2 ? (void *)&constant : b.memory.at}, {Y, y}});
    compare(("pointwise " + std::to_string(m.mode)).c_str(), y, before, expected, 1, 0, 1);
  }
}

/* The slopes of modes are what their forward functions say. */
static void check_backward(cudnnPointwiseMode_t back, cudnnPointwiseMode_t forward) {
  function what = nullptr;
  for (const one_mode &m : modes)
    if (m.mode == forward)
      what = m.what;
  tensor<double> x({3, 4, 5}), dy({3, 4, 5}), dx({3, 4, 5});
  numbers expected(x.count);
  const double step = 1e-6;
  for (size_t i = 0; i < x.count; i++)
    expected[i] = dy[i] * (what(x[i] + step, 0) - what(x[i] - step, 0)) / (2 * step);
  descriptor made = create(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, finalized(pointwise(back, CUDNN_DATA_DOUBLE)));
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, named(X, x));
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, named(DY, dy));
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, named(DX, dx));
  run_graph({finalized(made)}, {{X, x}, {DY, dy}, {DX, dx}});
  for (size_t i = 0; i < x.count; i++)
    CHECK(fabs(dx[i] - expected[i]) < 1e-7);
}

static void check_parameters() {
  tensor<float> x({2, 30}), y({2, 30}), picked({2, 30}), t({2, 30});
  descriptor clip = pointwise(CUDNN_POINTWISE_RELU_FWD);
  set(clip, CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, -0.25f);
  set(clip, CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, 0.5);
  set(clip, CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, 0.125f);
  set(clip, CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_PROPAGATE_NAN);
  for (size_t i = 0; i < t.count; i += 3)
    t.memory[i] = 0;
  x.memory[5] = NAN;
  numbers expected(x.count), chosen(x.count);
  for (size_t i = 0; i < x.count; i++) {
    expected[i] = x[i] < -0.25 ? -0.25 + 0.125 * (x[i] + 0.25) : x[i] > 0.5 ? 0.5 : x[i];
    chosen[i] = t[i] != 0 ? x[i] : expected[i];
  }
  const tensor<float> before(y), picked_before(picked);
  run_graph({apply(finalized(clip), named(X, x), nullptr, named(Y, y)),
             apply(finalized(pointwise(CUDNN_POINTWISE_BINARY_SELECT)), named(X, x), named(Y, y), named(B, picked),
                   named(T, t))},
            {{X, x}, {Y, y}, {B, picked}, {T, t}});
  compare("clip", y, before, expected);
  compare("select", picked, picked_before, chosen);
  tensor<int> index({2, 3, 4});
  descriptor count = pointwise(CUDNN_POINTWISE_GEN_INDEX);
  set(count, CUDNN_ATTR_POINTWISE_AXIS, (int64_t)1);
  run_graph({apply(finalized(count), nullptr, nullptr, named(Y, index))}, {{Y, index}});
  for (size_t i = 0; i < index.count; i++)
    CHECK(index[i] == i / 4 % 3);
}

/* --- products, reductions, forms --------------------------------------------------------------------------------------- */

static descriptor product_of(const descriptor &a, const descriptor &b, const descriptor &c) {
  descriptor as = create(CUDNN_BACKEND_MATMUL_DESCRIPTOR), made = create(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  set(as, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_DESC, finalized(as));
  set(made, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
  return finalized(made);
}

/* a's matrices as they are, transposed (by strides), or with holes; b the same for all of the batch, or one for each. */
template <class Type> static void check_product(int layout, bool turned, int batch_b) {
  enum { BATCH = 3, M = 5, N = 7, K = 9 };
  tensor<Type> a({BATCH, M, K}, layout), b({batch_b, K, N}, layout), c({BATCH, M, N}, layout);
  std::vector<int> strides = a.strides;
  if (turned)
    strides = {M * K, 1, M};
  const auto at = [&](int n, int i, int k) {
    return value(a.memory[(size_t)n * strides[0] + (size_t)i * strides[1] + (size_t)k * strides[2]]).real();
  };
  numbers expected(c.count);
  for (int n = 0; n < BATCH; n++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        for (int k = 0; k < K; k++)
          expected[(size_t)((n * M + i) * N + j)] += at(n, i, k) * b[(size_t)(((batch_b > 1 ? n : 0) * K + k) * N + j)];
  const tensor<Type> before(c);
  run_graph({product_of(named(X, type_of<Type>, a.dims, strides), named(B, b), named(Y, c))}, {{X, a}, {B, b}, {Y, c}});
  compare("product", c, before, expected, 1, 0, 3);
}

template <class Type> static void check_reduction(cudnnReduceTensorOp_t op) {
  tensor<Type> x({3, 4, 5, 6}, NHWC), y({3, 1, 5, 1});
  numbers expected(y.count, op == CUDNN_REDUCE_TENSOR_MAX ? -1e9 : 0);
  for (size_t i = 0; i < x.count; i++) {
    double &to = expected[i / 120 * 5 + i / 6 % 5];
    to = op == CUDNN_REDUCE_TENSOR_MAX ? fmax(to, x[i]) : to + x[i] / (op == CUDNN_REDUCE_TENSOR_AVG ? 24 : 1);
  }
  descriptor as = create(CUDNN_BACKEND_REDUCTION_DESCRIPTOR),
             made = create(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  set(as, CUDNN_ATTR_REDUCTION_OPERATOR, op);
  set(as, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT);
  set(made, CUDNN_ATTR_OPERATION_REDUCTION_DESC, finalized(as));
  set(made, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, named(X, x));
  set(made, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, named(Y, y));
  const tensor<Type> before(y);
  run_graph({finalized(made)}, {{X, x}, {Y, y}});
  compare("reduction", y, before, expected, 1, 0, 3);
}

static void check_form() {
  tensor<float> x({2, 3, 4}, HOLES), y({6, 4});
  descriptor made = create(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, named(X, x));
  set(made, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, named(Y, y));
  const tensor<float> before(y);
  run_graph({finalized(made)}, {{X, x}, {Y, y}});
  compare("form", y, before, x.all());
}

/* --- normalisations ------------------------------------------------------------------------------------------------------ */

static const int C = 3, H = 4, WIDTH = 5, IMAGES = 2;

/* Which numbers have a mean in common, and which a scale. */
struct norm_kind {
  cudnnBackendNormMode_t mode;
  std::vector<int> means, scales;
};
static const norm_kind norms[] = {{CUDNN_BATCH_NORM, {1, C, 1, 1}, {1, C, 1, 1}},
                                  {CUDNN_INSTANCE_NORM, {IMAGES, C, 1, 1}, {1, C, 1, 1}},
                                  {CUDNN_LAYER_NORM, {IMAGES, 1, 1, 1}, {1, C, H, WIDTH}},
                                  {CUDNN_RMS_NORM, {IMAGES, 1, 1, 1}, {1, C, H, WIDTH}}};

/* Where number i of x is in a tensor of these dimensions. */
static size_t place(size_t i, const std::vector<int> &dims) {
  const size_t index[] = {i / 60, i / 20 % 3, i / 5 % 4, i % 5};
  size_t at = 0;
  for (int d = 0; d < 4; d++)
    at = at * (size_t)dims[(size_t)d] + (dims[(size_t)d] == 1 ? 0 : index[d]);
  return at;
}

template <class Type> static void check_norm(const norm_kind &n, int layout) {
  const double epsilon = 1e-3, factor = 0.25;
  double by_value = epsilon, by_factor = factor;
  const bool is_rms = n.mode == CUDNN_RMS_NORM, runs = n.mode == CUDNN_BATCH_NORM;
  tensor<Type> x({IMAGES, C, H, WIDTH}, layout), y(x), dy(x), dx(x);
  dy.fill([](size_t) { return next_number(); });
  tensor<float> scale(n.scales), bias(n.scales), dscale(n.scales), dbias(n.scales), mean(n.means), inverse(n.means);
  tensor<float> old_mean(n.means), old_variance(n.means), new_mean(n.means), new_variance(n.means);
  const size_t groups = mean.count, length = x.count / groups;
  numbers m(groups), v(groups), out(x.count), a(groups), b(groups), back(x.count), of_scale(scale.count),
      of_bias(scale.count);
  for (size_t i = 0; i < x.count && !is_rms; i++)
    m[place(i, n.means)] += x[i] / length;
  for (size_t i = 0; i < x.count; i++)
    v[place(i, n.means)] += pow(x[i] - m[place(i, n.means)], 2) / length;
  const auto high = [&](size_t i) { return (x[i] - m[place(i, n.means)]) / sqrt(v[place(i, n.means)] + epsilon); };
  for (size_t i = 0; i < x.count; i++) {
    const size_t s = place(i, n.scales), g = place(i, n.means);
    out[i] = high(i) * scale[s] + (is_rms ? 0 : bias[s]);
    of_scale[s] += dy[i] * high(i);
    of_bias[s] += dy[i];
    a[g] += is_rms ? 0 : dy[i] * scale[s] / length;
    b[g] += dy[i] * scale[s] * high(i) / length;
  }
  for (size_t i = 0; i < x.count; i++) {
    const size_t s = place(i, n.scales), g = place(i, n.means);
    back[i] = (dy[i] * scale[s] - a[g] - high(i) * b[g]) / sqrt(v[g] + epsilon);
  }
  const std::vector<int> ones(4, 1);
  const descriptor of_epsilon = named(EPSILON, CUDNN_DATA_DOUBLE, ones, ones, false, true);
  descriptor made = create(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, n.mode);
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_NORM_FWD_TRAINING);
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, named(X, x));
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, named(SCALE, scale));
  if (!is_rms) {
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, named(BIAS, bias));
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, named(MEAN, mean));
  }
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, named(INVERSE, inverse));
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, of_epsilon);
  set(made, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, named(Y, y));
  if (runs) {
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_EXP_AVG_FACTOR_DESC,
        named(FACTOR, CUDNN_DATA_DOUBLE, ones, ones, false, true));
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_INPUT_RUNNING_MEAN_DESC, named(OLD_MEAN, old_mean));
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_INPUT_RUNNING_VAR_DESC, named(OLD_VARIANCE, old_variance));
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_OUTPUT_RUNNING_MEAN_DESC, named(NEW_MEAN, new_mean));
    set(made, CUDNN_ATTR_OPERATION_NORM_FWD_OUTPUT_RUNNING_VAR_DESC, named(NEW_VARIANCE, new_variance));
  }
  const std::vector<binding> all = {{X, x},
                                    {SCALE, scale},
                                    {BIAS, bias},
                                    {MEAN, mean},
                                    {INVERSE, inverse},
                                    {EPSILON, &by_value},
                                    {FACTOR, &by_factor},
                                    {Y, y},
                                    {OLD_MEAN, old_mean},
                                    {OLD_VARIANCE, old_variance},
                                    {NEW_MEAN, new_mean},
                                    {NEW_VARIANCE, new_variance},
                                    {DY, dy},
                                    {DX, dx},
                                    {T, dscale},
                                    {B, dbias}};
  const tensor<Type> before(y), dx_before(dx);
  run_graph({finalized(made)}, all);
  compare("norm", y, before, out, 1, 0, 4);
  for (size_t g = 0; g < groups; g++) {
    CHECK(is_rms || fabs(mean[g] - m[g]) < 1e-5);
    CHECK(fabs(inverse[g] - 1 / sqrt(v[g] + epsilon)) < 1e-4);
    CHECK(!runs || fabs(new_mean[g] - (old_mean[g] * 0.75 + m[g] * 0.25)) < 1e-5);
    CHECK(!runs || fabs(new_variance[g] - (old_variance[g] * 0.75 + v[g] * 0.25 * length / (length - 1))) < 1e-5);
  }
  made = create(CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_MODE, n.mode);
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, named(X, x));
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, named(SCALE, scale));
  if (!is_rms)
    set(made, CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, named(MEAN, mean));
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, named(INVERSE, inverse));
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, named(DY, dy));
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, named(DX, dx));
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, named(T, dscale));
  set(made, CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, named(B, dbias));
  const tensor<float> scale_before(dscale);
  run_graph({finalized(made)}, all);
  compare("norm, data", dx, dx_before, back, 1, 0, 8);
  compare("norm, scale", dscale, scale_before, of_scale, 1, 0, 30);
  compare("norm, bias", dbias, scale_before, of_bias, 1, 0, 30);
}

int main() {
  GOOD(cudnnCreate(&handle));
  for (const one_mode &m : modes) {
    check_mode<float>(m, NCHW);
    check_mode<double>(m, HOLES);
  }
  check_mode<__half>(modes[1], NHWC);
  static const cudnnPointwiseMode_t back[] = {CUDNN_POINTWISE_RELU_BWD,    CUDNN_POINTWISE_TANH_BWD,
                                              CUDNN_POINTWISE_SIGMOID_BWD, CUDNN_POINTWISE_ELU_BWD,
                                              CUDNN_POINTWISE_GELU_BWD,    CUDNN_POINTWISE_SOFTPLUS_BWD,
                                              CUDNN_POINTWISE_SWISH_BWD,   CUDNN_POINTWISE_GELU_APPROX_TANH_BWD};
  for (cudnnPointwiseMode_t one : back)
    check_backward(one, (cudnnPointwiseMode_t)(one - CUDNN_POINTWISE_RELU_BWD + CUDNN_POINTWISE_RELU_FWD));
  check_parameters();
  for (int layout = NCHW; layout < LAYOUTS; layout++)
    for (int batch = 1; batch <= 3; batch += 2) {
      check_product<float>(layout, false, batch);
      check_product<double>(layout, layout == NCHW, batch);
      check_product<__half>(layout, false, batch);
    }
  check_product<float>(NCHW, true, 3);
  check_reduction<float>(CUDNN_REDUCE_TENSOR_ADD);
  check_reduction<float>(CUDNN_REDUCE_TENSOR_MAX);
  check_reduction<__half>(CUDNN_REDUCE_TENSOR_AVG);
  check_form();
  for (const norm_kind &n : norms)
    for (int layout = NCHW; layout < LAYOUTS; layout++) {
      check_norm<float>(n, layout);
      check_norm<__half>(n, layout);
    }
  GOOD(cudnnDestroy(handle));
  return report("graph_operations");
}
