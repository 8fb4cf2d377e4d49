/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MAGMA's dense factorisations, systems and eigenvalues on LAPACK, for programs into which MAGMA was linked
 * (libraries/exec/linked_in.c): its own kernels are GPU code alone there. (MAGMA 2.5 documentation, "Linear systems",
 * "Orthogonal factorizations", "Eigenvalues".) Only what is here is led; all else of MAGMA stays as it is. Matrices lie
 * in the device's memory, by columns, and everything that was given to the device is waited for.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>

/* What LAPACK has, in the form of its Fortran. */
#define LAPACK_OF_QR(L, T)                                                                                             \
  void L##ormqr_(const char *, const char *, const int *, const int *, const int *, const T *, const int *, const T *, \
                 T *, const int *, T *, const int *, int *, size_t, size_t);                                           \
  void L##gels_(const char *, const int *, const int *, const int *, T *, const int *, T *, const int *, T *,          \
                const int *, int *, size_t);                                                                           \
  void L##trtrs_(const char *, const char *, const char *, const int *, const int *, const T *, const int *, T *,      \
                 const int *, int *, size_t, size_t, size_t);
LAPACK_OF_QR(s, float)
LAPACK_OF_QR(d, double)
#define LAPACK(L, T)                                                                                                   \
  void L##getrf_(const int *, const int *, T *, const int *, int *, int *);                                            \
  void L##getri_(const int *, T *, const int *, const int *, T *, const int *, int *);                                 \
  void L##gesv_(const int *, const int *, T *, const int *, int *, T *, const int *, int *);                           \
  void L##getrs_(const char *, const int *, const int *, const T *, const int *, const int *, T *, const int *, int *, \
                 size_t);                                                                                              \
  void L##potrf_(const char *, const int *, T *, const int *, int *, size_t);                                          \
  void L##potri_(const char *, const int *, T *, const int *, int *, size_t);                                          \
  void L##potrs_(const char *, const int *, const int *, const T *, const int *, T *, const int *, int *, size_t);     \
  void L##geqrf_(const int *, const int *, T *, const int *, T *, T *, const int *, int *);                            \
  void L##orgqr_(const int *, const int *, const int *, T *, const int *, const T *, T *, const int *, int *);         \
  void L##syevd_(const char *, const char *, const int *, T *, const int *, T *, T *, const int *, int *, const int *, \
                 int *, size_t, size_t);                                                                               \
  void L##geev_(const char *, const char *, const int *, T *, const int *, T *, T *, T *, const int *, T *,            \
                const int *, T *, const int *, int *, size_t, size_t);
LAPACK(s, float)
LAPACK(d, double)

enum { TRANSPOSED = 112, CONJUGATED = 113, UPPER = 121, RIGHT = 142, NO_VECTORS = 301, NO_MEMORY = -113 };
static const char *triangle(int uplo) { return uplo == UPPER ? "U" : "L"; }
static const char *vectors(int job) { return job == NO_VECTORS ? "N" : "V"; }
static const char *transposed(int trans) { return trans == TRANSPOSED || trans == CONJUGATED ? "T" : "N"; }

/* Twice: how much is wanted, then the work, whose memory is its own. */
#define WITH_WORK(T, call)                                                                                             \
  T wanted, *work = &wanted;                                                                                           \
  int room = -1;                                                                                                       \
  call;                                                                                                                \
  if (*info == 0) {                                                                                                    \
    room = (int)wanted > 1 ? (int)wanted : 1;                                                                          \
    if (!(work = malloc((size_t)room * sizeof(T))))                                                                    \
      return *info = NO_MEMORY;                                                                                        \
    call;                                                                                                              \
    free(work);                                                                                                        \
  }                                                                                                                    \
  return *info

#pragma GCC visibility push(default)
#define API(name, ...)                                                                                                 \
  int name(__VA_ARGS__);                                                                                               \
  int name(__VA_ARGS__)
