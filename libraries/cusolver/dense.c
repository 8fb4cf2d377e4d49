/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER's dense functions on LAPACK, which comes with OpenBLAS (www.netlib.org/lapack; Fortran's functions take the
 * lengths of their letters at the end). Workspaces are the library's own; the sizes that programs ask for are 1. */
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/cusolverDn.h"
#pragma GCC visibility pop
#include "../common/library.h"
#include "../common/version.h"
#include "../cublas/blas.h"

struct cusolverDnContext {
  cudaStream_t stream;
};
struct syevjInfo {
  double tolerance;
  int sweeps, sorts;
};
struct gesvdjInfo {
  double tolerance;
  int sweeps, sorts;
};
static const char kind, syevj_kind, gesvdj_kind;

#define HANDLE                                                                                                         \
  if (!uwrt_handle_is(handle, &kind))                                                                                  \
  return CUSOLVER_STATUS_NOT_INITIALIZED
#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUSOLVER_STATUS_INVALID_VALUE
#define LD(ld, rows) NEED((ld) >= ((rows) > 1 ? (rows) : 1))
#define GIVE(which, record)                                                                                            \
  return uwl_launch(UWL_STUB(which), handle->stream, &(record)) == cudaSuccess ? CUSOLVER_STATUS_SUCCESS               \
                                                                               : CUSOLVER_STATUS_EXECUTION_FAILED

static char uplo_of(cublasFillMode_t f) {
  return f == CUBLAS_FILL_MODE_LOWER ? 'L' : f == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}
static char trans_of(cublasOperation_t o) {
  return o == CUBLAS_OP_N ? 'N' : o == CUBLAS_OP_T ? 'T' : o == CUBLAS_OP_C ? 'C' : 0;
}
static char side_of(cublasSideMode_t s) { return s == CUBLAS_SIDE_LEFT ? 'L' : s == CUBLAS_SIDE_RIGHT ? 'R' : 0; }
static char job_of(cusolverEigMode_t m) {
  return m == CUSOLVER_EIG_MODE_NOVECTOR ? 'N' : m == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 0;
}

#define TELL(suffix, of, cuda)                                                                                         \
  UWLIB_TELLS cusolverStatus_t cusolverGetVersion##suffix(int *version) {                                              \
    NEED(version);                                                                                                     \
    *version = uwlib_version_number(of, 1000);                                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  UWLIB_TELLS cusolverStatus_t cusolverGetProperty##suffix(libraryPropertyType type, int *value) {                     \
    NEED(value && (unsigned int)type <= PATCH_LEVEL);                                                                  \
    *value = (of)[type];                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }
UWLIB_FOR_EACH_VERSION(TELL, CUSOLVER)

#define OBJECT(Create, Destroy, Type, kind_, bad)                                                                      \
  cusolverStatus_t Create(Type *what) {                                                                                \
    NEED(what);                                                                                                        \
    void *fresh = calloc(1, sizeof **what);                                                                            \
    if (!fresh || !uwrt_handle_add(fresh, &kind_)) {                                                                   \
      free(fresh);                                                                                                     \
      return CUSOLVER_STATUS_ALLOC_FAILED;                                                                             \
    }                                                                                                                  \
    *what = fresh;                                                                                                     \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusolverStatus_t Destroy(Type what) {                                                                                \
    if (!uwrt_handle_remove(what, &kind_))                                                                             \
      return bad;                                                                                                      \
    free(what);                                                                                                        \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }
OBJECT(cusolverDnCreate, cusolverDnDestroy, cusolverDnHandle_t, kind, CUSOLVER_STATUS_NOT_INITIALIZED)
OBJECT(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo, syevjInfo_t, syevj_kind, CUSOLVER_STATUS_INVALID_VALUE)
OBJECT(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo, gesvdjInfo_t, gesvdj_kind,
       CUSOLVER_STATUS_INVALID_VALUE)

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId) {
  HANDLE;
  handle->stream = streamId;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *streamId) {
  HANDLE;
  NEED(streamId);
  *streamId = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

/* Jacobi's method is not what runs here: its settings are kept, results are at least as exact, and sorted. */
#define JACOBI(Which, Type, kind_)                                                                                     \
  cusolverStatus_t cusolverDnX##Which##SetTolerance(Type info, double tolerance) {                                     \
    NEED(uwrt_handle_is(info, &kind_));                                                                                \
    info->tolerance = tolerance;                                                                                       \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDnX##Which##SetMaxSweeps(Type info, int max_sweeps) {                                       \
    NEED(uwrt_handle_is(info, &kind_) && max_sweeps >= 0);                                                             \
    info->sweeps = max_sweeps;                                                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDnX##Which##SetSortEig(Type info, int sort) {                                               \
    NEED(uwrt_handle_is(info, &kind_));                                                                                \
    info->sorts = sort;                                                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDnX##Which##GetResidual(cusolverDnHandle_t handle, Type info, double *residual) {           \
    HANDLE;                                                                                                            \
    NEED(uwrt_handle_is(info, &kind_) && residual);                                                                    \
    *residual = 0;                                                                                                     \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDnX##Which##GetSweeps(cusolverDnHandle_t handle, Type info, int *executed_sweeps) {         \
    HANDLE;                                                                                                            \
    NEED(uwrt_handle_is(info, &kind_) && executed_sweeps);                                                             \
    *executed_sweeps = 1;                                                                                              \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }
