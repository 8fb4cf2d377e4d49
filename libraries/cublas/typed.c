/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: functions whose elements have types given at run time, and half: GemmEx and its batches and groups, and
 * vectors. Which types go together is cuBLAS's table (cuBLAS documentation, "cublasGemmEx()", "cublasNrm2Ex()" and so
 * on); others are CUBLAS_STATUS_NOT_SUPPORTED. Halves are summed as floats also where the type of computation is
 * half. */
#include "../common/product.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>

/* --- products ----------------------------------------------------------------------------------------------------- */

typedef struct typed_call {
  uwl_product product; /* its scalars: the places below, or device memory */
  blas_scalar alpha, beta;
  long long stride_a, stride_b, stride_c;
  int batch, listed;
} typed_call;

static void multiply_nth(const typed_call *call, int i) {
  const uwl_product *of = &call->product;
  uwl_product product = *of;
  product.alpha = uwl_scalar(&call->alpha);
  product.beta = uwl_scalar(&call->beta);
  product.a = uwl_nth(of->a, call->listed, call->stride_a, uwl_type_bytes(of->type_a), i);
  product.b = uwl_nth(of->b, call->listed, call->stride_b, uwl_type_bytes(of->type_b), i);
  product.c = (void *)uwl_nth(of->c, call->listed, call->stride_c, uwl_type_bytes(of->type_c), i);
  if (!uwl_multiply(&product))
    abort(); /* no memory for a slice */
}
UWL_OPERATION(cublasGemmEx, typed_call) {
  const uwl_product *of = &call->product;
  if (!uwl_side_by_side(2.0 * of->m * of->n * of->k,
                        call->batch)) { /* without a region: its condition alone takes as long as a small product */
    for (int i = 0; i < call->batch; i++)
      multiply_nth(call, i);
    return;
  }
#pragma omp parallel for
  for (int i = 0; i < call->batch; i++)
    multiply_nth(call, i);
}

/* The type of the scalars for a type of computation, 0 if there is none. */
static int scale_of(cublasComputeType_t compute, cudaDataType c, cudaDataType *scale) {
  const int complex = c == CUDA_C_32F || c == CUDA_C_64F;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC: *scale = CUDA_R_16F; return 1;
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9: /* by products of the type itself, which are as exact */
    *scale = complex ? CUDA_C_32F : CUDA_R_32F;
    return c == CUDA_R_32F || c == CUDA_C_32F;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC: *scale = complex ? CUDA_C_32F : CUDA_R_32F; return 1;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: *scale = complex ? CUDA_C_64F : CUDA_R_64F; return 1;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC: *scale = CUDA_R_32I; return 1;
  }
  return 0;
}

/* Programs built for CUDA 10 hand over a type of elements; its numbers are none of those above. */
static cublasComputeType_t since_cuda_11(cublasComputeType_t compute) {
  switch ((int)compute) {
  case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
  case CUDA_R_32F:
  case CUDA_C_32F: return CUBLAS_COMPUTE_32F;
  case CUDA_R_64F:
  case CUDA_C_64F: return CUBLAS_COMPUTE_64F;
  case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
  default: return compute;
  }
}

static int is_compute_type(cublasComputeType_t compute) {
  return (compute >= CUBLAS_COMPUTE_16F && compute <= CUBLAS_COMPUTE_16F_PEDANTIC) ||
         (compute >= CUBLAS_COMPUTE_32F && compute <= CUBLAS_COMPUTE_32F_FAST_16BF) ||
         (compute >= CUBLAS_COMPUTE_32F_FAST_TF32 && compute <= CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT);
}

/* They all are one. */
static int is_algorithm(cublasGemmAlgo_t algo) {
  return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP) || algo == CUBLAS_GEMM_AUTOTUNE;
}

typedef struct typed_matrix {
  const void *at;
  cudaDataType type;
  int64_t ld;
  long long stride;
} typed_matrix;

static cublasStatus_t give_product(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                                   int64_t n, int64_t k, const void *alpha, typed_matrix a, typed_matrix b,
                                   const void *beta, typed_matrix c, int64_t batch, int listed, cudaDataType scale) {
  HANDLE;
  NEED(uwl_trans(transa) && uwl_trans(transb) && m >= 0 && n >= 0 && k >= 0 && batch >= 0);
  LD(a.ld, transa == CUBLAS_OP_N ? m : k);
  LD(b.ld, transb == CUBLAS_OP_N ? k : n);
  LD(c.ld, m);
  if (!uwl_product_knows(a.type, b.type, c.type, scale))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (scale == CUDA_R_32I && (a.ld % 4 || b.ld % 4))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  FITS(m);
  FITS(n);
  FITS(k);
  FITS(a.ld);
  FITS(b.ld);
  FITS(c.ld);
  FITS(batch);
  NOTHING_IF(m == 0 || n == 0 || batch == 0);
  NEED(alpha && beta && c.at && ((a.at && b.at) || k == 0));
  size_t bytes = uwl_type_bytes(scale);
  typed_call call = {.product = {.type_a = a.type,
                                 .type_b = b.type,
                                 .type_c = c.type,
                                 .scale = scale,
                                 .trans_a = uwl_trans(transa),
                                 .trans_b = uwl_trans(transb),
                                 .m = (int)m,
                                 .n = (int)n,
                                 .k = (int)k,
                                 .lda = a.ld,
                                 .ldb = b.ld,
                                 .ldc = c.ld,
                                 .a = a.at,
                                 .b = b.at,
                                 .c = (void *)c.at},
                     .alpha = uwl_scalar_of(handle, alpha, bytes),
                     .beta = uwl_scalar_of(handle, beta, bytes),
                     .stride_a = a.stride,
                     .stride_b = b.stride,
                     .stride_c = c.stride,
                     .batch = (int)batch,
                     .listed = listed};
  GIVE(cublasGemmEx, call);
}

