/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLASLt: D = epilogue(alpha * op(A) * op(B) + beta * C), and transforms of a matrix. (cuBLAS documentation,
 * "cublasLtMatmul()", "cublasLtEpilogue_t".) A matrix by rows is a transposed one by columns; where D is by rows, the
 * transposed product is made. What is not all float, double or complex goes by way of floats, and so does what has an
 * epilogue. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
  RELU = 2,
  BIAS = 4,
  DRELU = 8,
  BGRAD = 16,
  GELU = 32,
  DGELU = 64,
  AUX = 128,
  BGRADA = 256,
  BGRADB = 512
}; /* an epilogue's bits */

typedef struct scalar {
  const void *device;
  _Alignas(16) unsigned char value[16];
} scalar;
static const void *value_of(const scalar *s) { return s->device ? s->device : s->value; }

typedef struct matmul_call {
  lt_matmul desc;
  lt_layout a, b, c, d;
  const void *at, *bt, *ct;
  void *dt;
  scalar alpha, beta;
} matmul_call;

static int is_complex(uint32_t type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
static int is_8bit_float(uint32_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
static int is_small(uint32_t type) { return type == CUDA_R_16F || type == CUDA_R_16BF || is_8bit_float(type); }
static int goes_by_float(const matmul_call *call) {
  return call->desc.scale == CUDA_R_32F || call->desc.scale == CUDA_R_16F;
}

static uwl_product product_of(const matmul_call *call, int i) {
  const lt_matmul *desc = &call->desc;
  const int by_rows = call->d.order == CUBLASLT_ORDER_ROW;
  const char trans[] = "NTC";
  const char ta = call->a.order == CUBLASLT_ORDER_ROW ? (desc->trans_a ? 'N' : 'T') : trans[desc->trans_a];
  const char tb = call->b.order == CUBLASLT_ORDER_ROW ? (desc->trans_b ? 'N' : 'T') : trans[desc->trans_b];
  const int64_t k = (int64_t)(desc->trans_a ? call->a.rows : call->a.cols);
  const char *a =
      (const char *)call->at + i * call->a.batch_stride * (int64_t)uwl_type_bytes((cudaDataType)call->a.type);
  const char *b =
      (const char *)call->bt + i * call->b.batch_stride * (int64_t)uwl_type_bytes((cudaDataType)call->b.type);
  uwl_product p = {.type_a = (cudaDataType)call->a.type,
                   .type_b = (cudaDataType)call->b.type,
                   .type_c = (cudaDataType)call->d.type,
                   .scale = (cudaDataType)desc->scale,
                   .k = (int)k,
                   .alpha = value_of(&call->alpha),
                   .beta = value_of(&call->beta),
                   .c = (char *)call->dt +
                        i * call->d.batch_stride * (int64_t)uwl_type_bytes((cudaDataType)call->d.type),
                   .ldc = call->d.ld};
  if (!by_rows) {
    p.trans_a = ta, p.trans_b = tb, p.a = a, p.b = b, p.lda = call->a.ld, p.ldb = call->b.ld;
    p.m = (int)call->d.rows, p.n = (int)call->d.cols;
  } else { /* the transposed product */
    p.trans_a = tb == 'N' ? 'T' : 'N', p.trans_b = ta == 'N' ? 'T' : 'N', p.a = b, p.b = a, p.lda = call->b.ld,
    p.ldb = call->a.ld;
    p.type_a = (cudaDataType)call->b.type, p.type_b = (cudaDataType)call->a.type;
    p.m = (int)call->d.cols, p.n = (int)call->d.rows;
  }
  return p;
}

static float load(int32_t type, const void *array, int64_t i) {
  float value;
  uwl_to_float((cudaDataType)type, (const char *)array + i * (int64_t)uwl_type_bytes((cudaDataType)type), 1, 1, 1,
               &value, 1);
  return value;
}
static void store(int32_t type, void *array, int64_t i, float value) {
  uwl_from_float(&value, 1, 1, 1, (cudaDataType)type, (char *)array + i * (int64_t)uwl_type_bytes((cudaDataType)type),
                 1);
}

static float gelu(float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }
static float gelu_slope(float x) {
  const float t = tanhf(0.7978845608f * (x + 0.044715f * x * x * x));
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 0.134145f * x * x);
}

/* Element (row, column) of D, of which the sum is `x`. */
static float finish(const matmul_call *call, int i, int64_t row, int64_t column, float x) {
  const lt_matmul *desc = &call->desc;
  const uint32_t e = desc->epilogue;
  const int32_t bias_type = desc->bias_type >= 0          ? desc->bias_type
                            : is_8bit_float(call->d.type) ? CUDA_R_16BF
                                                          : (int32_t)call->d.type;
  const int32_t aux_type = desc->aux_type >= 0 ? desc->aux_type : (int32_t)call->d.type;
  const int64_t at = i * desc->aux_stride + row + column * desc->aux_ld;
  if (e & BIAS)
    x += load(bias_type, desc->bias, row + i * desc->bias_stride);
  if (e & DGELU)
    return x * gelu_slope(load(aux_type, desc->aux, at));
  if (e & DRELU) /* of relu: a bit an element */
    return ((const unsigned char *)desc->aux)[at / 8] >> (at % 8) & 1 ? x : 0;
  if ((e & GELU) && (e & AUX))
    store(aux_type, desc->aux, at, x);
  if (e & GELU)
    return gelu(x);
  if ((e & RELU) && (e & AUX)) {
    unsigned char *byte = &((unsigned char *)desc->aux)[at / 8];
    *byte = (unsigned char)((*byte & ~(1 << at % 8)) | (x > 0) << at % 8);
  }
  return e & RELU ? (x > 0 ? x : 0) : x;
}

/* Sums of op(A) along k for each row, or of op(B) for each column. */
static void sum_operand(const matmul_call *call, int i) {
  const lt_matmul *desc = &call->desc;
  const int of_a = (desc->epilogue & BGRADA) != 0;
  const lt_layout *m = of_a ? &call->a : &call->b;
  const int transposed = of_a ? desc->trans_a != 0 : desc->trans_b == 0; /* is k along the rows of memory's columns? */
  const void *from = of_a ? call->at : call->bt;
  const int64_t size = (int64_t)(transposed ? m->cols : m->rows), k = (int64_t)(transposed ? m->rows : m->cols);
  const int by_rows = m->order == CUBLASLT_ORDER_ROW;
  const int32_t bias_type = desc->bias_type >= 0 ? desc->bias_type : (int32_t)call->d.type;
  for (int64_t r = 0; r < size; r++) {
    float sum = 0;
    for (int64_t l = 0; l < k; l++) {
      const int64_t row = transposed ? l : r, column = transposed ? r : l;
      sum +=
          load((int32_t)m->type, from, i * m->batch_stride + (by_rows ? row * m->ld + column : row + column * m->ld));
    }
    store(bias_type, desc->bias, r + i * desc->bias_stride, sum);
  }
}

static float factor(const void *pointer) { return pointer ? *(const float *)pointer : 1; }

static void multiply_floats(const matmul_call *call, int i) {
  const lt_matmul *desc = &call->desc;
  const uwl_product p = product_of(call, i);
  const int by_rows = call->d.order == CUBLASLT_ORDER_ROW, half = desc->scale == CUDA_R_16F;
  const float alpha = (half ? (float)*(const _Float16 *)p.alpha : *(const float *)p.alpha) * factor(desc->scale_a) *
                      factor(desc->scale_b);
  const float beta = (half ? (float)*(const _Float16 *)p.beta : *(const float *)p.beta) * factor(desc->scale_c);
  const int plain = desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT && !desc->amax && !desc->scale_d;
  const int in_place =
      p.type_c == CUDA_R_32F && plain && (beta == 0 || (call->ct == call->dt && call->c.ld == call->d.ld));
  float *sums = in_place ? p.c : uwl_scratch(UWL_SCRATCH_C, (size_t)p.m * (size_t)p.n * sizeof *sums);
  const int64_t ld = in_place ? p.ldc : p.m;
  if (!sums)
    abort();
  const char *c =
      (const char *)call->ct + i * call->c.batch_stride * (int64_t)uwl_type_bytes((cudaDataType)call->c.type);
  if (!in_place && beta != 0)
    uwl_to_float((cudaDataType)call->c.type, c, call->c.ld, p.m, p.n, sums, ld);
  if (!uwl_multiply_to_float(&p, alpha, beta, sums, ld))
    abort();
  if (in_place)
    return;
  float most = 0;
  /* Bits of a mask share bytes along a column of D, so that columns of D must stay whole where it is by columns. */
  const int alone = by_rows && (desc->epilogue & AUX) != 0;
  if (!plain) {
#pragma omp parallel for reduction(max : most) if (!alone && (int64_t)p.m * p.n > 1 << 14 && desc->aux_ld % 8 == 0)
    for (int64_t y = 0; y < p.n; y++)
      for (int64_t x = 0; x < p.m; x++) {
        float *sum = &sums[x + y * ld];
        *sum = finish(call, i, by_rows ? y : x, by_rows ? x : y, *sum);
        most = fmaxf(most, fabsf(*sum));
        *sum *= factor(desc->scale_d);
      }
    if (desc->amax)
      *(float *)desc->amax = most;
    if (desc->epilogue & BGRAD) {
      const int32_t bias_type = desc->bias_type >= 0 ? desc->bias_type : (int32_t)call->d.type;
      for (int64_t row = 0; row < (by_rows ? p.n : p.m); row++) {
        float sum = 0;
        for (int64_t column = 0; column < (by_rows ? p.m : p.n); column++)
          sum += by_rows ? sums[column + row * ld] : sums[row + column * ld];
        store(bias_type, desc->bias, row + i * desc->bias_stride, sum);
      }
    }
  }
  uwl_from_float(sums, ld, p.m, p.n, p.type_c, p.c, p.ldc);
  if (desc->epilogue & (BGRADA | BGRADB))
    sum_operand(call, i);
}

/* All of one type, or bytes: C goes to D first. */
static void multiply_others(const matmul_call *call, int i) {
  const uwl_product p = product_of(call, i);
  const size_t bytes = uwl_type_bytes(p.type_c);
  const char *c = (const char *)call->ct + i * call->c.batch_stride * (int64_t)bytes;
  static const unsigned char zero[16];
  if (c != p.c && memcmp(p.beta, zero, uwl_type_bytes(p.scale)) != 0)
    for (int64_t j = 0; j < p.n; j++)
      memcpy((char *)p.c + j * p.ldc * (int64_t)bytes, c + j * call->c.ld * (int64_t)bytes, (size_t)p.m * bytes);
  if (!uwl_multiply(&p))
    abort();
}

UWL_OPERATION(cublasLtMatmul, matmul_call) {
  for (int i = 0; i < call->d.batch; i++)
    if (goes_by_float(call))
      multiply_floats(call, i);
    else
      multiply_others(call, i);
}

/* --- what may be multiplied --------------------------------------------------------------------------------------- */

static int is_plain(const lt_layout *m) {
  const int64_t least = (int64_t)(m->order == CUBLASLT_ORDER_ROW ? m->cols : m->rows);
  return m->ld >= least && m->rows <= INT32_MAX && m->cols <= INT32_MAX && m->ld <= INT32_MAX && m->batch > 0;
}
static int knows_order(const lt_layout *m) { return m->order == CUBLASLT_ORDER_COL || m->order == CUBLASLT_ORDER_ROW; }
static int knows_epilogue(uint32_t e) {
  static const uint32_t known[] = {1, 2, 4, 6, 32, 36, 130, 134, 160, 164, 136, 152, 192, 208, 256, 512};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i] == e)
      return 1;
  return 0;
}