JACOBI(syevj, syevjInfo_t, syevj_kind)
JACOBI(gesvdj, gesvdjInfo_t, gesvdj_kind)

/* --- work --------------------------------------------------------------------------------------------------------- */

typedef struct solver_call {
  char side, uplo, trans, job, job_vt;
  int itype, m, n, k, lda, ldb, ldc, batch, transposes_vt;
  void *a, *b, *c, *tau, *w;
  const void *const *list_a;
  void *const *list_b;
  int *pivots, *info;
} solver_call;

static void note(const solver_call *call, int info) {
  if (call->info)
    *call->info = info;
}
static void *room(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    abort();
  return memory;
}

#define LAPACK(t, or, sy)                                                                                              \
  void t##potrf_(bf uplo, bi n, by a, bi lda, int *info, size_t);                                                      \
  void t##potrs_(bf uplo, bi n, bi nrhs, bx a, bi lda, by b, bi ldb, int *info, size_t);                               \
  void t##potri_(bf uplo, bi n, by a, bi lda, int *info, size_t);                                                      \
  void t##or##gqr_(bi m, bi n, bi k, by a, bi lda, bx tau, by work, bi lwork, int *info);                              \
  void t##or##mqr_(bf side, bf trans, bi m, bi n, bi k, bx a, bi lda, bx tau, by c, bi ldc, by work, bi lwork,         \
                   int *info, size_t, size_t);
#pragma GCC visibility push(default)
LAPACK(s, or, sy)
LAPACK(d, or, sy)
LAPACK(c, un, he)
LAPACK(z, un, he)
#define REAL_LAPACK(t)                                                                                                 \
  void t##gesvd_(bf u, bf vt, bi m, bi n, by a, bi lda, by s, by up, bi ldu, by vp, bi ldvt, by work, bi lwork,        \
                 int *info, size_t, size_t);                                                                           \
  void t##syevd_(bf job, bf uplo, bi n, by a, bi lda, by w, by work, bi lwork, int *iwork, bi liwork, int *info,       \
                 size_t, size_t);                                                                                      \
  void t##sygvd_(bi itype, bf job, bf uplo, bi n, by a, bi lda, by b, bi ldb, by w, by work, bi lwork, int *iwork,     \
                 bi liwork, int *info, size_t, size_t);
REAL_LAPACK(s)
REAL_LAPACK(d)
#define COMPLEX_LAPACK(t)                                                                                              \
  void t##gesvd_(bf u, bf vt, bi m, bi n, by a, bi lda, by s, by up, bi ldu, by vp, bi ldvt, by work, bi lwork,        \
                 by rwork, int *info, size_t, size_t);                                                                 \
  void t##heevd_(bf job, bf uplo, bi n, by a, bi lda, by w, by work, bi lwork, by rwork, bi lrwork, int *iwork,        \
                 bi liwork, int *info, size_t, size_t);                                                                \
  void t##hegvd_(bi itype, bf job, bf uplo, bi n, by a, bi lda, by b, bi ldb, by w, by work, bi lwork, by rwork,       \
                 bi lrwork, int *iwork, bi liwork, int *info, size_t, size_t);
COMPLEX_LAPACK(c)
COMPLEX_LAPACK(z)
#pragma GCC visibility pop

