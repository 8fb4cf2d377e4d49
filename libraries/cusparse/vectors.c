/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: sparse vectors with dense ones. (cuSPARSE documentation, "cuSPARSE Generic APIs".) */
#include "internal.h"

typedef struct vector_call {
  struct cusparseSpVecDescr x;
  struct cusparseDnVecDescr y;
  cusparseOperation_t op;
  sparse_scalar alpha, beta;
  void *result;
} vector_call;

static float conj_s(float x) { return x; }
static double conj_d(double x) { return x; }
static _Complex float conj_c(_Complex float x) { return __builtin_conjf(x); }
static _Complex double conj_z(_Complex double x) { return __builtin_conj(x); }
#define AT(i) y[uwl_index_at(call->x.indices, call->x.index_type, i) - call->x.base]
#define VECTORS(t, type)                                                                                               \
  static void add_##t(const vector_call *call) {                                                                       \
    const type alpha = *(const type *)uwl_sparse_scalar(&call->alpha),                                                 \
               beta = *(const type *)uwl_sparse_scalar(&call->beta);                                                   \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->y.size; i++)                                                                         \
      y[i] = beta == 0 ? 0 : beta * y[i];                                                                              \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      AT(i) += alpha * x[i];                                                                                           \
  }                                                                                                                    \
  static void gather_##t(const vector_call *call) {                                                                    \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      x[i] = AT(i);                                                                                                    \
  }                                                                                                                    \
  static void scatter_##t(const vector_call *call) {                                                                   \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      AT(i) = x[i];                                                                                                    \
  }                                                                                                                    \
  static void rotate_##t(const vector_call *call) {                                                                    \
    const type c = *(const type *)uwl_sparse_scalar(&call->alpha), s = *(const type *)uwl_sparse_scalar(&call->beta);  \
    type *x = call->x.values, *y = call->y.values;                                                                     \
    for (int64_t i = 0; i < call->x.nnz; i++) {                                                                        \
      const type before = x[i], other = AT(i);                                                                         \
      x[i] = c * before + s * other;                                                                                   \
      AT(i) = c * other - s * before;                                                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  static void dot_##t(const vector_call *call) {                                                                       \
    type *x = call->x.values, *y = call->y.values, sum = 0;                                                            \
    for (int64_t i = 0; i < call->x.nnz; i++)                                                                          \
      sum += (call->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj_##t(x[i]) : x[i]) * AT(i);                     \
    *(type *)call->result = sum;                                                                                       \
  }
EACH_TYPE(VECTORS)
UWL_OPERATION(cusparseAxpby, vector_call){BY_TYPE(call->x.type, add, call)} UWL_OPERATION(cusparseGather, vector_call){
    BY_TYPE(call->x.type, gather, call)} UWL_OPERATION(cusparseScatter, vector_call){
    BY_TYPE(call->x.type, scatter, call)} UWL_OPERATION(cusparseRot, vector_call){
    BY_TYPE(call->x.type, rotate, call)} UWL_OPERATION(cusparseSpVV, vector_call){BY_TYPE(call->x.type, dot, call)}

#define CHECK_VECTORS(vecX, vecY)                                                                                      \
  HANDLE;                                                                                                              \
  IS_SP_VEC(vecX);                                                                                                     \
  IS_DN_VEC(vecY);                                                                                                     \
  NEED(vecX->size == vecY->size);                                                                                      \
  SUPPORTED(vecX->type == vecY->type)
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t vecX,
                               const void *beta, cusparseDnVecDescr_t vecY) {
  CHECK_VECTORS(vecX, vecY);
  NEED(alpha && beta);
  vector_call call = {.x = *vecX,
                      .y = *vecY,
                      .alpha = uwl_sparse_scalar_of(handle, alpha, vecX->type),
                      .beta = uwl_sparse_scalar_of(handle, beta, vecX->type)};
  GIVE(cusparseAxpby, call);
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY, cusparseSpVecDescr_t vecX) {
  CHECK_VECTORS(vecX, vecY);
  vector_call call = {.x = *vecX, .y = *vecY};
  GIVE(cusparseGather, call);
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  CHECK_VECTORS(vecX, vecY);
  vector_call call = {.x = *vecX, .y = *vecY};
  GIVE(cusparseScatter, call);
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  CHECK_VECTORS(vecX, vecY);
  NEED(c_coeff && s_coeff);
  vector_call call = {.x = *vecX,
                      .y = *vecY,
                      .alpha = uwl_sparse_scalar_of(handle, c_coeff, vecX->type),
                      .beta = uwl_sparse_scalar_of(handle, s_coeff, vecX->type)};
  GIVE(cusparseRot, call);
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                         const void *result, cudaDataType computeType, size_t *bufferSize) {
  CHECK_VECTORS(vecX, vecY);
  IS_OP(opX);
  NEED(result && bufferSize);
  SUPPORTED(computeType == vecX->type);
  *bufferSize = UWL_BUFFER_BYTES;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
                              cusparseConstDnVecDescr_t vecY, void *result, cudaDataType computeType,
                              void *externalBuffer) {
  (void)externalBuffer;
  CHECK_VECTORS(vecX, vecY);
  IS_OP(opX);
  NEED(result);
  SUPPORTED(computeType == vecX->type);
  vector_call call = {.x = *vecX, .y = *vecY, .op = opX, .result = result};
  cudaError_t error = uwl_launch(UWL_STUB(cusparseSpVV), handle->stream, &call);
  if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(handle->stream);
  return uwl_cusparse_status(error);
}
