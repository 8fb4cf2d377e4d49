/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: normalisations of graphs. The numbers of x that have a mean in common are a group: mean has 1 in the
 * dimensions along which a group goes. All tensors are gathered as doubles with one group after the other, whatever the
 * mode is. RMS: as if the mean were 0. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#include <math.h>

typedef struct norm_call {
  uwdnn_use x, scale, bias, mean, inverse, y, dy, dscale, dbias; /* y: or dx */
  uwdnn_use running[2], updated[2];                              /* mean and variance */
  unsigned int kept;                                             /* dimensions of the means */
  int is_rms, is_backward, reads_moments;
  double epsilon, factor;
} norm_call;

/* --- the work ----------------------------------------------------------------------------------------------------- */

/* The dimensions of x that are in kept, then, or not, those that are not; where view has 1, its number is repeated. */
static uwdnn_view arranged(const norm_call *call, const uwdnn_view *view, int all) {
  uwdnn_view made = {.type = view->type, .vector = 1};
  for (int over = 0; over <= all; over++)
    for (int i = 0; i < view->rank; i++)
      if ((call->kept >> i & 1) != (unsigned)over) {
        made.dims[made.rank] = call->x.view.dims[i];
        made.strides[made.rank++] = view->dims[i] == 1 ? 0 : view->strides[i];
      }
  if (!made.rank)
    made.rank = 1, made.dims[0] = made.strides[0] = 1;
  return made;
}

typedef struct work {
  const norm_call *call;
  int64_t groups, length;
  double *x, *scale, *other; /* other: bias, or dy */
  double *mean, *variance, *inverse;
} work;

static double *gather(const norm_call *call, const uwdnn_use *use, int slot) {
  const uwdnn_view view = arranged(call, &use->view, 1);
  double *all = uwdnn_memory(slot, (size_t)uwdnn_view_count(&view) * sizeof *all);
  uwdnn_gather(&view, use->at, CUDNN_DATA_DOUBLE, all);
  return all;
}
static void gather_moments(const norm_call *call, const uwdnn_use *use, double *to) {
  const uwdnn_view view = arranged(call, &use->view, 0);
  uwdnn_gather(&view, use->at, CUDNN_DATA_DOUBLE, to);
}
static void store_moments(const norm_call *call, const uwdnn_use *use, const double *from) {
  const uwdnn_view view = arranged(call, &use->view, 0);
  if (use->view.rank)
    uwdnn_blend(&view, use->at, CUDNN_DATA_DOUBLE, from, 1, 0);
}

static void find_moments(work *w) {
#pragma omp parallel for
  for (int64_t g = 0; g < w->groups; g++) {
    const double *x = w->x + g * w->length;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < w->length && !w->call->is_rms; i++)
      sum += x[i];
    w->mean[g] = sum / (double)w->length;
    for (int64_t i = 0; i < w->length; i++)
      squares += (x[i] - w->mean[g]) * (x[i] - w->mean[g]);
    w->variance[g] = squares / (double)w->length;
    w->inverse[g] = 1 / sqrt(w->variance[g] + w->call->epsilon);
  }
}

/* Leaves `variance` what it was, without bias, and what is running weighed with it. */
static void update_running(work *w) {
  const norm_call *c = w->call;
  double *const found[] = {w->mean, w->variance}, *old = w->inverse;
  const double unbiased = w->length > 1 ? (double)w->length / (double)(w->length - 1) : 1;
  for (int i = 0; i < 2; i++) {
    if (!c->updated[i].view.rank)
      continue;
    gather_moments(c, &c->running[i], old);
    for (int64_t g = 0; g < w->groups; g++)
      old[g] = (1 - c->factor) * old[g] + c->factor * found[i][g] * (i ? unbiased : 1);
    store_moments(c, &c->updated[i], old);
  }
}

static void prepare(work *w, const norm_call *call) {
  const uwdnn_view moments = arranged(call, &call->x.view, 0);
  w->call = call;
  w->groups = uwdnn_view_count(&moments);
  w->length = uwdnn_view_count(&call->x.view) / w->groups;
  w->x = gather(call, &call->x, UWL_SCRATCH_A);
  w->scale = gather(call, &call->scale, UWL_SCRATCH_B);
  const uwdnn_use *other = call->is_backward ? &call->dy : &call->bias;
  w->other = other->view.rank ? gather(call, other, UWL_SCRATCH_C) : NULL;
  w->mean = uwdnn_memory(UWL_SCRATCH_WORK, (size_t)w->groups * 3 * sizeof *w->mean);
  w->variance = w->mean + w->groups;
  w->inverse = w->variance + w->groups;
  if (!call->reads_moments) {
    find_moments(w);
    return;
  }
  for (int64_t g = 0; g < w->groups; g++)
    w->mean[g] = 0;
  if (call->mean.view.rank)
    gather_moments(call, &call->mean, w->mean);
  gather_moments(call, &call->inverse, w->inverse);
}

static void store_all(const norm_call *call, const uwdnn_use *use, const double *from) {
  const uwdnn_view view = arranged(call, &use->view, 1);
  uwdnn_blend(&view, use->at, CUDNN_DATA_DOUBLE, from, 1, 0);
}

