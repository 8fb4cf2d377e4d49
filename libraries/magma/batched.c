/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MAGMA's factorisations and systems of batches of matrices, one after the other on LAPACK: see magma.c. (MAGMA 2.5
 * documentation, "Batched".) Arrays of pointers, pivots and results lie in the device's memory. Pivots are LAPACK's, so
 * all that writes or reads them is here.
 */
#include <cuda_runtime_api.h>
#include <string.h>

#define LAPACK(L, T)                                                                                                   \
  void L##getrf_(const int *, const int *, T *, const int *, int *, int *);                                            \
  void L##getrs_(const char *, const int *, const int *, const T *, const int *, const int *, T *, const int *, int *, \
                 size_t);                                                                                              \
  void L##gesv_(const int *, const int *, T *, const int *, int *, T *, const int *, int *);                           \
  void L##potrf_(const char *, const int *, T *, const int *, int *, size_t);                                          \
  void L##potrs_(const char *, const int *, const int *, const T *, const int *, T *, const int *, int *, size_t);     \
  void L##trsm_(const char *, const char *, const char *, const char *, const int *, const int *, const T *,           \
                const T *, const int *, T *, const int *, size_t, size_t, size_t, size_t);
LAPACK(s, float)
LAPACK(d, double)

enum { TRANSPOSED = 112, CONJUGATED = 113, UPPER = 121, UNIT = 132, RIGHT = 142 };
static const char *triangle(int uplo) { return uplo == UPPER ? "U" : "L"; }
static const char *transposed(int trans) { return trans == TRANSPOSED || trans == CONJUGATED ? "T" : "N"; }

/* Without exchanges of rows; a pivot of zero is told by its number and ends it. */
#define FACTOR_PLAIN(L, T)                                                                                             \
  static int L##factor_plain(int m, int n, T *a, int lda) {                                                            \
    for (int k = 0; k < m && k < n; k++) {                                                                             \
      const T *column = a + (size_t)k * (size_t)lda;                                                                   \
      if (column[k] == 0)                                                                                              \
        return k + 1;                                                                                                  \
      for (int i = k + 1; i < m; i++)                                                                                  \
        a[i + (size_t)k * (size_t)lda] /= column[k];                                                                   \
      for (int j = k + 1; j < n; j++)                                                                                  \
        for (int i = k + 1; i < m; i++)                                                                                \
          a[i + (size_t)j * (size_t)lda] -= column[i] * a[k + (size_t)j * (size_t)lda];                                \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }
FACTOR_PLAIN(s, float)
FACTOR_PLAIN(d, double)

#pragma GCC visibility push(default)
#define API(name, ...)                                                                                                 \
  int name(__VA_ARGS__);                                                                                               \
  int name(__VA_ARGS__)
#define EACH for (int i = 0; i < count; i++)
/* What has no info of each matrix gives back the first that is not 0. */
#define MAGMA(L, T)                                                                                                    \
  API(magma_##L##getrf_batched, int m, int n, T **a, int lda, int **pivots, int *info, int count, void *queue) {       \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH L##getrf_(&m, &n, a[i], &lda, pivots[i], &info[i]);                                                           \
    return 0;                                                                                                          \
  }                                                                                                                    \
  API(magma_##L##getrf_nopiv_batched, int m, int n, T **a, int lda, int *info, int count, void *queue) {               \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH info[i] = L##factor_plain(m, n, a[i], lda);                                                                   \
    return 0;                                                                                                          \
  }                                                                                                                    \
  /* The inverse solves a system for each column of the identity; the factors stay, and what info says of them. */     \
  API(magma_##L##getri_outofplace_batched, int n, T **a, int lda, int **pivots, T **inverse, int ldi, int *info,       \
      int count, void *queue) {                                                                                        \
    int known;                                                                                                         \
    (void)queue, (void)info;                                                                                           \
    cudaDeviceSynchronize();                                                                                           \
    EACH {                                                                                                             \
      for (int k = 0; k < n; k++) {                                                                                    \
        memset(inverse[i] + (size_t)k * (size_t)ldi, 0, (size_t)n * sizeof(T));                                        \
        inverse[i][k + (size_t)k * (size_t)ldi] = 1;                                                                   \
      }                                                                                                                \
      L##getrs_("N", &n, &n, a[i], &lda, pivots[i], inverse[i], &ldi, &known, 1);                                      \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }                                                                                                                    \
  API(magma_##L##getrs_batched, int trans, int n, int columns, T **a, int lda, int **pivots, T **b, int ldb,           \
      int count, void *queue) {                                                                                        \
    int first = 0, info;                                                                                               \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH {                                                                                                             \
      L##getrs_(transposed(trans), &n, &columns, a[i], &lda, pivots[i], b[i], &ldb, &info, 1);                         \
      first = first ? first : info;                                                                                    \
    }                                                                                                                  \
    return first;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##gesv_batched, int n, int columns, T **a, int lda, int **pivots, T **b, int ldb, int *info, int count, \
      void *queue) {                                                                                                   \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH L##gesv_(&n, &columns, a[i], &lda, pivots[i], b[i], &ldb, &info[i]);                                          \
    return 0;                                                                                                          \
  }                                                                                                                    \
  API(magma_##L##potrf_batched, int uplo, int n, T **a, int lda, int *info, int count, void *queue) {                  \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH L##potrf_(triangle(uplo), &n, a[i], &lda, &info[i], 1);                                                       \
    return 0;                                                                                                          \
  }                                                                                                                    \
  API(magma_##L##potrs_batched, int uplo, int n, int columns, T **a, int lda, T **b, int ldb, int count,               \
      void *queue) {                                                                                                   \
    int first = 0, info;                                                                                               \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH {                                                                                                             \
      L##potrs_(triangle(uplo), &n, &columns, a[i], &lda, b[i], &ldb, &info, 1);                                       \
      first = first ? first : info;                                                                                    \
    }                                                                                                                  \
    return first;                                                                                                      \
  }                                                                                                                    \
  API(magmablas_##L##trsm_batched, int side, int uplo, int trans, int diagonal, int m, int n, T alpha, T **a, int lda, \
      T **b, int ldb, int count, void *queue) {                                                                        \
    (void)queue;                                                                                                       \
    cudaDeviceSynchronize();                                                                                           \
    EACH L##trsm_(side == RIGHT ? "R" : "L", triangle(uplo), transposed(trans), diagonal == UNIT ? "U" : "N", &m, &n,  \
                  &alpha, a[i], &lda, b[i], &ldb, 1, 1, 1, 1);                                                         \
    return 0;                                                                                                          \
  }
MAGMA(s, float)
MAGMA(d, double)
#pragma GCC visibility pop
