/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: factorisations, solutions and inverses of many small matrices, and triangles between packed and full form.
 * (cuBLAS documentation, "cublas<t>getrfBatched()" and those after it.) LAPACK does one matrix; threads take
 * matrices. */
#include "internal.h"

#include <stdlib.h>

typedef struct batch_call {
  char trans, uplo;
  int m, n, nrhs, lda, ldc, batch;
  const void *const *a; /* lists of matrices */
  void *const *c;
  const int *pivots; /* n of each matrix, or null */
  int *info;         /* of each matrix, or null */
  const void *from;
  void *to;
} batch_call;

static void note(const batch_call *call, int i, int info) {
  if (call->info)
    call->info[i] = info;
}

/* Without pivots: columns are divided by the diagonal, the rest updated. Gives the first zero of the diagonal, from
 * 1. */
#define UNPIVOTED(t, type, reciprocal_of)                                                                              \
  static int unpivoted_##t(int n, type *a, int lda) {                                                                  \
    const int one = 1;                                                                                                 \
    int info = 0;                                                                                                      \
    for (int k = 0; k < n; k++) {                                                                                      \
      type *pivot = a + k + (int64_t)k * lda;                                                                          \
      const int rest = n - k - 1;                                                                                      \
      type factor;                                                                                                     \
      if (!reciprocal_of(pivot, &factor)) {                                                                            \
        info = info ? info : k + 1;                                                                                    \
        continue;                                                                                                      \
      }                                                                                                                \
      t##scal_(&rest, &factor, pivot + 1, &one);                                                                       \
      for (int j = 1; j <= rest; j++) {                                                                                \
        type minus = NEGATIVE_##t(pivot[(int64_t)j * lda]);                                                            \
        t##axpy_(&rest, &minus, pivot + 1, &one, pivot + 1 + (int64_t)j * lda, &one);                                  \
      }                                                                                                                \
    }                                                                                                                  \
    return info;                                                                                                       \
  }
#define NEGATIVE_s(x) (-(x))
#define NEGATIVE_d(x) (-(x))
#define NEGATIVE_c(a) ((cuComplex){-(a).x, -(a).y})
#define NEGATIVE_z(a) ((cuDoubleComplex){-(a).x, -(a).y})
#define RECIPROCAL(t, type)                                                                                            \
  static int reciprocal_##t(const type *of, type *gives) {                                                             \
    *gives = 1 / *of;                                                                                                  \
    return *of != 0;                                                                                                   \
  }
RECIPROCAL(s, float)
RECIPROCAL(d, double)
#define RECIPROCAL_COMPLEX(t, type, complex)                                                                           \
  static int reciprocal_##t(const type *of, type *gives) {                                                             \
    complex value = of->x + of->y * (complex)1.0i, one = 1 / value;                                                    \
    gives->x = __real__ one;                                                                                           \
    gives->y = __imag__ one;                                                                                           \
    return of->x != 0 || of->y != 0;                                                                                   \
  }
RECIPROCAL_COMPLEX(c, cuComplex, _Complex float)
RECIPROCAL_COMPLEX(z, cuDoubleComplex, _Complex double)
UNPIVOTED(s, float, reciprocal_s)
UNPIVOTED(d, double, reciprocal_d)
UNPIVOTED(c, cuComplex, reciprocal_c)
UNPIVOTED(z, cuDoubleComplex, reciprocal_z)

#define EACH _Pragma("omp parallel for if (call->batch > 1)") for (int i = 0; i < call->batch; i++)
#define COPY_MATRIX(type, to, to_ld, from, from_ld, rows, columns)                                                     \
  for (int64_t column = 0; column < (columns); column++)                                                               \
  memcpy((type *)(to) + column * (to_ld), (const type *)(from) + column * (from_ld), sizeof(type) * (size_t)(rows))