UWL_OPERATION(cudnnBackendNormForward, norm_call) {
  work w;
  prepare(&w, call);
#pragma omp parallel for
  for (int64_t g = 0; g < w.groups; g++)
    for (int64_t i = g * w.length; i < (g + 1) * w.length; i++)
      w.x[i] = (w.x[i] - w.mean[g]) * w.inverse[g] * w.scale[i] + (w.other ? w.other[i] : 0);
  store_all(call, &call->y, w.x);
  if (call->reads_moments)
    return;
  store_moments(call, &call->mean, w.mean);
  store_moments(call, &call->inverse, w.inverse);
  update_running(&w);
}

/* Adds up `from` along what is repeated of a parameter. */
static void sum_into(const norm_call *call, const uwdnn_use *use, const double *from) {
  uwdnn_view packed = use->view;
  int64_t step = 1, count = uwdnn_view_count(&call->x.view);
  for (int i = packed.rank; i-- > 0; step *= packed.dims[i])
    packed.strides[i] = step;
  const uwdnn_view view = arranged(call, &packed, 1);
  double *sums = uwdnn_memory(UWL_SCRATCH_WORK, (size_t)step * sizeof *sums);
  for (int64_t i = 0; i < step; i++)
    sums[i] = 0;
  for (int64_t i = 0; i < count; i++) {
    int64_t at = 0, rest = i;
    for (int d = view.rank; d-- > 0; rest /= view.dims[d])
      at += rest % view.dims[d] * view.strides[d];
    sums[at] += from[i];
  }
  uwdnn_blend(&use->view, use->at, CUDNN_DATA_DOUBLE, sums, 1, 0);
}

/* With x made (x - mean) * inverse, and dy * scale, a and b the means of that and of their product: dx = inverse * (dy
 * * scale - a - x * b). */
static void back_group(const work *w, int64_t g) {
  double *x = w->x + g * w->length, *dx = w->scale + g * w->length, a = 0, b = 0;
  const double *dy = w->other + g * w->length;
  for (int64_t i = 0; i < w->length; i++) {
    x[i] = (x[i] - w->mean[g]) * w->inverse[g];
    dx[i] *= dy[i];
    a += dx[i];
    b += dx[i] * x[i];
  }
  a = w->call->is_rms ? 0 : a / (double)w->length;
  b /= (double)w->length;
  for (int64_t i = 0; i < w->length; i++) {
    dx[i] = w->inverse[g] * (dx[i] - a - x[i] * b);
    x[i] *= dy[i];
  }
}

