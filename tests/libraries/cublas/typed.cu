/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS: types given at run time, batches, groups, factorisations. */
#include "../check.h"
#include <cublas_v2.h>

static cublasHandle_t handle;
#define GOOD(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

template <class A, class C>
void product(cudaDataType a_type, cudaDataType c_type, cublasComputeType_t compute, int m, int n, int k, bool whole,
             cublasOperation_t ta, cublasOperation_t tb) {
  const int lda = ((ta == CUBLAS_OP_N ? m : k) + 7) / 4 * 4, ldb = ((tb == CUBLAS_OP_N ? k : n) + 7) / 4 * 4,
            ldc = m + 3;
  device<A> a(lda * (ta == CUBLAS_OP_N ? k : m)), b(ldb * (tb == CUBLAS_OP_N ? n : k));
  device<C> c(ldc * n), c0(c);
  for (size_t i = 0; whole && i < a.count; i++)
    set(a[i], (double)(int)(next_number() * 127));
  for (size_t i = 0; whole && i < b.count; i++)
    set(b[i], (double)(int)(next_number() * 128));
  const float falpha = 0.5f, fbeta = 2;
  const int ialpha = 3, ibeta = -2;
  const __half halpha = __float2half(0.5f), hbeta = __float2half(2);
  const bool integer = compute == CUBLAS_COMPUTE_32I, halves = compute == CUBLAS_COMPUTE_16F;
  GOOD(cublasGemmEx(handle, ta, tb, m, n, k,
                    integer  ? (const void *)&ialpha
                    : halves ? (const void *)&halpha
                             : &falpha,
                    a, a_type, lda, b, a_type, ldb,
                    integer  ? (const void *)&ibeta
                    : halves ? (const void *)&hbeta
                             : &fbeta,
                    c, c_type, ldc, compute, CUBLAS_GEMM_DEFAULT));
  cudaDeviceSynchronize();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      number sum = 0;
      for (int l = 0; l < k; l++)
        sum += value(ta == CUBLAS_OP_N ? a[i + l * lda] : a[l + i * lda]) *
               value(tb == CUBLAS_OP_N ? b[l + j * ldb] : b[j + l * ldb]);
      number expected = integer ? 3.0 * sum - 2.0 * value(c0[i + j * ldc]) : 0.5 * sum + 2.0 * value(c0[i + j * ldc]);
      if (integer)
        CHECK(value(c[i + j * ldc]) == expected);
      else
        CHECK(std::abs(value(c[i + j * ldc]) - expected) <=
              precision<C> * (std::abs(expected) + 1e-2) + 3e-6 * k * (whole ? 16384 : 1));
    }
}

template <class T, class Gemm, class Getrf, class Getri, class Getrs, class Inverse, class Geqrf, class Gels,
          class Trsm, class Pack, class Unpack>
