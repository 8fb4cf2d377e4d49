/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER's dense functions, in four types: what factors multiply to, what solutions solve, eigenvalues and singular values by their
 * definition; bad arguments. */
#include "matrices.h"

#define TEST(T, t, type, real, or_, sy)                                                                                \
  static void test_##t() {                                                                                             \
    matrix<type> a(positive<type>()), a0(a), b(ld * n), b0(b), c(ld * m), g(ld * m), g0(g), u(ld * m), v(ld * m),      \
        tau(m);                                                                                                        \
    device<real> w(m);                                                                                                 \
    device<int> info(1), pivots(n);                                                                                    \
    int lwork = 0;                                                                                                     \
    const auto low = CUBLAS_FILL_MODE_LOWER;                                                                           \
    const auto with = CUSOLVER_EIG_MODE_VECTOR;                                                                        \
    GOOD(cusolverDn##T##potrf_bufferSize(handle, low, n, a, ld, &lwork));                                              \
    CHECK(lwork > 0);                                                                                                  \
    GOOD(cusolverDn##T##potrf(handle, low, n, a, ld, b, lwork, info));                                                 \
    GOOD(cusolverDn##T##potrs(handle, low, n, n, a, ld, b, ld, info));                                                 \
    cudaDeviceSynchronize();                                                                                           \
    CHECK(info[0] == 0);                                                                                               \
    for (int j = 0; j < n; j++)                                                                                        \
      for (int i = 0; i < n; i++) {                                                                                    \
        is_near<type>(sum(n, [&](int k) { return at(a0, i, k) * at(b, k, j); }), at(b0, i, j));                        \
        if (i >= j)                                                                                                    \
          is_near<type>(sum(j + 1, [&](int k) { return at(a, i, k) * std::conj(at(a, j, k)); }), at(a0, i, j));        \
      }                                                                                                                \
    GOOD(cusolverDn##T##potri(handle, low, n, a, ld, b, lwork, info));                                                 \
    cudaDeviceSynchronize();                                                                                           \
    is_near<type>(sum(n, [&](int k) { return at(a0, 2, k) * (k >= 1 ? at(a, k, 1) : std::conj(at(a, 1, k))); }), 0.0); \
    type *list[2] = {a0.at, a.at}, **pointers;                                                                         \
    cudaMallocManaged(&pointers, 2 * sizeof *pointers);                                                                \
    device<int> infos(2);                                                                                              \
    matrix<type> one(a0), two(a0);                                                                                     \
    list[0] = one, list[1] = two, pointers[0] = list[0], pointers[1] = list[1];                                        \
    set(two[1 + ld], -1);                                                                                              \
    GOOD(cusolverDn##T##potrfBatched(handle, low, n, pointers, ld, infos, 2));                                         \
    cudaDeviceSynchronize();                                                                                           \
    CHECK(infos[0] == 0 && infos[1] == 2);                                                                             \
    cudaFree(pointers);                                                                                                \
    matrix<type> lu(g0), x(b0);                                                                                        \
    GOOD(cusolverDn##T##getrf_bufferSize(handle, n, n, lu, ld, &lwork));                                               \
    GOOD(cusolverDn##T##getrf(handle, n, n, lu, ld, tau, pivots, info));                                               \
    GOOD(cusolverDn##T##getrs(handle, CUBLAS_OP_N, n, n, lu, ld, pivots, x, ld, info));                                \
    cudaDeviceSynchronize();                                                                                           \
    for (int i = 0; i < n; i++)                                                                                        \
      is_near<type>(sum(n, [&](int k) { return at(g0, i, k) * at(x, k, 3); }), at(b0, i, 3));                          \
    matrix<type> qr(g0), q(g0), qtb(g0);                                                                               \
    GOOD(cusolverDn##T##geqrf(handle, m, n, qr, ld, tau, tau, lwork, info));                                           \
    cudaDeviceSynchronize();                                                                                           \
    for (size_t i = 0; i < q.count; i++)                                                                               \
      q[i] = qr[i];                                                                                                    \
    GOOD(cusolverDn##T##or_##gqr(handle, m, n, n, q, ld, tau, c, lwork, info));                                        \
    GOOD(cusolverDn##T##or_##mqr(handle, CUBLAS_SIDE_LEFT, is_complex<type> ? CUBLAS_OP_C : CUBLAS_OP_T, m, n, n, qr,  \
                                 ld, tau, qtb, ld, c, lwork, info));                                                   \
    cudaDeviceSynchronize();                                                                                           \
    for (int j = 0; j < n; j++)                                                                                        \
      for (int i = 0; i < m; i++) {                                                                                    \
        is_near<type>(sum(j + 1, [&](int k) { return at(q, i, k) * at(qr, k, j); }), at(g0, i, j));                    \
        is_near<type>(at(qtb, i, j), i <= j ? at(qr, i, j) : 0.0);                                                     \
      }                                                                                                                \
    for (int by_jacobi = 0; by_jacobi < 2; by_jacobi++) {                                                              \
      matrix<type> s(g0), e(a0);                                                                                       \
      gesvdjInfo_t svd;                                                                                                \
      syevjInfo_t eig;                                                                                                 \
      GOOD(cusolverDnCreateGesvdjInfo(&svd));                                                                          \
      GOOD(cusolverDnCreateSyevjInfo(&eig));                                                                           \
      if (by_jacobi)                                                                                                   \
        GOOD(cusolverDn##T##gesvdj(handle, with, 1, m, n, s, ld, w, u, ld, v, ld, c, lwork, info, svd));               \
      else                                                                                                             \
        GOOD(cusolverDn##T##gesvd(handle, 'A', 'A', m, n, s, ld, w, u, ld, v, ld, c, lwork, nullptr, info));           \
      cudaDeviceSynchronize();                                                                                         \
      CHECK(info[0] == 0 && w[0] >= w[n - 1] && w[n - 1] >= 0);                                                        \
      for (int j = 0; j < n; j++)                                                                                      \
        for (int i = 0; i < m; i++)                                                                                    \
          is_near<type>(sum(n,                                                                                         \
                            [&](int k) {                                                                               \
                              return at(u, i, k) * (double)w[k] * (by_jacobi ? std::conj(at(v, j, k)) : at(v, k, j));  \
                            }),                                                                                        \
                        at(g0, i, j));                                                                                 \
      if (by_jacobi)                                                                                                   \
        GOOD(cusolverDn##T##sy##evj(handle, with, low, n, e, ld, w, c, lwork, info, eig));                             \
      else                                                                                                             \
        GOOD(cusolverDn##T##sy##evd(handle, with, low, n, e, ld, w, c, lwork, info));                                  \
      cudaDeviceSynchronize();                                                                                         \
      for (int j = 0; j < n; j++)                                                                                      \
        for (int i = 0; i < n; i++)                                                                                    \
          is_near<type>(sum(n, [&](int k) { return at(a0, i, k) * at(e, k, j); }), (double)w[j] * at(e, i, j));        \
      GOOD(cusolverDnDestroyGesvdjInfo(svd));                                                                          \
      GOOD(cusolverDnDestroySyevjInfo(eig));                                                                           \
    }                                                                                                                  \
    matrix<type> e(a0), f(positive<type>()), f0(f);                                                                    \
    GOOD(cusolverDn##T##sy##gvd(handle, CUSOLVER_EIG_TYPE_1, with, low, n, e, ld, f, ld, w, c, lwork, info));          \
    cudaDeviceSynchronize();                                                                                           \
    for (int i = 0; i < n; i++)                                                                                        \
      is_near<type>(sum(n, [&](int k) { return at(a0, i, k) * at(e, k, 2); }),                                         \
                    (double)w[2] * sum(n, [&](int k) { return at(f0, i, k) * at(e, k, 2); }));                         \
    CHECK(cusolverDn##T##potrf(nullptr, low, n, a, ld, b, lwork, info) == CUSOLVER_STATUS_NOT_INITIALIZED);            \
    CHECK(cusolverDn##T##potrf(handle, low, -1, a, ld, b, lwork, info) == CUSOLVER_STATUS_INVALID_VALUE);              \
    CHECK(cusolverDn##T##potrf(handle, low, n, a, n - 1, b, lwork, info) == CUSOLVER_STATUS_INVALID_VALUE);            \
    CHECK(cusolverDn##T##potrf(handle, (cublasFillMode_t)7, n, a, ld, b, lwork, info) ==                               \
          CUSOLVER_STATUS_INVALID_VALUE);                                                                              \
    CHECK(cusolverDn##T##gesvd(handle, 'A', 'A', n, m, a, ld, w, u, ld, v, ld, c, 1, nullptr, info) ==                 \
          CUSOLVER_STATUS_INVALID_VALUE);                                                                              \
    CHECK(cusolverDn##T##getrf(handle, n, n, nullptr, ld, tau, pivots, info) == CUSOLVER_STATUS_INVALID_VALUE);        \
  }
TEST(S, s, float, float, or, sy)
TEST(D, d, double, double, or, sy)
TEST(C, c, cuComplex, float, un, he)
TEST(Z, z, cuDoubleComplex, double, un, he)

int main() {
  GOOD(cusolverDnCreate(&handle));
  test_s(), test_d(), test_c(), test_z();
  cusolverDnIRSParams_t params; /* what is not done is there, and says so */
  int size = 0;
  CHECK(cusolverDnSgebrd_bufferSize(handle, 4, 4, &size) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverDnZhetrd_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 4, nullptr, 4, nullptr, nullptr, nullptr, &size) ==
        CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverDnIRSParamsCreate(&params) == CUSOLVER_STATUS_NOT_SUPPORTED);
  GOOD(cusolverDnLoggerSetLevel(5));
  GOOD(cusolverDnDestroy(handle));
  CHECK(cusolverDnDestroy(handle) == CUSOLVER_STATUS_NOT_INITIALIZED);
  return report("dense");
}
