/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: convolutions of graphs. Images may be padded before and after differently, filters have strides of their own,
 * and what the result is of may be floats where the operands are smaller. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#include <limits.h>

#include "convolution.h"

/* The attributes of one of the three operations. */
typedef struct names {
  uwdnn_pass pass;
  int x, w, y, convolution, alpha, beta;
} names;

#define OF(which, x, w, y)                                                                                             \
  CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_##x, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_##w,                      \
      CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_##y, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_CONV_DESC,            \
      CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_##which##_BETA

static names names_of(const uwdnn_backend *operation) {
  switch ((int)operation->type) {
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR: return (names){UWDNN_FORWARD, OF(FORWARD, X, W, Y)};
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    return (names){UWDNN_DATA, OF(BWD_DATA, DX, W, DY)};
  default: return (names){UWDNN_FILTER, OF(BWD_FILTER, X, DW, DY)};
  }
}

/* The descriptor, and whether these tensors go with it. */
static cudnnStatus_t take(const uwdnn_backend *of, const uwdnn_view *x, const uwdnn_view *w, const uwdnn_view *y,
                          struct cudnnConvolutionStruct *made) {
  NEED(of->type == CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const int64_t rank = uwdnn_integer(of, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0);
  NEED(x->rank == rank + 2 && w->rank == x->rank && y->rank == x->rank);
  NEED(x->dims[1] % w->dims[1] == 0 && x->dims[0] == y->dims[0] && w->dims[0] == y->dims[1]);
  SUPPORTED(rank <= UWDNN_SPACE);
  *made = (struct cudnnConvolutionStruct){
      .rank = (int)rank,
      .groups = (int)(x->dims[1] / w->dims[1]),
      .mode = (cudnnConvolutionMode_t)uwdnn_integer(of, CUDNN_ATTR_CONVOLUTION_CONV_MODE, 0),
      .compute = (cudnnDataType_t)uwdnn_integer(of, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, 0)};
  NEED(w->dims[0] % made->groups == 0);
  const int64_t *before = uwdnn_integers(of, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
  const int64_t *after = uwdnn_integers(of, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  const int64_t *stride = uwdnn_integers(of, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
  const int64_t *dilation = uwdnn_integers(of, CUDNN_ATTR_CONVOLUTION_DILATIONS);
  for (int i = 0; i < rank; i++) {
    SUPPORTED(before[i] >= 0 && after[i] >= 0 && before[i] < INT_MAX && after[i] < INT_MAX);
    SUPPORTED(stride[i] < INT_MAX && dilation[i] < INT_MAX && w->dims[i + 2] < INT_MAX);
    const int64_t room = x->dims[i + 2] + before[i] + after[i], reach = (w->dims[i + 2] - 1) * dilation[i] + 1;
    NEED(room >= reach && (room - reach) / stride[i] + 1 == y->dims[i + 2]);
    made->pad[i] = (int)before[i];
    made->stride[i] = (int)stride[i];
    made->dilation[i] = (int)dilation[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

static int are_types(const names *of, const uwdnn_view *x, const uwdnn_view *w, const uwdnn_view *y,
                     cudnnDataType_t compute) {
  uwdnn_view views[] = {*x, *w, *y};
  const int result = of->pass == UWDNN_FORWARD ? 2 : of->pass == UWDNN_DATA ? 0 : 1, other = result == 2 ? 0 : 2;
  const cudnnDataType_t small = views[other].type;
  if (views[result].type == CUDNN_DATA_FLOAT && (small == CUDNN_DATA_HALF || small == CUDNN_DATA_BFLOAT16))
    views[result].type = small;
  return uwdnn_are_convolved(of->pass, &views[0], &views[1], &views[2], compute);
}

cudnnStatus_t uwdnn_run_convolution(const uwdnn_run *run, const uwdnn_backend *operation) {
  const names of = names_of(operation);
  uwdnn_use x, w, y;
  TRY(uwdnn_use_tensor(run, operation, of.x, &x));
  TRY(uwdnn_use_tensor(run, operation, of.w, &w));
  TRY(uwdnn_use_tensor(run, operation, of.y, &y));
  NEED(!x.is_value && !w.is_value && !y.is_value);
  struct cudnnConvolutionStruct convolution;
  TRY(take(uwdnn_descriptor(operation, of.convolution), &x.view, &w.view, &y.view, &convolution));
  SUPPORTED(are_types(&of, &x.view, &w.view, &y.view, convolution.compute));
  uwdnn_problem problem;
  TRY(uwdnn_problem_of(&problem, of.pass, &x.view, &w.view, &y.view, &convolution));
  SUPPORTED(uwdnn_is_apart(uwdnn_result(&problem)));
  CHECKED;
  uwdnn_operands operands = {x.at, w.at, y.at, uwdnn_real(operation, of.alpha, 1), uwdnn_real(operation, of.beta, 0),
                             NULL};
  return uwdnn_convolve(run->handle, &problem, of.pass == UWDNN_FORWARD ? 0 : 1, &operands, 0);
}
#endif