void batches(Gemm gemm, Getrf getrf, Getri getri, Getrs getrs, Inverse inverse, Geqrf geqrf, Gels gels, Trsm trsm,
             Pack pack, Unpack unpack) {
  const int n = 9, ld = 11, batch = 5;
  device<T> a(ld * n * batch), b(ld * n * batch), c(ld * n * batch);
  for (int i = 0; i < batch; i++)
    for (int j = 0; j < n; j++)
      set(a[i * ld * n + j + j * ld], 5.0 + value(a[i * ld * n + j + j * ld]));
  T **as, **bs, **cs;
  cudaMallocManaged(&as, batch * sizeof *as), cudaMallocManaged(&bs, batch * sizeof *bs),
      cudaMallocManaged(&cs, batch * sizeof *cs);
  for (int i = 0; i < batch; i++)
    as[i] = a + i * ld * n, bs[i] = b + i * ld * n, cs[i] = c + i * ld * n;
  const T one = make<T>(1), zero = make<T>(0);
  device<T> a0(a), b0(b);
  device<int> pivots(n * batch), info(batch);
  auto is_product = [&](const device<T> &x, const device<T> &y,
                        auto expected) { /* x y, element by element */
                                         for (int i = 0; i < batch; i++)
                                           for (int j = 0; j < n; j++)
                                             for (int r = 0; r < n; r++) {
                                               number sum = 0;
                                               for (int l = 0; l < n; l++)
                                                 sum += value(x[i * ld * n + r + l * ld]) *
                                                        value(y[i * ld * n + l + j * ld]);
                                               CHECK(std::abs(sum - expected(i, r, j)) < 200 * precision<T>);
                                             }
  };
  auto unit = [](int, int r, int j) { return number(r == j); };
  GOOD(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, as, ld, bs, ld, &zero, cs, ld, batch));
  is_product(a, b, [&](int i, int r, int j) { return value(c[i * ld * n + r + j * ld]); });
  GOOD(inverse(handle, n, as, ld, cs, ld, info, batch));
  is_product(a0, c, unit);
  for (int with_pivots = 0; with_pivots < 2; with_pivots++) {
    int *p = with_pivots ? (int *)pivots : nullptr, host_info = -7;
    for (size_t i = 0; i < a.count; i++)
      a[i] = a0[i], b[i] = b0[i];
    GOOD(getrf(handle, n, as, ld, p, info, batch));
    CHECK(info[0] == 0 && info[batch - 1] == 0);
    GOOD(getri(handle, n, as, ld, p, cs, ld, info, batch));
    is_product(a0, c, unit);
    GOOD(getrs(handle, CUBLAS_OP_N, n, n, as, ld, p, bs, ld, &host_info, batch));
    CHECK(host_info == 0);
    is_product(a0, b, [&](int i, int r, int j) { return value(b0[i * ld * n + r + j * ld]); });
    CHECK(getrs(handle, CUBLAS_OP_N, -1, n, as, ld, p, bs, ld, &host_info, batch) == CUBLAS_STATUS_INVALID_VALUE &&
          host_info == -2);
  }
  for (size_t i = 0; i < a.count; i++)
    a[i] = a0[i], b[i] = b0[i];
  GOOD(trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, n, &one, as, ld, bs,
            ld, batch));
  for (int i = 0; i < batch; i++)
    for (int j = 0; j < n; j++)
      for (int r = 0; r < n; r++)
        if (r > j)
          set(a[i * ld * n + r + j * ld], 0);
  is_product(a, b, [&](int i, int r, int j) { return value(b0[i * ld * n + r + j * ld]); });
  int host_info = -7;
  for (size_t i = 0; i < a.count; i++)
    a[i] = a0[i], b[i] = b0[i];
  GOOD(gels(handle, CUBLAS_OP_N, n, n, n, as, ld, bs, ld, &host_info, info, batch));
  is_product(a0, b, [&](int i, int r, int j) { return value(b0[i * ld * n + r + j * ld]); });
  for (size_t i = 0; i < a.count; i++)
    a[i] = a0[i];
  GOOD(geqrf(handle, n, n, as, ld, cs, &host_info, batch));
  for (int j = 0; j < n; j++) { /* columns keep their length in R */
    double before = 0, after = 0;
    for (int r = 0; r < n; r++) {
      before += std::norm(value(a0[r + j * ld]));
      after += r <= j ? std::norm(value(a[r + j * ld])) : 0;
    }
    CHECK(std::abs(before - after) < 1000 * precision<T>);
  }
  for (size_t i = 0; i < ld; i++) /* a singular one */
    set(a[i], 0);
  GOOD(getrf(handle, n, as, ld, pivots, info, batch));
  CHECK(info[0] == 1 && info[1] == 0);
  device<T> packed(n * (n + 1) / 2), again(ld * n);
  GOOD(pack(handle, CUBLAS_FILL_MODE_LOWER, n, a0, ld, packed));
  GOOD(unpack(handle, CUBLAS_FILL_MODE_LOWER, n, packed, again, ld));
  CHECK(value(packed[n]) == value(a0[1 + ld]) && value(again[3 + 2 * ld]) == value(a0[3 + 2 * ld]));
  cudaFree(as), cudaFree(bs), cudaFree(cs);
}
#define BATCHES(T, type)                                                                                               \
  batches<type>(cublas##T##gemmBatched, cublas##T##getrfBatched, cublas##T##getriBatched, cublas##T##getrsBatched,     \
                cublas##T##matinvBatched, cublas##T##geqrfBatched, cublas##T##gelsBatched, cublas##T##trsmBatched,     \
                cublas##T##trttp, cublas##T##tpttr)

static void strided_and_grouped() {
  const int m = 5, n = 4, k = 6, batch = 3;
  device<float> a(m * k * batch), b(k * n * batch), c(m * n * batch), d(m * n * batch), e(m * n * batch);
  const float alpha[2] = {1, 1}, beta[2] = {0, 0};
  GOOD(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, alpha, a, m, m * k, b, k, k * n, beta, c, m,
                                 m * n, batch));
  for (int i = 0; i < batch; i++)
    GOOD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, alpha, a + i * m * k, m, b + i * k * n, k, beta,
                     d + i * m * n, m));
  float **pointers;
  cudaMallocManaged(&pointers, 9 * sizeof *pointers);
  for (int i = 0; i < batch; i++)
    pointers[i] = a + i * m * k, pointers[3 + i] = b + i * k * n, pointers[6 + i] = e + i * m * n;
  const cublasOperation_t ops[2] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int ms[2] = {m, m}, ns[2] = {n, n}, ks[2] = {k, k}, sizes[2] = {1, 2};
  GOOD(cublasSgemmGroupedBatched(handle, ops, ops, ms, ns, ks, alpha, pointers, ms, pointers + 3, ks, beta,
                                 pointers + 6, ms, 2, sizes));
  for (int i = 0; i < m * n * batch; i++) {
    CHECK(near(c[i], d[i]));
    CHECK(near(e[i], d[i]));
  }
  float y[5];
  device<__half> ha(m * k), hx(k), hy(m);
  device<float> fy(m);
  GOOD(cublasHSHgemvStridedBatched(handle, CUBLAS_OP_N, m, k, alpha, ha, m, 0, hx, 1, 0, beta, hy, 1, 0, 1));
  GOOD(cublasHSSgemvStridedBatched(handle, CUBLAS_OP_N, m, k, alpha, ha, m, 0, hx, 1, 0, beta, fy, 1, 0, 1));
  for (int i = 0; i < m; i++) {
    y[i] = 0;
    for (int j = 0; j < k; j++)
      y[i] += __half2float(ha[i + j * m]) * __half2float(hx[j]);
    CHECK(near(hy[i], y[i]));
    CHECK(near(fy[i], y[i]));
  }
  cudaFree(pointers);
}

