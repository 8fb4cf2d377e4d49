/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: convolutions by image-to-column and GEMM, in floats or doubles, for all types and strides: operands that are
 * not packed numbers of that type are gathered first. The columns of an image and a group are a matrix with a row for
 * each number of the filter and a column for each of the output:
 *
 *   forward   y = w * columns(x)        data   dx = image(w^T * dy)        filter   dw = sum of dy * columns(x)^T
 *
 * A filter that reaches one number only, without a stride or pad, has the image itself for columns. */
#include <stdlib.h>
#include <string.h>

#include "../cublas/blas.h"
#include "convolution.h"
#include "elements.h"

cudnnDataType_t uwdnn_convolution_number(const uwdnn_problem *problem) {
  /* Doubles hold every sum of products of bytes. */
  int is_exact = problem->x.type == CUDNN_DATA_INT8 || problem->x.type == CUDNN_DATA_UINT8;
  return problem->x.type == CUDNN_DATA_DOUBLE || is_exact ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

static int is_plain(const uwdnn_problem *p) {
  int plain = 1;
  for (int i = 0; i < UWDNN_SPACE; i++)
    plain &= p->kernel[i] == 1 && p->stride[i] == 1 && p->pad[i] == 0;
  return plain;
}

size_t uwdnn_columns_bytes(const uwdnn_problem *p) {
  if (is_plain(p))
    return 0;
  return (size_t)(p->c / p->groups * uwdnn_product3(p->kernel) * uwdnn_product3(p->out)) *
         uwdnn_type_bytes(uwdnn_convolution_number(p));
}

/* The first output whose number of the input is not before it, and the first whose is after it. */
static int64_t first_within(int64_t offset, int64_t stride) {
  return offset >= 0 ? 0 : (-offset + stride - 1) / stride;
}
static int64_t end_within(int64_t offset, int64_t stride, int64_t size, int64_t outputs) {
  int64_t end = size > offset ? (size - offset + stride - 1) / stride : 0;
  return end < outputs ? end : outputs;
}

/* Rows of columns: one for each channel and number of the filter; to_image: they are added to the image. */
#define DEFINE(type, t)                                                                                                \
  static void line_##type(const uwdnn_problem *p, const type *image, int64_t offset, type *column) {                   \
    const int64_t stride = p->stride[2], outputs = p->out[2], first = first_within(offset, stride);                    \
    const int64_t end = end_within(offset, stride, p->in[2], outputs);                                                 \
    for (int64_t i = 0; i < first && i < outputs; i++)                                                                 \
      column[i] = 0;                                                                                                   \
    if (stride == 1 && end > first)                                                                                    \
      memcpy(column + first, image + first + offset, (size_t)(end - first) * sizeof *column);                          \
    else                                                                                                               \
      for (int64_t i = first; i < end; i++)                                                                            \
        column[i] = image[i * stride + offset];                                                                        \
    for (int64_t i = end > first ? end : first; i < outputs; i++)                                                      \
      column[i] = 0;                                                                                                   \
  }                                                                                                                    \
  static void add_line_##type(const uwdnn_problem *p, type *image, int64_t offset, const type *column) {               \
    const int64_t stride = p->stride[2], first = first_within(offset, stride);                                         \
    const int64_t end = end_within(offset, stride, p->in[2], p->out[2]);                                               \
    for (int64_t i = first; i < end; i++)                                                                              \
      image[i * stride + offset] += column[i];                                                                         \
  }                                                                                                                    \
  static void row_##type(const uwdnn_problem *p, type *image, int64_t tap, type *column, int to_image) {               \
    const int64_t kw = p->kernel[2], kh = p->kernel[1], ow = p->out[2];                                                \
    const int64_t x = tap % kw * p->dilation[2] - p->pad[2], y = tap / kw % kh * p->dilation[1] - p->pad[1];           \
    const int64_t z = tap / kw / kh * p->dilation[0] - p->pad[0];                                                      \
    for (int64_t d = 0; d < p->out[0]; d++)                                                                            \
      for (int64_t h = 0; h < p->out[1]; h++, column += ow) {                                                          \
        const int64_t at_d = d * p->stride[0] + z, at_h = h * p->stride[1] + y;                                        \
        const int is_in = at_d >= 0 && at_d < p->in[0] && at_h >= 0 && at_h < p->in[1];                                \
        type *line = is_in ? image + (at_d * p->in[1] + at_h) * p->in[2] : NULL;                                       \
        if (to_image && is_in)                                                                                         \
          add_line_##type(p, line, x, column);                                                                         \
        else if (!to_image && is_in)                                                                                   \
          line_##type(p, line, x, column);                                                                             \
        else if (!to_image)                                                                                            \
          memset(column, 0, (size_t)ow * sizeof *column);                                                              \
      }                                                                                                                \
  }                                                                                                                    \
  static void columns_##type(const uwdnn_problem *p, type *image, type *columns, int to_image) {                       \
    const int64_t taps = uwdnn_product3(p->kernel), pixels = uwdnn_product3(p->in), outputs = uwdnn_product3(p->out);  \
    _Pragma("omp parallel for") for (int64_t c = 0; c < p->c / p->groups; c++) for (int64_t tap = 0; tap < taps;       \
                                                                                    tap++)                             \
        row_##type(p, image + c * pixels, tap, columns + (c * taps + tap) * outputs, to_image);                        \
  }                                                                                                                    \
  static void convolve_##type(const uwdnn_problem *p, type *x, type *w, type *y, type *columns) {                      \
    const int64_t channels = p->c / p->groups, filters = p->k / p->groups;                                             \
    const int outputs = (int)uwdnn_product3(p->out), depth = (int)(channels * uwdnn_product3(p->kernel));              \
    const int rows = (int)filters;                                                                                     \
    const type zero = 0, one = 1;                                                                                      \
    for (int64_t i = 0; i < p->n * p->groups; i++) {                                                                   \
      const int64_t group = i % p->groups;                                                                             \
      type *image = x + i * channels * uwdnn_product3(p->in), *filter = w + group * filters * depth;                   \
      type *output = y + i * filters * outputs, *matrix = columns ? columns : image;                                   \
      if (columns && p->pass != UWDNN_DATA)                                                                            \
        columns_##type(p, image, columns, 0);                                                                          \
      if (p->pass == UWDNN_FORWARD)                                                                                    \
        t##gemm_("N", "N", &outputs, &rows, &depth, &one, matrix, &outputs, filter, &depth, &zero, output, &outputs);  \
      else if (p->pass == UWDNN_DATA)                                                                                  \
        t##gemm_("N", "T", &outputs, &depth, &rows, &one, output, &outputs, filter, &depth, &zero, matrix, &outputs);  \
      else                                                                                                             \
        t##gemm_("T", "N", &depth, &rows, &outputs, &one, matrix, &outputs, output, &outputs,                          \
                 i < p->groups ? &zero : &one, filter, &depth);                                                        \
      if (columns && p->pass == UWDNN_DATA) {                                                                          \
        memset(image, 0, (size_t)(channels * uwdnn_product3(p->in)) * sizeof *image);                                  \
        columns_##type(p, image, columns, 1);                                                                          \
      }                                                                                                                \
    }                                                                                                                  \
  }
