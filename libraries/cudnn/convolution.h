/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuDNN's files about convolutions share. convolution.c checks calls and makes a problem of them, which
 * convolution_gemm.c or convolution_onednn.c computes into or from the program's tensors. */
#ifndef UWDNN_CONVOLUTION_H
#define UWDNN_CONVOLUTION_H

#include "internal.h"

enum { UWDNN_SPACE = 3 }; /* dimensions of space, at most */
typedef enum uwdnn_pass { UWDNN_FORWARD, UWDNN_DATA, UWDNN_FILTER } uwdnn_pass;

/* All that the way of computing depends on; plain data without holes that are not zero, as problems are compared by
 * their bytes. Arrays of space are aligned at their end: the first of three is 1 (0 for pad) where space is 2. */
typedef struct uwdnn_problem {
  uwdnn_view x, w, y;
  int64_t n, c, k, in[UWDNN_SPACE], kernel[UWDNN_SPACE], out[UWDNN_SPACE];
  int64_t pad[UWDNN_SPACE], stride[UWDNN_SPACE], dilation[UWDNN_SPACE];
  int pass, space, groups;
  int turned;   /* CUDNN_CONVOLUTION: w has negative strides, and its first number lies turned numbers on */
  int in_place; /* the result is what is computed: alpha is 1, beta 0, nothing follows */
} uwdnn_problem;

/* One operand is the result: y forward, x for data, w for the filter. */
typedef struct uwdnn_operands {
  const void *x, *w, *y;
  double alpha, beta;
  void *columns; /* memory of uwdnn_columns_bytes, or null: memory of ours */
} uwdnn_operands;

/* The sizes of the output; BAD_PARAM where input, filter and convolution do not go together. */
cudnnStatus_t uwdnn_convolution_dims(const struct cudnnConvolutionStruct *convolution, const uwdnn_view *x,
                                     const uwdnn_view *w, int64_t *dims);
/* convolution.c: what the descriptors say, checked. */
cudnnStatus_t uwdnn_convolution_problem(uwdnn_problem *problem, uwdnn_pass pass, cudnnTensorDescriptor_t x,
                                        cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t convolution,
                                        cudnnTensorDescriptor_t y);
/* Can numbers of these types be convolved? */
int uwdnn_are_convolved(uwdnn_pass pass, const uwdnn_view *x, const uwdnn_view *w, const uwdnn_view *y,
                        cudnnDataType_t compute);
/* Of views whose dimensions and types are known to be right; pads after the images are what the sizes of y make of
 * them. */
cudnnStatus_t uwdnn_problem_of(uwdnn_problem *problem, uwdnn_pass pass, const uwdnn_view *x, const uwdnn_view *w,
                               const uwdnn_view *y, const struct cudnnConvolutionStruct *convolution);
/* Does image-to-column with GEMM go by the number of this algorithm? -1: there is no such algorithm. */
int uwdnn_is_gemm(uwdnn_pass pass, int algorithm);
int uwdnn_algorithms(uwdnn_pass pass);
/* Gives the work to the stream. */
cudnnStatus_t uwdnn_convolve(cudnnHandle_t handle, const uwdnn_problem *problem, int algorithm,
                             uwdnn_operands *operands, size_t workspace_bytes);
static inline const uwdnn_view *uwdnn_result(const uwdnn_problem *problem) {
  return problem->pass == UWDNN_FORWARD ? &problem->y : problem->pass == UWDNN_DATA ? &problem->x : &problem->w;
}
static inline int64_t uwdnn_product3(const int64_t *of) { return of[0] * of[1] * of[2]; }

/* What the computation is of: floats, or doubles. */
cudnnDataType_t uwdnn_convolution_number(const uwdnn_problem *problem);

/* convolution_gemm.c. The result is left packed, as numbers of uwdnn_convolution_number, in memory of the thread's that
 * lasts until its next convolution; null where it lies in its place (problem->in_place). */
size_t uwdnn_columns_bytes(const uwdnn_problem *problem);
const void *uwdnn_gemm_convolve(const uwdnn_problem *problem, const uwdnn_operands *operands);

/* convolution_onednn.c. Can oneDNN do it well? Then it is prepared. */
int uwdnn_onednn_convolves(const uwdnn_problem *problem);
/* As uwdnn_gemm_convolve; type is what the result is of. */
const void *uwdnn_onednn_convolve(const uwdnn_problem *problem, const uwdnn_operands *operands, cudnnDataType_t *type);

#endif
