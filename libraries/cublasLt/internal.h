/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of cuBLASLt share: what is in its descriptors. Fields have the types that attributes are documented
 * with. */
#ifndef UWL_CUBLASLT_INTERNAL_H
#define UWL_CUBLASLT_INTERNAL_H

#pragma GCC visibility push(default)
#include "../../include/cublasLt.h"
#pragma GCC visibility pop
#include "../common/library.h"
#include "../common/product.h"

enum {
  LT_LAYOUT = 0x4c61796f,
  LT_MATMUL = 0x4d61746d,
  LT_TRANSFORM = 0x5472616e,
  LT_PREFERENCE = 0x50726566
}; /* marks */

typedef struct lt_layout {
  uint32_t mark, type;
  int32_t order, batch;
  uint64_t rows, cols;
  int64_t ld, batch_stride, plane;
} lt_layout;
typedef struct lt_matmul {
  uint32_t mark;
  int32_t compute, scale, pointer_mode, trans_a, trans_b, trans_c, fill;
  uint32_t epilogue;
  void *bias;
  int64_t bias_stride;
  void *aux;
  int64_t aux_ld, aux_stride, alpha_stride;
  int32_t sm_count;
  void *scale_a, *scale_b, *scale_c, *scale_d, *amax;
  int32_t aux_type;
  int8_t fast;
  int32_t bias_type;
} lt_matmul;
typedef struct lt_transform {
  uint32_t mark;
  int32_t scale, pointer_mode, trans_a, trans_b;
} lt_transform;
typedef struct lt_preference {
  uint32_t mark, search, reduction, align[4];
  float waves;
  uint64_t workspace, implementation;
} lt_preference;

#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUBLAS_STATUS_INVALID_VALUE
#define SUPPORTED(condition)                                                                                           \
  if (!(condition))                                                                                                    \
  return CUBLAS_STATUS_NOT_SUPPORTED

int uwl_lt_is_handle(cublasLtHandle_t handle);
/* matmul.c: can this be multiplied? */
cublasStatus_t uwl_lt_check(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                            cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d);

#endif