DEFINE(float, s)
DEFINE(double, d)

/* An operand as packed numbers: where it lies, if it is some; else gathered, or room for it if it is the result. */
static void *operand(const uwdnn_problem *p, const uwdnn_view *view, const void *at, cudnnDataType_t type, int slot) {
  const int is_result = view == uwdnn_result(p);
  if (view->type == type && uwdnn_is_packed(view) && (!is_result || p->in_place))
    return (void *)at;
  void *packed = uwdnn_memory(slot, (size_t)uwdnn_view_count(view) * uwdnn_type_bytes(type));
  if (!is_result)
    uwdnn_gather(view, at, type, packed);
  return packed;
}

const void *uwdnn_gemm_convolve(const uwdnn_problem *p, const uwdnn_operands *of) {
  const cudnnDataType_t type = uwdnn_convolution_number(p);
  const size_t bytes = uwdnn_columns_bytes(p);
  void *columns = !bytes ? NULL : of->columns ? of->columns : uwdnn_memory(UWL_SCRATCH_WORK, bytes);
  void *x = operand(p, &p->x, of->x, type, UWL_SCRATCH_A);
  void *w = operand(p, &p->w, of->w, type, UWL_SCRATCH_B);
  void *y = operand(p, &p->y, of->y, type, UWL_SCRATCH_C);
  if (type == CUDNN_DATA_DOUBLE)
    convolve_double(p, x, w, y, columns);
  else
    convolve_float(p, x, w, y, columns);
  const void *found = p->pass == UWDNN_FORWARD ? y : p->pass == UWDNN_DATA ? x : w;
  const void *wanted = p->pass == UWDNN_FORWARD ? of->y : p->pass == UWDNN_DATA ? of->x : of->w;
  return found == wanted ? NULL : found;
}