UWL_OPERATION(cudnnBackendNormBackward, norm_call) {
  work w;
  prepare(&w, call);
#pragma omp parallel for
  for (int64_t g = 0; g < w.groups; g++)
    back_group(&w, g);
  store_all(call, &call->y, w.scale);
  sum_into(call, &call->dscale, w.x);
  if (call->dbias.view.rank)
    sum_into(call, &call->dbias, w.other);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static cudnnStatus_t find_kept(norm_call *call, int mode) {
  const uwdnn_view *x = &call->x.view;
  const uwdnn_view *moments = call->mean.view.rank      ? &call->mean.view
                              : call->inverse.view.rank ? &call->inverse.view
                                                        : NULL;
  NEED(call->scale.view.rank == x->rank && x->rank >= 2 && (!moments || moments->rank == x->rank));
  for (int i = 0; i < x->rank; i++) {
    const int is_kept = moments                       ? moments->dims[i] != 1
                        : mode == CUDNN_BATCH_NORM    ? i == 1
                        : mode == CUDNN_INSTANCE_NORM ? i < 2
                                                      : call->scale.view.dims[i] == 1;
    call->kept |= (unsigned)is_kept << i;
  }
  return CUDNN_STATUS_SUCCESS;
}

/* A parameter has the dimensions of x or 1; moments just those that are kept; what is as large as x has all. */
static cudnnStatus_t check(const norm_call *call, const uwdnn_use *use, int is_moment, int is_result) {
  const uwdnn_view *x = &call->x.view, *view = &use->view;
  if (!view->rank)
    return CUDNN_STATUS_SUCCESS;
  NEED(view->rank == x->rank && !use->is_value);
  for (int i = 0; i < x->rank; i++) {
    NEED(view->dims[i] == x->dims[i] || view->dims[i] == 1);
    NEED(!is_moment || view->dims[i] == (call->kept >> i & 1 ? x->dims[i] : 1));
  }
  SUPPORTED(view->vector == 1 && (!is_result || uwdnn_is_apart(view)) && uwdnn_is_real(view->type));
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_all(norm_call *call, int mode) {
  SUPPORTED(mode == CUDNN_LAYER_NORM || mode == CUDNN_INSTANCE_NORM || mode == CUDNN_BATCH_NORM ||
            mode == CUDNN_RMS_NORM);
  call->is_rms = mode == CUDNN_RMS_NORM;
  NEED(call->x.view.rank && call->y.view.rank && call->scale.view.rank);
  TRY(find_kept(call, mode));
  TRY(check(call, &call->x, 0, 0));
  NEED(uwdnn_same_dims(&call->x.view, &call->y.view));
  TRY(check(call, &call->y, 0, 1));
  TRY(check(call, &call->scale, 0, 0));
  TRY(check(call, &call->bias, 0, 0));
  TRY(check(call, &call->mean, 1, !call->reads_moments));
  TRY(check(call, &call->inverse, 1, !call->reads_moments));
  NEED(!call->is_backward || uwdnn_same_dims(&call->x.view, &call->dy.view));
  TRY(check(call, &call->dy, 0, 0));
  TRY(check(call, &call->dscale, 0, 1));
  TRY(check(call, &call->dbias, 0, 1));
  for (int i = 0; i < 2; i++) {
    TRY(check(call, &call->running[i], 1, 0));
    TRY(check(call, &call->updated[i], 1, 1));
    NEED(!call->updated[i].view.rank || call->running[i].view.rank);
  }
  return CUDNN_STATUS_SUCCESS;
}

/* A number that is given as a tensor of one. */
static cudnnStatus_t take_scalar(const uwdnn_use *use, double *value) {
  if (!use->view.rank)
    return CUDNN_STATUS_SUCCESS;
  NEED(uwdnn_view_count(&use->view) == 1);
  SUPPORTED(use->is_value);
  *value = use->value;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t forward(const uwdnn_run *run, const uwdnn_backend *operation) {
  norm_call call = {0};
  uwdnn_use epsilon, factor;
  USE(NORM_FWD_XDESC, &call.x);
  USE(NORM_FWD_SCALE_DESC, &call.scale);
  USE(NORM_FWD_BIAS_DESC, &call.bias);
  USE(NORM_FWD_MEAN_DESC, &call.mean);
  USE(NORM_FWD_INV_VARIANCE_DESC, &call.inverse);
  USE(NORM_FWD_YDESC, &call.y);
  USE(NORM_FWD_INPUT_RUNNING_MEAN_DESC, &call.running[0]);
  USE(NORM_FWD_INPUT_RUNNING_VAR_DESC, &call.running[1]);
  USE(NORM_FWD_OUTPUT_RUNNING_MEAN_DESC, &call.updated[0]);
  USE(NORM_FWD_OUTPUT_RUNNING_VAR_DESC, &call.updated[1]);
  USE(NORM_FWD_EPSILON_DESC, &epsilon);
  USE(NORM_FWD_EXP_AVG_FACTOR_DESC, &factor);
  const int mode = (int)uwdnn_integer(operation, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, 0);
  const int64_t phase = uwdnn_integer(operation, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, 0);
  NEED(phase == CUDNN_NORM_FWD_INFERENCE || phase == CUDNN_NORM_FWD_TRAINING);
  call.reads_moments = phase == CUDNN_NORM_FWD_INFERENCE && (call.inverse.view.rank || mode == CUDNN_BATCH_NORM);
  NEED(!call.reads_moments || (call.inverse.view.rank && (call.mean.view.rank || mode == CUDNN_RMS_NORM)));
  NEED(call.reads_moments || epsilon.view.rank);
  TRY(take_scalar(&epsilon, &call.epsilon));
  TRY(take_scalar(&factor, &call.factor));
  NEED(!call.updated[0].view.rank || factor.view.rank);
  TRY(check_all(&call, mode));
  CHECKED;
  GIVE_RUN(cudnnBackendNormForward, call);
}

static cudnnStatus_t backward(const uwdnn_run *run, const uwdnn_backend *operation) {
  norm_call call = {.is_backward = 1};
  uwdnn_use epsilon;
  USE(NORM_BWD_XDESC, &call.x);
  USE(NORM_BWD_SCALE_DESC, &call.scale);
  USE(NORM_BWD_MEAN_DESC, &call.mean);
  USE(NORM_BWD_INV_VARIANCE_DESC, &call.inverse);
  USE(NORM_BWD_DYDESC, &call.dy);
  USE(NORM_BWD_DXDESC, &call.y);
  USE(NORM_BWD_DSCALE_DESC, &call.dscale);
  USE(NORM_BWD_DBIAS_DESC, &call.dbias);
  USE(NORM_BWD_EPSILON_DESC, &epsilon);
  const int mode = (int)uwdnn_integer(operation, CUDNN_ATTR_OPERATION_NORM_BWD_MODE, 0);
  call.reads_moments = call.inverse.view.rank != 0;
  NEED(mode == CUDNN_RMS_NORM || !call.mean.view.rank == !call.reads_moments);
  NEED(call.reads_moments || epsilon.view.rank);
  TRY(take_scalar(&epsilon, &call.epsilon));
  TRY(check_all(&call, mode));
  CHECKED;
  GIVE_RUN(cudnnBackendNormBackward, call);
}

cudnnStatus_t uwdnn_run_norm(const uwdnn_run *run, const uwdnn_backend *operation) {
  return operation->type == CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR ? forward(run, operation)
                                                                            : backward(run, operation);
}
#endif
