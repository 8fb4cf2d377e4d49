/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of cuDNN share. They are compiled once for each major version (libraries.mk); what differs is in
 * include/cudnn.h, by CUDNN_MAJOR. A function begins with HANDLE or with IS for each descriptor, then NEED and
 * SUPPORTED for what must hold, and ends with GIVE, which runs an operation of it in the handle's stream. */
#ifndef UWDNN_INTERNAL_H
#define UWDNN_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include "../../include/cudnn.h"
#pragma GCC visibility pop
#include "../common/library.h"

struct cudnnContext {
  cudaStream_t stream;
};

/* A tensor in memory: where element (i0, i1, …) lies. vector: how many of dimension 1 lie together as one element (1:
 * no vectors); strides are in vectors. Strides may be negative (a filter that is turned round). Plain data, so that
 * records have views. */
typedef struct uwdnn_view {
  cudnnDataType_t type; /* of a single number: no vectors */
  int rank, vector;
  int64_t dims[CUDNN_DIM_MAX], strides[CUDNN_DIM_MAX];
} uwdnn_view;

struct cudnnTensorStruct {
  cudnnDataType_t type; /* as it was given */
  uwdnn_view view;      /* rank 0: not set yet */
};
struct cudnnFilterStruct {
  cudnnDataType_t type;
  cudnnTensorFormat_t format;
  uwdnn_view view;
};
struct cudnnConvolutionStruct {
  int rank; /* of space; 0: not set yet */
  int pad[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX], dilation[CUDNN_DIM_MAX];
  int groups;
  cudnnConvolutionMode_t mode;
  cudnnDataType_t compute;
  cudnnMathType_t math;
  cudnnReorderType_t reorder;
};
struct cudnnActivationStruct {
  int is_set;
  cudnnActivationMode_t mode;
  cudnnNanPropagation_t nan;
  double coefficient, swish_beta;
};
struct cudnnDropoutStruct {
  double probability;
  void *states; /* the program's; null: nothing can be dropped */
  unsigned long long seed;
};

/* Objects by kind: uwrt_handle_is and its like take the address of one of these. */
extern const char uwdnn_handle_kind, uwdnn_tensor_kind, uwdnn_filter_kind, uwdnn_convolution_kind,
    uwdnn_activation_kind, uwdnn_dropout_kind;

/* handle.c. An object of bytes zeros; its status. */
cudnnStatus_t uwdnn_new(void *object, size_t bytes, const char *kind);
cudnnStatus_t uwdnn_free(void *object, const char *kind);
cudnnStatus_t uwdnn_status(cudaError_t error);
/* For work: uwl_scratch, which must succeed, as work has no status. */
void *uwdnn_memory(int slot, size_t bytes);

#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUDNN_STATUS_BAD_PARAM
#define SUPPORTED(condition)                                                                                           \
  if (!(condition))                                                                                                    \
  return CUDNN_STATUS_NOT_SUPPORTED
#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    cudnnStatus_t tried = call;                                                                                        \
    if (tried != CUDNN_STATUS_SUCCESS)                                                                                 \
      return tried;                                                                                                    \
  } while (0)
#define HANDLE NEED(uwrt_handle_is(handle, &uwdnn_handle_kind))
#define IS(kind, object) NEED(uwrt_handle_is(object, &uwdnn_##kind##_kind))
/* The operation name (UWL_OPERATION) with its record, in the handle's stream. */
#define GIVE(name, record) return uwdnn_status(uwl_launch(UWL_STUB(name), handle->stream, &(record)))
#define PUT(place, value)                                                                                              \
  do {                                                                                                                 \
    if (place)                                                                                                         \
      *(place) = (value);                                                                                              \
  } while (0)

/* view.c */
size_t uwdnn_type_bytes(cudnnDataType_t type);      /* of a number; 0: no such type */
int uwdnn_type_vector(cudnnDataType_t type);        /* 4, 32 or 1 */
cudnnDataType_t uwdnn_type_number(cudnnDataType_t); /* what a vector is of */
int64_t uwdnn_view_count(const uwdnn_view *view);   /* of numbers */
int64_t uwdnn_steps(const uwdnn_view *view, int i); /* of its stride that dimension i has: vectors, not numbers */
/* From its first to its last number, in bytes. */
int64_t uwdnn_view_bytes(const uwdnn_view *view);
/* Packed strides in the order of a format; 0: not a type for that format, or larger than what int can hold. */
int uwdnn_view_pack(uwdnn_view *view, cudnnDataType_t type, cudnnTensorFormat_t format, int rank, const int *dims);
int uwdnn_same_dims(const uwdnn_view *a, const uwdnn_view *b);
int uwdnn_is_apart(const uwdnn_view *view); /* have all numbers places of their own? */

/* convolution_find.c. Milliseconds since whenever. */
double uwdnn_now(void);

/* activation.c */
double uwdnn_activate(const struct cudnnActivationStruct *activation, double x);
/* Its derivative at x, where it is y. */
double uwdnn_activation_slope(const struct cudnnActivationStruct *activation, double x, double y);

/* The function that the calling thread was refused last, or null. */
const char *uwdnn_last_refused(void);

#endif
