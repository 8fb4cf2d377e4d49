/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: batch normalisation's work. Floats and doubles are computed in place where they are packed, with channels
 * first or (spatially) last; all else is gathered into packed floats or doubles, and blended back. Channels' numbers
 * are few: they are doubles in the order of the channels. */
#include <math.h>
#include <string.h>

#include "../../runtime/for_each_level.h"
#include "elements.h"
#include "norm.h"

/* Tasks of sums do not depend on how many threads there are, and so neither do the sums. */
enum { WORTH_SHARING = 1 << 14, BLOCK = 512, TASKS = 32, LEAST_PART = 8 };

/* row: how many numbers one loop does. parts: how many parts outer is in. */
typedef struct shape {
  int64_t outer, channels, inner, count, row, block, parts;
} shape;

/* Arrays of the numbers that are computed. */
typedef struct operands {
  const void *x, *z, *dy;
  void *y, *mean, *times, *bias, *slope;
  unsigned char *reserve;
  const unsigned char *passes; /* what of dy counts; null: all */
  int activates;
} operands;

#define NUMBER float
#define NAME(name) name##_f
#include "norm_loops.h"
#undef NUMBER
#undef NAME
#define NUMBER double
#define NAME(name) name##_d
#include "norm_loops.h"
#undef NUMBER
#undef NAME

/* All that one call works with. */
typedef struct work {
  const uwdnn_norm_call *call;
  shape s;
  cudnnDataType_t number;
  int last; /* channels lie last in all tensors, and stay there */
  operands of;
  void *gathered; /* of y or dx, which is blended after */
  void *dz;       /* likewise */
  double *scale, *bias, *mean, *variance, *inverse, *slope, *sums;
} work;

static const uwdnn_view *result_of(const uwdnn_norm_call *call) {
  return call->pass == UWDNN_NORM_BACKWARD ? &call->dx : &call->y;
}

static int is_last(const uwdnn_view *view, cudnnDataType_t number) {
  uwdnn_view moved = *view;
  for (int i = 1; i + 1 < view->rank; i++) {
    moved.dims[i] = view->dims[i + 1];
    moved.strides[i] = view->strides[i + 1];
  }
  moved.dims[view->rank - 1] = view->dims[1];
  moved.strides[view->rank - 1] = view->strides[1];
  return view->type == number && uwdnn_is_packed(&moved);
}

/* A reserve that was written in the order of its dimensions is read in it. */
static int are_last(const work *w) {
  const uwdnn_norm_call *c = w->call;
  if (c->pass == UWDNN_NORM_BACKWARD && c->activates && !*c->reserve)
    return 0;
  return c->spatial && is_last(&c->x, w->number) && is_last(result_of(c), w->number) &&
         (!c->z_at || is_last(&c->z, w->number)) && (!c->dy_at || is_last(&c->dy, w->number)) &&
         (!c->dz_at || is_last(&c->dz, w->number));
}

static int is_direct(const work *w, const uwdnn_view *view) {
  return w->last || (view->type == w->number && uwdnn_is_packed(view));
}

static void measure(work *w) {
  const uwdnn_view *x = &w->call->x;
  shape *s = &w->s;
  s->count = uwdnn_view_count(x);
  s->channels = w->call->spatial ? x->dims[1] : s->count / x->dims[0];
  s->inner = w->call->spatial && !w->last ? s->count / x->dims[0] / x->dims[1] : 1;
  s->outer = s->count / s->channels / s->inner;
  s->block = s->inner > 1 ? 1 : BLOCK;
  s->row = s->inner > 1 ? s->inner : s->channels;
  const int64_t blocks = (s->channels + s->block - 1) / s->block;
  const int64_t most = s->inner > 1 ? s->outer : (s->outer + LEAST_PART - 1) / LEAST_PART;
  s->parts = (TASKS + blocks - 1) / blocks;
  s->parts = s->parts < most ? s->parts : most;
}

/* Memory for n arrays of the tensor's size and the channels' numbers. */
static char *take(char **from, int64_t bytes) {
  char *taken = *from;
  *from += (bytes + 63) / 64 * 64;
  return taken;
}

static const void *input(work *w, const uwdnn_view *view, const void *at, char **memory) {
  if (!at || is_direct(w, view))
    return at;
  void *packed = take(memory, w->s.count * (int64_t)uwdnn_type_bytes(w->number));
  uwdnn_gather(view, at, w->number, packed);
  return packed;
}