static void vectors() {
  const int n = 50;
  device<__half> x(n), y(n), y0(y);
  number dot = 0, squares = 0;
  for (int i = 0; i < n; i++)
    dot += value(x[i]) * value(y[i]), squares += value(x[i]) * value(x[i]);
  __half result;
  const float alpha = 0.5f;
  GOOD(cublasDotEx(handle, n, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F));
  CHECK(near(result, dot));
  GOOD(cublasNrm2Ex(handle, n, x, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F));
  CHECK(near(result, std::sqrt(squares)));
  GOOD(cublasAxpyEx(handle, n, &alpha, CUDA_R_32F, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, CUDA_R_32F));
  CHECK(near(y[7], 0.5 * value(x[7]) + value(y0[7])));
  GOOD(cublasScalEx(handle, n, &alpha, CUDA_R_32F, y, CUDA_R_16F, 1, CUDA_R_32F));
  CHECK(near(y[7], 0.25 * value(x[7]) + 0.5 * value(y0[7])));
  CHECK(cublasAxpyEx(handle, n, &alpha, CUDA_R_32F, x, CUDA_R_16F, 1, y, CUDA_R_32F, 1, CUDA_R_32F) ==
        CUBLAS_STATUS_NOT_SUPPORTED);
  device<double> dx(n), dy(n), dx0(dx);
  const double c = 0.6, s = 0.8;
  GOOD(cublasRotEx(handle, n, dx, CUDA_R_64F, 1, dy, CUDA_R_64F, 1, &c, &s, CUDA_R_64F, CUDA_R_64F));
  CHECK(!near(dx[3], dx0[3]));
  double sum;
  int most, least;
  GOOD(cublasAsumEx(handle, n, dx, CUDA_R_64F, 1, &sum, CUDA_R_64F, CUDA_R_64F));
  GOOD(cublasIamaxEx(handle, n, dx, CUDA_R_64F, 1, &most));
  GOOD(cublasIaminEx(handle, n, dx, CUDA_R_64F, 1, &least));
  double expected;
  int most2, least2;
  GOOD(cublasDasum(handle, n, dx, 1, &expected));
  GOOD(cublasIdamax(handle, n, dx, 1, &most2));
  GOOD(cublasIdamin(handle, n, dx, 1, &least2));
  CHECK(near(sum, expected) && most == most2 && least == least2);
  GOOD(cublasCopyEx(handle, n, dx, CUDA_R_64F, 1, dy, CUDA_R_64F, 1));
  CHECK(dy[9] == dx[9]);
  GOOD(cublasSwapEx(handle, n, dx0, CUDA_R_64F, 1, dy, CUDA_R_64F, 1));
  CHECK(dx0[9] == dx[9]);
}

int main() {
  GOOD(cublasCreate(&handle));
  for (cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      product<__half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 33, 17, 45, false, ta, tb);
      // Programs built for CUDA 10 hand over a type of elements there.
      product<__half, __half>(CUDA_R_16F, CUDA_R_16F, (cublasComputeType_t)CUDA_R_32F, 33, 17, 45, false, ta, tb);
      product<__half, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 33, 17, 2100, false, ta, tb);
      product<__half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, 8, 17, 45, false, ta, tb);
      product<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 33, 17, 45, false, ta, tb);
      product<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 300, 200, 45, false, ta, tb);
      product<float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 33, 17, 45, false, ta, tb);
      product<signed char, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 36, 16, 3001, true, ta, tb);
      product<signed char, float>(CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, 36, 16, 44, true, ta, tb);
    }
  BATCHES(S, float);
  BATCHES(D, double);
  BATCHES(C, cuComplex);
  BATCHES(Z, cuDoubleComplex);
  strided_and_grouped();
  vectors();
  GOOD(cublasDestroy(handle));
  return report("typed");
}