#define MAGMA(L, T)                                                                                                    \
  API(magma_##L##getrf_gpu, int m, int n, T *a, int lda, int *pivots, int *info) {                                     \
    cudaDeviceSynchronize();                                                                                           \
    L##getrf_(&m, &n, a, &lda, pivots, info);                                                                          \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##getri_gpu, int n, T *a, int lda, int *pivots, T *given, int given_room, int *info) {                  \
    (void)given, (void)given_room;                                                                                     \
    cudaDeviceSynchronize();                                                                                           \
    WITH_WORK(T, L##getri_(&n, a, &lda, pivots, work, &room, info));                                                   \
  }                                                                                                                    \
  API(magma_##L##gesv_gpu, int n, int columns, T *a, int lda, int *pivots, T *b, int ldb, int *info) {                 \
    cudaDeviceSynchronize();                                                                                           \
    L##gesv_(&n, &columns, a, &lda, pivots, b, &ldb, info);                                                            \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##getrs_gpu, int trans, int n, int columns, T *a, int lda, int *pivots, T *b, int ldb, int *info) {     \
    cudaDeviceSynchronize();                                                                                           \
    L##getrs_(transposed(trans), &n, &columns, a, &lda, pivots, b, &ldb, info, 1);                                     \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##potrf_gpu, int uplo, int n, T *a, int lda, int *info) {                                               \
    cudaDeviceSynchronize();                                                                                           \
    L##potrf_(triangle(uplo), &n, a, &lda, info, 1);                                                                   \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##potri_gpu, int uplo, int n, T *a, int lda, int *info) {                                               \
    cudaDeviceSynchronize();                                                                                           \
    L##potri_(triangle(uplo), &n, a, &lda, info, 1);                                                                   \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##potrs_gpu, int uplo, int n, int columns, T *a, int lda, T *b, int ldb, int *info) {                   \
    cudaDeviceSynchronize();                                                                                           \
    L##potrs_(triangle(uplo), &n, &columns, a, &lda, b, &ldb, info, 1);                                                \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##geqrf2_gpu, int m, int n, T *a, int lda, T *tau, int *info) {                                         \
    cudaDeviceSynchronize();                                                                                           \
    WITH_WORK(T, L##geqrf_(&m, &n, a, &lda, tau, work, &room, info));                                                  \
  }                                                                                                                    \
  /* What MAGMA keeps in triangles is for orgqr, which does without. */                                                \
  API(magma_##L##geqrf_gpu, int m, int n, T *a, int lda, T *tau, T *triangles, int *info) {                            \
    (void)triangles;                                                                                                   \
    return magma_##L##geqrf2_gpu(m, n, a, lda, tau, info);                                                             \
  }                                                                                                                    \
  API(magma_##L##orgqr_gpu, int m, int n, int k, T *a, int lda, T *tau, T *triangles, int block, int *info) {          \
    (void)triangles, (void)block;                                                                                      \
    cudaDeviceSynchronize();                                                                                           \
    WITH_WORK(T, L##orgqr_(&m, &n, &k, a, &lda, tau, work, &room, info));                                              \
  }                                                                                                                    \
  /* A question for how much memory is LAPACK's own; all of it is on the host. */                                      \
  API(magma_##L##syevd_gpu, int job, int uplo, int n, T *a, int lda, T *values, T *copy, int copy_ld, T *work,         \
      int room, int *whole, int whole_room, int *info) {                                                               \
    (void)copy, (void)copy_ld;                                                                                         \
    cudaDeviceSynchronize();                                                                                           \
    L##syevd_(vectors(job), triangle(uplo), &n, a, &lda, values, work, &room, whole, &whole_room, info, 1, 1);         \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##geev, int left, int right, int n, T *a, int lda, T *real, T *imaginary, T *vl, int ldvl, T *vr,       \
      int ldvr, T *work, int room, int *info) {                                                                        \
    cudaDeviceSynchronize();                                                                                           \
    L##geev_(vectors(left), vectors(right), &n, a, &lda, real, imaginary, vl, &ldvl, vr, &ldvr, work, &room, info, 1,  \
             1);                                                                                                       \
    return *info;                                                                                                      \
  }
/* All that reads the triangles that geqrf_gpu would have left: none may stay MAGMA's own. A given memory is left
 * alone. */
#define MAGMA_QR(L, T)                                                                                                 \
  API(magma_##L##ormqr_gpu, int side, int trans, int m, int n, int k, T *a, int lda, T *tau, T *c, int ldc, T *given,  \
      int given_room, T *triangles, int block, int *info) {                                                            \
    (void)triangles, (void)block;                                                                                      \
    *info = 0;                                                                                                         \
    if (given_room == -1)                                                                                              \
      return *given = 1, 0;                                                                                            \
    cudaDeviceSynchronize();                                                                                           \
    WITH_WORK(T, L##ormqr_(side == RIGHT ? "R" : "L", transposed(trans), &m, &n, &k, a, &lda, tau, c, &ldc, work,      \
                           &room, info, 1, 1));                                                                        \
  }                                                                                                                    \
  API(magma_##L##geqrs_gpu, int m, int n, int columns, T *a, int lda, T *tau, T *triangles, T *b, int ldb, T *given,   \
      int given_room, int *info) {                                                                                     \
    if (magma_##L##ormqr_gpu(0, TRANSPOSED, m, columns, n, a, lda, tau, b, ldb, given, given_room, triangles, 0,       \
                             info) ||                                                                                  \
        given_room == -1)                                                                                              \
      return *info;                                                                                                    \
    L##trtrs_("U", "N", "N", &n, &columns, a, &lda, b, &ldb, info, 1, 1, 1);                                           \
    return *info;                                                                                                      \
  }                                                                                                                    \
  API(magma_##L##gels_gpu, int trans, int m, int n, int columns, T *a, int lda, T *b, int ldb, T *given,               \
      int given_room, int *info) {                                                                                     \
    *info = 0;                                                                                                         \
    if (given_room == -1)                                                                                              \
      return *given = 1, 0;                                                                                            \
    cudaDeviceSynchronize();                                                                                           \
    WITH_WORK(T, L##gels_(transposed(trans), &m, &n, &columns, a, &lda, b, &ldb, work, &room, info, 1));               \
  }
MAGMA(s, float)
MAGMA(d, double)
MAGMA_QR(s, float)
MAGMA_QR(d, double)
#pragma GCC visibility pop