static int knows_types(const lt_matmul *desc, const lt_layout *a, const lt_layout *b, const lt_layout *c,
                       const lt_layout *d) {
  switch (desc->scale) {
  case CUDA_R_32F:
    if (desc->compute == CUBLAS_COMPUTE_32I)
      return 0;
    return (a->type == b->type || (is_8bit_float(a->type) && is_8bit_float(b->type))) &&
           (is_small(a->type) || a->type == CUDA_R_32F || (a->type == CUDA_R_8I && d->type == CUDA_R_32F)) &&
           (c->type == CUDA_R_32F || c->type == CUDA_R_16F || c->type == CUDA_R_16BF) &&
           (d->type == c->type || is_8bit_float(d->type)) && (a->type != CUDA_R_32F || d->type == CUDA_R_32F);
  case CUDA_R_16F:
    return a->type == CUDA_R_16F && b->type == CUDA_R_16F && c->type == CUDA_R_16F && d->type == CUDA_R_16F;
  default:
    return c->type == d->type && uwl_product_knows((cudaDataType)a->type, (cudaDataType)b->type, (cudaDataType)d->type,
                                                   (cudaDataType)desc->scale);
  }
}

cublasStatus_t uwl_lt_check(cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul, cublasLtMatrixLayout_t am,
                            cublasLtMatrixLayout_t bm, cublasLtMatrixLayout_t cm, cublasLtMatrixLayout_t dm) {
  const lt_matmul *desc = (const lt_matmul *)matmul;
  const lt_layout *a = (const lt_layout *)am, *b = (const lt_layout *)bm, *c = (const lt_layout *)cm,
                  *d = (const lt_layout *)dm;
  if (!uwl_lt_is_handle(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  NEED(desc && desc->mark == LT_MATMUL && a && a->mark == LT_LAYOUT && b && b->mark == LT_LAYOUT && c &&
       c->mark == LT_LAYOUT && d && d->mark == LT_LAYOUT);
  NEED((unsigned int)desc->trans_a <= 2 && (unsigned int)desc->trans_b <= 2 && (unsigned int)desc->pointer_mode <= 4);
  SUPPORTED(knows_order(a) && knows_order(b) && knows_order(c) && knows_order(d) && c->order == d->order);
  NEED(is_plain(a) && is_plain(b) && is_plain(c) && is_plain(d));
  const uint64_t m = desc->trans_a ? a->cols : a->rows, k = desc->trans_a ? a->rows : a->cols;
  NEED((desc->trans_b ? b->cols : b->rows) == k && (desc->trans_b ? b->rows : b->cols) == d->cols && d->rows == m &&
       c->rows == d->rows && c->cols == d->cols);
  NEED(a->batch == d->batch && b->batch == d->batch && c->batch == d->batch);
  SUPPORTED(knows_types(desc, a, b, c, d) && desc->trans_c == 0 && desc->fill == CUBLAS_FILL_MODE_FULL &&
            desc->pointer_mode <= CUBLASLT_POINTER_MODE_DEVICE);
  NEED(knows_epilogue(desc->epilogue));
  SUPPORTED(desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT || desc->scale == CUDA_R_32F || desc->scale == CUDA_R_16F);
  SUPPORTED(!is_complex(d->type) ||
            (a->order == CUBLASLT_ORDER_COL && b->order == CUBLASLT_ORDER_COL && d->order == CUBLASLT_ORDER_COL));
  return CUBLAS_STATUS_SUCCESS;
}

static scalar scalar_of(int32_t mode, const void *pointer, size_t bytes) {
  scalar s = {0};
  if (mode == CUBLASLT_POINTER_MODE_DEVICE)
    s.device = pointer;
  else
    memcpy(s.value, pointer, bytes);
  return s;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t Adesc, const void *B, cublasLtMatrixLayout_t Bdesc,
                              const void *beta, const void *C, cublasLtMatrixLayout_t Cdesc, void *D,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algo, void *workspace,
                              size_t workspaceSizeInBytes, cudaStream_t stream) {
  (void)algo, (void)workspace, (void)workspaceSizeInBytes;
  cublasStatus_t status = uwl_lt_check(lightHandle, computeDesc, Adesc, Bdesc, Cdesc, Ddesc);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const lt_matmul *desc = (const lt_matmul *)computeDesc;
  const uint32_t e = desc->epilogue;
  const size_t bytes = uwl_type_bytes((cudaDataType)desc->scale);
  const uint64_t k = desc->trans_a ? ((lt_layout *)Adesc)->rows : ((lt_layout *)Adesc)->cols;
  NEED(alpha && beta && D && ((A && B) || k == 0));
  const int reads_c =
      desc->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE || memcmp(beta, (const char[16]){0}, bytes) != 0;
  NEED(C || !reads_c);
  NEED(!(e & (BIAS | BGRAD | BGRADA | BGRADB)) || desc->bias);
  NEED(!(e & AUX) || (desc->aux && desc->aux_ld >= (int64_t)((lt_layout *)Ddesc)->rows));
  if (((lt_layout *)Ddesc)->rows == 0 || ((lt_layout *)Ddesc)->cols == 0)
    return CUBLAS_STATUS_SUCCESS;
  matmul_call call = {*desc,
                      *(lt_layout *)Adesc,
                      *(lt_layout *)Bdesc,
                      *(lt_layout *)Cdesc,
                      *(lt_layout *)Ddesc,
                      A,
                      B,
                      C,
                      D,
                      scalar_of(desc->pointer_mode, alpha, bytes),
                      scalar_of(desc->pointer_mode, beta, bytes)};
  return uwl_launch(UWL_STUB(cublasLtMatmul), stream, &call) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                            : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* --- transforms --------------------------------------------------------------------------------------------------- */

typedef struct transform_call {
  lt_transform desc;
  lt_layout a, b, c;
  const void *at, *bt;
  void *ct;
  scalar alpha, beta;
} transform_call;

static int64_t place(const lt_layout *m, int i, int64_t row, int64_t column) {
  return i * m->batch_stride + (m->order == CUBLASLT_ORDER_ROW ? row * m->ld + column : row + column * m->ld);
}
static double load_wide(const lt_layout *m, const void *at, int64_t i) {
  return m->type == CUDA_R_64F   ? ((const double *)at)[i]
         : m->type == CUDA_R_32I ? ((const int32_t *)at)[i]
                                 : load((int32_t)m->type, at, i);
}
UWL_OPERATION(cublasLtMatrixTransform, transform_call) {
  const int wide = call->desc.scale == CUDA_R_64F, whole = call->desc.scale == CUDA_R_32I;
  const void *a = value_of(&call->alpha), *b = value_of(&call->beta);
  const double alpha = wide ? *(const double *)a : whole ? *(const int32_t *)a : *(const float *)a;
  const double beta = wide ? *(const double *)b : whole ? *(const int32_t *)b : *(const float *)b;
  const int64_t rows = (int64_t)call->c.rows, cols = (int64_t)call->c.cols;
  for (int i = 0; i < call->c.batch; i++)
#pragma omp parallel for if (rows * cols > 1 << 14)
    for (int64_t column = 0; column < cols; column++)
      for (int64_t row = 0; row < rows; row++) {
        double sum = 0;
        if (alpha != 0)
          sum =
              alpha * load_wide(&call->a, call->at,
                                call->desc.trans_a ? place(&call->a, i, column, row) : place(&call->a, i, row, column));
        if (beta != 0)
          sum +=
              beta * load_wide(&call->b, call->bt,
                               call->desc.trans_b ? place(&call->b, i, column, row) : place(&call->b, i, row, column));
        const int64_t to = place(&call->c, i, row, column);
        if (call->c.type == CUDA_R_64F)
          ((double *)call->ct)[to] = sum;
        else if (call->c.type == CUDA_R_32I)
          ((int32_t *)call->ct)[to] = (int32_t)sum;
        else
          store((int32_t)call->c.type, call->ct, to, (float)sum);
      }
}

static int fits(const lt_layout *m, int transposed, const lt_layout *c) {
  return (transposed ? m->cols : m->rows) == c->rows && (transposed ? m->rows : m->cols) == c->cols && is_plain(m) &&
         m->batch == c->batch;
}
static int can_transform(const lt_layout *m) {
  return knows_order(m) && !is_complex(m->type) && uwl_type_bytes((cudaDataType)m->type) && m->type != CUDA_R_8U;
}
cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc,
                                       const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc, const void *beta,
                                       const void *B, cublasLtMatrixLayout_t Bdesc, void *C,
                                       cublasLtMatrixLayout_t Cdesc, cudaStream_t stream) {
  const lt_transform *desc = (const lt_transform *)transformDesc;
  const lt_layout *a = (const lt_layout *)Adesc, *b = (const lt_layout *)Bdesc, *c = (const lt_layout *)Cdesc;
  if (!uwl_lt_is_handle(lightHandle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  NEED(desc && desc->mark == LT_TRANSFORM && a && a->mark == LT_LAYOUT && c && c->mark == LT_LAYOUT &&
       (!b || b->mark == LT_LAYOUT));
  NEED(alpha && A && C && (!B || b) && (unsigned int)desc->trans_a <= 2 && (unsigned int)desc->trans_b <= 2);
  SUPPORTED(desc->scale == CUDA_R_32F || desc->scale == CUDA_R_64F || desc->scale == CUDA_R_32I);
  SUPPORTED(desc->pointer_mode <= CUBLASLT_POINTER_MODE_DEVICE && can_transform(a) && can_transform(c) &&
            (!B || can_transform(b)));
  NEED(is_plain(c) && fits(a, desc->trans_a != 0, c) && (!B || fits(b, desc->trans_b != 0, c)));
  const size_t bytes = uwl_type_bytes((cudaDataType)desc->scale);
  transform_call call = {.desc = *desc,
                         .a = *a,
                         .b = B ? *b : *a,
                         .c = *c,
                         .at = A,
                         .bt = B,
                         .ct = C,
                         .alpha = scalar_of(desc->pointer_mode, alpha, bytes)};
  if (B && beta)
    call.beta = scalar_of(desc->pointer_mode, beta, bytes);
  return uwl_launch(UWL_STUB(cublasLtMatrixTransform), stream, &call) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                                     : CUBLAS_STATUS_EXECUTION_FAILED;
}