#define BATCHES(T, t, type)                                                                                            \
  UWL_OPERATION(cublas##T##getrfBatched, batch_call) {                                                                 \
    EACH {                                                                                                             \
      int info = 0;                                                                                                    \
      if (call->pivots)                                                                                                \
        t##getrf_(&call->n, &call->n, (void *)call->a[i], &call->lda, (int *)call->pivots + (int64_t)i * call->n,      \
                  &info);                                                                                              \
      else                                                                                                             \
        info = unpivoted_##t(call->n, (void *)call->a[i], call->lda);                                                  \
      note(call, i, info);                                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  /* The inverse is what solves for the columns of the unit matrix. */                                                 \
  static void invert_##t(const batch_call *call, const type *lu, int lda, const int *pivots, int i) {                  \
    type *to = call->c[i];                                                                                             \
    const int n = call->n;                                                                                             \
    int info = 0;                                                                                                      \
    for (int j = 0; j < n && !info; j++) {                                                                             \
      type factor;                                                                                                     \
      if (!reciprocal_##t(&lu[j + (int64_t)j * lda], &factor))                                                         \
        info = j + 1;                                                                                                  \
    }                                                                                                                  \
    note(call, i, info);                                                                                               \
    if (info)                                                                                                          \
      return;                                                                                                          \
    COPY_MATRIX(type, to, call->ldc, lu, lda, n, n);                                                                   \
    int *order = malloc((size_t)n * sizeof *order);                                                                    \
    type *work = malloc((size_t)n * 32 * sizeof *work);                                                                \
    const int room = n * 32;                                                                                           \
    if (!order || !work)                                                                                               \
      abort();                                                                                                         \
    for (int j = 0; j < n; j++)                                                                                        \
      order[j] = pivots ? pivots[j] : j + 1;                                                                           \
    t##getri_(&n, to, &call->ldc, order, work, &room, &info);                                                          \
    free(order);                                                                                                       \
    free(work);                                                                                                        \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##getriBatched, batch_call) {                                                                 \
    EACH invert_##t(call, call->a[i], call->lda, call->pivots ? call->pivots + (int64_t)i * call->n : NULL, i);        \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##matinvBatched, batch_call) {                                                                \
    EACH {                                                                                                             \
      const int n = call->n;                                                                                           \
      int *pivots = malloc((size_t)n * sizeof *pivots), info = 0;                                                      \
      type *lu = malloc((size_t)n * (size_t)n * sizeof *lu);                                                           \
      if (!pivots || !lu)                                                                                              \
        abort();                                                                                                       \
      COPY_MATRIX(type, lu, n, call->a[i], call->lda, n, n);                                                           \
      t##getrf_(&n, &n, lu, &n, pivots, &info);                                                                        \
      if (info)                                                                                                        \
        note(call, i, info);                                                                                           \
      else                                                                                                             \
        invert_##t(call, lu, n, pivots, i);                                                                            \
      free(pivots);                                                                                                    \
      free(lu);                                                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##getrsBatched, batch_call) {                                                                 \
    const type one = {1};                                                                                              \
    EACH {                                                                                                             \
      int info = 0;                                                                                                    \
      if (call->pivots) {                                                                                              \
        t##getrs_(&call->trans, &call->n, &call->nrhs, call->a[i], &call->lda, call->pivots + (int64_t)i * call->n,    \
                  call->c[i], &call->ldc, &info);                                                                      \
      } else {                                                                                                         \
        const int lower_first = call->trans == 'N';                                                                    \
        t##trsm_("L", lower_first ? "L" : "U", &call->trans, lower_first ? "U" : "N", &call->n, &call->nrhs, &one,     \
                 call->a[i], &call->lda, call->c[i], &call->ldc);                                                      \
        t##trsm_("L", lower_first ? "U" : "L", &call->trans, lower_first ? "N" : "U", &call->n, &call->nrhs, &one,     \
                 call->a[i], &call->lda, call->c[i], &call->ldc);                                                      \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##geqrfBatched, batch_call) {                                                                 \
    const int room = call->n * 32;                                                                                     \
    EACH {                                                                                                             \
      int info;                                                                                                        \
      type *work = malloc((size_t)room * sizeof *work);                                                                \
      if (!work)                                                                                                       \
        abort();                                                                                                       \
      t##geqrf_(&call->m, &call->n, (void *)call->a[i], &call->lda, call->c[i], work, &room, &info);                   \
      free(work);                                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##gelsBatched, batch_call) {                                                                  \
    const int least = call->m < call->n ? call->m : call->n, most = call->m + call->n + call->nrhs;                    \
    const int room = least + most * 32;                                                                                \
    EACH {                                                                                                             \
      int info;                                                                                                        \
      type *work = malloc((size_t)room * sizeof *work);                                                                \
      if (!work)                                                                                                       \
        abort();                                                                                                       \
      t##gels_(&call->trans, &call->m, &call->n, &call->nrhs, (void *)call->a[i], &call->lda, call->c[i], &call->ldc,  \
               work, &room, &info);                                                                                    \
      free(work);                                                                                                      \
      note(call, i, info);                                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Columns of a triangle, packed one after the other. */                                                             \
  static void repack_##t(const batch_call *call, int pack) {                                                           \
    const int64_t n = call->n;                                                                                         \
    int64_t at = 0;                                                                                                    \
    for (int64_t j = 0; j < n; j++) {                                                                                  \
      const int64_t from = call->uplo == 'L' ? j : 0, count = call->uplo == 'L' ? n - j : j + 1;                       \
      const int64_t full = from + j * call->lda;                                                                       \
      memcpy((type *)call->to + (pack ? at : full), (const type *)call->from + (pack ? full : at),                     \
             sizeof(type) * (size_t)count);                                                                            \
      at += count;                                                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  UWL_OPERATION(cublas##T##tpttr, batch_call) { repack_##t(call, 0); }                                                 \
  UWL_OPERATION(cublas##T##trttp, batch_call) { repack_##t(call, 1); }                                                 \
                                                                                                                       \
  cublasStatus_t cublas##T##getrfBatched(cublasHandle_t handle, int n, type *const A[], int lda, int *P, int *info,    \
                                         int batchSize) {                                                              \
    HANDLE;                                                                                                            \
    NEED(n >= 0 && batchSize >= 0);                                                                                    \
    LD(lda, n);                                                                                                        \
    NOTHING_IF(n == 0 || batchSize == 0);                                                                              \
    NEED(A && info);                                                                                                   \
    batch_call call = {                                                                                                \
        .n = n, .lda = lda, .batch = batchSize, .a = (const void *const *)A, .pivots = P, .info = info};               \
    GIVE(cublas##T##getrfBatched, call);                                                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##T##getriBatched(cublasHandle_t handle, int n, const type *const A[], int lda, const int *P,   \
                                         type *const C[], int ldc, int *info, int batchSize) {                         \
    HANDLE;                                                                                                            \
    NEED(n >= 0 && batchSize >= 0);                                                                                    \
    LD(lda, n);                                                                                                        \
    LD(ldc, n);                                                                                                        \
    NOTHING_IF(n == 0 || batchSize == 0);                                                                              \
    NEED(A && C && info);                                                                                              \
    batch_call call = {.n = n,                                                                                         \
                       .lda = lda,                                                                                     \
                       .ldc = ldc,                                                                                     \
                       .batch = batchSize,                                                                             \
                       .a = (const void *const *)A,                                                                    \
                       .c = (void *const *)C,                                                                          \
                       .pivots = P,                                                                                    \
                       .info = info};                                                                                  \
    GIVE(cublas##T##getriBatched, call);                                                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##T##matinvBatched(cublasHandle_t handle, int n, const type *const A[], int lda,                \
                                          type *const Ainv[], int lda_inv, int *info, int batchSize) {                 \
    enum { MOST = 32 };                                                                                                \
    HANDLE;                                                                                                            \
    NEED(n >= 0 && batchSize >= 0 && n <= MOST);                                                                       \
    LD(lda, n);                                                                                                        \
    LD(lda_inv, n);                                                                                                    \
    NOTHING_IF(n == 0 || batchSize == 0);                                                                              \
    NEED(A && Ainv && info);                                                                                           \
    batch_call call = {.n = n,                                                                                         \
                       .lda = lda,                                                                                     \
                       .ldc = lda_inv,                                                                                 \
                       .batch = batchSize,                                                                             \
                       .a = (const void *const *)A,                                                                    \
                       .c = (void *const *)Ainv,                                                                       \
                       .info = info};                                                                                  \
    GIVE(cublas##T##matinvBatched, call);                                                                              \
  }                                                                                                                    \
  cublasStatus_t cublas##T##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,              \
                                         const type *const Aarray[], int lda, const int *devIpiv,                      \
                                         type *const Barray[], int ldb, int *info, int batchSize) {                    \
    HANDLE;                                                                                                            \
    NEED(info);                                                                                                        \
    *info = !uwl_trans(trans)         ? -1                                                                             \
            : n < 0                   ? -2                                                                             \
            : nrhs < 0                ? -3                                                                             \
            : lda < uwl_at_least_1(n) ? -5                                                                             \
            : ldb < uwl_at_least_1(n) ? -8                                                                             \
            : batchSize < 0           ? -10                                                                            \
                                      : 0;                                                                             \
    NEED(*info == 0);                                                                                                  \
    NOTHING_IF(n == 0 || nrhs == 0 || batchSize == 0);                                                                 \
    *info = !Aarray ? -4 : !Barray ? -7 : 0;                                                                           \
    NEED(*info == 0);                                                                                                  \
    batch_call call = {.trans = uwl_trans(trans),                                                                      \
                       .n = n,                                                                                         \
                       .nrhs = nrhs,                                                                                   \
                       .lda = lda,                                                                                     \
                       .ldc = ldb,                                                                                     \
                       .batch = batchSize,                                                                             \
                       .a = (const void *const *)Aarray,                                                               \
                       .c = (void *const *)Barray,                                                                     \
                       .pivots = devIpiv};                                                                             \
    GIVE(cublas##T##getrsBatched, call);                                                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##T##geqrfBatched(cublasHandle_t handle, int m, int n, type *const Aarray[], int lda,           \
                                         type *const TauArray[], int *info, int batchSize) {                           \
    HANDLE;                                                                                                            \
    NEED(info);                                                                                                        \
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < uwl_at_least_1(m) ? -4 : batchSize < 0 ? -7 : 0;                           \
    NEED(*info == 0);                                                                                                  \
    NOTHING_IF(m == 0 || n == 0 || batchSize == 0);                                                                    \
    *info = !Aarray ? -3 : !TauArray ? -5 : 0;                                                                         \
    NEED(*info == 0);                                                                                                  \
    batch_call call = {.m = m,                                                                                         \
                       .n = n,                                                                                         \
                       .lda = lda,                                                                                     \
                       .batch = batchSize,                                                                             \
                       .a = (const void *const *)Aarray,                                                               \
                       .c = (void *const *)TauArray};                                                                  \
    GIVE(cublas##T##geqrfBatched, call);                                                                               \
  }                                                                                                                    \
  /* Systems with at least as many rows as columns, not transposed. */                                                 \
  cublasStatus_t cublas##T##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs,        \
                                        type *const Aarray[], int lda, type *const Carray[], int ldc, int *info,       \
                                        int *devInfoArray, int batchSize) {                                            \
    HANDLE;                                                                                                            \
    NEED(info);                                                                                                        \
    *info = !uwl_trans(trans)         ? -1                                                                             \
            : m < 0                   ? -2                                                                             \
            : n < 0                   ? -3                                                                             \
            : nrhs < 0                ? -4                                                                             \
            : lda < uwl_at_least_1(m) ? -6                                                                             \
            : ldc < uwl_at_least_1(m) ? -8                                                                             \
            : batchSize < 0           ? -11                                                                            \
                                      : 0;                                                                             \
    NEED(*info == 0);                                                                                                  \
    if (trans != CUBLAS_OP_N || m < n)                                                                                 \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                                                              \
    NOTHING_IF(m == 0 || n == 0 || nrhs == 0 || batchSize == 0);                                                       \
    *info = !Aarray ? -5 : !Carray ? -7 : 0;                                                                           \
    NEED(*info == 0);                                                                                                  \
    batch_call call = {.trans = 'N',                                                                                   \
                       .m = m,                                                                                         \
                       .n = n,                                                                                         \
                       .nrhs = nrhs,                                                                                   \
                       .lda = lda,                                                                                     \
                       .ldc = ldc,                                                                                     \
                       .batch = batchSize,                                                                             \
                       .a = (const void *const *)Aarray,                                                               \
                       .c = (void *const *)Carray,                                                                     \
                       .info = devInfoArray};                                                                          \
    GIVE(cublas##T##gelsBatched, call);                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##T##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const type *AP, type *A,        \
                                  int lda) {                                                                           \
    HANDLE;                                                                                                            \
    NEED(uwl_uplo(uplo) && n >= 0);                                                                                    \
    LD(lda, n);                                                                                                        \
    NOTHING_IF(n == 0);                                                                                                \
    NEED(AP && A);                                                                                                     \
    batch_call call = {.uplo = uwl_uplo(uplo), .n = n, .lda = lda, .from = AP, .to = A};                               \
    GIVE(cublas##T##tpttr, call);                                                                                      \
  }                                                                                                                    \
  cublasStatus_t cublas##T##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const type *A, int lda,         \
                                  type *AP) {                                                                          \
    HANDLE;                                                                                                            \
    NEED(uwl_uplo(uplo) && n >= 0);                                                                                    \
    LD(lda, n);                                                                                                        \
    NOTHING_IF(n == 0);                                                                                                \
    NEED(AP && A);                                                                                                     \
    batch_call call = {.uplo = uwl_uplo(uplo), .n = n, .lda = lda, .from = A, .to = AP};                               \
    GIVE(cublas##T##trttp, call);                                                                                      \
  }
S4(BATCHES)
