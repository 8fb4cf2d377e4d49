/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: functions of numbers at the same place, of graphs. Computed in doubles. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#include <float.h>
#include <math.h>

#include "map.h"

typedef struct pointwise_call {
  uwdnn_map map;
  int is_value[UWDNN_MAP_INPUTS];
  double value[UWDNN_MAP_INPUTS];
  double scale[2]; /* of x and b */
  double lower, upper, slope, elu, softplus, swish;
  int mode, keeps_nan, axis;
} pointwise_call;

/* --- functions ---------------------------------------------------------------------------------------------------- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }
static double normal_below(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static double normal_at(double x) { return exp(-x * x / 2) * (M_2_SQRTPI * M_SQRT1_2 / 2); }
static const double gelu_inner = M_2_SQRTPI * M_SQRT1_2, gelu_cube = 0.044715; /* sqrt(2 / pi) */

static double relu(const pointwise_call *c, double x) {
  if (x != x)
    return c->keeps_nan ? x : c->lower;
  return x < c->lower ? c->lower + c->slope * (x - c->lower) : x > c->upper ? c->upper : x;
}
static double relu_slope(const pointwise_call *c, double x) {
  return x <= c->lower ? c->slope : x > c->upper ? 0 : x == x || c->keeps_nan ? 1 : 0;
}
static double approximate_gelu(double x) { return 0.5 * x * (1 + tanh(gelu_inner * (x + gelu_cube * x * x * x))); }
static double approximate_gelu_slope(double x) {
  const double t = tanh(gelu_inner * (x + gelu_cube * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * gelu_inner * (1 + 3 * gelu_cube * x * x);
}
static double swish_slope(double beta, double x) {
  const double gate = sigmoid(beta * x);
  return gate + beta * x * gate * (1 - gate);
}
static double tanh_slope(double x) {
  const double y = tanh(x);
  return 1 - y * y;
}
static double sigmoid_slope(double x) { return sigmoid(x) * (1 - sigmoid(x)); }
static double least(const pointwise_call *c, double x, double b) {
  return c->keeps_nan && (x != x || b != b) ? NAN : fmin(x, b);
}
static double most(const pointwise_call *c, double x, double b) {
  return c->keeps_nan && (x != x || b != b) ? NAN : fmax(x, b);
}

/* mode, what it is of x, of x and b; or of dy and x; or of x, b and t */
#define ONE(X)                                                                                                         \
  X(SQRT, sqrt(x))                                                                                                     \
  X(ABS, fabs(x))                                                                                                      \
  X(CEIL, ceil(x))                                                                                                     \
  X(COS, cos(x))                                                                                                       \
  X(EXP, exp(x))                                                                                                       \
  X(FLOOR, floor(x))                                                                                                   \
  X(LOG, log(x))                                                                                                       \
  X(NEG, -x)                                                                                                           \
  X(RSQRT, 1 / sqrt(x))                                                                                                \
  X(SIN, sin(x))                                                                                                       \
  X(TAN, tan(x))                                                                                                       \
  X(ERF, erf(x))                                                                                                       \
  X(IDENTITY, x)                                                                                                       \
  X(RECIPROCAL, 1 / x)                                                                                                 \
  X(LOGICAL_NOT, x == 0)                                                                                               \
  X(RELU_FWD, relu(c, x))                                                                                              \
  X(TANH_FWD, tanh(x))                                                                                                 \
  X(SIGMOID_FWD, sigmoid(x))                                                                                           \
  X(ELU_FWD, x > 0 ? x : c->elu * expm1(x))                                                                            \
  X(GELU_FWD, x *normal_below(x))                                                                                      \
  X(SOFTPLUS_FWD, softplus(c->softplus *x) / c->softplus)                                                              \
  X(SWISH_FWD, x *sigmoid(c->swish *x))                                                                                \
  X(GELU_APPROX_TANH_FWD, approximate_gelu(x))
#define TWO(X)                                                                                                         \
  X(ADD, x + b)                                                                                                        \
  X(MUL, x *b)                                                                                                         \
  X(MIN, least(c, x, b))                                                                                               \
  X(MAX, most(c, x, b))                                                                                                \
  X(ADD_SQUARE, x + b * b)                                                                                             \
  X(DIV, x / b)                                                                                                        \
  X(MOD, fmod(x, b))                                                                                                   \
  X(POW, pow(x, b))                                                                                                    \
  X(SUB, x - b)                                                                                                        \
  X(ATAN2, atan2(x, b))                                                                                                \
  X(CMP_EQ, x == b)                                                                                                    \
  X(CMP_NEQ, x != b)                                                                                                   \
  X(CMP_GT, x > b)                                                                                                     \
  X(CMP_GE, x >= b)                                                                                                    \
  X(CMP_LT, x < b)                                                                                                     \
  X(CMP_LE, x <= b)                                                                                                    \
  X(LOGICAL_AND, x != 0 && b != 0)                                                                                     \
  X(LOGICAL_OR, x != 0 || b != 0)
#define BACK(X)                                                                                                        \
  X(RELU_BWD, relu_slope(c, x))                                                                                        \
  X(TANH_BWD, tanh_slope(x))                                                                                           \
  X(SIGMOID_BWD, sigmoid_slope(x))                                                                                     \
  X(ELU_BWD, x > 0 ? 1 : c->elu * exp(x))                                                                              \
  X(GELU_BWD, normal_below(x) + x * normal_at(x))                                                                      \
  X(SOFTPLUS_BWD, sigmoid(c->softplus *x))                                                                             \
  X(SWISH_BWD, swish_slope(c->swish, x))                                                                               \
  X(GELU_APPROX_TANH_BWD, approximate_gelu_slope(x))

static void compute(const void *context, const double *const *in, double *out, int64_t count) {
  const pointwise_call *c = context;
  switch (c->mode) {
#define DO_ONE(name, value)                                                                                            \
  case CUDNN_POINTWISE_##name:                                                                                         \
    for (int64_t i = 0; i < count; i++) {                                                                              \
      const double x = c->scale[0] * in[0][i];                                                                         \
      out[i] = value;                                                                                                  \
    }                                                                                                                  \
    break;
#define DO_TWO(name, value)                                                                                            \
  case CUDNN_POINTWISE_##name:                                                                                         \
    for (int64_t i = 0; i < count; i++) {                                                                              \
      const double x = c->scale[0] * in[0][i], b = c->scale[1] * in[1][i];                                             \
      out[i] = value;                                                                                                  \
    }                                                                                                                  \
    break;
#define DO_BACK(name, value)                                                                                           \
  case CUDNN_POINTWISE_##name:                                                                                         \
    for (int64_t i = 0; i < count; i++) {                                                                              \
      const double x = in[1][i];                                                                                       \
      out[i] = in[0][i] * (value);                                                                                     \
    }                                                                                                                  \
    break;
    ONE(DO_ONE)
    TWO(DO_TWO)
    BACK(DO_BACK)
  case CUDNN_POINTWISE_BINARY_SELECT:
    for (int64_t i = 0; i < count; i++)
      out[i] = in[2][i] != 0 ? c->scale[0] * in[0][i] : c->scale[1] * in[1][i];
  }
}

/* How many tensors a mode reads; -1: there is none of that number. */
static int inputs_of(int mode) {
  switch (mode) {
#define IS_ONE(name, value)                                                                                            \
  case CUDNN_POINTWISE_##name: return 1;
#define IS_TWO(name, value)                                                                                            \
  case CUDNN_POINTWISE_##name: return 2;
    ONE(IS_ONE)
    TWO(IS_TWO)
    BACK(IS_TWO)
  case CUDNN_POINTWISE_GEN_INDEX: return 0;
  case CUDNN_POINTWISE_BINARY_SELECT: return 3;
  default: return -1;
  }
}
int uwdnn_is_pointwise_mode(int mode) { return inputs_of(mode) >= 0; }
static int is_backward(int mode) { return mode >= CUDNN_POINTWISE_RELU_BWD && mode < CUDNN_POINTWISE_CMP_EQ; }

/* --- the work ----------------------------------------------------------------------------------------------------- */

UWL_OPERATION(cudnnBackendPointwise, pointwise_call) {
  pointwise_call own = *call;
  for (int i = 0; i < own.map.inputs; i++)
    if (own.is_value[i])
      own.map.in_at[i] = &own.value[i];
  uwdnn_map_run(&own.map, compute, &own);
}

UWL_OPERATION(cudnnBackendGenIndex, pointwise_call) {
  const uwdnn_view *out = &call->map.out;
  const int64_t count = uwdnn_view_count(out);
  double *indices = uwdnn_memory(UWL_SCRATCH_A, (size_t)count * sizeof *indices);
  int64_t inner = 1;
  for (int i = call->axis + 1; i < out->rank; i++)
    inner *= out->dims[i];
  for (int64_t i = 0; i < count; i++)
    indices[i] = (double)(i / inner % out->dims[call->axis]);
  uwdnn_blend(out, call->map.out_at, CUDNN_DATA_DOUBLE, indices, 1, 0);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static cudnnStatus_t add(pointwise_call *call, const uwdnn_use *in) {
  NEED(in->view.rank);
  uwdnn_view view = in->view;
  const int at = call->map.inputs;
  if (in->is_value) { /* a number of ours, for all places */
    view = (uwdnn_view){.type = CUDNN_DATA_DOUBLE, .rank = call->map.out.rank, .vector = 1};
    for (int i = 0; i < view.rank; i++)
      view.dims[i] = 1;
    call->is_value[at] = 1;
    call->value[at] = in->value;
  }
  SUPPORTED(view.vector == 1 && call->map.out.vector == 1);
  NEED(uwdnn_map_add(&call->map, &view, in->at));
  return CUDNN_STATUS_SUCCESS;
}

static void read_parameters(pointwise_call *call, const uwdnn_backend *of) {
  call->mode = (int)uwdnn_integer(of, CUDNN_ATTR_POINTWISE_MODE, 0);
  call->keeps_nan = (int)uwdnn_integer(of, CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_NOT_PROPAGATE_NAN);
  call->lower = uwdnn_real(of, CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, 0);
  call->upper = uwdnn_real(of, CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, INFINITY);
  call->upper = call->upper >= FLT_MAX ? INFINITY : call->upper;
  call->slope = uwdnn_real(of, CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, 0);
  call->elu = uwdnn_real(of, CUDNN_ATTR_POINTWISE_ELU_ALPHA, 1);
  call->softplus = uwdnn_real(of, CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, 1);
  call->swish = uwdnn_real(of, CUDNN_ATTR_POINTWISE_SWISH_BETA, 1);
  call->axis = (int)uwdnn_integer(of, CUDNN_ATTR_POINTWISE_AXIS, -1);
}

/* dx of dy and x. */
static cudnnStatus_t take_backward(const uwdnn_run *run, const uwdnn_backend *operation, pointwise_call *call) {
  uwdnn_use x, dy, dx;
  USE(POINTWISE_XDESC, &x);
  USE(POINTWISE_DYDESC, &dy);
  USE(POINTWISE_DXDESC, &dx);
  NEED(dx.view.rank && dy.view.rank);
  SUPPORTED(x.view.rank); /* not of y alone */
  SUPPORTED(call->scale[0] == 1 && call->scale[1] == 1);
  call->map.out = dx.view;
  call->map.out_at = dx.at;
  TRY(add(call, &dy));
  return add(call, &x);
}

static cudnnStatus_t take_forward(const uwdnn_run *run, const uwdnn_backend *operation, pointwise_call *call) {
  uwdnn_use in[UWDNN_MAP_INPUTS], y;
  USE(POINTWISE_XDESC, &in[0]);
  USE(POINTWISE_BDESC, &in[1]);
  USE(POINTWISE_TDESC, &in[2]);
  USE(POINTWISE_YDESC, &y);
  NEED(y.view.rank);
  call->map.out = y.view;
  call->map.out_at = y.at;
  for (int i = 0; i < inputs_of(call->mode); i++)
    TRY(add(call, &in[i]));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_run_pointwise(const uwdnn_run *run, const uwdnn_backend *operation) {
  const uwdnn_backend *of = uwdnn_descriptor(operation, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  NEED(of->type == CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  pointwise_call call = {.map.alpha = 1,
                         .scale = {uwdnn_real(operation, CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, 1),
                                   uwdnn_real(operation, CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, 1)}};
  read_parameters(&call, of);
  TRY(is_backward(call.mode) ? take_backward(run, operation, &call) : take_forward(run, operation, &call));
  SUPPORTED(uwdnn_is_apart(&call.map.out));
  NEED(call.mode != CUDNN_POINTWISE_GEN_INDEX || (call.axis >= 0 && call.axis < call.map.out.rank));
  CHECKED;
  if (call.mode == CUDNN_POINTWISE_GEN_INDEX)
    GIVE_RUN(cudnnBackendGenIndex, call);
  GIVE_RUN(cudnnBackendPointwise, call);
}
#endif