/* --- vectors ------------------------------------------------------------------------------------------------------ */

/* Elements of any type as doubles, two for a complex one; what floats hold, doubles hold. */
typedef struct typed_vector {
  void *at;
  cudaDataType type;
  int64_t inc;
} typed_vector;
typedef struct number {
  double real, imaginary;
} number;

static number load(cudaDataType type, const void *from) {
  const unsigned short bits = type == CUDA_R_16BF ? *(const unsigned short *)from : 0;
  const unsigned int wide = (unsigned int)bits << 16;
  float value;
  switch (type) {
  case CUDA_R_16F: return (number){(double)*(const _Float16 *)from, 0};
  case CUDA_R_16BF: memcpy(&value, &wide, sizeof value); return (number){value, 0};
  case CUDA_R_32F: return (number){*(const float *)from, 0};
  case CUDA_R_64F: return (number){*(const double *)from, 0};
  case CUDA_C_32F: return (number){((const float *)from)[0], ((const float *)from)[1]};
  case CUDA_C_64F: return (number){((const double *)from)[0], ((const double *)from)[1]};
  default: return (number){0, 0};
  }
}

static void store(cudaDataType type, void *to, number value) {
  const float real = (float)value.real;
  switch (type) {
  case CUDA_R_16F: *(_Float16 *)to = (_Float16)real; break;
  case CUDA_R_16BF: uwl_from_float(&real, 1, 1, 1, CUDA_R_16BF, to, 1); break;
  case CUDA_R_32F: *(float *)to = real; break;
  case CUDA_R_64F: *(double *)to = value.real; break;
  case CUDA_C_32F:
    ((float *)to)[0] = real;
    ((float *)to)[1] = (float)value.imaginary;
    break;
  case CUDA_C_64F:
    ((double *)to)[0] = value.real;
    ((double *)to)[1] = value.imaginary;
    break;
  default: break;
  }
}

typedef struct vectors_call {
  enum { NORM, SUM, MOST, LEAST, DOT, DOT_CONJUGATED, SCALE, ADD, COPY, SWAP, ROTATE, ROTATE_MODIFIED } what;
  int wide;
  int64_t n;
  typed_vector x, y;
  cudaDataType scalar_type, result_type;
  blas_scalar alpha, beta;
  double param[5];
  void *result;
} vectors_call;

