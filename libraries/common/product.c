/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of types that BLAS does not know: half, bfloat16, bytes. Slices of both matrices of DEPTH become floats, and
 * sgemm multiplies them: conversions are a small part of the work, and sums are of floats, as cuBLAS has them in its
 * usual mode. A sum of DEPTH products of bytes is an integer below 2^24, so floats add it exactly in any order; the
 * slices' sums then add up in 32 bits.
 */
#include "product.h"

#include <math.h>
#include <string.h>

#include "../../runtime/for_each_level.h"
#include "../cublas/blas.h"
#include "library.h"

enum { DEPTH = 1024 }; /* 128 * 128 * DEPTH is 2^24 */

size_t uwl_type_bytes(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8U:
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2: return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
  case CUDA_C_8I: return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
  case CUDA_C_16F:
  case CUDA_C_16BF: return 4;
  case CUDA_R_64F:
  case CUDA_C_32F: return 8;
  case CUDA_C_64F: return 16;
  default: return 0;
  }
}

/* --- conversions, a column each ----------------------------------------------------------------------------------- */

UWRT_FOR_EACH_LEVEL(half_to_float, (const _Float16 *restrict from, float *restrict to, int64_t count),
                    (from, to, count)) {
  for (int64_t i = 0; i < count; i++)
    to[i] = (float)from[i];
}
UWRT_FOR_EACH_LEVEL(float_to_half, (const float *restrict from, _Float16 *restrict to, int64_t count),
                    (from, to, count)) {
  for (int64_t i = 0; i < count; i++)
    to[i] = (_Float16)from[i];
}
UWRT_FOR_EACH_LEVEL(bfloat_to_float, (const uint16_t *restrict from, uint32_t *restrict to, int64_t count),
                    (from, to, count)) {
  for (int64_t i = 0; i < count; i++)
    to[i] = (uint32_t)from[i] << 16;
}
/* To nearest even; a NaN is 0x7fff, as in CUDA. */
UWRT_FOR_EACH_LEVEL(float_to_bfloat, (const uint32_t *restrict from, uint16_t *restrict to, int64_t count),
                    (from, to, count)) {
  for (int64_t i = 0; i < count; i++) {
    uint32_t bits = from[i];
    to[i] = (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fff : (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
  }
}
UWRT_FOR_EACH_LEVEL(byte_to_float, (const int8_t *restrict from, float *restrict to, int64_t count),
                    (from, to, count)) {
  for (int64_t i = 0; i < count; i++)
    to[i] = (float)from[i];
}
static int8_t saturate(float value) {
  float whole = rintf(value);
  return (int8_t)(whole > 127 ? 127 : whole < -128 ? -128 : whole == whole ? whole : 0);
}

static float small_to_float(unsigned int bits, int fraction_bits, int bias, int is_e4m3) {
  unsigned int magnitude = bits & 0x7f, exponent = magnitude >> fraction_bits,
               fraction = magnitude & ((1u << fraction_bits) - 1);
  float value = exponent ? ldexpf((float)(fraction | 1u << fraction_bits), (int)exponent - bias - fraction_bits)
                         : ldexpf((float)fraction, 1 - bias - fraction_bits);
  if (is_e4m3 ? magnitude == 0x7f : magnitude > 0x7c)
    value = NAN;
  else if (!is_e4m3 && magnitude == 0x7c)
    value = INFINITY;
  return bits & 0x80 ? -value : value;
}

static void column_to_float(cudaDataType type, const void *from, float *to, int64_t count) {
  switch (type) {
  case CUDA_R_32F: memcpy(to, from, (size_t)count * sizeof *to); break;
  case CUDA_R_16F: half_to_float(from, to, count); break;
  case CUDA_R_16BF: bfloat_to_float(from, (uint32_t *)to, count); break;
  case CUDA_R_8I: byte_to_float(from, to, count); break;
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2:
    for (int64_t i = 0; i < count; i++)
      to[i] = small_to_float(((const unsigned char *)from)[i], type == CUDA_R_8F_E4M3 ? 3 : 2,
                             type == CUDA_R_8F_E4M3 ? 7 : 15, type == CUDA_R_8F_E4M3);
    break;
  default: break;
  }
}

/* To nearest even; too large becomes the largest number. */
static unsigned char float_to_small(float value, int is_e4m3) {
  const int fraction_bits = is_e4m3 ? 3 : 2, least = is_e4m3 ? -6 : -14;
  const float largest = is_e4m3 ? 448.0f : 57344.0f;
  unsigned char sign = signbit(value) ? 0x80 : 0;
  float magnitude = fabsf(value);
  if (magnitude != magnitude)
    return (unsigned char)(0x7f);
  if (magnitude >= largest)
    return sign | (is_e4m3 ? 0x7e : 0x7b);
  int exponent = magnitude > 0 ? ilogbf(magnitude) : least;
  if (exponent < least)
    exponent = least;
  unsigned int units = (unsigned int)rintf(ldexpf(magnitude, fraction_bits - exponent));
  unsigned int bits = units < 1u << fraction_bits ? units : units + ((unsigned int)(exponent - least) << fraction_bits);
  return (unsigned char)(sign | bits);
}

static void column_from_float(const float *from, cudaDataType type, void *to, int64_t count) {
  switch (type) {
  case CUDA_R_32F: memcpy(to, from, (size_t)count * sizeof *from); break;
  case CUDA_R_16F: float_to_half(from, to, count); break;
  case CUDA_R_16BF: float_to_bfloat((const uint32_t *)from, to, count); break;
  case CUDA_R_8I:
    for (int64_t i = 0; i < count; i++)
      ((int8_t *)to)[i] = saturate(from[i]);
    break;
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2:
    for (int64_t i = 0; i < count; i++)
      ((unsigned char *)to)[i] = float_to_small(from[i], type == CUDA_R_8F_E4M3);
    break;
  default: break;
  }
}

enum { WORTH_SHARING = 1 << 17 }; /* elements */

static void columns_to_float(cudaDataType type, const char *from, int64_t ld_bytes, int64_t rows, int64_t columns,
                             float *to, int64_t to_ld) {
  for (int64_t j = 0; j < columns; j++)
    column_to_float(type, from + j * ld_bytes, to + j * to_ld, rows);
}
static void columns_from_float(const float *from, int64_t from_ld, int64_t rows, int64_t columns, cudaDataType type,
                               char *to, int64_t ld_bytes) {
  for (int64_t j = 0; j < columns; j++)
    column_from_float(from + j * from_ld, type, to + j * ld_bytes, rows);
}

/* A parallel region takes microseconds even where its condition does not hold, as long as a small matrix's product:
 * what is not worth sharing has none. Columns without a hole between them are one. */
void uwl_to_float(cudaDataType type, const void *from, int64_t ld, int64_t rows, int64_t columns, float *to,
                  int64_t to_ld) {
  const int64_t bytes = (int64_t)uwl_type_bytes(type);
  if (rows * columns < WORTH_SHARING) {
    const int is_one = ld == rows && to_ld == rows;
    columns_to_float(type, from, ld * bytes, is_one ? rows * columns : rows, is_one ? 1 : columns, to, to_ld);
    return;
  }
#pragma omp parallel for
  for (int64_t j = 0; j < columns; j++)
    column_to_float(type, (const char *)from + j * ld * bytes, to + j * to_ld, rows);
}

void uwl_from_float(const float *from, int64_t from_ld, int64_t rows, int64_t columns, cudaDataType type, void *to,
                    int64_t ld) {
  const int64_t bytes = (int64_t)uwl_type_bytes(type);
  if (rows * columns < WORTH_SHARING) {
    const int is_one = ld == rows && from_ld == rows;
    columns_from_float(from, from_ld, is_one ? rows * columns : rows, is_one ? 1 : columns, type, to, ld * bytes);
    return;
  }
#pragma omp parallel for
  for (int64_t j = 0; j < columns; j++)
    column_from_float(from + j * from_ld, type, (char *)to + j * ld * bytes, rows);
}

/* --- products ----------------------------------------------------------------------------------------------------- */

/* cublasGemmEx's table of types; complex bytes are not in it here. */
int uwl_product_knows(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType scale) {
  if (a != b)
    return 0;
  switch (scale) {
  case CUDA_R_16F: return a == CUDA_R_16F && c == CUDA_R_16F;
  case CUDA_R_32I: return a == CUDA_R_8I && c == CUDA_R_32I;
  case CUDA_R_32F:
    return (c == CUDA_R_32F && (a == CUDA_R_32F || a == CUDA_R_16F || a == CUDA_R_16BF || a == CUDA_R_8I)) ||
           (c == a && (a == CUDA_R_16F || a == CUDA_R_16BF));
  case CUDA_R_64F:
  case CUDA_C_32F:
  case CUDA_C_64F: return a == scale && c == scale;
  default: return 0;
  }
}

/* Columns [from, from + depth) of op(a), or such rows of op(b), as floats without a hole. */
static const float *slice(cudaDataType type, const void *matrix, int64_t ld, int depth_is_columns, int64_t size,
                          int64_t from, int64_t depth, int slot, int *slice_ld) {
  const int64_t rows = depth_is_columns ? size : depth, columns = depth_is_columns ? depth : size;
  const char *start = (const char *)matrix + from * (depth_is_columns ? ld : 1) * (int64_t)uwl_type_bytes(type);
  if (type == CUDA_R_32F && ld >= rows && ld <= INT32_MAX) {
    *slice_ld = (int)ld;
    return (const float *)start;
  }
  float *floats = uwl_scratch(slot, (size_t)(rows * columns) * sizeof *floats);
  if (floats)
    uwl_to_float(type, start, ld, rows, columns, floats, rows);
  *slice_ld = (int)(rows > 1 ? rows : 1);
  return floats;
}

static int multiply_slice(const uwl_product *p, int64_t from, int depth, float alpha, float beta, float *to,
                          int to_ld) {
  int lda, ldb;
  const float *a = slice(p->type_a, p->a, p->lda, p->trans_a == 'N', p->m, from, depth, UWL_SCRATCH_A, &lda);
  const float *b = slice(p->type_b, p->b, p->ldb, p->trans_b != 'N', p->n, from, depth, UWL_SCRATCH_B, &ldb);
  if (!a || !b)
    return 0;
  sgemm_(&p->trans_a, &p->trans_b, &p->m, &p->n, &depth, &alpha, a, &lda, b, &ldb, &beta, to, &to_ld);
  return 1;
}

int uwl_multiply_to_float(const uwl_product *p, float alpha, float beta, float *to, int64_t to_ld) {
  int good = 1;
  if (p->k == 0 || alpha == 0) /* then neither matrix is read */
    return multiply_slice(p, 0, 0, 0, beta, to, (int)to_ld);
  for (int64_t from = 0; from < p->k && good; from += DEPTH)
    good = multiply_slice(p, from, p->k - from < DEPTH ? (int)(p->k - from) : DEPTH, alpha, from ? 1 : beta, to,
                          (int)to_ld);
  return good;
}

static int multiply_bytes(const uwl_product *p) {
  const uint32_t alpha = *(const uint32_t *)p->alpha, beta = *(const uint32_t *)p->beta;
  float *part = uwl_scratch(UWL_SCRATCH_C, (size_t)p->m * (size_t)p->n * sizeof *part);
  if (!part)
    return 0;
  for (int64_t from = 0; from == 0 || from < p->k; from += DEPTH) {
    int depth = p->k - from < DEPTH ? (int)(p->k - from) : DEPTH;
    if (!multiply_slice(p, from, depth, 1, 0, part, p->m))
      return 0;
#pragma omp parallel for if ((int64_t)p->m * p->n >= WORTH_SHARING)
    for (int64_t j = 0; j < p->n; j++) {
      uint32_t *c = (uint32_t *)p->c + j * p->ldc;
      const float *sums = part + j * p->m;
      for (int64_t i = 0; i < p->m; i++)
        c[i] = (from ? c[i] : beta ? beta * c[i] : 0) + alpha * (uint32_t)(int32_t)sums[i];
    }
  }
  return 1;
}

static float scale_to_float(cudaDataType scale, const void *value) {
  return scale == CUDA_R_16F ? (float)*(const _Float16 *)value : *(const float *)value;
}

static int multiply_floats(const uwl_product *p) {
  const float alpha = scale_to_float(p->scale, p->alpha), beta = scale_to_float(p->scale, p->beta);
  if (p->type_c == CUDA_R_32F && p->ldc >= p->m)
    return uwl_multiply_to_float(p, alpha, beta, p->c, p->ldc);
  float *sums = uwl_scratch(UWL_SCRATCH_C, (size_t)p->m * (size_t)p->n * sizeof *sums);
  if (!sums)
    return 0;
  if (beta != 0)
    uwl_to_float(p->type_c, p->c, p->ldc, p->m, p->n, sums, p->m);
  if (!uwl_multiply_to_float(p, alpha, beta, sums, p->m))
    return 0;
  uwl_from_float(sums, p->m, p->m, p->n, p->type_c, p->c, p->ldc);
  return 1;
}

int uwl_multiply(const uwl_product *p) {
  const int lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
  if (p->type_a == CUDA_R_32F && p->type_c == CUDA_R_32F && p->lda > 0 && p->ldc > 0)
    sgemm_(&p->trans_a, &p->trans_b, &p->m, &p->n, &p->k, p->alpha, p->a, &lda, p->b, &ldb, p->beta, p->c, &ldc);
  else if (p->type_a == CUDA_R_64F)
    dgemm_(&p->trans_a, &p->trans_b, &p->m, &p->n, &p->k, p->alpha, p->a, &lda, p->b, &ldb, p->beta, p->c, &ldc);
  else if (p->type_a == CUDA_C_32F)
    cgemm_(&p->trans_a, &p->trans_b, &p->m, &p->n, &p->k, p->alpha, p->a, &lda, p->b, &ldb, p->beta, p->c, &ldc);
  else if (p->type_a == CUDA_C_64F)
    zgemm_(&p->trans_a, &p->trans_b, &p->m, &p->n, &p->k, p->alpha, p->a, &lda, p->b, &ldb, p->beta, p->c, &ldc);
  else if (p->scale == CUDA_R_32I)
    return multiply_bytes(p);
  else
    return multiply_floats(p);
  return 1;
}
