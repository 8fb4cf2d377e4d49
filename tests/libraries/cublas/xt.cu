/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLASXt on memory of the host that CUDA has not seen and on that of the device: each function against sums by hand, and what is refused. */
#include "../check.h"
#include <cublasXt.h>

#define GOOD(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUBLAS_STATUS_INVALID_VALUE)

static const int M = 37, N = 29, K = 23, LD = 41;
template <class T> struct matrix : std::vector<T> {
  matrix() : std::vector<T>(LD * LD) {
    for (T &x : *this)
      x = make<T>(is_complex<T> ? number(next_number(), next_number()) : number(next_number()));
  }
  number operator()(int row, int column) const { return value((*this)[row + column * LD]); }
};
template <class T>
bool all_near(const matrix<T> &c, int rows, int columns, bool lower, std::function<number(int, int)> expected) {
  for (int j = 0; j < columns; j++)
    for (int i = lower ? j : 0; i < rows; i++)
      if (!near(c[i + j * LD], expected(i, j), 40))
        return false;
  return true;
}
template <class F> number sum(int count, F of) {
  number total = 0;
  for (int i = 0; i < count; i++)
    total += of(i);
  return total;
}

#define XT(T, type)                                                                                                    \
  static void check_##T(cublasXtHandle_t handle) {                                                                     \
    using number_of = type;                                                                                            \
    const matrix<number_of> a, b, before;                                                                              \
    matrix<number_of> c = before;                                                                                      \
    type alpha = make<type>(2), beta = make<type>(0.5);                                                                \
    auto symmetric = [&](int i, int j) { return i >= j ? a(i, j) : a(j, i); };                                         \
    GOOD(cublasXt##T##gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &alpha, a.data(), LD, b.data(), LD, &beta,       \
                           c.data(), LD));                                                                             \
    CHECK(all_near(c, M, N, false, [&](int i, int j) {                                                                 \
      return 2.0 * sum(K, [&](int k) { return a(i, k) * b(j, k); }) + 0.5 * before(i, j);                              \
    }));                                                                                                               \
    CHECK(c(M, 0) == before(M, 0));                                                                                    \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##syrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &alpha, a.data(), LD, &beta, c.data(),   \
                           LD));                                                                                       \
    CHECK(all_near(c, N, N, true, [&](int i, int j) {                                                                  \
      return 2.0 * sum(K, [&](int k) { return a(i, k) * a(j, k); }) + 0.5 * before(i, j);                              \
    }));                                                                                                               \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##syr2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &alpha, a.data(), LD, b.data(), LD,     \
                            &beta, c.data(), LD));                                                                     \
    CHECK(all_near(c, N, N, true, [&](int i, int j) {                                                                  \
      return 2.0 * sum(K, [&](int k) { return a(i, k) * b(j, k) + b(i, k) * a(j, k); }) + 0.5 * before(i, j);          \
    }));                                                                                                               \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##syrkx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &alpha, a.data(), LD, b.data(), LD,     \
                            &beta, c.data(), LD));                                                                     \
    CHECK(all_near(c, N, N, true, [&](int i, int j) {                                                                  \
      return 2.0 * sum(K, [&](int k) { return a(i, k) * b(j, k); }) + 0.5 * before(i, j);                              \
    }));                                                                                                               \
    auto product = [&](int i, int j) {                                                                                 \
      return 2.0 * sum(M, [&](int k) { return symmetric(i, k) * b(k, j); }) + 0.5 * before(i, j);                      \
    };                                                                                                                 \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##symm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, M, N, &alpha, a.data(), LD, b.data(), LD, \
                           &beta, c.data(), LD));                                                                      \
    CHECK(all_near(c, M, N, false, product));                                                                          \
    std::vector<type> packed;                                                                                          \
    for (int j = 0; j < M; j++)                                                                                        \
      for (int i = j; i < M; i++)                                                                                      \
        packed.push_back(a[i + j * LD]);                                                                               \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##spmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, M, N, &alpha, packed.data(), b.data(),    \
                           LD, &beta, c.data(), LD));                                                                  \
    CHECK(all_near(c, M, N, false, product));                                                                          \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##trmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, M, N,      \
                           &alpha, a.data(), LD, b.data(), LD, c.data(), LD));                                         \
    CHECK(all_near(c, M, N, false,                                                                                     \
                   [&](int i, int j) { return 2.0 * (b(i, j) + sum(i, [&](int k) { return a(i, k) * b(k, j); })); })); \
    matrix<number_of> small = a;                                                                                       \
    for (type &x : small)                                                                                              \
      x = make<type>(value(x) / 16.0);                                                                                 \
    c = b;                                                                                                             \
    GOOD(cublasXt##T##trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, M, N,      \
                           &alpha, small.data(), LD, c.data(), LD));                                                   \
    const matrix<number_of> solution = c;                                                                              \
    for (int j = 0; j < N; j++)                                                                                        \
      for (int i = 0; i < M; i++)                                                                                      \
        c[i + j * LD] = make<type>(solution(i, j) + sum(i, [&](int k) { return small(i, k) * solution(k, j); }));      \
    CHECK(all_near(c, M, N, false, [&](int i, int j) { return 2.0 * b(i, j); }));                                      \
  }