/* Each asks LAPACK first how much room it wants. */
#define REAL_WORK(t, type)                                                                                             \
  static int gesvd_##t(char u, char vt, const solver_call *call, void *up, int ldu, void *vp, int ldvt) {              \
    int info = 0, lwork = -1;                                                                                          \
    type size = 0;                                                                                                     \
    t##gesvd_(&u, &vt, &call->m, &call->n, call->a, &call->lda, call->w, up, &ldu, vp, &ldvt, &size, &lwork, &info, 1, \
              1);                                                                                                      \
    lwork = (int)size + 1;                                                                                             \
    type *work = room((size_t)lwork * sizeof *work);                                                                   \
    t##gesvd_(&u, &vt, &call->m, &call->n, call->a, &call->lda, call->w, up, &ldu, vp, &ldvt, work, &lwork, &info, 1,  \
              1);                                                                                                      \
    free(work);                                                                                                        \
    return info;                                                                                                       \
  }                                                                                                                    \
  static int eigen_##t(const solver_call *call) {                                                                      \
    int info = 0, lwork = -1, liwork = -1, isize = 0;                                                                  \
    type size = 0, *work = &size;                                                                                      \
    int *iwork = &isize;                                                                                               \
    for (int pass = 0; pass < 2; pass++) {                                                                             \
      if (call->itype)                                                                                                 \
        t##sygvd_(&call->itype, &call->job, &call->uplo, &call->n, call->a, &call->lda, call->b, &call->ldb, call->w,  \
                  work, &lwork, iwork, &liwork, &info, 1, 1);                                                          \
      else                                                                                                             \
        t##syevd_(&call->job, &call->uplo, &call->n, call->a, &call->lda, call->w, work, &lwork, iwork, &liwork,       \
                  &info, 1, 1);                                                                                        \
      if (pass == 0) {                                                                                                 \
        lwork = (int)size + 1;                                                                                         \
        liwork = isize + 1;                                                                                            \
        work = room((size_t)lwork * sizeof *work);                                                                     \
        iwork = room((size_t)liwork * sizeof *iwork);                                                                  \
      }                                                                                                                \
    }                                                                                                                  \
    free(work);                                                                                                        \
    free(iwork);                                                                                                       \
    return info;                                                                                                       \
  }
REAL_WORK(s, float)
REAL_WORK(d, double)
#define COMPLEX_WORK(t, type, real)                                                                                    \
  static int gesvd_##t(char u, char vt, const solver_call *call, void *up, int ldu, void *vp, int ldvt) {              \
    int info = 0, lwork = -1;                                                                                          \
    type size = {0, 0};                                                                                                \
    real *rwork = room((size_t)(call->m < call->n ? call->m : call->n) * 5 * sizeof *rwork);                           \
    t##gesvd_(&u, &vt, &call->m, &call->n, call->a, &call->lda, call->w, up, &ldu, vp, &ldvt, &size, &lwork, rwork,    \
              &info, 1, 1);                                                                                            \
    lwork = (int)size.x + 1;                                                                                           \
    type *work = room((size_t)lwork * sizeof *work);                                                                   \
    t##gesvd_(&u, &vt, &call->m, &call->n, call->a, &call->lda, call->w, up, &ldu, vp, &ldvt, work, &lwork, rwork,     \
              &info, 1, 1);                                                                                            \
    free(work);                                                                                                        \
    free(rwork);                                                                                                       \
    return info;                                                                                                       \
  }                                                                                                                    \
  static int eigen_##t(const solver_call *call) {                                                                      \
    int info = 0, lwork = -1, liwork = -1, lrwork = -1, isize = 0;                                                     \
    type size = {0, 0}, *work = &size;                                                                                 \
    real rsize = 0, *rwork = &rsize;                                                                                   \
    int *iwork = &isize;                                                                                               \
    for (int pass = 0; pass < 2; pass++) {                                                                             \
      if (call->itype)                                                                                                 \
        t##hegvd_(&call->itype, &call->job, &call->uplo, &call->n, call->a, &call->lda, call->b, &call->ldb, call->w,  \
                  work, &lwork, rwork, &lrwork, iwork, &liwork, &info, 1, 1);                                          \
      else                                                                                                             \
        t##heevd_(&call->job, &call->uplo, &call->n, call->a, &call->lda, call->w, work, &lwork, rwork, &lrwork,       \
                  iwork, &liwork, &info, 1, 1);                                                                        \
      if (pass == 0) {                                                                                                 \
        lwork = (int)size.x + 1;                                                                                       \
        lrwork = (int)rsize + 1;                                                                                       \
        liwork = isize + 1;                                                                                            \
        work = room((size_t)lwork * sizeof *work);                                                                     \
        rwork = room((size_t)lrwork * sizeof *rwork);                                                                  \
        iwork = room((size_t)liwork * sizeof *iwork);                                                                  \
      }                                                                                                                \
    }                                                                                                                  \
    free(work);                                                                                                        \
    free(rwork);                                                                                                       \
    free(iwork);                                                                                                       \
    return info;                                                                                                       \
  }