/* The first byte of a reserve says whether channels lie last in it; numbers begin after UWDNN_NORM_HEAD. */
static unsigned char *open_reserve(const work *w, char **memory) {
  const uwdnn_norm_call *c = w->call;
  if (!c->activates || !c->reserve)
    return NULL;
  if (c->pass == UWDNN_NORM_TRAINING)
    *c->reserve = (unsigned char)w->last;
  if (*c->reserve == w->last)
    return c->reserve + UWDNN_NORM_HEAD;
  unsigned char *turned = (unsigned char *)take(memory, w->s.count);
  uwdnn_view lies = {.type = CUDNN_DATA_UINT8};
  int dims[CUDNN_DIM_MAX];
  for (int i = 0; i < c->x.rank; i++)
    dims[i] = (int)c->x.dims[i];
  uwdnn_view_pack(&lies, CUDNN_DATA_UINT8, CUDNN_TENSOR_NHWC, c->x.rank, dims);
  uwdnn_gather(&lies, c->reserve + UWDNN_NORM_HEAD, CUDNN_DATA_UINT8, turned);
  return turned;
}

static void prepare(work *w, const uwdnn_norm_call *call) {
  *w = (work){.call = call, .number = call->x.type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT};
  w->last = are_last(w);
  measure(w);
  const int64_t whole = w->s.count * (int64_t)uwdnn_type_bytes(w->number), few = w->s.channels * 8;
  char *memory = uwdnn_memory(UWL_SCRATCH_WORK, (size_t)(6 * (whole + 64) + (10 + 2 * w->s.parts) * (few + 64)));
  double **const small[] = {&w->scale, &w->bias, &w->mean, &w->variance, &w->inverse, &w->slope};
  for (int i = 0; i < 6; i++)
    *small[i] = (double *)(void *)take(&memory, few);
  w->sums = (double *)(void *)take(&memory, 2 * w->s.parts * few);
  void **const narrowed[] = {&w->of.mean, &w->of.times, &w->of.bias, &w->of.slope};
  for (int i = 0; i < 4; i++)
    *narrowed[i] = take(&memory, few);
  w->of.x = input(w, &call->x, call->x_at, &memory);
  w->of.z = input(w, &call->z, call->z_at, &memory);
  w->of.dy = input(w, &call->dy, call->dy_at, &memory);
  w->of.y = call->pass == UWDNN_NORM_BACKWARD ? call->dx_at : call->y_at;
  if (!is_direct(w, result_of(call)) || call->alpha != 1 || call->beta != 0)
    w->of.y = w->gathered = take(&memory, whole);
  if (call->pass == UWDNN_NORM_BACKWARD && call->dz_at)
    w->dz = is_direct(w, &call->dz) ? call->dz_at : take(&memory, whole);
  w->of.activates = call->activates;
  w->of.reserve = open_reserve(w, &memory);
}

static void load(const uwdnn_view *view, const void *at, double *to) { uwdnn_gather(view, at, CUDNN_DATA_DOUBLE, to); }

/* A tensor whose channels lie last in w, all in one order: blended as it lies. */
static uwdnn_view as_it_lies(const work *w, const uwdnn_view *view) {
  uwdnn_view flat = {.type = view->type, .rank = 1, .vector = 1, .dims = {w->s.count}, .strides = {1}};
  return w->last ? flat : *view;
}

static void narrow(const work *w, const double *from, void *to) {
  if (w->number == CUDNN_DATA_DOUBLE)
    narrow_d(from, w->s.channels, to);
  else
    narrow_f(from, w->s.channels, to);
}

/* times = scale * inverse, and what else the loops over all numbers take. */
static void constants(work *w, const double *bias) {
  for (int64_t i = 0; i < w->s.channels; i++)
    w->scale[i] *= w->inverse[i];
  narrow(w, w->scale, w->of.times);
  narrow(w, w->mean, w->of.mean);
  narrow(w, bias, w->of.bias);
}

static void invert(work *w) {
  for (int64_t i = 0; i < w->s.channels; i++)
    w->inverse[i] = 1 / sqrt(w->variance[i] + w->call->epsilon);
}

static void find_moments(work *w) {
  if (w->number == CUDNN_DATA_DOUBLE)
    moments_d(&w->s, w->of.x, w->mean, w->variance, w->sums);
  else
    moments_f(&w->s, w->of.x, w->mean, w->variance, w->sums);
  invert(w);
}