static void *element(const typed_vector *of, int64_t n, int64_t i) {
  int64_t at = of->inc < 0 ? (i - (n - 1)) * of->inc : i * of->inc;
  return (char *)of->at + at * (int64_t)uwl_type_bytes(of->type);
}
static number element_of(const typed_vector *of, int64_t n, int64_t i) { return load(of->type, element(of, n, i)); }
static number times(number a, number b) {
  return (number){a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
static number plus(number a, number b) { return (number){a.real + b.real, a.imaginary + b.imaginary}; }

static void reduce(const vectors_call *call) {
  number sum = {0, 0};
  double best = 0;
  int64_t found = 0, n = call->n;
  for (int64_t i = 0; i < n; i++) {
    number x = element_of(&call->x, n, i);
    double size = fabs(x.real) + fabs(x.imaginary);
    if (call->what == NORM) {
      sum.real += x.real * x.real + x.imaginary * x.imaginary;
    } else if (call->what == SUM) {
      sum.real += size;
    } else if (call->what == DOT || call->what == DOT_CONJUGATED) {
      x.imaginary = call->what == DOT ? x.imaginary : -x.imaginary;
      sum = plus(sum, times(x, element_of(&call->y, n, i)));
    } else if (!found || (call->what == MOST ? size > best : size < best)) {
      best = size;
      found = i + 1;
    }
  }
  if (call->what == MOST || call->what == LEAST) {
    if (call->wide)
      *(int64_t *)call->result = found;
    else
      *(int *)call->result = (int)found;
    return;
  }
  if (call->what == NORM)
    sum.real = sqrt(sum.real);
  store(call->result_type, call->result, sum);
}

static void rotate_modified(const vectors_call *call) {
  double h[2][2] = {{1, 0}, {0, 1}}, param[5];
  for (int i = 0; i < 5; i++)
    param[i] = load(call->scalar_type, (const char *)(call->alpha.device ? call->alpha.device : call->param) +
                                           (size_t)i * uwl_type_bytes(call->scalar_type))
                   .real;
  if (param[0] == -2)
    return;
  h[0][0] = param[0] == 0 ? 1 : param[1];
  h[1][0] = param[0] == 1 ? -1 : param[2];
  h[0][1] = param[0] == 1 ? 1 : param[3];
  h[1][1] = param[0] == 0 ? 1 : param[4];
  for (int64_t i = 0; i < call->n; i++) {
    double x = element_of(&call->x, call->n, i).real, y = element_of(&call->y, call->n, i).real;
    store(call->x.type, element(&call->x, call->n, i), (number){h[0][0] * x + h[0][1] * y, 0});
    store(call->y.type, element(&call->y, call->n, i), (number){h[1][0] * x + h[1][1] * y, 0});
  }
}

static void change(const vectors_call *call) {
  const int has_scalar = call->what == SCALE || call->what == ADD || call->what == ROTATE;
  const number alpha = has_scalar ? load(call->scalar_type, uwl_scalar(&call->alpha)) : (number){0, 0};
  const number beta = call->what == ROTATE ? load(call->scalar_type, uwl_scalar(&call->beta)) : (number){0, 0};
  const int64_t n = call->n;
  for (int64_t i = 0; i < n; i++) {
    void *at_x = element(&call->x, n, i), *at_y = call->y.at ? element(&call->y, n, i) : NULL;
    number x = load(call->x.type, at_x), y = at_y ? load(call->y.type, at_y) : (number){0, 0};
    switch (call->what) {
    case SCALE: store(call->x.type, at_x, times(alpha, x)); break;
    case ADD: store(call->y.type, at_y, plus(times(alpha, x), y)); break;
    case SWAP:
      store(call->x.type, at_x, y);
      store(call->y.type, at_y, x);
      break;
    case COPY: store(call->y.type, at_y, x); break;
    default: /* ROTATE: beta is the sine */
      store(call->x.type, at_x, plus(times(alpha, x), times(beta, y)));
      store(call->y.type, at_y, plus(times(alpha, y), times((number){-beta.real, beta.imaginary}, x)));
    }
  }
}

UWL_OPERATION(cublasVectorEx, vectors_call) {
  if (call->what <= DOT_CONJUGATED)
    reduce(call);
  else if (call->what == ROTATE_MODIFIED)
    rotate_modified(call);
  else
    change(call);
}

static int is_vector_type(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F ||
         type == CUDA_C_64F;
}
static int is_half(cudaDataType type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }
static int is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
/* Halves are computed with as floats, all others as what they are. */
static int computes(cudaDataType type, cudaDataType execution) {
  return is_half(type) ? execution == CUDA_R_32F : is_vector_type(type) && execution == type;
}
static cudaDataType real_of(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

static cublasStatus_t give_vectors(cublasHandle_t handle, const vectors_call *call) {
  return call->what <= DOT_CONJUGATED ? uwl_cublas_result(handle, UWL_STUB(cublasVectorEx), call)
                                      : uwl_cublas_give(handle, UWL_STUB(cublasVectorEx), call);
}
#define SUPPORTED(condition)                                                                                           \
  if (!(condition))                                                                                                    \
  return CUBLAS_STATUS_NOT_SUPPORTED

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void *a, void *b, cudaDataType abType, void *c, void *s,
                            cudaDataType csType, cudaDataType executiontype) {
  HANDLE;
  SUPPORTED(executiontype == abType);
  if (abType == CUDA_R_32F && csType == CUDA_R_32F)
    return cublasSrotg_v2(handle, a, b, c, s);
  if (abType == CUDA_R_64F && csType == CUDA_R_64F)
    return cublasDrotg_v2(handle, a, b, c, s);
  if (abType == CUDA_C_32F && csType == CUDA_C_32F)
    return cublasCrotg_v2(handle, a, b, c, s);
  if (abType == CUDA_C_64F && csType == CUDA_C_64F)
    return cublasZrotg_v2(handle, a, b, c, s);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void *d1, cudaDataType d1Type, void *d2, cudaDataType d2Type,
                             void *x1, cudaDataType x1Type, const void *y1, cudaDataType y1Type, void *param,
                             cudaDataType paramType, cudaDataType executiontype) {
  HANDLE;
  SUPPORTED(d1Type == executiontype && d2Type == executiontype && x1Type == executiontype && y1Type == executiontype &&
            paramType == executiontype);
  if (executiontype == CUDA_R_32F)
    return cublasSrotmg_v2(handle, d1, d2, x1, y1, param);
  if (executiontype == CUDA_R_64F)
    return cublasDrotmg_v2(handle, d1, d2, x1, y1, param);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define INT int
#define EX(name) cublas##name
#include "typed.def"
#define INT int64_t
#define EX(name) cublas##name##_64
#include "typed.def"