COMPLEX_WORK(c, cuComplex, float)
COMPLEX_WORK(z, cuDoubleComplex, double)

#define CONJUGATE_s(x) (x)
#define CONJUGATE_d(x) (x)
#define CONJUGATE_c(a) ((cuComplex){(a).x, -(a).y})
#define CONJUGATE_z(a) ((cuDoubleComplex){(a).x, -(a).y})

/* Functions that tell sizes look at a few of their parameters. */
#pragma clang diagnostic ignored "-Wunused-parameter"
#define SIZE(name, parameters, ...)                                                                                    \
  cusolverStatus_t name##_bufferSize parameters {                                                                      \
    HANDLE;                                                                                                            \
    NEED(__VA_ARGS__);                                                                                                 \
    NEED(lwork);                                                                                                       \
    *lwork = 1;                                                                                                        \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }
#define FUNCTIONS(T, t, type, real, or, sy)                                                                            \
  UWL_OPERATION(cusolverDn##T##potrf, solver_call) {                                                                   \
    int info = 0;                                                                                                      \
    t##potrf_(&call->uplo, &call->n, call->a, &call->lda, &info, 1);                                                   \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##potrs, solver_call) {                                                                   \
    int info = 0;                                                                                                      \
    t##potrs_(&call->uplo, &call->n, &call->k, call->a, &call->lda, call->b, &call->ldb, &info, 1);                    \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##potri, solver_call) {                                                                   \
    int info = 0;                                                                                                      \
    t##potri_(&call->uplo, &call->n, call->a, &call->lda, &info, 1);                                                   \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##potrfBatched, solver_call) {                                                            \
    _Pragma("omp parallel for") for (int i = 0; i < call->batch; i++) {                                                \
      int info = 0;                                                                                                    \
      t##potrf_(&call->uplo, &call->n, (void *)call->list_a[i], &call->lda, &info, 1);                                 \
      call->info[i] = info;                                                                                            \
    }                                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##potrsBatched, solver_call) {                                                            \
    _Pragma("omp parallel for") for (int i = 0; i < call->batch; i++) {                                                \
      int info = 0;                                                                                                    \
      t##potrs_(&call->uplo, &call->n, &call->k, call->list_a[i], &call->lda, call->list_b[i], &call->ldb, &info, 1);  \
    }                                                                                                                  \
    note(call, 0);                                                                                                     \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##getrf, solver_call) {                                                                   \
    int info = 0;                                                                                                      \
    t##getrf_(&call->m, &call->n, call->a, &call->lda, call->pivots, &info);                                           \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##getrs, solver_call) {                                                                   \
    int info = 0;                                                                                                      \
    t##getrs_(&call->trans, &call->n, &call->k, call->a, &call->lda, call->pivots, call->b, &call->ldb, &info);        \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##geqrf, solver_call) {                                                                   \
    int info = 0, lwork = (call->n + 1) * 32;                                                                          \
    void *work = room((size_t)lwork * sizeof(type));                                                                   \
    t##geqrf_(&call->m, &call->n, call->a, &call->lda, call->tau, work, &lwork, &info);                                \
    free(work);                                                                                                        \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##or##gqr, solver_call) {                                                                 \
    int info = 0, lwork = (call->n + 1) * 32;                                                                          \
    void *work = room((size_t)lwork * sizeof(type));                                                                   \
    t##or##gqr_(&call->m, &call->n, &call->k, call->a, &call->lda, call->tau, work, &lwork, &info);                    \
    free(work);                                                                                                        \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##or##mqr, solver_call) {                                                                 \
    int info = 0, lwork = ((call->m > call->n ? call->m : call->n) + 66) * 64;                                         \
    void *work = room((size_t)lwork * sizeof(type));                                                                   \
    t##or##mqr_(&call->side, &call->trans, &call->m, &call->n, &call->k, call->a, &call->lda, call->tau, call->c,      \
                &call->ldc, work, &lwork, &info, 1, 1);                                                                \
    free(work);                                                                                                        \
    note(call, info);                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##gesvd, solver_call) {                                                                   \
    note(call, gesvd_##t(call->job, call->job_vt, call, call->b, call->ldb, call->c, call->ldc));                      \
  }                                                                                                                    \
  /* V, not its transpose. */                                                                                          \
  UWL_OPERATION(cusolverDn##T##gesvdj, solver_call) {                                                                  \
    const int least = call->m < call->n ? call->m : call->n, rows = call->job == 'A' ? call->n : least;                \
    type *vt = room((size_t)rows * (size_t)call->n * sizeof *vt);                                                      \
    note(call, gesvd_##t(call->job, call->job, call, call->b, call->ldb, vt, rows > 1 ? rows : 1));                    \
    for (int i = 0; call->job != 'N' && i < rows; i++)                                                                 \
      for (int j = 0; j < call->n; j++)                                                                                \
        ((type *)call->c)[j + (int64_t)i * call->ldc] = CONJUGATE_##t(vt[i + (int64_t)j * rows]);                      \
    free(vt);                                                                                                          \
  }                                                                                                                    \
  UWL_OPERATION(cusolverDn##T##sy##evd, solver_call) { note(call, eigen_##t(call)); }                                  \
                                                                                                                       \
  SIZE(cusolverDn##T##potrf, (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A, int lda, int *lwork),  \
       uplo_of(uplo) && n >= 0 && lda >= (n > 1 ? n : 1))                                                              \
  cusolverStatus_t cusolverDn##T##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A, int lda,     \
                                        type *work, int lwork, int *devInfo) {                                         \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(uplo_of(uplo) && n >= 0 && (A || n == 0));                                                                    \
    LD(lda, n);                                                                                                        \
    solver_call call = {.uplo = uplo_of(uplo), .n = n, .lda = lda, .a = A, .info = devInfo};                           \
    GIVE(cusolverDn##T##potrf, call);                                                                                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##T##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,             \
                                        const type *A, int lda, type *B, int ldb, int *devInfo) {                      \
    HANDLE;                                                                                                            \
    NEED(uplo_of(uplo) && n >= 0 && nrhs >= 0 && ((A && B) || n == 0));                                                \
    LD(lda, n);                                                                                                        \
    LD(ldb, n);                                                                                                        \
    solver_call call = {                                                                                               \
        .uplo = uplo_of(uplo), .n = n, .k = nrhs, .lda = lda, .ldb = ldb, .a = (void *)A, .b = B, .info = devInfo};    \
    GIVE(cusolverDn##T##potrs, call);                                                                                  \
  }                                                                                                                    \
  SIZE(cusolverDn##T##potri, (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A, int lda, int *lwork),  \
       uplo_of(uplo) && n >= 0 && lda >= (n > 1 ? n : 1))                                                              \
  cusolverStatus_t cusolverDn##T##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A, int lda,     \
                                        type *work, int lwork, int *devInfo) {                                         \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(uplo_of(uplo) && n >= 0 && (A || n == 0));                                                                    \
    LD(lda, n);                                                                                                        \
    solver_call call = {.uplo = uplo_of(uplo), .n = n, .lda = lda, .a = A, .info = devInfo};                           \
    GIVE(cusolverDn##T##potri, call);                                                                                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##T##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A[],     \
                                               int lda, int *infoArray, int batchSize) {                               \
    HANDLE;                                                                                                            \
    NEED(uplo_of(uplo) && n >= 0 && batchSize >= 0 && ((A && infoArray) || batchSize == 0));                           \
    LD(lda, n);                                                                                                        \
    solver_call call = {.uplo = uplo_of(uplo),                                                                         \
                        .n = n,                                                                                        \
                        .lda = lda,                                                                                    \
                        .batch = batchSize,                                                                            \
                        .list_a = (const void *const *)A,                                                              \
                        .info = infoArray};                                                                            \
    GIVE(cusolverDn##T##potrfBatched, call);                                                                           \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##T##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,      \
                                               type *A[], int lda, type *B[], int ldb, int *d_info, int batchSize) {   \
    HANDLE;                                                                                                            \
    NEED(uplo_of(uplo) && n >= 0 && nrhs >= 0 && batchSize >= 0 && ((A && B) || batchSize == 0));                      \
    LD(lda, n);                                                                                                        \
    LD(ldb, n);                                                                                                        \
    solver_call call = {.uplo = uplo_of(uplo),                                                                         \
                        .n = n,                                                                                        \
                        .k = nrhs,                                                                                     \
                        .lda = lda,                                                                                    \
                        .ldb = ldb,                                                                                    \
                        .batch = batchSize,                                                                            \
                        .list_a = (const void *const *)A,                                                              \
                        .list_b = (void *const *)B,                                                                    \
                        .info = d_info};                                                                               \
    GIVE(cusolverDn##T##potrsBatched, call);                                                                           \
  }                                                                                                                    \
  SIZE(cusolverDn##T##getrf, (cusolverDnHandle_t handle, int m, int n, type *A, int lda, int *lwork),                  \
       m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1))                                                                     \
  cusolverStatus_t cusolverDn##T##getrf(cusolverDnHandle_t handle, int m, int n, type *A, int lda, type *work,         \
                                        int *devIpiv, int *devInfo) {                                                  \
    (void)work;                                                                                                        \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && (A || m == 0 || n == 0));                                                                 \
    LD(lda, m);                                                                                                        \
    if (!devIpiv)                                                                                                      \
      return CUSOLVER_STATUS_NOT_SUPPORTED;                                                                            \
    solver_call call = {.m = m, .n = n, .lda = lda, .a = A, .pivots = devIpiv, .info = devInfo};                       \
    GIVE(cusolverDn##T##getrf, call);                                                                                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##T##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,           \
                                        const type *A, int lda, const int *devIpiv, type *B, int ldb, int *devInfo) {  \
    HANDLE;                                                                                                            \
    NEED(trans_of(trans) && n >= 0 && nrhs >= 0 && ((A && B) || n == 0));                                              \
    LD(lda, n);                                                                                                        \
    LD(ldb, n);                                                                                                        \
    if (!devIpiv)                                                                                                      \
      return CUSOLVER_STATUS_NOT_SUPPORTED;                                                                            \
    solver_call call = {.trans = trans_of(trans),                                                                      \
                        .n = n,                                                                                        \
                        .k = nrhs,                                                                                     \
                        .lda = lda,                                                                                    \
                        .ldb = ldb,                                                                                    \
                        .a = (void *)A,                                                                                \
                        .b = B,                                                                                        \
                        .pivots = (int *)devIpiv,                                                                      \
                        .info = devInfo};                                                                              \
    GIVE(cusolverDn##T##getrs, call);                                                                                  \
  }                                                                                                                    \
  SIZE(cusolverDn##T##geqrf, (cusolverDnHandle_t handle, int m, int n, type *A, int lda, int *lwork),                  \
       m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1))                                                                     \
  cusolverStatus_t cusolverDn##T##geqrf(cusolverDnHandle_t handle, int m, int n, type *A, int lda, type *TAU,          \
                                        type *work, int lwork, int *devInfo) {                                         \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(m >= 0 && n >= 0 && ((A && TAU) || m == 0 || n == 0));                                                        \
    LD(lda, m);                                                                                                        \
    solver_call call = {.m = m, .n = n, .lda = lda, .a = A, .tau = TAU, .info = devInfo};                              \
    GIVE(cusolverDn##T##geqrf, call);                                                                                  \
  }                                                                                                                    \
  SIZE(cusolverDn##T##or##gqr,                                                                                         \
       (cusolverDnHandle_t handle, int m, int n, int k, const type *A, int lda, const type *tau, int *lwork),          \
       m >= n && n >= k && k >= 0 && lda >= (m > 1 ? m : 1))                                                           \
  cusolverStatus_t cusolverDn##T##or##gqr(cusolverDnHandle_t handle, int m, int n, int k, type *A, int lda,            \
                                          const type *tau, type *work, int lwork, int *info) {                         \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(m >= n && n >= k && k >= 0 && ((A && tau) || n == 0));                                                        \
    LD(lda, m);                                                                                                        \
    solver_call call = {.m = m, .n = n, .k = k, .lda = lda, .a = A, .tau = (void *)tau, .info = info};                 \
    GIVE(cusolverDn##T##or##gqr, call);                                                                                \
  }                                                                                                                    \
  SIZE(cusolverDn##T##or##mqr,                                                                                         \
       (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const type *A, \
        int lda, const type *tau, const type *C, int ldc, int *lwork),                                                 \
       side_of(side) && trans_of(trans) && m >= 0 && n >= 0 && k >= 0 && lda >= 1 && ldc >= (m > 1 ? m : 1))           \
  cusolverStatus_t cusolverDn##T##or##mqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,   \
                                          int m, int n, int k, const type *A, int lda, const type *tau, type *C,       \
                                          int ldc, type *work, int lwork, int *devInfo) {                              \
    (void)work, (void)lwork;                                                                                           \
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;                                                                \
    HANDLE;                                                                                                            \
    NEED(side_of(side) && trans_of(trans) && m >= 0 && n >= 0 && k >= 0 && k <= order &&                               \
         ((A && tau && C) || m == 0 || n == 0));                                                                       \
    LD(lda, order);                                                                                                    \
    LD(ldc, m);                                                                                                        \
    solver_call call = {.side = side_of(side),                                                                         \
                        .trans = trans_of(trans),                                                                      \
                        .m = m,                                                                                        \
                        .n = n,                                                                                        \
                        .k = k,                                                                                        \
                        .lda = lda,                                                                                    \
                        .ldc = ldc,                                                                                    \
                        .a = (void *)A,                                                                                \
                        .tau = (void *)tau,                                                                            \
                        .c = C,                                                                                        \
                        .info = devInfo};                                                                              \
    GIVE(cusolverDn##T##or##mqr, call);                                                                                \
  }                                                                                                                    \
  SIZE(cusolverDn##T##gesvd, (cusolverDnHandle_t handle, int m, int n, int *lwork), m >= n && n >= 0)                  \
  cusolverStatus_t cusolverDn##T##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,  \
                                        type *A, int lda, real *S, type *U, int ldu, type *VT, int ldvt, type *work,   \
                                        int lwork, real *rwork, int *info) {                                           \
    (void)work, (void)lwork, (void)rwork;                                                                              \
    HANDLE;                                                                                                            \
    NEED(jobu && jobvt && strchr("ASON", jobu) && strchr("ASON", jobvt) && !(jobu == 'O' && jobvt == 'O') && n >= 0 && \
         m >= n && ((A && S) || n == 0));                                                                              \
    LD(lda, m);                                                                                                        \
    NEED(ldu >= 1 && ldvt >= 1 && (!strchr("AS", jobu) || (U && ldu >= m)) &&                                          \
         (!strchr("AS", jobvt) || (VT && ldvt >= n)));                                                                 \
    solver_call call = {.job = (char)jobu,                                                                             \
                        .job_vt = (char)jobvt,                                                                         \
                        .m = m,                                                                                        \
                        .n = n,                                                                                        \
                        .lda = lda,                                                                                    \
                        .ldb = ldu,                                                                                    \
                        .ldc = ldvt,                                                                                   \
                        .a = A,                                                                                        \
                        .w = S,                                                                                        \
                        .b = U,                                                                                        \
                        .c = VT,                                                                                       \
                        .info = info};                                                                                 \
    GIVE(cusolverDn##T##gesvd, call);                                                                                  \
  }                                                                                                                    \
  SIZE(cusolverDn##T##gesvdj,                                                                                          \
       (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const type *A, int lda,             \
        const real *S, const type *U, int ldu, const type *V, int ldv, int *lwork, gesvdjInfo_t params),               \
       job_of(jobz) && m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && uwrt_handle_is(params, &gesvdj_kind))             \
  cusolverStatus_t cusolverDn##T##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,    \
                                         type *A, int lda, real *S, type *U, int ldu, type *V, int ldv, type *work,    \
                                         int lwork, int *info, gesvdjInfo_t params) {                                  \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(job_of(jobz) && m >= 0 && n >= 0 && uwrt_handle_is(params, &gesvdj_kind) && ((A && S) || m == 0 || n == 0));  \
    LD(lda, m);                                                                                                        \
    NEED(jobz == CUSOLVER_EIG_MODE_NOVECTOR || (U && V && ldu >= m && ldv >= n));                                      \
    solver_call call = {.job = jobz == CUSOLVER_EIG_MODE_NOVECTOR ? 'N'                                                \
                               : econ                             ? 'S'                                                \
                                                                  : 'A',                                               \
                        .m = m,                                                                                        \
                        .n = n,                                                                                        \
                        .lda = lda,                                                                                    \
                        .ldb = ldu > 1 ? ldu : 1,                                                                      \
                        .ldc = ldv,                                                                                    \
                        .a = A,                                                                                        \
                        .w = S,                                                                                        \
                        .b = U,                                                                                        \
                        .c = V,                                                                                        \
                        .info = info};                                                                                 \
    GIVE(cusolverDn##T##gesvdj, call);                                                                                 \
  }                                                                                                                    \
  static cusolverStatus_t give_eigen_##t(cusolverDnHandle_t handle, int itype, cusolverEigMode_t jobz,                 \
                                         cublasFillMode_t uplo, int n, type *A, int lda, type *B, int ldb, real *W,    \
                                         int *info) {                                                                  \
    HANDLE;                                                                                                            \
    NEED(job_of(jobz) && uplo_of(uplo) && n >= 0 && ((A && W && (B || !itype)) || n == 0));                            \
    LD(lda, n);                                                                                                        \
    LD(ldb, itype ? n : 1);                                                                                            \
    solver_call call = {.itype = itype,                                                                                \
                        .job = job_of(jobz),                                                                           \
                        .uplo = uplo_of(uplo),                                                                         \
                        .n = n,                                                                                        \
                        .lda = lda,                                                                                    \
                        .ldb = ldb,                                                                                    \
                        .a = A,                                                                                        \
                        .b = B,                                                                                        \
                        .w = W,                                                                                        \
                        .info = info};                                                                                 \
    GIVE(cusolverDn##T##sy##evd, call);                                                                                \
  }                                                                                                                    \
  SIZE(cusolverDn##T##sy##evd,                                                                                         \
       (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const type *A, int lda,       \
        const real *W, int *lwork),                                                                                    \
       job_of(jobz) && uplo_of(uplo) && n >= 0 && lda >= (n > 1 ? n : 1))                                              \
  cusolverStatus_t cusolverDn##T##sy##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,    \
                                          int n, type *A, int lda, real *W, type *work, int lwork, int *info) {        \
    (void)work, (void)lwork;                                                                                           \
    return give_eigen_##t(handle, 0, jobz, uplo, n, A, lda, NULL, 1, W, info);                                         \
  }                                                                                                                    \
  SIZE(cusolverDn##T##sy##evj,                                                                                         \
       (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const type *A, int lda,       \
        const real *W, int *lwork, syevjInfo_t params),                                                                \
       job_of(jobz) && uplo_of(uplo) && n >= 0 && lda >= (n > 1 ? n : 1) && uwrt_handle_is(params, &syevj_kind))       \
  cusolverStatus_t cusolverDn##T##sy##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,    \
                                          int n, type *A, int lda, real *W, type *work, int lwork, int *info,          \
                                          syevjInfo_t params) {                                                        \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(uwrt_handle_is(params, &syevj_kind));                                                                         \
    return give_eigen_##t(handle, 0, jobz, uplo, n, A, lda, NULL, 1, W, info);                                         \
  }                                                                                                                    \
  SIZE(cusolverDn##T##sy##gvd,                                                                                         \
       (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
        const type *A, int lda, const type *B, int ldb, const real *W, int *lwork),                                    \
       itype >= 1 && itype <= 3 && job_of(jobz) && uplo_of(uplo) && n >= 0 && lda >= (n > 1 ? n : 1) &&                \
           ldb >= (n > 1 ? n : 1))                                                                                     \
  cusolverStatus_t cusolverDn##T##sy##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,  \
                                          cublasFillMode_t uplo, int n, type *A, int lda, type *B, int ldb, real *W,   \
                                          type *work, int lwork, int *info) {                                          \
    (void)work, (void)lwork;                                                                                           \
    HANDLE;                                                                                                            \
    NEED(itype >= 1 && itype <= 3);                                                                                    \
    return give_eigen_##t(handle, (int)itype, jobz, uplo, n, A, lda, B, ldb, W, info);                                 \
  }
FUNCTIONS(S, s, float, float, or, sy)
FUNCTIONS(D, d, double, double, or, sy)
FUNCTIONS(C, c, cuComplex, float, un, he)
FUNCTIONS(Z, z, cuDoubleComplex, double, un, he)