/* Running variances are those of the population that the batch was drawn from. */
static void keep(work *w) {
  const uwdnn_norm_call *c = w->call;
  const double n = (double)(w->s.outer * w->s.inner);
  if (c->saved_mean) {
    uwdnn_blend(&c->mean_variance, c->saved_mean, CUDNN_DATA_DOUBLE, w->mean, 1, 0);
    uwdnn_blend(&c->mean_variance, c->saved_inverse, CUDNN_DATA_DOUBLE, w->inverse, 1, 0);
  }
  if (c->mean) {
    const double unbiased = n > 1 ? n / (n - 1) : 1;
    uwdnn_blend(&c->mean_variance, c->mean, CUDNN_DATA_DOUBLE, w->mean, c->factor, 1 - c->factor);
    uwdnn_blend(&c->mean_variance, c->variance, CUDNN_DATA_DOUBLE, w->variance, c->factor * unbiased, 1 - c->factor);
  }
}

static void forward(work *w) {
  const uwdnn_norm_call *c = w->call;
  load(&c->scale_bias, c->scale, w->scale);
  load(&c->scale_bias, c->bias, w->bias);
  if (c->pass == UWDNN_NORM_TRAINING) {
    find_moments(w);
    keep(w);
  } else {
    load(&c->mean_variance, c->mean, w->mean);
    load(&c->mean_variance, c->variance, w->variance);
    invert(w);
  }
  constants(w, w->bias);
  if (w->number == CUDNN_DATA_DOUBLE)
    apply_d(&w->s, &w->of);
  else
    apply_f(&w->s, &w->of);
}

/* dz is what came through; where the program does not want it, the loops look. */
static void go_through(work *w) {
  if (!w->dz)
    w->of.passes = w->call->activates ? w->of.reserve : NULL;
  if (!w->dz)
    return;
  if (w->number == CUDNN_DATA_DOUBLE)
    pass_through_d(&w->s, w->of.dy, w->of.reserve, w->dz);
  else
    pass_through_f(&w->s, w->of.dy, w->of.reserve, w->dz);
  w->of.dy = w->dz;
  if (w->dz == w->call->dz_at)
    return;
  const uwdnn_view dz = as_it_lies(w, &w->call->dz);
  uwdnn_blend(&dz, w->call->dz_at, w->number, w->dz, 1, 0);
}

static void backward(work *w) {
  const uwdnn_norm_call *c = w->call;
  const double share = 1.0 / (double)(w->s.outer * w->s.inner);
  load(&c->scale_bias, c->scale, w->scale);
  if (c->saved_mean) {
    load(&c->mean_variance, c->saved_mean, w->mean);
    load(&c->mean_variance, c->saved_inverse, w->inverse);
  } else
    find_moments(w);
  go_through(w);
  double *plain = w->sums, *times = w->sums + w->s.parts * w->s.channels;
  if (w->number == CUDNN_DATA_DOUBLE)
    sum_all_d(&w->s, w->of.x, w->of.dy, w->of.passes, w->mean, plain, times);
  else
    sum_all_f(&w->s, w->of.x, w->of.dy, w->of.passes, w->mean, plain, times);
  uwdnn_blend(&c->scale_bias, c->dbias, CUDNN_DATA_DOUBLE, plain, c->alpha_param, c->beta_param);
  for (int64_t i = 0; i < w->s.channels; i++) {
    plain[i] *= share;
    times[i] *= w->inverse[i];
    w->slope[i] = times[i] * w->inverse[i] * share;
  }
  uwdnn_blend(&c->scale_bias, c->dscale, CUDNN_DATA_DOUBLE, times, c->alpha_param, c->beta_param);
  constants(w, plain);
  narrow(w, w->slope, w->of.slope);
  if (w->number == CUDNN_DATA_DOUBLE)
    back_d(&w->s, &w->of);
  else
    back_f(&w->s, &w->of);
}

void uwdnn_normalize(const uwdnn_norm_call *call) {
  work w;
  prepare(&w, call);
  if (call->pass == UWDNN_NORM_BACKWARD)
    backward(&w);
  else
    forward(&w);
  if (!w.gathered)
    return;
  const uwdnn_view result = as_it_lies(&w, result_of(call));
  uwdnn_blend(&result, call->pass == UWDNN_NORM_BACKWARD ? call->dx_at : call->y_at, w.number, w.gathered, call->alpha,
              call->beta);
}
