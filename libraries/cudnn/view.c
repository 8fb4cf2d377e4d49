/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: types of numbers, and where the numbers of a tensor lie. */
#include <limits.h>
#include <string.h>

#include "internal.h"

size_t uwdnn_type_bytes(cudnnDataType_t type) {
  switch ((int)type) {
  case CUDNN_DATA_DOUBLE: return 8;
  case CUDNN_DATA_FLOAT:
  case CUDNN_DATA_INT32: return 4;
  case CUDNN_DATA_HALF: return 2;
  case CUDNN_DATA_INT8:
  case CUDNN_DATA_UINT8:
  case CUDNN_DATA_INT8x4:
  case CUDNN_DATA_UINT8x4:
  case CUDNN_DATA_INT8x32: return 1;
#if CUDNN_MAJOR >= 8
  case CUDNN_DATA_BFLOAT16: return 2;
  case CUDNN_DATA_INT64: return 8;
  case CUDNN_DATA_BOOLEAN:
  case CUDNN_DATA_FP8_E4M3:
  case CUDNN_DATA_FP8_E5M2: return 1;
#endif
  default: return 0;
  }
}

int uwdnn_type_vector(cudnnDataType_t type) {
  return type == CUDNN_DATA_INT8x32 ? 32 : type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 ? 4 : 1;
}

cudnnDataType_t uwdnn_type_number(cudnnDataType_t type) {
  return type == CUDNN_DATA_UINT8x4 ? CUDNN_DATA_UINT8 : uwdnn_type_vector(type) > 1 ? CUDNN_DATA_INT8 : type;
}

int64_t uwdnn_view_count(const uwdnn_view *view) {
  int64_t count = 1;
  for (int i = 0; i < view->rank; i++)
    count *= view->dims[i];
  return count;
}

int64_t uwdnn_steps(const uwdnn_view *view, int i) { return i == 1 ? view->dims[i] / view->vector : view->dims[i]; }

int64_t uwdnn_view_bytes(const uwdnn_view *view) {
  int64_t last = 0;
  for (int i = 0; i < view->rank; i++)
    last += (uwdnn_steps(view, i) - 1) * view->strides[i];
  return (last + 1) * view->vector * (int64_t)uwdnn_type_bytes(view->type);
}

int uwdnn_view_pack(uwdnn_view *view, cudnnDataType_t type, cudnnTensorFormat_t format, int rank, const int *dims) {
  uwdnn_view packed = {.type = uwdnn_type_number(type), .rank = rank, .vector = uwdnn_type_vector(type)};
  if ((packed.vector > 1) != (format == CUDNN_TENSOR_NCHW_VECT_C) || (packed.vector > 1 && dims[1] % packed.vector))
    return 0;
  for (int i = 0; i < rank; i++)
    packed.dims[i] = dims[i];
  int64_t step = 1;
  if (format == CUDNN_TENSOR_NHWC && rank > 1) {
    packed.strides[1] = 1;
    step = dims[1];
  }
  for (int i = rank; i-- > 0;)
    if (i != 1 || format != CUDNN_TENSOR_NHWC) {
      packed.strides[i] = step;
      step *= uwdnn_steps(&packed, i);
      if (step * packed.vector > INT_MAX)
        return 0;
    }
  *view = packed;
  return 1;
}

int uwdnn_same_dims(const uwdnn_view *a, const uwdnn_view *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0;
}

/* Each stride must reach over all that lies along smaller ones. */
int uwdnn_is_apart(const uwdnn_view *view) {
  int64_t reach = 0;
  for (unsigned int done = 0;;) {
    int next = -1;
    for (int i = 0; i < view->rank; i++)
      if (!(done >> i & 1) && uwdnn_steps(view, i) > 1 && (next < 0 || view->strides[i] < view->strides[next]))
        next = i;
    if (next < 0)
      return 1;
    if (view->strides[next] <= reach)
      return 0;
    reach += (uwdnn_steps(view, next) - 1) * view->strides[next];
    done |= 1u << next;
  }
}