XT(S, float)
XT(D, double)
XT(C, cuComplex)
XT(Z, cuDoubleComplex)

#define HERMITIAN(T, type, real_type)                                                                                  \
  static void check_hermitian_##T(cublasXtHandle_t handle) {                                                           \
    const matrix<type> a, b, before;                                                                                   \
    matrix<type> c = before;                                                                                           \
    type alpha = make<type>(number(2, 1)), beta = make<type>(0.5);                                                     \
    const number factor(2, 1);                                                                                         \
    real_type twice = 2, half = 0.5;                                                                                   \
    auto old = [&](int i, int j) { return i == j ? 0.5 * before(i, j).real() : 0.5 * before(i, j); };                  \
    GOOD(cublasXt##T##herk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &twice, a.data(), LD, &half, c.data(),   \
                           LD));                                                                                       \
    CHECK(all_near(c, N, N, true, [&](int i, int j) {                                                                  \
      return 2.0 * sum(K, [&](int k) { return a(i, k) * std::conj(a(j, k)); }) + old(i, j);                            \
    }));                                                                                                               \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##her2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &alpha, a.data(), LD, b.data(), LD,     \
                            &half, c.data(), LD));                                                                     \
    CHECK(all_near(c, N, N, true, [&](int i, int j) {                                                                  \
      auto term = [&](int k) {                                                                                         \
        return factor * a(i, k) * std::conj(b(j, k)) + std::conj(factor) * b(i, k) * std::conj(a(j, k));               \
      };                                                                                                               \
      return sum(K, term) + old(i, j);                                                                                 \
    }));                                                                                                               \
    c = before;                                                                                                        \
    alpha = make<type>(2);                                                                                             \
    GOOD(cublasXt##T##herkx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &alpha, a.data(), LD, a.data(), LD,     \
                            &half, c.data(), LD));                                                                     \
    CHECK(all_near(c, N, N, true, [&](int i, int j) {                                                                  \
      return 2.0 * sum(K, [&](int k) { return a(i, k) * std::conj(a(j, k)); }) + old(i, j);                            \
    }));                                                                                                               \
    c = before;                                                                                                        \
    GOOD(cublasXt##T##hemm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, M, N, &alpha, a.data(), LD, b.data(), LD, \
                           &beta, c.data(), LD));                                                                      \
    auto whole = [&](int i, int j) { return i > j ? a(i, j) : i < j ? std::conj(a(j, i)) : a(i, i).real(); };          \
    CHECK(all_near(c, M, N, false, [&](int i, int j) {                                                                 \
      return 2.0 * sum(M, [&](int k) { return whole(i, k) * b(k, j); }) + 0.5 * before(i, j);                          \
    }));                                                                                                               \
  }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)

__global__ void fill(float *x, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    x[i] = 1;
}

int main() {
  cublasXtHandle_t handle;
  BAD(cublasXtCreate(nullptr));
  CHECK(cublasXtDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  GOOD(cublasXtCreate(&handle));
  int device_numbers[] = {0, 99}, boards = 0, block = 0;
  GOOD(cublasXtDeviceSelect(handle, 1, device_numbers));
  BAD(cublasXtDeviceSelect(handle, 2, device_numbers));
  BAD(cublasXtDeviceSelect(handle, 0, device_numbers));
  GOOD(cublasXtMaxBoards(&boards));
  CHECK(boards >= 1);
  GOOD(cublasXtGetNumBoards(1, device_numbers, &boards));
  CHECK(boards == 1);
  GOOD(cublasXtSetBlockDim(handle, 64));
  GOOD(cublasXtGetBlockDim(handle, &block));
  CHECK(block == 64);
  BAD(cublasXtSetBlockDim(handle, 0));
  cublasXtPinnedMemMode_t mode;
  GOOD(cublasXtSetPinningMemMode(handle, CUBLASXT_PINNING_ENABLED));
  GOOD(cublasXtGetPinningMemMode(handle, &mode));
  CHECK(mode == CUBLASXT_PINNING_ENABLED);
  GOOD(cublasXtSetCpuRatio(handle, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5f));
  BAD(cublasXtSetCpuRatio(handle, CUBLASXT_GEMM, CUBLASXT_FLOAT, 2));
  check_S(handle);
  check_D(handle);
  check_C(handle);
  check_Z(handle);
  check_hermitian_C(handle);
  check_hermitian_Z(handle);

  /* Device memory after a kernel of the default stream; the result is there when the call returns. */
  device<float> x(64 * 64), y(64 * 64);
  const float one = 1, zero = 0;
  fill<<<1, 64>>>(x, 64 * 64);
  GOOD(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, x, 64, x, 64, &zero, y, 64));
  CHECK(y[0] == 64 && y[64 * 64 - 1] == 64);
  y[0] = 7;
  BAD(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, x, 63, x, 64, &zero, y, 64));
  BAD(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, nullptr, x, 64, x, 64, &zero, y, 64));
  CHECK(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, ~(size_t)0, 64, 64, &one, x, ~(size_t)0, x, 64, &zero, y,
                      ~(size_t)0) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(y[0] == 7);
  GOOD(cublasXtDestroy(handle));
  CHECK(cublasXtDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
  return report("cublas/xt");
}
