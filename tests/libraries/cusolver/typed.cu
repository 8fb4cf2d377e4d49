/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER's functions with types and sizes of 64 bits, in four types: what factors multiply to, what solutions solve, eigenvalues and
 * singular values by their definition; bad arguments, and types that do not go together. */
#include "matrices.h"

static cusolverDnParams_t params;

/* Workspaces as a program would have them. */
struct room {
  size_t on_device = 0, on_host = 7;
  void *device = nullptr, *host = nullptr;
  void take() {
    CHECK(on_device > 0);
    cudaMalloc(&device, on_device);
    host = malloc(on_host + 1);
  }
  ~room() {
    cudaFree(device);
    free(host);
  }
};

template <class T, class R> void test(cudaDataType type, cudaDataType real, cudaDataType other) {
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto with = CUSOLVER_EIG_MODE_VECTOR;
  const bool complex = is_complex<T>;
  device<int> info(1);
  matrix<T> a(positive<T>()), a0(a), b(ld * n), b0(b);
  {
    room r;
    GOOD(cusolverDnXpotrf_bufferSize(handle, params, low, n, type, a, ld, type, &r.on_device, &r.on_host));
    r.take();
    GOOD(cusolverDnXpotrf(handle, params, low, n, type, a, ld, type, r.device, r.on_device, r.host, r.on_host, info));
    GOOD(cusolverDnXpotrs(handle, params, low, n, n, type, a, ld, type, b, ld, info));
    cudaDeviceSynchronize();
    CHECK(info[0] == 0);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        is_near<T>(sum(n, [&](int k) { return at(a0, i, k) * at(b, k, j); }), at(b0, i, j));
        if (i >= j)
          is_near<T>(sum(j + 1, [&](int k) { return at(a, i, k) * std::conj(at(a, j, k)); }), at(a0, i, j));
      }
    matrix<T> bad(a0);
    set(bad[1 + ld], -1);
    GOOD(cusolverDnXpotrf(handle, params, low, n, type, bad, ld, type, r.device, r.on_device, r.host, r.on_host, info));
    cudaDeviceSynchronize();
    CHECK(info[0] == 2);
  }
  matrix<T> g(ld * m), g0(g);
  {
    room r;
    device<long long> list(n + 1);
    int64_t *pivots = (int64_t *)list.at;
    pivots[n] = -1;
    matrix<T> lu(g0), x(b0), y(b0);
    GOOD(cusolverDnXgetrf_bufferSize(handle, params, m, n, type, lu, ld, type, &r.on_device, &r.on_host));
    r.take();
    /* In a stream, and the right-hand sides after it. */
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    GOOD(cusolverDnSetStream(handle, stream));
    GOOD(cusolverDnXgetrf(handle, params, n, n, type, lu, ld, pivots, type, r.device, r.on_device, r.host, r.on_host,
                          info));
    GOOD(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, n, n, type, lu, ld, pivots, type, x, ld, info));
    GOOD(cusolverDnXgetrs(handle, params, CUBLAS_OP_C, n, 2, type, lu, ld, pivots, type, y, ld, info));
    cudaStreamSynchronize(stream);
    GOOD(cusolverDnSetStream(handle, nullptr));
    cudaStreamDestroy(stream);
    CHECK(info[0] == 0 && pivots[n] == -1);
    for (int i = 0; i < n; i++) {
      CHECK(pivots[i] > i && pivots[i] <= n);
      for (int j = 0; j < n; j++)
        is_near<T>(sum(n, [&](int k) { return at(g0, i, k) * at(x, k, j); }), at(b0, i, j));
      is_near<T>(sum(n, [&](int k) { return std::conj(at(g0, k, i)) * at(y, k, 1); }), at(b0, i, 1));
    }
    matrix<T> singular(g0);
    for (int i = 0; i < n; i++)
      set(singular[i + 3 * ld], 0);
    GOOD(cusolverDnXgetrf(handle, params, n, n, type, singular, ld, pivots, type, r.device, r.on_device, r.host,
                          r.on_host, info));
    cudaDeviceSynchronize();
    CHECK(info[0] == 4);
    CHECK(cusolverDnXgetrf(handle, params, n, n, type, lu, ld, nullptr, type, nullptr, 0, nullptr, 0, info) ==
          CUSOLVER_STATUS_NOT_SUPPORTED);
    CHECK(cusolverDnXgetrf(handle, params, n, n, type, lu, n - 1, pivots, type, nullptr, 0, nullptr, 0, info) ==
          CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnXgetrs(handle, params, (cublasOperation_t)9, n, n, type, lu, ld, pivots, type, x, ld, info) ==
          CUSOLVER_STATUS_INVALID_VALUE);
  }
  {
    room r;
    matrix<T> qr(g0), tau(m);
    GOOD(cusolverDnXgeqrf_bufferSize(handle, params, m, n, type, qr, ld, type, tau, type, &r.on_device, &r.on_host));
    r.take();
    GOOD(cusolverDnXgeqrf(handle, params, m, n, type, qr, ld, type, tau, type, r.device, r.on_device, r.host, r.on_host,
                          info));
    cudaDeviceSynchronize();
    CHECK(info[0] == 0);
    /* R^H R is A^H A. */
    for (int j = 0; j < n; j++)
      for (int i = 0; i <= j; i++)
        is_near<T>(sum(i + 1, [&](int k) { return std::conj(at(qr, k, i)) * at(qr, k, j); }),
                   sum(m, [&](int k) { return std::conj(at(g0, k, i)) * at(g0, k, j); }));
  }
  device<R> w(m);
  {
    room r;
    matrix<T> e(a0);
    GOOD(cusolverDnXsyevd_bufferSize(handle, params, with, low, n, type, e, ld, real, w, type, &r.on_device,
                                     &r.on_host));
    r.take();
    GOOD(cusolverDnXsyevd(handle, params, with, low, n, type, e, ld, real, w, type, r.device, r.on_device, r.host,
                          r.on_host, info));
    cudaDeviceSynchronize();
    CHECK(info[0] == 0 && w[0] <= w[n - 1]);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        is_near<T>(sum(n, [&](int k) { return at(a0, i, k) * at(e, k, j); }), (double)w[j] * at(e, i, j));
    if (complex)
      CHECK(cusolverDnXsyevd(handle, params, with, low, n, type, e, ld, type, w, type, nullptr, 0, nullptr, 0, info) ==
            CUSOLVER_STATUS_NOT_SUPPORTED);
  }
  for (int polar = 0; polar < 2; polar++) {
    room r;
    double error = -1;
    matrix<T> s(g0), u(ld * m), v(ld * m);
    if (polar) {
      GOOD(cusolverDnXgesvdp_bufferSize(handle, params, with, 1, m, n, type, s, ld, real, w, type, u, ld, type, v, ld,
                                        type, &r.on_device, &r.on_host));
      r.take();
      GOOD(cusolverDnXgesvdp(handle, params, with, 1, m, n, type, s, ld, real, w, type, u, ld, type, v, ld, type,
                             r.device, r.on_device, r.host, r.on_host, info, &error));
    } else {
      GOOD(cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', m, n, type, s, ld, real, w, type, u, ld, type, v, ld,
                                       type, &r.on_device, &r.on_host));
      r.take();
      GOOD(cusolverDnXgesvd(handle, params, 'A', 'A', m, n, type, s, ld, real, w, type, u, ld, type, v, ld, type,
                            r.device, r.on_device, r.host, r.on_host, info));
    }
    cudaDeviceSynchronize();
    CHECK(info[0] == 0 && w[0] >= w[n - 1] && w[n - 1] >= 0 && (!polar || error >= 0));
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        is_near<T>(
            sum(n, [&](int k) { return at(u, i, k) * (double)w[k] * (polar ? std::conj(at(v, j, k)) : at(v, k, j)); }),
            at(g0, i, j));
    CHECK(cusolverDnXgesvd(handle, params, 'A', 'A', n, m, type, s, ld, real, w, type, u, ld, type, v, ld, type,
                           nullptr, 0, nullptr, 0, info) == CUSOLVER_STATUS_INVALID_VALUE);
  }
  for (int unit = 0; unit < 2; unit++) {
    room r;
    const auto diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    matrix<T> t(a0), before(a0);
    GOOD(cusolverDnXtrtri_bufferSize(handle, CUBLAS_FILL_MODE_UPPER, diagonal, n, type, t, ld, &r.on_device,
                                     &r.on_host));
    r.take();
    if (unit) /* small values above a diagonal of ones */
      for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
          set(before[i + j * ld], at(before, i, j) / 16.0), t[i + j * ld] = before[i + j * ld];
    GOOD(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_UPPER, diagonal, n, type, t, ld, r.device, r.on_device, r.host,
                          r.on_host, info));
    cudaDeviceSynchronize();
    CHECK(info[0] == 0);
    auto part = [&](const matrix<T> &x, int i, int k) {
      return i > k ? number(0) : i == k && unit ? number(1) : at(x, i, k);
    };
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        is_near<T>(sum(n, [&](int k) { return part(before, i, k) * part(t, k, j); }), i == j ? 1.0 : 0.0);
        if (i > j)
          CHECK(at(t, i, j) == at(a0, i, j));
      }
    CHECK(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_UPPER, diagonal, n, type, nullptr, ld, nullptr, 0, nullptr, 0,
                           info) == CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnXtrtri(nullptr, CUBLAS_FILL_MODE_UPPER, diagonal, n, type, t, ld, nullptr, 0, nullptr, 0, info) ==
          CUSOLVER_STATUS_NOT_INITIALIZED);
  }
  size_t bytes = 0;
  CHECK(cusolverDnXpotrf_bufferSize(nullptr, params, low, n, type, a, ld, type, &bytes, &bytes) ==
        CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverDnXpotrf_bufferSize(handle, params, low, -1, type, a, ld, type, &bytes, &bytes) ==
        CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnXpotrf_bufferSize(handle, params, low, n, type, a, n - 1, type, &bytes, &bytes) ==
        CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnXpotrf_bufferSize(handle, params, low, n, type, a, ld, other, &bytes, &bytes) ==
        CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverDnXpotrf(handle, params, (cublasFillMode_t)7, n, type, a, ld, type, nullptr, 0, nullptr, 0, info) ==
        CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnXpotrf(handle, params, low, n, CUDA_R_16F, a, ld, CUDA_R_16F, nullptr, 0, nullptr, 0, info) ==
        CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverDnXpotrf(handle, params, low, (int64_t)1 << 31, type, a, (int64_t)1 << 31, type, nullptr, 0, nullptr, 0,
                         info) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverDnXpotrs(handle, params, low, n, n, type, a, ld, other, b, ld, info) == CUSOLVER_STATUS_NOT_SUPPORTED);
}

int main() {
  GOOD(cusolverDnCreate(&handle));
  GOOD(cusolverDnCreateParams(&params));
  GOOD(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1));
  CHECK(cusolverDnSetAdvOptions(nullptr, CUSOLVERDN_GETRF, CUSOLVER_ALG_0) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, (cusolverAlgMode_t)5) == CUSOLVER_STATUS_INVALID_VALUE);
  test<float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_64F);
  test<double, double>(CUDA_R_64F, CUDA_R_64F, CUDA_R_32F);
  test<cuComplex, float>(CUDA_C_32F, CUDA_R_32F, CUDA_C_64F);
  test<cuDoubleComplex, double>(CUDA_C_64F, CUDA_R_64F, CUDA_R_64F);
  GOOD(cusolverDnDestroyParams(params));
  CHECK(cusolverDnDestroyParams(params) == CUSOLVER_STATUS_INVALID_VALUE);
  GOOD(cusolverDnDestroy(handle));
  return report("typed");
}
