/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: vectors. (cuBLAS documentation, "cuBLAS Level-1 Function Reference", "cublasSetVector()" and its like.) */
#include "internal.h"

/* --- the work ----------------------------------------------------------------------------------------------------- */

#define N &call->n
#define X call->c, &call->incx
#define CONST_X call->a, &call->incx
#define Y call->d, &call->incy
#define ALPHA uwl_scalar(&call->alpha)
#define BETA uwl_scalar(&call->beta)

#define LEVEL1(T, t, type)                                                                                             \
  UWL_OPERATION(cublas##T##scal, blas_call) { t##scal_(N, ALPHA, X); }                                                 \
  UWL_OPERATION(cublas##T##axpy, blas_call) { t##axpy_(N, ALPHA, CONST_X, Y); }                                        \
  UWL_OPERATION(cublas##T##copy, blas_call) { t##copy_(N, CONST_X, Y); }                                               \
  UWL_OPERATION(cublas##T##swap, blas_call) { t##swap_(N, X, Y); }                                                     \
  UWL_OPERATION(cublas##T##rot, blas_call) { t##rot_(N, X, Y, ALPHA, BETA); }                                          \
  UWL_OPERATION(cublasI##t##amax, blas_call) {                                                                         \
    int found = call->n <= 0 || call->incx <= 0 ? 0 : i##t##amax_(N, CONST_X);                                         \
    if (call->wide)                                                                                                    \
      *(int64_t *)call->c = found;                                                                                     \
    else                                                                                                               \
      *(int *)call->c = found;                                                                                         \
  }                                                                                                                    \
  UWL_OPERATION(cublasI##t##amin, blas_call) {                                                                         \
    int found = call->n <= 0 || call->incx <= 0 ? 0 : i##t##amin_(N, CONST_X);                                         \
    if (call->wide)                                                                                                    \
      *(int64_t *)call->c = found;                                                                                     \
    else                                                                                                               \
      *(int *)call->c = found;                                                                                         \
  }
S4(LEVEL1)

#define NORM(name, function, real)                                                                                     \
  UWL_OPERATION(cublas##name, blas_call) {                                                                             \
    *(real *)call->c = call->n <= 0 || call->incx <= 0 ? 0 : function(N, CONST_X);                                     \
  }
NORM(Snrm2, snrm2_, float)
NORM(Dnrm2, dnrm2_, double)
NORM(Scnrm2, scnrm2_, float)
NORM(Dznrm2, dznrm2_, double)
NORM(Sasum, sasum_, float)
NORM(Dasum, dasum_, double)
NORM(Scasum, scasum_, float)
NORM(Dzasum, dzasum_, double)

UWL_OPERATION(cublasSdot, blas_call) { *(float *)call->c = sdot_(N, CONST_X, call->b, &call->incy); }
UWL_OPERATION(cublasDdot, blas_call) { *(double *)call->c = ddot_(N, CONST_X, call->b, &call->incy); }
#define COMPLEX_DOT(name, function)                                                                                    \
  UWL_OPERATION(cublas##name, blas_call) { function(call->n, call->a, call->incx, call->b, call->incy, call->c); }
COMPLEX_DOT(Cdotu, cblas_cdotu_sub)
COMPLEX_DOT(Cdotc, cblas_cdotc_sub)
COMPLEX_DOT(Zdotu, cblas_zdotu_sub)
COMPLEX_DOT(Zdotc, cblas_zdotc_sub)

UWL_OPERATION(cublasCsscal, blas_call) { csscal_(N, ALPHA, X); }
UWL_OPERATION(cublasZdscal, blas_call) { zdscal_(N, ALPHA, X); }
UWL_OPERATION(cublasCsrot, blas_call) { csrot_(N, X, Y, ALPHA, BETA); }
UWL_OPERATION(cublasZdrot, blas_call) { zdrot_(N, X, Y, ALPHA, BETA); }

/* The five values of rotm; they may lie in device memory. */
typedef struct rotm_call {
  blas_call call;
  double param[5];
} rotm_call;
#define ROTM(T, t, type)                                                                                               \
  UWL_OPERATION(cublas##T##rotm, rotm_call) {                                                                          \
    const blas_call *own = &call->call;                                                                                \
    t##rotm_(&own->n, own->c, &own->incx, own->d, &own->incy, own->a ? own->a : call->param);                          \
  }
S2(ROTM)

/* --- rotations: four or five values, on the host in host mode ---------------------------------------------------- */

#define ROTG(T, t, type, real)                                                                                         \
  UWL_OPERATION(cublas##T##rotg, blas_call) { t##rotg_((void *)call->a, (void *)call->b, call->c, call->d); }          \
  cublasStatus_t cublas##T##rotg_v2(cublasHandle_t handle, type *a, type *b, real *c, type *s) {                       \
    HANDLE;                                                                                                            \
    NEED(a && b && c && s);                                                                                            \
    blas_call call = {.a = a, .b = b, .c = c, .d = s};                                                                 \
    GIVE_RESULT(cublas##T##rotg, call);                                                                                \
  }
ROTG(S, s, float, float)
ROTG(D, d, double, double)
ROTG(C, c, cuComplex, float)
ROTG(Z, z, cuDoubleComplex, double)

typedef struct rotmg_call {
  void *d1, *d2, *x1;
  const void *y1;
  void *param;
} rotmg_call;
#define ROTMG(T, t, type)                                                                                              \
  UWL_OPERATION(cublas##T##rotmg, rotmg_call) { t##rotmg_(call->d1, call->d2, call->x1, call->y1, call->param); }      \
  cublasStatus_t cublas##T##rotmg_v2(cublasHandle_t handle, type *d1, type *d2, type *x1, const type *y1,              \
                                     type *param) {                                                                    \
    HANDLE;                                                                                                            \
    NEED(d1 && d2 && x1 && y1 && param);                                                                               \
    rotmg_call call = {d1, d2, x1, y1, param};                                                                         \
    GIVE_RESULT(cublas##T##rotmg, call);                                                                               \
  }
S2(ROTMG)

/* --- functions with sizes ----------------------------------------------------------------------------------------- */

#define INT int
#define V2(name) cublas##name##_v2
#define EX(name) cublas##name
#include "level1.def"
#define INT int64_t
#define V2(name) cublas##name##_v2_64
#define EX(name) cublas##name##_64
#include "level1.def"
