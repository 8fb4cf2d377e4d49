/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: numbers of views. A view is walked by rows, which are its last dimension; views of less than three dimensions
 * get some of one number more, so that the last is never that of the vectors. */
#include "elements.h"

#include <math.h>
#include <string.h>

#include "../../runtime/for_each_level.h"

enum { WORTH_SHARING = 1 << 14, LEAST_RANK = 3 };

typedef uint16_t bfloat;
static float bfloat_value(bfloat x) {
  uint32_t bits = (uint32_t)x << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static bfloat to_bfloat(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7fff : (bfloat)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/* A double that is rounded to odd first can be rounded again as if at once. */
static float to_odd_float(double x) {
  float rounded = (float)x;
  uint32_t bits;
  if ((double)rounded == x || x != x || isinf(rounded))
    return rounded;
  memcpy(&bits, &rounded, sizeof bits);
  if (fabs((double)rounded) > fabs(x))
    bits--;
  bits |= 1;
  memcpy(&rounded, &bits, sizeof bits);
  return rounded;
}
static double saturate(double x, double least, double most) {
  return x != x ? 0 : nearbyint(x < least ? least : x > most ? most : x);
}

#define LOAD_PLAIN(x) (x)
#define TYPES(X)                                                                                                       \
  X(float, CUDNN_DATA_FLOAT, LOAD_PLAIN, (float))                                                                      \
  X(double, CUDNN_DATA_DOUBLE, LOAD_PLAIN, (double))                                                                   \
  X(_Float16, CUDNN_DATA_HALF, LOAD_PLAIN, STORE_HALF)                                                                 \
  X(bfloat, 9 /* CUDNN_DATA_BFLOAT16, if there */, bfloat_value, STORE_BFLOAT)                                         \
  X(int8_t, CUDNN_DATA_INT8, LOAD_PLAIN, STORE_INT8)                                                                   \
  X(uint8_t, CUDNN_DATA_UINT8, LOAD_PLAIN, STORE_UINT8)                                                                \
  X(int32_t, CUDNN_DATA_INT32, LOAD_PLAIN, STORE_INT32)
#define STORE_HALF(x) (_Float16)to_odd_float(x)
#define STORE_BFLOAT(x) to_bfloat(to_odd_float(x))
#define STORE_INT8(x) (int8_t)saturate(x, INT8_MIN, INT8_MAX)
#define STORE_UINT8(x) (uint8_t)saturate(x, 0, UINT8_MAX)
#define STORE_INT32(x) (int32_t)saturate(x, INT32_MIN, INT32_MAX)

#define DEFINE(type, number, load, store)                                                                              \
  UWRT_FOR_EACH_LEVEL(load_floats_##type, (const type *from, int64_t step, int64_t count, float *to),                  \
                      (from, step, count, to)) {                                                                       \
    for (int64_t i = 0; i < count; i++)                                                                                \
      to[i] = (float)load(from[i * step]);                                                                             \
  }                                                                                                                    \
  UWRT_FOR_EACH_LEVEL(load_doubles_##type, (const type *from, int64_t step, int64_t count, double *to),                \
                      (from, step, count, to)) {                                                                       \
    for (int64_t i = 0; i < count; i++)                                                                                \
      to[i] = (double)load(from[i * step]);                                                                            \
  }                                                                                                                    \
  UWRT_FOR_EACH_LEVEL(store_##type, (const double *from, double beta, type *to, int64_t step, int64_t count),          \
                      (from, beta, to, step, count)) {                                                                 \
    for (int64_t i = 0; i < count; i++)                                                                                \
      to[i * step] = store((from[i] + (beta != 0 ? beta * (double)load(to[i * step]) : 0)));                           \
  }
TYPES(DEFINE)

int uwdnn_is_number(cudnnDataType_t type) {
  switch ((int)type) {
#define IS_ONE(type, number, load, store)                                                                              \
  case number: return number != 9 || CUDNN_MAJOR >= 8;
    TYPES(IS_ONE)
  default: return 0;
  }
}

int uwdnn_is_real(cudnnDataType_t type) {
  return uwdnn_is_number(type) && type != CUDNN_DATA_INT8 && type != CUDNN_DATA_UINT8 && type != CUDNN_DATA_INT32;
}

void uwdnn_load_row(cudnnDataType_t type, const void *from, int64_t step, int64_t count, int as_double, void *to) {
  switch ((int)type) {
#define LOAD_ONE(type, number, load, store)                                                                            \
  case number:                                                                                                         \
    as_double ? load_doubles_##type(from, step, count, to) : load_floats_##type(from, step, count, to);                \
    break;
    TYPES(LOAD_ONE)
  }
}

void uwdnn_store_row(cudnnDataType_t type, const double *from, double beta, void *to, int64_t step, int64_t count) {
  switch ((int)type) {
#define STORE_ONE(type, number, load, store)                                                                           \
  case number: store_##type(from, beta, to, step, count); break;
    TYPES(STORE_ONE)
  }
}

static void copy(size_t bytes, const char *from, int64_t step, int64_t count, char *to) {
  if (step == 1)
    memcpy(to, from, (size_t)count * bytes);
  else
    for (int64_t i = 0; i < count; i++)
      memcpy(to + (size_t)i * bytes, from + i * step * (int64_t)bytes, bytes);
}

static uwdnn_view widened(const uwdnn_view *view) {
  uwdnn_view wide = *view;
  for (; wide.rank < LEAST_RANK; wide.rank++) {
    wide.dims[wide.rank] = 1;
    wide.strides[wide.rank] = 0;
  }
  return wide;
}

int uwdnn_is_packed(const uwdnn_view *view) {
  int64_t step = 1;
  for (int i = view->rank; i-- > 0;) {
    if (view->dims[i] > 1 && view->strides[i] != step)
      return 0;
    step *= view->dims[i];
  }
  return view->vector == 1;
}

/* Where row number row begins, in numbers. */
static int64_t row_at(const uwdnn_view *view, int64_t row) {
  int64_t at = 0;
  for (int i = view->rank - 1; i-- > 0;) {
    int64_t index = row % view->dims[i];
    row /= view->dims[i];
    at += i == 1 ? index / view->vector * view->strides[i] * view->vector + index % view->vector
                 : index * view->strides[i] * view->vector;
  }
  return at;
}

void uwdnn_gather(const uwdnn_view *narrow, const void *at, cudnnDataType_t to_type, void *to) {
  const uwdnn_view view = widened(narrow);
  const int64_t length = view.dims[view.rank - 1], step = view.strides[view.rank - 1] * view.vector;
  const int64_t rows = uwdnn_view_count(&view) / length;
  const size_t bytes = uwdnn_type_bytes(view.type), to_bytes = uwdnn_type_bytes(to_type);
#pragma omp parallel for if (rows * length >= WORTH_SHARING)
  for (int64_t row = 0; row < rows; row++) {
    const char *from = (const char *)at + row_at(&view, row) * (int64_t)bytes;
    char *into = (char *)to + (size_t)(row * length) * to_bytes;
    if (to_type == view.type)
      copy(bytes, from, step, length, into);
    else
      uwdnn_load_row(view.type, from, step, length, to_type == CUDNN_DATA_DOUBLE, into);
  }
}

enum { PIECE = 512 };

static void blend_row(const uwdnn_view *view, char *to, int64_t step, cudnnDataType_t from_type, const char *from,
                      int64_t length, double alpha, double beta) {
  const int64_t bytes = (int64_t)uwdnn_type_bytes(view->type), from_bytes = (int64_t)uwdnn_type_bytes(from_type);
  double piece[PIECE];
  for (int64_t first = 0; first < length; first += PIECE) {
    const int64_t count = length - first < PIECE ? length - first : PIECE;
    if (from)
      uwdnn_load_row(from_type, from + first * from_bytes, 1, count, 1, piece);
    for (int64_t i = 0; i < count; i++)
      piece[i] = alpha * (from ? piece[i] : 1);
    uwdnn_store_row(view->type, piece, beta, to + first * step * bytes, step, count);
  }
}

void uwdnn_blend(const uwdnn_view *narrow, void *at, cudnnDataType_t from_type, const void *from, double alpha,
                 double beta) {
  const uwdnn_view view = widened(narrow);
  const int64_t length = view.dims[view.rank - 1], step = view.strides[view.rank - 1] * view.vector;
  const int64_t rows = uwdnn_view_count(&view) / length;
  const int64_t bytes = (int64_t)uwdnn_type_bytes(view.type), from_bytes = (int64_t)uwdnn_type_bytes(from_type);
#pragma omp parallel for if (rows * length >= WORTH_SHARING)
  for (int64_t row = 0; row < rows; row++)
    blend_row(&view, (char *)at + row_at(&view, row) * bytes, step, from_type,
              from ? (const char *)from + row * length * from_bytes : NULL, length, alpha, beta);
}
